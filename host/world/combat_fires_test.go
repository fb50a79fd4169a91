package world

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"darqline/protocol"
)

// burn makes a fire some metres from b.
func (d *duel) burn(metres float32, lasts time.Duration, by string) (f *Fire) {
	d.must(func(tx Tx) error {
		at := d.b.p.body.Position
		at.X += metres
		var err error
		f, err = tx.CreateFire(NewFire{Position: at, Size: 1.8, Duration: lasts, Creator: d.a.p}, by)
		return err
	})
	return f
}

// flames are the packets about fires that b was sent since the last call.
func (d *duel) flames() (list string) {
	d.t.Helper()
	d.do(func(tx Tx) { tx.Tick() })
	for d.b.link.pace.Len() > 0 {
		d.b.link.flush()
	}
	for _, m := range d.b.link.sent {
		switch m := m.(type) {
		case *protocol.CreateFire:
			list += fmt.Sprintf("+%d %dms ", m.FireID, m.Duration)
		case *protocol.ExtinguishFire:
			list += fmt.Sprintf("-%d ", m.FireID)
		}
	}
	d.b.link.sent = nil
	return list
}

func TestFireBurnsOut(t *testing.T) {
	d := newDuel(t)
	f := d.burn(5, 10*time.Second, "r")
	d.want("shown", d.flames(), fmt.Sprintf("+%d 10000ms ", f.ID))
	d.events = nil
	d.rig.now += 11 * time.Second
	d.want("over", d.flames(), fmt.Sprintf("-%d ", f.ID))
	e := eventsOf[FireEnd](d.rig)
	if len(e) != 1 || e[0].Fire != f || e[0].Reason != FireBurntOut || !f.Valid() {
		t.Fatalf("events %+v", e)
	}
	f.Forget()
	d.do(func(tx Tx) {
		tx.Extinguish(f)
		if f.Valid() || len(tx.Fires()) != 0 {
			t.Error("it still burns")
		}
	})
}

func TestFireIsShownOnTheNextTick(t *testing.T) {
	d := newDuel(t)
	d.burn(5, 0, "r")
	d.do(func(tx Tx) { tx.Tick() })
	f := d.burn(6, 0, "r")
	d.do(func(tx Tx) { tx.Tick() })
	if !d.b.link.Waits(fireKey{f.ID}) {
		t.Error("it waits for the next look")
	}
}

func TestFireThatNobodyHeardOf(t *testing.T) {
	d := newDuel(t)
	f := d.burn(5, 0, "r")
	d.do(func(tx Tx) { tx.Tick(); tx.Extinguish(f) })
	d.want("b", d.flames(), "")
}

func TestFiresInScope(t *testing.T) {
	d := newDuel(t)
	near, far := d.burn(299, 0, "r"), d.burn(301, 0, "r")
	d.want("near", d.flames(), fmt.Sprintf("+%d 0ms ", near.ID))
	for range 4 {
		d.b.frame(move(1, 0, 0))
	}
	d.rig.now += time.Second
	d.want("nearer", d.flames(), fmt.Sprintf("+%d 0ms ", far.ID))
	for range 3 {
		d.b.frame(move(-10, 0, 0))
	}
	d.rig.now += time.Second
	d.want("within the hysteresis", d.flames(), "")
	for range 6 {
		d.b.frame(move(-10, 0, 0))
	}
	d.rig.now += time.Second
	if got := d.flames(); got != fmt.Sprintf("-%d -%d ", near.ID, far.ID) && got != fmt.Sprintf("-%d -%d ", far.ID, near.ID) {
		t.Errorf("beyond the hysteresis: %s", got)
	}
	for range 9 {
		d.b.frame(move(10, 0, 0))
	}
	d.must(func(tx Tx) error { return tx.SetDimension(d.b.p, 7) })
	d.rig.now += time.Second
	d.want("in another dimension", d.flames(), "")
}

func TestMostFires(t *testing.T) {
	d := newDuel(t)
	for i := range 256 {
		d.burn(float32(i%200), 0, "r")
	}
	d.do(func(tx Tx) {
		if _, err := tx.CreateFire(NewFire{Size: 1}, "r"); !errors.Is(err, ErrTooManyFires) {
			t.Errorf("the 257th: %v", err)
		}
		tx.Tick()
	})
	if n := len(d.b.p.fires.Seen()); n != 60 {
		t.Errorf("b sees %d", n)
	}
	d.do(func(tx Tx) { tx.ResourceEnded("other") })
	d.do(func(tx Tx) {
		if n := len(tx.Fires()); n != 256 {
			t.Errorf("%d burn after another resource's end", n)
		}
		tx.ResourceEnded("r")
		if n := len(tx.Fires()); n != 0 {
			t.Errorf("%d burn after their resource's end", n)
		}
	})
}

func TestExtinguishArea(t *testing.T) {
	d := newDuel(t)
	in, out := d.burn(5, 0, "r"), d.burn(50, 0, "r")
	d.must(func(tx Tx) error {
		_, err := tx.CreateFire(NewFire{Position: d.b.p.body.Position, Size: 1, Dimension: 3}, "r")
		return err
	})
	d.flames()
	d.must(func(tx Tx) error { return tx.ExtinguishArea(d.b.p.body.Position, 10, 0) })
	d.want("b", d.flames(), fmt.Sprintf("-0 -%d ", in.ID))
	d.do(func(tx Tx) {
		if list := tx.Fires(); len(list) != 2 || list[0] != out || list[1].Dimension != 3 {
			t.Errorf("%d burn", len(list))
		}
		if tx.ExtinguishArea(protocol.Vec3{}, 301, 0) == nil || tx.ExtinguishArea(protocol.Vec3{}, 0, 0) == nil {
			t.Error("no error")
		}
	})
	at := d.b.p.body.Position
	at.X += 309
	d.must(func(tx Tx) error { return tx.ExtinguishArea(at, 10, 0) })
	d.want("as far as the radius reaches", d.flames(), "-0 ")
	d.must(func(tx Tx) error { return tx.ExtinguishArea(at, 10, 3) })
	d.want("elsewhere", d.flames(), "")
}

func TestFireErrors(t *testing.T) {
	d := newDuel(t)
	d.do(func(tx Tx) {
		for what, n := range map[string]NewFire{"size": {Size: 11}, "no size": {}, "spread": {Size: 1, Spread: 21},
			"place": {Size: 1, Position: vec(30000, 0, 0)}, "dimension": {Size: 1, Dimension: 65535}, "duration": {Size: 1, Duration: -1}} {
			if _, err := tx.CreateFire(n, "r"); err == nil {
				t.Errorf("%s: no error", what)
			}
		}
		if len(tx.Fires()) != 0 {
			t.Error("something burns")
		}
	})
}
