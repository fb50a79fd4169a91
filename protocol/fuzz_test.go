package protocol_test

import (
	"bytes"
	"hash/crc32"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
)

// FuzzDecode holds all ids in both directions to: no panic, whatever decodes
// encodes to the same bytes, and nothing makes the decoder allocate much.
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
			var h protocol.Header
			var p protocol.Packet
			var err error
			decode := func() { h, p, err = protocol.Decode(b, dir) }
			if decode(); crc32.ChecksumIEEE(b)%16 == 0 && !underRace { // to measure stops the world
				within(t, most(len(b), dir), decode)
			}
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

// most is how many bytes a datagram may make the decoder allocate: four times its own, and room for a list's elements
// that are larger than their bytes and for the text of a fault. To name the field of a thing that is removed, which only
// a server sends, its layout is described, too.
func most(size int, dir protocol.Direction) uint64 {
	if dir == protocol.ServerToClient {
		return uint64(4*size + 24<<10)
	}
	return uint64(4*size + 2<<10)
}

// within runs f and fails where it allocates more. Now and then the runtime itself allocates meanwhile, so it is
// given another chance.
func within(t *testing.T, most uint64, f func()) {
	t.Helper()
	var took uint64
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		if took = after.TotalAlloc - before.TotalAlloc; took <= most {
			return
		}
	}
	t.Fatalf("%d bytes are allocated, at most %d may be", took, most)
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
	for _, f := range fields {
		if !noControl(f.String) || f.Name == "" {
			t.Fatalf("%x has the field %+v", raw, f)
		}
	}
	n, again, err := protocol.BuildFields(fields)
	if err != nil && len(raw) <= protocol.ActionFieldsSize {
		t.Fatalf("%x parses to %+v, which is refused: %v", raw, fields, err)
	}
	if err == nil && (n != count || !bytes.Equal(bytes.TrimRight(again, "\x00"), bytes.TrimRight(raw, "\x00"))) {
		t.Fatalf("%x parses to %+v and builds %x", raw, fields, again)
	}
}

// noControl says whether a text has neither control nor format characters, by a reading of its own.
func noControl(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) })
}

// FuzzClientPath holds a client file's path to staying below its root, wherever that is, and to being the only one for
// its file.
func FuzzClientPath(f *testing.F) {
	for _, s := range []string{"page.html", "img/a.png", "../x.js", "a/../b.js", "/etc/a.css", "a//b.js", "a\\b.js", "./a.js", "a.js/", ".js", "a/.html", "A.html", "a.html\x00",
		"..html", strings.Repeat("a", 92) + ".js", strings.Repeat("a", 93) + ".js"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if protocol.ValidClientPath(s) != nil {
			return
		}
		_, known := protocol.ContentType(strings.TrimPrefix(path.Ext(s), "."))
		if len(s) > 95 || !known || !filepath.IsLocal(s) || path.Clean(s) != s || path.Join("/root", s) != "/root/"+s || strings.ToLower(s) != s || !fs.ValidPath(s) {
			t.Errorf("path %q", s)
		}
	})
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
		if protocol.ValidOrigins([]string{s}) == nil && (len(s) > 63 || bytes.ContainsAny([]byte(s), "\n\x00")) {
			t.Errorf("origin %q", s)
		}
		if protocol.PlainText(s, 100) == nil {
			if !noControl(s) || len(s) > 100 {
				t.Errorf("plain text %q", s)
			}
			p := &protocol.ClientCommand{Text: s}
			if _, err := protocol.Append(nil, protocol.Header{Token: 1}, p); err != nil && s != "" {
				t.Errorf("plain text %q is refused: %v", s, err)
			}
		}
	})
}
