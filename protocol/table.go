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
	{IDWeaponShot, "WeaponShot", ClientToServer, Unreliable, PageCombat, 43, 43, of[WeaponShot]},
	{IDRemoteWeaponShot, "RemoteWeaponShot", ServerToClient, Unreliable, PageCombat, 41, 41, of[RemoteWeaponShot]},
	{IDDamageReport, "DamageReport", ClientToServer, Reliable, PageCombat, 35, 35, of[DamageReport]},
	{IDRespawnRequest, "RespawnRequest", ClientToServer, Reliable, PagePlayer, 13, 13, of[RespawnRequest]},
	{IDRespawnPlayer, "RespawnPlayer", ServerToClient, Critical, PagePlayer, 38, 38, of[RespawnPlayer]},
	{IDClientAck, "ClientAck", ClientToServer, Unreliable, PageConnection, 13, 13, of[ClientAck]},
	{IDServerAck, "ServerAck", ServerToClient, Unreliable, PageConnection, 5, 5, of[ServerAck]},
	{IDPlayerSkills, "PlayerSkills", ServerToClient, Droppable, PagePlayer, 33, 33, of[PlayerSkills]},
	{IDSetWanted, "SetWanted", ServerToClient, Droppable, PagePlayer, 6, 6, of[SetWanted]},
	{IDPickupSync, "PickupSync", ServerToClient, Droppable, PageWorld, 31, 1006, of[PickupSync]},
	{IDPickupTouch, "PickupTouch", ClientToServer, Reliable, PageWorld, 17, 17, of[PickupTouch]},
	{IDKickNotify, "KickNotify", ServerToClient, Unreliable, PageConnection, 142, 142, of[KickNotify]},
	{IDTeleportPlayer, "TeleportPlayer", ServerToClient, Critical, PagePlayer, 24, 24, of[TeleportPlayer]},
	{IDGiveWeapon, "GiveWeapon", ServerToClient, Critical, PageCombat, 11, 11, of[GiveWeapon]},
	{IDGiveHealth, "GiveHealth", ServerToClient, Critical, PageCombat, 15, 15, of[GiveHealth]},
	{IDGiveArmor, "GiveArmor", ServerToClient, Critical, PageCombat, 15, 15, of[GiveArmor]},
	{IDClientCommand, "ClientCommand", ClientToServer, Reliable, PageUI, 16, 527, of[ClientCommand]},
	{IDServerMessage, "ServerMessage", ServerToClient, Droppable, PageUI, 13, 1037, of[ServerMessage]},
	{IDDeathReport, "DeathReport", ClientToServer, Reliable, PagePlayer, 20, 20, of[DeathReport]},
	{IDPlayerWasted, "PlayerWasted", ServerToClient, Critical, PagePlayer, 20, 20, of[PlayerWasted]},
	{IDPlayerSpawned, "PlayerSpawned", ServerToClient, Critical, PagePlayer, 60, 60, of[PlayerSpawned]},
	{IDSetHealth, "SetHealth", ServerToClient, Critical, PageCombat, 19, 19, of[SetHealth]},
	{IDSetArmor, "SetArmor", ServerToClient, Critical, PageCombat, 19, 19, of[SetArmor]},
	{IDSetSkin, "SetSkin", ServerToClient, Critical, PagePlayer, 13, 13, of[SetSkin]},
	{IDSetTime, "SetTime", ServerToClient, Critical, PageWorld, 8, 8, of[SetTime]},
	{IDSetWeather, "SetWeather", ServerToClient, Critical, PageWorld, 15, 15, of[SetWeather]},
	{IDRunClock, "RunClock", ServerToClient, Critical, PageWorld, 10, 10, of[RunClock]},
	{IDTakeWeapon, "TakeWeapon", ServerToClient, Critical, PageCombat, 6, 6, of[TakeWeapon]},
	{IDSetWeaponAmmo, "SetWeaponAmmo", ServerToClient, Critical, PageCombat, 16, 16, of[SetWeaponAmmo]},
	{IDClearWeapons, "ClearWeapons", ServerToClient, Critical, PageCombat, 5, 5, of[ClearWeapons]},
	{IDSetArmedWeapon, "SetArmedWeapon", ServerToClient, Critical, PageCombat, 6, 6, of[SetArmedWeapon]},
	{IDSetMoney, "SetMoney", ServerToClient, Critical, PagePlayer, 9, 9, of[SetMoney]},
	{IDRequestSpawn, "RequestSpawn", ClientToServer, Reliable, PagePlayer, 13, 13, of[RequestSpawn]},
	{IDSpawnPlayer, "SpawnPlayer", ServerToClient, Critical, PagePlayer, 38, 38, of[SpawnPlayer]},
	{IDApplyAnimation, "ApplyAnimation", ServerToClient, Critical, PagePlayer, 72, 72, of[ApplyAnimation]},
	{IDClearAnimations, "ClearAnimations", ServerToClient, Critical, PagePlayer, 11, 11, of[ClearAnimations]},
	{IDSetWalkingStyle, "SetWalkingStyle", ServerToClient, Critical, PagePlayer, 12, 12, of[SetWalkingStyle]},
	{IDSetAnimationProgress, "SetAnimationProgress", ServerToClient, Critical, PagePlayer, 17, 17, of[SetAnimationProgress]},
	{IDSetAnimationSpeed, "SetAnimationSpeed", ServerToClient, Critical, PagePlayer, 17, 17, of[SetAnimationSpeed]},
	{IDProjectileCreate, "ProjectileCreate", ClientToServer, Reliable, PageCombat, 43, 43, of[ProjectileCreate]},
	{IDRemoteProjectileCreate, "RemoteProjectileCreate", ServerToClient, Droppable, PageCombat, 49, 49, of[RemoteProjectileCreate]},
	{IDSatchelDetonate, "SatchelDetonate", ClientToServer, Reliable, PageCombat, 110, 110, of[SatchelDetonate]},
	{IDRemoteSatchelDetonate, "RemoteSatchelDetonate", ServerToClient, Critical, PageCombat, 108, 108, of[RemoteSatchelDetonate]},
	{IDStealthKillRequest, "StealthKillRequest", ClientToServer, Reliable, PageCombat, 17, 17, of[StealthKillRequest]},
	{IDRemoteStealthKill, "RemoteStealthKill", ServerToClient, Critical, PageCombat, 17, 17, of[RemoteStealthKill]},
	{IDVehicleSync, "VehicleSync", ServerToClient, Critical, PageVehicles, 179, 179, of[VehicleSync]},
	{IDVehicleEnter, "VehicleEnter", ClientToServer, Reliable, PageVehicles, 20, 20, of[VehicleEnter]},
	{IDVehicleExit, "VehicleExit", ClientToServer, Reliable, PageVehicles, 19, 19, of[VehicleExit]},
	{IDVehicleOccupancy, "VehicleOccupancy", ServerToClient, Critical, PageVehicles, 19, 19, of[VehicleOccupancy]},
	{IDVehicleFrame, "VehicleFrame", ClientToServer, Unreliable, PageVehicles, 96, 96, of[VehicleFrame]},
	{IDRemoteVehicleFrame, "RemoteVehicleFrame", ServerToClient, Unreliable, PageVehicles, 88, 88, of[RemoteVehicleFrame]},
	{IDVehicleSyncer, "VehicleSyncer", ServerToClient, Critical, PageVehicles, 14, 14, of[VehicleSyncer]},
	{IDVehicleExplode, "VehicleExplode", ClientToServer, Reliable, PageVehicles, 29, 29, of[VehicleExplode]},
	{IDVehicleDeath, "VehicleDeath", ServerToClient, Critical, PageVehicles, 29, 29, of[VehicleDeath]},
	{IDVehicleDamage, "VehicleDamage", ClientToServer, Reliable, PageVehicles, 40, 40, of[VehicleDamage]},
	{IDRemoteVehicleDamage, "RemoteVehicleDamage", ServerToClient, Critical, PageVehicles, 28, 28, of[RemoteVehicleDamage]},
	{IDVehicleHealth, "VehicleHealth", ServerToClient, Critical, PageVehicles, 14, 14, of[VehicleHealth]},
	{IDVehicleParams, "VehicleParams", ServerToClient, Critical, PageVehicles, 18, 18, of[VehicleParams]},
	{IDVehicleControl, "VehicleControl", ClientToServer, Reliable, PageVehicles, 19, 19, of[VehicleControl]},
	{IDLethalDamageReport, "LethalDamageReport", ClientToServer, Reliable, PageCombat, 25, 25, of[LethalDamageReport]},
	{IDPlayerStreamOut, "PlayerStreamOut", ServerToClient, Critical, PagePlayer, 15, 15, of[PlayerStreamOut]},
	{IDDriveByIntervals, "DriveByIntervals", ServerToClient, Critical, PageCombat, 61, 61, of[DriveByIntervals]},
	{IDVehicleShot, "VehicleShot", ClientToServer, Reliable, PageVehicles, 47, 47, of[VehicleShot]},
	{IDRemoteVehicleShot, "RemoteVehicleShot", ServerToClient, Droppable, PageVehicles, 45, 45, of[RemoteVehicleShot]},
	{IDVehicleTow, "VehicleTow", ClientToServer, Reliable, PageVehicles, 22, 22, of[VehicleTow]},
	{IDVehicleTrailer, "VehicleTrailer", ServerToClient, Critical, PageVehicles, 14, 14, of[VehicleTrailer]},
	{IDTrainState, "TrainState", ServerToClient, Critical, PageVehicles, 56, 56, of[TrainState]},
	{IDVehicleRemote, "VehicleRemote", ServerToClient, Critical, PageVehicles, 16, 16, of[VehicleRemote]},
	{IDVehicleRemoteExit, "VehicleRemoteExit", ClientToServer, Reliable, PageVehicles, 17, 17, of[VehicleRemoteExit]},
	{IDVehicleRemoteEnter, "VehicleRemoteEnter", ClientToServer, Reliable, PageVehicles, 17, 17, of[VehicleRemoteEnter]},
	{IDVehicleWinch, "VehicleWinch", ClientToServer, Reliable, PageVehicles, 22, 22, of[VehicleWinch]},
	{IDVehicleLift, "VehicleLift", ServerToClient, Critical, PageVehicles, 14, 14, of[VehicleLift]},
	{IDGarageDoors, "GarageDoors", ServerToClient, Critical, PageWorld, 14, 14, of[GarageDoors]},
	{IDVehicleTuning, "VehicleTuning", ServerToClient, Critical, PageVehicles, 55, 55, of[VehicleTuning]},
	{IDVehicleHandling, "VehicleHandling", ServerToClient, Critical, PageVehicles, 125, 125, of[VehicleHandling]},
	{IDVehicleTransform, "VehicleTransform", ServerToClient, Critical, PageVehicles, 67, 67, of[VehicleTransform]},
	{IDVehicleColors, "VehicleColors", ServerToClient, Critical, PageVehicles, 17, 17, of[VehicleColors]},
	{IDSetFightingStyle, "SetFightingStyle", ServerToClient, Critical, PagePlayer, 12, 12, of[SetFightingStyle]},
	{IDSetHeadless, "SetHeadless", ServerToClient, Critical, PagePlayer, 12, 12, of[SetHeadless]},
	{IDSetOnFire, "SetOnFire", ServerToClient, Critical, PagePlayer, 12, 12, of[SetOnFire]},
	{IDSetSpecialAction, "SetSpecialAction", ServerToClient, Critical, PagePlayer, 12, 12, of[SetSpecialAction]},
	{IDCreateExplosion, "CreateExplosion", ServerToClient, Droppable, PageCombat, 29, 29, of[CreateExplosion]},
	{IDDetonateSatchels, "DetonateSatchels", ServerToClient, Critical, PageCombat, 5, 5, of[DetonateSatchels]},
	{IDDestroySatchels, "DestroySatchels", ServerToClient, Critical, PageCombat, 11, 11, of[DestroySatchels]},
	{IDScopeChanged, "ScopeChanged", ServerToClient, Critical, PagePlayer, 9, 9, of[ScopeChanged]},
	{IDCreateFire, "CreateFire", ServerToClient, Critical, PageCombat, 36, 36, of[CreateFire]},
	{IDExtinguishFire, "ExtinguishFire", ServerToClient, Critical, PageCombat, 25, 25, of[ExtinguishFire]},
	{IDWeaponProperties, "WeaponProperties", ServerToClient, Critical, PageCombat, 35, 35, of[WeaponProperties]},
	{IDUiTheme, "UiTheme", ServerToClient, Critical, PageUI, 59, 59, of[UiTheme]},
	{IDPlatformKeys, "PlatformKeys", ServerToClient, Critical, PageUI, 21, 21, of[PlatformKeys]},
	{IDActionDeclare, "ActionDeclare", ServerToClient, Critical, PageUI, 140, 140, of[ActionDeclare]},
	{IDActionRemove, "ActionRemove", ServerToClient, Critical, PageUI, 9, 9, of[ActionRemove]},
	{IDActionInput, "ActionInput", ClientToServer, Reliable, PageUI, 18, 18, of[ActionInput]},
	{IDLabel3D, "Label3D", ServerToClient, Critical, PageWorld, 42, 554, of[Label3D]},
	{IDCheckpoint, "Checkpoint", ServerToClient, Critical, PageWorld, 44, 44, of[Checkpoint]},
	{IDBlip, "Blip", ServerToClient, Critical, PageWorld, 43, 1116, of[Blip]},
	{IDDialogShow, "DialogShow", ServerToClient, Critical, PageUI, 36, 1200, of[DialogShow]},
	{IDDialogHide, "DialogHide", ServerToClient, Critical, PageUI, 9, 9, of[DialogHide]},
	{IDDialogResponse, "DialogResponse", ClientToServer, Reliable, PageUI, 22, 534, of[DialogResponse]},
	{IDHudAnnouncement, "HudAnnouncement", ServerToClient, Critical, PageUI, 17, 516, of[HudAnnouncement]},
	{IDHudCountdown, "HudCountdown", ServerToClient, Critical, PageUI, 96, 96, of[HudCountdown]},
	{IDHudStatusLine, "HudStatusLine", ServerToClient, Critical, PageUI, 143, 143, of[HudStatusLine]},
	{IDHudKillFeedAdd, "HudKillFeedAdd", ServerToClient, Droppable, PageUI, 111, 111, of[HudKillFeedAdd]},
	{IDHudKillFeedClear, "HudKillFeedClear", ServerToClient, Critical, PageUI, 5, 5, of[HudKillFeedClear]},
	{IDGangZone, "GangZone", ServerToClient, Critical, PageWorld, 37, 998, of[GangZone]},
	{IDSetFrozen, "SetFrozen", ServerToClient, Critical, PagePlayer, 6, 6, of[SetFrozen]},
	{IDSetCamera, "SetCamera", ServerToClient, Critical, PagePlayer, 55, 55, of[SetCamera]},
	{IDPlayerNametag, "PlayerNametag", ServerToClient, Critical, PageUI, 133, 133, of[PlayerNametag]},
	{IDPlayerListEntry, "PlayerListEntry", ServerToClient, Critical, PageUI, 15, 1200, of[PlayerListEntry]},
	{IDConnectReject, "ConnectReject", ServerToClient, Unreliable, PageConnection, 142, 142, of[ConnectReject]},
	{IDDialogTableRows, "DialogTableRows", ServerToClient, Critical, PageUI, 17, 1200, of[DialogTableRows]},
	{IDDialogTable, "DialogTable", ServerToClient, Critical, PageUI, 32, 1200, of[DialogTable]},
	{IDActionPrompt, "ActionPrompt", ServerToClient, Critical, PageUI, 166, 166, of[ActionPrompt]},
	{IDHudProgress, "HudProgress", ServerToClient, Critical, PageUI, 89, 89, of[HudProgress]},
	{IDHudNotificationAdd, "HudNotificationAdd", ServerToClient, Critical, PageUI, 22, 517, of[HudNotificationAdd]},
	{IDHudNotificationClear, "HudNotificationClear", ServerToClient, Critical, PageUI, 9, 9, of[HudNotificationClear]},
	{IDDialogForm, "DialogForm", ServerToClient, Critical, PageUI, 25, 1200, of[DialogForm]},
	{IDDialogFormResponse, "DialogFormResponse", ClientToServer, Reliable, PageUI, 21, 1200, of[DialogFormResponse]},
	{IDMenuItems, "MenuItems", ServerToClient, Critical, PageUI, 15, 1200, of[MenuItems]},
	{IDMenuShow, "MenuShow", ServerToClient, Critical, PageUI, 20, 275, of[MenuShow]},
	{IDMenuHide, "MenuHide", ServerToClient, Critical, PageUI, 9, 9, of[MenuHide]},
	{IDMenuInput, "MenuInput", ClientToServer, Reliable, PageUI, 24, 24, of[MenuInput]},
	{IDOfferShow, "OfferShow", ServerToClient, Critical, PageUI, 32, 523, of[OfferShow]},
	{IDOfferHide, "OfferHide", ServerToClient, Critical, PageUI, 10, 10, of[OfferHide]},
	{IDOfferResponse, "OfferResponse", ClientToServer, Reliable, PageUI, 18, 18, of[OfferResponse]},
	{IDObjectiveMarker, "ObjectiveMarker", ServerToClient, Critical, PageUI, 106, 106, of[ObjectiveMarker]},
	{IDHudGauge, "HudGauge", ServerToClient, Critical, PageUI, 75, 75, of[HudGauge]},
	{IDHudSpeedometer, "HudSpeedometer", ServerToClient, Critical, PageUI, 54, 54, of[HudSpeedometer]},
	{IDPlayerChatBubble, "PlayerChatBubble", ServerToClient, Droppable, PageUI, 26, 538, of[PlayerChatBubble]},
	{IDObjectState, "ObjectState", ServerToClient, Critical, PageWorld, 93, 1117, of[ObjectState]},
	{IDConnectChallenge, "ConnectChallenge", ServerToClient, Unreliable, PageConnection, 34, 34, of[ConnectChallenge]},
	{IDServerKeepalive, "ServerKeepalive", ServerToClient, Unreliable, PageConnection, 16, 16, of[ServerKeepalive]},
	{IDEntityEdit, "EntityEdit", ClientToServer, Reliable, PageEditor, 71, 71, of[EntityEdit]},
	{IDEditCamera, "EditCamera", ClientToServer, Unreliable, PageEditor, 37, 37, of[EditCamera]},
	{IDEditState, "EditState", ServerToClient, Critical, PageEditor, 76, 1100, of[EditState]},
	{IDSetVelocity, "SetVelocity", ServerToClient, Critical, PagePlayer, 17, 17, of[SetVelocity]},
	{IDSetGravity, "SetGravity", ServerToClient, Critical, PagePlayer, 9, 9, of[SetGravity]},
	{IDSetDrunkLevel, "SetDrunkLevel", ServerToClient, Critical, PagePlayer, 10, 10, of[SetDrunkLevel]},
	{IDSetPlayerStats, "SetPlayerStats", ServerToClient, Critical, PagePlayer, 35, 35, of[SetPlayerStats]},
	{IDSetWorldBounds, "SetWorldBounds", ServerToClient, Critical, PagePlayer, 21, 21, of[SetWorldBounds]},
	{IDColshapeShape, "ColshapeShape", ServerToClient, Critical, PageWorld, 53, 565, of[ColshapeShape]},
	{IDResourceFiles, "ResourceFiles", ServerToClient, Critical, PageViews, 968, 968, of[ResourceFiles]},
	{IDResourceRemove, "ResourceRemove", ServerToClient, Critical, PageViews, 41, 41, of[ResourceRemove]},
	{IDViewOpen, "ViewOpen", ServerToClient, Critical, PageViews, 398, 398, of[ViewOpen]},
	{IDViewClose, "ViewClose", ServerToClient, Critical, PageViews, 9, 9, of[ViewClose]},
	{IDViewData, "ViewData", ServerToClient, Droppable, PageViews, 1073, 1073, of[ViewData]},
	{IDViewStatus, "ViewStatus", ClientToServer, Reliable, PageViews, 18, 18, of[ViewStatus]},
	{IDViewAction, "ViewAction", ClientToServer, Reliable, PageViews, 1078, 1078, of[ViewAction]},
	{IDPlayerWaypoint, "PlayerWaypoint", ClientToServer, Reliable, PageWorld, 26, 26, of[PlayerWaypoint]},
	{IDSetWaypoint, "SetWaypoint", ServerToClient, Critical, PageWorld, 18, 18, of[SetWaypoint]},
	{IDClientPong, "ClientPong", ClientToServer, Unreliable, PageConnection, 17, 17, of[ClientPong]},
	{IDDamageMultipliers, "DamageMultipliers", ServerToClient, Critical, PageCombat, 65, 65, of[DamageMultipliers]},
	{IDAuthAccepted, "AuthAccepted", ServerToClient, Critical, PageConnection, 101, 101, of[AuthAccepted]},
	{IDAuthAssertion, "AuthAssertion", ClientToServer, Reliable, PageConnection, 1041, 1041, of[AuthAssertion]},
	{IDServerQuery, "Server query", BothDirections, Unreliable, PageConnection, 16, 1200, of[ServerQuery]},
}
