package client

import (
	"testing"
	"time"

	"darqline/protocol"
)

// armed is a stage whose living player has a weapon in hand.
func (st *stage) armed(w protocol.Weapon, ammo uint32) {
	st.t.Helper()
	st.spawned()
	st.lane(&protocol.GiveWeapon{Weapon: w, Ammo: ammo, Arm: true})
	st.calm()
}

// fire shoots n times.
func (st *stage) fire(n int) {
	st.t.Helper()
	for range n {
		if _, err := st.client.Shoot(Shot{}); err != nil {
			st.t.Fatal(err)
		}
	}
}

func (st *stage) ammo(w protocol.Weapon) uint32 {
	me := st.client.Self()
	return me.Inventory.Ammo(w)
}

func TestShoot(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		if _, err := st.client.Shoot(Shot{}); err != ErrNotConnected {
			t.Error(err)
		}
		st.spawned()
		if _, err := st.client.Shoot(Shot{}); err != ErrNotArmed {
			t.Error(err)
		}
		st.lane(&protocol.GiveWeapon{Weapon: 31, Ammo: 2, Arm: true})
		st.calm()
		shot, err := st.client.Shoot(Shot{Hit: protocol.Ref{Kind: protocol.RefPlayer, ID: 9}, End: protocol.Vec3{X: 3}})
		if err != nil || shot != 1 {
			t.Fatal(shot, err)
		}
		if err := st.client.Hit(protocol.DamageReport{Victim: 9, Shot: shot, Cause: 31, BodyPart: protocol.PartHead, Pellets: 1}); err != nil {
			t.Fatal(err)
		}
		equal(t, st.take(), "self alive 100/0")
		st.fire(1)
		if _, err := st.client.Shoot(Shot{}); err != ErrNoAmmo {
			t.Error(err)
		}
		packets, headers := st.receive()
		var shots, hits int
		for i, p := range packets {
			switch p := p.(type) {
			case *protocol.WeaponShot:
				shots++
				if p.Seq != uint32(shots) || p.Weapon != 31 || headers[i].Event != 0 {
					t.Errorf("%+v", p)
				}
			case *protocol.DamageReport:
				hits++
				if p.Shot != 1 || headers[i].Event == 0 {
					t.Errorf("%+v", p)
				}
			}
		}
		if shots != 2 || hits != 1 || st.ammo(31) != 0 {
			t.Errorf("%d shots, %d hits, %d left", shots, hits, st.ammo(31))
		}
		if _, err := st.client.Shoot(Shot{End: protocol.Vec3{X: 20001}}); err == nil {
			t.Error("out of the world")
		}
	})
}

// A shot that leaves before the frame that shows its weapon in hand would be dropped by the server.
func TestTheWeaponIsSeenBeforeItsShot(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.armed(31, 50)
		st.lane(&protocol.GiveWeapon{Weapon: 22, Ammo: 17})
		if err := st.client.Arm(24); err != ErrNotHeld {
			t.Error(err)
		}
		for len(received[*protocol.PlayerSync](st)) == 0 { // so that none is due for a while
			time.Sleep(time.Millisecond)
		}
		if err := st.client.Arm(22); err != nil {
			t.Fatal(err)
		}
		st.fire(2)
		packets, _ := st.receive()
		if len(packets) != 3 {
			t.Fatalf("%d packets", len(packets))
		}
		f, ok := packets[0].(*protocol.PlayerSync)
		if !ok || f.Frame.Weapon != 22 || f.Seq < 3 {
			t.Errorf("%+v", packets[0])
		}
	})
}

func TestSprays(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.armed(41, 500)
		for _, units := range []uint32{10, 7} {
			if _, err := st.client.Shoot(Shot{Rounds: units}); err != nil {
				t.Fatal(err)
			}
		}
		got := received[*protocol.WeaponShot](st)
		if len(got) != 2 || got[0].Seq != 10 || got[1].Seq != 17 || st.ammo(41) != 483 {
			t.Errorf("%v %d", got, st.ammo(41))
		}
	})
}

// Whatever was under way, the client ends with what the server counts: its total less the rounds that it does not know of.
func TestSetWeaponAmmo(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.armed(31, 100)
		st.fire(10)
		set := func(p protocol.SetWeaponAmmo, ammo uint32, clip uint16) {
			t.Helper()
			st.lane(&p)
			me := st.client.Self()
			if h := me.Inventory.find(p.Weapon); h.Ammo != ammo || h.Clip != clip {
				t.Errorf("%+v gives %+v", p, *h)
			}
		}
		set(protocol.SetWeaponAmmo{Weapon: 31, Ammo: 200, Clip: protocol.ClipLeave, Shot: 10}, 200, 40)
		set(protocol.SetWeaponAmmo{Weapon: 31, Ammo: 200, Clip: protocol.ClipLeave, Shot: 7}, 197, 40)
		set(protocol.SetWeaponAmmo{Weapon: 31, Ammo: 200, Clip: 20, Shot: 7}, 197, 17)
		set(protocol.SetWeaponAmmo{Weapon: 31, Ammo: 2, Clip: protocol.ClipLeave, Shot: 0}, 0, 0)
		if _, err := st.client.Shoot(Shot{}); err != ErrNoAmmo {
			t.Error(err)
		}
		// Rounds of another weapon do not count.
		st.lane(&protocol.GiveWeapon{Weapon: 22, Ammo: 50})
		set(protocol.SetWeaponAmmo{Weapon: 22, Ammo: 30, Clip: 5, Shot: 0}, 30, 5)
		// One that is not there is not given by this.
		st.lane(&protocol.SetWeaponAmmo{Weapon: 34, Ammo: 30})
		if me := st.client.Self(); me.Has(34) {
			t.Error("given")
		}
	})
}

func TestWeaponsComeAndGo(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.armed(31, 50)
		in := func(what string, w protocol.Weapon) {
			t.Helper()
			if me := st.client.Self(); me.Weapon != w || me.Frame.Weapon != w {
				t.Errorf("%s: %v in hand", what, me.Weapon)
			}
		}
		in("given and armed", 31)
		st.lane(&protocol.GiveWeapon{Weapon: 22, Ammo: 50})
		in("given", 31)
		st.lane(&protocol.GiveWeapon{Weapon: 30, Ammo: 50})
		in("replaced", 30)
		st.lane(&protocol.SetArmedWeapon{Weapon: 22})
		in("armed", 22)
		st.lane(&protocol.SetArmedWeapon{Weapon: 31})
		in("armed with what is not there", 22)
		st.lane(&protocol.TakeWeapon{Weapon: 30})
		in("another taken", 22)
		st.lane(&protocol.TakeWeapon{Weapon: 22})
		in("taken", 0)
		st.lane(&protocol.GiveWeapon{Weapon: 24, Ammo: 7, Arm: true})
		st.lane(&protocol.ClearWeapons{})
		in("cleared", 0)
		if me := st.client.Self(); me.Inventory != (Inventory{}) {
			t.Errorf("%+v", me.Inventory)
		}
	})
}

func TestThrow(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.armed(16, 1)
		if _, err := st.client.Shoot(Shot{}); err != ErrNotArmed {
			t.Error(err)
		}
		if err := st.client.Throw(Throw{Target: protocol.Ref{Kind: protocol.RefPlayer, ID: 9}}); err == nil {
			t.Error("a grenade seeks nobody")
		}
		if err := st.client.Throw(Throw{Velocity: protocol.Vec3{X: 10}}); err != nil {
			t.Fatal(err)
		}
		if err := st.client.Throw(Throw{}); err != ErrNoAmmo {
			t.Error(err)
		}
		if p := one[*protocol.ProjectileCreate](st); p.Weapon != 16 || p.Velocity.X != 10 || st.ammo(16) != 0 {
			t.Errorf("%+v", p)
		}
		st.lane(&protocol.SetWeaponAmmo{Weapon: 16, Ammo: 1, Clip: protocol.ClipLeave}) // it was refused
		if st.ammo(16) != 1 {
			t.Errorf("%d left", st.ammo(16))
		}
	})
}

func TestSatchels(t *testing.T) {
	place := func(t *testing.T, st *stage, n int) {
		t.Helper()
		for i := range n {
			if err := st.client.Throw(Throw{Rest: protocol.Vec3{X: float32(i)}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	bubble(t, func(t *testing.T, st *stage) {
		st.armed(protocol.WeaponSatchel, 20)
		if me := st.client.Self(); !me.Has(protocol.WeaponDetonator) {
			t.Error("no detonator with a satchel")
		}
		place(t, st, 8)
		if err := st.client.Throw(Throw{}); err == nil {
			t.Error("a ninth")
		}
		if err := st.client.Detonate(); err != ErrNotArmed {
			t.Error(err)
		}
		if err := st.client.Arm(protocol.WeaponDetonator); err != nil {
			t.Fatal(err)
		}
		st.take()
		if err := st.client.Detonate(); err != nil {
			t.Fatal(err)
		}
		if p := one[*protocol.SatchelDetonate](st); len(p.Positions) != 8 || p.Positions[7].X != 7 {
			t.Errorf("%+v", p)
		}
		equal(t, st.take(), "self alive 100/0", "satchels 3/40 8")
		st.client.Detonate() // none is left
		if n := len(received[*protocol.SatchelDetonate](st)); n != 0 || len(st.client.Self().Satchels) != 0 {
			t.Errorf("%d again", n)
		}
		// The server asks for it: no detonator is needed.
		st.client.Arm(protocol.WeaponSatchel)
		place(t, st, 2)
		st.lane(&protocol.DetonateSatchels{})
		if p := one[*protocol.SatchelDetonate](st); len(p.Positions) != 2 {
			t.Errorf("%+v", p)
		}
		st.lane(&protocol.DetonateSatchels{})
		if n := len(received[*protocol.SatchelDetonate](st)); n != 0 {
			t.Errorf("%d again", n)
		}
		// Not while he is frozen.
		place(t, st, 1)
		st.lane(&protocol.SetFrozen{Frozen: true})
		st.lane(&protocol.DetonateSatchels{})
		if n := len(received[*protocol.SatchelDetonate](st)); n != 0 || len(st.client.Self().Satchels) != 1 {
			t.Errorf("%d of a frozen player", n)
		}
		st.lane(&protocol.SetFrozen{})
		// They go without a sound; the detonator goes with the last.
		place(t, st, 1)
		st.lane(&protocol.TakeWeapon{Weapon: protocol.WeaponSatchel})
		st.client.Arm(protocol.WeaponDetonator)
		st.take()
		st.lane(&protocol.DestroySatchels{PlayerID: myID, PlayerToken: myToken})
		equal(t, st.take(), "self alive 100/0", "satchels 3/40 0")
		if me := st.client.Self(); len(me.Satchels) != 0 || me.Weapon != protocol.WeaponFist || me.Has(protocol.WeaponDetonator) {
			t.Errorf("%+v", me)
		}
	})
}

// What the server has refused to take as thrown does not lie anywhere.
func TestARefusedSatchel(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.armed(protocol.WeaponSatchel, 10)
		for i := range 3 {
			if err := st.client.Throw(Throw{Rest: protocol.Vec3{X: float32(i)}}); err != nil {
				t.Fatal(err)
			}
		}
		lie := func(want int) {
			t.Helper()
			if got := st.client.Self().Satchels; len(got) != want {
				t.Errorf("%d lie, expected %d", len(got), want)
			}
		}
		lie(3)
		back := func(ammo uint32) {
			st.lane(&protocol.SetWeaponAmmo{Weapon: protocol.WeaponSatchel, Ammo: ammo, Clip: protocol.ClipLeave})
		}
		back(8)
		lie(2)
		back(8)
		lie(2)
		st.alive(3 * time.Second)
		back(99) // a resource is generous
		lie(2)
	})
}

func TestStealthKillRequest(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.spawned()
		if err := st.client.StealthKill(9); err != ErrNotArmed {
			t.Error(err)
		}
		st.lane(&protocol.GiveWeapon{Weapon: protocol.WeaponKnife, Ammo: 1, Arm: true})
		if err := st.client.StealthKill(0); err == nil {
			t.Error("nobody")
		}
		if err := st.client.StealthKill(9); err != nil {
			t.Fatal(err)
		}
		if p := one[*protocol.StealthKillRequest](st); p.Victim != 9 {
			t.Errorf("%+v", p)
		}
		if st.client.Self().State != Alive {
			t.Error("something has begun")
		}
	})
}

func TestTheDeadAndTheFrozenDoNotFight(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.armed(31, 50)
		all := func(want error) {
			t.Helper()
			_, shoot := st.client.Shoot(Shot{})
			for _, err := range []error{
				shoot, st.client.Throw(Throw{}), st.client.Detonate(), st.client.StealthKill(9),
				st.client.Hit(protocol.DamageReport{Victim: 9, Cause: 31, Shot: 1, Pellets: 1, BodyPart: protocol.PartHead}),
			} {
				if err != want {
					t.Errorf("%v, expected %v", err, want)
				}
			}
		}
		st.lane(&protocol.SetFrozen{Frozen: true})
		all(ErrFrozen)
		st.lane(&protocol.SetFrozen{})
		st.kill()
		all(ErrNotAlive)
		if err := st.client.Hurt(protocol.CauseFall, protocol.Ref{}, 5); err != ErrNotAlive {
			t.Error(err)
		}
		time.Sleep(time.Second)
		for _, p := range first(st.receive()) {
			switch p.(type) {
			case *protocol.PlayerSync, *protocol.ClientAck:
			default:
				t.Errorf("sent %T", p)
			}
		}
	})
}

func first[A, B any](a A, _ B) A { return a }

// A program that does more than the loop can send is told so, and nothing of it counts.
func TestTooMuchAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.armed(38, 1000)
		shots, refused := 0, 0
		st.on = func(line string) { // on the loop, which sends nothing meanwhile
			if line != "explosion grenade" {
				return
			}
			for range maxCalls + 50 {
				switch _, err := st.client.Shoot(Shot{}); err {
				case nil:
					shots++
				case ErrBusy:
					refused++
				default:
					t.Error(err)
				}
			}
		}
		st.lane(&protocol.CreateExplosion{CreatorID: protocol.NoPlayer})
		if sent := len(received[*protocol.WeaponShot](st)); shots != sent || refused == 0 || st.ammo(38) != 1000-uint32(sent) {
			t.Errorf("%d shots and %d refused, %d sent, %d left", shots, refused, sent, st.ammo(38))
		}
	})
}
