package protocol

// A Row is the envelope of one packet: all that is known of it without its
// layout.
type Row struct {
	ID        ID
	Name      string
	Direction Direction
	Lane      Lane
	Page      Page
	Min, Max  int           // bytes on the wire, envelope included
	New       func() Packet // nil: its layout is not built yet
}

// A Page is the page of the specification that a packet stands on.
type Page string

const (
	pageConnection Page = "Connection"
	pagePlayer     Page = "Player"
	pageCombat     Page = "Combat"
	pageVehicles   Page = "Vehicles"
	pageWorld      Page = "World"
	pageUI         Page = "Chat, HUD and dialogs"
	pageViews      Page = "Resource files and views"
	pageEditor     Page = "Map editing"
)

// Table returns all rows in the order of the given packet table. The caller
// must not change it.
func Table() []Row { return table }

// Lookup finds the row of an id.
func Lookup(id ID) (*Row, bool) {
	r := byID[id]
	return r, r != nil
}

var byID = func() (index [256]*Row) {
	for i := range table {
		index[table[i].ID] = &table[i]
	}
	return index
}()

// of is the New of a row.
func of[T any, P interface {
	*T
	Packet
}]() Packet {
	return P(new(T))
}

var table = []Row{
	{IDClientHello, "ClientHello", ClientToServer, Unreliable, pageConnection, 1200, 1200, of[ClientHello]},
	{IDServerHello, "ServerHello", ServerToClient, Unreliable, pageConnection, 1200, 1200, of[ServerHello]},
	{IDPlayerSync, "PlayerSync", ClientToServer, Unreliable, pagePlayer, 63, 63, of[PlayerSync]},
	{IDRemotePlayerSync, "RemotePlayerSync", ServerToClient, Unreliable, pagePlayer, 61, 61, of[RemotePlayerSync]},
	{IDClientBye, "ClientBye", ClientToServer, Unreliable, pageConnection, 10, 10, of[ClientBye]},
	{IDPlayerLeave, "PlayerLeave", ServerToClient, Critical, pageConnection, 12, 12, of[PlayerLeave]},
	{IDClientChat, "ClientChat", ClientToServer, Reliable, pageUI, 17, 528, of[ClientChat]},
	{IDChatMessage, "ChatMessage", ServerToClient, Droppable, pageUI, 26, 600, of[ChatMessage]},
	{IDWeaponShot, "WeaponShot", ClientToServer, Unreliable, pageCombat, 43, 43, nil},
	{IDRemoteWeaponShot, "RemoteWeaponShot", ServerToClient, Unreliable, pageCombat, 41, 41, nil},
	{IDDamageReport, "DamageReport", ClientToServer, Reliable, pageCombat, 35, 35, nil},
	{IDRespawnRequest, "RespawnRequest", ClientToServer, Reliable, pagePlayer, 13, 13, nil},
	{IDRespawnPlayer, "RespawnPlayer", ServerToClient, Critical, pagePlayer, 38, 38, nil},
	{IDClientAck, "ClientAck", ClientToServer, Unreliable, pageConnection, 13, 13, of[ClientAck]},
	{IDServerAck, "ServerAck", ServerToClient, Unreliable, pageConnection, 5, 5, of[ServerAck]},
	{IDPlayerSkills, "PlayerSkills", ServerToClient, Droppable, pagePlayer, 33, 33, nil},
	{IDSetWanted, "SetWanted", ServerToClient, Droppable, pagePlayer, 6, 6, nil},
	{IDPickupSync, "PickupSync", ServerToClient, Droppable, pageWorld, 31, 1006, nil},
	{IDPickupTouch, "PickupTouch", ClientToServer, Reliable, pageWorld, 17, 17, nil},
	{IDKickNotify, "KickNotify", ServerToClient, Unreliable, pageConnection, 142, 142, of[KickNotify]},
	{IDTeleportPlayer, "TeleportPlayer", ServerToClient, Critical, pagePlayer, 24, 24, nil},
	{IDGiveWeapon, "GiveWeapon", ServerToClient, Critical, pageCombat, 11, 11, nil},
	{IDGiveHealth, "GiveHealth", ServerToClient, Critical, pageCombat, 15, 15, nil},
	{IDGiveArmor, "GiveArmor", ServerToClient, Critical, pageCombat, 15, 15, nil},
	{IDClientCommand, "ClientCommand", ClientToServer, Reliable, pageUI, 16, 527, of[ClientCommand]},
	{IDServerMessage, "ServerMessage", ServerToClient, Droppable, pageUI, 13, 1037, of[ServerMessage]},
	{IDDeathReport, "DeathReport", ClientToServer, Reliable, pagePlayer, 20, 20, nil},
	{IDPlayerWasted, "PlayerWasted", ServerToClient, Critical, pagePlayer, 20, 20, nil},
	{IDPlayerSpawned, "PlayerSpawned", ServerToClient, Critical, pagePlayer, 60, 60, nil},
	{IDSetHealth, "SetHealth", ServerToClient, Critical, pageCombat, 19, 19, nil},
	{IDSetArmor, "SetArmor", ServerToClient, Critical, pageCombat, 19, 19, nil},
	{IDSetSkin, "SetSkin", ServerToClient, Critical, pagePlayer, 13, 13, nil},
	{IDSetTime, "SetTime", ServerToClient, Critical, pageWorld, 8, 8, nil},
	{IDSetWeather, "SetWeather", ServerToClient, Critical, pageWorld, 15, 15, nil},
	{IDRunClock, "RunClock", ServerToClient, Critical, pageWorld, 10, 10, nil},
	{IDTakeWeapon, "TakeWeapon", ServerToClient, Critical, pageCombat, 6, 6, nil},
	{IDSetWeaponAmmo, "SetWeaponAmmo", ServerToClient, Critical, pageCombat, 16, 16, nil},
	{IDClearWeapons, "ClearWeapons", ServerToClient, Critical, pageCombat, 5, 5, nil},
	{IDSetArmedWeapon, "SetArmedWeapon", ServerToClient, Critical, pageCombat, 6, 6, nil},
	{IDSetMoney, "SetMoney", ServerToClient, Critical, pagePlayer, 9, 9, nil},
	{IDRequestSpawn, "RequestSpawn", ClientToServer, Reliable, pagePlayer, 13, 13, nil},
	{IDSpawnPlayer, "SpawnPlayer", ServerToClient, Critical, pagePlayer, 38, 38, nil},
	{IDApplyAnimation, "ApplyAnimation", ServerToClient, Critical, pagePlayer, 72, 72, nil},
	{IDClearAnimations, "ClearAnimations", ServerToClient, Critical, pagePlayer, 11, 11, nil},
	{IDSetWalkingStyle, "SetWalkingStyle", ServerToClient, Critical, pagePlayer, 12, 12, nil},
	{IDSetAnimationProgress, "SetAnimationProgress", ServerToClient, Critical, pagePlayer, 17, 17, nil},
	{IDSetAnimationSpeed, "SetAnimationSpeed", ServerToClient, Critical, pagePlayer, 17, 17, nil},
	{IDProjectileCreate, "ProjectileCreate", ClientToServer, Reliable, pageCombat, 43, 43, nil},
	{IDRemoteProjectileCreate, "RemoteProjectileCreate", ServerToClient, Droppable, pageCombat, 49, 49, nil},
	{IDSatchelDetonate, "SatchelDetonate", ClientToServer, Reliable, pageCombat, 110, 110, nil},
	{IDRemoteSatchelDetonate, "RemoteSatchelDetonate", ServerToClient, Critical, pageCombat, 108, 108, nil},
	{IDStealthKillRequest, "StealthKillRequest", ClientToServer, Reliable, pageCombat, 17, 17, nil},
	{IDRemoteStealthKill, "RemoteStealthKill", ServerToClient, Critical, pageCombat, 17, 17, nil},
	{IDVehicleSync, "VehicleSync", ServerToClient, Critical, pageVehicles, 179, 179, nil},
	{IDVehicleEnter, "VehicleEnter", ClientToServer, Reliable, pageVehicles, 20, 20, nil},
	{IDVehicleExit, "VehicleExit", ClientToServer, Reliable, pageVehicles, 19, 19, nil},
	{IDVehicleOccupancy, "VehicleOccupancy", ServerToClient, Critical, pageVehicles, 19, 19, nil},
	{IDVehicleFrame, "VehicleFrame", ClientToServer, Unreliable, pageVehicles, 96, 96, nil},
	{IDRemoteVehicleFrame, "RemoteVehicleFrame", ServerToClient, Unreliable, pageVehicles, 88, 88, nil},
	{IDVehicleSyncer, "VehicleSyncer", ServerToClient, Critical, pageVehicles, 14, 14, nil},
	{IDVehicleExplode, "VehicleExplode", ClientToServer, Reliable, pageVehicles, 29, 29, nil},
	{IDVehicleDeath, "VehicleDeath", ServerToClient, Critical, pageVehicles, 29, 29, nil},
	{IDVehicleDamage, "VehicleDamage", ClientToServer, Reliable, pageVehicles, 40, 40, nil},
	{IDRemoteVehicleDamage, "RemoteVehicleDamage", ServerToClient, Critical, pageVehicles, 28, 28, nil},
	{IDVehicleHealth, "VehicleHealth", ServerToClient, Critical, pageVehicles, 14, 14, nil},
	{IDVehicleParams, "VehicleParams", ServerToClient, Critical, pageVehicles, 18, 18, nil},
	{IDVehicleControl, "VehicleControl", ClientToServer, Reliable, pageVehicles, 19, 19, nil},
	{IDLethalDamageReport, "LethalDamageReport", ClientToServer, Reliable, pageCombat, 25, 25, nil},
	{IDPlayerStreamOut, "PlayerStreamOut", ServerToClient, Critical, pagePlayer, 15, 15, nil},
	{IDDriveByIntervals, "DriveByIntervals", ServerToClient, Critical, pageCombat, 61, 61, nil},
	{IDVehicleShot, "VehicleShot", ClientToServer, Reliable, pageVehicles, 47, 47, nil},
	{IDRemoteVehicleShot, "RemoteVehicleShot", ServerToClient, Droppable, pageVehicles, 45, 45, nil},
	{IDVehicleTow, "VehicleTow", ClientToServer, Reliable, pageVehicles, 22, 22, nil},
	{IDVehicleTrailer, "VehicleTrailer", ServerToClient, Critical, pageVehicles, 14, 14, nil},
	{IDTrainState, "TrainState", ServerToClient, Critical, pageVehicles, 56, 56, nil},
	{IDVehicleRemote, "VehicleRemote", ServerToClient, Critical, pageVehicles, 16, 16, nil},
	{IDVehicleRemoteExit, "VehicleRemoteExit", ClientToServer, Reliable, pageVehicles, 17, 17, nil},
	{IDVehicleRemoteEnter, "VehicleRemoteEnter", ClientToServer, Reliable, pageVehicles, 17, 17, nil},
	{IDVehicleWinch, "VehicleWinch", ClientToServer, Reliable, pageVehicles, 22, 22, nil},
	{IDVehicleLift, "VehicleLift", ServerToClient, Critical, pageVehicles, 14, 14, nil},
	{IDGarageDoors, "GarageDoors", ServerToClient, Critical, pageWorld, 14, 14, nil},
	{IDVehicleTuning, "VehicleTuning", ServerToClient, Critical, pageVehicles, 55, 55, nil},
	{IDVehicleHandling, "VehicleHandling", ServerToClient, Critical, pageVehicles, 125, 125, nil},
	{IDVehicleTransform, "VehicleTransform", ServerToClient, Critical, pageVehicles, 67, 67, nil},
	{IDVehicleColors, "VehicleColors", ServerToClient, Critical, pageVehicles, 17, 17, nil},
	{IDSetFightingStyle, "SetFightingStyle", ServerToClient, Critical, pagePlayer, 12, 12, nil},
	{IDSetHeadless, "SetHeadless", ServerToClient, Critical, pagePlayer, 12, 12, nil},
	{IDSetOnFire, "SetOnFire", ServerToClient, Critical, pagePlayer, 12, 12, nil},
	{IDSetSpecialAction, "SetSpecialAction", ServerToClient, Critical, pagePlayer, 12, 12, nil},
	{IDCreateExplosion, "CreateExplosion", ServerToClient, Droppable, pageCombat, 29, 29, nil},
	{IDDetonateSatchels, "DetonateSatchels", ServerToClient, Critical, pageCombat, 5, 5, nil},
	{IDDestroySatchels, "DestroySatchels", ServerToClient, Critical, pageCombat, 11, 11, nil},
	{IDScopeChanged, "ScopeChanged", ServerToClient, Critical, pagePlayer, 9, 9, nil},
	{IDCreateFire, "CreateFire", ServerToClient, Critical, pageCombat, 36, 36, nil},
	{IDExtinguishFire, "ExtinguishFire", ServerToClient, Critical, pageCombat, 25, 25, nil},
	{IDWeaponProperties, "WeaponProperties", ServerToClient, Critical, pageCombat, 35, 35, nil},
	{IDUiTheme, "UiTheme", ServerToClient, Critical, pageUI, 59, 59, of[UiTheme]},
	{IDPlatformKeys, "PlatformKeys", ServerToClient, Critical, pageUI, 21, 21, of[PlatformKeys]},
	{IDActionDeclare, "ActionDeclare", ServerToClient, Critical, pageUI, 140, 140, nil},
	{IDActionRemove, "ActionRemove", ServerToClient, Critical, pageUI, 9, 9, nil},
	{IDActionInput, "ActionInput", ClientToServer, Reliable, pageUI, 18, 18, nil},
	{IDLabel3D, "Label3D", ServerToClient, Critical, pageWorld, 42, 554, nil},
	{IDCheckpoint, "Checkpoint", ServerToClient, Critical, pageWorld, 44, 44, nil},
	{IDBlip, "Blip", ServerToClient, Critical, pageWorld, 43, 1116, nil},
	{IDDialogShow, "DialogShow", ServerToClient, Critical, pageUI, 36, 1200, nil},
	{IDDialogHide, "DialogHide", ServerToClient, Critical, pageUI, 9, 9, nil},
	{IDDialogResponse, "DialogResponse", ClientToServer, Reliable, pageUI, 22, 534, nil},
	{IDHudAnnouncement, "HudAnnouncement", ServerToClient, Critical, pageUI, 17, 516, nil},
	{IDHudCountdown, "HudCountdown", ServerToClient, Critical, pageUI, 96, 96, nil},
	{IDHudStatusLine, "HudStatusLine", ServerToClient, Critical, pageUI, 143, 143, nil},
	{IDHudKillFeedAdd, "HudKillFeedAdd", ServerToClient, Droppable, pageUI, 111, 111, nil},
	{IDHudKillFeedClear, "HudKillFeedClear", ServerToClient, Critical, pageUI, 5, 5, nil},
	{IDGangZone, "GangZone", ServerToClient, Critical, pageWorld, 37, 998, nil},
	{IDSetFrozen, "SetFrozen", ServerToClient, Critical, pagePlayer, 6, 6, nil},
	{IDSetCamera, "SetCamera", ServerToClient, Critical, pagePlayer, 55, 55, nil},
	{IDPlayerNametag, "PlayerNametag", ServerToClient, Critical, pageUI, 133, 133, nil},
	{IDPlayerListEntry, "PlayerListEntry", ServerToClient, Critical, pageUI, 15, 1200, of[PlayerListEntry]},
	{IDConnectReject, "ConnectReject", ServerToClient, Unreliable, pageConnection, 142, 142, of[ConnectReject]},
	{IDDialogTableRows, "DialogTableRows", ServerToClient, Critical, pageUI, 17, 1200, nil},
	{IDDialogTable, "DialogTable", ServerToClient, Critical, pageUI, 32, 1200, nil},
	{IDActionPrompt, "ActionPrompt", ServerToClient, Critical, pageUI, 166, 166, nil},
	{IDHudProgress, "HudProgress", ServerToClient, Critical, pageUI, 89, 89, nil},
	{IDHudNotificationAdd, "HudNotificationAdd", ServerToClient, Critical, pageUI, 22, 517, nil},
	{IDHudNotificationClear, "HudNotificationClear", ServerToClient, Critical, pageUI, 9, 9, nil},
	{IDDialogForm, "DialogForm", ServerToClient, Critical, pageUI, 25, 1200, nil},
	{IDDialogFormResponse, "DialogFormResponse", ClientToServer, Reliable, pageUI, 21, 1200, nil},
	{IDMenuItems, "MenuItems", ServerToClient, Critical, pageUI, 15, 1200, nil},
	{IDMenuShow, "MenuShow", ServerToClient, Critical, pageUI, 20, 275, nil},
	{IDMenuHide, "MenuHide", ServerToClient, Critical, pageUI, 9, 9, nil},
	{IDMenuInput, "MenuInput", ClientToServer, Reliable, pageUI, 24, 24, nil},
	{IDOfferShow, "OfferShow", ServerToClient, Critical, pageUI, 32, 523, nil},
	{IDOfferHide, "OfferHide", ServerToClient, Critical, pageUI, 10, 10, nil},
	{IDOfferResponse, "OfferResponse", ClientToServer, Reliable, pageUI, 18, 18, nil},
	{IDObjectiveMarker, "ObjectiveMarker", ServerToClient, Critical, pageUI, 106, 106, nil},
	{IDHudGauge, "HudGauge", ServerToClient, Critical, pageUI, 75, 75, nil},
	{IDHudSpeedometer, "HudSpeedometer", ServerToClient, Critical, pageUI, 54, 54, nil},
	{IDPlayerChatBubble, "PlayerChatBubble", ServerToClient, Droppable, pageUI, 26, 538, of[PlayerChatBubble]},
	{IDObjectState, "ObjectState", ServerToClient, Critical, pageWorld, 93, 1117, nil},
	{IDConnectChallenge, "ConnectChallenge", ServerToClient, Unreliable, pageConnection, 34, 34, of[ConnectChallenge]},
	{IDServerKeepalive, "ServerKeepalive", ServerToClient, Unreliable, pageConnection, 16, 16, of[ServerKeepalive]},
	{IDEntityEdit, "EntityEdit", ClientToServer, Reliable, pageEditor, 71, 71, nil},
	{IDEditCamera, "EditCamera", ClientToServer, Unreliable, pageEditor, 37, 37, nil},
	{IDEditState, "EditState", ServerToClient, Critical, pageEditor, 76, 1100, nil},
	{IDSetVelocity, "SetVelocity", ServerToClient, Critical, pagePlayer, 17, 17, nil},
	{IDSetGravity, "SetGravity", ServerToClient, Critical, pagePlayer, 9, 9, nil},
	{IDSetDrunkLevel, "SetDrunkLevel", ServerToClient, Critical, pagePlayer, 10, 10, nil},
	{IDSetPlayerStats, "SetPlayerStats", ServerToClient, Critical, pagePlayer, 35, 35, nil},
	{IDSetWorldBounds, "SetWorldBounds", ServerToClient, Critical, pagePlayer, 21, 21, nil},
	{IDColshapeShape, "ColshapeShape", ServerToClient, Critical, pageWorld, 53, 565, nil},
	{IDResourceFiles, "ResourceFiles", ServerToClient, Critical, pageViews, 968, 968, of[ResourceFiles]},
	{IDResourceRemove, "ResourceRemove", ServerToClient, Critical, pageViews, 41, 41, of[ResourceRemove]},
	{IDViewOpen, "ViewOpen", ServerToClient, Critical, pageViews, 398, 398, of[ViewOpen]},
	{IDViewClose, "ViewClose", ServerToClient, Critical, pageViews, 9, 9, of[ViewClose]},
	{IDViewData, "ViewData", ServerToClient, Droppable, pageViews, 1073, 1073, of[ViewData]},
	{IDViewStatus, "ViewStatus", ClientToServer, Reliable, pageViews, 18, 18, of[ViewStatus]},
	{IDViewAction, "ViewAction", ClientToServer, Reliable, pageViews, 1078, 1078, of[ViewAction]},
	{IDPlayerWaypoint, "PlayerWaypoint", ClientToServer, Reliable, pageWorld, 26, 26, nil},
	{IDSetWaypoint, "SetWaypoint", ServerToClient, Critical, pageWorld, 18, 18, nil},
	{IDClientPong, "ClientPong", ClientToServer, Unreliable, pageConnection, 17, 17, of[ClientPong]},
	{IDDamageMultipliers, "DamageMultipliers", ServerToClient, Critical, pageCombat, 65, 65, nil},
	{IDAuthAccepted, "AuthAccepted", ServerToClient, Critical, pageConnection, 101, 101, of[AuthAccepted]},
	{IDAuthAssertion, "AuthAssertion", ClientToServer, Reliable, pageConnection, 1041, 1041, of[AuthAssertion]},
	{IDServerQuery, "Server query", BothDirections, Unreliable, pageConnection, 16, 1200, nil},
}
