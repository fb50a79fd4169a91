package protocol_test

import (
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
)

func TestWorldWords(t *testing.T) {
	for got, want := range map[string]string{
		wordsOf[protocol.PickupOp](t):       "0remove 1show 2taken",
		wordsOf[protocol.PickupTaker](t):    "0foot 1vehicle 2any",
		wordsOf[protocol.CheckpointKind](t): "0cylinder 1race 2finish 3plain 4air 5air_finish 6air_rotating 7air_pulsing 8air_swinging 9air_bobbing 10arrow 11corona",
		wordsOf[protocol.BlipShow](t):       "0near 1edge 2map",
		wordsOf[protocol.ColshapeKind](t):   "0sphere 1cuboid 2cylinder 3rectangle 4polygon",
		wordsOf[protocol.ObjectOp](t):       "0remove 1object 2hidden buildings",
		wordsOf[protocol.MoveMode](t):       "0none 1once 2loop 3there_and_back",
		wordsOf[protocol.Easing](t):         "0linear 1in_quad 2out_quad 3in_out_quad 4in_cubic 5out_cubic 6in_out_cubic 7in_out_sine 8out_back 9out_bounce 10out_elastic",
		wordsOf[protocol.MaterialType](t):   "0texture 1text",
		wordsOf[protocol.MaterialFont](t):   "0sans 1serif 2mono 3heading",
		wordsOf[protocol.MaterialSize](t): "0 32x32 1 64x32 2 64x64 3 128x32 4 128x64 5 128x128 6 256x32 7 256x64 8 256x128 9 256x256" +
			" 10 512x64 11 512x128 12 512x256 13 512x512",
	} {
		if strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}

// TestRemovals takes from things that can be removed their op alone: encode
// refuses what is left.
func TestRemovals(t *testing.T) {
	for _, tc := range []struct {
		file   string
		remove func(p protocol.Packet)
	}{
		{"vehicle_sync", func(p protocol.Packet) { p.(*protocol.VehicleSync).Op = protocol.VehicleRemove }},
		{"label_3d", func(p protocol.Packet) { p.(*protocol.Label3D).Present = false }},
		{"checkpoint", func(p protocol.Packet) { p.(*protocol.Checkpoint).Present = false }},
		{"object_state_materials", func(p protocol.Packet) { p.(*protocol.ObjectState).Op = protocol.ObjectRemove }},
		{"colshape_shape_polygon", func(p protocol.Packet) { p.(*protocol.ColshapeShape).Present = false }},
		{"player_waypoint", func(p protocol.Packet) { p.(*protocol.PlayerWaypoint).Present = false }},
		{"set_waypoint", func(p protocol.Packet) { p.(*protocol.SetWaypoint).Present = false }},
		{"pickup_sync", func(p protocol.Packet) { p.(*protocol.PickupSync).Entries[0].Op = protocol.PickupTaken }},
		{"blip", func(p protocol.Packet) { p.(*protocol.Blip).Entries[0].Present = false }},
		{"gang_zone", func(p protocol.Packet) { p.(*protocol.GangZone).Entries[1].Present = false }},
	} {
		s := samples.Named(tc.file)
		tc.remove(s.Packet)
		if _, err := protocol.Append(nil, s.Header, s.Packet); err == nil || !strings.Contains(err.Error(), "what is removed has no other fields") {
			t.Errorf("%s: %v", tc.file, err)
		}
	}
}

// TestFullBatches has as many entries as fit, and one more.
func TestFullBatches(t *testing.T) {
	zones := &protocol.GangZone{}
	for i := range uint32(protocol.MaxZones) {
		zones.Entries = append(zones.Entries, protocol.ZoneEntry{ZoneID: i + 1})
	}
	pickups := samples.Named("pickup_sync_full").Packet.(*protocol.PickupSync)
	blips := samples.Named("blip_batch").Packet.(*protocol.Blip)
	for _, p := range []protocol.Packet{zones, pickups, blips} {
		r, _ := protocol.Lookup(p.ID())
		if b, err := protocol.Append(nil, protocol.Header{}, p); err != nil || len(b) != r.Max {
			t.Errorf("%s: %d bytes instead of %d, %v", r.Name, len(b), r.Max, err)
		}
	}
	zones.Entries = append(zones.Entries, protocol.ZoneEntry{ZoneID: 100})
	pickups.Entries = append(pickups.Entries, protocol.Pickup{PickupID: 100})
	blips.Entries = append(blips.Entries, protocol.BlipEntry{BlipID: 100})
	for _, p := range []protocol.Packet{zones, pickups, blips} {
		if _, err := protocol.Append(nil, protocol.Header{}, p); err == nil || !strings.Contains(err.Error(), "is outside 1..") {
			t.Errorf("%v: one more: %v", p.ID(), err)
		}
	}
}

// TestMaterialsTooLarge fills 16 slots with more than 1,024 bytes.
func TestMaterialsTooLarge(t *testing.T) {
	object := samples.Named("object_state_materials").Packet.(*protocol.ObjectState)
	object.Materials = nil
	for slot := range uint8(protocol.MaxMaterials) {
		object.Materials = append(object.Materials, protocol.Material{Slot: slot, Type: protocol.MaterialText, FontSize: 24, Text: strings.Repeat("x", 49)})
	}
	if b, err := protocol.Append(nil, protocol.Header{}, object); err != nil || len(b) != 93+16*(2+4+8+1+49) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	object.Materials[15].Text += "x"
	if _, err := protocol.Append(nil, protocol.Header{}, object); err == nil {
		t.Error("1,025 bytes of materials are sent")
	}
}
