package host

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// pageKey is a row of the table of keys of page Connection, Server configuration. What is accepted and refused is written
// as the file does.
type pageKey struct {
	key, kind, fallback string
	live                bool
	accepted, refused   []string
}

// bounded is a key of numbers from lo to hi: both are accepted, one beyond either is not.
func bounded(key string, fallback any, lo, hi int, live bool) pageKey {
	return pageKey{key, "integer", fmt.Sprint(fallback), live, []string{fmt.Sprint(lo), fmt.Sprint(hi)}, []string{fmt.Sprint(lo - 1), fmt.Sprint(hi + 1), "2.5"}}
}

// fraction is bounded of numbers that may have a fraction.
func fraction(key string, fallback any, lo, hi float64) pageKey {
	return pageKey{key, "number", fmt.Sprint(fallback), false, []string{fmt.Sprint(lo), fmt.Sprint(hi), fmt.Sprint(lo + 0.5)},
		[]string{fmt.Sprint(lo - 0.5), fmt.Sprint(hi + 0.5), "nan", "inf"}}
}

// sized is a key of strings from lo to hi bytes.
func sized(key, fallback string, lo, hi int, live bool) pageKey {
	k := pageKey{key, "string", fallback, live, []string{bytesOf(lo), bytesOf(hi)}, []string{bytesOf(hi + 1)}}
	if lo > 0 {
		k.refused = append(k.refused, bytesOf(lo-1))
	}
	return k
}

// chosen is a key of a few words, the first of which is the default.
func chosen(key string, words ...string) pageKey {
	k := pageKey{key, "string", fmt.Sprintf("%q", words[0]), true, nil, []string{`""`, `"Never"`, fmt.Sprintf("%q", words[0]+"x")}}
	for _, w := range words {
		k.accepted = append(k.accepted, fmt.Sprintf("%q", w))
	}
	return k
}

func flag(key string, fallback, live bool) pageKey {
	return pageKey{key, "boolean", fmt.Sprint(fallback), live, []string{"true", "false"}, []string{`"true"`, "1"}}
}

func bytesOf(n int) string { return `"` + strings.Repeat("x", n) + `"` }

// page is the table, in its order.
func page() []pageKey {
	name := func(n int) string { return `["` + strings.Repeat("x", n) + `"]` }
	rules := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%d = \"v\", ", i)
		}
		return "{ " + strings.TrimSuffix(b.String(), ", ") + " }"
	}
	return []pageKey{
		sized("server.name", `"My server"`, 1, 63, true),
		{"server.bind", "string", `"[::]"`, false, []string{`"0.0.0.0"`, `"[::1]"`, `"203.0.113.5"`}, []string{`""`, `"localhost"`, `"::x"`, `"127.0.0.1:80"`}},
		bounded("server.port", 7777, 1, 65535, false),
		bounded("server.max_players", 100, 1, 1000, false),
		sized("server.password", `""`, 0, 127, true),
		{"server.password_file", "string", `""`, true, []string{`""`}, []string{`"is-not-there"`}},
		sized("server.mode", `""`, 0, 63, true),
		sized("server.language", `""`, 0, 63, true),
		sized("server.website", `""`, 0, 63, true),
		{"server.resources_dir", "string", `"resources"`, false, []string{`"elsewhere"`}, []string{`""`}},
		{"server.start", "list of strings", `["*"]`, false, []string{`[]`, `["a", "*"]`}, []string{`"*"`, `[1]`}},
		bounded("files.port", "`server.port`", 1, 65535, false),
		bounded("connection.keepalive", 1000, 250, 5000, true),
		bounded("connection.timeout", 10000, 3000, 60000, true),
		bounded("connection.unconfirmed", 5000, 1000, 30000, true),
		bounded("connection.per_host", 4, 1, 1000, true),
		bounded("connection.attempts", 20, 1, 10000, true),
		bounded("connection.challenges", 5000, 100, 1000000, true),
		chosen("connection.address_change", "port", "never", "any"),
		chosen("connection.resend", "gap", "given"),
		flag("connection.fail_closed", false, true),
		bounded("names.min", 3, 1, 47, true),
		bounded("names.max", 24, 1, 47, true),
		chosen("names.alphabet", "ascii", "unicode"),
		{"names.reserved", "list of strings", `["server", "admin"]`, true, []string{"[]", name(1), name(47)}, []string{name(0), name(48), `"x"`}},
		flag("query.enabled", true, true),
		flag("query.players", true, true),
		chosen("query.challenge", "load", "always", "never"),
		bounded("query.per_host", 10, 1, 1000, true),
		bounded("query.answers", 2000, 1, 1000000, true),
		{"query.rules", "table of strings", "{}", true,
			[]string{"{}", rules(64), `{ ` + strings.Repeat("k", 32) + ` = "" }`, `{ "two words" = ` + bytesOf(127) + ` }`},
			[]string{rules(65), `{ ` + strings.Repeat("k", 33) + ` = "" }`, `{ "" = "x" }`, `{ k = ` + bytesOf(128) + ` }`, `{ k = 1 }`, `{ k = "a\nb" }`, `[]`}},
		{"bans.file", "string", `"bans.json"`, false, []string{`"other.json"`}, []string{`""`}},
		bounded("auth.timeout", 180, 10, 3600, true),
		bounded("auth.attempts", 5, 1, 100, true),
		chosen("auth.duplicate", "replace", "reject"),
		{"auth.providers[].name", "string", "required", true, []string{`"a"`, `"forum_2"`, bytesOf(24)}, []string{`""`, bytesOf(25), `"Forum"`, `"a:b"`}},
		{"auth.providers[].origins", "list of strings", "required", true, []string{`["https://a.example"]`,
			`["https://a.example", "https://b.example", "https://c.example", "https://d.example:8443"]`},
			[]string{`[]`, `["https://a.example/"]`, `["ftp://a.example"]`,
				`["https://a.example", "https://b.example", "https://c.example", "https://d.example", "https://e.example"]`}},
		sized("auth.providers[].issuer", "required", 1, 255, true),
		sized("auth.providers[].audience", "required", 1, 255, true),
		{"auth.providers[].jwks_url", "string", `""`, true, []string{`"https://id.example/jwks"`, `"http://127.0.0.1:80/jwks"`}, []string{`""`, `"http://id.example/jwks"`, `"x"`}},
		{"auth.providers[].jwks_file", "string", `""`, true, []string{`"keys.json"`}, []string{`""`}},
		{"auth.providers[].algorithms", "list of strings", `["RS256"]`, true, []string{`["EdDSA", "ES256", "RS256"]`}, []string{`[]`, `["none"]`, `["HS256"]`, `["rs256"]`}},
		{"auth.providers[].type", "string", `"JWT"`, true, []string{`"at+jwt"`}, []string{`""`}},
		bounded("auth.providers[].max_age", 600, 10, 86400, true),
		{"players.spawn.position", "list of numbers", "[2495.3, -1688.6, 13.7]", false, []string{"[0, 0, 0]", "[-20000, 20000, 1.5]"},
			[]string{"[0, 0]", "[0, 0, 0, 0]", "[-20001, 0, 0]", "[0, 20000.5, 0]", "[0, 0, nan]", `["0", 0, 0]`}},
		{"players.spawn.heading", "number", "0", false, []string{"0", "359.99"}, []string{"-1", "360"}},
		{"players.spawn.skin", "integer", "0", false, []string{"0", "312"}, []string{"-1", "313", "74"}},
		bounded("players.spawn.interior", 0, 0, 255, false),
		bounded("players.spawn.dimension", 0, 0, 65534, false),
		bounded("players.respawn_delay", 3000, 0, 60000, false),
		fraction("players.stream_distance", 300, 50, 1000),
		bounded("players.max_streamed", 200, 1, 1000, false),
		fraction("players.movement_limit", 100, 0, 1000),
		flag("players.entrances", true, false),
		bounded("vehicles.max", 2000, 0, 20000, false),
		fraction("vehicles.stream_distance", 300, 50, 1000),
		bounded("vehicles.max_streamed", 250, 1, 1000, false),
		fraction("vehicles.syncer_distance", 100, 20, 300),
		fraction("vehicles.max_speed", 150, 10, 1000),
		fraction("vehicles.max_speed_empty", 100, 10, 1000),
		fraction("vehicles.remote_range", 300, 50, 1000),
		flag("vehicles.auto_engine", true, false),
		{"vehicles.wreck_after", "integer", "10000", false, []string{"0", "1000", "86400000"}, []string{"-1", "1", "999", "86400001", `"0"`}},
		{"world.time", "string", `"12:00"`, false, []string{`"00:00"`, `"23:59"`}, []string{`""`, `"24:00"`, `"12:60"`, `"7:30"`, `"12:00:00"`, "07:30:00"}},
		flag("world.running", true, false),
		bounded("world.minute_ms", 1000, 50, 3600000, false),
		bounded("world.weather", 10, 0, 255, false),
		{"world.garages_open", "list of integers", "[]", false, []string{"[]", "[0, 49]"}, []string{"[-1]", "[50]", "[1.5]", "5"}},
		bounded("chat.max_length", 128, 1, 128, true),
		{"chat.radius", "number", "0", true, []string{"0", "20000", "12.5"}, []string{"-1", "20000.5", "nan"}},
		flag("chat.bubbles", false, true),
		bounded("chat.burst", 4, 1, 100, true),
		bounded("chat.interval", 1500, 0, 60000, true),
		bounded("chat.command_burst", 8, 1, 100, true),
		bounded("chat.command_rate", 4, 1, 100, true),
		{"permissions.resources.NAME", "list of strings", "[]", true, []string{"[]", `["bans", "server", "resources", "editor"]`}, []string{`["ban"]`, `"bans"`}},
		{"permissions.players.NAME", "list of strings", "[]", true, []string{"[]", `["police"]`}, []string{`[""]`, `"police"`}},
		{"resources.NAME", "table of values", "{}", false, []string{"{}", "{ starting_money = 500 }"}, []string{"5", "[]"}},
	}
}

// beside are the keys that the page does not have.
var beside = []string{"auth.providers[]", "permissions.groups.NAME", "permissions.names.NAME"}

// TestPageHasEveryKey compares keys, types, defaults, and what is taken over while the server runs.
func TestPageHasEveryKey(t *testing.T) {
	c := Defaults()
	rows := make(map[string]pageKey)
	for _, e := range c.table().Rows() {
		rows[e.Key] = pageKey{key: e.Key, kind: e.Type, fallback: e.Default, live: e.Live}
	}
	for _, want := range page() {
		got, ok := rows[want.key]
		if delete(rows, want.key); !ok {
			t.Errorf("there is no key %s", want.key)
		} else if got.kind != want.kind || got.fallback != want.fallback || got.live != want.live {
			t.Errorf("%s is %s, %s, live %v; want %s, %s, live %v", want.key, got.kind, got.fallback, got.live, want.kind, want.fallback, want.live)
		}
	}
	for key := range rows {
		if !slices.Contains(beside, key) {
			t.Errorf("the page has no key %s", key)
		}
	}
}

// fileWith is a server.toml in which a key has a value, and the line that it stands on.
func fileWith(key, value string) (text string, line int) {
	if name, ok := strings.CutPrefix(key, "auth.providers[]."); ok {
		provider := [][2]string{{"name", `"forum"`}, {"origins", `["https://id.example"]`}, {"issuer", `"https://id.example"`}, {"audience", `"me"`}}
		if name != "jwks_file" && name != "jwks_url" {
			provider = append(provider, [2]string{"jwks_file", `"keys.json"`})
		}
		text = "[[auth.providers]]\n" + name + " = " + value + "\n"
		for _, p := range provider {
			if p[0] != name {
				text += p[0] + " = " + p[1] + "\n"
			}
		}
		return text, 2
	}
	key = strings.Replace(key, "permissions.players.NAME", `permissions.players."forum:1"`, 1)
	key = strings.Replace(key, "NAME", "shop", 1)
	text = "# one line above\n" + key + " = " + value + "\n"
	switch key { // what belongs together
	case "connection.keepalive":
		text += "connection.timeout = 60000\n"
	case "connection.timeout":
		text += "connection.keepalive = 250\n"
	case "names.min":
		text += "names.max = 47\n"
	case "names.max":
		text += "names.min = 1\n"
	}
	return text, 2
}

// TestPageBounds tries each key at its bounds, one beyond, and with values of other types. A fault names line and key.
func TestPageBounds(t *testing.T) {
	for _, k := range page() {
		for _, value := range k.accepted {
			text, _ := fileWith(k.key, value)
			if _, fault := read(t, text); fault != "" {
				t.Errorf("%s = %s: %s", k.key, value, fault)
			}
		}
		name := k.key[strings.LastIndexAny(k.key, ".")+1:]
		for _, value := range append(k.refused, "1979-05-27", "[[]]", `{ a = 1 }`) {
			if value == `{ a = 1 }` && strings.HasPrefix(k.kind, "table") {
				continue
			}
			text, line := fileWith(k.key, value)
			_, fault := read(t, text)
			if !strings.HasPrefix(fault, fmt.Sprintf("server.toml:%d: ", line)) || name != "NAME" && !strings.Contains(fault, name) {
				t.Errorf("%s = %s: %q", k.key, value, fault)
			}
		}
	}
}

// TestPageMisspelt: an unknown key is told with the nearest one, an unknown table too.
func TestPageMisspelt(t *testing.T) {
	for _, k := range page() {
		table, name, _ := strings.Cut(k.key, ".")
		if strings.ContainsAny(k.key, "[]") || strings.Contains(k.key, "NAME") || strings.Contains(name, ".") || name == "max" || name == "min" {
			continue
		}
		if _, fault := read(t, fmt.Sprintf("[%s]\n%sx = 1\n", table, name)); fault != fmt.Sprintf("server.toml:2: unknown key %q in [%s]; did you mean %q?", name+"x", table, name) {
			t.Errorf("%sx: %s", k.key, fault)
		}
		if _, fault := read(t, fmt.Sprintf("\n[%sx]\n%s = 1\n", table, name)); fault != fmt.Sprintf("server.toml:2: unknown key %q; did you mean %q?", table+"x", table) {
			t.Errorf("[%sx]: %s", table, fault)
		}
	}
}

// TestNeedRestart names what of a file a running server has not taken over.
func TestNeedRestart(t *testing.T) {
	was := Defaults()
	for _, k := range page() {
		for _, value := range k.accepted {
			text, _ := fileWith(k.key, value)
			c, fault := read(t, text)
			if fault != "" || value == k.fallback || strings.Contains(k.key, "NAME") {
				continue
			}
			got := strings.Join(c.table().NeedRestart(was.table()), " ")
			want := k.key
			if k.live || strings.HasPrefix(k.key, "vehicles.") || strings.HasPrefix(k.key, "world.") {
				want = ""
			}
			if got != want {
				t.Errorf("%s = %s: a restart for %q, want %q", k.key, value, got, want)
			}
		}
	}
}
