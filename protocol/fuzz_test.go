package protocol_test

import (
	"bytes"
	"testing"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
)

// FuzzDecode holds all ids in both directions to: no panic, and whatever
// decodes encodes to the same bytes.
func FuzzDecode(f *testing.F) {
	for _, s := range samples.All() {
		f.Add(s.Bytes())
	}
	for _, v := range samples.AllInvalid() {
		f.Add(v.Bytes())
	}
	for _, r := range protocol.Table() {
		if r.New == nil {
			f.Add(append([]byte{byte(r.ID)}, make([]byte, r.Min-1)...))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, dir := range []protocol.Direction{protocol.ClientToServer, protocol.ServerToClient} {
			before := bytes.Clone(b)
			h, p, err := protocol.Decode(b, dir)
			listed(t, b, dir)
			if !bytes.Equal(b, before) {
				t.Fatal("decoding changed the datagram")
			}
			if err != nil {
				if err.Error() == "" || p != nil {
					t.Fatalf("%v with %v", err, p)
				}
				continue
			}
			again, err := protocol.Append(nil, h, p)
			if err != nil || !bytes.Equal(again, b) {
				t.Fatalf("%x decodes to %+v\nand encodes to %x, %v", b, p, again, err)
			}
			if a, ok := p.(*protocol.ViewAction); ok {
				sameFields(t, a.Count, a.Fields)
			}
		}
	})
}

// FuzzFields holds ParseFields and BuildFields to being the reverse of each
// other.
func FuzzFields(f *testing.F) {
	for _, file := range []string{"view_action", "view_action_empty"} {
		a := samples.Named(file).Packet.(*protocol.ViewAction)
		f.Add(a.Count, a.Fields)
	}
	f.Fuzz(sameFields)
}

func sameFields(t *testing.T, count uint8, raw []byte) {
	fields, err := protocol.ParseFields(count, raw)
	if err != nil {
		return
	}
	n, again, err := protocol.BuildFields(fields)
	if err != nil && len(raw) <= protocol.ActionFieldsSize {
		t.Fatalf("%x parses to %+v, which is refused: %v", raw, fields, err)
	}
	if err == nil && (n != count || !bytes.Equal(bytes.TrimRight(again, "\x00"), bytes.TrimRight(raw, "\x00"))) {
		t.Fatalf("%x parses to %+v and builds %x", raw, fields, again)
	}
}

// FuzzRules holds the rules to no panic, and to their promises.
func FuzzRules(f *testing.F) {
	for _, s := range []string{"", "shop", "img/coin.png", "https://id.example.org:8443", "http://localhost", "..", "Тест", "a\u2028b", "\xFF"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if protocol.ValidResourceName(s) == nil && (len(s) == 0 || len(s) > 31) {
			t.Errorf("resource name %q", s)
		}
		if protocol.ValidClientPath(s) == nil && (len(s) > 95 || bytes.Contains([]byte("/"+s+"/"), []byte("/../"))) {
			t.Errorf("path %q", s)
		}
		if protocol.ValidOrigins([]string{s}) == nil && (len(s) > 63 || bytes.ContainsAny([]byte(s), "\n\x00")) {
			t.Errorf("origin %q", s)
		}
		if protocol.PlainText(s, 100) == nil {
			p := &protocol.ClientCommand{Text: s}
			if _, err := protocol.Append(nil, protocol.Header{Token: 1}, p); err != nil && s != "" {
				t.Errorf("plain text %q is refused: %v", s, err)
			}
		}
	})
}
