package client

import (
	"math/rand/v2"
	"testing"
	"time"

	"darqline/protocol"
)

var fall, burn = protocol.CauseFall, protocol.CauseFire

func (st *stage) hurt(cause protocol.Cause, amount float32, source ...protocol.Ref) {
	st.t.Helper()
	var from protocol.Ref
	if len(source) > 0 {
		from = source[0]
	}
	if err := st.client.Hurt(cause, from, amount); err != nil {
		st.t.Fatal(err)
	}
}

func (st *stage) vitals(health, armor float32) {
	st.t.Helper()
	if me := st.client.Self(); me.Health != health || me.Armor != armor {
		st.t.Errorf("health %g armor %g, expected %g and %g", me.Health, me.Armor, health, armor)
	}
}

func setHealth(vitals uint16, health float32) *protocol.SetHealth {
	return &protocol.SetHealth{Vitals: vitals, Health: health, Cause: 31, BodyPart: protocol.PartHead, AttackerID: 4, AttackerToken: 9}
}

func TestVitals(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.lane(setHealth(2, 60))
		equal(t, st.take(), "self alive 60/0", "vitals m4 +0 +0")
		st.lane(&protocol.SetArmor{Vitals: 3, Armor: 20, Cause: protocol.CauseScript, BodyPart: protocol.PartTorso, AttackerID: protocol.NoPlayer})
		equal(t, st.take(), "self alive 60/20", "vitals script +0 +0")
		st.lane(&protocol.GiveHealth{Vitals: 4, Amount: 30, Health: 90})
		st.lane(&protocol.GiveArmor{Vitals: 5, Amount: 40, Armor: 60})
		equal(t, st.take(), "self alive 90/20", "vitals script +30 +0", "self alive 90/60", "vitals script +0 +40")
		if me := st.client.Self(); me.Vitals != 5 || me.Frame.Health != 90 || me.Frame.Armor != 60 {
			t.Errorf("%+v", me)
		}
		st.lane(setHealth(6, 0.5))
		if f := st.client.Self().Frame; f.Health != 1 {
			t.Errorf("0.5 health is %d in a frame", f.Health)
		}
	})
}

// The loss is the multiplier's and the armor's, at once; the report is the sum of 100 ms.
func TestHurt(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.lane(&protocol.GiveArmor{Vitals: 7, Amount: 10, Armor: 10})
		m := protocol.DamageMultipliers{}
		for i := range m.Classes {
			m.Classes[i] = 1
		}
		m.Classes[protocol.ClassFire] = 2
		st.lane(&m)
		st.calm()
		fire := protocol.Ref{Kind: protocol.RefFire, ID: 77}
		st.hurt(burn, 3, fire)
		st.vitals(100, 4)
		st.hurt(burn, 4, fire)
		st.vitals(96, 0)
		st.hurt(fall, 10)
		st.vitals(86, 0)
		if n := len(received[*protocol.DamageReport](st)); n != 0 {
			t.Fatalf("%d reports at once", n)
		}
		time.Sleep(sumFor)
		got := received[*protocol.DamageReport](st)
		if len(got) != 2 {
			t.Fatalf("%d reports", len(got))
		}
		if p := got[0]; p.Victim != myToken || p.Source != fire || p.Cause != burn || p.Amount != 7 || p.Vitals != 7 || p.BodyPart != protocol.PartTorso {
			t.Errorf("%+v", p)
		}
		if p := got[1]; p.Source != (protocol.Ref{}) || p.Cause != fall || p.Amount != 10 {
			t.Errorf("%+v", p)
		}
		// More than a report may claim is not claimed, at once nor in a sum.
		st.lane(setHealth(8, 100))
		st.hurt(protocol.CauseTearGas, 500)
		st.vitals(80, 0)
		st.hurt(protocol.CauseTearGas, 5)
		time.Sleep(sumFor)
		got = received[*protocol.DamageReport](st)
		if len(got) != 2 || got[0].Amount != 20 || got[1].Amount != 5 {
			t.Errorf("%+v", got)
		}
		// The invulnerable lose nothing, and say nothing.
		st.lane(&protocol.DamageMultipliers{})
		st.take()
		st.hurt(fall, 500)
		time.Sleep(sumFor)
		if n := len(received[*protocol.DamageReport](st)); n != 0 {
			t.Errorf("%d reports", n)
		}
		equal(t, st.take())
		for _, bad := range []struct {
			cause  protocol.Cause
			amount float32
		}{{31, 5}, {protocol.CauseScript, 5}, {fall, 0}, {fall, -1}} {
			if st.client.Hurt(bad.cause, protocol.Ref{}, bad.amount) == nil {
				t.Errorf("%v is taken", bad)
			}
		}
	})
}

// A report goes with the revision that its loss was taken from, before a newer one counts.
func TestAReportThatCrossesSetHealth(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.hurt(fall, 10)
		st.lane(setHealth(2, 50))
		if p := one[*protocol.DamageReport](st); p.Vitals != 1 || p.Amount != 10 {
			t.Errorf("%+v", p)
		}
		st.vitals(50, 0)
		st.hurt(fall, 10)
		time.Sleep(sumFor)
		if p := one[*protocol.DamageReport](st); p.Vitals != 2 {
			t.Errorf("%+v", p)
		}
	})
}

func TestLethalDamage(t *testing.T) {
	begin := func(t *testing.T, st *stage) {
		t.Helper()
		st.spawned()
		st.hurt(burn, 20)
		st.hurt(fall, 95)
		packets, _ := st.receive()
		var reports []protocol.Packet
		for _, p := range packets {
			switch p.(type) {
			case *protocol.DamageReport, *protocol.LethalDamageReport:
				reports = append(reports, p)
			}
		}
		if len(reports) != 2 {
			t.Fatalf("%d reports", len(reports))
		}
		if p, ok := reports[1].(*protocol.LethalDamageReport); !ok || p.Amount != 95 || p.Cause != fall || p.Vitals != 1 {
			t.Errorf("%+v", reports[1])
		}
		st.vitals(1, 0)
		st.hurt(fall, 95) // nothing more before the answer
		st.vitals(1, 0)
		if n := len(received[*protocol.LethalDamageReport](st)); n != 0 {
			t.Errorf("%d more reports", n)
		}
	}
	bubble(t, func(t *testing.T, st *stage) { // a resource has cancelled it
		begin(t, st)
		st.lane(setHealth(2, 80))
		st.vitals(80, 0)
		st.hurt(fall, 10)
		st.vitals(70, 0)
	})
	bubble(t, func(t *testing.T, st *stage) { // the server spawns him anew
		begin(t, st)
		st.lane(&protocol.RespawnPlayer{Spawn: spawnInfo(2)})
		st.hurt(fall, 10)
		st.vitals(90, 0)
	})
	bubble(t, func(t *testing.T, st *stage) { // it kills
		begin(t, st)
		st.kill()
		if me := st.client.Self(); me.State != Wasted || me.Health != 0 {
			t.Errorf("%+v", me)
		}
		st.lane(&protocol.RespawnPlayer{Spawn: spawnInfo(2)})
		st.hurt(fall, 10)
		st.vitals(90, 0)
	})
}

func TestDeathReport(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		st.hurt(burn, 20)
		for range 2 {
			if err := st.client.Die(protocol.CauseDrowning, protocol.Ref{}, protocol.PartTorso); err != nil {
				t.Fatal(err)
			}
		}
		st.hurt(fall, 10)
		if p := one[*protocol.DeathReport](st); p.Cause != protocol.CauseDrowning {
			t.Errorf("%+v", p)
		}
		if me := st.client.Self(); me.State != Alive || me.Frame.Health != 0 {
			t.Errorf("%+v", me)
		}
		if _, err := st.client.Shoot(Shot{}); err != ErrNotAlive {
			t.Error(err)
		}
		if st.client.Die(31, protocol.Ref{}, protocol.PartTorso) == nil {
			t.Error("a cause that others report")
		}
		st.lane(setHealth(2, 100)) // the server does not believe it
		st.vitals(100, 0)
	})
}

// judge is the server's half of the damage model for one victim: page Combat, "Damage model", with a healer who
// interferes.
type judge struct {
	health, armor float32
	vitals        uint16
}

func (j *judge) take(p *protocol.DamageReport) (answers []protocol.Packet) {
	f, _ := p.Cause.Figures()
	loss := p.Amount
	health, armor := j.health, j.armor
	if f.Armor {
		absorbed := min(j.armor, loss)
		j.armor, loss = j.armor-absorbed, loss-absorbed
	}
	j.health -= loss
	if p.Vitals == j.vitals {
		return nil
	}
	if j.armor != armor {
		j.vitals++
		answers = append(answers, &protocol.SetArmor{Vitals: j.vitals, Armor: j.armor, Cause: p.Cause, BodyPart: p.BodyPart, AttackerID: protocol.NoPlayer})
	}
	if j.health != health {
		j.vitals++
		answers = append(answers, &protocol.SetHealth{Vitals: j.vitals, Health: j.health, Cause: p.Cause, BodyPart: p.BodyPart, AttackerID: protocol.NoPlayer})
	}
	return answers
}

// Whatever crosses on the lane, both sides end with the same health and armor.
func TestBothSidesAgreeOnVitals(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := newGame(testStart, Session{PlayerID: myID, PlayerToken: myToken}, new(memoryKeys))
		j := &judge{health: 100, armor: 100, vitals: 9}
		g.spawn(&protocol.SpawnInfo{Health: j.health, Armor: j.armor, Vitals: j.vitals}, PlacedSpawn)
		g.out = nil
		var toClient, toServer []protocol.Packet
		now := time.Duration(0)
		var sync protocol.PlayerSync
		step := func(quiet bool) {
			now += 10 * time.Millisecond
			if !quiet && r.IntN(8) == 0 {
				g.hurt(now, []protocol.Cause{burn, fall}[r.IntN(2)], protocol.Ref{}, float32(r.IntN(4)))
			}
			if !quiet && r.IntN(15) == 0 {
				j.vitals++
				j.health = min(j.health+float32(r.IntN(20)), 100)
				toClient = append(toClient, setHealth(j.vitals, j.health))
			}
			g.drive(now, &sync)
			toServer = append(toServer, g.out...)
			g.out, g.events = nil, nil
			if len(toServer) > 0 && (quiet || r.IntN(4) == 0) {
				if p, ok := toServer[0].(*protocol.DamageReport); ok {
					toClient = append(toClient, j.take(p)...)
				}
				toServer = toServer[1:]
			}
			if len(toClient) > 0 && (quiet || r.IntN(4) == 0) {
				g.apply(now, toClient[0])
				toClient = toClient[1:]
			}
		}
		for range 150 {
			if step(false); j.health < 20 {
				break
			}
		}
		for range 300 {
			step(true)
		}
		if g.losses.lethal {
			continue // the answer to it is another test's
		}
		if d := g.me.Health - j.health; d > 0.01 || d < -0.01 || g.me.Armor != j.armor {
			t.Fatalf("seed %d: health %g armor %g, the server has %g and %g", seed, g.me.Health, g.me.Armor, j.health, j.armor)
		}
	}
}
