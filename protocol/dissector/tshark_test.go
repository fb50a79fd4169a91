package dissector_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"darqline/fixtures"
	"darqline/protocol"
	"darqline/protocol/dissector"
	"darqline/protocol/pcap"
	"darqline/protocol/wire"
)

var (
	client = netip.MustParseAddrPort("192.0.2.1:50000")
	server = netip.MustParseAddrPort("192.0.2.2:7777")
)

// headers are the bytes before a datagram: of IPv4 and UDP.
const headers = 20 + 8

// datagram is one packet of a capture.
type datagram struct {
	name string // of the file
	row  *protocol.Row
	data []byte
}

// way is the datagram's direction; a server query has a magic for each.
func (d datagram) way() protocol.Direction {
	if d.row.Direction == protocol.BothDirections {
		if len(d.data) > 4 && d.data[4] == 'S' {
			return protocol.ServerToClient
		}
		return protocol.ClientToServer
	}
	return d.row.Direction
}

func golden(list []fixtures.Golden) []datagram {
	var all []datagram
	for _, g := range list {
		all = append(all, datagram{g.File, g.Row, g.Data})
	}
	return all
}

// A capture is what tshark says of datagrams, in PDML.
type capture struct {
	Packets []struct {
		Protos []proto `xml:"proto"`
	} `xml:"packet"`
}

type proto struct {
	Name   string  `xml:"name,attr"`
	Fields []field `xml:"field"`
}

type field struct {
	Name   string  `xml:"name,attr"`
	Pos    int     `xml:"pos,attr"`
	Size   int     `xml:"size,attr"`
	Show   string  `xml:"show,attr"`
	Fields []field `xml:"field"`
}

// each goes over all fields of a packet.
func each(fields []field, do func(f *field)) {
	for i := range fields {
		do(&fields[i])
		each(fields[i].Fields, do)
	}
}

// tshark dissects datagrams that come from and go to the given port.
func tshark(t *testing.T, list []datagram, port uint16) [][]field {
	t.Helper()
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("SKIPPED: tshark is not here; install it to test the dissector")
	}
	dir := t.TempDir()
	script, file := filepath.Join(dir, "darqline.lua"), filepath.Join(dir, "darqline.pcap")
	var lua, packets bytes.Buffer
	w := pcap.NewWriter(&packets)
	server := netip.AddrPortFrom(server.Addr(), port)
	for i, d := range list {
		from, to := client, server
		if d.way() == protocol.ServerToClient {
			from, to = server, client
		}
		w.Datagram(time.UnixMilli(int64(i)), from, to, d.data)
	}
	if err := errors.Join(dissector.Write(&lua), w.Flush(),
		os.WriteFile(script, lua.Bytes(), 0o644), os.WriteFile(file, packets.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), program, "-n", "-X", "lua_script:"+script, "-r", file, "-T", "pdml")
	c.Env = append(os.Environ(), "HOME="+dir, "WIRESHARK_CONFIG_DIR="+dir)
	var faults bytes.Buffer
	c.Stderr = &faults
	out, err := c.Output()
	if err != nil || bytes.Contains(out, []byte("Lua Error")) || bytes.Contains(bytes.ToLower(faults.Bytes()), []byte("lua")) {
		t.Fatalf("%v\n%s%s", err, faults.Bytes(), lines(out, "Lua Error"))
	}
	var seen capture
	if err := xml.Unmarshal(out, &seen); err != nil {
		t.Fatal(err)
	}
	if len(seen.Packets) != len(list) {
		t.Fatalf("%d packets of %d", len(seen.Packets), len(list))
	}
	all := make([][]field, len(list))
	for i, p := range seen.Packets {
		for _, proto := range p.Protos {
			if proto.Name == "darqline" {
				all[i] = proto.Fields
			}
		}
	}
	return all
}

func lines(text []byte, with string) string {
	var found []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, with) {
			found = append(found, line)
		}
	}
	return strings.Join(found, "")
}

// experts are the names of a packet's faults.
func experts(fields []field) map[string]bool {
	names := map[string]bool{}
	each(fields, func(f *field) {
		if f.Name == "_ws.expert" {
			each(f.Fields, func(f *field) { names[strings.TrimPrefix(f.Name, "darqline.")] = true })
		}
	})
	return names
}

func show(fields []field, name string) (value string) {
	each(fields, func(f *field) {
		if f.Name == "darqline."+name {
			value = f.Show
		}
	})
	return value
}

// TestGolden dissects every golden packet into the fields that List gives,
// with the same places and values.
func TestGolden(t *testing.T) {
	list := golden(fixtures.Packets())
	for i, fields := range tshark(t, list, server.Port()) {
		d := list[i]
		if name := show(fields, "packet"); name != d.row.Name {
			t.Errorf("%s: named %q", d.name, name)
		}
		if on := show(fields, "lane"); on != d.row.Lane.String() {
			t.Errorf("%s: lane %q", d.name, on)
		}
		if faults := experts(fields); len(faults) > 0 {
			t.Errorf("%s: faults %v", d.name, faults)
		}
		want, err := protocol.List(d.data, d.way())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range want {
			if problem := compare(f, fields); problem != "" {
				t.Errorf("%s: %+v: %s", d.name, f, problem)
			}
		}
	}
}

// compare looks for the field of List among those of tshark.
func compare(want protocol.FieldValue, fields []field) string {
	name := want.Name[strings.LastIndexByte(want.Name, '.')+1:]
	name, _, _ = strings.Cut(name, "[")
	if strings.HasPrefix(want.Name, "rest of ") {
		name = "padding"
	}
	problem := "no such field"
	each(fields, func(f *field) {
		abbrev := strings.TrimRight(f.Name, "_23456789") // of one of a union's cases
		if f.Pos != headers+want.Offset || f.Size != want.Size || !strings.HasSuffix(abbrev, "."+strings.TrimRight(name, "_23456789")) {
			return
		}
		if problem = ""; !same(want, f.Show) {
			problem = "shows " + f.Show
		}
	})
	return problem
}

// same compares values as far as both have them alike: numbers and plain texts.
func same(want protocol.FieldValue, show string) bool {
	value, _, _ := strings.Cut(want.Value, " ")
	switch want.Type {
	case "f32", "f64":
		a, _ := strconv.ParseFloat(value, 32)
		b, _ := strconv.ParseFloat(show, 32)
		return float32(a) == float32(b)
	case "u8", "u16", "u32", "u64", "i8", "i16", "i32":
		a, err1 := strconv.ParseInt(value, 0, 64)
		b, err2 := strconv.ParseInt(show, 0, 64)
		return a == b && (err1 == nil) == (err2 == nil)
	}
	if text, err := strconv.Unquote(want.Value); err == nil && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
		return text == show
	}
	return true
}

// TestInvalid faults what List and Decode refuse for the layout's sake.
func TestInvalid(t *testing.T) {
	list := golden(fixtures.Invalid())
	sized, zeroed := 0, 0
	for i, fields := range tshark(t, list, server.Port()) {
		d := list[i]
		_, _, err := protocol.Decode(d.data, d.way())
		var drop *protocol.DropError
		var fault *wire.Error
		want := ""
		switch {
		case errors.As(err, &drop) && drop.Fault == protocol.FaultLength:
			want = "wrong_size"
			sized++
		case errors.As(err, &drop) && drop.Fault == protocol.FaultToken:
			want = "zero_token"
		case errors.As(err, &fault) && (fault.Reason == "the packet ends here" || strings.HasSuffix(fault.Reason, "bytes too many")):
			want = "wrong_size"
			sized++
		case errors.As(err, &fault) && fault.Reason == "a byte that must be zero is not":
			want = "nonzero"
			zeroed++
		}
		if name := show(fields, "packet"); name != d.row.Name {
			t.Errorf("%s: named %q", d.name, name)
		}
		if faults := experts(fields); want != "" && !faults[want] {
			t.Errorf("%s (%v): %v is not among the faults %v", d.name, err, want, faults)
		}
	}
	t.Logf("%d invalid packets: %d of a wrong size, %d with a nonzero byte", len(list), sized, zeroed)
}

// TestSizes cuts and lengthens every golden packet.
func TestSizes(t *testing.T) {
	var list []datagram
	for _, d := range golden(fixtures.Packets()) {
		n := len(d.data)
		for _, b := range [][]byte{d.data[:n-1], d.data[:n/2], append(bytes.Clone(d.data), 0)} {
			if _, _, err := protocol.Decode(b, d.way()); err == nil { // a query may have more
				continue
			}
			list = append(list, datagram{fmt.Sprintf("%d bytes of %s", len(b), d.name), d.row, b})
		}
	}
	for i, fields := range tshark(t, list, server.Port()) {
		if faults := experts(fields); !faults["wrong_size"] {
			t.Errorf("%s: faults %v", list[i].name, faults)
		}
	}
}

// TestOtherPort knows a connection by its ClientHello, and a packet that comes
// from the wrong side.
func TestOtherPort(t *testing.T) {
	pick := func(file string) datagram {
		for _, d := range golden(fixtures.Packets()) {
			if d.name == file {
				return d
			}
		}
		t.Fatal(file)
		return datagram{}
	}
	chat, ack := pick("client_chat.bin"), pick("server_ack.bin")
	toServer, _ := protocol.Lookup(protocol.IDClientAck)
	wrong := datagram{"an ack from the wrong side", toServer, ack.data}
	unknown := datagram{"unknown", toServer, []byte{0xEE, 1, 2}}
	list := []datagram{chat, pick("client_hello.bin"), pick("connect_challenge.bin"), chat, ack, wrong, unknown}
	want := []string{"", "ClientHello", "ConnectChallenge", "ClientChat", "ServerAck", "ServerAck wrong_direction", " unknown_id"}
	for i, fields := range tshark(t, list, 4321) {
		got := show(fields, "packet")
		for _, name := range []string{"wrong_direction", "unknown_id"} {
			if experts(fields)[name] {
				got += " " + name
			}
		}
		if got != want[i] {
			t.Errorf("%s: %q, want %q", list[i].name, got, want[i])
		}
	}
}
