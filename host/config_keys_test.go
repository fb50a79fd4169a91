package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// read parses a configuration and gives it, or what is wrong with it.
func read(t *testing.T, text string) (Config, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server.toml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := ReadConfig(path)
	if err != nil {
		return c, err.Error()
	}
	return c, ""
}

func TestTextKeys(t *testing.T) {
	for line, ok := range map[string]bool{
		"[server]\nname = \"\"":                                                      false,
		"[server]\nname = \"" + strings.Repeat("x", 63) + "\"":                       true,
		"[server]\nname = \"" + strings.Repeat("x", 64) + "\"":                       false,
		"[server]\nname = \"two\\nlines\"":                                           false,
		"[server]\nmode = \"" + strings.Repeat("x", 63) + "\"":                       true,
		"[server]\nmode = \"" + strings.Repeat("x", 64) + "\"":                       false,
		"[server]\npassword = \"" + strings.Repeat("x", 127) + "\"":                  true,
		"[server]\npassword = \"" + strings.Repeat("x", 128) + "\"":                  false,
		"[server]\nbind = \"0.0.0.0\"":                                               true,
		"[server]\nbind = \"localhost\"":                                             false,
		"[server]\nstart = [\"a\", \"*\"]":                                           true,
		"[server]\nstart = \"a\"":                                                    false,
		"[connection]\nresend = \"given\"":                                           true,
		"[connection]\nresend = \"gpa\"":                                             false,
		"[names]\nalphabet = \"unicode\"":                                            true,
		"[names]\nalphabet = \"latin\"":                                              false,
		"[names]\nreserved = [\"\"]":                                                 false,
		"[permissions.players]\n\"forum:1\" = [\"police\"]":                          true,
		"[permissions.players]\n\"forum:1\" = [\"" + strings.Repeat("x", 32) + "\"]": false,
		"[resources.shop]\nanything = 5":                                             true,
		"[Server]\nport = 1":                                                         false,
		"port = 1":                                                                   false,
	} {
		if _, fault := read(t, line); (fault == "") != ok {
			t.Errorf("%s: %q", line, fault)
		}
	}
}

func TestAllFaultsAreTold(t *testing.T) {
	_, fault := read(t, "[server]\nport = 0\nnaem = \"x\"\n[chat]\nburst = 0\n")
	lines := strings.Split(fault, "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "server.toml:2:") || !strings.HasPrefix(lines[1], "server.toml:3:") || !strings.HasPrefix(lines[2], "server.toml:5:") {
		t.Fatalf("got\n%s", fault)
	}
}

func TestPasswordFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("secret", "  pass word \r\nmore\n")
	write("long", strings.Repeat("x", 128))
	for text, want := range map[string]string{
		`password_file = "secret"`:                     "",
		`password_file = "none"`:                       "server.password_file cannot be read",
		`password_file = "long"`:                       "has 128 bytes, at most 127",
		"password = \"x\"\npassword_file = \"secret\"": "set one of the two",
	} {
		write("server.toml", "[server]\n"+text)
		c, err := ReadConfig(filepath.Join(dir, "server.toml"))
		switch {
		case want == "" && (err != nil || c.Server.Password != "  pass word"):
			t.Errorf("%s: %q, %v", text, c.Server.Password, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWarnings(t *testing.T) {
	c, fault := read(t, "[server]\nmax_players = 3\n")
	if fault != "" {
		t.Fatal(fault)
	}
	if w := c.warnings(); len(w) != 1 || !strings.Contains(w[0], "connection.per_host (4) is above server.max_players (3)") {
		t.Fatalf("warnings %q", w)
	}
	defaults := Defaults()
	if w := defaults.warnings(); len(w) != 0 {
		t.Fatalf("the defaults warn: %q", w)
	}
}

func TestALoopThatIsFullSaysSo(t *testing.T) {
	for bound, post := range map[int]func(l *scriptLoop) bool{
		allItems:    func(l *scriptLoop) bool { return l.Post(func() {}) == nil },
		clientItems: func(l *scriptLoop) bool { return sink{l}.Post(clientEvent{}) },
	} {
		l := &scriptLoop{wake: make(chan struct{}, 1)}
		for n := range bound {
			if !post(l) {
				t.Fatalf("full at %d of %d", n, bound)
			}
		}
		if post(l) || l.dropped != 1 {
			t.Fatalf("item %d was taken; %d are counted as lost", bound+1, l.dropped)
		}
	}
}

type clientEvent struct{}

func (clientEvent) LuaName() string { return "test" }
