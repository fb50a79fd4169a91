package client

import (
	"testing"
	"testing/synctest"
	"time"

	"darqline/protocol"
)

// me is the own player of a stage.
const myID, myToken = 3, 40

func spawnInfo(epoch uint8, change ...func(*protocol.SpawnInfo)) protocol.SpawnInfo {
	s := protocol.SpawnInfo{Position: protocol.Vec3{X: 10}, Skin: 7, Epoch: epoch, Vitals: uint16(epoch), Health: 100}
	for _, f := range change {
		f(&s)
	}
	return s
}

// spawned is a stage whose player is alive, with epoch 1 and nothing unread.
func (st *stage) spawned() {
	st.t.Helper()
	st.connect()
	st.lane(&protocol.SpawnPlayer{Spawn: spawnInfo(1)})
	st.calm()
}

// calm lets the first frame of a change go, and forgets all that was sent and told.
func (st *stage) calm() {
	time.Sleep(time.Second)
	st.receive()
	st.take()
}

func (st *stage) kill() {
	st.lane(&protocol.PlayerWasted{PlayerID: myID, PlayerToken: myToken, KillerID: 4, KillerToken: 9, Cause: 31, BodyPart: protocol.PartHead})
}

func spawning(c *Config) { c.NoSpawn = false }

func TestFirstSpawn(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		if n := len(received[*protocol.RequestSpawn](st)); n != 1 {
			t.Fatalf("%d requests", n)
		}
		st.lane(&protocol.RespawnPlayer{Spawn: spawnInfo(9)}) // nobody is there to be respawned
		st.alive(5 * time.Second)
		if got := received[*protocol.PlayerSync](st); len(got) != 0 {
			t.Fatalf("%d frames before the spawn", len(got))
		}
		if me := st.client.Self(); me.State != PreSpawn || me.ID != myID || me.Token != myToken {
			t.Fatalf("%+v", me)
		}
		st.take()
		st.lane(&protocol.SpawnPlayer{Spawn: spawnInfo(1, func(s *protocol.SpawnInfo) {
			s.Dimension, s.Interior, s.Armor, s.Heading, s.Flags = 2, 5, 50, 90, protocol.SpawnFrozen|protocol.SpawnFade
		})})
		equal(t, st.take(), "self alive 100/50", "placed 0 epoch 1 at 10 dimension 2")
		f := one[*protocol.PlayerSync](st)
		if f.Seq != 1 || f.Frame.Epoch != 1 || f.Frame.Position.X != 10 || f.Frame.Interior != 5 || f.Frame.Health != 100 ||
			f.Frame.Armor != 50 || f.Frame.Heading != 1<<14 {
			t.Errorf("%+v", f)
		}
		if me := st.client.Self(); me.State != Alive || me.Skin != 7 || !me.Frozen || me.Dimension != 2 || me.Vitals != 1 {
			t.Errorf("%+v", me)
		}
		st.lane(&protocol.SpawnPlayer{Spawn: spawnInfo(2)}) // refused outside PreSpawn
		equal(t, st.take())
	}, spawning)
}

func TestNoSpawnBeforeTheSignIn(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect(func(p *protocol.ServerHello) { p.State, p.AuthNonce = protocol.HelloPreAuth, [32]byte{1} })
		st.lane(&protocol.SpawnPlayer{Spawn: spawnInfo(1)})
		if err := st.client.RequestSpawn(); err != nil {
			t.Fatal(err)
		}
		if n := len(received[*protocol.RequestSpawn](st)); n != 0 || st.client.Self().State != PreAuth {
			t.Fatalf("%d requests, %v", n, st.client.Self().State)
		}
		st.lane(&protocol.AuthAccepted{Account: "forum:1"})
		one[*protocol.RequestSpawn](st)
		equal(t, st.take("self"), "self pre_spawn 0/0")
	}, spawning)
}

func TestNobodyPlaysWithoutASession(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		if err := st.client.Move(protocol.Frame{}); err != ErrNotConnected {
			t.Error(err)
		}
		if st.client.Self().State != Offline || st.client.Remotes() != nil || st.client.Rules().Multipliers.Classes[0] != 1 {
			t.Error("something is there")
		}
		st.spawned()
		st.stop()
		if err := st.client.Respawn(); err != ErrNotConnected {
			t.Error(err)
		}
		if st.client.Self().State != Offline {
			t.Error("something has stayed")
		}
	})
}

// requests gives the times, in ms since begun, at which RespawnRequests come within d.
func (st *stage) requests(begun time.Time, d time.Duration) []int64 {
	var at []int64
	for range d / (10 * time.Millisecond) {
		st.alive(10 * time.Millisecond)
		for range received[*protocol.RespawnRequest](st) {
			at = append(at, time.Since(begun).Milliseconds())
		}
	}
	return at
}

func TestDeathAndRespawn(t *testing.T) {
	expect := func(t *testing.T, got []int64, want ...int64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("requests after %v ms, expected %v", got, want)
		}
		for i := range got {
			if d := got[i] - want[i]; d < 0 || d > 10 {
				t.Fatalf("requests after %v ms, expected %v", got, want)
			}
		}
	}
	t.Run("by itself", func(t *testing.T) {
		bubble(t, func(t *testing.T, st *stage) {
			st.spawned()
			st.lane(&protocol.GiveWeapon{Weapon: 24, Ammo: 70, Arm: true})
			st.calm()
			died := time.Now()
			st.kill()
			equal(t, st.take(), "self wasted 0/0", "wasted 3/40 by 9 m4")
			if me := st.client.Self(); me.Death.KillerToken != 9 || !me.Respawn.Equal(died.Add(4*time.Second)) || me.Inventory.Ammo(24) != 70 {
				t.Errorf("%+v", me)
			}
			st.kill() // once
			expect(t, st.requests(died, 9*time.Second), 4000, 6000, 8000)
			equal(t, st.take("self"))
			st.lane(&protocol.RespawnPlayer{Spawn: spawnInfo(2)})
			equal(t, st.take(), "self alive 100/0", "placed 1 epoch 2 at 10 dimension 0")
			expect(t, st.requests(died, 5*time.Second))
			if me := st.client.Self(); me.Inventory != (Inventory{}) || me.Weapon != protocol.WeaponFist || me.Death != (protocol.PlayerWasted{}) {
				t.Errorf("%+v", me)
			}
		})
	})
	t.Run("by key", func(t *testing.T) {
		bubble(t, func(t *testing.T, st *stage) {
			st.spawned()
			if st.client.Respawn(); len(received[*protocol.RespawnRequest](st)) != 0 {
				t.Fatal("a request of a living player")
			}
			died := time.Now()
			st.kill()
			st.client.Respawn() // too early for the server, who drops it
			expect(t, st.requests(died, 300*time.Millisecond), 10)
			st.client.Respawn() // not twice in a second
			st.client.Respawn()
			expect(t, st.requests(died, 3*time.Second), 1000, 3000)
		})
	})
	t.Run("weapons are kept", func(t *testing.T) {
		bubble(t, func(t *testing.T, st *stage) {
			st.spawned()
			st.lane(&protocol.GiveWeapon{Weapon: 24, Ammo: 70, Arm: true})
			st.kill()
			st.lane(&protocol.RespawnPlayer{Spawn: spawnInfo(2, func(s *protocol.SpawnInfo) { s.Flags = protocol.SpawnKeepWeapons })})
			if me := st.client.Self(); me.Inventory.Ammo(24) != 70 || me.Weapon != 24 {
				t.Errorf("%+v", me)
			}
		})
	})
	t.Run("while alive", func(t *testing.T) {
		bubble(t, func(t *testing.T, st *stage) {
			st.spawned()
			st.lane(&protocol.RespawnPlayer{Spawn: spawnInfo(2)})
			equal(t, st.take(), "self alive 100/0", "placed 1 epoch 2 at 10 dimension 0")
		})
	})
}

// What the server sends again at each respawn begins at its default; the rest is kept.
func TestWhatARespawnKeeps(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		skills := [protocol.SkillCount]uint16{500}
		for _, p := range []protocol.Packet{
			&protocol.SetMoney{Money: 5}, &protocol.SetWanted{Level: 2}, &protocol.PlayerSkills{PlayerID: myID, PlayerToken: myToken, Skills: skills},
			&protocol.SetPlayerStats{PlayerID: myID, PlayerToken: myToken, Stats: [protocol.StatCount]uint16{9}},
			&protocol.SetGravity{Factor: 2}, &protocol.SetDrunkLevel{Level: 9}, &protocol.SetWorldBounds{MaxX: 1, MaxY: 1},
			&protocol.SetFightingStyle{PlayerID: myID, PlayerToken: myToken, Style: protocol.FightBoxing},
			&protocol.SetHeadless{PlayerID: myID, PlayerToken: myToken, Headless: true},
			&protocol.SetOnFire{PlayerID: myID, PlayerToken: myToken, OnFire: true},
			&protocol.SetFrozen{Frozen: true},
			&protocol.ApplyAnimation{PlayerID: myID, PlayerToken: myToken, Animation: 1, Block: "PED", Name: "IDLE"},
		} {
			st.lane(p)
		}
		if me := st.client.Self(); !me.Headless || !me.OnFire || me.Gravity != 2 || me.Drunk.Level != 9 || me.Bounds.MaxX != 1 || me.Animation.ID != 1 {
			t.Fatalf("%+v", me)
		}
		st.kill()
		st.lane(&protocol.RespawnPlayer{Spawn: spawnInfo(2)})
		me := st.client.Self()
		if me.Money != 5 || me.Wanted != 2 || me.Skills != skills || me.Stats[0] != 9 {
			t.Errorf("not kept: %+v", me)
		}
		if me.Headless || me.OnFire || me.Frozen || me.Gravity != 1 || me.Drunk.Level != 0 || me.Bounds != noBounds ||
			me.FightingStyle != protocol.FightStandard || me.Animation.ID != 0 {
			t.Errorf("kept: %+v", me)
		}
	})
}

// A session that had to begin anew knows nothing of the one before.
func TestANewSessionForgetsThePlayer(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.lane(&protocol.PlayerSpawned{PlayerID: 4, PlayerToken: 9, Health: 100, FightingStyle: protocol.FightStandard})
		st.send(&protocol.RemotePlayerSync{PlayerID: 4, PlayerToken: 9, Seq: 1})
		if len(st.client.Remotes()) != 1 {
			t.Fatal("not shown")
		}
		time.Sleep(4 * time.Second) // of silence: the client asks to go on
		st.nonce = received[*protocol.ClientHello](st)[0].Nonce
		st.send(&protocol.ConnectReject{Nonce: st.nonce, Reason: protocol.ReasonResume})
		if st.client.Self().State != Offline {
			t.Error("still somebody")
		}
		synctest.Wait()
		st.nonce = received[*protocol.ClientHello](st)[0].Nonce
		st.send(st.hello(func(p *protocol.ServerHello) { p.PlayerToken = 41 }))
		if me := st.client.Self(); me.State != PreSpawn || me.Token != 41 || len(st.client.Remotes()) != 0 {
			t.Errorf("%+v", me)
		}
	})
}

// A session that goes on from another address is the same player, whose frames count on.
func TestAMovedSessionPlaysOn(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.move(at(1, 5))
		time.Sleep(3900 * time.Millisecond) // of silence
		var last uint32
		packets, _ := st.receive()
		for _, p := range packets {
			switch p := p.(type) {
			case *protocol.PlayerSync:
				last = p.Seq
			case *protocol.ClientHello:
				st.nonce = p.Nonce
			}
		}
		st.send(st.hello(func(p *protocol.ServerHello) { p.State = protocol.HelloMoved }))
		equal(t, st.take("link", "self", "connected"), "link silent", "link up")
		st.move(at(1, 6))
		time.Sleep(frameInterval)
		if p := one[*protocol.PlayerSync](st); p.Seq != last+1 || p.Frame.Position.X != 6 || p.Frame.Epoch != 1 {
			t.Errorf("%+v after %d", p, last)
		}
	})
}
