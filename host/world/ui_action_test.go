package world

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

const everywhere = protocol.ActionOnFoot | protocol.ActionDriver | protocol.ActionPassenger | protocol.ActionWasted | protocol.ActionPreSpawn

func keyOf(name string) protocol.Key {
	k, ok := protocol.KeyByName(name)
	if !ok {
		panic(name)
	}
	return k
}

// action declares one and lets it reach the player.
func (d *desk) action(spec ActionSpec) (a *Action) {
	d.t.Helper()
	spec.Label, spec.By = "Use", "jobs"
	if spec.Name == "" {
		spec.Name = "use"
	}
	if spec.When == 0 {
		spec.When = everywhere
	}
	d.do(func(tx Tx) {
		var err error
		if a, err = tx.DeclareAction(spec); err != nil {
			d.t.Fatal(err)
		}
	})
	d.link.drain()
	return a
}

func (d *desk) key(a *Action, pressed bool) {
	d.receive(&protocol.ActionInput{ActionID: a.id, Pressed: pressed})
}

// stands puts the player alive somewhere.
func (d *desk) stands(x float32) {
	d.player.life = Alive
	d.player.body.Position = protocol.Vec3{X: x}
}

func (d *desk) prompt(a *Action, spec PromptSpec) {
	d.t.Helper()
	if spec.Text == "" {
		spec.Text = "Open"
	}
	d.do(func(tx Tx) {
		if err := tx.SetPrompt(a, d.player, spec); err != nil {
			d.t.Fatal(err)
		}
	})
}

func TestActionEdges(t *testing.T) {
	d := newDesk(t)
	a := d.action(ActionSpec{})
	d.key(a, false)
	d.want("a release of one that is up", d.heard(), "")
	d.key(a, true)
	d.key(a, true)
	d.want("a press of one that is down", d.heard(), "press use")
	d.now += 1500 * time.Millisecond
	d.do(func(tx Tx) {
		if held, down := tx.ActionDown(a, d.player); !down || held != 1500*time.Millisecond {
			t.Errorf("down %v, held %v", down, held)
		}
	})
	d.key(a, false)
	if e := d.events[len(d.events)-1].(ActionInput); e.Held != 1500*time.Millisecond || e.Pressed {
		t.Errorf("%+v", e)
	}
	d.want("released", d.heard(), "release use")
	d.receive(&protocol.ActionInput{ActionID: 999, Pressed: true})
	d.want("one that there is not", d.heard(), "")
	if d.failures() != 1 {
		t.Errorf("%d violations, want 1", d.failures())
	}
}

// TestPressesThatAreDropped holds presses against the server's own state.
func TestPressesThatAreDropped(t *testing.T) {
	seated := func(d *desk) { d.stands(0); d.player.body.Flags |= protocol.FlagSeated }
	world := PromptSpec{InWorld: true, Radius: 2}
	tests := []struct {
		name  string
		spec  ActionSpec
		make  func(d *desk, a *Action)
		press bool
	}{
		{"on foot", ActionSpec{When: protocol.ActionOnFoot}, func(d *desk, a *Action) { d.stands(0) }, true},
		{"on foot, but he sits", ActionSpec{When: protocol.ActionOnFoot}, func(d *desk, a *Action) { seated(d) }, false},
		{"in a vehicle", ActionSpec{When: protocol.ActionDriver}, func(d *desk, a *Action) { seated(d) }, true},
		{"before the spawn", ActionSpec{When: protocol.ActionPreSpawn}, func(d *desk, a *Action) {}, true},
		{"on foot, but not spawned", ActionSpec{When: protocol.ActionOnFoot}, func(d *desk, a *Action) {}, false},
		{"wasted", ActionSpec{When: protocol.ActionWasted}, func(d *desk, a *Action) { d.player.life = Wasted }, true},
		{"on foot, but dead", ActionSpec{When: protocol.ActionOnFoot}, func(d *desk, a *Action) { d.player.life = Wasted }, false},
		{"off", ActionSpec{}, func(d *desk, a *Action) { d.do(func(tx Tx) { tx.SetActionEnabled(a, false) }) }, false},
		{"off for him", ActionSpec{}, func(d *desk, a *Action) { d.do(func(tx Tx) { tx.EnableAction(a, d.player, false) }) }, false},
		{"on again", ActionSpec{}, func(d *desk, a *Action) {
			d.do(func(tx Tx) {
				tx.EnableAction(a, d.player, false)
				tx.EnableAction(a, d.player, true)
				tx.SetActionEnabled(a, false)
				tx.SetActionEnabled(a, true)
			})
		}, true},
		{"without its prompt", ActionSpec{OnlyWithPrompt: true}, func(d *desk, a *Action) { d.stands(0) }, false},
		{"with its prompt", ActionSpec{OnlyWithPrompt: true}, func(d *desk, a *Action) { d.stands(0); d.prompt(a, PromptSpec{}); d.link.drain() }, true},
		{"before its prompt was sent", ActionSpec{OnlyWithPrompt: true}, func(d *desk, a *Action) { d.stands(0); d.prompt(a, PromptSpec{}) }, false},
		{"while the prompt changes", ActionSpec{OnlyWithPrompt: true}, func(d *desk, a *Action) {
			d.stands(0)
			d.prompt(a, PromptSpec{})
			d.link.drain()
			d.prompt(a, PromptSpec{Text: "Close"})
		}, true},
		{"after its prompt", ActionSpec{OnlyWithPrompt: true}, func(d *desk, a *Action) {
			d.stands(0)
			d.prompt(a, PromptSpec{})
			d.link.drain()
			d.do(func(tx Tx) { tx.RemovePrompt(a, d.player) })
		}, false},
		{"5 m from a radius of 2", ActionSpec{OnlyWithPrompt: true}, func(d *desk, a *Action) { d.stands(5); d.prompt(a, world); d.link.drain() }, true},
		{"5.1 m", ActionSpec{OnlyWithPrompt: true}, func(d *desk, a *Action) { d.stands(5.1); d.prompt(a, world); d.link.drain() }, false},
		{"7.9 m at 10 m/s", ActionSpec{OnlyWithPrompt: true}, func(d *desk, a *Action) {
			d.stands(7.9)
			d.player.body.Velocity = [3]int16{1000, 0, 0}
			d.prompt(a, world)
			d.link.drain()
		}, true},
		{"8.1 m at 10 m/s", ActionSpec{OnlyWithPrompt: true}, func(d *desk, a *Action) {
			d.stands(8.1)
			d.player.body.Velocity = [3]int16{1000, 0, 0}
			d.prompt(a, world)
			d.link.drain()
		}, false},
		{"far away, but not only with its prompt", ActionSpec{}, func(d *desk, a *Action) { d.stands(500); d.prompt(a, world); d.link.drain() }, true},
		{"scripts without room", ActionSpec{}, func(d *desk, a *Action) { d.full = true }, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t)
			a := d.action(test.spec)
			test.make(d, a)
			d.heard()
			d.key(a, true)
			d.full = false
			want := ""
			if test.press {
				want = "press use"
			}
			d.want("press", d.heard(), want)
			d.key(a, false)
			d.want("release", d.heard(), strings.Replace(want, "press", "release", 1))
			if d.failures() != 0 {
				t.Errorf("%d violations: a press that comes late is honest", d.failures())
			}
		})
	}
}

func TestPromptThatFollows(t *testing.T) {
	d := newDesk(t)
	bob, b := d.join("Bobby")
	b.life, b.body.Position, b.body.Heading = Alive, protocol.Vec3{X: 100}, 16384 // 90 degrees: he looks west
	a := d.action(ActionSpec{OnlyWithPrompt: true})
	d.stands(0)
	d.prompt(a, PromptSpec{InWorld: true, Target: b, Position: protocol.Vec3{Y: 50}, Radius: 1})
	d.link.drain0()
	m := d.link.sent[len(d.link.sent)-1].(*protocol.ActionPrompt)
	if m.Attach != protocol.AttachPlayer || m.AttachToken != b.Token {
		t.Errorf("%+v", m)
	}
	d.stands(54.1)
	d.key(a, true)
	d.want("too far from 50 m before him", d.heard(), "")
	d.stands(53.9)
	d.key(a, true)
	d.want("near enough", d.heard(), "press use")
	d.shows()
	d.do(func(tx Tx) { tx.Leave(bob, protocol.ReasonQuit, "") })
	if got := d.shows(); !strings.Contains(got, "prompt") {
		t.Errorf("it stays when whom it follows has left: %s", got)
	}
	d.do(func(tx Tx) {
		if _, ok := tx.PromptOf(a, d.player); ok {
			t.Error("it is still there")
		}
	})
}

func TestEveryPressHasItsRelease(t *testing.T) {
	tests := []struct {
		name string
		do   func(tx Tx, d *desk, a *Action)
		want string
	}{
		{"removal", func(tx Tx, d *desk, a *Action) { tx.RemoveAction(a); tx.RemoveAction(a) }, "release use, gone use closed"},
		{"off", func(tx Tx, d *desk, a *Action) { tx.SetActionEnabled(a, false) }, "release use"},
		{"off for him", func(tx Tx, d *desk, a *Action) { tx.EnableAction(a, d.player, false) }, "release use"},
		{"death", func(tx Tx, d *desk, a *Action) { tx.deathUI(d.player) }, "release use"},
		{"leave", func(tx Tx, d *desk, a *Action) { tx.Leave(d.link, protocol.ReasonQuit, "") }, "release use"},
		{"stop", func(tx Tx, d *desk, a *Action) { tx.resourceUI("jobs") }, "release use, gone use stop"},
	}
	for _, test := range tests {
		d := newDesk(t)
		a := d.action(ActionSpec{})
		d.key(a, true)
		d.heard()
		d.full = test.name == "off" // the scripts have no room: it is told later
		d.do(func(tx Tx) { test.do(tx, d, a) })
		if d.full {
			d.want("not now", d.heard(), "")
			d.key(a, true)
			d.full = false
			d.tick(0)
		}
		d.want(test.name, d.heard(), test.want)
		d.key(a, false)
		d.want(test.name+": the client's own comes late", d.heard(), "")
		if d.failures() != 0 {
			t.Errorf("%s: %d violations", test.name, d.failures())
		}
	}
}

func TestHold(t *testing.T) {
	d := newDesk(t)
	a := d.action(ActionSpec{})
	d.prompt(a, PromptSpec{Hold: time.Second})
	d.link.drain()
	d.key(a, true)
	d.tick(999 * time.Millisecond)
	d.want("not yet", d.heard(), "press use")
	d.tick(time.Millisecond)
	d.tick(5 * time.Second)
	d.want("once", d.heard(), "hold use")
	d.key(a, false)
	d.key(a, true)
	d.tick(500 * time.Millisecond)
	d.key(a, false)
	d.tick(time.Minute)
	d.want("too short", d.heard(), "release use, press use, release use")
	d.key(a, true)
	d.do(func(tx Tx) { tx.RemovePrompt(a, d.player) })
	d.tick(time.Minute)
	d.want("its prompt is gone", d.heard(), "press use")
	d.key(a, false)
	d.prompt(a, PromptSpec{Hold: time.Second})
	d.key(a, true)
	d.prompt(a, PromptSpec{Hold: time.Second, Text: "Other"})
	d.tick(time.Second)
	d.want("another text changes nothing", d.heard(), "release use, press use, hold use")
	d.do(func(tx Tx) {
		if next := tx.tickUI(); next != forever {
			t.Errorf("something is due in %v", next-tx.now())
		}
	})
}

func TestActionLimit(t *testing.T) {
	d := newDesk(t)
	a := d.action(ActionSpec{})
	presses := func(n int) (told int) {
		for range n {
			d.key(a, true)
			d.key(a, false)
		}
		return strings.Count(d.heard(), "press")
	}
	if n := presses(100); n != pressBurst {
		t.Errorf("%d of the burst", n)
	}
	d.now += time.Second
	if n := presses(100); n != pressRate {
		t.Errorf("%d a second", n)
	}
	d.now += 50 * time.Millisecond
	d.key(a, true)
	for range 100 {
		d.receive(&protocol.ActionInput{ActionID: a.id, Pressed: true})
	}
	d.key(a, false)
	d.want("a release is not limited", d.heard(), "press use, release use")
}

func TestActionsGoToWhomTheyAreFor(t *testing.T) {
	d := newDesk(t)
	a := d.action(ActionSpec{})
	var mine *Action
	d.do(func(tx Tx) {
		spec := ActionSpec{Name: "own", Label: "x", By: "jobs", When: everywhere, For: d.player}
		mine, _ = tx.DeclareAction(spec)
		tx.SetActionEnabled(a, false)
		tx.SetActionEnabled(mine, false)
	})
	d.want("declared, in the state that it has now", d.shows(), "declare own off, declare use off")
	bob, b := d.join("Bobby")
	other := &desk{rig: d.rig, link: bob, player: b}
	if got := other.shows(); !strings.HasPrefix(got, "declare use off, ") || strings.Contains(got, "own") {
		t.Errorf("Bobby is told %s", got)
	}
	other.receive(&protocol.ActionInput{ActionID: mine.id, Pressed: true})
	if other.failures() != 1 {
		t.Error("another player's action was pressed")
	}
	d.do(func(tx Tx) {
		if err := tx.EnableAction(mine, b, true); err == nil || err.Error() != "this action is only for Alice" {
			t.Error(err)
		}
		if err := tx.SetPrompt(mine, b, PromptSpec{Text: "x"}); err == nil || err.Error() != "this action is only for Alice" {
			t.Error(err)
		}
	})
	d.heard()
	d.do(func(tx Tx) { tx.RemoveAction(a) })
	d.want("removed", other.shows(), "remove action")
	d.do(func(tx Tx) { // comes and goes
		a, _ = tx.DeclareAction(ActionSpec{Name: "brief", Label: "x", By: "jobs", When: everywhere})
		tx.SetPrompt(a, b, PromptSpec{Text: "x"})
		tx.RemoveAction(a)
	})
	d.want("what came and went", other.shows(), "")
	d.heard()
	d.do(func(tx Tx) {
		tx.Leave(d.link, protocol.ReasonQuit, "")
		if !tx.ActionRemoved(mine) {
			t.Error("it has not gone with him")
		}
		d.events = tx.EndsOfLeave(d.player)
	})
	d.want("and its end is told behind his leave", d.heard(), "gone own leave")
}

func TestBadActions(t *testing.T) {
	good := ActionSpec{Name: "door", Label: "Use", Key: keyOf("E"), When: everywhere, By: "jobs"}
	change := func(f func(s *ActionSpec)) ActionSpec { s := good; f(&s); return s }
	tests := []struct {
		name  string
		spec  ActionSpec
		error string
	}{
		{"a bad name", change(func(s *ActionSpec) { s.Name = "Use" }), `field "name": "Use", 1 to 31 of a-z, 0-9 and _ expected`},
		{"no label", change(func(s *ActionSpec) { s.Label = "" }), `field "label": an action has one`},
		{"a long label", change(func(s *ActionSpec) { s.Label = strings.Repeat("x", 64) }), `field "label": 64 bytes, at most 63`},
		{"no state", change(func(s *ActionSpec) { s.When = 0 }), `field "when": without a state the action could never be used`},
		{"a reserved key", change(func(s *ActionSpec) { s.Key = keyOf("Tab") }), `field "key": "Tab" is the platform's player_list`},
		{"accept", change(func(s *ActionSpec) { s.Key = keyOf("Y") }), `field "key": "Y" is the platform's accept`},
		{"Escape", change(func(s *ActionSpec) { s.Key = keyOf("Escape") }), `field "key": "Escape" is the platform's pause menu`},
		{"one name twice", change(func(s *ActionSpec) { s.Name = "use" }), `field "name": this resource has an action "use" already`},
	}
	d := newDesk(t)
	d.action(ActionSpec{Name: "use"})
	for _, test := range tests {
		d.do(func(tx Tx) {
			if _, err := tx.DeclareAction(test.spec); err == nil || err.Error() != test.error {
				t.Errorf("%s: got %v\nwant %s", test.name, err, test.error)
			}
		})
	}
	d.do(func(tx Tx) {
		for _, spec := range []ActionSpec{change(func(s *ActionSpec) { s.By = "bank" }), change(func(s *ActionSpec) { s.Name, s.Key = "up", keyOf("Up") })} {
			if _, err := tx.DeclareAction(spec); err != nil {
				t.Error(err)
			}
		}
		for n := len(tx.w.actions); n < mostActions; n++ {
			if _, err := tx.DeclareAction(change(func(s *ActionSpec) { s.Name = fmt.Sprint("a", n) })); err != nil {
				t.Fatal(err)
			}
		}
		for _, who := range []*Player{nil, d.player} {
			if _, err := tx.DeclareAction(change(func(s *ActionSpec) { s.Name, s.For = "more", who })); err != errTooManyActions {
				t.Errorf("129 actions: %v", err)
			}
		}
	})
	for _, test := range []struct {
		spec  PromptSpec
		error string
	}{
		{PromptSpec{}, `field "text": a prompt has one`},
		{PromptSpec{Text: "x", Hold: 199 * time.Millisecond}, `field "hold_ms": 0 or 200..10,000 expected, got 199`},
		{PromptSpec{Text: strings.Repeat("x", 128)}, `field "text": 128 bytes, at most 127`},
		{PromptSpec{Text: "x", InWorld: true}, `ActionPrompt: radius is 0: a prompt in the world needs one`},
	} {
		d.do(func(tx Tx) {
			if err := tx.SetPrompt(tx.w.actions[1], d.player, test.spec); err == nil || err.Error() != test.error {
				t.Errorf("got %v\nwant %s", err, test.error)
			}
		})
	}
}

func TestTheServersOwnAction(t *testing.T) {
	d := &desk{rig: newRig(t)}
	d.link = d.connect("Alice")
	d.do(func(tx Tx) { d.player = tx.Join(d.link) })
	if got := d.shows(); !strings.Contains(got, "declare cancel off") {
		t.Fatalf("the join sends %s", got)
	}
	cancel := d.w.cancel
	pressed := 0
	d.key(cancel, true)
	d.do(func(tx Tx) {
		if id := tx.watchCancel(d.player, func(Tx) { pressed++ }); id != cancel.id {
			t.Errorf("id %d", id)
		}
		tx.watchCancel(d.player, func(Tx) { pressed += 10 })
	})
	d.want("on", d.shows(), "declare cancel")
	d.key(cancel, true)
	d.key(cancel, false)
	if pressed != 10 {
		t.Errorf("pressed is %d", pressed)
	}
	d.do(func(tx Tx) { tx.watchCancel(d.player, nil) })
	d.want("off", d.shows(), "declare cancel off")
	d.key(cancel, true)
	d.heard()
	if pressed != 10 || d.failures() != 0 {
		t.Errorf("pressed is %d, %d violations", pressed, d.failures())
	}
}

// TestRandomActionInput: whatever a client sends, presses and releases alternate, and only of what it has.
func TestRandomActionInput(t *testing.T) {
	d := newDesk(t)
	d.stands(0)
	var all []*Action
	for n := range 4 {
		all = append(all, d.action(ActionSpec{Name: fmt.Sprint("a", n), OnlyWithPrompt: n == 3}))
	}
	d.do(func(tx Tx) { tx.SetActionEnabled(all[2], false) })
	d.link.drain()
	rng := rand.New(rand.NewPCG(5, 6))
	down := make(map[string]bool)
	count := 0
	for range 10_000 {
		d.now += 60 * time.Millisecond
		d.receive(&protocol.ActionInput{ActionID: all[0].id + uint32(rng.IntN(8)), Pressed: rng.IntN(2) == 0})
		if rng.IntN(500) == 0 {
			d.do(func(tx Tx) { tx.deathUI(d.player) })
		}
		for _, e := range d.events {
			e, ok := e.(ActionInput)
			if !ok {
				continue
			}
			count++
			name := e.Action.Spec.Name
			if e.Pressed == down[name] || name == "a2" || name == "a3" {
				t.Fatalf("%s: pressed %v, down %v", name, e.Pressed, down[name])
			}
			down[name] = e.Pressed
		}
		d.events = nil
	}
	if count < 100 {
		t.Fatalf("only %d edges", count)
	}
}
