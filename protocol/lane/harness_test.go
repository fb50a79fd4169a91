package lane

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"
)

const offset = 1 // of event_id in the tests' packets

// ms is a virtual time in milliseconds.
const ms = time.Millisecond

var settings = []Resend{Gap, Given}

// onBoth runs a test of the given rule on both settings.
func onBoth(t *testing.T, f func(t *testing.T, resend Resend)) {
	for _, resend := range settings {
		t.Run(resend.String(), func(t *testing.T) { f(t, resend) })
	}
}

// rig drives a Sender by hand and notes what it sends.
type rig struct {
	*Sender
	t    *testing.T
	now  time.Duration
	sent []string // "time:event" of each packet
}

func newRig(t *testing.T, resend Resend) *rig {
	return &rig{Sender: NewSender(Config{EventOffset: offset, Resend: resend}), t: t}
}

func packet(size int) []byte { return make([]byte, size) }

// push queues n critical events of 10 bytes and flushes.
func (r *rig) push(n int) {
	r.t.Helper()
	for range n {
		if _, err := r.Push(r.now, packet(10), false); err != nil {
			r.t.Fatalf("Push at %v: %v", r.now, err)
		}
	}
	r.flush()
}

func (r *rig) flush() {
	r.Flush(r.now, func(p []byte) {
		r.sent = append(r.sent, fmt.Sprintf("%d:%d", r.now.Milliseconds(), binary.LittleEndian.Uint32(p[offset:])))
	})
}

func (r *rig) ack(event uint32) {
	r.t.Helper()
	if err := r.Sender.Ack(r.now, event); err != nil {
		r.t.Fatalf("Ack(%d) at %v: %v", event, r.now, err)
	}
	r.flush()
}

// to lets the time pass, flushing when Next says so.
func (r *rig) to(at time.Duration) {
	for {
		next, ok := r.Next()
		if !ok || next > at {
			break
		}
		r.now = max(r.now, next)
		r.flush()
	}
	r.now = at
}

// takes returns what was sent since the last call.
func (r *rig) take() []string {
	sent := r.sent
	r.sent = nil
	return sent
}

// expect checks what was sent since the last take: "time:event" or "time:first-last", in order.
func (r *rig) expect(want ...string) {
	r.t.Helper()
	var all []string
	for _, w := range want {
		var at, first, last int
		if n, _ := fmt.Sscanf(w, "%d:%d-%d", &at, &first, &last); n == 2 {
			last = first
		}
		for event := first; event <= last; event++ {
			all = append(all, fmt.Sprintf("%d:%d", at, event))
		}
	}
	if got := r.take(); fmt.Sprint(got) != fmt.Sprint(all) {
		r.t.Fatalf("sent %v\nwant %v", got, all)
	}
}
