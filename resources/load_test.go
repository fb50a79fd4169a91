package resources

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"darqline/resources/strict"
)

const good = `description = "A clothes shop"
version = "1.2.0"
entry = "src/main.lua"
requires = ["bank"]

[client]
files = ["shop.html", "img/coin.png"]

[maps]
autoload = ["town"]
editable = true

[settings.money]
type = "integer"
default = 500
min = 0
help = "Money"

[settings.greeting]
type = "string"
default = "hi"
max = 5
`

var goodFiles = map[string]string{
	"src/main.lua": "x = 1", "lib/util.lua": "return 1", ".hidden/x.lua": "", ".x.lua": "", "shop.html": "<p>", "img/coin.png": "png",
	"maps/town.json": "{}",
}

func memory(manifest string, files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{ManifestName: {Data: []byte(manifest)}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestLoad(t *testing.T) {
	b, faults := load("shop", "/r/shop", memory(good, goodFiles), map[string]strict.Found{"money": found("shop.money", 7)})
	if faults != nil {
		t.Fatal(faults)
	}
	if b.Description != "A clothes shop" || b.Version != "1.2.0" || b.Entry != "src/main.lua" || !reflect.DeepEqual(b.Requires, []string{"bank"}) {
		t.Errorf("got %+v", b)
	}
	if len(b.Scripts) != 2 || string(b.Scripts["lib/util.lua"]) != "return 1" {
		t.Errorf("scripts %q", b.Scripts)
	}
	if len(b.ClientFiles) != 2 || b.ClientFiles[0].Path != "shop.html" || fmt.Sprintf("%x", b.ClientFiles[0].Hash[:4]) != "33f27994" {
		t.Errorf("client files %+v", b.ClientFiles)
	}
	if !reflect.DeepEqual(b.Settings, map[string]any{"money": int64(7), "greeting": "hi"}) {
		t.Errorf("settings %#v", b.Settings)
	}
	if !reflect.DeepEqual(b.Maps, &Maps{Dir: "maps", Autoload: []string{"town"}, Editable: true}) {
		t.Errorf("maps %+v", b.Maps)
	}
}

func TestDigest(t *testing.T) {
	digest := func(change string, text string) [32]byte {
		fsys := memory(good, goodFiles)
		if change != "" {
			fsys[change] = &fstest.MapFile{Data: []byte(text)}
		}
		b, _ := load("shop", "", fsys, nil)
		return b.Digest
	}
	was := digest("", "")
	for _, c := range []struct {
		file, text string
		changes    bool
	}{
		{"src/main.lua", "x = 1", false},
		{"src/main.lua", "x = 2", true},
		{"lib/util.lua", "return 2", true},
		{"lib/other.lua", "", true},
		{"shop.html", "<p>", false},
		{"shop.html", "<b>", true},
		{ManifestName, good + "#", true},
		{"maps/town.json", "[]", false},
		{"maps/city.json", "[]", false},
		{"README.md", "x", false},
		{"other.html", "x", false},
		{".git/x.lua", "x", false},
		{"src/main.lua~", "x", false},
	} {
		if changed := digest(c.file, c.text) != was; changed != c.changes {
			t.Errorf("%s = %q changes the digest: %v", c.file, c.text, changed)
		}
	}
}

func TestLoadFaults(t *testing.T) {
	big := strings.Repeat("x", MaxClientFile+1)
	lua := map[string]string{"main.lua": ""}
	with := func(pairs ...string) map[string]string {
		files := map[string]string{"main.lua": ""}
		for i := 0; i < len(pairs); i += 2 {
			files[pairs[i]] = pairs[i+1]
		}
		return files
	}
	many := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("%q", fmt.Sprintf("%d.css", i))
		}
		return "[client]\nfiles = [" + strings.Join(list, ", ") + "]"
	}
	for _, c := range []struct {
		name, manifest string
		files          map[string]string
		want           string
	}{
		{"nothing wrong", "", lua, ""},
		{"unknown key", "descripton = \"\"\n", lua, `resource.toml:1: unknown key "descripton"; did you mean "description"?`},
		{"key of [client] at the top", "files = []", lua, `resource.toml:1: unknown key "files"; it belongs in [client]`},
		{"fiels", "[client]\n\nfiels = []", lua, `resource.toml:3: unknown key "fiels" in [client]; did you mean "files"?`},
		{"files and Files", "[client]\nfiles = []\nFiles = [\"a.css\"]", lua,
			`resource.toml:3: keys "files" (line 2) and "Files" in [client] differ in case only; keep one`},
		{"syntax", "entry = main.lua", lua, `resource.toml:1: expected value but found "main" instead (after the key "entry")`},
		{"entry missing", "", nil, `resource.toml:1: entry "main.lua" does not exist; the resource has no Lua file`},
		{"entry misspelled", "\nentry = \"mian.lua\"", lua, `resource.toml:2: entry "mian.lua" does not exist; did you mean "main.lua"?`},
		{"entry outside", "entry = \"../main.lua\"", lua, `resource.toml:1: entry: "../main.lua" leads out of the resource's folder`},
		{"entry deeper outside", "entry = \"a/../../main.lua\"", lua, `resource.toml:1: entry: "a/../../main.lua" leads out of the resource's folder`},
		{"entry absolute", "entry = \"/etc/main.lua\"", lua, `resource.toml:1: entry: "/etc/main.lua" must be a path in the resource's folder, not an absolute one`},
		{"entry on a drive", "entry = \"c:/main.lua\"", lua, `resource.toml:1: entry: "c:/main.lua" must be a path in the resource's folder, not an absolute one`},
		{"entry with backslash", `entry = 'src\main.lua'`, lua, `resource.toml:1: entry: "src\\main.lua" must have / where it has \`},
		{"entry of another kind", "entry = \"main.js\"", lua, `resource.toml:1: entry: "main.js" must end in .lua`},
		{"entry of a wrong type", "entry = 1", lua, `resource.toml:1: entry must be a string, not the integer 1`},
		{"requires of a bad name", "requires = [\n\"bank\",\n\"Bank\"]", lua,
			`resource.toml:3: requires[1]: 'B' in the resource's name "Bank" is not of a-z 0-9 _ -`},
		{"requires twice", "requires = [\"a\", \"a\"]", lua, `resource.toml:1: requires[1] "a" is already there, as requires[0]`},
		{"requires itself", "requires = [\"shop\"]", lua, `resource.toml:1: requires[0] is the resource itself`},
		{"client path in capitals", "[client]\nfiles = [\n  \"a.css\",\n  \"Shop.html\",\n]", with("a.css", ""),
			`resource.toml:4: client.files[1]: 'S' in "Shop.html" is not of a-z 0-9 _ . - /`},
		{"client path outside", "[client]\nfiles = [\"../a.css\"]", lua, `resource.toml:2: client.files[0]: "../a.css" has a segment ".."`},
		{"client file of no known kind", "[client]\nfiles = [\"a.exe\"]", with("a.exe", ""),
			`resource.toml:2: client.files[0]: "a.exe" has the extension "exe"; use one of html, js, css, json, png, jpg, webp, svg, woff2, ttf`},
		{"client file missing", "[client]\nfiles = [\"shop.htm.html\", \"shop.htlm.css\"]", with("shop.html", "", "shop.css", ""),
			"resource.toml:2: client.files[0] \"shop.htm.html\" does not exist; there is \"shop.css\" and \"shop.html\"\n" +
				"resource.toml:2: client.files[1] \"shop.htlm.css\" does not exist; there is \"shop.css\" and \"shop.html\""},
		{"client file misspelled", "[client]\nfiles = [\"shpo.css\"]", with("shop.css", ""),
			`resource.toml:2: client.files[0] "shpo.css" does not exist; did you mean "shop.css"?`},
		{"client file is a folder", "[client]\nfiles = [\"a.css\"]", with("a.css/b", ""), `resource.toml:2: client.files[0] "a.css" is not a file`},
		{"client file twice", "[client]\nfiles = [\"a.css\", \"a.css\"]", with("a.css", ""),
			`resource.toml:2: client.files[1] "a.css" is already there, as client.files[0]`},
		{"client file of 4 MiB", "[client]\nfiles = [\"a.css\"]", with("a.css", big[1:]), ""},
		{"client file of 4 MiB and a byte", "[client]\nfiles = [\"a.css\"]", with("a.css", big),
			`resource.toml:2: client.files[0] "a.css" has 4194305 bytes; at most 4194304 (4 MiB)`},
		{"16 MiB and a byte", "[client]\nfiles = [\"0.css\", \"1.css\", \"2.css\", \"3.css\", \"4.css\"]",
			with("0.css", big[1:], "1.css", big[1:], "2.css", big[1:], "3.css", big[1:], "4.css", "x"),
			`resource.toml:2: client.files have 16777217 bytes together; at most 16777216 (16 MiB)`},
		{"65 files", many(65), lua, `resource.toml:2: client.files must have 0..64 entries, not 65`},
		{"a map that is not there", "[maps]\nautoload = [\"twon\"]", with("maps/town.json", ""),
			`resource.toml:2: maps.autoload[0]: there is no map maps/twon.json; did you mean "town"?`},
		{"maps outside", "[maps]\ndir = \"..\"", lua, `resource.toml:2: maps.dir: ".." leads out of the resource's folder`},
		{"setting without a type", "[settings.money]\ndefault = 1", lua, `resource.toml:1: missing key "type" in [settings.money]`},
		{"setting of no type", "[settings.money]\ntype = \"int\"\ndefault = 1", lua,
			`resource.toml:2: settings.money.type must be "boolean", "integer", "number" or "string", not "int"`},
		{"setting of a bad name", "[settings.\"starting money\"]\ntype = \"integer\"", lua,
			`resource.toml:1: a name in [settings]: "starting money" must be 1..31 of a-z, 0-9 and _, and not begin with a digit`},
		{"default of another type", "[settings.a]\ntype = \"integer\"\ndefault = \"x\"", lua,
			`resource.toml:3: settings.a.default must be an integer, not the string "x"`},
		{"default out of range", "[settings.a]\ntype = \"integer\"\ndefault = 5\nmax = 4", lua,
			`resource.toml:3: settings.a.default must be -9007199254740992..4, not 5`},
		{"default nan", "[settings.a]\ntype = \"number\"\ndefault = nan", lua, `resource.toml:3: settings.a.default must be a finite number, not nan`},
		{"default below", "[settings.a]\ntype = \"number\"\nmin = 1\ndefault = 0.5", lua, `resource.toml:4: settings.a.default must be 1 or more, not 0.5`},
		{"min not of the type", "[settings.a]\ntype = \"integer\"\ndefault = 5\nmax = 4.5", lua, `resource.toml:4: settings.a.max must be an integer, not the number 4.5`},
		{"min above max", "[settings.a]\ntype = \"number\"\ndefault = 5\nmin = 2\nmax = 1", lua, `resource.toml:4: min is above max`},
		{"boolean with a max", "[settings.a]\ntype = \"boolean\"\ndefault = true\nmax = 1", lua, `resource.toml:4: a boolean has no min and no max`},
		{"string too long", "[settings.a]\ntype = \"string\"\ndefault = \"лавка\"\nmax = 4", lua, `resource.toml:3: settings.a.default must have 0..4 characters, not 5`},
		{"no default and no value", "[settings.a]\ntype = \"string\"", lua,
			`resource.toml:1: setting "a" has no default, so the host must set it: a = ... under [resources.shop] in server.toml`},
		{"script of 256 KiB and a byte", "", with("x.lua", big[:MaxScript+1]), `x.lua: has 262145 bytes; at most 262144 (256 KiB)`},
		{"script in UTF-16", "", map[string]string{"main.lua": "\xff\xfep\x00r\x00"},
			`main.lua:1: is saved as UTF-16; save it as UTF-8 (editors have it under "Save with encoding")`},
		{"manifest in UTF-16", "\xff\xfee\x00", lua, `resource.toml:1: is saved as UTF-16; save it as UTF-8 (editors have it under "Save with encoding")`},
		{"several", "entry = \"x.lua\"\nverion = \"1\"\n[client]\nfiles = [\"a.css\"]", lua,
			"resource.toml:1: entry \"x.lua\" does not exist; there is \"main.lua\"\nresource.toml:2: unknown key \"verion\"; did you mean \"version\"?\n" +
				"resource.toml:4: client.files[0] \"a.css\" does not exist"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, faults := load("shop", "", memory(c.manifest, c.files), nil)
			var want []string
			for _, line := range strings.Split(c.want, "\n") {
				if line != "" {
					want = append(want, "shop/"+line)
				}
			}
			expect(t, "faults", faults.Error(), strings.Join(want, "\n"))
		})
	}
}

func TestHostSettings(t *testing.T) {
	var set map[string]map[string]strict.Found
	table := strict.Table{strict.Key("resources", strict.ByName(&set, math.MaxInt, strict.AnyName, func(m *map[string]strict.Found) strict.Value {
		return strict.ByName(m, math.MaxInt, strict.AnyName, strict.Later)
	}), "")}
	if _, faults := table.Read("server.toml", []byte("[resources.shop]\nmoney = -1\ngreting = \"x\"\ngreeting = \"too long\"\n")); faults != nil {
		t.Fatal(faults)
	}
	_, faults := load("shop", "", memory(good, goodFiles), set["shop"])
	expect(t, "faults", faults.Error(), `server.toml:2: resources.shop.money must be 0..9007199254740992, not -1
server.toml:3: resource "shop" has no setting "greting"; did you mean "greeting"?
server.toml:4: resources.shop.greeting must have 0..5 characters, not 8`)
}

func TestScriptText(t *testing.T) {
	for given, want := range map[string]string{
		"print(1)":                         "print(1)",
		"\ufeffprint(1)":                   "print(1)",
		"#!/usr/bin/lua\nprint(1)":         "\nprint(1)",
		"\ufeff#!/usr/bin/lua\r\nprint(1)": "\nprint(1)",
		"#!/usr/bin/lua":                   "",
		"":                                 "",
	} {
		b, faults := load("shop", "", memory("", map[string]string{"main.lua": given}), nil)
		if got := string(b.Scripts["main.lua"]); faults != nil || got != want {
			t.Errorf("%q: got %q, %v", given, got, faults)
		}
	}
}

// TestLinks holds that no link leads out of a resource, and that a folder which is itself a link is followed.
func TestLinks(t *testing.T) {
	w := newWorld(t, map[string]string{"shop/resource.toml": "[client]\nfiles = [\"in.css\", \"out.css\"]", "shop/main.lua": "", "shop/real.css": "x"})
	outside := filepath.Join(t.TempDir(), "secret.css")
	if err := os.WriteFile(outside, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, link := range [][2]string{
		{outside, "shop/out.css"}, {outside, "shop/lib.lua"}, {"real.css", "shop/in.css"},
		{w.path("shop"), "linked"}, {w.path("nowhere"), "broken"}, {"circle", "circle"}, {outside, "file"},
	} {
		if err := os.Symlink(link[0], w.path(link[1])); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	_, faults, err := Check(w.config, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := "is a link that leads out of the resource's folder; put the file itself there"
	expect(t, "faults", faults.Error(), strings.Join([]string{
		"broken: not a resource: it is a link to a folder that does not exist; mend or remove it",
		"circle: not a resource: it cannot be read: too many levels of symbolic links",
		"linked/lib.lua: " + out,
		`linked/resource.toml:2: client.files[1] "out.css" ` + out,
		"shop/lib.lua: " + out,
		`shop/resource.toml:2: client.files[1] "out.css" ` + out,
	}, "\n"))
}

func TestIgnored(t *testing.T) {
	w := newWorld(t, map[string]string{
		"Тест/resource.toml": "", "My Shop/resource.toml": "", "empty/main.lua": "", ".git/config": "", "README.md": "",
		strings.Repeat("x", 32) + "/resource.toml": "", "shop/resource.toml": "", "shop/main.lua": "",
	}).run()
	var got []string
	for len(w.notices) > 0 {
		if n := <-w.notices; n.Kind == NoticeIgnored {
			got = append(got, n.Err.Error())
		}
	}
	expect(t, "ignored", strings.Join(got, "\n"), strings.Join([]string{
		".git: not a resource: its name begins with a dot; rename it if it is one",
		`My Shop: not a resource: 'M' in the resource's name "My Shop" is not of a-z 0-9 _ -; rename it, to "my-shop" for example`,
		"empty: not a resource: it has no resource.toml; an empty file of that name will do where there is a main.lua",
		`xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: not a resource: a resource's name has 1..31 bytes, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" has 32; rename it`,
		`Тест: not a resource: 'Т' in the resource's name "Тест" is not of a-z 0-9 _ -; rename it`,
	}, "\n"))
	expect(t, "start of one", w.do(w.manager.Start("empty")),
		"empty: not a resource: it has no resource.toml; an empty file of that name will do where there is a main.lua")
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() <= 0 {
		t.Skip("the superuser reads everything, and Windows has other rights")
	}
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "", "bank/resource.toml": "", "bank/main.lua": ""})
	for path, mode := range map[string]os.FileMode{"shop": 0, "bank/main.lua": 0} {
		if err := os.Chmod(w.path(path), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(w.path("shop"), 0o755) })
	_, faults, _ := Check(w.config, nil)
	expect(t, "faults", faults.Error(), "bank/main.lua: cannot be read: permission denied\n"+
		"shop: not a resource: it cannot be read: permission denied; give the server's user the right to read it")
}

func TestCheck(t *testing.T) {
	w := newWorld(t, map[string]string{
		"shop/resource.toml": "requires = [\"bnak\"]", "shop/main.lua": "typo", "bank/resource.toml": "max = 1.5", "bank/main.lua": "",
		"a/resource.toml": "requires = [\"b\"]", "a/main.lua": "", "b/resource.toml": "\n\nrequires = [\"a\"]", "b/main.lua": "", "Bad/resource.toml": "",
	})
	w.config.Start = []string{"sohp", "*"}
	bundles, faults, err := Check(w.config, w.Compile)
	if err != nil || len(bundles) != 4 {
		t.Error(bundles, err)
	}
	expect(t, "faults", faults.Error(), strings.Join([]string{
		`server.start names "sohp", but there is no such resource; did you mean "shop"?`,
		`Bad: not a resource: 'B' in the resource's name "Bad" is not of a-z 0-9 _ -; rename it, to "bad" for example`,
		"a/resource.toml:1: the resources require each other: a -> b -> a",
		"b/resource.toml:3: the resources require each other: b -> a -> b",
		`bank/resource.toml:1: unknown key "max"; there is "description", "version", "entry", "requires", "client", "maps" and "settings"`,
		"shop/main.lua:1: syntax error near 'typo'",
		`shop/resource.toml:1: requires "bnak", but there is no such resource; did you mean "bank"?`,
	}, "\n"))
}

// FuzzManifest holds that a manifest is refused with a file and a line or gives a whole bundle whose paths stay inside.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("entry = \"../x.lua\"\n[client]\nfiles = [\"../../a.css\"]\n[maps]\ndir = \"/\""))
	f.Add([]byte("[settings.a]\ntype = \"number\"\nmin = -inf\ndefault = 1e308\n[settings.b]\ntype='string'\nmax=9007199254740992\ndefault=''"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, faults := load("shop", "", memory(string(data), goodFiles), nil)
		for _, fault := range faults {
			if fault.File != "shop/"+ManifestName || fault.Line < 0 || fault.Text == "" {
				t.Fatalf("%q: %+v", data, fault)
			}
		}
		if faults != nil {
			return
		}
		if b.Scripts[b.Entry] == nil {
			t.Fatalf("%q: no entry", data)
		}
		for _, v := range b.Settings {
			if n, ok := v.(float64); ok && (math.IsNaN(n) || math.IsInf(n, 0)) {
				t.Fatalf("%q: setting %v", data, n)
			}
		}
		for _, c := range b.ClientFiles {
			if _, ok := goodFiles[c.Path]; !ok {
				t.Fatalf("%q: client file %q", data, c.Path)
			}
		}
	})
}
