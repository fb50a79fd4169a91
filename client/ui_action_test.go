package client

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"darqline/protocol"
)

func declare(id uint32, name, key string, flags protocol.ActionFlags, when ...protocol.ActionStates) *protocol.ActionDeclare {
	p := &protocol.ActionDeclare{ActionID: id, Resource: "shop", Name: name, Label: name, Flags: flags}
	if key != "" {
		p.Key = keyOf(key)
	}
	for _, w := range when {
		p.When |= w
	}
	if p.When == 0 {
		p.When = protocol.ActionOnFoot
	}
	return p
}

func onScreen(id uint32, text string) *protocol.ActionPrompt {
	return &protocol.ActionPrompt{ActionID: id, Present: true, Text: text}
}

// inputs are the edges that were reported: 5 pressed, -5 released.
func (st *stage) inputs() []int {
	st.t.Helper()
	var list []int
	for _, p := range received[*protocol.ActionInput](st) {
		n := int(p.ActionID)
		if !p.Pressed {
			n = -n
		}
		list = append(list, n)
	}
	return list
}

func (st *stage) reports(what string, want ...int) {
	st.t.Helper()
	if got := st.inputs(); !slices.Equal(got, want) {
		st.t.Fatalf("%s: reported %v, expected %v", what, got, want)
	}
}

func (st *stage) down(key string) (swallow bool) {
	st.t.Helper()
	swallow, err := st.client.PressKey(keyOf(key))
	if err != nil {
		st.t.Fatal(err)
	}
	return swallow
}

func (st *stage) up(key string) {
	st.t.Helper()
	if err := st.client.ReleaseKey(keyOf(key)); err != nil {
		st.t.Fatal(err)
	}
}

func TestActionsReportBothEdgesOnce(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.lane(declare(1, "horn", "H", 0))
		st.lane(declare(2, "swallow", "H", protocol.ActionSwallow))
		st.lane(declare(3, "off", "J", protocol.ActionOff))
		st.lane(declare(4, "driver", "J", 0, protocol.ActionDriver))
		st.take()
		if st.down("G") || st.down("J") {
			t.Error("nothing takes these keys")
		}
		for range 2 {
			if !st.down("H") {
				t.Error("the game must not see the key")
			}
		}
		st.reports("press, and the key's repeat", 1, 2)
		if a := st.client.UI().Action(1); !a.Down || a.Since.IsZero() {
			t.Errorf("%+v", a)
		}
		st.up("J")
		st.reports("another key", nil...)
		st.up("H")
		st.up("H")
		st.reports("release", -1, -2)
		equal(t, st.take("action"), `action 1 horn key H prompt "" down true`, `action 2 swallow key H prompt "" down true`,
			`action 1 horn key H prompt "" down false`, `action 2 swallow key H prompt "" down false`)
		if _, err := st.client.PressKey(protocol.KeyNone); err == nil {
			t.Error("no key was pressed")
		}
	})
}

// TestWhichActionAKeyMeans is the rule of page Chat, HUD and dialogs, ActionDeclare.
func TestWhichActionAKeyMeans(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.lane(declare(1, "plain", "E", 0))
		st.lane(declare(2, "door", "E", protocol.ActionOnlyWithPrompt))
		st.lane(declare(3, "desk", "E", protocol.ActionOnlyWithPrompt))
		st.lane(declare(4, "also", "E", 0))
		st.lane(declare(5, "wasted", "E", 0, protocol.ActionWasted))
		far := &protocol.ActionPrompt{ActionID: 3, Present: true, Text: "far", Place: protocol.PromptWorld, Position: protocol.Vec3{X: 13}, Radius: 2}
		near := *far
		near.Position.X = 12
		mine := near
		mine.Attachment, mine.Position = protocol.Attachment{Attach: protocol.AttachPlayer, AttachID: myID, AttachToken: myToken}, protocol.Vec3{Y: 1}
		car := near
		car.Attachment = protocol.Attachment{Attach: protocol.AttachVehicle, AttachID: 1}
		for _, step := range []struct {
			what   string
			packet protocol.Packet
			want   []int
		}{
			{"without a prompt all that need none", &protocol.HudKillFeedClear{}, []int{1, 4}},
			{"a prompt", onScreen(2, "Open"), []int{2}},
			{"a newer one", onScreen(3, "Sit"), []int{3}},
			{"the older one changes in place", onScreen(2, "Close"), []int{3}},
			{"the newer one is too far", far, []int{2}},
			{"it is near enough", &near, []int{3}},
			{"it is at the player", &mine, []int{3}},
			{"it is at a car that is not there", &car, []int{2}},
			{"the older one goes", &protocol.ActionPrompt{ActionID: 2}, []int{1, 4}},
			{"and comes anew", onScreen(2, "Open"), []int{2}},
			{"the other one too", onScreen(3, "Sit"), []int{2}},
			{"its action is off", declare(2, "door", "E", protocol.ActionOnlyWithPrompt|protocol.ActionOff), []int{3}},
			{"a prompt of one that needs none", onScreen(4, "Also"), []int{4}},
			{"the actions go", &protocol.ActionRemove{ActionID: 4}, []int{3}},
			{"a prompt of an action that is gone", onScreen(4, "Also"), []int{3}},
		} {
			st.lane(step.packet)
			st.down("E")
			st.up("E")
			want := slices.Clone(step.want)
			for _, id := range step.want {
				want = append(want, -id)
			}
			st.reports(step.what, want...)
		}
	})
}

func TestAPromptAtAnotherPlayerTurnsWithHim(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned() // at x 10
		st.lane(declare(1, "rob", "E", protocol.ActionOnlyWithPrompt))
		p := onScreen(1, "Rob")
		p.Place, p.Radius, p.Position = protocol.PromptWorld, 1, protocol.Vec3{Y: 5} // before him
		p.Attachment = protocol.Attachment{Attach: protocol.AttachPlayer, AttachID: 7, AttachToken: 70}
		st.lane(p)
		wants(t, st.client.PressAction(1), ErrUnusable) // he is not in view
		frame := func(seq uint32, heading float64) {
			st.send(&protocol.RemotePlayerSync{PlayerID: 7, PlayerToken: 70, Seq: seq, Frame: protocol.Frame{
				Position: protocol.Vec3{X: 15}, Heading: protocol.Angle(heading)}})
		}
		st.lane(&protocol.PlayerSpawned{PlayerID: 7, PlayerToken: 70, Health: 100, FightingStyle: protocol.FightStandard})
		frame(1, 0)
		wants(t, st.client.PressAction(1), ErrUnusable)
		frame(2, 90) // to the left: -x
		stale := *p
		stale.AttachToken = 69
		st.lane(&stale)
		wants(t, st.client.PressAction(1), ErrUnusable) // it is at who had his id before
		st.lane(p)
		if err := st.client.PressAction(1); err != nil {
			t.Error(err)
		}
	})
}

// TestAHeldActionThatLosesItsKeyIsReleased by the client, but for what the server has released itself.
func TestAHeldActionThatLosesItsKeyIsReleased(t *testing.T) {
	keys := *protocol.DefaultPlatformKeys()
	keys.Keys[protocol.FunctionCursor] = keyOf("E")
	for _, c := range []struct {
		what  string
		lose  func(st *stage)
		wants []int
	}{
		{"a dialog opens", func(st *stage) { st.lane(show(1, protocol.DialogMessage)) }, []int{-1}},
		{"a dialog is not complete", func(st *stage) { st.lane(show(1, protocol.DialogList, ofRows(1))) }, nil},
		{"something else has the keys", func(st *stage) { st.client.ReleaseKeys() }, []int{-1}},
		{"death", func(st *stage) { st.kill() }, []int{-1}},
		{"he sits down", func(st *stage) {
			f := st.client.Self().Frame
			f.Flags |= protocol.FlagSeated
			f.Carrier = 8
			if err := st.client.Move(f); err != nil {
				st.t.Fatal(err)
			}
		}, []int{-1}},
		{"another key of the player's", func(st *stage) { st.client.BindAction(1, keyOf("Z")) }, []int{-1}},
		{"the platform takes the key", func(st *stage) { st.lane(&keys) }, []int{-1}},
		{"another default", func(st *stage) { st.lane(declare(1, "use", "Q", 0)) }, []int{-1}},
		{"it is declared anew", func(st *stage) { st.lane(declare(1, "use", "E", 0)) }, nil},
		{"it is off", func(st *stage) { st.lane(declare(1, "use", "E", protocol.ActionOff)) }, nil},
		{"it is removed", func(st *stage) { st.lane(&protocol.ActionRemove{ActionID: 1}) }, nil},
		{"the server spawns him anew", func(st *stage) { st.lane(&protocol.RespawnPlayer{Spawn: spawnInfo(2)}) }, nil},
	} {
		bubble(t, func(t *testing.T, st *stage) {
			st.spawned()
			st.lane(declare(1, "use", "E", 0))
			st.down("E")
			st.reports("press", 1)
			c.lose(st)
			st.reports(c.what, c.wants...)
			if a := st.client.UI().Action(1); a != nil && a.Down != (c.wants == nil && a.Flags == 0) {
				t.Errorf("%s: down %v", c.what, a.Down)
			}
		})
	}
}

func TestWhenAnActionFits(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(declare(1, "foot", "E", 0))
		st.lane(declare(2, "lobby", "E", 0, protocol.ActionPreSpawn))
		st.lane(declare(3, "dead", "E", 0, protocol.ActionWasted))
		st.lane(declare(4, "seat", "E", 0, protocol.ActionPassenger))
		use := func(what string, want int) {
			st.down("E")
			st.up("E")
			st.reports(what, want, -want)
		}
		use("before the spawn", 2)
		wants(t, st.client.PressAction(1), ErrUnusable)
		st.lane(&protocol.SpawnPlayer{Spawn: spawnInfo(1)})
		use("on foot", 1)
		f := st.client.Self().Frame
		f.Flags |= protocol.FlagSeated
		f.Carrier = 8
		st.client.Move(f)
		use("in a seat", 4)
		st.kill()
		use("dead", 3)
	})
}

func TestDialogsAndMenusHaveTheKeys(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.lane(declare(1, "use", "Up", 0))
		st.lane(declare(2, "horn", "H", 0))
		st.lane(menuHead(1, 1, 0))
		st.down("Up") // no item yet: it is not shown
		st.up("Up")
		st.lane(itemsOf(1, menuItem(1, "a")))
		_, err := st.client.PressKey(keyOf("Up"))
		wants(t, err, ErrMenuKey)
		st.down("H")
		st.reports("keys beside a menu", 1, -1, 2)
		st.lane(show(5, protocol.DialogMessage))
		swallow, err := st.client.PressKey(keyOf("H"))
		if wants(t, err, ErrDialog); !swallow {
			t.Error("the game sees a key of a dialog's")
		}
		wants(t, st.client.PressAction(2), ErrDialog)
		st.reports("a dialog", -2)
		if view := st.client.UI(); !view.Holds() {
			t.Error("movement stops")
		}
	})
}

func TestKeysOfThePlayersChoice(t *testing.T) {
	kept := new(memoryKeys)
	kept.Bind("shop", "use", keyOf("Q"))
	keys := func(c *Config) { c.Keys = kept }
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.lane(declare(1, "use", "E", 0))
		st.lane(declare(2, "other", "T", 0)) // the chat's
		bound := func(want ...string) {
			t.Helper()
			for i, a := range st.client.UI().Actions {
				if a.Bound.String() != want[i] {
					t.Errorf("action %d has %v, expected %s", a.ActionID, a.Bound, want[i])
				}
			}
		}
		bound("Q", "")
		st.down("T")
		st.reports("the chat's key", nil...)
		free := *protocol.DefaultPlatformKeys()
		free.Keys[protocol.FunctionChat] = protocol.KeyNone
		free.Keys[protocol.FunctionCursor] = keyOf("Q")
		st.lane(&free)
		bound("", "T")
		if err := st.client.BindAction(1, keyOf("Z")); err != nil {
			t.Fatal(err)
		}
		bound("Z", "T")
		if k, ok := kept.Binding("shop", "use"); !ok || k != keyOf("Z") {
			t.Errorf("kept is %v", k)
		}
		if st.client.BindAction(1, protocol.KeyEscape) == nil || st.client.BindAction(1, protocol.KeyLast+1) == nil {
			t.Error("a key that cannot be bound")
		}
		wants(t, st.client.BindAction(9, keyOf("Z")), ErrNotOpen)
		if err := st.client.BindAction(1, protocol.KeyNone); err != nil {
			t.Fatal(err)
		}
		bound("", "T")
	}, keys)
}

func TestActionsAreAtMost128(t *testing.T) {
	g := newGame(testStart, Session{}, new(memoryKeys))
	for id := uint32(1); id <= 300; id++ {
		g.declare(declare(id, fmt.Sprint("a", id), "E", 0))
	}
	if n := len(g.ui.actions.list); n != maxActions {
		t.Errorf("%d actions", n)
	}
}

func TestARepeatedPressOfAnActionById(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.lane(declare(1, "use", "", 0))
		for range 2 {
			if err := st.client.PressAction(1); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		st.reports("held", 1)
		st.client.ReleaseAction(1)
		st.client.ReleaseAction(1)
		st.reports("let go", -1)
		wants(t, st.client.PressAction(2), ErrNotOpen)
	})
}
