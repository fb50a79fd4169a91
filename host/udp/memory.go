package udp

import (
	"cmp"
	"container/heap"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

// Path is how the network treats what goes from one address to another.
type Path struct {
	Loss      float64       // chance 0..1 that a datagram is lost; 1 cuts the path, streams then stall
	Duplicate float64       // chance that a datagram arrives twice
	Reorder   float64       // chance that a datagram is held back by up to Delay + 10 ms more, so that later ones overtake it
	Delay     time.Duration // one way
	Jitter    time.Duration // up to this much more; alone it does not reorder
}

const (
	heldBack    = 10 * time.Millisecond
	retryStream = 200 * time.Millisecond // how often a stream tries a cut path again
	maxDatagram = 65507
	queueLimit  = 8192  // datagrams that a socket holds for its reader; more are lost
	firstPort   = 49152 // ports given out by the network start here
)

// Memory is a network in memory: datagram sockets, listeners and streams with addresses and ports. What is lost, doubled and
// delayed follows from the seed and, for each pair of sockets, from the order of what they send, so a run can be repeated.
// It blocks on conditions and timers only: make it inside the testing/synctest bubble that uses it.
type Memory struct {
	mu        sync.Mutex
	seed      uint64
	path      Path
	paths     map[route]Path
	flows     map[flowKey]*flow
	sockets   map[netip.AddrPort]*packetSocket
	listeners map[netip.AddrPort]*streamListener
	streams   map[*streamConn]struct{}
	ports     map[netip.Addr]uint16 // the last one given out
	events    events
	timer     *time.Timer
}

type route struct{ from, to netip.Addr }

// NewMemory makes an empty network with perfect paths.
func NewMemory(seed uint64) *Memory {
	return &Memory{
		seed:      seed,
		paths:     map[route]Path{},
		flows:     map[flowKey]*flow{},
		sockets:   map[netip.AddrPort]*packetSocket{},
		listeners: map[netip.AddrPort]*streamListener{},
		streams:   map[*streamConn]struct{}{},
		ports:     map[netip.Addr]uint16{},
	}
}

// SetPath changes both directions of all paths that have no settings of their own, from now on. Streams take the delay and
// the cut of a path, never loss.
func (m *Memory) SetPath(p Path) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.path = p
}

// SetPathOf changes both directions between the addresses a and b, from now on.
func (m *Memory) SetPathOf(a, b netip.Addr, p Path) {
	m.SetPathTo(a, b, p)
	m.SetPathTo(b, a, p)
}

// SetPathTo changes one direction, from one address to another, from now on.
func (m *Memory) SetPathTo(from, to netip.Addr, p Path) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.paths[route{from.Unmap(), to.Unmap()}] = p
}

// pathOf, like all that follows, runs under mu.
func (m *Memory) pathOf(from, to netip.Addr) Path {
	if p, ok := m.paths[route{from, to}]; ok {
		return p
	}
	return m.path
}

// bind gives addr with a port that is free for the network "udp" or "tcp": the one wanted, or a fresh one for port 0.
func (m *Memory) bind(network string, addr netip.AddrPort) (netip.AddrPort, error) {
	addr = unmap(addr)
	if !addr.Addr().IsValid() || addr.Addr().IsUnspecified() {
		return addr, fmt.Errorf("the in-memory network needs an exact address, not %v", addr)
	}
	if addr.Port() != 0 {
		if m.taken(network, addr) {
			return addr, syscall.EADDRINUSE
		}
		return addr, nil
	}
	for range 1 << 16 {
		port := max(m.ports[addr.Addr()]+1, firstPort)
		m.ports[addr.Addr()] = port
		if at := netip.AddrPortFrom(addr.Addr(), port); !m.taken(network, at) {
			return at, nil
		}
	}
	return addr, fmt.Errorf("no free port left at %v", addr.Addr())
}

func (m *Memory) taken(network string, addr netip.AddrPort) bool {
	if network == "udp" {
		return m.sockets[addr] != nil
	}
	return m.listeners[addr] != nil
}

// flow is one direction between two sockets of one network; it has dice of its own, so that what other flows do at the same
// moment does not change its fate.
type flow struct {
	key  flowKey
	dice *rand.Rand
	last time.Time // when the newest event in order happens
	wait int       // events in order that have not happened yet
	sent uint64
}

type flowKey struct {
	network  string
	from, to netip.AddrPort
}

func (k flowKey) compare(other flowKey) int {
	return cmp.Or(cmp.Compare(k.network, other.network), k.from.Compare(other.from), k.to.Compare(other.to))
}

func (m *Memory) flowOf(key flowKey) *flow {
	f := m.flows[key]
	if f == nil {
		h := fnv.New64a()
		fmt.Fprint(h, key.network, key.from, key.to)
		f = &flow{key: key, dice: rand.New(rand.NewPCG(m.seed, h.Sum64()))}
		m.flows[key] = f
	}
	return f
}

// travel is how long the next thing takes, jitter included.
func (f *flow) travel(p Path) time.Duration {
	if p.Jitter <= 0 {
		return p.Delay
	}
	return p.Delay + time.Duration(f.dice.Int64N(int64(p.Jitter)+1))
}

// event is something that happens to the receiver later, under mu. Events of one instant happen in the order of flows and
// of what each sent, whichever goroutine came first.
type event struct {
	at    time.Time
	flow  *flow
	order uint64
	do    func()
}

// inOrder lets do happen after the delay, never before what the flow has under way. With nothing to wait for it happens now.
func (m *Memory) inOrder(f *flow, after time.Duration, do func()) {
	now := time.Now()
	at := now.Add(after)
	if at.Before(f.last) {
		at = f.last
	}
	f.last = at
	if f.wait == 0 && !at.After(now) {
		do()
		return
	}
	f.wait++
	m.schedule(f, at, func() {
		f.wait--
		do()
	})
}

func (m *Memory) schedule(f *flow, at time.Time, do func()) {
	f.sent++
	heap.Push(&m.events, event{at, f, f.sent, do})
	m.arm()
}

func (m *Memory) arm() {
	if len(m.events) == 0 {
		return
	}
	switch wait := time.Until(m.events[0].at); {
	case wait <= 0: // not by a timer: one that fires at once in a bubble has crashed Go 1.26's runtime under the race detector
		go m.happen()
	case m.timer == nil:
		m.timer = time.AfterFunc(wait, m.happen)
	default:
		m.timer.Reset(wait)
	}
}

func (m *Memory) happen() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.events) > 0 && !m.events[0].at.After(time.Now()) {
		heap.Pop(&m.events).(event).do()
	}
	m.arm()
}

// events is a heap by time.
type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return cmp.Or(e[i].at.Compare(e[j].at), e[i].flow.key.compare(e[j].flow.key), cmp.Compare(e[i].order, e[j].order)) < 0
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	old := *e
	last := old[len(old)-1]
	old[len(old)-1] = event{}
	*e = old[:len(old)-1]
	return last
}

// deadline wakes the waiters of a condition at a time.
type deadline struct {
	at    time.Time
	timer *time.Timer
}

// set runs under mu; wake must take mu.
func (d *deadline) set(t time.Time, wake func()) {
	d.stop()
	d.at = t
	switch wait := time.Until(t); {
	case t.IsZero():
	case wait <= 0:
		go wake() // as in arm
	default:
		d.timer = time.AfterFunc(wait, wake)
	}
}

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}

func (d *deadline) passed() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }

func opError(op, network string, err error) error {
	return &net.OpError{Op: op, Net: network, Err: err}
}
