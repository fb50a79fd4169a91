package samples

import p "darqline/protocol"

func world() []Sample {
	here := p.Vec3{X: 2495.25, Y: -1688.5, Z: 13.75}
	there := p.Vec3{X: -1420.5, Y: 2591.25, Z: 55.75}
	red := p.RGBA{R: 0xFF, G: 0x40, B: 0x20, A: 0x80}
	onPlayer := p.Attachment{Attach: p.AttachPlayer, AttachID: driver, AttachToken: 70001}
	onVehicle := p.Attachment{Attach: p.AttachVehicle, AttachID: car}
	bribe := p.Pickup{PickupID: 501, Op: p.PickupShow, Model: 1247, Taker: p.TakerAny, Flags: p.PickupTurns, Position: here, Radius: 2.5}
	return []Sample{
		{File: "pickup_sync", Packet: &p.PickupSync{Entries: []p.Pickup{
			bribe, {PickupID: 502, Op: p.PickupShow, Model: p.LastObjectModel, Taker: p.TakerVehicle, Position: there, Radius: 10}, {PickupID: 503, Op: p.PickupRemove},
		}}},
		{File: "pickup_sync_taken", Packet: &p.PickupSync{Entries: []p.Pickup{{PickupID: 501, Op: p.PickupTaken}}}},
		{File: "pickup_sync_full", Packet: &p.PickupSync{Entries: pickups()}},
		{File: "pickup_touch", Packet: &p.PickupTouch{PickupID: 501}},
		{File: "set_time", Packet: &p.SetTime{Hour: 23, Minute: 58, Second: 59}},
		{File: "set_weather", Packet: &p.SetWeather{From: 19, To: 19}},
		{File: "set_weather_blend", Packet: &p.SetWeather{From: 8, To: 255, BlendMs: 3_600_000, ElapsedMs: 123_456}},
		{File: "run_clock", Packet: &p.RunClock{Running: true, MinuteMs: 60_000}},
		{File: "garage_doors", Packet: &p.GarageDoors{Instant: true, Open: 0x2_0000_8001_0203}},
		{File: "label_3d", Packet: &p.Label3D{
			LabelID: 601, Present: true, Color: red, DrawDistance: 25.5, Flags: p.LabelHidden, Position: here, Text: "{40FF40}Grove Street{/}\nPress {key:2}",
		}},
		{File: "label_3d_attached", Packet: &p.Label3D{
			LabelID: 602, Present: true, DrawDistance: 300, Flags: p.LabelShowOwn, Attachment: onPlayer, Position: p.Vec3{X: 0.25, Y: -0.5, Z: 1.25}, Text: long("x\n", 30) + long("y", 482),
		}},
		{File: "label_3d_remove", Packet: &p.Label3D{LabelID: 601}},
		{File: "checkpoint", Packet: &p.Checkpoint{
			CheckpointID: 701, Present: true, Kind: p.CheckpointRace, Position: here, Next: there, Radius: 6.5, Color: red, Flags: p.CheckpointRadar | p.CheckpointNext,
		}},
		{File: "checkpoint_finish", Packet: &p.Checkpoint{CheckpointID: 702, Present: true, Kind: p.CheckpointAirFinish, Position: there, Radius: 200}},
		{File: "checkpoint_remove", Packet: &p.Checkpoint{CheckpointID: 701}},
		{File: "blip", Packet: &p.Blip{Entries: []p.BlipEntry{
			{BlipID: 801, Present: true, Icon: 63, Size: 3, Show: p.BlipEdge, Order: -5, Range: 750, Color: red, Attachment: onVehicle, Position: here},
		}}},
		{File: "blip_batch", Packet: &p.Blip{Entries: blips(onPlayer)}},
		{File: "gang_zone", Packet: &p.GangZone{Entries: []p.ZoneEntry{
			{ZoneID: 901, Present: true, MinX: -20000, MinY: -1500.5, MaxX: 1200.25, MaxY: 20000, Color: red, Flash: p.RGBA{R: 1, G: 2, B: 3, A: 0xFF}, FlashMs: 5000},
			{ZoneID: 902, Present: true, MinX: 1, MinY: 2, MaxX: 3, MaxY: 4}, {ZoneID: 903},
		}}},
		{File: "object_state", Packet: &p.ObjectState{
			ObjectID: 1001, Op: p.ObjectPut, Model: 980, Position: p.Vec3{X: 0.25, Y: -0.5, Z: 1.25}, Rotation: p.Vec3{X: -90, Y: 45.5, Z: 36000}, Scale: 1.5, DrawDistance: 400,
			Alpha: 200, Flags: p.ObjectCollides | p.ObjectBreaks, Attachment: onPlayer, Bone: 6,
		}},
		{File: "object_state_moving", Packet: &p.ObjectState{
			ObjectID: 1002, Op: p.ObjectPut, Model: 321, Position: here, Rotation: p.Vec3{X: 1, Y: 2, Z: 3}, Scale: 0.05, Alpha: 255, Flags: 15,
			Move: p.MoveThereAndBack, Easing: p.EaseOutElastic, Duration: 2500, Elapsed: 4999, ToPosition: there, ToRotation: p.Vec3{X: 720, Y: -36000, Z: 90},
		}},
		{File: "object_state_materials", Packet: &p.ObjectState{
			ObjectID: 1003, Op: p.ObjectPut, Model: 19999, Position: here, Rotation: p.Vec3{Z: 90}, Scale: 20, DrawDistance: 3000, Alpha: 255, Flags: p.ObjectDoubleSided,
			Materials: []p.Material{
				{Slot: 0, Type: p.MaterialTexture, Model: 10101, Color: red, Archive: "2notherbuildsfe", Texture: "Bow_Abpave_Gen"},
				{Slot: 3, Type: p.MaterialTexture, Color: p.RGBA{R: 9, G: 8, B: 7, A: 6}},
				{Slot: 15, Type: p.MaterialText, Size: 13, Font: p.MaterialMono, FontSize: 24, Style: p.MaterialCenter | p.MaterialBold, Color: red, Back: p.RGBA{R: 1, G: 2, B: 3, A: 4}, Text: "{FF4040}LSPD{/}\nonly"},
			},
		}},
		{File: "object_state_hidden", Packet: &p.ObjectState{ObjectID: 1004, Op: p.ObjectHide, Model: 615, Position: here, DrawDistance: 0.5}},
		{File: "object_state_remove", Packet: &p.ObjectState{ObjectID: 1001}},
		{File: "colshape_shape", Packet: &p.ColshapeShape{
			ColshapeID: 1101, Present: true, Kind: p.ColshapeCuboid, Color: red, Attachment: onVehicle, Position: p.Vec3{X: 0.25, Y: -0.5, Z: 1.25}, Size: p.Vec3{X: 4, Y: 8.5, Z: 2.25}, Heading: 359.5,
		}},
		{File: "colshape_shape_sphere", Packet: &p.ColshapeShape{ColshapeID: 1102, Present: true, Kind: p.ColshapeSphere, Attachment: onPlayer, Position: here, Size: p.Vec3{X: 3.5}}},
		{File: "colshape_shape_cylinder", Packet: &p.ColshapeShape{ColshapeID: 1103, Present: true, Kind: p.ColshapeCylinder, Color: red, Position: here, Size: p.Vec3{X: 9, Z: 6.5}}},
		{File: "colshape_shape_rectangle", Packet: &p.ColshapeShape{
			ColshapeID: 1104, Present: true, Kind: p.ColshapeRectangle, Color: red, Position: p.Vec3{X: 2495.25, Y: -1688.5}, Size: p.Vec3{X: 40, Y: 20000}, Heading: 45,
		}},
		{File: "colshape_shape_polygon", Packet: &p.ColshapeShape{
			ColshapeID: 1105, Present: true, Kind: p.ColshapePolygon, Color: red, Position: p.Vec3{Z: 12.5}, Size: p.Vec3{Z: 30},
			Points: []p.Point{{X: 2400, Y: -1700}, {X: 2500.5, Y: -1710.25}, {X: 2490, Y: -1600}, {X: 2410, Y: -1590}},
		}},
		{File: "colshape_shape_remove", Packet: &p.ColshapeShape{ColshapeID: 1101}},
		{File: "player_waypoint", Packet: &p.PlayerWaypoint{Present: true, Position: there}},
		{File: "player_waypoint_cleared", Packet: &p.PlayerWaypoint{}},
		{File: "set_waypoint", Packet: &p.SetWaypoint{Present: true, Position: there}},
		{File: "set_waypoint_cleared", Packet: &p.SetWaypoint{}},
	}
}

// pickups fill a PickupSync.
func pickups() []p.Pickup {
	list := make([]p.Pickup, p.MaxPickups)
	for i := range list {
		list[i] = p.Pickup{
			PickupID: uint32(5000 + i), Op: p.PickupShow, Model: uint16(1240 + i), Taker: p.PickupTaker(i % 3), Flags: p.PickupFlags(i % 2),
			Position: p.Vec3{X: float32(100 * i), Y: float32(-i), Z: 10}, Radius: 0.5 + float32(i)/8,
		}
	}
	return list
}

// blips fill a Blip: some stand, some follow a player, some are removed.
func blips(on p.Attachment) []p.BlipEntry {
	list := make([]p.BlipEntry, p.MaxBlips)
	for i := range list {
		e := p.BlipEntry{BlipID: uint32(8000 + i)}
		if i%5 != 4 {
			e.Present, e.Icon, e.Size, e.Show, e.Order, e.Range = true, uint8(5+i), uint8(1+i%8), p.BlipShow(i%3), int16(1000*i-15000), uint16(2000*i)
			e.Position = p.Vec3{X: float32(100 * i), Y: float32(-i), Z: 10}
		}
		if i%5 == 1 {
			e.Attachment = on
		}
		list[i] = e
	}
	return list
}
