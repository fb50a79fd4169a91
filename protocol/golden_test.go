package protocol_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
)

const fixtureDir = "../fixtures/protocol"

func direction(id protocol.ID) protocol.Direction {
	r, _ := protocol.Lookup(id)
	return r.Direction
}

// TestGolden holds each fixture against its sample, both ways.
func TestGolden(t *testing.T) {
	for _, s := range samples.All() {
		t.Run(s.File, func(t *testing.T) {
			golden, err := os.ReadFile(filepath.Join(fixtureDir, s.File+".bin"))
			if err != nil {
				t.Fatalf("%v; run make fixtures", err)
			}
			if got := s.Bytes(); !bytes.Equal(got, golden) {
				t.Fatalf("encodes to\n%x\nthe fixture has\n%x", got, golden)
			}
			h, p, err := protocol.Decode(golden, direction(s.Header.ID))
			if err != nil {
				t.Fatal(err)
			}
			if h != s.Header {
				t.Errorf("header %+v, want %+v", h, s.Header)
			}
			if !reflect.DeepEqual(p, s.Packet) {
				t.Errorf("decodes to\n%+v\nwant\n%+v", p, s.Packet)
			}
		})
	}
}

// TestFixtures fails when make fixtures would change a file.
func TestFixtures(t *testing.T) {
	want := samples.Files()
	dir := os.DirFS(fixtureDir)
	err := fs.WalkDir(dir, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(dir, path)
		if wanted, ok := want[path]; !ok {
			t.Errorf("%s belongs to no sample", path)
		} else if !bytes.Equal(content, wanted) {
			t.Errorf("%s is not what the samples say; run make fixtures", path)
		}
		delete(want, path)
		return err
	})
	for path := range want {
		t.Errorf("%s is missing; run make fixtures", path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestInvalid has every invalid input refused for its reason.
func TestInvalid(t *testing.T) {
	known := map[string]bool{}
	for _, v := range samples.AllInvalid() {
		r, _ := protocol.Lookup(samples.Named(v.From).Header.ID)
		name, _, _ := strings.Cut(v.File, ".")
		if strings.ReplaceAll(name, "_", "") != strings.ToLower(strings.ReplaceAll(r.Name, " ", "")) || known[v.File] {
			t.Errorf("%s: not the name of an input of its own for %s", v.File, r.Name)
		}
		known[v.File] = true
		_, p, err := protocol.Decode(v.Bytes(), r.Direction)
		if err == nil || !strings.Contains(err.Error(), v.Want) {
			t.Errorf("%s: got %v\nwant %s", v.File, err, v.Want)
		}
		if p != nil {
			t.Errorf("%s: a packet came with the fault: %+v", v.File, p)
		}
	}
}

// TestEncodeRefusesToo has encode refuse what decode refused, where a packet's
// struct can hold it: the value of a field, or what fields mean together.
func TestEncodeRefusesToo(t *testing.T) {
	bytesOnly := []string{"a bool is 0 or 1", "must be zero", "NUL-terminated", "bytes", "the packet ends here", "count at byte", "columns at byte", "len at byte", "magic at byte", "token is 0", "where the thing is removed"}
	var c protocol.Codec
	tried := 0
	for _, v := range samples.AllInvalid() {
		s := samples.Named(v.From)
		r, _ := protocol.Lookup(s.Header.ID)
		p := r.New()
		if _, err := c.DecodeInto(s.Bytes(), v.Direction(), p); err != nil {
			continue // an answer to a server query has a type of its own
		}
		_, err := c.DecodeInto(v.Bytes(), v.Direction(), p)
		if err == nil || slices.ContainsFunc(bytesOnly, func(reason string) bool { return strings.Contains(err.Error(), reason) }) {
			continue
		}
		tried++
		if b, again := protocol.Append(nil, s.Header, p); again == nil {
			t.Errorf("%s: refused by decode (%v), and encoded to %x", v.File, err, b)
		}
	}
	if tried < len(samples.AllInvalid())/2 {
		t.Errorf("only %d of %d tried", tried, len(samples.AllInvalid()))
	}
}

// TestEveryPacketHasAFixture looks for the file that a packet's name gives.
func TestEveryPacketHasAFixture(t *testing.T) {
	names := map[string]bool{}
	for _, s := range samples.All() {
		names[strings.ReplaceAll(s.File, "_", "")] = true
	}
	names["server query"] = names["queryping"] && names["querypinganswer"] // named by what it asks for
	for _, r := range protocol.Table() {
		if r.New != nil && !names[strings.ToLower(r.Name)] {
			t.Errorf("%s has no sample of its name", r.Name)
		}
	}
}

// TestLength cuts each fixture at every byte and lengthens it by one.
func TestLength(t *testing.T) {
	for _, s := range samples.All() {
		whole := s.Bytes()
		dir := direction(s.Header.ID)
		if _, ok := s.Packet.(*protocol.ServerQuery); ok {
			continue // as long as it likes: TestQueryLength
		}
		for n := range whole {
			if _, _, err := protocol.Decode(whole[:n], dir); err == nil {
				t.Errorf("%s: the first %d of %d bytes decode", s.File, n, len(whole))
			}
		}
		if _, _, err := protocol.Decode(append(whole, 0), dir); err == nil {
			t.Errorf("%s: one byte more decodes", s.File)
		}
	}
}

// TestNothingRefersToTheDatagram overwrites the bytes that a packet was
// decoded from.
func TestNothingRefersToTheDatagram(t *testing.T) {
	for _, s := range samples.All() {
		b := s.Bytes()
		_, p, err := protocol.Decode(b, direction(s.Header.ID))
		if err != nil {
			t.Fatal(err)
		}
		clear(b)
		if !reflect.DeepEqual(p, s.Packet) {
			t.Errorf("%s changes with its datagram", s.File)
		}
	}
}

// TestNoAllocation holds frames, keepalives and acks to none.
func TestNoAllocation(t *testing.T) {
	for _, file := range []string{"player_sync", "remote_player_sync", "vehicle_frame", "remote_vehicle_frame", "server_keepalive", "client_pong", "client_ack", "server_ack"} {
		s := samples.Named(file)
		r, _ := protocol.Lookup(s.Header.ID)
		into := r.New()
		var c protocol.Codec
		buf := make([]byte, 0, protocol.MaxPacket)
		got := testing.AllocsPerRun(100, func() {
			b, err := c.Append(buf, s.Header, s.Packet)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.DecodeInto(b, r.Direction, into); err != nil {
				t.Fatal(err)
			}
		})
		if got != 0 {
			t.Errorf("%s: %v allocations", file, got)
		}
	}
}

// TestFewAllocations holds every packet to four: the packet, one copy of its
// texts, its list, and the lists of texts in that.
func TestFewAllocations(t *testing.T) {
	for _, d := range datagrams() {
		if got := decodeAllocs(d); got > 4 {
			t.Errorf("%s: %v allocations", d.file, got)
		}
	}
}

// TestAppend keeps what stands before, fits into a buffer without room, and
// leaves it as it was after a fault.
func TestAppend(t *testing.T) {
	s := samples.Named("chat_message")
	want := append([]byte("before"), s.Bytes()...)
	got, err := protocol.Append([]byte("before"), s.Header, s.Packet)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %x, %v", got, err)
	}
	dirty := bytes.Repeat([]byte{0xFF}, 2*protocol.MaxPacket)
	for _, s := range samples.All() {
		got, err := protocol.Append(dirty[:0], s.Header, s.Packet)
		if err != nil || !bytes.Equal(got, s.Bytes()) {
			t.Errorf("%s: what stood in the buffer shows: %v", s.File, err)
		}
		for i := range dirty {
			dirty[i] = 0xFF
		}
	}
	got, err = protocol.Append([]byte("before"), protocol.Header{}, &protocol.ClientChat{})
	if err == nil || string(got) != "before" {
		t.Errorf("after a fault: %q, %v", got, err)
	}
}

// TestDecodeInto uses one packet value again and again.
func TestDecodeInto(t *testing.T) {
	var c protocol.Codec
	into := map[reflect.Type]protocol.Packet{}
	for range 2 {
		for _, s := range samples.All() {
			r, _ := protocol.Lookup(s.Header.ID)
			kind := reflect.TypeOf(s.Packet).Elem()
			p := into[kind]
			if p == nil {
				p = reflect.New(kind).Interface().(protocol.Packet)
				into[kind] = p
			}
			h, err := c.DecodeInto(s.Bytes(), r.Direction, p)
			if err != nil || h != s.Header {
				t.Fatalf("%s: %+v, %v", s.File, h, err)
			}
			if !reflect.DeepEqual(p, s.Packet) {
				t.Errorf("%s: a value used before decodes to\n%+v\nwant\n%+v", s.File, p, s.Packet)
			}
		}
	}
	b := samples.Named("server_ack").Bytes()
	if _, err := c.DecodeInto(b, protocol.ServerToClient, new(protocol.ServerKeepalive)); err == nil || err.Error() != "ServerKeepalive: packet_id at byte 0: this is a ServerAck" {
		t.Errorf("a ServerAck into a ServerKeepalive: %v", err)
	}
}

// TestRefusals holds every sentence of the specification's pages on what is rejected to the inputs that show it, by
// testdata/refusals.tsv. An input is named without its packet, or with another packet that the rule is shown by.
func TestRefusals(t *testing.T) {
	data, err := os.ReadFile("testdata/refusals.tsv")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{} // names of inputs, and the packets that they are of
	for _, v := range samples.AllInvalid() {
		r, _ := protocol.Lookup(samples.Named(v.From).Header.ID)
		known[v.File] = r.Name
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for i, line := range lines[1:] {
		columns := strings.Split(line, "\t")
		if len(columns) != 4 || columns[3] == "" {
			t.Fatalf("line %d: %q", i+2, line)
		}
		for _, input := range strings.Fields(columns[3]) {
			packet, _, other := strings.Cut(input, ".")
			if other && known[input] == "" {
				t.Errorf("line %d: there is no input %s of %s", i+2, input, packet)
			}
			if !other && !slices.ContainsFunc(samples.AllInvalid(), func(v samples.Invalid) bool {
				return known[v.File] == columns[1] && strings.HasSuffix(v.File, "."+input)
			}) {
				t.Errorf("line %d: there is no input %s of %s: %s", i+2, input, columns[1], columns[2])
			}
		}
	}
}
