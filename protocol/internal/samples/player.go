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
	}
}

// RemotePlayerSync is a frame of a running player.
func RemotePlayerSync() *p.RemotePlayerSync {
	return &p.RemotePlayerSync{PlayerID: 258, PlayerToken: 70001, Seq: 4711, Frame: frame()}
}

// frame has a different value in each field.
func frame() p.Frame {
	return p.Frame{
		Time: 60123, Epoch: 7, Interior: 3, Position: p.Vec3{X: 2495.25, Y: -1688.5, Z: 13.75}, Velocity: [3]int16{-512, 300, 25},
		Heading: 16384, AimYaw: 49152, AimPitch: -1250, MoveX: -127, MoveY: 64, Keys: p.KeyFire | p.KeySprint | p.KeyLookBehind,
		Flags: p.FlagOnGround | p.FlagAiming, Weapon: 31, Action: p.ActionNone, Health: 87, Armor: 12,
		Animation: 9, Carrier: 90210, CarrierOffset: [3]int16{-5000, 125, 5000},
	}
}
