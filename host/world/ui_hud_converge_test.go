package world

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"darqline/protocol"
)

// hudMirror is a client's HUD: what shows, by its key.
type hudMirror map[hudKey]protocol.Packet

// take applies what the link was sent, as a client does: whole states by slot. It says what a client would not expect: the removal
// of what it does not show.
func (m hudMirror) take(l *link) (odd string) {
	for _, p := range l.sent {
		key, present := hudKey{}, true
		switch p := p.(type) {
		case *protocol.HudStatusLine:
			key, present = hudKey{kind: kindStatus, slot: p.Slot}, p.Present
		case *protocol.HudGauge:
			key, present = hudKey{kind: kindGauge, slot: p.Slot}, p.Present
		case *protocol.HudCountdown:
			key, present = hudKey{kind: kindCountdown, slot: p.Slot}, p.Mode != protocol.CountdownNone
		case *protocol.ObjectiveMarker:
			key, present = hudKey{kind: kindObjective, slot: p.Slot}, p.Present
		case *protocol.HudProgress:
			key, present = hudKey{kind: kindProgress, slot: p.Slot}, p.Present
		case *protocol.HudNotificationAdd:
			key = hudKey{kind: kindNotification, id: p.NotificationID}
		case *protocol.HudNotificationClear:
			key, present = hudKey{kind: kindNotification, id: p.NotificationID}, false
		default:
			continue
		}
		if present {
			m[key] = p
			continue
		}
		if m[key] == nil {
			odd = fmt.Sprintf("%+v is removed, and is not there", key)
		}
		delete(m, key)
	}
	l.sent = nil
	return odd
}

// want is what a player should see.
func wantedHud(tx Tx, p *Player) hudMirror {
	m := make(hudMirror)
	add := func(s *hudSlot) {
		if s.e == nil {
			return
		}
		if f := s.e.faceFor(p, tx.now()); !f.Hidden {
			m[s.key] = f.packet(tx, seenAs{p, s.key.slot, s.e.id})
		}
	}
	for k := range p.hud.slots {
		for i := range p.hud.slots[k] {
			add(&p.hud.slots[k][i])
		}
	}
	for _, s := range p.hud.notes {
		add(s)
	}
	return m
}

// TestHudConverges plays random scripts on lanes that stand still now and then, with players who come and go: when all has gone out,
// each client shows what the server means it to, and none was told of the end of what it has never seen.
func TestHudConverges(t *testing.T) {
	for seed := range uint64(60) {
		r := newRig(t)
		rnd := rand.New(rand.NewPCG(seed, 1))
		type viewing struct {
			l *link
			p *Player
			m hudMirror
		}
		var seats []*viewing
		var list []*Element
		join := func() {
			l, p := r.join(fmt.Sprint("P", r.links))
			seats = append(seats, &viewing{l, p, make(hudMirror)})
		}
		join()
		looks := func(n int) Look {
			return []Look{status(fmt.Sprint("s", n)), Gauge{Max: 1e6, Value: float64(n)}, Objective{Text: fmt.Sprint(n)}, Progress{Text: fmt.Sprint(n)},
				Notification{Text: fmt.Sprint(n)}, Countdown{Mode: protocol.CountdownUp, Label: fmt.Sprint(n)}}[rnd.IntN(6)]
		}
		for step := range 600 {
			one := seats[rnd.IntN(len(seats))]
			var e *Element
			if len(list) > 0 {
				e = list[rnd.IntN(len(list))]
			}
			r.do(func(tx Tx) {
				switch op := rnd.IntN(12); {
				case op < 3 || e == nil:
					spec := ElementSpec{Face: Face{looks(step), rnd.IntN(8) == 0}, By: fmt.Sprint("r", rnd.IntN(3)), Owner: r}
					if rnd.IntN(2) == 0 {
						spec.For = one.p
					}
					if made, _, err := tx.CreateElement(spec); err == nil {
						list = append(list, made)
					}
				case op < 6:
					for {
						if l := looks(step); l.kind() == e.Spec.kind() {
							tx.ChangeElement(e, Face{l, rnd.IntN(8) == 0}, rnd.IntN(2) == 0)
							break
						}
					}
				case op == 6:
					tx.RemoveElement(e)
				case op == 7:
					tx.ShowElement(e, one.p, rnd.IntN(2) == 0)
				case op == 8:
					tx.ShowElementToAll(e, rnd.IntN(2) == 0)
				case op == 9:
					o := &Override{Face: func() Face { return e.Spec.Face }}
					if s, ok := e.Spec.Look.(Status); ok {
						o.Face = func() Face { s.Text = "his"; return Face{s, false} }
					}
					if rnd.IntN(2) == 0 {
						o = nil
					}
					tx.OverrideElement(e, one.p, o)
				case op == 10:
					tx.Tick()
				case rnd.IntN(4) == 0:
					tx.ResourceEnded(fmt.Sprint("r", rnd.IntN(3)))
				}
			})
			switch rnd.IntN(10) {
			case 0:
				one.l.unacked = 200 - one.l.unacked
			case 1:
				if len(seats) < 6 {
					join()
				}
			case 2:
				if len(seats) > 2 && rnd.IntN(3) == 0 {
					r.do(func(tx Tx) { tx.Leave(seats[0].l, protocol.ReasonQuit, "") })
					seats = seats[1:]
				}
			default:
				r.now += 40 * time.Millisecond
				for _, s := range seats {
					s.l.pace.Flush(r.now, s.l)
					if odd := s.m.take(s.l); odd != "" {
						t.Fatalf("seed %d, step %d: %s", seed, step, odd)
					}
				}
			}
		}
		for _, s := range seats {
			s.l.unacked = 0
			for s.l.pace.Len() > 0 {
				s.l.flush()
			}
			s.m.take(s.l)
			var want hudMirror
			r.do(func(tx Tx) { want = wantedHud(tx, s.p) })
			if !reflect.DeepEqual(s.m, want) {
				t.Fatalf("seed %d: %s has\n%v\nwant\n%v", seed, s.l.name, s.m, want)
			}
		}
		r.do(func(tx Tx) {
			for _, name := range []string{"r0", "r1", "r2"} {
				tx.ResourceEnded(name)
			}
		})
		for _, e := range list {
			if !e.over {
				t.Fatalf("seed %d: an element outlives its resource", seed)
			}
		}
		if told := len(eventsOf[ElementDone](r)); told > len(list) {
			t.Fatalf("seed %d: %d ends of %d elements", seed, told, len(list))
		}
	}
}
