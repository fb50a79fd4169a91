package protocol_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/wire"
)

// A line is one packet of testdata/packets.tsv: the specification's list.
type line struct{ id, name, direction, page, lane, size, body string }

func specification(t *testing.T) []line {
	t.Helper()
	data, err := os.ReadFile("testdata/packets.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var lines []line
	for i, row := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(row, "\t")
		if len(f) != 7 {
			t.Fatalf("line %d has %d columns", i+1, len(f))
		}
		lines = append(lines, line{f[0], f[1], f[2], f[3], f[4], f[5], f[6]})
	}
	return lines[1:]
}

// TestTable holds the table against the specification's list, row by row.
func TestTable(t *testing.T) {
	directions := map[protocol.Direction]string{protocol.ClientToServer: "c2s", protocol.ServerToClient: "s2c", protocol.BothDirections: "both"}
	lanes := map[protocol.Lane]string{protocol.Unreliable: "none", protocol.Reliable: "c2s-lane", protocol.Critical: "critical", protocol.Droppable: "droppable"}
	pages := map[protocol.Page]string{
		"Connection": "connection.md", "Player": "player.md", "Combat": "combat.md", "Vehicles": "vehicles.md", "World": "world.md",
		"Chat, HUD and dialogs": "ui.md", "Resource files and views": "resource-files-and-views.txt", "Map editing": "map-editing.md",
	}
	want, got := specification(t), protocol.Table()
	if len(got) != 163 || len(want) != 163 {
		t.Fatalf("%d rows, %d in the specification, want 163", len(got), len(want))
	}
	for i, r := range got {
		size := fmt.Sprint(r.Min)
		if r.Min != r.Max {
			size = fmt.Sprintf("%d..%d", r.Min, r.Max)
		}
		row := line{fmt.Sprintf("0x%02X", uint8(r.ID)), r.Name, directions[r.Direction], pages[r.Page], lanes[r.Lane], size, want[i].body}
		if row != want[i] {
			t.Errorf("row %d is %v\nwant %v", i, row, want[i])
		}
		if found, ok := protocol.Lookup(r.ID); !ok || found.Name != r.Name {
			t.Errorf("Lookup(%v) finds %v", r.ID, found)
		}
		if r.New == nil {
			continue
		}
		p := r.New()
		if name := reflect.TypeOf(p).Elem().Name(); p.ID() != r.ID || !strings.EqualFold(name, strings.ReplaceAll(r.Name, " ", "")) {
			t.Errorf("New of %s makes a %s of id %v", r.Name, name, p.ID())
		}
	}
}

// TestLayout holds each built layout and its total against the specification.
func TestLayout(t *testing.T) {
	for i, r := range protocol.Table() {
		if r.New == nil {
			if l := protocol.Describe(&r); l.Fields != nil {
				t.Errorf("%s is described without a layout", r.Name)
			}
			continue
		}
		if r.ID == protocol.IDServerQuery {
			continue // two layouts: TestQueryLayout
		}
		l := protocol.Describe(&r)
		least, most := l.Min(), l.Max()
		if least != r.Min || most != r.Max {
			t.Errorf("%s: the layout has %d..%d bytes, the table %d..%d", r.Name, least, most, r.Min, r.Max)
		}
		want := plain(specification(t)[i].body)
		if got := plain(body(wire.Describe(r.New()))); got != want {
			t.Errorf("%s: the layout is\n%s\nwant\n%s", r.Name, got, want)
		}
	}
}

// body writes a layout as the specification's list does.
func body(l wire.Layout) string {
	if l.Fields == nil {
		return "0"
	}
	var fields, lengths []string
	notes := map[string]string{}
	for _, f := range l.Fields {
		notes[f.Name] = f.Note
		s := f.Type
		switch {
		case len(f.Parts) == 1 && f.Dim == "":
			s = fmt.Sprintf("%s(%d)", f.Type, f.Max)
		case f.Dim != "":
			s = fmt.Sprintf("%s[%s]", f.Type, f.Dim)
		}
		fields = append(fields, s)
		if strings.HasSuffix(f.Dim, "len") || f.Dim == "size" || f.Dim == wire.ToTheEnd {
			lengths = append(lengths, fmt.Sprintf("%s=%d..%d", f.Dim, f.Min, f.Max))
		}
		if strings.HasSuffix(f.Dim, "*count") {
			lengths = append(lengths, "count="+notes["count"])
		}
	}
	s := strings.Join(fields, "+")
	if lengths != nil {
		s += "; " + strings.Join(lengths, ", ")
	}
	return s
}

// plain lets the list's two spellings of three floats be one, and writes a list
// of them as floats.
func plain(s string) string {
	s = regexp.MustCompile(`\bvec3\[(\d+)\]`).ReplaceAllStringFunc(s, func(list string) string {
		var n int
		fmt.Sscanf(list, "vec3[%d]", &n)
		return fmt.Sprintf("f32[%d]", 3*n)
	})
	return regexp.MustCompile(`\bvec3\b`).ReplaceAllString(s, "f32[3]")
}

// TestHeader holds where token and event stand.
func TestHeader(t *testing.T) {
	for _, r := range protocol.Table() {
		offset := protocol.EventOffsetServer
		if r.Direction == protocol.ClientToServer {
			offset = protocol.EventOffsetClient
		}
		b := make([]byte, r.Max)
		b[0] = byte(r.ID)
		if r.HasToken() {
			b[1] = 7
		}
		if r.HasEvent() {
			b[offset] = 9
		}
		h, row, err := protocol.Peek(b, r.Direction)
		if err != nil || row.ID != r.ID || h.ID != r.ID || r.HasToken() != (h.Token == 7) || r.HasEvent() != (h.Event == 9) {
			t.Errorf("%s: %+v, %v", r.Name, h, err)
		}
		if r.New == nil {
			if _, _, err := protocol.Decode(b, r.Direction); err == nil || !strings.Contains(err.Error(), "no layout is built") {
				t.Errorf("%s: Decode without a layout: %v", r.Name, err)
			}
		}
	}
}

// TestPeek has each way in which a datagram cannot be a packet.
func TestPeek(t *testing.T) {
	long := make([]byte, 2048)
	with := func(n int, head ...byte) []byte { return append(head, long[:n-len(head)]...) }
	for _, tc := range []struct {
		name  string
		b     []byte
		dir   protocol.Direction
		fault protocol.Fault
		text  string
	}{
		{"empty", nil, protocol.ClientToServer, protocol.FaultEmpty, "empty datagram"},
		{"id 0", with(20, 0), protocol.ClientToServer, protocol.FaultUnknown, "unknown packet_id 0x00"},
		{"id 0xA3", with(20, 0xA3), protocol.ServerToClient, protocol.FaultUnknown, "unknown packet_id 0xA3"},
		{"to the client", with(5, 0x0F), protocol.ClientToServer, protocol.FaultDirection, "ServerAck does not go Client → Server"},
		{"to the server", with(13, 0x0E), protocol.ServerToClient, protocol.FaultDirection, "ClientAck does not go Server → Client"},
		{"short", with(12, 0x0E, 1), protocol.ClientToServer, protocol.FaultLength, "ClientAck: 12 bytes instead of 13"},
		{"long", with(529, 0x07, 1), protocol.ClientToServer, protocol.FaultLength, "ClientChat: 529 bytes are outside 17..528"},
		{"larger than any", with(1201, 0x01), protocol.ClientToServer, protocol.FaultLength, "ClientHello: 1201 bytes instead of 1200"},
		{"token 0", with(13, 0x0E), protocol.ClientToServer, protocol.FaultToken, "ClientAck: token is 0"},
	} {
		_, _, err := protocol.Peek(tc.b, tc.dir)
		drop, ok := err.(*protocol.DropError)
		if !ok || drop.Fault != tc.fault || err.Error() != tc.text {
			t.Errorf("%s: %v", tc.name, err)
		}
		if _, p, err := protocol.Decode(tc.b, tc.dir); err == nil || p != nil {
			t.Errorf("%s: Decode gives %v, %v", tc.name, p, err)
		}
		if _, err := new(protocol.Codec).DecodeInto(tc.b, tc.dir, new(protocol.ClientAck)); err == nil {
			t.Errorf("%s: DecodeInto takes it", tc.name)
		}
	}
	if _, err := protocol.Append(nil, protocol.Header{}, stranger{}); err == nil || err.Error() != "unknown packet_id 0xF0" {
		t.Errorf("Append of no packet of ours: %v", err)
	}
	if _, err := protocol.Append(nil, protocol.Header{}, new(protocol.ClientAck)); err == nil || err.Error() != "ClientAck: token is 0" {
		t.Errorf("Append with token 0: %v", err)
	}
}

func TestNames(t *testing.T) {
	for got, want := range map[string]string{
		protocol.IDViewOpen.String(): "ViewOpen", protocol.ID(0xF0).String(): "0xF0",
		protocol.ClientToServer.String(): "Client → Server", protocol.BothDirections.String(): "Both directions",
		protocol.Unreliable.String(): "off the lane", protocol.Droppable.String(): "droppable",
		protocol.InputCursor.String(): "cursor", protocol.ViewInput(3).String(): "ViewInput(3)",
		protocol.ViewFailedNoBrowser.String(): "no_browser", protocol.ViewStatusCode(5).String(): "ViewStatusCode(5)",
		protocol.FieldString.String(): "string", protocol.FieldType(3).String(): "FieldType(3)",
		protocol.ReasonTooMany.String(): "too_many", protocol.Reason(20).String(): "Reason(20)",
		protocol.KeyEscape.String(): "Escape", protocol.KeyLast.String(): "WheelDown", protocol.Key(108).String(): "Key(108)", protocol.KeyNone.String(): "",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if k, ok := protocol.KeyByName("Slash"); !ok || k != 97 {
		t.Errorf("Slash is %d, %v", k, ok)
	}
	if _, ok := protocol.KeyByName(""); ok {
		t.Error("the empty name is a key")
	}
}

// TestReasons is the table of page Connection, Reasons.
func TestReasons(t *testing.T) {
	const places = "L KL KL RKL KL KL RKL KL KL KL KL RKL R R R R R R L R"
	for i, want := range strings.Fields(places) {
		r, got := protocol.Reason(i), ""
		if r.Rejectable() {
			got += "R"
		}
		if r.Kickable() {
			got += "K"
		}
		if r.Leavable() {
			got += "L"
		}
		if got != want {
			t.Errorf("%v stands in %q, want %q", r, got, want)
		}
	}
	if r := protocol.Reason(20); r.Rejectable() || r.Kickable() || r.Leavable() {
		t.Error("reason 20 stands somewhere")
	}
}

// A stranger is a packet that the table does not have.
type stranger struct{}

func (stranger) ID() protocol.ID  { return 0xF0 }
func (stranger) Wire(*wire.Codec) {}
