package lualib

import (
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"darqline/scriptapi/sandbox/rewrite"
)

func init() { lua.MaxArrayIndex = 1 << 20 } // as the sandbox does

// budget is a Meter that raises as the sandbox does.
type budget struct {
	L    *lua.LState
	left int
}

func (b *budget) Spend(n int) {
	b.left -= n
	if b.left < 0 {
		b.L.RaiseError("budget spent")
	}
}

// machine is a state with the libraries and what of the base library tests use.
type machine struct {
	*lua.LState
	budget *budget
}

func newMachine(t testing.TB) *machine {
	L := lua.NewState(lua.Options{SkipOpenLibs: true, RegistrySize: 1024, RegistryMaxSize: 1 << 16, RegistryGrowStep: 1024})
	t.Cleanup(L.Close)
	lua.OpenBase(L)
	b := &budget{L, 20e6}
	Open(L, Config{Meter: b, Seed: 1, Now: func() time.Time { return time.Unix(1700000000, 0).UTC() }})
	return &machine{L, b}
}

func compile(source string) (*lua.FunctionProto, error) {
	stmts, err := parse.Parse(strings.NewReader(source), "main.lua")
	if err != nil {
		return nil, err
	}
	chunk, err := rewrite.Chunk(stmts)
	if err != nil {
		return nil, err
	}
	return lua.Compile(chunk, "main.lua")
}

// run compiles source as the sandbox does and gives what it returns, as text.
func (m *machine) run(source string) (result string, err error) {
	program, err := compile(source)
	if err != nil {
		return "", err
	}
	m.budget.left = 20e6
	top := m.GetTop()
	m.Push(Main(m.LState, program))
	if err := m.PCall(0, lua.MultRet, nil); err != nil {
		return "", err
	}
	var words []string
	for i := top + 1; i <= m.GetTop(); i++ {
		words = append(words, ToString(m.LState, m.Get(i)).String())
	}
	m.SetTop(top)
	return strings.Join(words, " "), nil
}

func TestSmoke(t *testing.T) {
	m := newMachine(t)
	for source, want := range map[string]string{
		`return "a" .. 1 .. "b" .. 1e15`:                                    "a1b1e+15",
		`return ("x"):rep(3), ("héllo"):upper(), #("x"):rep(10)`:            "xxx HéLLO 10",
		`return ("hello world"):gsub("o", "0")`:                             "hell0 w0rld 2",
		`return string.format("%5.2f|%-5d|%05d|%g", 3.14159, 42, -7, 1e20)`: " 3.14|42   |-0007|1e+20",
		`local t = {3,1,2} table.sort(t) return table.concat(t, ",")`:       "1,2,3",
		`return 010, 2^53, 1/0, -1/0, 0/0, 1e999`:                           "10 9.007199254741e+15 inf -inf nan inf",
		`return ("THE (quick) fox"):find("%((%a+)%)")`:                      "5 11 quick",
		`return os.date("!%Y-%m-%d"), os.time()`:                            "2023-11-14 1700000000",
	} {
		got, err := m.run(source)
		if err != nil || got != want {
			t.Errorf("%s\n got %q, %v\nwant %q", source, got, err, want)
		}
	}
}

// print makes the global print add its line to lines.
func (m *machine) print(lines *[]string) {
	m.SetGlobal("print", m.NewFunction(func(L *lua.LState) int {
		*lines = append(*lines, L.Get(1).String())
		return 0
	}))
}
