package session

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNames(t *testing.T) {
	ascii := Names{Min: 3, Max: 24, Reserved: []string{"server", "Админ"}}
	unicode := ascii
	unicode.Unicode = true
	tests := []struct {
		wish           string
		ascii, unicode string // as taken; "" is refused
	}{
		{"Alice", "Alice", "Alice"},
		{"a_-.[]()$@=9", "a_-.[]()$@=9", "a_-.[]()$@=9"},
		{"___", "___", "___"},
		{"Al", "", ""},
		{strings.Repeat("x", 24), strings.Repeat("x", 24), strings.Repeat("x", 24)},
		{strings.Repeat("x", 25), "", ""},
		{"12345", "", ""},
		{"123_5", "123_5", "123_5"},
		{"Al ice", "", ""},
		{"Al\"ice", "", ""},
		{"Ali\x00ce", "", ""},
		{"Ali\xffce", "", ""},
		{"Ali\u200bce", "", ""},
		{"Ali\u202ece", "", ""},
		{"SERVER", "", ""},
		{"ｓｅｒｖｅｒ", "", ""}, // wide letters: the same as server
		{"админ", "", ""},
		{"Jose\u0301", "", "José"}, // stored in NFC
		{"José99", "", "José99"},
		{"Алиса", "", "Алиса"},
		{"Алиcа", "", ""}, // a Latin c
		{"Αlice", "", ""}, // a Greek alpha
		{"Алиса-7", "", "Алиса-7"},
		{"さくら花", "", "さくら花"}, // scripts of one language go together
		{"サーバー桜の", "", "サーバー桜の"},
		{"김철수金", "", "김철수金"},
		{"李明ㄅ", "", "李明ㄅ"},
		{"김さくら", "", ""},
		{"李明A", "", ""},
		{"さくらA", "", ""},
		{"محمد٣", "", "محمد٣"},
		{"٣٤٥", "", ""}, // digits alone, in whatever script
		{"नमस्ते", "", "नमस्ते"},
		{strings.Repeat("桜", 15), "", strings.Repeat("桜", 15)},
		{strings.Repeat("桜", 16), "", ""}, // 48 bytes
		{"hi☺there", "", ""},
		{"Bobby\ufe0f", "", ""},        // looks like Bobby
		{"Bob\u034fby", "", ""},        // as well
		{"Bobby\U000e0100", "", ""},    // and this
		{"\u3164\u3164\u3164", "", ""}, // letters that nobody sees
		{"\u115f\u1160\uffa0", "", ""}, // more of them
		{"\u0301Bobby", "", ""},        // would stand on what is written before the name
		{"김철\u1160수", "", ""},          // within others
	}
	for _, test := range tests {
		for rules, want := range map[*Names]string{&ascii: test.ascii, &unicode: test.unicode} {
			got, err := rules.Take(test.wish)
			if got != want || (err == nil) != (want != "") {
				t.Errorf("%q, unicode %v: got %q (%v), want %q", test.wish, rules.Unicode, got, err, want)
			}
		}
	}
}

func TestNameKey(t *testing.T) {
	same := [][]string{
		{"Alice", "ALICE", "ａｌｉｃｅ"},
		{"straße", "STRASSE", "Strasse"},
		{"Ω", "ω", "\u2126"},
		{"ﬁsh", "FISH"},
		{"José", "JOSE\u0301"},
		{"\u0390x", "\u03aa\u0301x"}, // equal only after folding
		{"\u0345x", "ιx", "Ιx"},      // folds to what composes again
	}
	keys := make(map[string]int)
	for i, names := range same {
		for _, name := range names {
			key := NameKey(name)
			if key != NameKey(names[0]) {
				t.Errorf("%q and %q are not the same: %q, %q", name, names[0], key, NameKey(names[0]))
			}
			if other, ok := keys[key]; ok && other != i {
				t.Errorf("%q is the same as one of %q", name, same[other])
			}
			if NameKey(key) != key {
				t.Errorf("the key of %q has another key, %q", name, NameKey(key))
			}
			keys[key] = i
		}
	}
}

// Names that are ASCII are compared without the tables, to the same end.
func TestNameKeyOfASCII(t *testing.T) {
	for r := rune(0); r < utf8.RuneSelf; r++ {
		name := "aZ" + string(r)
		if got, want := NameKey(name), foldedKey(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestRename(t *testing.T) {
	r := newRig(t, func(c *Config) {
		c.Banned = func(b BanSubject) (Banned, bool) { return Banned{}, b.NameKey == "mallory" }
	})
	c, token := r.join(alice, 7, "Alice")
	r.join(bob, 8, "Bobby")
	for wish, want := range map[string]string{
		"Al":      "3 to 24",
		"server":  "reserved",
		"BOBBY":   "taken",
		"Mallory": "banned",
	} {
		if err := r.s.Rename(c, wish); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", wish, err, want)
		}
	}
	if c.Name() != "Alice" {
		t.Fatalf("a refused name was taken: %q", c.Name())
	}
	for _, wish := range []string{"ALICE", "Carol"} { // one's own name in other letters is free
		if err := r.s.Rename(c, wish); err != nil || c.Name() != wish {
			t.Fatalf("%q: %v, name %q", wish, err, c.Name())
		}
	}
	if other, _ := r.join(carol, 9, "Alice"); other.Name() != "Alice" {
		t.Fatal("the old name is not free")
	}
	if got := r.reject(dave, 10, "carol"); got.Reason.String() != "name_in_use" {
		t.Fatalf("the new name is free: %+v", got)
	}
	r.bye(alice, token)
	if err := r.s.Rename(c, "Ghost"); err == nil {
		t.Fatal("one who has left got a name")
	}
	r.join(dave, 11, "Carol")
}
