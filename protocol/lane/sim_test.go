package lane

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"time"
)

// The simulator: one sender, a receiver as the page has it, and a path that loses in both directions, in virtual time.

// sender is what the simulator drives: the real Sender or a reference.
type sender interface {
	Push(now time.Duration, packet []byte, droppable bool) (uint32, error)
	Ack(now time.Duration, ack uint32) error
	Flush(now time.Duration, send func([]byte))
	Next() (time.Duration, bool)
	Stalled(now time.Duration) bool
}

// loss decides the fate of one packet.
type loss func(r *rand.Rand, now time.Duration) bool

func independent(p float64) loss {
	return func(r *rand.Rand, _ time.Duration) bool { return r.Float64() < p }
}

// bursty loses everything in episodes of mean length, p of the time.
func bursty(p float64, mean time.Duration) loss {
	var bad bool
	var until time.Duration
	return func(r *rand.Rand, now time.Duration) bool {
		for now >= until {
			bad = !bad
			d := float64(mean) * r.ExpFloat64()
			if !bad {
				d *= (1 - p) / p
			}
			until += time.Duration(d)
		}
		return bad
	}
}

type conditions struct {
	rtt    time.Duration
	jitter time.Duration // up to this much is added to each way, packets stay in order
	later  time.Duration // from half of the run on the round trip is longer by this
	there  loss
	back   loss
	rate   float64       // events a second, Poisson; 0: the burst alone
	burst  int           // events at the start
	last   time.Duration // no events after this
	seed   uint64
}

type outcome struct {
	delays []time.Duration // of each delivered event, sorted
	sends  int
	events int
	ended  bool          // 512 unacked or stalled: a disconnect
	done   time.Duration // the last delivery
}

func (o outcome) at(q float64) time.Duration {
	if len(o.delays) == 0 {
		return 0
	}
	return o.delays[min(len(o.delays)-1, int(q*float64(len(o.delays))))]
}

func (o outcome) sendsPerEvent() float64 { return float64(o.sends) / float64(max(1, len(o.delays))) }

// datagram is on its way: an event or an ack.
type datagram struct {
	at    time.Duration
	value uint32
}

// line is one direction of the path: in order, with a delay.
type line struct {
	c     *conditions
	drop  loss
	r     *rand.Rand
	queue []datagram
	head  int
	last  time.Duration
}

func (l *line) put(now time.Duration, value uint32) {
	if l.drop(l.r, now) {
		return
	}
	at := now + l.c.rtt/2
	if now > l.c.last/2 {
		at += l.c.later / 2
	}
	if l.c.jitter > 0 {
		at += time.Duration(l.r.Int64N(int64(l.c.jitter)))
	}
	l.last = max(l.last, at)
	if l.head == len(l.queue) {
		l.queue, l.head = l.queue[:0], 0
	}
	l.queue = append(l.queue, datagram{l.last, value})
}

func (l *line) next() time.Duration {
	if l.head == len(l.queue) {
		return never
	}
	return l.queue[l.head].at
}

func (l *line) take() uint32 {
	l.head++
	return l.queue[l.head-1].value
}

// simulate runs a sender until all events are delivered or the connection ends.
func simulate(s sender, c conditions) (o outcome) {
	r := rand.New(rand.NewPCG(c.seed, 1))
	out := &line{c: &c, drop: c.there, r: r}
	in := &line{c: &c, drop: c.back, r: r}
	var (
		receiver Receiver
		born     []time.Duration
		packet   = make([]byte, 100)
		now      time.Duration
		arrival  = never
	)
	wait := func() time.Duration { return time.Duration(r.ExpFloat64() / c.rate * float64(time.Second)) }
	if c.rate > 0 {
		arrival = wait()
	}
	send := func(p []byte) {
		o.sends++
		out.put(now, binary.LittleEndian.Uint32(p[1:]))
	}
	push := func() {
		if _, err := s.Push(now, packet, false); err != nil {
			o.ended = true
			return
		}
		born = append(born, now)
	}
	for range c.burst {
		push()
	}
	s.Flush(now, send)
	for !o.ended {
		timer, ok := s.Next()
		if !ok {
			timer = never
		}
		now = max(now, min(arrival, timer, out.next(), in.next()))
		if now == never {
			break
		}
		switch now {
		case out.next():
			if event := out.take(); receiver.Accept(event) {
				o.delays = append(o.delays, now-born[event-1])
				o.done = now
			}
			in.put(now, receiver.Ack())
			continue
		case in.next():
			if err := s.Ack(now, in.take()); err != nil {
				panic(err)
			}
		case arrival:
			push()
			if arrival = now + wait(); arrival > c.last {
				arrival = never
			}
		}
		s.Flush(now, send)
		if s.Stalled(now) {
			o.ended = true
		}
	}
	o.events = len(born)
	slices.Sort(o.delays)
	return o
}
