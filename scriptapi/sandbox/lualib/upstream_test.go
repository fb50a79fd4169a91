package lualib

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
)

// shims are what the test suite of Lua 5.1 needs and scripts do not get.
const shims = `_soft = true
string.gfind = string.gmatch
function table.getn(t) return #t end
function table.foreach(t, f) for k, v in pairs(t) do local r = f(k, v) if r ~= nil then return r end end end
function table.foreachi(t, f) for i = 1, #t do local r = f(i, t[i]) if r ~= nil then return r end end end
function os.setlocale() end
`

// The test suite of Lua 5.1, as gopher-lua's module ships it, runs on these libraries.
func TestSuiteOfLua51(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/gopher-lua").Output()
	if err != nil {
		t.Skipf("SKIPPED: the suite was not found: %v", err)
	}
	for _, name := range []string{"pm", "strings", "sort", "math", "locals", "code"} {
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "_lua5.1-tests", name+".lua"))
			if err != nil {
				t.Skipf("SKIPPED: %v", err)
			}
			m := newMachine(t)
			m.print(new([]string))
			L := m.LState
			L.SetGlobal("loadstring", L.NewFunction(func(L *lua.LState) int {
				program, err := compile(L.CheckString(1))
				if err != nil {
					L.Push(lua.LNil)
					L.Push(lua.LString(err.Error()))
					return 2
				}
				L.Push(Main(L, program))
				return 1
			}))
			if _, err := m.run(shims); err != nil {
				t.Fatal(err)
			}
			if _, err := m.run(string(source)); err != nil {
				t.Error(err)
			}
		})
	}
}
