package world

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// shows gives the HUD packets that a link was sent since the last call, a line each.
func (l *link) shows() string {
	l.r.t.Helper()
	for l.pace.Len() > 0 && l.unacked == 0 {
		l.flush()
	}
	var list []string
	for _, p := range l.sent {
		switch p := p.(type) {
		case *protocol.HudStatusLine:
			list = append(list, fmt.Sprintf("status%d %q", p.Slot, p.Text))
		case *protocol.HudGauge:
			list = append(list, fmt.Sprintf("gauge%d %t %g", p.Slot, p.Present, p.Value))
		case *protocol.HudCountdown:
			list = append(list, fmt.Sprintf("countdown%d %v %d", p.Slot, p.Mode, p.Time))
		case *protocol.HudAnnouncement:
			list = append(list, fmt.Sprintf("announcement %v %d %q", p.Place, p.Duration, p.Content.Title))
		case *protocol.HudNotificationAdd:
			list = append(list, fmt.Sprintf("note %q %d", p.Content.Text, p.Duration))
		case *protocol.HudNotificationClear:
			list = append(list, "note gone")
		case *protocol.ObjectiveMarker:
			list = append(list, fmt.Sprintf("objective%d %t %v %.0f", p.Slot, p.Present, p.Attach, p.Position.X))
		case *protocol.HudProgress:
			list = append(list, fmt.Sprintf("progress%d %t %d/%d", p.Slot, p.Present, p.Elapsed, p.Duration))
		case *protocol.HudKillFeedAdd:
			list = append(list, fmt.Sprintf("kill %s>%s %d", p.Killer, p.Victim, p.Flags))
		case *protocol.UiTheme:
			list = append(list, fmt.Sprintf("theme %d %x", p.Scale, uint16(p.Hud)))
		}
	}
	l.sent = nil
	return strings.Join(list, ", ")
}

// make puts up an element of the resource r, with an owner.
func (r *rig) make(look Look, who *Player) *Element {
	r.t.Helper()
	var e *Element
	r.do(func(tx Tx) {
		var err error
		if e, _, err = tx.CreateElement(ElementSpec{Face: Face{Look: look}, For: who, By: "r", Owner: r}); err != nil {
			r.t.Fatal(err)
		}
	})
	return e
}

func (r *rig) change(e *Element, look Look) {
	r.t.Helper()
	r.do(func(tx Tx) {
		if err := tx.ChangeElement(e, Face{Look: look}, false); err != nil {
			r.t.Fatal(err)
		}
	})
}

func (r *rig) remove(e *Element) { r.do(func(tx Tx) { tx.RemoveElement(e) }) }

// ended gives how the elements have ended of which the scripts were told since the last call.
func (r *rig) ended() string {
	var list []string
	for _, e := range eventsOf[ElementDone](r) {
		list = append(list, string(e.Element.reason))
	}
	r.events = nil
	return strings.Join(list, " ")
}

func status(text string) Status { return Status{Text: text} }

// TestHudPacing has the changes between two passes be one packet with the last state, and nothing sent of what came and went.
func TestHudPacing(t *testing.T) {
	for _, test := range []struct {
		name string
		run  func(r *rig, l *link, p *Player)
		want string
	}{
		{"came and went", func(r *rig, l *link, p *Player) { r.remove(r.make(status("a"), p)) }, ""},
		{"last state", func(r *rig, l *link, p *Player) {
			e := r.make(status("a"), p)
			for i := range 100 {
				r.change(e, status(fmt.Sprint(i)))
			}
		}, `status0 "99"`},
		{"removed after a change", func(r *rig, l *link, p *Player) {
			e := r.make(status("a"), p)
			l.shows()
			r.change(e, status("b"))
			r.remove(e)
		}, `status0 ""`},
		{"replaced", func(r *rig, l *link, p *Player) {
			e := r.make(status("a"), p)
			l.shows()
			r.remove(e)
			r.make(status("b"), p)
		}, `status0 "b"`},
		{"replaced and removed", func(r *rig, l *link, p *Player) {
			e := r.make(status("a"), p)
			l.shows()
			r.remove(e)
			r.remove(r.make(status("b"), p))
		}, `status0 ""`},
		{"removed twice", func(r *rig, l *link, p *Player) {
			e := r.make(status("a"), p)
			l.shows()
			r.remove(e)
			l.shows()
			r.remove(r.make(status("b"), p))
		}, ""},
		{"the same", func(r *rig, l *link, p *Player) {
			e := r.make(Gauge{Max: 10, Value: 5}, p)
			l.shows()
			r.change(e, Gauge{Max: 10, Value: 5})
		}, ""},
		{"where its rate has brought it", func(r *rig, l *link, p *Player) {
			e := r.make(Gauge{Max: 10, Rate: 1}, p)
			l.shows()
			r.now += time.Hour
			r.change(e, Gauge{Max: 10, Rate: 1, Value: 10})
		}, ""},
		{"hidden", func(r *rig, l *link, p *Player) {
			e := r.make(status("a"), p)
			l.shows()
			r.do(func(tx Tx) { tx.ChangeElement(e, Face{status("b"), true}, false) })
			r.make(status("c"), p)
		}, `status0 "", status1 "c"`},
		{"note came and went", func(r *rig, l *link, p *Player) { r.remove(r.make(Notification{Text: "a"}, p)) }, ""},
		{"announcement replaced", func(r *rig, l *link, p *Player) {
			r.make(Announcement{Title: "a", Left: time.Second}, p)
			r.make(Announcement{Title: "b", Left: time.Second}, p)
		}, `announcement top 1000 "b"`},
		{"announcement moves", func(r *rig, l *link, p *Player) {
			e := r.make(Announcement{Title: "a", Left: 5 * time.Second}, p)
			l.shows()
			r.change(e, Announcement{Title: "a", Left: 5 * time.Second, Place: protocol.AnnouncementCenter})
		}, `announcement top 0 "", announcement center 5000 "a"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			l, p := r.join("Tom")
			l.shows()
			test.run(r, l, p)
			r.want(test.name, l.shows(), test.want)
		})
	}
}

// TestHudCountsWhileItWaits holds a lane up: what counts goes out with the state of the moment at which it goes.
func TestHudCountsWhileItWaits(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Tom")
	l.shows()
	l.unacked = 128
	r.make(Countdown{Mode: protocol.CountdownDown, Time: 10 * time.Second, Running: true}, p)
	r.make(Gauge{Max: 100, Value: 50, Rate: -1}, p)
	r.make(Progress{Duration: 10 * time.Second, Running: true}, p)
	for range 50 {
		r.now += tickEvery
		r.do(func(tx Tx) { tx.Tick() })
		l.pace.Flush(r.now, l)
	}
	r.want("while it is held up", l.shows(), "")
	l.unacked = 0
	l.pace.Flush(r.now, l)
	r.want("afterwards", l.shows(), "countdown0 down 5000, gauge0 true 45, progress0 true 5000/10000")
	r.now += time.Minute
	r.do(func(tx Tx) { tx.Tick() })
	r.want("at the end", l.shows(), "progress0 false 0/0")
}

func TestHudSlots(t *testing.T) {
	r := newRig(t)
	_, tom := r.join("Tom")
	var list []*Element
	for range protocol.MaxStatusLines - 1 {
		list = append(list, r.make(status("a"), tom))
	}
	shared := r.make(status("b"), nil)
	fail := func(want string, f func(tx Tx) error) {
		t.Helper()
		r.do(func(tx Tx) { r.want("error", fmt.Sprint(f(tx)), want) })
	}
	add := func(who *Player) func(tx Tx) error {
		return func(tx Tx) error {
			_, _, err := tx.CreateElement(ElementSpec{Face: Face{Look: status("c")}, For: who, By: "b"})
			return err
		}
	}
	fail("no free slot: Tom's 8 status lines are held by r (8)", add(tom))
	fail("no free slot: Tom's 8 status lines are held by r (8)", add(nil))
	r.remove(list[3])
	r.do(func(tx Tx) { add(tom)(tx) })
	fail("no free slot: Tom's 8 status lines are held by b (1), r (7)", add(tom))
	ann, a := r.join("Ann")
	r.want("the shared one in the lowest slot", ann.shows(), `status0 "b"`)
	r.do(func(tx Tx) { tx.ShowElement(shared, tom, false); add(tom)(tx) })
	fail("no free slot: Tom's 8 status lines are held by b (2), r (6)", func(tx Tx) error { return tx.ShowElement(shared, tom, true) })
	fail("no free slot: Tom's 8 status lines are held by b (2), r (6)", func(tx Tx) error { return tx.ShowElementToAll(shared, true) })
	r.do(func(tx Tx) { tx.ShowElementToAll(shared, false); tx.ShowElement(shared, a, true) })
	r.want("her last state", ann.shows(), `status0 "b"`)
	bob, _ := r.join("Bob")
	r.want("who joins does not get it", bob.shows(), "")

	r = newRig(t) // nobody is there, and all that is shared must fit who joins
	for range protocol.MaxGauges {
		r.make(Gauge{Max: 1}, nil)
	}
	fail("no free slot: everyone's 8 gauges are held by r (8)", func(tx Tx) error {
		_, _, err := tx.CreateElement(ElementSpec{Face: Face{Look: Gauge{Max: 1}}, By: "b"})
		return err
	})
}

// TestHudAudience shows a shared element to some, all and nobody.
func TestHudAudience(t *testing.T) {
	r := newRig(t)
	a, tom := r.join("Tom")
	b, _ := r.join("Ann")
	e := r.make(status("a"), nil)
	for _, step := range []struct {
		do   func(tx Tx)
		a, b string
	}{
		{func(tx Tx) {}, `status0 "a"`, `status0 "a"`},
		{func(tx Tx) { tx.ShowElement(e, tom, false) }, `status0 ""`, ""},
		{func(tx Tx) { tx.ShowElement(e, tom, false) }, "", ""},
		{func(tx Tx) { tx.ShowElementToAll(e, true) }, `status0 "a"`, ""},
		{func(tx Tx) { tx.ShowElementToAll(e, false) }, `status0 ""`, `status0 ""`},
		{func(tx Tx) { tx.ShowElement(e, tom, true) }, `status0 "a"`, ""},
		{func(tx Tx) { tx.ShowElementToAll(e, true) }, "", `status0 "a"`},
	} {
		r.do(step.do)
		r.want("Tom", a.shows(), step.a)
		r.want("Ann", b.shows(), step.b)
	}
	own := r.make(status("b"), tom)
	r.do(func(tx Tx) {
		for _, err := range []error{tx.ShowElement(own, tom, false), tx.ShowElementToAll(own, false), tx.OverrideElement(own, tom, nil)} {
			r.want("error", fmt.Sprint(err), "it is only for Tom: a shared element has an audience")
		}
	})
}

// TestHudEnds has each kind that ends by itself end, by the server's clock, and tells what clients are sent.
func TestHudEnds(t *testing.T) {
	for _, test := range []struct {
		look Look
		gone string // what is sent at the end
	}{
		{Countdown{Mode: protocol.CountdownDown, Time: 5 * time.Second, Running: true}, ""},
		{Countdown{Mode: protocol.CountdownLarge, Time: 5 * time.Second, Running: true}, ""},
		{Announcement{Title: "a", Left: 5 * time.Second}, ""},
		{Notification{Text: "a", Left: 5 * time.Second}, ""},
		{Progress{Duration: 10 * time.Second, Value: 0.5, Running: true}, "progress0 false 0/0"},
	} {
		r := newRig(t)
		l, p := r.join("Tom")
		l.shows()
		r.events = nil
		at := r.now
		e := r.make(test.look, p)
		l.shows()
		r.now = at + 5*time.Second - 1
		r.do(func(tx Tx) {
			if next := tx.tickHud(); next != r.now+1 {
				t.Errorf("%T: the next tick is at %v, now is %v", test.look, next, r.now)
			}
		})
		r.want("before the end", r.ended()+l.shows(), "")
		if r.now = at + 5*time.Second; e.over {
			t.Errorf("%T is over too early", test.look)
		}
		r.do(func(tx Tx) { tx.Tick() })
		r.want(fmt.Sprintf("%T", test.look), r.ended(), "finished")
		r.want(fmt.Sprintf("%T, sent", test.look), l.shows(), test.gone)
		r.do(func(tx Tx) { r.want("left over", fmt.Sprint(len(p.hud.own), len(p.hud.notes)), "0 0"); tx.Tick() })
	}
	for _, look := range []Look{status("a"), Gauge{Max: 1, Rate: -1}, Countdown{Mode: protocol.CountdownUp, Running: true},
		Countdown{Mode: protocol.CountdownDown, Time: time.Second}, Notification{Text: "a"}, Objective{}, Speedometer{Max: 100},
		Progress{Running: true}, Progress{Duration: time.Second}} {
		r := newRig(t)
		_, p := r.join("Tom")
		r.make(look, p)
		r.events = nil
		r.now += 100 * time.Hour
		r.do(func(tx Tx) { tx.Tick() })
		r.want(fmt.Sprintf("%T", look), r.ended(), "")
	}
}

// TestHudEndsOnce tells of each end once, whatever comes together.
func TestHudEndsOnce(t *testing.T) {
	looks := func() []Look {
		return []Look{status("a"), Gauge{Max: 1}, Countdown{Mode: protocol.CountdownDown, Time: time.Second, Running: true}, Announcement{Title: "a", Left: time.Second},
			Notification{Text: "a"}, Objective{}, Speedometer{Max: 100}, Progress{Running: true, Duration: time.Second, Cancellable: true}}
	}
	for name, end := range map[string]func(r *rig, l *link, list []*Element){
		"closed": func(r *rig, l *link, list []*Element) {
			for _, e := range list {
				r.remove(e)
				r.remove(e)
			}
		},
		"stop":  func(r *rig, l *link, list []*Element) { r.do(func(tx Tx) { tx.ResourceEnded("r") }) },
		"leave": func(r *rig, l *link, list []*Element) { r.do(func(tx Tx) { tx.Leave(l, protocol.ReasonQuit, "") }) },
	} {
		r := newRig(t)
		l, p := r.join("Tom")
		l.shows()
		r.events = nil
		var list []*Element
		for _, look := range looks() {
			list = append(list, r.make(look, p))
		}
		l.shows()
		end(r, l, list)
		if name == "leave" {
			r.do(func(tx Tx) { r.events = tx.EndsOfLeave(p) })
		}
		r.want(name, r.ended(), strings.TrimSpace(strings.Repeat(name+" ", len(list))))
		r.now += time.Minute
		r.do(func(tx Tx) { tx.Tick(); tx.ResourceEnded("r") })
		r.want(name+" again", r.ended(), "")
		if name != "leave" {
			r.want(name+", sent", l.shows(), `status0 "", gauge0 false 0, countdown0 none 0, announcement top 0 "", note gone, objective0 false none 0, progress0 false 0/0`)
		}
	}
}

// TestHudDeath ends bars with their player, unless they outlive him.
// TestEndedElementsAreForgotten holds that an element which has ended is not kept until its time would have been over: with it
// would be kept the resource that made it.
func TestEndedElementsAreForgotten(t *testing.T) {
	r := newRig(t)
	_, alice := r.join("Alice")
	r.make(Countdown{Mode: protocol.CountdownDown, Time: 24 * time.Hour, Running: true}, nil)
	r.make(Progress{Text: "Work", Duration: time.Hour, Running: true}, alice)
	r.do(func(tx Tx) {
		if n := len(tx.w.elements.timed); n != 2 {
			t.Errorf("%d elements are timed", n)
		}
		tx.ResourceEnded("r")
		if n := len(tx.w.elements.timed); n != 0 {
			t.Errorf("%d ended elements are kept", n)
		}
	})
}

// TestLeaversKeepNobody holds that the handle of who has left does not keep whoever would have heard him.
func TestLeaversKeepNobody(t *testing.T) {
	d := newDesk(t)
	d.action(ActionSpec{})
	d.do(func(tx Tx) {
		tx.Leave(d.link, protocol.ReasonQuit, "")
		if n := len(d.player.answers.open); n != 0 {
			t.Errorf("%d things are still open", n)
		}
	})
}

func TestHudDeath(t *testing.T) {
	s := newStage(t)
	a := s.alive("Tom")
	s.make(Progress{Duration: time.Minute, Running: true}, a.p)
	s.make(Progress{Duration: time.Minute, Running: true, WhileDead: true}, a.p)
	s.make(Progress{Duration: time.Minute, Running: true}, nil)
	s.make(status("a"), a.p)
	a.hush()
	s.must(func(tx Tx) error { return tx.Kill(a.p, nil, protocol.CauseScript) })
	s.want("death", s.ended(), "death")
	s.want("sent", a.shows(), "progress0 false 0/0")
	s.make(Progress{Duration: time.Minute, Running: true}, a.p)
	s.want("a bar of the dead", s.ended(), "death")
	s.want("sent", a.shows(), "")
}

// TestHudAnimation plays with a bar, and ends with it unless another one plays by then.
func TestHudAnimation(t *testing.T) {
	s := newStage(t)
	a := s.alive("Tom")
	bar := func() (e *Element) {
		s.must(func(tx Tx) (err error) {
			e, _, err = tx.CreateElement(ElementSpec{Face: Face{Look: Progress{Duration: time.Minute, Running: true}}, For: a.p, By: "r", Owner: s,
				Animation: &Animation{Block: "DANCING", Name: "dance_loop", Speed: 1, Flags: protocol.AnimationLoop}})
			return err
		})
		return e
	}
	e := bar()
	if a.p.playing == nil {
		t.Fatal("nothing plays")
	}
	s.remove(e)
	if a.p.playing != nil {
		t.Fatal("it plays on")
	}
	e = bar()
	s.must(func(tx Tx) error {
		_, err := tx.Animate(a.p, Animation{Block: "DANCING", Name: "dance_loop", Speed: 1}, "r")
		return err
	})
	s.remove(e)
	if a.p.playing == nil {
		t.Fatal("another one's animation was ended")
	}
	s.do(func(tx Tx) {
		before := len(a.p.hud.own)
		_, _, err := tx.CreateElement(ElementSpec{Face: Face{Look: Progress{Duration: time.Minute}}, For: a.p, By: "r",
			Animation: &Animation{Block: "DANCING", Name: "dance"}})
		s.want("error", fmt.Sprint(err), `field "animation": block "DANCING": name: unknown "DANCE"`)
		s.want("left", fmt.Sprint(len(a.p.hud.own)-before), "0")
	})
}

// TestHudCancel has the key cancel the newest bar that it can.
func TestHudCancel(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Tom")
	l.shows()
	r.events = nil
	press := func() {
		r.do(func(tx Tx) {
			tx.Receive(p, &protocol.ActionInput{ActionID: tx.cancelAction().id, Pressed: true})
			tx.Receive(p, &protocol.ActionInput{ActionID: tx.cancelAction().id})
		})
		l.shows()
	}
	bar := Progress{Duration: time.Minute, Running: true, Cancellable: true}
	first := r.make(bar, p)
	second := r.make(bar, p)
	bar.Cancellable = false
	third := r.make(bar, p)
	l.shows()
	press()
	r.want("once", fmt.Sprint(first.reason, second.reason, third.reason), "cancel")
	if second.reason != EndCancel {
		t.Fatal("not the newest")
	}
	press()
	press()
	r.want("thrice", fmt.Sprint(first.reason, third.reason), "cancel")
	r.want("ends", r.ended(), "cancel cancel")
}

// TestHudNotes keeps the newest 20 notifications of those that wait.
func TestHudNotes(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Tom")
	l.shows()
	l.unacked = 128
	for i := range 30 {
		r.make(Notification{Text: fmt.Sprint(i), Left: time.Second}, p)
		if i == 14 { // over by the server's clock, but they still wait
			r.now += 2 * time.Second
			r.do(func(tx Tx) { tx.Tick() })
		}
	}
	l.unacked = 0
	var want []string
	for i := 10; i < 30; i++ {
		want = append(want, fmt.Sprintf("note %q 1000", fmt.Sprint(i)))
	}
	r.want("the newest 20", l.shows(), strings.Join(want, ", "))
	r.now += time.Minute
	r.do(func(tx Tx) { tx.Tick() })

	keep := r.make(Notification{Text: "stays"}, p)
	for i := range 20 {
		r.make(Notification{Text: fmt.Sprint(i), Left: time.Minute}, p)
	}
	if keep.over {
		t.Error("one that stays went before one with a duration")
	}
	for i := range 20 {
		r.make(Notification{Text: fmt.Sprint(i)}, p)
	}
	if !keep.over || len(p.hud.notes) != 20 || len(p.hud.own) != 20 {
		t.Errorf("%d notes, %d elements; over %t", len(p.hud.notes), len(p.hud.own), keep.over)
	}
	for i := range 50 {
		r.make(Notification{Text: fmt.Sprint(i)}, nil)
	}
	if n := len(r.w.elements.shared); n != 20 {
		t.Errorf("%d shared notifications are kept", n)
	}
}

// TestHudJoin shows who joins later what all share, in its present state.
func TestHudJoin(t *testing.T) {
	r := newRig(t)
	gauge := r.make(Gauge{Max: 100, Rate: 1}, nil)
	r.make(Countdown{Mode: protocol.CountdownDown, Time: time.Minute, Running: true}, nil)
	r.make(Announcement{Title: "a", Left: time.Minute}, nil)
	r.make(Notification{Text: "a", Left: time.Minute}, nil)
	r.make(Progress{Duration: time.Minute, Running: true}, nil)
	hidden := r.make(status("b"), nil)
	r.do(func(tx Tx) { tx.ShowElementToAll(hidden, false) })
	r.now += 30 * time.Second
	r.do(func(tx Tx) { tx.Tick() })
	l := r.connect("Tom")
	var p *Player
	r.do(func(tx Tx) { p = tx.Join(l) })
	sent := l.shows()
	r.want("joins", sent, `theme 100 ffff, gauge0 true 30, countdown0 down 30000, announcement top 30000 "a", note "a" 30000, progress0 true 30000/60000`)
	r.do(func(tx Tx) {
		tx.OverrideElement(gauge, p, &Override{OwnTime: true, Face: func() Face { return Face{Look: Gauge{Max: 100, Value: 7}} }})
		tx.ShowElement(hidden, p, true)
		tx.Leave(l, protocol.ReasonQuit, "")
	})
	if len(gauge.overrides) != 0 || len(hidden.except) != 0 {
		t.Error("who has left is kept")
	}
}

// TestHudObjective follows a player: attached in scope, else by his place, every 2 s at most.
func TestHudObjective(t *testing.T) {
	s := newStage(t)
	a, b := s.alive("Tom"), s.alive("Ann")
	s.do(func(tx Tx) { tx.Look() })
	e := s.make(Objective{Target: b.p, Offset: vec(1, 0, 2)}, a.p)
	s.want("in scope", a.shows(), "objective0 true player 1")
	tick := func(d time.Duration) {
		s.now += d
		s.do(func(tx Tx) { tx.tickHud() })
	}
	far := func(x float32) {
		s.must(func(tx Tx) error { return tx.Teleport(b.p, Teleport{Position: &protocol.Vec3{X: x, Y: -1688, Z: 13}}) })
		s.do(func(tx Tx) { tx.Look() })
	}
	far(5000)
	tick(tickEvery)
	s.want("out of scope", a.shows(), "objective0 true none 5001")
	far(5005)
	tick(3 * time.Second)
	s.want("not far enough", a.shows(), "")
	far(5020)
	tick(tickEvery)
	s.want("far enough", a.shows(), "objective0 true none 5021")
	far(5100)
	tick(time.Second)
	s.want("too soon", a.shows(), "")
	tick(time.Second)
	s.want("in time", a.shows(), "objective0 true none 5101")
	far(2500)
	tick(tickEvery)
	s.want("in scope again", a.shows(), "objective0 true player 1")
	s.events = nil
	s.do(func(tx Tx) { tx.Leave(b.link, protocol.ReasonQuit, "") })
	s.want("he leaves", a.shows(), "objective0 false none 0")
	if !e.over {
		t.Error("it stays")
	}
}
