package strict

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

type provider struct {
	Name       string
	Origins    []string
	Algorithms []string
}

type config struct {
	Name      string
	Port      uint16
	Keepalive time.Duration
	Resend    string
	Players   bool
	Distance  float64
	Reserved  []string
	Garages   []int
	Rules     map[string]string
	Spawn     []float64
	Providers []provider
	Allowed   map[string][]string
	Resources map[string]map[string]Found
}

// table declares a file with every kind of key that server.toml has.
func (c *config) table() Table {
	word := Check("[a-z0-9_]", func(s string) error {
		if !regexp.MustCompile(`^[a-z0-9_]*$`).MatchString(s) {
			return fmt.Errorf("%q must be of a-z, 0-9 and _", s)
		}
		return nil
	})
	*c = config{Name: "My server", Port: 7777, Keepalive: time.Second, Resend: "gap", Distance: 300,
		Reserved: []string{"server", "admin"}, Spawn: []float64{1, 2, 3}}
	return Table{
		Key("server.name", String(&c.Name, Bytes(1, 63)), "shown in lists").Live(),
		Key("server.port", Integer(&c.Port, 1, 65535), "UDP"),
		Key("connection.keepalive", Milliseconds(&c.Keepalive, 250, 5000), "ms").Live(),
		Key("connection.resend", Choice(&c.Resend, "gap", "given"), "the lane's sender"),
		Key("query.players", Boolean(&c.Players), "whether the list has names"),
		Key("query.rules", ByName(&c.Rules, 2, Bytes(1, 8), func(s *string) Value { return String(s, Bytes(0, 5)) }), "for lists"),
		Key("players.stream_distance", Number(&c.Distance, 50, 1000), "metres"),
		Key("players.spawn.position", List(&c.Spawn, 3, 3, func(f *float64) Value { return Number(f, -20000, 20000) }), "where"),
		Key("names.reserved", Strings(&c.Reserved, Characters(1, 9)), "nobody's names"),
		Key("world.garages_open", List(&c.Garages, 0, 50, func(i *int) Value { return Integer(i, 0, 49) }), "open at the start"),
		Key("auth.providers", Tables(&c.Providers, 0, 2, func(p *provider) Table {
			p.Algorithms = []string{"RS256"}
			return Table{
				Key("name", String(&p.Name, word, Bytes(1, 24)), "before the colon").Required(),
				Key("origins", List(&p.Origins, 1, 4, func(s *string) Value { return String(s) }), "sites").Required(),
				Key("algorithms", List(&p.Algorithms, 1, 3, func(s *string) Value { return Choice(s, "RS256", "ES256") }), "of signatures"),
			}
		}), "who signs in"),
		Key("permissions.resources", ByName(&c.Allowed, math.MaxInt, word, func(l *[]string) Value { return Strings(l) }), "what each may do"),
		Key("resources", ByName(&c.Resources, math.MaxInt, AnyName, func(m *map[string]Found) Value {
			return ByName(m, math.MaxInt, AnyName, Later)
		}), "settings"),
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, toml string
		want       string // lines, without the file's name
	}{
		{"unknown key in a table", "[server]\nnmae = \"x\"", `2: unknown key "nmae" in [server]; did you mean "name"?`},
		{"unknown table", "[servr]\nname = \"x\"", `1: unknown key "servr"; did you mean "server"?`},
		{"key of another table", "port = 1\n[server]", `1: unknown key "port"; it belongs in [server]`},
		{"nothing near, few keys", "[server]\nbanana = 1", `2: unknown key "banana" in [server]; there is "name" and "port"`},
		{"other case", "[server]\nName = \"x\"", `2: unknown key "Name" in [server]; did you mean "name"?`},
		{"two cases", "[server]\nname = \"x\"\n\nName = \"y\"", `4: keys "name" (line 2) and "Name" in [server] differ in case only; keep one`},
		{"two cases of a table", "[server]\n[Server]\n", `2: keys "server" (line 1) and "Server" differ in case only; keep one`},
		{"two unknown cases", "[server]\nxxxxx = 1\nXxxxx = 1", `3: keys "xxxxx" (line 2) and "Xxxxx" in [server] differ in case only; keep one`},
		{"string for integer", "[server]\nport = \"7777\"", `2: server.port must be an integer, not the string "7777"`},
		{"fraction for integer", "[server]\nport = 1.5", `2: server.port must be an integer, not the number 1.5`},
		{"over the range", "server.port = 99999", `1: server.port must be 1..65535, not 99999`},
		{"below the range", "server.port = 0", `1: server.port must be 1..65535, not 0`},
		{"over int64", "server.port = 9223372036854775808", `1: 9223372036854775808 is out of range for int64 (after the key "server.port")`},
		{"a time", "connection.keepalive = 100", `1: connection.keepalive must be 250..5000, not 100`},
		{"nan", "[players]\nstream_distance = nan", `2: players.stream_distance must be a finite number, not nan`},
		{"inf", "[players]\nstream_distance = -inf", `2: players.stream_distance must be a finite number, not -inf`},
		{"number out of range", "[players]\nstream_distance = 1e3\nspawn.position = [1, 2, 2e4]", ""},
		{"number over the range", "players.stream_distance = 1000.5", `1: players.stream_distance must be 50..1000, not 1000.5`},
		{"bytes", "server.name = \"\"", `1: server.name must have 1..63 bytes, not 0`},
		{"characters", "names.reserved = [\"ok\",\n  \"лавка\", \"0123456789\"]", `2: names.reserved[2] must have 1..9 characters, not 10`},
		{"choice", "connection.resend = \"gab\"", `1: connection.resend must be "gap" or "given", not "gab"`},
		{"choice of another type", "connection.resend = 1", `1: connection.resend must be "gap" or "given", not the integer 1`},
		{"boolean", "query.players = \"yes\"", `1: query.players must be true or false, not the string "yes"`},
		{"date", "server.port = 2024-05-01", `1: server.port must be an integer, not a date or time`},
		{"table for value", "[server.port]\nx = 1", `1: server.port must be an integer, not a table`},
		{"value for table", "server = 1", `1: server must be a table, not the integer 1`},
		{"list for table", "[[server]]", `1: server must be a table, not a list`},
		{"value for list", "names.reserved = \"x\"", `1: names.reserved must be a list, not the string "x"`},
		{"table for list", "[names.reserved]", `1: names.reserved must be a list, not a table`},
		{"item of a wrong type", "world.garages_open = [\n  1,\n  2, # two\n  \"3\",\n]", `4: world.garages_open[2] must be an integer, not the string "3"`},
		{"too few items", "players.spawn.position = [1, 2]", `1: players.spawn.position must have 3 entries, not 2`},
		{"too many tables", "[[auth.providers]]\nname=\"a\"\norigins=[\"x\"]\n[[auth.providers]]\nname=\"b\"\norigins=[\"x\"]\n[[auth.providers]]\nname=\"c\"\norigins=[\"x\"]",
			`1: auth.providers must have 0..2 entries, not 3`},
		{"missing keys", "[[auth.providers]]\nname = \"forum\"\n\n[[auth.providers]]\norigins = []",
			"1: missing key \"origins\" in auth.providers[0]\n4: missing key \"name\" in auth.providers[1]\n5: auth.providers[1].origins must have 1..4 entries, not 0"},
		{"inside an inline table", "[auth]\nproviders = [\n  { name = \"a\", origins = [\"x\"] },\n  { name = \"b\", origins = [\"x\"], issuer = \"y\" },\n]",
			`4: unknown key "issuer" in auth.providers[1]; there is "name", "origins" and "algorithms"`},
		{"own check", "[[auth.providers]]\nname = \"Forum\"\norigins = [\"x\"]", `2: auth.providers[0].name: "Forum" must be of a-z, 0-9 and _`},
		{"name by rule", "[permissions.resources]\nadmin = [\"bans\"]\n\"a b\" = []", `3: a name in [permissions.resources]: "a b" must be of a-z, 0-9 and _`},
		{"too many names", "query.rules = { a = \"1\", b = \"2\", c = \"3\" }", `1: query.rules must have at most 2 keys, not 3`},
		{"value by name", "[query.rules]\na = \"1\"\n'b.c' = \"123456\"", `3: query.rules."b.c" must have 0..5 bytes, not 6`},
		{"several at once", "[server]\nport = 0\nnaem = \"\"\n[query]\nplayers = 1",
			"2: server.port must be 1..65535, not 0\n3: unknown key \"naem\" in [server]; did you mean \"name\"?\n5: query.players must be true or false, not the integer 1"},
		{"after long strings", "[server]\nname = \"\"\"\na # [x]\n\\\"\"\" \"\"\"\"\"\nport = 0", "5: server.port must be 1..65535, not 0"},
		{"after a literal string", "[server]\nname = '''\\\n'''\nport = 0", "4: server.port must be 1..65535, not 0"},
		{"escaped key", "[server]\n\"p\\u006frt\" = 0", "2: server.port must be 1..65535, not 0"},
		{"syntax", "[server]\nname = \n", "2: expected value but found '\\n' instead (after the key \"server.name\")"},
		{"open string", "[server]\n\nname = \"x\n", "3: strings cannot contain newlines (after the key \"server.name\")"},
		{"twice", "[server]\nport = 1\nport = 2", "3: Key 'server.port' has already been defined."},
		{"CRLF", "[server]\r\nport = 1\r\nnaem = 1\r\n", `3: unknown key "naem" in [server]; did you mean "name"?`},
		{"BOM", "\ufeff[server]\nport = 0", `2: server.port must be 1..65535, not 0`},
		{"whole", "[server]\nname='x'\n[players]\nspawn={position=[1,2,3]}\n[resources.shop]\nmoney=500", ""},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var cfg config
			_, faults := cfg.table().Read("server.toml", []byte(c.toml))
			var want []string
			for _, line := range strings.Split(c.want, "\n") {
				if line != "" {
					want = append(want, "server.toml:"+line)
				}
			}
			if got := faults.Error(); got != strings.Join(want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
			}
		})
	}
}

func TestUTF16(t *testing.T) {
	for _, mark := range []string{"\ufeff", ""} {
		for _, big := range []bool{true, false} {
			var data []byte
			for _, u := range utf16.Encode([]rune(mark + "[server]\n")) {
				if big {
					data = append(data, byte(u>>8), byte(u))
				} else {
					data = append(data, byte(u), byte(u>>8))
				}
			}
			_, faults := new(config).table().Read("server.toml", data)
			want := `server.toml:1: is saved as UTF-16; save it as UTF-8 (editors have it under "Save with encoding")`
			if faults.Error() != want {
				t.Errorf("mark %q, big %v: %v", mark, big, faults)
			}
		}
	}
}

func TestTooLarge(t *testing.T) {
	_, faults := new(config).table().Read("server.toml", make([]byte, MaxFile+1))
	if got := faults.Error(); got != "server.toml: has 262145 bytes; at most 262144 are read" {
		t.Error(got)
	}
}

func TestValues(t *testing.T) {
	var c config
	file, faults := c.table().Read("server.toml", []byte(`
server = { name = "Best", port = 7000 }
[connection]
keepalive = 500
resend = "given"
[query]
players = true
rules = { discord = "x" }
[players]
stream_distance = 200
[permissions.resources]
admin = ["bans", "server"]
[[auth.providers]]
name = "forum"
origins = ["https://a"]
[resources.shop]
starting_money = 500
`))
	if faults != nil {
		t.Fatal(faults)
	}
	if c.Name != "Best" || c.Port != 7000 || c.Keepalive != 500*time.Millisecond || c.Resend != "given" || !c.Players ||
		c.Distance != 200 || c.Rules["discord"] != "x" || len(c.Allowed["admin"]) != 2 ||
		c.Providers[0].Name != "forum" || c.Providers[0].Algorithms[0] != "RS256" || len(c.Reserved) != 2 {
		t.Errorf("got %+v", c)
	}
	if !file.Has("auth.providers[0].name") || file.Has("auth.providers[1].name") || file.Has("server.bind") {
		t.Error("Has is wrong")
	}
	if got := file.Fault("auth.providers[0].origins", "no").String(); got != "server.toml:15: no" {
		t.Error(got)
	}
	var money int
	found := c.Resources["shop"]["starting_money"]
	if faults := found.Read(Integer(&money, 0, 400)); faults.Error() != "server.toml:17: resources.shop.starting_money must be 0..400, not 500" {
		t.Error(faults)
	}
	if faults := found.Read(Integer(&money, 0, 600)); faults != nil || money != 500 {
		t.Error(faults, money)
	}
}

func TestTwiceDeclared(t *testing.T) {
	for _, names := range [][2]string{{"a", "a"}, {"a.b", "a.b"}, {"a", "a.b"}, {"a.b", "a"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is accepted", names)
				}
			}()
			var b bool
			_, _ = Table{Key(names[0], Boolean(&b), ""), Key(names[1], Boolean(&b), "")}.Read("x", nil)
		}()
	}
}

func TestMarkdown(t *testing.T) {
	var b strings.Builder
	if err := new(config).table().Markdown(&b); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "reference.md")
	if os.Getenv("UPDATE") != "" {
		_ = os.MkdirAll("testdata", 0o755)
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("the reference has changed (UPDATE=1 writes it):\n%s", b.String())
	}
}

// FuzzRead holds that whatever the library accepts has exactly its keys in the tree of positions, each on a line of the
// file that has it, and that nothing panics.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"[server]\nname = \"x\" # c\nport = 1\n", "a.b = {c = [1, 2, {d = 3}]}\n[[x.y]]\nz=1\n[[x.y]]\n[x.y.w]\nq=1",
		"a = \"\"\"x\n\\\"\"\"\"\"\"\nb = '''y\n''''\n", "\"a\\\"b\" = 1\n'c d' = 2\n", "a = [ # c\n1, # ]\n]\n", "a = 1979-05-27 07:32:00Z\n",
		"[ a . b ]\nc = +inf\n[[ d ]]\n", "\ufeffa = 1\r\n", "a = [[[]], [{}]]", "[a.b]\n[a]\nc = 1", "a = { b = 1,\n c = 2,\n}", "\x00a\x00=",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, faults := parse("f", data)
		if faults != nil {
			if len(faults) != 1 || faults[0].Line < 0 || faults[0].Text == "" {
				t.Fatalf("%q: %v", data, faults)
			}
			return
		}
		text := strings.TrimPrefix(string(data), "\ufeff")
		scanned, lines := scan(text), strings.Count(text, "\n")+1
		same(t, text, scanned, root, lines, "")
		_, _ = new(config).table().Read("f", data)
	})
}

// same compares what the scanner saw with what the library decoded.
func same(t *testing.T, text string, scanned, decoded *node, lines int, at string) {
	if scanned.line < 1 || scanned.line > lines {
		t.Fatalf("%q: %s is on line %d of %d", text, at, scanned.line, lines)
	}
	if len(scanned.keys) != len(decoded.keys) || len(scanned.items) != len(decoded.items) {
		t.Fatalf("%q: %q has keys %q and %d items, the library says %q and %d", text, at,
			scanned.order, len(scanned.items), decoded.order, len(decoded.items))
	}
	for name, n := range decoded.keys {
		if scanned.keys[name] == nil {
			t.Fatalf("%q: %s lacks %q", text, at, name)
		}
		same(t, text, scanned.keys[name], n, lines, join(at, name))
	}
	for i, n := range decoded.items {
		same(t, text, scanned.items[i], n, lines, at+"[]")
	}
}
