package client

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"darqline/protocol"
	"darqline/protocol/lane"
)

// lossy is the server's end of a path that loses, doubles and reorders in both directions.
type lossy struct {
	*stage
	rand *rand.Rand
	out  *lane.Sender
	in   lane.Receiver
	got  []string
	late []byte // a datagram to the client that comes after the next one
}

func (l *lossy) deliver(b []byte) {
	to := l.sockets[len(l.sockets)-1].toClient
	switch {
	case l.rand.Float64() < 0.2:
	case l.late == nil && l.rand.Float64() < 0.1:
		l.late = append([]byte(nil), b...)
	default:
		to <- append([]byte(nil), b...)
		if l.rand.Float64() < 0.05 {
			to <- append([]byte(nil), b...)
		}
		if l.late != nil {
			to <- l.late
			l.late = nil
		}
	}
}

func (l *lossy) off(p protocol.Packet) {
	if b, err := protocol.Append(nil, protocol.Header{}, p); err == nil {
		l.deliver(b)
	}
}

// take takes what the client has sent and the path has not lost.
func (l *lossy) take(now time.Duration) {
	for {
		select {
		case b := <-l.sent:
			if l.rand.Float64() < 0.2 {
				continue
			}
			h, p, err := protocol.Decode(b, protocol.ClientToServer)
			if err != nil {
				l.t.Fatal(err)
			}
			if ack, ok := p.(*protocol.ClientAck); ok {
				if err := l.out.Ack(now, ack.Ack); err != nil {
					l.t.Fatal(err)
				}
			}
			if h.Event != 0 {
				if l.in.Accept(h.Event) {
					l.got = append(l.got, p.(*protocol.ClientChat).Text)
				}
				l.off(&protocol.ServerAck{Ack: l.in.Ack()})
			}
		default:
			return
		}
	}
}

// What goes on the lane arrives once and in order, both ways, at 20 % loss with duplicates and reordering.
func TestTheLaneHoldsUnderLoss(t *testing.T) {
	for seed := range uint64(5) {
		bubble(t, func(t *testing.T, st *stage) {
			st.connect()
			l := &lossy{stage: st, rand: rand.New(rand.NewPCG(seed, 1)), out: lane.NewSender(lane.Config{EventOffset: protocol.EventOffsetServer})}
			const tick, events = 10 * time.Millisecond, 1200
			begun := time.Now()
			sent := 0
			for i := 0; sent < events || l.out.Unacked() > 0 || len(l.got) < events; i++ {
				now := time.Since(begun)
				if i%5 == 0 && sent < events {
					sent++
					b, err := protocol.Append(nil, protocol.Header{}, &protocol.ServerMessage{Text: fmt.Sprint(sent)})
					if err != nil {
						t.Fatal(err)
					}
					if _, err := l.out.Push(now, b, false); err != nil {
						t.Fatal(err)
					}
					if err := st.client.Chat(fmt.Sprint(sent)); err != nil {
						t.Fatal(err)
					}
				}
				if i%100 == 0 {
					l.off(&protocol.ServerKeepalive{Seq: uint32(i/100 + 1), Ping: protocol.NoPing})
				}
				l.take(now)
				l.out.Flush(now, l.deliver)
				time.Sleep(tick)
				synctest.Wait()
				if now > 3*time.Minute {
					t.Fatalf("seed %d: %d of %d events came through", seed, len(l.got), events)
				}
			}
			heard := st.recorder.take("message")
			if len(heard) != events || len(l.got) != events {
				t.Fatalf("seed %d: heard %d, got %d", seed, len(heard), len(l.got))
			}
			for i := range events {
				if want := fmt.Sprintf(`message 0 "%d" false false`, i+1); heard[i] != want || l.got[i] != fmt.Sprint(i+1) {
					t.Fatalf("seed %d: event %d is %s and %s", seed, i+1, heard[i], l.got[i])
				}
			}
		})
	}
}
