package client

import (
	"testing"
	"time"

	"darqline/protocol"
)

// at is a frame of a place, of an epoch.
func at(epoch uint8, x float32) protocol.Frame {
	return protocol.Frame{Epoch: epoch, Position: protocol.Vec3{X: x}}
}

func (st *stage) move(f protocol.Frame) {
	st.t.Helper()
	if err := st.client.Move(f); err != nil {
		st.t.Fatal(err)
	}
}

// gaps runs step every 10 ms for a second and gives the times between the frames that were sent, in ms by their own clock.
func (st *stage) gaps(step func(i int)) []uint16 {
	var gaps []uint16
	var last protocol.Frame
	for i := range 100 {
		if step != nil {
			step(i)
		}
		st.alive(10 * time.Millisecond)
		for _, p := range received[*protocol.PlayerSync](st) {
			if last != (protocol.Frame{}) {
				gaps = append(gaps, p.Frame.Time-last.Time)
			}
			last = p.Frame
		}
	}
	return gaps
}

func TestFrameCadence(t *testing.T) {
	seated := func(i int) protocol.Frame {
		return protocol.Frame{Epoch: 1, Position: protocol.Vec3{X: float32(i)}, Flags: protocol.FlagSeated, Carrier: 8}
	}
	for name, test := range map[string]struct {
		step func(st *stage, i int)
		gap  uint16
		n    int // gaps in a second
	}{
		"something changes":                {func(st *stage, i int) { st.move(at(1, float32(i))) }, 40, 24},
		"nothing changes":                  {func(st *stage, i int) { st.move(at(1, 3)) }, 500, 1},
		"nobody moves":                     {nil, 500, 1},
		"seated, what the vehicle carries": {func(st *stage, i int) { st.move(seated(i)) }, 500, 1},
		"seated, keys": {func(st *stage, i int) {
			f := seated(0)
			f.Keys = protocol.PlayerKeys(i & 1)
			st.move(f)
		}, 40, 24},
		"dead": {func(st *stage, i int) {
			if i == 0 {
				st.kill()
			}
			st.move(at(1, float32(i)))
		}, 200, 4},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, st *stage) {
				st.spawned()
				if test.step != nil {
					test.step(st, 0)
					st.calm()
				}
				gaps := st.gaps(func(i int) {
					if test.step != nil {
						test.step(st, i)
					}
				})
				if len(gaps) < test.n-1 || len(gaps) > test.n+1 {
					t.Errorf("%d gaps: %v", len(gaps), gaps)
				}
				for _, gap := range gaps {
					if gap != test.gap {
						t.Fatalf("gaps of %v ms, expected %d", gaps, test.gap)
					}
				}
			})
		})
	}
}

// A change after a rest goes at once.
func TestAChangeAfterARestGoesAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		time.Sleep(100 * time.Millisecond)
		st.receive()
		st.move(at(1, 5))
		if f := one[*protocol.PlayerSync](st); f.Frame.Position.X != 5 {
			t.Errorf("%+v", f)
		}
	})
}

func TestWhatMoveDoesNotDecide(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		time.Sleep(frameInterval)
		f := at(1, 5)
		f.Time, f.Weapon, f.Action, f.Health, f.Armor, f.Animation = 999, 24, protocol.ActionJetpack, 1, 99, 7
		f.Interior, f.Keys = 3, protocol.KeyFire
		st.move(f)
		got := one[*protocol.PlayerSync](st).Frame
		if got.Time == 999 || got.Weapon != 0 || got.Action != 0 || got.Health != 100 || got.Armor != 0 || got.Animation != 0 {
			t.Errorf("taken over: %+v", got)
		}
		if got.Position.X != 5 || got.Interior != 3 || got.Keys != protocol.KeyFire {
			t.Errorf("not taken over: %+v", got)
		}
		for _, bad := range []protocol.Frame{{MoveX: -128}, {Flags: protocol.FlagSeated}, {Position: protocol.Vec3{X: 20001}}} {
			if st.client.Move(bad) == nil {
				t.Errorf("%+v is taken", bad)
			}
		}
	})
}

// What holds the player still holds him in his frames too.
func TestNoControl(t *testing.T) {
	look := func(mode protocol.CameraMode) *protocol.SetCamera {
		c := &protocol.SetCamera{Mode: mode, PlayerID: protocol.NoPlayer}
		if mode == protocol.CameraFollowPlayer {
			c.PlayerID, c.Subject = 4, 9
		}
		return c
	}
	for name, p := range map[string][2]protocol.Packet{
		"frozen":    {&protocol.SetFrozen{Frozen: true}, &protocol.SetFrozen{}},
		"spectator": {look(protocol.CameraFollowPlayer), look(protocol.CameraPlayer)},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, st *stage) {
				st.spawned()
				f := at(1, 5)
				f.Keys, f.MoveY, f.Velocity[0] = protocol.KeyFire, 127, 300
				st.move(f)
				st.calm()
				st.lane(p[0])
				if got := st.client.Self().Frame; got.Keys != 0 || got.MoveY != 0 || got.Velocity[0] != 0 {
					t.Errorf("%+v", got)
				}
				f.Position.X, f.Flags = 6, protocol.FlagPaused
				st.move(f)
				st.alive(time.Second)
				frames := received[*protocol.PlayerSync](st)
				got := frames[len(frames)-1].Frame
				if got.Position.X != 5 || got.Keys != 0 || got.MoveY != 0 || got.Velocity[0] != 0 || got.Flags != protocol.FlagPaused {
					t.Errorf("%+v", got)
				}
				if _, err := st.client.Shoot(Shot{}); err != ErrFrozen {
					t.Error(err)
				}
				st.lane(p[1])
				st.move(f)
				if got := st.client.Self().Frame; got.Position.X != 6 || got.Keys != protocol.KeyFire {
					t.Errorf("%+v", got)
				}
			})
		})
	}
}

// Frames of the program that cross a teleport on their way change nothing: what is sent with the new epoch is at the new
// place.
func TestTeleportEpochs(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		walk := at(1, 11)
		walk.Velocity, walk.Carrier, walk.Flags = [3]int16{100}, 8, protocol.FlagSeated
		st.move(walk)
		st.calm()
		st.lane(&protocol.TeleportPlayer{Epoch: 2, Position: protocol.Vec3{X: 500}, Heading: 180, Interior: 4, Flags: protocol.TeleportFindGround})
		equal(t, st.take(), "self alive 100/0", "placed 2 epoch 2 at 500 dimension 0")
		for range 20 {
			st.move(walk) // the program has not heard of it yet
			time.Sleep(10 * time.Millisecond)
		}
		for _, p := range received[*protocol.PlayerSync](st) {
			f := p.Frame
			if f.Epoch != 2 || f.Position.X != 500 || f.Interior != 4 || f.Heading != 1<<15 || f.Velocity[0] != 0 || f.Carrier != 0 || f.Flags != 0 {
				t.Fatalf("%+v", f)
			}
		}
		st.move(at(2, 501))
		if f := one[*protocol.PlayerSync](st).Frame; f.Position.X != 501 {
			t.Errorf("%+v", f)
		}
		fast := at(2, 501)
		fast.Velocity[0] = 50
		st.move(fast)
		st.lane(&protocol.TeleportPlayer{Epoch: 3, Heading: 90, Flags: protocol.TeleportTurnOnly})
		if f := st.client.Self().Frame; f.Epoch != 3 || f.Position.X != 501 || f.Heading != 1<<14 || f.Velocity[0] != 50 {
			t.Errorf("turned: %+v", f)
		}
		st.lane(&protocol.TeleportPlayer{Epoch: 4, Position: protocol.Vec3{X: 7}, Flags: protocol.TeleportKeepHeading | protocol.TeleportKeepVelocity})
		if f := st.client.Self().Frame; f.Epoch != 4 || f.Position.X != 7 || f.Heading != 1<<14 || f.Velocity[0] != 50 {
			t.Errorf("moved: %+v", f)
		}
		st.take()
		st.lane(&protocol.ScopeChanged{Epoch: 5, Dimension: 6, Interior: 7})
		equal(t, st.take(), "self alive 100/0", "placed 3 epoch 5 at 7 dimension 6")
		if me := st.client.Self(); me.Frame.Epoch != 5 || me.Frame.Interior != 7 || me.Dimension != 6 {
			t.Errorf("%+v", me)
		}
		st.lane(&protocol.SetVelocity{Velocity: protocol.Vec3{Z: 12.5}})
		equal(t, st.take(), "self alive 100/0", "placed 4 epoch 5 at 7 dimension 6")
		if f := st.client.Self().Frame; f.Velocity != [3]int16{0, 0, 1250} {
			t.Errorf("pushed: %+v", f)
		}
	})
}

func TestCameraAndFade(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect() // also in PreSpawn
		black := protocol.RGBA{A: 255}
		fixed := protocol.SetCamera{Mode: protocol.CameraFixed, Target: protocol.Vec3{X: 1}, Fade: protocol.FadeOut, FadeColor: black, PlayerID: protocol.NoPlayer}
		st.lane(&fixed)
		equal(t, st.take("camera"), "camera 1 fade 2")
		if me := st.client.Self(); me.Camera != fixed || !me.FadedOut || me.FadeColor != black {
			t.Errorf("%+v", me)
		}
		st.lane(&protocol.SetCamera{Mode: protocol.CameraLeave, Fade: protocol.FadeIn, PlayerID: protocol.NoPlayer})
		if me := st.client.Self(); me.Camera != fixed || me.FadedOut {
			t.Errorf("%+v", me)
		}
	})
}
