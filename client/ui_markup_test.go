package client

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMarkup(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"plain":                     "plain",
		"{FF0000}red{/} not":        "[ff0000|red]| not",
		"{ff00aa}a{00ff00}b":        "[ff00aa|a][00ff00|b]",
		"{FF0000}over\nlines":       "[ff0000|over\nlines]",
		"press {key:7}!":            "press |<7>|!",
		"{ABCDEF}{key:1}":           "[abcdef|<1>]",
		"{key:0}{key:4294967296}":   "??",
		"{key:007}":                 "<7>",
		"{{FF0000}":                 "{FF0000}",
		"{{{FF0000}x":               "{|[ff0000|x]",
		"{{{{":                      "{{",
		"{":                         "{",
		"}{}":                       "}{}",
		"{FF000}{GG0000}{ FF0000}":  "{FF000}{GG0000}{ FF0000}",
		"{key:}{key:-1}{key:1":      "{key:}{key:-1}{key:1",
		"{//}{KEY:1}":               "{//}{KEY:1}",
		"{x{FF0000}y":               "{x|[ff0000|y]",
		"{FF0000}{/}":               "",
		"{FF0000}ä{/}\U0001F600{/}": "[ff0000|ä]|\U0001F600",
	} {
		var parts []string
		for _, s := range ParseMarkup(text) {
			part := s.Text
			if s.Action != 0 {
				part = fmt.Sprintf("<%d>", s.Action)
			}
			if s.Color.A != 0 {
				part = fmt.Sprintf("[%02x%02x%02x|%s]", s.Color.R, s.Color.G, s.Color.B, part)
			}
			parts = append(parts, part)
		}
		if got := strings.ReplaceAll(strings.Join(parts, "|"), "]|[", "]["); got != want {
			t.Errorf("%q: %q, expected %q", text, got, want)
		}
	}
	key := func(action uint32) string { return map[uint32]string{1: "E"}[action] }
	if got := PlainMarkup("{FF0000}press {key:1} or {key:2}, {{", key); got != "press E or ?, {" {
		t.Errorf("%q", got)
	}
}

func FuzzMarkup(f *testing.F) {
	f.Add("{FF0000}red{/} {key:7} {{")
	f.Add("{{{key:1}{/{")
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		for _, s := range ParseMarkup(text) {
			if (s.Text == "") == (s.Action == 0) {
				t.Fatalf("%+v", s)
			}
			n += len(s.Text)
		}
		if n > len(text) || utf8.ValidString(text) && !utf8.ValidString(PlainMarkup(text, func(uint32) string { return "E" })) {
			t.Fatalf("%q", text)
		}
		if escaped := strings.ReplaceAll(text, "{", "{{"); PlainMarkup(escaped, nil) != text {
			t.Fatalf("%q does not survive its escape", text)
		}
	})
}
