package samples

import p "darqline/protocol"

func player() []Sample {
	return []Sample{
		{File: "player_sync", Packet: &p.PlayerSync{Seq: 4711, Frame: frame()}},
		{File: "player_sync_seated", Packet: &p.PlayerSync{Seq: 0xFFFFFFFF, Frame: p.Frame{
			Position: p.Vec3{X: -20000, Y: 20000, Z: -20000}, AimPitch: 9000, MoveX: 127, MoveY: -127,
			Flags: p.FlagSeated | p.FlagTyping, Weapon: 46, Action: p.ActionUrinate, Carrier: 0xFFFFFFFF,
		}}},
		{File: "remote_player_sync", Packet: RemotePlayerSync()},
		{File: "request_spawn", Packet: &p.RequestSpawn{}},
		{File: "spawn_player", Packet: &p.SpawnPlayer{Spawn: spawn(p.SpawnFrozen | p.SpawnFade)}},
		{File: "respawn_request", Packet: &p.RespawnRequest{}},
		{File: "respawn_player", Packet: &p.RespawnPlayer{Spawn: spawn(p.SpawnKeepWeapons)}},
		{File: "player_spawned", Packet: &p.PlayerSpawned{
			PlayerID: 258, PlayerToken: 70001, Reason: p.SpawnedInView, Flags: p.SpawnedHeadless | p.SpawnedOnFire, Skin: 312, Position: grove, Heading: 270.5, Interior: 3,
			FightingStyle: p.FightElbows, WalkingStyle: 126, Action: p.ActionBeer, Weapon: 31, Health: 87, Armor: 12, Skills: skills(),
		}},
		{File: "player_spawned_dead", Packet: &p.PlayerSpawned{
			PlayerID: 0, PlayerToken: 1, Reason: p.SpawnedInView, Flags: p.SpawnedDead, Position: p.Vec3{X: -20000, Y: 20000, Z: -20000}, FightingStyle: p.FightStandard,
		}},
		{File: "player_stream_out", Packet: &p.PlayerStreamOut{PlayerID: 258, PlayerToken: 70001, LastSeq: 4711}},
		{File: "death_report", Packet: &p.DeathReport{Source: p.Ref{Kind: p.RefVehicle, ID: 90210}, Cause: p.CauseRunOver, BodyPart: p.PartTorso}},
		{File: "death_report_unknown", Packet: &p.DeathReport{Cause: p.CauseScript, BodyPart: p.PartHead}},
		{File: "player_wasted", Packet: &p.PlayerWasted{
			PlayerID: 258, PlayerToken: 70001, KillerID: 3, KillerToken: 69990, Cause: p.Cause(p.WeaponKnife), BodyPart: p.PartHead, Flags: p.WastedStealth,
		}},
		{File: "player_wasted_by_nobody", Packet: &p.PlayerWasted{PlayerID: 258, PlayerToken: 70001, KillerID: p.NoPlayer, Cause: p.CauseScript, BodyPart: p.PartTorso}},
		{File: "teleport_player", Packet: &p.TeleportPlayer{Epoch: 8, Flags: p.TeleportVehicle | p.TeleportFindGround, Position: grove, Heading: 270.5, Interior: 3}},
		{File: "teleport_player_turn", Packet: &p.TeleportPlayer{Epoch: 9, Flags: p.TeleportTurnOnly | p.TeleportKeepVelocity, Heading: 90.25}},
		{File: "teleport_player_move", Packet: &p.TeleportPlayer{Epoch: 255, Flags: p.TeleportKeepHeading | p.TeleportCameraBehind, Position: grove, Interior: 255}},
		{File: "scope_changed", Packet: &p.ScopeChanged{Epoch: 8, Dimension: p.MaxDimension, Interior: 3}},
		{File: "set_frozen", Packet: &p.SetFrozen{Frozen: true}},
		{File: "set_velocity", Packet: &p.SetVelocity{Velocity: p.Vec3{X: -12.5, Y: 30.25, Z: 197}}},
		{File: "set_gravity", Packet: &p.SetGravity{Factor: -0.5}},
		{File: "set_world_bounds", Packet: &p.SetWorldBounds{MinX: -250.5, MinY: -1700, MaxX: 2600.25, MaxY: 1800}},
		{File: "set_world_bounds_none", Packet: &p.SetWorldBounds{MinX: -20000, MinY: -20000, MaxX: 20000, MaxY: 20000}},
		{File: "set_camera", Packet: &p.SetCamera{PlayerID: p.NoPlayer}},
		{File: "set_camera_fixed", Packet: &p.SetCamera{
			Mode: p.CameraFixed, Fade: p.FadeIn, FadeTime: 1500, Position: grove, Target: p.Vec3{X: 2500, Y: -1700.5, Z: 20}, Roll: -12.5, Fov: 45.5, PlayerID: p.NoPlayer,
		}},
		{File: "set_camera_glide", Packet: &p.SetCamera{
			Mode: p.CameraGlide, Fade: p.FadeOut, FadeTime: 10000, FadeColor: p.RGBA{R: 10, G: 20, B: 30, A: 255},
			Position: grove, Target: p.Vec3{X: 2500, Y: -1700.5, Z: 20}, Roll: 180, Duration: 600000, PlayerID: p.NoPlayer,
		}},
		{File: "set_camera_player", Packet: &p.SetCamera{Mode: p.CameraFollowPlayer, Fov: 120, PlayerID: 258, Subject: 70001}},
		{File: "set_camera_vehicle", Packet: &p.SetCamera{Mode: p.CameraFollowVehicle, Fov: 10, PlayerID: p.NoPlayer, Subject: 90210}},
		{File: "set_camera_fade", Packet: &p.SetCamera{Mode: p.CameraLeave, Fade: p.FadeOut, FadeTime: 1, FadeColor: p.RGBA{A: 255}, PlayerID: p.NoPlayer}},
		{File: "set_skin", Packet: &p.SetSkin{PlayerID: 258, PlayerToken: 70001, Skin: 106}},
		{File: "set_fighting_style", Packet: &p.SetFightingStyle{PlayerID: 258, PlayerToken: 70001, Style: p.FightGrabKick}},
		{File: "set_walking_style", Packet: &p.SetWalkingStyle{PlayerID: 258, PlayerToken: 70001, Style: 138}},
		{File: "set_headless", Packet: &p.SetHeadless{PlayerID: 258, PlayerToken: 70001, Headless: true}},
		{File: "set_on_fire", Packet: &p.SetOnFire{PlayerID: 258, PlayerToken: 70001, OnFire: true}},
		{File: "set_special_action", Packet: &p.SetSpecialAction{PlayerID: 258, PlayerToken: 70001, Action: p.ActionUrinate}},
		{File: "apply_animation", Packet: &p.ApplyAnimation{
			PlayerID: 258, PlayerToken: 70001, Animation: 9, Block: "PED", Name: "WALK_DRUNK", Speed: 1.5, Progress: 0.25, Elapsed: 1200, Duration: 30000, Blend: 250,
			Flags: p.AnimationLoop | p.AnimationMove | p.AnimationUpperBody,
		}},
		{File: "apply_animation_longest", Packet: &p.ApplyAnimation{
			PlayerID: p.NoPlayer - 1, PlayerToken: 0xFFFFFFFF, Animation: 65535, Block: long("BLOCK_9", 15), Name: long("NAME_7_", 23), Speed: 10, Progress: 1,
			Elapsed: 0xFFFFFFFF, Duration: 0xFFFFFFFF, Blend: 5000, Flags: p.AnimationHold | p.AnimationKeys,
		}},
		{File: "clear_animations", Packet: &p.ClearAnimations{PlayerID: 258, PlayerToken: 70001}},
		{File: "set_animation_progress", Packet: &p.SetAnimationProgress{PlayerID: 258, PlayerToken: 70001, Animation: 9, Progress: 0.75}},
		{File: "set_animation_speed", Packet: &p.SetAnimationSpeed{PlayerID: 258, PlayerToken: 70001, Animation: 9, Speed: 2.5}},
		{File: "player_skills", Packet: &p.PlayerSkills{PlayerID: 258, PlayerToken: 70001, Skills: skills()}},
		{File: "set_player_stats", Packet: &p.SetPlayerStats{PlayerID: 258, PlayerToken: 70001, Stats: [p.StatCount]uint16{100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 50, 1}}},
		{File: "set_wanted", Packet: &p.SetWanted{Level: 6}},
		{File: "set_money", Packet: &p.SetMoney{Money: -p.MaxMoney}},
		{File: "set_drunk_level", Packet: &p.SetDrunkLevel{Level: 100, Duration: 3_600_000}},
	}
}

// grove is a place in the world.
var grove = p.Vec3{X: 2495.25, Y: -1688.5, Z: 13.75}

func spawn(flags p.SpawnFlags) p.SpawnInfo {
	return p.SpawnInfo{
		Position: grove, Heading: 270.5, Skin: 106, Dimension: 513, Interior: 3, Epoch: 7, Vitals: 300, Health: 87.5, Armor: 12.25, Flags: flags,
	}
}

func skills() [p.SkillCount]uint16 {
	return [p.SkillCount]uint16{1000, 999, 500, 40, 200, 300, 400, 1, 600, 700, 0}
}

// RemotePlayerSync is a frame of a running player.
func RemotePlayerSync() *p.RemotePlayerSync {
	return &p.RemotePlayerSync{PlayerID: 258, PlayerToken: 70001, Seq: 4711, Frame: frame()}
}

// frame has a different value in each field.
func frame() p.Frame {
	return p.Frame{
		Time: 60123, Epoch: 7, Interior: 3, Position: grove, Velocity: [3]int16{-512, 300, 25},
		Heading: 16384, AimYaw: 49152, AimPitch: -1250, MoveX: -127, MoveY: 64, Keys: p.KeyFire | p.KeySprint | p.KeyLookBehind,
		Flags: p.FlagOnGround | p.FlagAiming, Weapon: 31, Action: p.ActionNone, Health: 87, Armor: 12,
		Animation: 9, Carrier: 90210, CarrierOffset: [3]int16{-5000, 125, 5000},
	}
}
