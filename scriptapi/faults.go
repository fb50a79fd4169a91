package scriptapi

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"darqline/scriptapi/sandbox"
)

// repeatAfter is how long the same error is counted before it is logged again.
const repeatAfter = 10 * time.Second

// faults logs the errors of handlers: each once with its traceback, repeated ones as a count, so that a handler that
// fails on each tick fills no disk and hides no other.
type faults struct {
	log  *slog.Logger
	seen map[faultKey]*faultCount
	due  time.Duration // when flush has something to do
}

type faultKey struct {
	resource, event, file string
	line                  int
	message               string
}

type faultCount struct {
	logged time.Duration
	more   int
}

// maxFaults is how many different errors are told apart at once; beyond it all are forgotten.
const maxFaults = 1000

// report logs or counts an error; room is asked before a line is written.
func (f *faults) report(now time.Duration, generation uint32, err error, room func() bool) {
	var e *sandbox.ScriptError
	if !errors.As(err, &e) {
		f.log.Error(err.Error())
		return
	}
	key := faultKey{e.Resource, e.Event, e.File, e.Line, clip(e.Message, 200)}
	if c := f.seen[key]; c != nil {
		c.more++
		f.tell(now, key, c)
		return
	}
	if !room() {
		return
	}
	if f.seen == nil || len(f.seen) >= maxFaults {
		for key, c := range f.seen {
			f.tell(c.logged+repeatAfter, key, c)
		}
		f.seen = make(map[faultKey]*faultCount)
	}
	f.seen[key] = &faultCount{logged: now}
	f.due = min(f.due, now+repeatAfter)
	f.log.Error(clip(e.Error(), maxLogLine), append([]any{"resource", e.Resource, "generation", generation}, e.LogAttrs()...)...)
}

// flush tells how often the errors came again that were only counted.
func (f *faults) flush(now time.Duration) (next time.Duration, ok bool) {
	if now < f.due {
		return f.due, f.due < never
	}
	f.due = never
	for key, c := range f.seen {
		if c.more == 0 && now >= c.logged+repeatAfter {
			delete(f.seen, key)
			continue
		}
		f.tell(now, key, c)
		f.due = min(f.due, c.logged+repeatAfter)
	}
	return f.due, f.due < never
}

// never is later than everything.
const never = time.Duration(1<<63 - 1)

// tell says how often an error came again, once its time has come.
func (f *faults) tell(now time.Duration, key faultKey, c *faultCount) {
	if c.more > 0 && now >= c.logged+repeatAfter {
		f.log.Error(clip(key.message, maxLogLine), "resource", key.resource, "event", key.event,
			"at", fmt.Sprintf("%s/%s:%d", key.resource, key.file, key.line), "repeated", c.more)
		c.logged, c.more = now, 0
	}
}

// clip cuts a text to n bytes, between two characters, and shows that it did.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("...")
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "..."
}
