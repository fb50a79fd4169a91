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
	PageConnection Page = "Connection"
	PagePlayer     Page = "Player"
	PageCombat     Page = "Combat"
	PageVehicles   Page = "Vehicles"
	PageWorld      Page = "World"
	PageUI         Page = "Chat, HUD and dialogs"
	PageViews      Page = "Resource files and views"
	PageEditor     Page = "Map editing"
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
	{IDClientHello, "ClientHello", ClientToServer, Unreliable, PageConnection, 1200, 1200, of[ClientHello]},
	{IDServerHello, "ServerHello", ServerToClient, Unreliable, PageConnection, 1200, 1200, of[ServerHello]},
	{IDPlayerSync, "PlayerSync", ClientToServer, Unreliable, PagePlayer, 63, 63, of[PlayerSync]},
	{IDRemotePlayerSync, "RemotePlayerSync", ServerToClient, Unreliable, PagePlayer, 61, 61, of[RemotePlayerSync]},
	{IDClientBye, "ClientBye", ClientToServer, Unreliable, PageConnection, 10, 10, of[ClientBye]},
	{IDPlayerLeave, "PlayerLeave", ServerToClient, Critical, PageConnection, 12, 12, of[PlayerLeave]},
	{IDClientChat, "ClientChat", ClientToServer, Reliable, PageUI, 17, 528, of[ClientChat]},
	{IDChatMessage, "ChatMessage", ServerToClient, Droppable, PageUI, 26, 600, of[ChatMessage]},
	{IDWeaponShot, "WeaponShot", ClientToServer, Unreliable, PageCombat, 43, 43, nil},
	{IDRemoteWeaponShot, "RemoteWeaponShot", ServerToClient, Unreliable, PageCombat, 41, 41, nil},
	{IDDamageReport, "DamageReport", ClientToServer, Reliable, PageCombat, 35, 35, nil},
	{IDRespawnRequest, "RespawnRequest", ClientToServer, Reliable, PagePlayer, 13, 13, nil},
	{IDRespawnPlayer, "RespawnPlayer", ServerToClient, Critical, PagePlayer, 38, 38, nil},
	{IDClientAck, "ClientAck", ClientToServer, Unreliable, PageConnection, 13, 13, of[ClientAck]},
	{IDServerAck, "ServerAck", ServerToClient, Unreliable, PageConnection, 5, 5, of[ServerAck]},
	{IDPlayerSkills, "PlayerSkills", ServerToClient, Droppable, PagePlayer, 33, 33, nil},
	{IDSetWanted, "SetWanted", ServerToClient, Droppable, PagePlayer, 6, 6, nil},
	{IDPickupSync, "PickupSync", ServerToClient, Droppable, PageWorld, 31, 1006, nil},
	{IDPickupTouch, "PickupTouch", ClientToServer, Reliable, PageWorld, 17, 17, nil},
	{IDKickNotify, "KickNotify", ServerToClient, Unreliable, PageConnection, 142, 142, of[KickNotify]},
	{IDTeleportPlayer, "TeleportPlayer", ServerToClient, Critical, PagePlayer, 24, 24, nil},
	{IDGiveWeapon, "GiveWeapon", ServerToClient, Critical, PageCombat, 11, 11, nil},
	{IDGiveHealth, "GiveHealth", ServerToClient, Critical, PageCombat, 15, 15, nil},
	{IDGiveArmor, "GiveArmor", ServerToClient, Critical, PageCombat, 15, 15, nil},
	{IDClientCommand, "ClientCommand", ClientToServer, Reliable, PageUI, 16, 527, of[ClientCommand]},
	{IDServerMessage, "ServerMessage", ServerToClient, Droppable, PageUI, 13, 1037, of[ServerMessage]},
	{IDDeathReport, "DeathReport", ClientToServer, Reliable, PagePlayer, 20, 20, nil},
	{IDPlayerWasted, "PlayerWasted", ServerToClient, Critical, PagePlayer, 20, 20, nil},
	{IDPlayerSpawned, "PlayerSpawned", ServerToClient, Critical, PagePlayer, 60, 60, nil},
	{IDSetHealth, "SetHealth", ServerToClient, Critical, PageCombat, 19, 19, nil},
	{IDSetArmor, "SetArmor", ServerToClient, Critical, PageCombat, 19, 19, nil},
	{IDSetSkin, "SetSkin", ServerToClient, Critical, PagePlayer, 13, 13, nil},
	{IDSetTime, "SetTime", ServerToClient, Critical, PageWorld, 8, 8, nil},
	{IDSetWeather, "SetWeather", ServerToClient, Critical, PageWorld, 15, 15, nil},
	{IDRunClock, "RunClock", ServerToClient, Critical, PageWorld, 10, 10, nil},
	{IDTakeWeapon, "TakeWeapon", ServerToClient, Critical, PageCombat, 6, 6, nil},
	{IDSetWeaponAmmo, "SetWeaponAmmo", ServerToClient, Critical, PageCombat, 16, 16, nil},
	{IDClearWeapons, "ClearWeapons", ServerToClient, Critical, PageCombat, 5, 5, nil},
	{IDSetArmedWeapon, "SetArmedWeapon", ServerToClient, Critical, PageCombat, 6, 6, nil},
	{IDSetMoney, "SetMoney", ServerToClient, Critical, PagePlayer, 9, 9, nil},
	{IDRequestSpawn, "RequestSpawn", ClientToServer, Reliable, PagePlayer, 13, 13, nil},
	{IDSpawnPlayer, "SpawnPlayer", ServerToClient, Critical, PagePlayer, 38, 38, nil},
	{IDApplyAnimation, "ApplyAnimation", ServerToClient, Critical, PagePlayer, 72, 72, nil},
	{IDClearAnimations, "ClearAnimations", ServerToClient, Critical, PagePlayer, 11, 11, nil},
	{IDSetWalkingStyle, "SetWalkingStyle", ServerToClient, Critical, PagePlayer, 12, 12, nil},
	{IDSetAnimationProgress, "SetAnimationProgress", ServerToClient, Critical, PagePlayer, 17, 17, nil},
	{IDSetAnimationSpeed, "SetAnimationSpeed", ServerToClient, Critical, PagePlayer, 17, 17, nil},
	{IDProjectileCreate, "ProjectileCreate", ClientToServer, Reliable, PageCombat, 43, 43, nil},
	{IDRemoteProjectileCreate, "RemoteProjectileCreate", ServerToClient, Droppable, PageCombat, 49, 49, nil},
	{IDSatchelDetonate, "SatchelDetonate", ClientToServer, Reliable, PageCombat, 110, 110, nil},
	{IDRemoteSatchelDetonate, "RemoteSatchelDetonate", ServerToClient, Critical, PageCombat, 108, 108, nil},
	{IDStealthKillRequest, "StealthKillRequest", ClientToServer, Reliable, PageCombat, 17, 17, nil},
	{IDRemoteStealthKill, "RemoteStealthKill", ServerToClient, Critical, PageCombat, 17, 17, nil},
	{IDVehicleSync, "VehicleSync", ServerToClient, Critical, PageVehicles, 179, 179, nil},
	{IDVehicleEnter, "VehicleEnter", ClientToServer, Reliable, PageVehicles, 20, 20, nil},
	{IDVehicleExit, "VehicleExit", ClientToServer, Reliable, PageVehicles, 19, 19, nil},
	{IDVehicleOccupancy, "VehicleOccupancy", ServerToClient, Critical, PageVehicles, 19, 19, nil},
	{IDVehicleFrame, "VehicleFrame", ClientToServer, Unreliable, PageVehicles, 96, 96, nil},
	{IDRemoteVehicleFrame, "RemoteVehicleFrame", ServerToClient, Unreliable, PageVehicles, 88, 88, nil},
	{IDVehicleSyncer, "VehicleSyncer", ServerToClient, Critical, PageVehicles, 14, 14, nil},
	{IDVehicleExplode, "VehicleExplode", ClientToServer, Reliable, PageVehicles, 29, 29, nil},
	{IDVehicleDeath, "VehicleDeath", ServerToClient, Critical, PageVehicles, 29, 29, nil},
	{IDVehicleDamage, "VehicleDamage", ClientToServer, Reliable, PageVehicles, 40, 40, nil},
	{IDRemoteVehicleDamage, "RemoteVehicleDamage", ServerToClient, Critical, PageVehicles, 28, 28, nil},
	{IDVehicleHealth, "VehicleHealth", ServerToClient, Critical, PageVehicles, 14, 14, nil},
	{IDVehicleParams, "VehicleParams", ServerToClient, Critical, PageVehicles, 18, 18, nil},
	{IDVehicleControl, "VehicleControl", ClientToServer, Reliable, PageVehicles, 19, 19, nil},
	{IDLethalDamageReport, "LethalDamageReport", ClientToServer, Reliable, PageCombat, 25, 25, nil},
	{IDPlayerStreamOut, "PlayerStreamOut", ServerToClient, Critical, PagePlayer, 15, 15, nil},
	{IDDriveByIntervals, "DriveByIntervals", ServerToClient, Critical, PageCombat, 61, 61, nil},
	{IDVehicleShot, "VehicleShot", ClientToServer, Reliable, PageVehicles, 47, 47, nil},
	{IDRemoteVehicleShot, "RemoteVehicleShot", ServerToClient, Droppable, PageVehicles, 45, 45, nil},
	{IDVehicleTow, "VehicleTow", ClientToServer, Reliable, PageVehicles, 22, 22, nil},
	{IDVehicleTrailer, "VehicleTrailer", ServerToClient, Critical, PageVehicles, 14, 14, nil},
	{IDTrainState, "TrainState", ServerToClient, Critical, PageVehicles, 56, 56, nil},
	{IDVehicleRemote, "VehicleRemote", ServerToClient, Critical, PageVehicles, 16, 16, nil},
	{IDVehicleRemoteExit, "VehicleRemoteExit", ClientToServer, Reliable, PageVehicles, 17, 17, nil},
	{IDVehicleRemoteEnter, "VehicleRemoteEnter", ClientToServer, Reliable, PageVehicles, 17, 17, nil},
	{IDVehicleWinch, "VehicleWinch", ClientToServer, Reliable, PageVehicles, 22, 22, nil},
	{IDVehicleLift, "VehicleLift", ServerToClient, Critical, PageVehicles, 14, 14, nil},
	{IDGarageDoors, "GarageDoors", ServerToClient, Critical, PageWorld, 14, 14, nil},
	{IDVehicleTuning, "VehicleTuning", ServerToClient, Critical, PageVehicles, 55, 55, nil},
	{IDVehicleHandling, "VehicleHandling", ServerToClient, Critical, PageVehicles, 125, 125, nil},
	{IDVehicleTransform, "VehicleTransform", ServerToClient, Critical, PageVehicles, 67, 67, nil},
	{IDVehicleColors, "VehicleColors", ServerToClient, Critical, PageVehicles, 17, 17, nil},
	{IDSetFightingStyle, "SetFightingStyle", ServerToClient, Critical, PagePlayer, 12, 12, nil},
	{IDSetHeadless, "SetHeadless", ServerToClient, Critical, PagePlayer, 12, 12, nil},
	{IDSetOnFire, "SetOnFire", ServerToClient, Critical, PagePlayer, 12, 12, nil},
	{IDSetSpecialAction, "SetSpecialAction", ServerToClient, Critical, PagePlayer, 12, 12, nil},
	{IDCreateExplosion, "CreateExplosion", ServerToClient, Droppable, PageCombat, 29, 29, nil},
	{IDDetonateSatchels, "DetonateSatchels", ServerToClient, Critical, PageCombat, 5, 5, nil},
	{IDDestroySatchels, "DestroySatchels", ServerToClient, Critical, PageCombat, 11, 11, nil},
	{IDScopeChanged, "ScopeChanged", ServerToClient, Critical, PagePlayer, 9, 9, nil},
	{IDCreateFire, "CreateFire", ServerToClient, Critical, PageCombat, 36, 36, nil},
	{IDExtinguishFire, "ExtinguishFire", ServerToClient, Critical, PageCombat, 25, 25, nil},
	{IDWeaponProperties, "WeaponProperties", ServerToClient, Critical, PageCombat, 35, 35, nil},
	{IDUiTheme, "UiTheme", ServerToClient, Critical, PageUI, 59, 59, of[UiTheme]},
	{IDPlatformKeys, "PlatformKeys", ServerToClient, Critical, PageUI, 21, 21, of[PlatformKeys]},
	{IDActionDeclare, "ActionDeclare", ServerToClient, Critical, PageUI, 140, 140, nil},
	{IDActionRemove, "ActionRemove", ServerToClient, Critical, PageUI, 9, 9, nil},
	{IDActionInput, "ActionInput", ClientToServer, Reliable, PageUI, 18, 18, nil},
	{IDLabel3D, "Label3D", ServerToClient, Critical, PageWorld, 42, 554, nil},
	{IDCheckpoint, "Checkpoint", ServerToClient, Critical, PageWorld, 44, 44, nil},
	{IDBlip, "Blip", ServerToClient, Critical, PageWorld, 43, 1116, nil},
	{IDDialogShow, "DialogShow", ServerToClient, Critical, PageUI, 36, 1200, nil},
	{IDDialogHide, "DialogHide", ServerToClient, Critical, PageUI, 9, 9, nil},
	{IDDialogResponse, "DialogResponse", ClientToServer, Reliable, PageUI, 22, 534, nil},
	{IDHudAnnouncement, "HudAnnouncement", ServerToClient, Critical, PageUI, 17, 516, nil},
	{IDHudCountdown, "HudCountdown", ServerToClient, Critical, PageUI, 96, 96, nil},
	{IDHudStatusLine, "HudStatusLine", ServerToClient, Critical, PageUI, 143, 143, nil},
	{IDHudKillFeedAdd, "HudKillFeedAdd", ServerToClient, Droppable, PageUI, 111, 111, nil},
	{IDHudKillFeedClear, "HudKillFeedClear", ServerToClient, Critical, PageUI, 5, 5, nil},
	{IDGangZone, "GangZone", ServerToClient, Critical, PageWorld, 37, 998, nil},
	{IDSetFrozen, "SetFrozen", ServerToClient, Critical, PagePlayer, 6, 6, nil},
	{IDSetCamera, "SetCamera", ServerToClient, Critical, PagePlayer, 55, 55, nil},
	{IDPlayerNametag, "PlayerNametag", ServerToClient, Critical, PageUI, 133, 133, nil},
	{IDPlayerListEntry, "PlayerListEntry", ServerToClient, Critical, PageUI, 15, 1200, of[PlayerListEntry]},
	{IDConnectReject, "ConnectReject", ServerToClient, Unreliable, PageConnection, 142, 142, of[ConnectReject]},
	{IDDialogTableRows, "DialogTableRows", ServerToClient, Critical, PageUI, 17, 1200, nil},
	{IDDialogTable, "DialogTable", ServerToClient, Critical, PageUI, 32, 1200, nil},
	{IDActionPrompt, "ActionPrompt", ServerToClient, Critical, PageUI, 166, 166, nil},
	{IDHudProgress, "HudProgress", ServerToClient, Critical, PageUI, 89, 89, nil},
	{IDHudNotificationAdd, "HudNotificationAdd", ServerToClient, Critical, PageUI, 22, 517, nil},
	{IDHudNotificationClear, "HudNotificationClear", ServerToClient, Critical, PageUI, 9, 9, nil},
	{IDDialogForm, "DialogForm", ServerToClient, Critical, PageUI, 25, 1200, nil},
	{IDDialogFormResponse, "DialogFormResponse", ClientToServer, Reliable, PageUI, 21, 1200, nil},
	{IDMenuItems, "MenuItems", ServerToClient, Critical, PageUI, 15, 1200, nil},
	{IDMenuShow, "MenuShow", ServerToClient, Critical, PageUI, 20, 275, nil},
	{IDMenuHide, "MenuHide", ServerToClient, Critical, PageUI, 9, 9, nil},
	{IDMenuInput, "MenuInput", ClientToServer, Reliable, PageUI, 24, 24, nil},
	{IDOfferShow, "OfferShow", ServerToClient, Critical, PageUI, 32, 523, nil},
	{IDOfferHide, "OfferHide", ServerToClient, Critical, PageUI, 10, 10, nil},
	{IDOfferResponse, "OfferResponse", ClientToServer, Reliable, PageUI, 18, 18, nil},
	{IDObjectiveMarker, "ObjectiveMarker", ServerToClient, Critical, PageUI, 106, 106, nil},
	{IDHudGauge, "HudGauge", ServerToClient, Critical, PageUI, 75, 75, nil},
	{IDHudSpeedometer, "HudSpeedometer", ServerToClient, Critical, PageUI, 54, 54, nil},
	{IDPlayerChatBubble, "PlayerChatBubble", ServerToClient, Droppable, PageUI, 26, 538, of[PlayerChatBubble]},
	{IDObjectState, "ObjectState", ServerToClient, Critical, PageWorld, 93, 1117, nil},
	{IDConnectChallenge, "ConnectChallenge", ServerToClient, Unreliable, PageConnection, 34, 34, of[ConnectChallenge]},
	{IDServerKeepalive, "ServerKeepalive", ServerToClient, Unreliable, PageConnection, 16, 16, of[ServerKeepalive]},
	{IDEntityEdit, "EntityEdit", ClientToServer, Reliable, PageEditor, 71, 71, nil},
	{IDEditCamera, "EditCamera", ClientToServer, Unreliable, PageEditor, 37, 37, nil},
	{IDEditState, "EditState", ServerToClient, Critical, PageEditor, 76, 1100, nil},
	{IDSetVelocity, "SetVelocity", ServerToClient, Critical, PagePlayer, 17, 17, nil},
	{IDSetGravity, "SetGravity", ServerToClient, Critical, PagePlayer, 9, 9, nil},
	{IDSetDrunkLevel, "SetDrunkLevel", ServerToClient, Critical, PagePlayer, 10, 10, nil},
	{IDSetPlayerStats, "SetPlayerStats", ServerToClient, Critical, PagePlayer, 35, 35, nil},
	{IDSetWorldBounds, "SetWorldBounds", ServerToClient, Critical, PagePlayer, 21, 21, nil},
	{IDColshapeShape, "ColshapeShape", ServerToClient, Critical, PageWorld, 53, 565, nil},
	{IDResourceFiles, "ResourceFiles", ServerToClient, Critical, PageViews, 968, 968, of[ResourceFiles]},
	{IDResourceRemove, "ResourceRemove", ServerToClient, Critical, PageViews, 41, 41, of[ResourceRemove]},
	{IDViewOpen, "ViewOpen", ServerToClient, Critical, PageViews, 398, 398, of[ViewOpen]},
	{IDViewClose, "ViewClose", ServerToClient, Critical, PageViews, 9, 9, of[ViewClose]},
	{IDViewData, "ViewData", ServerToClient, Droppable, PageViews, 1073, 1073, of[ViewData]},
	{IDViewStatus, "ViewStatus", ClientToServer, Reliable, PageViews, 18, 18, of[ViewStatus]},
	{IDViewAction, "ViewAction", ClientToServer, Reliable, PageViews, 1078, 1078, of[ViewAction]},
	{IDPlayerWaypoint, "PlayerWaypoint", ClientToServer, Reliable, PageWorld, 26, 26, nil},
	{IDSetWaypoint, "SetWaypoint", ServerToClient, Critical, PageWorld, 18, 18, nil},
	{IDClientPong, "ClientPong", ClientToServer, Unreliable, PageConnection, 17, 17, of[ClientPong]},
	{IDDamageMultipliers, "DamageMultipliers", ServerToClient, Critical, PageCombat, 65, 65, nil},
	{IDAuthAccepted, "AuthAccepted", ServerToClient, Critical, PageConnection, 101, 101, of[AuthAccepted]},
	{IDAuthAssertion, "AuthAssertion", ClientToServer, Reliable, PageConnection, 1041, 1041, of[AuthAssertion]},
	{IDServerQuery, "Server query", BothDirections, Unreliable, PageConnection, 16, 1200, nil},
}
