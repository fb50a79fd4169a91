package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// textHandler writes log lines for people: time, level where it is not plain information, text, then what belongs to it.
// A traceback and whatever else has several lines stands on lines of its own.
type textHandler struct {
	mu    *sync.Mutex
	w     io.Writer
	clock string // layout of a line's time
	level slog.Level
	attrs []slog.Attr
	group string
}

func newTextHandler(w io.Writer, level slog.Level) *textHandler {
	h := &textHandler{mu: new(sync.Mutex), w: w, level: level, clock: "2006-01-02 15:04:05 "}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		h.clock = "15:04:05 " // who watches knows the day; a file is read later
	}
	return h
}

func (h *textHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level }

func (h *textHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	clone := *h
	clone.attrs = append(append([]slog.Attr(nil), h.attrs...), attrs...)
	return &clone
}

func (h *textHandler) WithGroup(name string) slog.Handler {
	clone := *h
	clone.group = h.group + name + "."
	return &clone
}

func (h *textHandler) Handle(_ context.Context, r slog.Record) error {
	var b, below strings.Builder
	b.WriteString(r.Time.Format(h.clock))
	switch {
	case r.Level >= slog.LevelError:
		b.WriteString("ERROR ")
	case r.Level >= slog.LevelWarn:
		b.WriteString("warning ")
	case r.Level < slog.LevelInfo:
		b.WriteString("debug ")
	}
	b.WriteString(strings.ReplaceAll(r.Message, "\n", "\n         "))
	add := func(a slog.Attr) bool {
		value := a.Value.Resolve().String()
		switch {
		case value == "":
		case strings.Contains(value, "\n"), a.Key == "traceback":
			fmt.Fprintf(&below, "         %s\n", strings.ReplaceAll(strings.TrimRight(value, "\n"), "\n", "\n         "))
		case strings.ContainsAny(value, " \"="):
			fmt.Fprintf(&b, " %s%s=%q", h.group, a.Key, value)
		default:
			fmt.Fprintf(&b, " %s%s=%s", h.group, a.Key, value)
		}
		return true
	}
	for _, a := range h.attrs {
		add(a)
	}
	r.Attrs(add)
	b.WriteByte('\n')
	b.WriteString(below.String())
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := io.WriteString(h.w, b.String())
	return err
}
