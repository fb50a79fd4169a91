package sandbox

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	programs = flag.Int("programs", 2000, "how many generated programs are compared with lua5.1")
	seed     = flag.Uint64("seed", 51, "what they are generated from")
)

// frame is what stands around a program, on its first line and on its last. Of an error of the machine only the line is compared: the words
// are the machine's own.
const (
	frameBegin = `local ticks, calls, coroutines = 0, 0, 0 local function tick() ticks = ticks + 1 if ticks > 400 then error("ticks") end end ` +
		`local function enter() calls = calls + 1 if calls > 60 then error("calls") end end ` + // lua5.1 has 200 levels of C
		`local function fault(e) if type(e) ~= "string" then return e end return (e:gsub("^(main.lua:%d+: )[atT].*", "%1")) end ` +
		`local function cut(s) return s:sub(1, 60) end ` +
		`local function each(...) local n, list = 0, { ... } return function() n = n + 1 if list[n] ~= nil then return n, list[n] end end end ` +
		`local function len(t) local n = 0 while rawget(t, n + 1) ~= nil do n = n + 1 end for k in pairs(t) do if type(k) == "number" and k > n then return n end end return #t end ` +
		`local function dense(t) local n = len(t) for k in pairs(t) do if type(k) == "number" and k > n then return false end end return true end ` +
		`local status, write = coroutine.status, print ` +
		`local function show(v) if type(v) == "table" or type(v) == "function" or type(v) == "thread" then return type(v) end return (tostring(fault(v)):gsub("%-nan", "nan")) end ` +
		`local tostring = function(v) if type(v) == "table" and not (getmetatable(v) or {}).__tostring then return "table" end return show(v) end ` +
		`local function print(...) local words = {} for i = 1, select("#", ...) do words[i] = show((select(i, ...))) end write(table.concat(words, " ")) end ` +
		`print(pcall(function(...)` + "\n"
	frameEnd = "end, 1, 'two', nil))"
)

// TestGeneratedAgainstLua51 runs generated programs here and in lua5.1: they must print the same.
func TestGeneratedAgainstLua51(t *testing.T) {
	lua51, err := exec.LookPath("lua5.1")
	if err != nil {
		t.Skip("SKIPPED: lua5.1 is not installed, so no generated program was compared with it")
	}
	const batch = 250
	for first := 0; first < *programs && !t.Failed(); first += batch {
		t.Run(fmt.Sprintf("from %d", first), func(t *testing.T) {
			compareGenerated(t, lua51, first, min(batch, *programs-first))
		})
	}
}

func compareGenerated(t *testing.T, lua51 string, first, n int) {
	var sources []string
	for i := range n {
		sources = append(sources, frameBegin+program(*seed, uint64(first+i))+frameEnd)
	}
	want := runLua51(t, lua51, sources)
	for i, source := range sources {
		if got := runHere(t, source); got != want[i] {
			t.Errorf("program %d of seed %d:\n%s\n%s", first+i, *seed, numbered(source), firstDifference(got, want[i]))
		}
	}
}

const mark = "=== next program ==="

// runLua51 runs all sources in one process and returns what each printed.
func runLua51(t *testing.T, lua51 string, sources []string) []string {
	var script strings.Builder
	for _, source := range sources {
		fmt.Fprintf(&script, "do local f, e = loadstring([==[%s]==], '@main.lua') if f then setfenv(f, setmetatable({}, { __index = _G })) f() else print(e) end print(%q) end\n", source, mark)
	}
	path := filepath.Join(t.TempDir(), "programs.lua")
	if err := os.WriteFile(path, []byte(script.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var stderr bytes.Buffer
	command := exec.CommandContext(ctx, lua51, path)
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("lua5.1: %v: %s", err, stderr.Bytes())
	}
	results := strings.SplitAfter(string(out), mark+"\n")
	if len(results) != len(sources)+1 {
		t.Fatalf("lua5.1 ran %d of %d programs", len(results)-1, len(sources))
	}
	for i := range sources {
		results[i] = strings.TrimSuffix(results[i], mark+"\n")
	}
	return results
}

// patient are the limits of a program that runs under the race detector, on a machine that has more to do.
var patient = Limits{Steps: EntryLimits.Steps, Time: time.Minute, Heap: EntryLimits.Heap}

func runHere(t *testing.T, source string) string {
	p, err := Compile("main.lua", []byte(source))
	if err != nil {
		return err.Error()
	}
	b := newBench(t)
	if _, _, err := b.st.Run(Call{Fn: b.st.Program(p), Event: "entry", Limits: patient}); err != nil {
		b.printed = append(b.printed, err.Error())
	}
	b.sched.Close()
	return strings.Join(b.printed, "\n") + "\n"
}

func numbered(source string) string {
	var b strings.Builder
	for i, line := range strings.Split(source, "\n") {
		if i > 0 {
			fmt.Fprintf(&b, "%4d  %s\n", i+1, line)
		}
	}
	return b.String()
}

// firstDifference shows the first line that differs.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d of what it prints:\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("it prints %d lines, want %d", len(g)-1, len(w)-1)
}
