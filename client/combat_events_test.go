package client

import (
	"testing"
	"time"

	"darqline/protocol"
)

func TestWhatOthersDo(t *testing.T) {
	shot := func(token, seq uint32) protocol.Packet {
		return &protocol.RemoteWeaponShot{PlayerID: 4, PlayerToken: token, Seq: seq, Weapon: 31}
	}
	projectile := func(token uint32) protocol.Packet {
		return &protocol.RemoteProjectileCreate{PlayerID: 4, PlayerToken: token, ProjectileID: 50, Weapon: 16}
	}
	detonate := func(id uint16, token uint32) protocol.Packet {
		return &protocol.RemoteSatchelDetonate{PlayerID: id, PlayerToken: token, Positions: make([]protocol.Vec3, 2)}
	}
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		for i, step := range []struct {
			packet protocol.Packet
			heard  []string
		}{
			{shot(9, 1), nil}, // of whom nothing is known
			{playerSpawned(4, 9), nil},
			{shot(9, 5), []string{"shot 4/9 #5"}}, {shot(9, 5), nil}, {shot(9, 4), nil}, {shot(9, 6), []string{"shot 4/9 #6"}}, {shot(8, 90), nil},
			{projectile(9), []string{"projectile 4/9 #50 grenade"}}, {projectile(8), nil},
			{detonate(4, 9), []string{"satchels 4/9 2"}}, {detonate(4, 8), nil}, {detonate(myID, myToken), nil},
			{detonate(6, 30), []string{"satchels 6/30 2"}}, // of whom nothing is known: it is heard all the same
			{&protocol.DestroySatchels{PlayerID: 4, PlayerToken: 9}, []string{"satchels 4/9 0"}}, {&protocol.DestroySatchels{PlayerID: 4, PlayerToken: 8}, nil},
			{&protocol.DestroySatchels{PlayerID: myID, PlayerToken: myToken}, nil}, // none lie
			{&protocol.RemoteStealthKill{AttackerID: 4, AttackerToken: 9, VictimID: 6, VictimToken: 30}, []string{"stealth kill 9 30"}},
			{&protocol.CreateExplosion{Type: protocol.ExplosionCar, CreatorID: protocol.NoPlayer}, []string{"explosion car"}},
			{shot(10, 1), []string{"shot 4/10 #1"}}, // the next owner of the id counts anew
		} {
			if row, _ := protocol.Lookup(step.packet.ID()); row.HasEvent() {
				st.lane(step.packet)
			} else {
				st.send(step.packet)
			}
			t.Log("step", i)
			equal(t, st.take(), step.heard...)
		}
	})
}

func TestFires(t *testing.T) {
	light := func(id, duration uint32, x float32) protocol.Packet {
		return &protocol.CreateFire{FireID: id, Position: protocol.Vec3{X: x}, Size: 1.8, Duration: duration, CreatorID: protocol.NoPlayer}
	}
	burning := func(st *stage) (ids []uint32) {
		for _, f := range st.client.Fires() {
			ids = append(ids, f.FireID)
		}
		return ids
	}
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		for _, p := range []protocol.Packet{light(8, 0, 0), light(5, 3000, 10), light(6, 1000, 20), light(7, 0, 30)} {
			st.lane(p)
		}
		equal(t, st.take(), "fire 8", "fire 5", "fire 6", "fire 7")
		if got := burning(st); len(got) != 4 || got[0] != 5 {
			t.Errorf("%v", got)
		}
		st.alive(1100 * time.Millisecond)
		equal(t, st.take("ext"), "extinguished 6 within 0")
		st.lane(&protocol.ExtinguishFire{Position: protocol.Vec3{X: 8}, Radius: 9})
		equal(t, st.take("ext"), "extinguished 0 within 9")
		st.lane(&protocol.ExtinguishFire{FireID: 7})
		st.lane(&protocol.ExtinguishFire{FireID: 99})
		if got := burning(st); len(got) != 0 {
			t.Errorf("%v", got)
		}
		st.alive(5 * time.Second)
		st.take()
		for id := range uint32(maxFires + 5) {
			st.lane(light(id+1, 0, 0))
		}
		if got := st.take("fire"); len(got) != maxFires || len(st.client.Fires()) != maxFires {
			t.Errorf("%d burn", len(got))
		}
	})
}

func TestRules(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		if r := st.client.Rules(); r.DriveBy != *protocol.DefaultDriveBy() || r.Multipliers.Parts[0] != 1 || len(r.Weapons) != 0 {
			t.Errorf("%+v", r)
		}
		m := protocol.DamageMultipliers{}
		m.Classes[0] = 2
		st.lane(&m)
		st.lane(&protocol.DriveByIntervals{})
		properties := protocol.WeaponProperties{Weapon: 31, Skill: protocol.SkillStandard, Range: 90, Clip: 100, Interval: 50}
		st.lane(&properties)
		properties.Clip = 20
		st.lane(&properties)
		properties.Skill, properties.Clip = protocol.SkillPoor, 5
		st.lane(&properties)
		equal(t, st.take("rules"), "rules 2 0", "rules 2 0", "rules 2 1", "rules 2 1", "rules 2 2")
		if r := st.client.Rules(); r.DriveBy.Driver[6] != 0 || r.Weapons[0].Clip != 20 {
			t.Errorf("%+v", r)
		}
		st.lane(&protocol.SpawnPlayer{Spawn: spawnInfo(1)})
		st.lane(&protocol.GiveWeapon{Weapon: 31, Ammo: 70})
		if me := st.client.Self(); me.Inventory.find(31).Clip != 20 {
			t.Errorf("%+v", me.Inventory)
		}
	})
}
