package client

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"darqline/protocol"
)

func playerSpawned(id uint16, token uint32, change ...func(*protocol.PlayerSpawned)) *protocol.PlayerSpawned {
	p := &protocol.PlayerSpawned{PlayerID: id, PlayerToken: token, Reason: protocol.SpawnedInView, Health: 100, FightingStyle: protocol.FightStandard}
	for _, f := range change {
		f(p)
	}
	return p
}

func remoteFrame(id uint16, token, seq uint32, x float32) *protocol.RemotePlayerSync {
	return &protocol.RemotePlayerSync{PlayerID: id, PlayerToken: token, Seq: seq, Frame: protocol.Frame{Position: protocol.Vec3{X: x}, Health: 100}}
}

func TestInView(t *testing.T) {
	out := func(token, last uint32) protocol.Packet {
		return &protocol.PlayerStreamOut{PlayerID: 4, PlayerToken: token, LastSeq: last}
	}
	leave := func(token uint32) protocol.Packet {
		return &protocol.PlayerLeave{PlayerID: 4, PlayerToken: token, Reason: protocol.ReasonQuit}
	}
	spawn := func(token uint32) protocol.Packet { return playerSpawned(4, token) }
	frame := func(token, seq uint32) protocol.Packet { return remoteFrame(4, token, seq, float32(seq)) }
	scope := func(epoch uint8, dimension uint16) protocol.Packet {
		return &protocol.ScopeChanged{Epoch: epoch, Dimension: dimension}
	}
	type step struct {
		packet protocol.Packet
		heard  []string
	}
	for name, steps := range map[string][]step{
		"spawned, then a frame": {
			{spawn(9), nil}, {frame(9, 1), []string{"remote 4/9 shown", "frame 4/9 1"}}, {frame(9, 2), []string{"frame 4/9 2"}}, {frame(9, 2), nil}, {frame(9, 1), nil},
		},
		"a frame that comes first is kept": {
			{frame(9, 5), nil}, {frame(9, 7), nil}, {spawn(9), []string{"remote 4/9 shown", "frame 4/9 7"}}, {frame(9, 6), nil},
		},
		"out of view: a newer frame shows him again": {
			{spawn(9), nil}, {frame(9, 1), []string{"remote 4/9 shown", "frame 4/9 1"}}, {out(9, 5), []string{"remote 4/9 gone"}}, {out(9, 5), nil},
			{frame(9, 4), nil}, {frame(9, 5), nil}, {frame(9, 6), []string{"remote 4/9 shown", "frame 4/9 6"}},
		},
		"out of view and in again, the frame first": {
			{spawn(9), nil}, {frame(9, 1), []string{"remote 4/9 shown", "frame 4/9 1"}}, {out(9, 5), []string{"remote 4/9 gone"}},
			{frame(9, 9), []string{"remote 4/9 shown", "frame 4/9 9"}}, {spawn(9), []string{"remote 4/9 shown"}},
		},
		"out of view and in again, the spawn first": {
			{spawn(9), nil}, {frame(9, 1), []string{"remote 4/9 shown", "frame 4/9 1"}}, {out(9, 5), []string{"remote 4/9 gone"}},
			{spawn(9), nil}, {frame(9, 5), nil}, {frame(9, 6), []string{"remote 4/9 shown", "frame 4/9 6"}},
		},
		"out of view and in again, the frames faster than the lane": {
			{spawn(9), nil}, {frame(9, 1), []string{"remote 4/9 shown", "frame 4/9 1"}}, {frame(9, 6), []string{"frame 4/9 6"}},
			{out(9, 5), []string{"remote 4/9 gone", "remote 4/9 shown", "frame 4/9 6"}}, {spawn(9), []string{"remote 4/9 shown"}},
		},
		"another dimension: each needs to be spawned again": {
			{spawn(9), nil}, {frame(9, 1), []string{"remote 4/9 shown", "frame 4/9 1"}},
			{scope(2, 0), nil}, // only the interior
			{scope(3, 5), []string{"remote 4/9 gone"}}, {frame(9, 2), nil}, {frame(9, 3), nil},
			{spawn(9), []string{"remote 4/9 shown", "frame 4/9 3"}},
		},
		"another dimension: what PlayerSpawned says is no frame, whatever a late leaving says": {
			{spawn(9), nil}, {frame(9, 12), []string{"remote 4/9 shown", "frame 4/9 12"}}, {scope(3, 5), []string{"remote 4/9 gone"}},
			{spawn(9), nil}, {out(9, 9), nil}, {frame(9, 13), []string{"remote 4/9 shown", "frame 4/9 13"}},
		},
		"another dimension: a frame from before it shows nobody, whatever a late leaving says": {
			{spawn(9), nil}, {frame(9, 12), []string{"remote 4/9 shown", "frame 4/9 12"}}, {scope(3, 5), []string{"remote 4/9 gone"}},
			{out(9, 9), nil}, {spawn(9), nil}, {frame(9, 13), []string{"remote 4/9 shown", "frame 4/9 13"}},
		},
		"the id is used again, the leave late": {
			{spawn(9), nil}, {frame(9, 1), []string{"remote 4/9 shown", "frame 4/9 1"}},
			{frame(12, 1), []string{"remote 4/9 gone"}}, {frame(9, 2), nil}, {leave(9), nil}, {spawn(12), []string{"remote 4/12 shown", "frame 4/12 1"}},
		},
		"left: stragglers show nobody": {
			{spawn(9), nil}, {frame(9, 1), []string{"remote 4/9 shown", "frame 4/9 1"}}, {leave(9), []string{"remote 4/9 gone"}},
			{frame(9, 2), nil}, {spawn(9), nil}, {frame(9, 3), nil}, {spawn(10), nil}, {frame(10, 1), []string{"remote 4/10 shown", "frame 4/10 1"}},
		},
		"dead when he comes into view": {
			{playerSpawned(4, 9, func(p *protocol.PlayerSpawned) { p.Flags, p.Health = protocol.SpawnedDead, 0 }), nil},
			{frame(9, 1), []string{"remote 4/9 dead", "frame 4/9 1"}},
			{playerSpawned(4, 9, func(p *protocol.PlayerSpawned) { p.Reason = protocol.SpawnedAgain }), []string{"remote 4/9 shown"}},
		},
		"dies": {
			{spawn(9), nil}, {frame(9, 1), []string{"remote 4/9 shown", "frame 4/9 1"}},
			{&protocol.PlayerWasted{PlayerID: 4, PlayerToken: 9, KillerID: myID, KillerToken: myToken, Cause: protocol.CauseFall, BodyPart: protocol.PartTorso},
				[]string{"remote 4/9 dead", "wasted 4/9 by 40 fall"}},
			{&protocol.PlayerWasted{PlayerID: 4, PlayerToken: 8, KillerID: protocol.NoPlayer, Cause: protocol.CauseFall, BodyPart: protocol.PartTorso}, nil},
		},
		"his own frames, spawn and leave are nobody's": {
			{remoteFrame(myID, myToken, 1, 1), nil}, {playerSpawned(myID, myToken), nil}, {remoteFrame(myID, myToken+1, 1, 1), nil},
			{&protocol.PlayerStreamOut{PlayerID: myID, PlayerToken: myToken}, nil},
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, st *stage) {
				st.spawned()
				for i, s := range steps {
					if row, _ := protocol.Lookup(s.packet.ID()); row.HasEvent() {
						st.lane(s.packet)
					} else {
						st.send(s.packet)
					}
					t.Log("step", i)
					equal(t, st.take("remote", "frame", "wasted"), s.heard...)
				}
			})
		})
	}
}

// A spawn into another dimension empties the view as ScopeChanged does.
func TestASpawnIntoAnotherDimension(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		for id := range uint16(3) { // 0, 1, 2
			st.lane(playerSpawned(id, 9))
			st.send(remoteFrame(id, 9, 1, float32(id)))
		}
		if r, ok := st.client.Remote(2); !ok || r.Frame.Position.X != 2 || len(st.client.Remotes()) != 3 {
			t.Fatalf("%+v %v", r, ok)
		}
		st.take()
		st.lane(&protocol.RespawnPlayer{Spawn: spawnInfo(2)})
		equal(t, st.take("remote"))
		st.lane(&protocol.RespawnPlayer{Spawn: spawnInfo(3, func(s *protocol.SpawnInfo) { s.Dimension = 1 })})
		equal(t, st.take("remote"), "remote 0/9 gone", "remote 1/9 gone", "remote 2/9 gone")
		if _, ok := st.client.Remote(2); ok || len(st.client.Remotes()) != 0 {
			t.Error("still in view")
		}
	})
}

// Frames that wait while a Handler is slow are told after the one that brings the player into view.
func TestABurstIsToldInOrder(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.lane(playerSpawned(4, 9))
		st.on = func(line string) {
			if line == "explosion grenade" {
				time.Sleep(10 * time.Millisecond)
			}
		}
		st.lane(&protocol.CreateExplosion{CreatorID: protocol.NoPlayer})
		for seq := range uint32(3) {
			st.send(remoteFrame(4, 9, seq+1, float32(seq+1)))
		}
		time.Sleep(20 * time.Millisecond)
		equal(t, st.take("remote", "frame"), "remote 4/9 shown", "frame 4/9 1", "frame 4/9 2", "frame 4/9 3")
	})
}

// truth is what the server of TestTheMirrorAgrees knows of the one player_id, and what is under way to the viewer.
type truth struct {
	token, seq uint32
	inView     bool
	dimension  uint16
	lane       []protocol.Packet // in order, not lost
	frames     []protocol.RemotePlayerSync
}

// step is one change, or a frame.
func (w *truth) step(r *rand.Rand) {
	switch n := r.IntN(20); {
	case n == 0 && w.token != 0 && w.seq > 0:
		w.lane = append(w.lane, &protocol.PlayerLeave{PlayerID: 4, PlayerToken: w.token})
		w.seq, w.inView = 0, false
	case n == 1 && w.seq == 0:
		w.token, w.inView = w.token+1, true
		w.lane = append(w.lane, playerSpawned(4, w.token))
		w.frame()
	case n == 2 && w.inView:
		w.inView = false
		w.lane = append(w.lane, &protocol.PlayerStreamOut{PlayerID: 4, PlayerToken: w.token, LastSeq: w.seq})
	case n == 3 && !w.inView && w.seq > 0:
		w.inView = true
		w.lane = append(w.lane, playerSpawned(4, w.token))
	case n == 4:
		w.dimension++
		w.inView = false
		w.lane = append(w.lane, &protocol.ScopeChanged{Dimension: w.dimension})
	case w.inView:
		w.frame()
	}
}

func (w *truth) frame() {
	w.seq++
	w.frames = append(w.frames, *remoteFrame(4, w.token, w.seq, float32(w.seq)))
}

// deliver brings something of what is under way: the lane in order, frames in any order, twice, or never.
func (w *truth) deliver(r *rand.Rand, g *game) {
	if len(w.lane) > 0 && r.IntN(2) == 0 {
		if p, ok := w.lane[0].(*protocol.PlayerLeave); ok {
			g.crowd.leave(p.PlayerID, p.PlayerToken, g.tell)
		} else {
			g.apply(0, w.lane[0])
		}
		w.lane = w.lane[1:]
	}
	if len(w.frames) == 0 {
		return
	}
	i := r.IntN(len(w.frames))
	p, again := w.frames[i], r.IntN(10) == 0
	if !again {
		w.frames = slices.Delete(w.frames, i, i+1)
	}
	if again || r.IntN(5) > 0 {
		g.remoteFrame(&p)
	}
}

// Frames come late, twice, out of order or never and overtake the lane, while owners of an id come and go, stream in and
// out and dimensions change: after quiet the mirror is what the server has, and nothing of an earlier owner was shown
// after a later one.
func TestTheMirrorAgrees(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 4))
		g := newGame(testStart, Session{PlayerID: myID, PlayerToken: myToken}, new(memoryKeys))
		g.spawn(&protocol.SpawnInfo{Health: 100}, PlacedSpawn)
		w := truth{}
		shown := uint32(0)
		deliver := func() {
			w.deliver(r, g)
			for _, event := range g.events {
				event(watcher{remote: func(p Remote) {
					if p.Token < shown {
						t.Fatalf("seed %d: %d is told after %d", seed, p.Token, shown)
					}
					shown = p.Token
				}})
			}
			g.events = nil
		}
		for range 300 {
			w.step(r)
			deliver()
		}
		for len(w.lane)+len(w.frames) > 0 {
			deliver()
		}
		if w.inView {
			w.frame()
			g.remoteFrame(&w.frames[0])
		}
		got, ok := g.crowd.shown(4)
		if ok != w.inView || ok && (got.Token != w.token || got.Frame.Position.X != float32(w.seq)) {
			t.Fatalf("seed %d: %v %d at %g, the server has %+v", seed, ok, got.Token, got.Frame.Position.X, w)
		}
	}
}

// watcher hears of the others alone.
type watcher struct {
	NopHandler
	remote func(Remote)
}

func (w watcher) Remote(p Remote) { w.remote(p) }

func TestAFrameOfOneInViewCostsNoAllocation(t *testing.T) {
	g := newGame(testStart, Session{PlayerID: myID, PlayerToken: myToken}, new(memoryKeys))
	g.apply(0, playerSpawned(4, 9))
	p := remoteFrame(4, 9, 1, 1)
	g.remoteFrame(p)
	if n := testing.AllocsPerRun(100, func() { p.Seq++; g.remoteFrame(p) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func ExampleState() {
	fmt.Println(Offline, PreAuth, PreSpawn, Alive, Wasted)
	// Output: offline pre_auth pre_spawn alive wasted
}
