package bind

import (
	"fmt"
	"strings"
	"testing"

	"darqline/scriptapi/sandbox"
)

type rowArgs struct {
	Cells    []string `lua:"cells,items" doc:"The cells."`
	Disabled bool     `lua:"disabled" default:"false" doc:"Whether it cannot be chosen."`
	Self     Raw      `lua:"row,self"`
}

type entryArgs struct {
	Text  string `lua:"text,1" range:"1..4" doc:"What stands there."`
	Value Raw    `lua:"value,optional" doc:"What it means."`
	Self  Raw    `lua:"entry,self"`
}

type tableArgs struct {
	Rows    []rowArgs   `lua:"rows,optional" doc:"The rows."`
	Entries []entryArgs `lua:"entries,optional" doc:"The entries."`
}

// formed is a registry with one function, which words what it was given.
func formed(t *testing.T, code string) string {
	r, got := New(), ""
	r.Module("mp", "").Add(Func("form", "Takes a table.", func(_ *Call, a tableArgs) (Raw, error) {
		var first Raw
		for _, row := range a.Rows {
			got += fmt.Sprintf("%q %v;", row.Cells, row.Disabled)
			first = row.Self
		}
		for _, e := range a.Entries {
			got += fmt.Sprintf("%s %v;", e.Text, e.Value.IsNil())
			first = e.Self
		}
		return first, nil
	}, Keyed()))
	sched := sandbox.NewScheduler(sandbox.Config{Post: func(f func()) error { f(); return nil }})
	defer sched.Close()
	prog, err := sandbox.Compile("main.lua", []byte(code))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Open(sched.NewState(sandbox.StateConfig{Name: "shop"})).RunProgram(prog, Run{}); err != nil {
		return strings.TrimPrefix(err.Error(), "shop/main.lua:1: ")
	}
	return got
}

// TestTablesInShort reads lists with keys beside them, places and values that stand alone.
func TestTablesInShort(t *testing.T) {
	for _, test := range []struct{ code, want string }{
		{`mp.form{ rows = { { "a", "b" }, { "c", disabled = true }, {} } }`, `["a" "b"] false;["c"] true;[] false;`},
		{`mp.form{ rows = { { "a", 5 } } }`, `mp.form: key "rows[1][2]": a string expected, got number 5`},
		{`mp.form{ rows = { { "a", x = 5 } } }`, `mp.form: key "rows[1]": a table with the keys disabled expected, got the unknown key "x"`},
		{`mp.form{ rows = { { "a", [1.5] = "b" } } }`, `mp.form: key "rows[1]": a table with the keys disabled expected, got the unknown key number 1.5`},
		{`mp.form{ rows = { "a" } }`, `mp.form: key "rows[1]": a table expected, got string "a"`},
		{`mp.form{ entries = { "a", { "b" }, { text = "c" }, { "d", value = 5 } } }`, `a true;b true;c true;d false;`},
		{`mp.form{ entries = { "abcde" } }`, `mp.form: key "entries[1]": a string of 1..4 bytes expected, got string "abcde"`},
		{`mp.form{ entries = { 5 } }`, `mp.form: key "entries[1]": a string of 1..4 bytes or a table expected, got number 5`},
		{`mp.form{ entries = { { "a", "b" } } }`, `mp.form: key "entries[1]": a table with the keys text and value expected, got the unknown key number 2`},
		{`mp.form{ entries = { {} } }`, `mp.form: key "entries[1].text": a string of 1..4 bytes expected, got nothing`},
		{`local e = { "a" } assert(mp.form{ entries = { e } } == e) assert(mp.form{ entries = { "b" } } == "b")`, `a true;b true;`},
		{`local r = { "a" } assert(mp.form{ rows = { r } } == r)`, `["a"] false;`},
	} {
		if got := formed(t, test.code); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.code, got, test.want)
		}
	}
}

type optionsArgs struct {
	Text    string `lua:"text" doc:"A text."`
	Options struct {
		Duration int  `lua:"duration" default:"5000" doc:"In ms."`
		Bold     bool `lua:"bold" default:"true" doc:"How it looks."`
	} `lua:"options,optional" doc:"More."`
}

// TestOptionsLeftOut: keys have their defaults with an empty table and without one.
func TestOptionsLeftOut(t *testing.T) {
	for _, code := range []string{`mp.show("a")`, `mp.show("a", nil)`, `mp.show("a", {})`} {
		r, got := New(), optionsArgs{}
		r.Module("mp", "").Add(Func("show", "Shows a text.", func(_ *Call, a optionsArgs) (None, error) { got = a; return None{}, nil }))
		sched := sandbox.NewScheduler(sandbox.Config{Post: func(f func()) error { f(); return nil }})
		prog, err := sandbox.Compile("main.lua", []byte(code))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = r.Open(sched.NewState(sandbox.StateConfig{Name: "shop"})).RunProgram(prog, Run{})
		sched.Close()
		if err != nil || got.Options.Duration != 5000 || !got.Options.Bold {
			t.Errorf("%s: %+v, %v", code, got, err)
		}
	}
}

// TestTypesInShort words them for the stubs.
func TestTypesInShort(t *testing.T) {
	r := New()
	r.Module("mp", "").Add(Func("form", "Takes a table.", func(*Call, tableArgs) (None, error) { return None{}, nil }, Keyed()))
	stubs := r.Stubs()
	for _, want := range []string{
		"---@field rows? { [integer]: string, disabled?: boolean }[] ",
		"---@field entries? (string|{ [1]?: string, text?: string, value?: any })[] ",
	} {
		if !strings.Contains(stubs, want) {
			t.Errorf("the stubs lack %q:\n%s", want, stubs[strings.Index(stubs, "---@class mp.form"):])
		}
	}
}
