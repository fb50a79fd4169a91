package host_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/host/udp"
	"darqline/host/world"
	"darqline/protocol"
)

// arena is a small gamemode: it spawns, counts kills, pays for them, and decides about damage as its mode says.
var arena = files{"arena/resource.toml": "", "arena/main.lua": `
local mode = "normal"
local function spawn(player, z)
  player:spawn{ position = vec3(100 + player.id * 4, 50, z), heading = 90, skin = 7 }
  player:give_weapon("ak47", 200, { arm = true })
end
mp.on("player_spawn_request", function(player) spawn(player, 10) return false end)
mp.on("player_respawn_request", function(player)
  if mode == "stay_dead" then return false end
  spawn(player, 20)
  return false
end)
mp.on("player_damage", function(victim, damage)
  mp.chat.broadcast(string.format("HIT %s by %s: %s %s %.1f %s", victim.name, damage.attacker and damage.attacker.name or "nobody",
    damage.cause, damage.body_part, damage.amount, tostring(damage.lethal)))
  if mode == "peace" then return false end
  if mode == "double" then damage.amount = damage.amount * 2 end
end)
mp.on("player_damaged", function(victim, damage)
  mp.chat.broadcast(string.format("LOST %s %.1f %.1f", victim.name, damage.health_lost, damage.armor_lost))
end)
mp.on("player_death", function(player, death)
  mp.chat.broadcast(string.format("DEAD %s by %s: %s %s", player.name, death.killer and death.killer.name or "nobody", death.cause, tostring(death.weapon)))
  if death.killer then death.killer.money = death.killer.money + 500 end
end)
mp.command("mode", { "mode:choice(normal|peace|double|stay_dead)" }, function(player, args)
  mode = args.mode
  player:message("mode is " .. mode)
end)`}

// duel is Alice and Bobby in the arena, who see each other.
type duel struct {
	*bubble
	alice, bobby *person
}

func inArena(t *testing.T, test func(d *duel)) {
	inBubble(t, 1, arena, nil, func(b *bubble) {
		b.mem.SetPath(udp.Path{Delay: 20 * time.Millisecond})
		d := &duel{bubble: b, alice: b.enter("Alice"), bobby: b.enter("Bobby")}
		b.eventually(5*time.Second, "they see each other", func() bool { return d.alice.shows(d.bobby) && d.bobby.shows(d.alice) })
		test(d)
		if faults := b.judge.verdict(); faults != "" {
			t.Error(faults)
		}
	})
}

func (d *duel) mode(mode string) {
	d.t.Helper()
	if err := d.alice.c.Command("mode " + mode); err != nil {
		d.t.Fatal(err)
	}
	d.hears(d.alice, "mode is "+mode)
}

// shoot has Alice hit Bobby with one round.
func (d *duel) shoot() {
	d.t.Helper()
	me, at := d.alice.c.Self(), d.bobby.c.Self()
	shot, err := d.alice.c.Shoot(client.Shot{Hit: protocol.Ref{Kind: protocol.RefPlayer, ID: at.Token}, Origin: me.Frame.Position, End: at.Frame.Position})
	if err == nil {
		err = d.alice.c.Hit(protocol.DamageReport{Victim: at.Token, Shot: shot, Cause: protocol.Cause(ak47), BodyPart: protocol.PartTorso, Pellets: 1})
	}
	if err != nil {
		d.t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
}

// has waits until Bobby's health is so for himself, the server and Alice.
func (d *duel) has(p, other *person, health float32) {
	d.t.Helper()
	d.eventually(time.Second, fmt.Sprintf("%s has %v", p.name, health), func() (is bool) {
		d.tell(p, func(tx world.Tx, q *world.Player) {
			r, ok := other.c.Remote(q.ID)
			is = ok && near(tx.Health(q), health) && near(p.c.Self().Health, health) && r.Frame.Health == tx.Frame(q).Health
		})
		return is
	})
}

func near(a, b float32) bool { return a-b < 0.01 && b-a < 0.01 }

func TestDamageGoesThroughScripts(t *testing.T) {
	inArena(t, func(d *duel) {
		d.shoot()
		d.hears(d.bobby, "HIT Bobby by Alice: ak47 torso 9.9 false")
		d.hears(d.bobby, "LOST Bobby 9.9 0.0")
		d.has(d.bobby, d.alice, 90.1)
		d.mode("peace")
		d.shoot()
		d.has(d.bobby, d.alice, 90.1)
		d.mode("double")
		d.shoot()
		d.hears(d.bobby, "LOST Bobby 19.8 0.0")
		d.has(d.bobby, d.alice, 70.3)
		if n := strings.Count(d.bobby.said(), "LOST"); n != 2 {
			t.Errorf("%d losses, expected 2", n)
		}
	})
}

// TestWorldDamageIsAnswered: what a victim's client has taken by itself and a script does not let it lose comes back, and a
// loss that would kill is answered in any case.
func TestWorldDamageIsAnswered(t *testing.T) {
	inArena(t, func(d *duel) {
		hurt := func(amount float32) {
			t.Helper()
			if err := d.bobby.c.Hurt(protocol.CauseFall, protocol.Ref{}, amount); err != nil {
				t.Fatal(err)
			}
		}
		hurt(30)
		d.hears(d.alice, "HIT Bobby by nobody: fall torso 30.0 false")
		d.has(d.bobby, d.alice, 70)
		d.mode("peace")
		hurt(20)
		d.hears(d.alice, "HIT Bobby by nobody: fall torso 20.0 false")
		d.has(d.bobby, d.alice, 70)
		hurt(500)
		d.hears(d.alice, "HIT Bobby by nobody: fall torso 500.0 true")
		d.has(d.bobby, d.alice, 70)
		hurt(10) // he can be hurt again
		d.hears(d.alice, "HIT Bobby by nobody: fall torso 10.0 false")
		d.has(d.bobby, d.alice, 70)
		d.mode("normal")
		hurt(500)
		d.hears(d.alice, "DEAD Bobby by nobody: fall nil")
	})
}

func TestKillsAreCreditedAndPaid(t *testing.T) {
	inArena(t, func(d *duel) {
		d.mode("stay_dead")
		for range 11 {
			d.shoot()
		}
		d.hears(d.bobby, "DEAD Bobby by Alice: ak47 ak47")
		d.eventually(3*time.Second, "Alice is paid", func() bool { return d.alice.c.Self().Money == 500 })
		d.eventually(3*time.Second, "all see him dead", func() bool {
			r, ok := d.alice.c.Remote(d.bobby.id())
			me := d.bobby.c.Self()
			return ok && r.Dead && r.Frame.Health == 0 && me.State == client.Wasted && me.Death.KillerToken == d.alice.token()
		})
		d.shoot() // the dead die no more
		time.Sleep(12 * time.Second)
		if d.bobby.c.Self().State != client.Wasted || strings.Count(d.bobby.said(), "DEAD") != 1 {
			t.Errorf("Bobby is %v: %s", d.bobby.c.Self().State, d.bobby.said())
		}
		d.mode("normal")
		d.eventually(5*time.Second, "Bobby is back", func() bool { return d.arrived(d.bobby) })
		d.has(d.bobby, d.alice, 100)
		if me := d.bobby.c.Self(); me.Frame.Position.Z != 20 || me.Weapon != ak47 || me.Inventory.Ammo(ak47) != 200 {
			t.Errorf("he is at %v with %v and %d rounds", me.Frame.Position, me.Weapon, me.Inventory.Ammo(ak47))
		}
		d.eventually(3*time.Second, "Alice sees him alive", func() bool {
			r, ok := d.alice.c.Remote(d.bobby.id())
			return ok && !r.Dead && r.Frame.Health == 100 && r.Frame.Position.Z == 20 && r.Frame.Weapon == ak47
		})
	})
}

// TestASlowScriptHoldsUpNoFrame: while a handler does not return, frames go on between players, and joins and leaves wait.
func TestASlowScriptHoldsUpNoFrame(t *testing.T) {
	inArena(t, func(d *duel) {
		hold, held := make(chan struct{}), make(chan struct{})
		d.listen(func(e world.Event) {
			if e, ok := e.(world.PlayerChat); ok && e.Line.Text == "hold on" {
				close(held)
				<-hold
			}
		})
		if err := d.alice.c.Chat("hold on"); err != nil {
			t.Fatal(err)
		}
		<-held
		for i := range 25 {
			before := d.bobby.framesShown()
			d.alice.move(func(f *protocol.Frame) { f.Position.Y += 0.2 })
			rest(90 * time.Millisecond) // to the client's next frame, and two ways of 20 ms
			want := d.alice.c.Self().Frame.Position
			if r, _ := d.bobby.c.Remote(d.alice.id()); r.Frame.Position != want || d.bobby.framesShown() == before {
				t.Fatalf("step %d: Bobby sees Alice at %v, she is at %v", i, r.Frame.Position, want)
			}
		}
		d.shoot() // which a script is to decide
		if d.bobby.hears("shot") > 0 || d.bobby.c.Self().Health != 100 {
			t.Error("a shot or its hit went past the scripts")
		}
		close(hold)
		d.has(d.bobby, d.alice, 90.1)
		if d.bobby.hears("shot") != 1 {
			t.Error("the shot did not come after all")
		}
	})
}

func (p *person) framesShown() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frames
}

// TestStealthKill goes from Alice's knife to all who see it.
func TestStealthKill(t *testing.T) {
	inArena(t, func(d *duel) {
		carol := d.enter("Carol")
		d.tell(d.alice, func(tx world.Tx, p *world.Player) { _ = tx.GiveWeapon(p, knife, 1, true) })
		d.eventually(time.Second, "she has a knife", func() bool { return d.alice.c.Arm(knife) == nil })
		victim := d.bobby.c.Self().Frame
		d.alice.move(func(f *protocol.Frame) { // behind Bobby, who looks west, and facing him
			f.Position = victim.Position
			f.Position.X++
			f.Heading = victim.Heading
		})
		rest(300 * time.Millisecond)
		for _, p := range []*person{d.alice, d.bobby, carol} {
			p.deafen()
		}
		if err := d.alice.c.StealthKill(d.bobby.token()); err != nil {
			t.Fatal(err)
		}
		d.hears(d.bobby, "DEAD Bobby by Alice: knife knife")
		rest(300 * time.Millisecond)
		for _, p := range []*person{d.alice, d.bobby, carol} {
			if kills, deaths := p.hears("stealth kill"), p.hears("wasted"); kills != 1 || deaths != 1 {
				t.Errorf("%s is shown %d stealth kills and %d deaths", p.name, kills, deaths)
			}
		}
		if me := d.bobby.c.Self(); me.Death.Flags&protocol.WastedStealth == 0 {
			t.Errorf("he died by %+v", me.Death)
		}
	})
}

// TestSatchels lie for who comes later too, and go off for all, by their owner's hand.
func TestSatchels(t *testing.T) {
	inArena(t, func(d *duel) {
		d.tell(d.alice, func(tx world.Tx, p *world.Player) { _ = tx.GiveWeapon(p, satchel, 3, true) })
		d.eventually(time.Second, "she has satchels", func() bool { return d.alice.c.Arm(satchel) == nil })
		at := d.bobby.c.Self().Frame.Position
		if err := d.alice.c.Throw(client.Throw{Origin: d.alice.c.Self().Frame.Position, Velocity: protocol.Vec3{X: 5, Z: 3}, Rest: at}); err != nil {
			t.Fatal(err)
		}
		d.eventually(time.Second, "Bobby sees it", func() bool { return d.bobby.hears("projectile") == 1 })
		carol := d.enter("Carol")
		d.eventually(2*time.Second, "Carol sees it", func() bool { return carol.hears("projectile") == 1 })
		if err := d.alice.c.Arm(detonator); err != nil {
			t.Fatal(err)
		}
		if err := d.alice.c.Detonate(); err != nil {
			t.Fatal(err)
		}
		d.hears(carol, "HIT Bobby by Alice: explosion torso 82.5 false")
		d.has(d.bobby, d.alice, 17.5)
		for _, p := range []*person{d.bobby, carol} {
			if n := p.hears("satchels"); n != 1 {
				t.Errorf("%s sees %d explosions", p.name, n)
			}
		}
		if n := len(d.alice.c.Self().Satchels); n != 0 {
			t.Errorf("%d satchels lie still", n)
		}
	})
}
