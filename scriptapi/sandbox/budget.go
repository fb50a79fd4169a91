package sandbox

import (
	"errors"
	"fmt"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// Limits are what one handler may use before it is stopped.
type Limits struct {
	Steps int64         // Lua instructions, and what library functions Spend
	Time  time.Duration // of its own running; a wait costs nothing
	Heap  uint64        // bytes by which the heap may grow meanwhile
}

// HandlerLimits hold for a handler, from its start or its last wait to its end or its next wait.
var HandlerLimits = Limits{Steps: 20_000_000, Time: 200 * time.Millisecond, Heap: 64 << 20}

// EntryLimits hold for a resource's entry file, which loads what the handlers then use.
var EntryLimits = Limits{Steps: 10 * HandlerLimits.Steps, Time: 10 * HandlerLimits.Time, Heap: HandlerLimits.Heap}

// MaxHeap is how large the heap of the process may become by what handlers keep. Above it a handler may add little, so that one that
// fills its resource's tables run by run does not end the server.
var MaxHeap uint64 = 2 << 30

// heapWhenFull is what a handler may allocate then.
const heapWhenFull = 1 << 20

// largeSpend is a price at which the heap is read at once: a few strings of a megabyte take no longer than the sampler sleeps.
const largeSpend = 4096

// lookEvery is how many steps pass between two looks at the clock.
const lookEvery = 1000

var (
	errSteps = errors.New("stopped: too many instructions without a wait")
	errTime  = errors.New("stopped: ran for too long without a wait")
	errHeap  = errors.New("stopped: took too much memory")
)

// Budget counts what the Lua code of one state uses. It is the context of each of the state's threads: gopher-lua asks Done
// before every instruction, so no loop, pcall or coroutine runs past it. What is counted down is the allowance of the handler
// that runs; a handler called by another one of the same state shares the caller's.
type Budget struct {
	*allowance
	heap *sampler
}

// allowance is what one running handler has left.
type allowance struct {
	untilLook int64 // steps until the next look at the clock
	steps     int64 // steps left after those
	limits    Limits
	used      time.Duration // own running before since
	since     time.Time     // when the clock last began to run
	cpu       time.Duration // the process's processor time at the first look
	heapLimit uint64        // the heap size at which the handler is stopped
	full      bool          // that is MaxHeap: whoever allocates little is not to blame
	allocated uint64        // by the process until the handler's start, where it is full
	spent     error
}

// NewBudget returns a budget that stands at the start of a handler with the given limits. It does not watch the heap: the
// budgets of a Scheduler's states do.
func NewBudget(l Limits) *Budget {
	b := &Budget{allowance: new(allowance)}
	b.start(l, nil)
	return b
}

func (a *allowance) start(l Limits, heap *sampler) {
	*a = allowance{untilLook: lookEvery, steps: l.Steps - lookEvery, limits: l, since: time.Now(), heapLimit: heap.size() + l.Heap}
	if a.heapLimit > MaxHeap {
		a.heapLimit, a.full, a.allocated = MaxHeap, true, readAllocated()
	}
}

// pause stops the clock while another state's handler runs.
func (a *allowance) pause() { a.used += time.Since(a.since) }

func (a *allowance) resume() { a.since = time.Now() }

// Spend counts n steps of work that a library function is about to do, about one for each thing it touches. When the budget is
// spent it raises a Lua error that nothing catches.
func (b *Budget) Spend(n int) {
	b.untilLook -= int64(n)
	if n >= largeSpend {
		b.heap.sample()
	}
	if b.untilLook < 0 || b.heap.alarmed() {
		b.look()
	}
	if b.spent != nil {
		panic(&lua.ApiError{Type: lua.ApiErrorRun, Object: lua.LString(b.spent.Error())})
	}
}

// Exhausted tells whether the running handler has used up what it had. Whoever recovers a Lua error must ask, and raise again.
func (b *Budget) Exhausted() bool { return b.spent != nil }

// closed is the channel that tells the interpreter to stop.
var closed = func() <-chan struct{} { c := make(chan struct{}); close(c); return c }()

// Done counts one instruction.
func (b *Budget) Done() <-chan struct{} {
	b.untilLook--
	if b.untilLook < 0 || b.heap.alarmed() {
		b.look()
		if b.spent != nil {
			return closed
		}
	}
	return nil
}

// look decides whether the handler may go on.
func (b *Budget) look() {
	a := b.allowance
	switch {
	case a.spent != nil:
	case b.heap.alarmed() && b.heap.over(a):
		a.spent = fmt.Errorf("%w (over %d MB)", errHeap, a.limits.Heap>>20)
		if a.full {
			a.spent = fmt.Errorf("%w (the server has more than %d MB)", errHeap, MaxHeap>>20)
		}
	case a.steps+a.untilLook < 0:
		a.spent = fmt.Errorf("%w (%d million)", errSteps, a.limits.Steps/1e6)
	case a.late():
		a.spent = fmt.Errorf("%w (%d ms)", errTime, a.limits.Time.Milliseconds())
	case a.untilLook < 0:
		a.steps += a.untilLook - lookEvery
		a.untilLook = lookEvery
	}
}

// late tells whether the handler has run for too long. Where the machine is so busy that this process did not run for as long, the
// handler is not to blame. The first look comes a little late.
func (a *allowance) late() bool {
	if a.cpu == 0 {
		a.cpu = processCPU()
	}
	return a.used+time.Since(a.since) > a.limits.Time && processCPU()-a.cpu > a.limits.Time*9/10
}

// Err says why the handler was stopped; nil while it may run.
func (b *Budget) Err() error { return b.spent }

// Deadline and Value complete context.Context; a budget has neither.
func (b *Budget) Deadline() (time.Time, bool) { return time.Time{}, false }

// Value returns nil.
func (b *Budget) Value(any) any { return nil }
