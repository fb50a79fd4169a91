package protocol_test

import (
	"strings"
	"testing"

	"darqline/protocol"
)

// A verdict is a value and what its rule says of it: "" for nothing.
type verdict struct{ value, want string }

func judge(t *testing.T, rule func(string) error, cases []verdict) {
	t.Helper()
	for _, tc := range cases {
		err := rule(tc.value)
		switch {
		case err == nil && tc.want != "":
			t.Errorf("%q is allowed, want %s", tc.value, tc.want)
		case err != nil && (tc.want == "" || !strings.Contains(err.Error(), tc.want)):
			t.Errorf("%q: %v, want %q", tc.value, err, tc.want)
		}
	}
}

func TestValidResourceName(t *testing.T) {
	judge(t, protocol.ValidResourceName, []verdict{
		{"a", ""}, {"shop", ""}, {"a-b_c9", ""}, {"-", ""}, {strings.Repeat("x", 31), ""},
		{"", "1..31 bytes"}, {strings.Repeat("x", 32), "has 32"}, {"Shop", "'S' in the resource's name"}, {"Тест", "'Т' in the resource's name \"Тест\""},
		{"a.b", "'.'"}, {"a/b", "'/'"}, {"a b", "' '"}, {"a\x00", `'\x00'`}, {"\xFF", "is not of"},
	})
}

func TestValidTopic(t *testing.T) {
	judge(t, protocol.ValidTopic, []verdict{
		{"wallet", ""}, {"a_9", ""}, {strings.Repeat("x", 31), ""},
		{"", "1..31 bytes"}, {strings.Repeat("x", 32), "has 32"}, {"a-b", "'-' in the name"}, {"A", "'A'"}, {"ä", "'ä'"},
	})
}

func TestValidClientPath(t *testing.T) {
	judge(t, protocol.ValidClientPath, []verdict{
		{"a.html", ""}, {"img/coin.png", ""}, {"a/b/c/d.woff2", ""}, {".hidden.js", ""}, {"a..b/x.css", ""}, {"-_./x.ttf", ""}, {".js", ""}, {"a.min.js", ""},
		{strings.Repeat("x", 90) + ".html", ""},
		{"", "the path is empty"}, {strings.Repeat("x", 91) + ".html", "96 bytes, at most 95"},
		{"A.html", "'A' in \"A.html\" is not of"}, {"a b.html", "' '"}, {"ä.html", "'ä'"}, {"a.html?x", "'?'"}, {"a\x00.js", "is not of"},
		{`img\coin.png`, `write / instead of \`},
		{"/a.html", "an empty segment"}, {"a//b.html", "an empty segment"}, {"a.html/", "an empty segment"}, {"/", "an empty segment"},
		{"./a.html", `a segment "."`}, {"../a.html", `a segment ".."`}, {"a/../b.html", `a segment ".."`}, {"a/..", `a segment ".."`},
		{"a", "no extension"}, {"a.b/c", "no extension"}, {"a.exe", `the extension "exe"; use one of html, js, css, json, png, jpg, webp, svg, woff2, ttf`},
		{"a.", `the extension ""`}, {"a.jpeg", `"jpeg"`}, {"a.html.gz", `"gz"`},
	})
}

func TestValidOrigins(t *testing.T) {
	judge(t, func(s string) error { return protocol.ValidOrigins([]string{s}) }, []verdict{
		{"https://example.org", ""}, {"https://id.example.org:8443", ""}, {"https://a-b.c1.xn--p1ai", ""}, {"https://1.2.3.example", ""}, {"https://a.b:80", ""},
		{"http://127.0.0.1", ""}, {"http://localhost", ""}, {"http://127.0.0.1:8080", ""}, {"http://localhost:65535", ""}, {"http://localhost:443", ""},
		{"https://" + strings.Repeat("a", 47) + ".example", ""}, // 63 bytes
		{"https://" + strings.Repeat("a", 48) + ".example", "64 bytes, at most 63"},
		{"", "begins with https://"}, {"example.org", "begins with https://"}, {"ftp://example.org", "begins with https://"}, {"HTTPS://example.org", "begins with https://"},
		{"https:/example.org", "begins with https://"}, {"https://", "not a DNS name under"}, {"https://.", "not a lowercase DNS name"},
		{"https://Example.org", "not a lowercase DNS name"}, {"https://exämple.org", "not a lowercase DNS name"}, {"https://exa_mple.org", "not a lowercase"},
		{"https://example", "not a DNS name under a top-level domain"}, {"https://localhost", "not a DNS name under"}, {"https://example.org.", "not a lowercase DNS name"},
		{"https://.example.org", "not a lowercase"}, {"https://-a.org", "not a lowercase"}, {"https://a-.org", "not a lowercase"},
		{"https://a.localhost", ".localhost name"}, {"https://127.0.0.1", "an IP address"}, {"https://10.0.0.1:8443", "an IP address"}, {"https://1.2", "number for a top-level domain"},
		{"https://[::1]", "not a port"}, {"https://a.org/", "not a lowercase"}, {"https://a.org/x", "not a lowercase"}, {"https://a.org?x", "not a lowercase"}, {"https://u@a.org", "not a lowercase"},
		{"https://1.2.3.0x4", "an IP address"}, {"https://0x7f.0x1", "an IP address"}, {"https://1.0x", "an IP address"}, {"https://a.0xg", ""},
		{"https://a.0b1", ""}, {"https://1.2.3.04", "an IP address"}, {"https://a.1x", ""}, {"https://xn--bcher-kva.example", ""}, {"https://a--b.org", ""},
		{"https://a..org", "not a lowercase"}, {"https://a.org..", "not a lowercase"}, {"https://localhost.", "not a lowercase"}, {"https://localhost.localdomain", ""},
		{"https://localhost.org", ""}, {"https://a.b.localhost", ".localhost name"}, {"https://exa%6dple.org", "not a lowercase"}, {"https://a.org\\", "not a lowercase"},
		{"https://a.org#", "not a lowercase"}, {"https://a.org:65535", ""}, {"https://a.org:1", ""}, {"https://a.org:00", "not a port"}, {"https://a.org:0443", "not a port"},
		{"https://a.org:8443:1", "not a port"}, {"https://a.org:１", "not a port"}, {"https://a.org: 1", "not a port"}, {"https://a.org:-1", "not a port"},
		{"https://a.org:8443/", "not a port"}, {"https://a.org:99999999999999999999", "not a port"}, {"https:// a.org", "not a lowercase"}, {"https://a.org ", "not a lowercase"},
		{"https://a。org", "not a DNS name under"}, {"https://а.org", "not a lowercase"}, {"https://a.org\x00", "not a lowercase"}, {"https://a\u200B.org", "not a lowercase"},
		{"http://127.0.0.1:80", "default port 80"}, {"http://127.0.0.1:0", "not a port"}, {"http://127.1", "alone"}, {"http://localhost.", "alone"}, {"http://LOCALHOST", "alone"},
		{"http://127.0.0.1/", "alone"}, {"http://localhost:080", "not a port"}, {"http://", "alone"}, {"http://user@localhost", "alone"}, {"https://https://a.org", "not a port"},
		{"wss://a.org", "begins with https://"}, {"//a.org", "begins with https://"}, {"null", "begins with https://"}, {"*", "begins with https://"}, {"data:", "begins with https://"},
		{"https://a.org:443", "the default port 443 is not written"}, {"http://localhost:80", "the default port 80 is not written"},
		{"https://a.org:", "not a port"}, {"https://a.org:0", "not a port"}, {"https://a.org:08443", "not a port"}, {"https://a.org:65536", "not a port"}, {"https://a.org:+1", "not a port"},
		{"http://example.org", "for 127.0.0.1 and localhost alone"}, {"http://127.0.0.2", "alone"}, {"http://a.localhost", "alone"}, {"http://[::1]:80", "not a port"},
		{"https://a.org\n", "not a lowercase"}, {"https://*.org", "not a lowercase"},
	})
	if err := protocol.ValidOrigins(nil); err != nil {
		t.Error(err)
	}
	four := []string{"https://a.org", "https://b.org", "https://c.org", "https://d.org"}
	if err := protocol.ValidOrigins(four); err != nil {
		t.Error(err)
	}
	if err := protocol.ValidOrigins(append(four, "https://e.org")); err == nil {
		t.Error("five are allowed")
	}
}

func TestContentType(t *testing.T) {
	want := map[string]string{
		"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "json": "application/json",
		"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "svg": "image/svg+xml", "woff2": "font/woff2", "ttf": "font/ttf",
	}
	for _, ext := range protocol.Extensions() {
		if got, ok := protocol.ContentType(ext); !ok || got != want[ext] {
			t.Errorf("%s: %s, want %s", ext, got, want[ext])
		}
		delete(want, ext)
	}
	if len(want) != 0 {
		t.Errorf("not known: %v", want)
	}
	for _, ext := range []string{"", "HTML", ".html", "jpeg"} {
		if got, ok := protocol.ContentType(ext); ok {
			t.Errorf("%s: %s", ext, got)
		}
	}
}

func TestPlainText(t *testing.T) {
	judge(t, func(s string) error { return protocol.PlainText(s, 20) }, []verdict{
		{"", ""}, {"Hello {all}", ""}, {"Привет 🚗", ""}, {"a\u0301\u0302", ""}, {"\uFFFD", ""}, {strings.Repeat("x", 20), ""},
		{strings.Repeat("x", 21), "21 bytes, at most 20"},
		{"a\nb", "U+000A"}, {"a\tb", "U+0009"}, {"\x00", "U+0000"}, {"\x7F", "U+007F"}, {"\u0085", "U+0085"},
		{"\u200B", "U+200B"}, {"\u202E", "U+202E"}, {"\u00AD", "U+00AD"}, {"\uFEFF", "U+FEFF"}, {"\U000E0041", "U+E0041"},
		{"\u2028", "U+2028"}, {"\u2029", "U+2029"}, {"a\xC3", "byte 0xc3 is not UTF-8"}, {"\xED\xA0\x80", "byte 0xed is not UTF-8"},
	})
}
