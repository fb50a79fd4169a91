package host

import (
	"errors"
	"strings"
	"testing"

	"darqline/resources/strict"
)

// FuzzServerToml reads any file as a server.toml: it is refused with lines that it has, or taken with values that keep
// what the server relies on.
func FuzzServerToml(f *testing.F) {
	for _, k := range page() {
		for _, value := range append(k.accepted, k.refused...) {
			if len(value) < 200 {
				text, _ := fileWith(k.key, value)
				f.Add(text)
			}
		}
	}
	f.Add("\ufeff[server]\r\nname = '''a\nb'''\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "password_file") {
			return // it would be opened
		}
		c := Defaults()
		err := c.parse("server.toml", []byte(text))
		if err != nil {
			var faults strict.Faults
			if !errors.As(err, &faults) || len(faults) == 0 {
				t.Fatalf("refused with %v", err)
			}
			for _, fault := range faults {
				if fault.File != "server.toml" || fault.Line < 0 || fault.Line > strings.Count(text, "\n")+1 || fault.Text == "" {
					t.Fatalf("%q is refused with %+v", text, fault)
				}
			}
			return
		}
		s, n := &c.Server, &c.Connection
		switch {
		case s.Name == "" || len(s.Name) > 63 || s.MaxPlayers < 1 || s.MaxPlayers > 1000 || s.Port < 1 || s.Port > 65535,
			n.Timeout < 6*n.Keepalive, c.Names.Min > c.Names.Max, len(c.Query.Rules) > maxRules, len(c.Players.Spawn.Position) != 3:
			t.Fatalf("%q is taken: %+v", text, c)
		}
		c.warnings()
		c.table().NeedRestart(c.table())
		c.asked()
		c.CheckNames(nil)
	})
}
