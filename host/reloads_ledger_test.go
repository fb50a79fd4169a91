package host_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"darqline/client"
	"darqline/protocol"
	"darqline/scriptapi"
	"darqline/scriptapi/bind"
)

// ledger is what scripts and players say that they do.
type ledger struct {
	clock *realClock

	mu       sync.Mutex
	faults   []string
	running  uint32                    // the generation that runs; 0: none
	waits    map[uint32]map[int]string // what waits, by generation and number
	cut      map[uint32]int            // calls from outside that its end has ended
	accepted map[uint32]int            // offers by the players, less those by the scripts
	pressed  map[uint32]int            // keys
	counts   map[string]int            // of each kind of note
	census   map[string]int            // the last one
	began    time.Time                 // of the pause of a reload, by a clock that does not stand still
	pauses   []time.Duration
}

func newLedger(c *realClock) *ledger {
	return &ledger{clock: c, waits: make(map[uint32]map[int]string), cut: make(map[uint32]int), accepted: make(map[uint32]int),
		pressed: make(map[uint32]int), counts: make(map[string]int), census: make(map[string]int)}
}

type noteArgs struct {
	Kind       string  `lua:"kind" doc:"What happens."`
	Generation uint32  `lua:"generation" doc:"Whose note it is."`
	Number     float64 `lua:"number" doc:"A number."`
	Text       string  `lua:"text" doc:"A text."`
}

// extend gives scripts mp.test.note.
func (l *ledger) extend(x *scriptapi.Extensions) {
	x.Registry.Module("mp.test", "The test.").Add(bind.Func("note", "Notes something.", func(_ *bind.Call, a noteArgs) (bind.None, error) {
		l.note(a.Kind, a.Generation, int(a.Number), a.Text)
		return bind.None{}, nil
	}))
}

func (l *ledger) faultf(format string, args ...any) {
	if len(l.faults) < 20 {
		l.faults = append(l.faults, fmt.Sprintf(format, args...))
	}
}

// note takes a script's note, on the script loop.
func (l *ledger) note(kind string, generation uint32, n int, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[kind+" "+text]++
	switch kind {
	case "starts":
		if l.running != 0 {
			l.faultf("%d starts while %d runs", generation, l.running)
		}
		for old, waits := range l.waits {
			for number, what := range waits {
				if what != "silent" {
					l.faultf("wait %d of %d, of %s, has not ended with its generation", number, old, what)
				}
			}
		}
		clear(l.waits)
		l.waits[generation] = make(map[int]string)
		l.running = generation
	case "started":
		if generation != l.running || generation != uint32(n) {
			l.faultf("%d runs, %d is told and %d is called", l.running, n, generation)
		}
		l.cut[generation]++
		if !l.began.IsZero() {
			l.pauses = append(l.pauses, l.clock.now().Sub(l.began))
			l.began = time.Time{}
		}
	case "stops":
		l.began, l.running = l.clock.now(), 0
	case "cut":
		if l.cut[generation]--; l.cut[generation] != 0 || !strings.Contains(text, "it stopped meanwhile") {
			l.faultf("the call of %d ends with %q", generation, text)
		}
		delete(l.cut, generation)
	case "waits":
		l.waits[generation][n] = text
	case "over":
		what, waits := l.waits[generation][n]
		if !waits {
			l.faultf("wait %d of %d ends, %q, but does not wait", n, generation, text)
		}
		if generation != l.running && (what == "silent" || text != "stop" && text != "leave") {
			l.faultf("wait %d of %d, of %s, ends after its generation, %q", n, generation, what, text)
		}
		delete(l.waits[generation], n)
	case "answer":
		if uint32(n) != generation || generation != l.running {
			l.faultf("%d, while %d runs, has the answer by %s that was given to %d", generation, l.running, text, n)
		}
	case "accepted":
		l.took(l.accepted, "an offer", generation)
	case "pressed":
		l.took(l.pressed, "a key", generation)
	case "tick":
		if generation != l.running {
			l.faultf("a timer of %d fires while %d runs", generation, l.running)
		}
	case "census":
		l.census[text] = n
	case "hears":
		if generation != l.running {
			l.faultf("a handler of %d hears while %d runs", generation, l.running)
		}
		l.census["heard"]++
	}
}

// fails notes that the newest generation has failed while it started.
func (l *ledger) fails() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running, l.began = 0, time.Time{}
}

func (l *ledger) took(from map[uint32]int, what string, generation uint32) {
	if from[generation]--; from[generation] < 0 || generation != l.running {
		l.faultf("%d, while %d runs, has the answer to %s that nobody gave", generation, l.running, what)
	}
}

// answers has a player answer something that he has open.
func (l *ledger) answers(p *person, r *rand.Rand) {
	ui := p.c.UI()
	given := func(to map[uint32]int, title string, err error) {
		if err == nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			to[generationOf(title)]++
		}
	}
	switch r.IntN(5) {
	case 0:
		if d := ui.Dialog; d != nil {
			_ = p.c.AnswerDialog(d.ID, client.DialogAnswer{Text: d.Title[1:]})
		}
	case 1:
		if m := ui.Menu; m != nil {
			if in, ok := m.Press(protocol.FunctionMenuSelect); ok {
				_ = p.c.MenuInput(in)
			}
		}
	case 2:
		if len(ui.Offers) > 0 {
			given(l.accepted, ui.Offers[0].Content.Title, p.c.AnswerOffer(ui.Offers[0].OfferID, true))
		}
	case 3:
		for _, a := range ui.Actions {
			if a.Name == "use" && !a.Down {
				given(l.pressed, a.Label, p.c.PressAction(a.ActionID))
				_ = p.c.ReleaseAction(a.ActionID)
			}
		}
	case 4:
		p.mu.Lock()
		view, revision := p.view, p.revision
		p.mu.Unlock()
		if view != nil {
			_ = p.c.ViewAction(view.ID, revision, "press", []protocol.ViewField{{Name: "generation", Type: protocol.FieldNumber, Number: float64(view.Generation)}})
		}
	}
}

func generationOf(title string) uint32 {
	n, _ := strconv.ParseUint(strings.TrimPrefix(title, "g"), 10, 32)
	return uint32(n)
}

// rests holds what is so when all has come to rest and a generation runs.
func (l *ledger) rests(t *testing.T, generation uint32) {
	t.Helper()
	ticks := func() (n int) {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.counts["tick "]
	}
	time.Sleep(10 * time.Millisecond) // from where no timer is due
	from := ticks()
	rest(2 * time.Second)
	if n := ticks() - from; n != 2*bigTimers {
		t.Errorf("%d timers fire in 2 s, not %d", n, 2*bigTimers)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.faults {
		t.Error(f)
	}
	if want := map[string]int{"commands": 10, "colshapes": 1, "heard": 1}; !maps.Equal(l.census, want) {
		t.Errorf("there are %v, not %v", l.census, want)
	}
	kinds := make(map[string]int)
	for _, what := range l.waits[generation] {
		kinds[what]++
	}
	if want := map[string]int{"silent": 5, "countdown": 1, "ask": crowd / 2, "menu": crowd, "offer": crowd, "progress": crowd, "action": crowd}; !maps.Equal(kinds, want) {
		t.Errorf("%v wait, not %v", kinds, want)
	}
	if len(l.waits) != 1 || len(l.cut) != 1 || l.cut[generation] != 1 || l.running != generation {
		t.Errorf("generation %d, expected %d; waits of %d generations, calls of %v", l.running, generation, len(l.waits), l.cut)
	}
	for _, m := range []map[uint32]int{l.accepted, l.pressed} { // what came too late reached nobody
		maps.DeleteFunc(m, func(g uint32, _ int) bool { return g+10 < generation })
	}
}

// realClock is a clock outside of the bubble.
type realClock struct {
	ask  chan struct{}
	tell chan time.Time
}

func newRealClock() *realClock {
	c := &realClock{make(chan struct{}), make(chan time.Time)}
	go func() {
		for range c.ask {
			c.tell <- time.Now()
		}
	}()
	return c
}

func (c *realClock) now() time.Time { c.ask <- struct{}{}; return <-c.tell }

func (c *realClock) stop() { close(c.ask) }
