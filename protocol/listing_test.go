package protocol_test

import (
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
	"darqline/protocol/wire"
)

// listed holds List to fields that follow each other without a gap, and to all
// of the datagram where it decodes.
func listed(t *testing.T, b []byte, dir protocol.Direction) {
	t.Helper()
	fields, err := protocol.List(b, dir)
	end := 0
	for _, f := range fields {
		if f.Offset != end || f.Size < 0 || f.Name == "" {
			t.Fatalf("%x: field %+v at byte %d", b, f, end)
		}
		end += f.Size
	}
	if end > len(b) || err == nil && end != len(b) {
		t.Fatalf("%x: the fields have %d of %d bytes, %v\n%s", b, end, len(b), err, protocol.FormatFields(fields))
	}
}

func TestListSamples(t *testing.T) {
	for _, s := range samples.All() {
		b := s.Bytes()
		for n := range len(b) + 1 {
			listed(t, b[:n], direction(s.Header.ID))
		}
	}
}

// TestListMalformed lists up to where the next field's place is not known, and
// says why the whole is refused.
func TestListMalformed(t *testing.T) {
	whole := samples.Named("chat_message").Bytes()
	for _, tc := range []struct {
		name string
		b    []byte
		dir  protocol.Direction
		last string // field that is listed
		want string // of the error
	}{
		{"empty", nil, protocol.ServerToClient, "", "empty datagram"},
		{"other direction", whole, protocol.ClientToServer, "", "does not go"},
		{"unknown", []byte{0}, protocol.ServerToClient, "", "unknown packet_id"},
		{"the id alone", whole[:1], protocol.ServerToClient, "packet_id", "1 bytes are outside 26..600"},
		{"half a text", whole[:30], protocol.ServerToClient, "len", "name at byte 24: the packet ends here"},
		{"more than all", append(whole, 7), protocol.ServerToClient, "end", "end at byte 48: 1 bytes too many"},
	} {
		fields, err := protocol.List(tc.b, tc.dir)
		last := ""
		if len(fields) > 0 {
			last = fields[len(fields)-1].Name
		}
		if last != tc.last || err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %q is the last, %v", tc.name, last, err)
		}
	}
}

// TestListLocates finds the field that a rule between fields names first. Only
// a VehicleHandling's rules name none: its floats, bits and bytes are lists.
func TestListLocates(t *testing.T) {
	want := map[string]string{
		"gang_zone.flash_without_time":    "GangZone: entries[0].flash at byte 31: entries[0]: flash is set and flash_ms is 0",
		"colshape_shape.points_of_sphere": "ColshapeShape: points at byte 53: a sphere has no points",
		"vehicle_tuning.wrong_slot":       "VehicleTuning: tuning.upgrades[12] at byte 33: upgrades[12]: component 1010 belongs into slot 8, nitro",
	}
	for _, v := range samples.AllInvalid() {
		_, _, decoded := protocol.Decode(v.Bytes(), v.Direction())
		if fault, ok := decoded.(*wire.Error); !ok || fault.Field != "" {
			continue
		}
		fields, err := protocol.List(v.Bytes(), v.Direction())
		fault := err.(*wire.Error)
		named := fault.Field == "" && fault.Packet == "VehicleHandling"
		for _, f := range fields {
			named = named || f.Offset == fault.Offset && fault.Field != "" && strings.HasPrefix(f.Name, fault.Field)
		}
		if text, ok := want[v.File]; !named || ok && text != err.Error() {
			t.Errorf("%s: %v", v.File, err)
		}
		delete(want, v.File)
	}
	for file := range want {
		t.Errorf("%s is not refused by a rule between fields", file)
	}
}
