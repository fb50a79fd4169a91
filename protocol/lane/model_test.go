package lane

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// FuzzLaneModel runs a list of operations over a Sender, a path that can do anything, and a Receiver. The model is the
// list of what was pushed: what is delivered is a prefix of it, each exactly once, and at most 512 events wait.
func FuzzLaneModel(f *testing.F) {
	f.Add(false, []byte{0x00, 0x10, 0x20, 0x40, 0x50, 0x60})
	f.Add(true, []byte{0x07, 0x10, 0x31, 0x20, 0x47, 0x22, 0x13, 0x40, 0x60, 0x6f, 0x10, 0x60})
	f.Add(false, []byte{0x0f, 0x0f, 0x30, 0x41, 0x20, 0x61, 0x60, 0x60, 0x7f, 0x7f, 0x10, 0x60, 0x10})
	for seed := range uint64(20) { // long mixed lives, so that a plain test run has them too
		r := rand.New(rand.NewPCG(seed, 5))
		ops := make([]byte, 400)
		for i := range ops {
			ops[i] = byte(r.UintN(13)<<4 | r.UintN(16))
		}
		f.Add(seed%2 == 0, ops)
	}
	f.Fuzz(func(t *testing.T, given bool, ops []byte) {
		m := newModel(t, given)
		for _, op := range ops[:min(len(ops), 1000)] { // longer lists find no more and take long
			m.step(op>>4, int(op&15))
		}
		m.finish()
	})
}

type model struct {
	t         *testing.T
	s         *Sender
	r         Receiver
	now       time.Duration
	pushed    uint32 // events 1..pushed; the payload is the event's number
	delivered uint32
	there     [][]byte
	back      []uint32
}

func newModel(t *testing.T, given bool) *model {
	c := Config{EventOffset: 2}
	if given {
		c.Resend = Given
	}
	return &model{t: t, s: NewSender(c)}
}

// step does one operation; n says which packet or how much.
func (m *model) step(op byte, n int) {
	switch op {
	case 0:
		for range n + 1 {
			m.push(false)
		}
	case 1: // deliver
		m.deliver(n)
	case 2: // an ack arrives
		if len(m.back) > 0 {
			i := n % len(m.back)
			m.ack(m.back[i])
			m.back = append(m.back[:i], m.back[i+1:]...)
		}
	case 3: // drop
		if len(m.there) > 0 {
			i := n % len(m.there)
			m.there = append(m.there[:i], m.there[i+1:]...)
		}
	case 4: // duplicate
		if len(m.there) > 0 {
			m.there = append(m.there, m.there[n%len(m.there)])
		}
	case 5: // reorder
		if k := len(m.there); k > 0 {
			i := n % k
			m.there[0], m.there[i] = m.there[i], m.there[0]
		}
	case 6: // time passes
		m.tick(time.Duration(n*n) * time.Millisecond)
	case 7: // all that is on the way arrives
		for len(m.there) > 0 {
			m.deliver(0)
		}
	case 8:
		m.push(true)
	case 9: // an ack of what was never sent
		if err := m.s.Ack(m.now, m.s.fresh+uint32(n)); !errors.Is(err, ErrFutureAck) {
			m.t.Fatalf("future ack: %v", err)
		}
	case 10: // an old ack
		m.ack(m.delivered / uint32(n+1))
	case 11:
		m.s.RTT(time.Duration(n-1) * 20 * time.Millisecond)
	case 12: // lose all acks
		m.back = m.back[:0]
	}
	if m.s.Unacked() >= MaxUnacked {
		m.t.Fatalf("%d unacked", m.s.Unacked())
	}
}

func (m *model) push(droppable bool) {
	before := m.s.Unacked()
	p := binary.LittleEndian.AppendUint32(make([]byte, 6), m.pushed+1)
	event, err := m.s.Push(m.now, p, droppable)
	switch {
	case err == nil && event == m.pushed+1:
		m.pushed++
	case errors.Is(err, ErrRefused) && droppable && before >= DroppableMax:
	case errors.Is(err, ErrFull) && before == MaxUnacked-1:
	default:
		m.t.Fatalf("Push with %d unacked: event %d, %v", before, event, err)
	}
	m.flush()
}

func (m *model) flush() {
	m.s.Flush(m.now, func(p []byte) { m.there = append(m.there, append([]byte(nil), p...)) })
	if at, ok := m.s.Next(); ok != (m.s.Unacked() > 0) || ok && at <= m.now && at != m.s.gap.copyAt {
		m.t.Fatalf("at %v after Flush: Next = %v, %v with %d unacked", m.now, at, ok, m.s.Unacked())
	}
}

func (m *model) tick(d time.Duration) {
	m.now += d
	m.flush()
}

func (m *model) deliver(n int) {
	if len(m.there) == 0 {
		return
	}
	i := n % len(m.there)
	p := m.there[i]
	m.there = append(m.there[:i], m.there[i+1:]...)
	event, payload := binary.LittleEndian.Uint32(p[2:]), binary.LittleEndian.Uint32(p[6:])
	if event != payload {
		m.t.Fatalf("event %d carries payload %d", event, payload)
	}
	if m.r.Accept(event) {
		if m.delivered++; payload != m.delivered || payload > m.pushed {
			m.t.Fatalf("delivered %d as number %d of %d", payload, m.delivered, m.pushed)
		}
	}
	m.back = append(m.back, m.r.Ack())
}

func (m *model) ack(value uint32) {
	if err := m.s.Ack(m.now, value); err != nil {
		m.t.Fatalf("Ack(%d): %v", value, err)
	}
	m.flush()
}

// finish heals the path: everything is delivered and acked within the time that the given rule alone needs.
func (m *model) finish() {
	for range 10 * (MaxUnacked/MaxDue + 1) {
		for len(m.there) > 0 {
			m.deliver(0)
		}
		for len(m.back) > 0 {
			m.ack(m.back[0])
			m.back = m.back[1:]
		}
		m.tick(CheckInterval)
	}
	if m.delivered != m.pushed || m.s.Unacked() != 0 {
		m.t.Fatalf("%d of %d delivered, %d unacked on a healed path", m.delivered, m.pushed, m.s.Unacked())
	}
}
