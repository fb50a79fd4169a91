package sandbox

import (
	"fmt"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// ScriptError is an error that no handler caught.
type ScriptError struct {
	Resource  string
	Event     string // what ran, e.g. "event player_join"
	File      string // "main.lua"; empty if it is not known
	Line      int
	Message   string // without the position
	Traceback string // one call a line, innermost first; at most 20
	Spent     bool   // it used up its budget
}

// Error gives resource, file, line and message in one line.
func (e *ScriptError) Error() string {
	if e.File == "" {
		return fmt.Sprintf("%s: %s", e.Resource, e.Message)
	}
	return fmt.Sprintf("%s/%s:%d: %s", e.Resource, e.File, e.Line, e.Message)
}

// LogAttrs are what a log adds to the error's line, for slog.
func (e *ScriptError) LogAttrs() []any {
	attrs := []any{"event", e.Event}
	if e.Traceback != "" {
		attrs = append(attrs, "traceback", e.Traceback)
	}
	return attrs
}

const (
	maxMessage   = 8 << 10 // bytes of an error's text
	maxTraceback = 20      // lines
)

// unwind is the panic that ends a waiting handler when its state stops. Nothing may swallow it.
type unwind struct{}

// caught is what a protected call recovered.
type caught struct {
	value   lua.LValue
	thread  *lua.LState // where it was raised; its frames still stand
	inner   string      // traceback of a coroutine that it came through
	goPanic string      // stack of a Go panic, for the log
	refused string      // why a coroutine was not resumed at all
	unwind  bool
}

// protect calls the function that stands on th below nargs arguments and recovers what it raises. After an error th must be
// dropped: its frames still stand, and closures that escaped may use its registers.
func protect(th *lua.LState, nargs int) (c *caught) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unwind:
			c = &caught{unwind: true, value: lua.LString("stopped")}
		case *lua.ApiError:
			c = &caught{value: plainMessage(th, r.Object), thread: th, inner: r.StackTrace}
		default:
			if r == "lua callstack overflow" { // gopher-lua's own panic
				c = &caught{value: lua.LString(where(th, 0) + "stack overflow"), thread: th}
				break
			}
			c = &caught{value: lua.LString(where(th, 0) + fmt.Sprintf("internal error: %v", r)), thread: th, goPanic: string(debug.Stack())}
		}
	}()
	th.Call(nargs, lua.MultRet)
	return nil
}

// Raise ends the Go function that Lua called on th with a Lua error, at the line of the call.
func Raise(th *lua.LState, format string, args ...any) { raise(th, format, args...) }

func raise(th *lua.LState, format string, args ...any) {
	panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: lua.LString(where(th, 0) + fmt.Sprintf(format, args...))})
}

// throw is the Panic function of every thread: it never builds gopher-lua's traceback, which has a line for each tail call.
func throw(th *lua.LState) {
	panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: th.Get(-1)})
}

// where returns "file:line: " of the nearest Lua function at or above level; empty if there is none.
func where(th *lua.LState, level int) string {
	file, line := position(th, level)
	if file == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d: ", file, line)
}

func position(th *lua.LState, level int) (file string, line int) {
	for ; level < 2*maxTraceback; level++ {
		d, ok := th.GetStack(level)
		if !ok {
			break
		}
		if _, err := th.GetInfo("Sl", d, nil); err == nil && d.CurrentLine > 0 {
			return d.Source, d.CurrentLine
		}
	}
	return "", 0
}

// traceback lists the calls that stand on th, innermost first, without a repeat for each tail call.
func traceback(th *lua.LState) []string {
	var lines []string
	for level := 0; len(lines) < maxTraceback; level++ {
		d, ok := th.GetStack(level)
		if !ok || level > 3*maxTraceback {
			break
		}
		if _, err := th.GetInfo("Sln", d, nil); err != nil || d.CurrentLine <= 0 {
			continue
		}
		line := fmt.Sprintf("%s:%d", d.Source, d.CurrentLine)
		switch {
		case strings.HasPrefix(d.Name, "<"), strings.HasPrefix(d.Name, "("), d.Name == "?", d.Name == "":
			line += fmt.Sprintf(" in the function at line %d", d.LineDefined)
		case d.Name != "main chunk" && d.Name != "corountine":
			line += " in " + d.Name
		}
		if n := len(lines); n == 0 || lines[n-1] != line {
			lines = append(lines, line)
		}
	}
	return lines
}

var (
	indexMessage = regexp.MustCompile(`attempt to index a non-table object\(([a-z]+)\) with key '((?s).*)'$`)
	arithMessage = regexp.MustCompile(`cannot perform (\w+) operation between (\w+) and (\w+)$`)
	forMessage   = regexp.MustCompile(`for statement (init|limit|step) must be a number$`)
	prefixed     = regexp.MustCompile(`^([^:\n]+\.lua):(\d+): `)
)

// plainMessage words gopher-lua's own errors as lua5.1 does.
func plainMessage(th *lua.LState, v lua.LValue) lua.LValue {
	s, ok := v.(lua.LString)
	if !ok {
		return v
	}
	text := string(s)
	switch {
	case len(text) > maxMessage:
	case strings.HasSuffix(text, "registry overflow"):
		text = strings.TrimSuffix(text, "registry overflow") + "stack overflow: too many values at once"
	case strings.HasSuffix(text, "attempt to call a non-function object"):
		text = strings.TrimSuffix(text, "attempt to call a non-function object") + callMessage(th)
	case strings.HasSuffix(text, "__unm undefined"):
		text = strings.TrimSuffix(text, "__unm undefined") + "attempt to perform arithmetic on a value that is no number"
	case strings.HasSuffix(text, "__len undefined"):
		text = strings.TrimSuffix(text, "__len undefined") + "attempt to get the length of a value that is neither a string nor a table"
	case arithMessage.MatchString(text):
		text = arithmeticMessage(text)
	case forMessage.MatchString(text):
		text = strings.Replace(forMessage.ReplaceAllString(text, "'for' $1 must be a number"), "'for' init ", "'for' initial value ", 1)
	case strings.Contains(text, "non-table object("):
		text = indexMessage.ReplaceAllString(text, `attempt to index a $1 value with the key "$2"`)
	}
	return lua.LString(text)
}

// arithmeticMessage blames the first operand that is no number.
func arithmeticMessage(text string) string {
	m := arithMessage.FindStringSubmatch(text)
	bad := m[2]
	if bad == "number" {
		bad = m[3]
	}
	return strings.TrimSuffix(text, m[0]) + "attempt to perform arithmetic on a " + bad + " value"
}

// callMessage names what was called, if it is the only call on its line that it can be.
func callMessage(th *lua.LState) string {
	d, ok := th.GetStack(0)
	if !ok {
		return "attempt to call a value that is not a function"
	}
	v, err := th.GetInfo("fSl", d, nil)
	fn, isFn := v.(*lua.LFunction)
	if err != nil || !isFn || fn.Proto == nil {
		return "attempt to call a value that is not a function"
	}
	name := ""
	for _, call := range fn.Proto.DbgCalls {
		if call.Pc < len(fn.Proto.DbgSourcePositions) && fn.Proto.DbgSourcePositions[call.Pc] == d.CurrentLine {
			if name != "" {
				return "attempt to call a value that is not a function"
			}
			name = call.Name
		}
	}
	if name == "" || name == "?" {
		return "attempt to call a value that is not a function"
	}
	return fmt.Sprintf("attempt to call %q, which is not a function", name)
}

// scriptError makes the error that the log shows of what reached a handler's end.
func (st *State) scriptError(c *caught, event string) *ScriptError {
	e := &ScriptError{Resource: st.name, Event: event, Spent: st.budget.Exhausted(), Message: st.message(c.value)}
	if m := prefixed.FindStringSubmatch(e.Message); m != nil {
		e.File, e.Message = m[1], e.Message[len(m[0]):]
		e.Line, _ = strconv.Atoi(m[2])
	} else if c.thread != nil {
		e.File, e.Line = position(c.thread, 0)
	}
	if len(e.Message) > maxMessage {
		e.Message = e.Message[:maxMessage] + "..."
	}
	var lines []string
	if c.inner != "" {
		lines = strings.Split(c.inner, "\n")
	}
	if c.thread != nil {
		lines = append(lines, traceback(c.thread)...)
	}
	if len(lines) > maxTraceback {
		lines = append(lines[:maxTraceback-1], "...")
	}
	e.Traceback = strings.Join(lines, "\n")
	return e
}

// message words an error value that need not be a string.
func (st *State) message(v lua.LValue) string {
	if s, ok := v.(lua.LString); ok {
		return string(s)
	}
	if mt, ok := st.main.GetMetatable(v).(*lua.LTable); ok && mt.RawGetString("__tostring") != lua.LNil && !st.budget.Exhausted() {
		th := st.takeThread()
		th.Push(mt.RawGetString("__tostring"))
		th.Push(v)
		if c := protect(th, 1); c == nil {
			if s, ok := th.Get(1).(lua.LString); ok {
				return string(s)
			}
		}
	}
	if v == lua.LNil {
		return "nil (error was called without a message)"
	}
	return fmt.Sprintf("(the error is a %s value)", v.Type())
}

// Position returns file and line of the Lua code that runs on th; an empty file if none does.
func Position(th *lua.LState) (file string, line int) { return position(th, 0) }
