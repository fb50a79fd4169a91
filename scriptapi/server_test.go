package scriptapi

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// fakeServer takes down what scripts do with the server.
type fakeServer struct {
	texts map[ServerText]string
	rules map[string]string
	did   []string
	asked func() // for facts; may be nil
}

func (s *fakeServer) Facts() ServerFacts {
	if s.asked != nil {
		s.asked()
	}
	f := ServerFacts{Name: "Test", MaxPlayers: 10, Port: 7777, FilesPort: 7778, Version: "1.2", BootID: 0xB007, Rules: s.rules}
	if name, ok := s.texts[ServerName]; ok {
		f.Name = name
	}
	return f
}

func (s *fakeServer) Stats() ServerStats {
	return ServerStats{Players: 2, BytesIn: 1 << 40, Rejected: map[string]uint64{"full": 3}, TickMS: 1.25}
}

func (s *fakeServer) SetText(which ServerText, text string) error {
	if text == "refused" {
		return errors.New("not this one")
	}
	if s.texts == nil {
		s.texts = make(map[ServerText]string)
	}
	s.texts[which] = text
	return nil
}

func (s *fakeServer) SetRule(key string, value *string) error {
	if s.rules == nil {
		s.rules = make(map[string]string)
	}
	if value == nil {
		delete(s.rules, key)
	} else {
		s.rules[key] = *value
	}
	return nil
}

func (s *fakeServer) Close(text string, seconds uint32, restart bool) {
	s.did = append(s.did, fmt.Sprint("close ", text, seconds, restart))
}

func TestServerIsSetByWhoMay(t *testing.T) {
	s := newStage(t)
	s.permissions["admin server"] = true
	s.start("admin", `
mp.server.name = "Ours"
mp.server.mode, mp.server.language, mp.server.website, mp.server.password = "Race", "en", "https://example.org", "secret"
print(mp.server.name, mp.server.boot_id)
mp.server.rules.pvp = "on"
mp.server.rules["two words"] = ""
mp.server.rules.gone = "x"
mp.server.rules.gone = nil
print(mp.server.rules.pvp, mp.server.rules["two words"] == "", mp.server.rules.gone)
local st = mp.server.stats()
print(st.players, st.bytes_in, st.rejected.full, st.rejected.banned, st.tick_ms, st.unconfirmed)
mp.server.close{ text = "Soon", seconds = 60, restart = true }
mp.server.close()
`)
	if got, want := fmt.Sprint(s.server.texts), fmt.Sprint(map[ServerText]string{0: "Ours", 1: "Race", 2: "en", 3: "https://example.org", 4: "secret"}); got != want {
		t.Errorf("texts %v, want %v", got, want)
	}
	if keys := slices.Sorted(maps.Keys(s.server.rules)); fmt.Sprint(keys) != "[pvp two words]" {
		t.Errorf("rules %q", keys)
	}
	if fmt.Sprint(s.server.did) != "[close Soon60 true close 0 false]" {
		t.Errorf("did %q", s.server.did)
	}
	log := strings.Join(s.lines, "\n")
	for _, want := range []string{"Ours\t000000000000b007", "on\ttrue\tnil", "2\t1099511627776\t3\tnil\t1.25\t0"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
}

func TestServerRefusals(t *testing.T) {
	const lacks = `this needs the permission "server": in server.toml, under [permissions.resources], `
	for code, want := range map[string]string{
		`mp.server.name = "x"`:                  "mp.server.name: " + lacks + `guest = ["server"]`,
		`mp.server.password = "x"`:              "mp.server.password: " + lacks + `guest = ["server"]`,
		`mp.server.rules.x = "x"`:               "mp.server.rules.x: " + lacks + `guest = ["server"]`,
		`mp.server.close()`:                     "mp.server.close: " + lacks + `guest = ["server"]`,
		`local x = mp.server.password`:          "mp.server.password: it can only be set",
		`mp.server.port = 1`:                    "mp.server.port: it can only be read",
		`mp.server.nam = "x"`:                   `mp.server.nam: no such function or property; did you mean "name"?`,
		`admin() mp.server.name = ""`:           "mp.server.name: a string of 1..63 bytes expected",
		`admin() mp.server.name = 5`:            "mp.server.name: a string of 1..63 bytes expected, got number 5",
		`admin() mp.server.name = "refused"`:    "mp.server.name: not this one",
		`admin() mp.server.rules.x = 5`:         "mp.server.rules.x: a string or nil expected, got number 5",
		`admin() mp.server.rules[5] = "x"`:      "mp.server.rules: a key is a string, not number 5",
		`admin() mp.server.close{ secs = 5 }`:   `secs`,
		"admin() mp.server.close{text='a\\nb'}": "mp.server.close: text: ",
	} {
		s := newStage(t)
		s.permissions["boss server"] = true
		resource, body := "guest", code
		if rest, ok := strings.CutPrefix(code, "admin() "); ok {
			resource, body = "boss", rest
		}
		err := s.load(bundle(resource, map[string]string{"main.lua": body}), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", code, err, want)
		}
		if len(s.server.texts)+len(s.server.rules)+len(s.server.did) != 0 {
			t.Errorf("%s: it did %v", code, s.server)
		}
	}
}
