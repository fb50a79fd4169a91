package bans

import (
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)

func TestParseRefusesAndSaysWhere(t *testing.T) {
	const head = "{\"version\": 1,\n\"bans\": [\n"
	tests := []struct{ name, text, want string }{
		{"empty", "", "bans.json:1: the file is empty"},
		{"blank", "\n\n", "bans.json:1: the file is empty"},
		{"cut off", head + `{"kind": "name", "va`, "bans.json:3: this is no JSON: unexpected end"},
		{"no JSON", head + "{\"kind\": \"name\"\n\"value\": \"Tommy\"}]}", "bans.json:4: this is no JSON"},
		{"more behind", "{\"version\": 1}\n{}", "bans.json:2: this is no JSON"},
		{"a list", "[]", "bans.json:1: a list of bans must be an object in { }"},
		{"no version", "{\"bans\": []}", "bans.json:1: \"version\": 1 is missing"},
		{"another version", "{\n\"version\": 2,\n\"bans\": []}", "bans.json:2: version: this server reads version 1, not 2"},
		{"version is text", `{"version": "1"}`, "bans.json:1: version must be a whole number, not string"},
		{"unknown key", "{\"version\": 1,\n\"ban\": []}", "bans.json:2: unknown key \"ban\"; did you mean \"bans\"?"},
		{"key twice", "{\"version\": 1,\n\"version\": 1}", "bans.json:2: the key \"version\" stands twice"},
		{"bans is no list", "{\"version\": 1,\n\"bans\": {}}", "bans.json:2: bans must be a list in [ ]"},
		{"next is 0", `{"version": 1, "next": 0}`, "bans.json:1: next must be a whole number from 1 on, not 0"},
		{"a ban is a string", head + "\"Tommy\"]}", "bans.json:3: a ban must be an object in { }"},
		{"wrong case", head + `{"Kind": "name"}]}`, "bans.json:3: unknown key \"Kind\"; did you mean \"kind\"?"},
		{"id", head + `{"id": -1}]}`, "bans.json:3: id must be a whole number from 1 on, not -1"},
		{"no kind", head + `{"value": "Tommy"}]}`, "bans.json:3: kind: \"\" must be one of"},
		{"no value", head + `{"kind": "host"}]}`, "bans.json:3: host: \"\" must be an IP address"},
		{"second line", head + "{\"kind\": \"name\", \"value\": \"a\"},\n{\"kind\": \"range\", \"value\": \"0.0.0.0/0\"}]}", "bans.json:4: range: "},
		{"time", head + `{"kind": "name", "value": "a", "expires": "tomorrow"}]}`, "bans.json:3: expires: \"tomorrow\" must be a time such as"},
		{"created never", head + `{"kind": "name", "value": "a", "created": "never"}]}`, "bans.json:3: created: \"never\" must be a time"},
		{"value is a number", head + `{"kind": "name", "value": 7}]}`, "bans.json:3: value must be a string, not number"},
		{"a long text", head + `{"kind": "name", "value": "a", "text": "` + strings.Repeat("x", 128) + `"}]}`, "bans.json:3: text: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parse("bans.json", []byte(tt.text), noon)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Fatalf("%v\nnot %s", err, tt.want)
			}
			if !strings.HasSuffix(err.Error(), "to begin without bans") {
				t.Errorf("%q does not say what to do", err)
			}
		})
	}
}

func TestParseGivesWhatIsLeftOut(t *testing.T) {
	c, err := parse("bans.json", []byte("\xef\xbb\xbf"+`{"version": 1, "bans": [
		{"kind": "name", "value": "Tommy"},
		{"id": 7, "kind": "host", "value": "2001:DB8::1", "created": "2026-12-01T01:00:00+01:00", "expires": "never"}]}`), noon)
	if err != nil {
		t.Fatal(err)
	}
	first, second := c.bans[0], c.bans[1]
	if first.ID != 8 || !first.Created.Equal(noon) || !first.Expires.IsZero() || c.next != 9 {
		t.Errorf("%+v, next %d", first, c.next)
	}
	if second.ID != 7 || second.Value != "2001:db8::/64" || second.Created.Format(time.RFC3339) != "2026-12-01T00:00:00Z" {
		t.Errorf("%+v", second)
	}
}

// FuzzBanFile holds that whatever is read is written so that it reads the same, and that look-ups of it do not fail.
func FuzzBanFile(f *testing.F) {
	f.Add([]byte(`{"version": 1, "next": 3, "bans": [
{"id": 1, "kind": "host", "value": "203.0.113.5", "text": "Out", "by": "shop", "created": "2026-12-24T20:00:00Z", "expires": "never"},
{"kind": "range", "value": "2001:db8::/32"}, {"kind": "account", "value": "forum:4711", "expires": "2027-01-01T00:00:00Z"}]}`))
	f.Add([]byte(`{"version": 1, "bans": [{"kind": "serial", "value": "` + serial + `"}, {"kind": "name", "value": "Ж"}]}`))
	f.Add([]byte("\xef\xbb\xbf{\"version\":1}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parse("bans.json", data, noon)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "bans.json:") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q", err)
			}
			return
		}
		ix := newIndex(strings.ToLower)
		for _, b := range c.bans {
			ix.add(newEntry(b))
		}
		text := render(c.next, ix.all)
		again, err := parse("bans.json", text, noon)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if again.next != c.next || len(again.bans) != len(c.bans) {
			t.Fatalf("%+v\n%+v", c, again)
		}
		for i, b := range c.bans {
			if b != again.bans[i] {
				t.Fatalf("%+v\n%+v", b, again.bans[i])
			}
			if net, ok := b.net(); ok && !b.expired(noon) {
				if _, ok := ix.match(noon, net.Addr(), [32]byte{}, "", ""); !ok {
					t.Fatalf("%+v does not match its own network", b)
				}
			}
		}
		ix.remove(ix.all)
		if len(ix.all)+len(ix.nets)+len(ix.words) != 0 || ix.bits4 != [33]int{} || ix.bits6 != [129]int{} {
			t.Fatalf("something is left: %+v", ix)
		}
	})
}
