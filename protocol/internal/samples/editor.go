package samples

import p "darqline/protocol"

func editor() []Sample {
	setup := p.EditSetup{
		Rights: p.RightCreate | p.RightMove | p.RightSave, Map: "arena", Tool: p.ToolCreate, BrushKind: p.MapObject, BrushModel: 1271,
		Grid: 0.25, Angle: 5, Reach: 300, Undo: 200, Redo: 3, Dirty: true,
	}
	place := p.Vec3{X: 2765.125, Y: -2401.25, Z: 13.5}
	return []Sample{
		{File: "entity_edit", Packet: &p.EntityEdit{
			Session: 5001, Request: 8, Step: 300, Op: p.EditClone, Kind: p.MapColshape, EntityID: 90211, Rev: 6, Position: place, Rotation: p.Vec3{Z: -90}, Size: p.Vec3{X: 2, Y: 3, Z: 4},
		}},
		{File: "entity_edit_create", Packet: &p.EntityEdit{
			Session: 5001, Request: 1, Step: 299, Op: p.EditCreate, Kind: p.MapObject, Model: 1271, Position: place, Rotation: p.Vec3{X: 360, Y: -360, Z: 45}, Size: p.Vec3{X: 1.5},
		}},
		{File: "entity_edit_move", Packet: &p.EntityEdit{
			Session: 5001, Request: 2, Step: 299, Op: p.EditMove, Kind: p.MapVehicle, EntityID: 90210, Rev: 5, Position: place, Rotation: p.Vec3{Z: 270},
		}},
		{File: "entity_edit_undo", Packet: &p.EntityEdit{Session: 5001, Request: 3, Op: p.EditUndo}},
		{File: "edit_camera", Packet: &p.EditCamera{Seq: 4711, Session: 5001, Position: place, Yaw: 359.5, Pitch: -90}},
		{File: "edit_state", Packet: &p.EditState{Session: 5001, State: p.EditActive, EditSetup: setup, Request: 8, Result: p.EditDone, EntityID: 90212, Entries: []p.EditEntry{
			{EntityID: 90212, Present: true, Kind: p.MapColshape, Rev: 1, OwnerID: 258, OwnerToken: 70001, Position: place, Heading: 270},
		}}},
		{File: "edit_state_begin", Packet: &p.EditState{Session: 5001, State: p.EditActive, EditSetup: p.EditSetup{Rights: 63, Map: "the-map_with_31-bytes_in_its_na", Reach: 3000}}},
		{File: "edit_state_result", Packet: &p.EditState{Session: 5001, State: p.EditActive, EditSetup: setup, Request: 2, Result: p.EditStale, EntityID: 90210}},
		{File: "edit_state_entries", Packet: &p.EditState{Session: 5001, State: p.EditActive, EditSetup: setup, Entries: []p.EditEntry{
			{EntityID: 90210, Present: true, Kind: p.MapVehicle, Rev: 5, OwnerID: 258, OwnerToken: 70001, Position: place, Heading: 359.5},
			{EntityID: 90211, Present: true, Kind: p.MapHiddenBuildings, Rev: 0xFFFFFFFF, OwnerID: p.NoPlayer, Position: p.Vec3{X: -20000, Y: 20000, Z: 1}},
			{EntityID: 90213},
		}}},
		{File: "edit_state_end", Packet: &p.EditState{Session: 5001, Reason: p.EditEndUnloaded, Request: 9, Result: p.EditSaveFailed, EntityID: 90210}},
	}
}
