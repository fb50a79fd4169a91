package protocol_test

import (
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
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
