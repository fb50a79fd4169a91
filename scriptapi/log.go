package scriptapi

import (
	"context"
	"fmt"
	"log/slog"
	"sort"
	"strings"
	"time"

	"darqline/scriptapi/bind"
)

// Limits of what a resource writes to the log (page Resources and views).
const (
	maxLogLine    = 8 << 10
	maxLogLines   = 200 // a second
	maxFaultLines = 50  // a second, of different errors
	maxLogFields  = 50  // of one line
)

// output counts a resource's lines of the present second.
type output struct {
	second time.Duration
	lines  int
	faults int
	lost   int
}

// room says whether another line may be written now.
func (o *output) room(now time.Duration, in *instance) bool {
	o.flush(now, in)
	if o.lines >= maxLogLines {
		o.lost++
		return false
	}
	o.lines++
	return true
}

// faultRoom says whether another error may be written now. Errors have room of their own, so that a resource that prints too much does
// not hide them.
func (o *output) faultRoom(now time.Duration, in *instance) bool {
	o.flush(now, in)
	if o.faults >= maxFaultLines {
		o.lost++
		return false
	}
	o.faults++
	return true
}

// flush begins a new second and says how many lines the last one lost.
func (o *output) flush(now time.Duration, in *instance) (next time.Duration, ok bool) {
	if second := now.Truncate(time.Second); second != o.second {
		lost := o.lost
		o.second, o.lines, o.faults, o.lost = second, 0, 0, 0
		if lost > 0 {
			in.rt.log.Warn(fmt.Sprintf("%d more lines in that second were left out", lost), "resource", in.name(), "generation", in.gen.Number)
		}
	}
	return o.second + time.Second, o.lost > 0
}

type logArgs struct {
	Text   string         `lua:"text,tostring" doc:"The line."`
	Fields map[string]any `lua:"fields,optional" doc:"What belongs to it: { key = value }."`
}

type printArgs struct {
	Values []string `lua:"values,rest,tostring" doc:"Anything; as tostring words it."`
}

func (rt *Runtime) declareLog(r *bind.Registry) {
	level := func(name string, l slog.Level) bind.Member {
		return bind.Func(name, "Writes a line to the server's log, with resource, generation, file and line.", func(c *bind.Call, a logArgs) (bind.None, error) {
			if len(a.Fields) > maxLogFields {
				return bind.None{}, fmt.Errorf("argument 2 \"fields\": a line has at most %d fields, got %d", maxLogFields, len(a.Fields))
			}
			rt.write(c, l, a.Text, a.Fields)
			return bind.None{}, nil
		}, bind.Example(`mp.log.`+name+`("saved", { players = 12 })`))
	}
	r.Module("mp.log", "The server's log.").Add(
		level("debug", slog.LevelDebug), level("info", slog.LevelInfo), level("warn", slog.LevelWarn), level("error", slog.LevelError))
	r.Module("", "").Add(
		bind.Func("print", "Writes a line to the server's log.", func(c *bind.Call, a printArgs) (bind.None, error) {
			rt.write(c, slog.LevelInfo, tabbed(a.Values), nil)
			return bind.None{}, nil
		}))
}

// tabbed joins what print is given, up to what a line can hold: a thousand strings of a megabyte are no line.
func tabbed(values []string) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteByte('\t')
		}
		if b.WriteString(v); b.Len() > maxLogLine {
			break
		}
	}
	return b.String()
}

func (rt *Runtime) write(c *bind.Call, level slog.Level, text string, fields map[string]any) {
	in := instanceOf(c)
	if !in.output.room(rt.cfg.Now(), in) {
		return
	}
	file, line := c.Where()
	attrs := []any{"resource", in.name(), "generation", in.gen.Number, "at", fmt.Sprintf("%s/%s:%d", in.name(), file, line)}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		attrs = append(attrs, clip(name, 64), clip(logged(fields[name]), 512))
	}
	rt.log.Log(context.Background(), level, clip(text, maxLogLine), attrs...)
}

// logged words a field's value; a number as tostring has it, also a large one.
func logged(v any) string {
	if n, ok := v.(float64); ok {
		return number(n)
	}
	return fmt.Sprint(v)
}
