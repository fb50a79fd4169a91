package host_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"darqline/client"
	"darqline/host"
	"darqline/host/udp"
	"darqline/host/world"
	"darqline/protocol"
)

// town is one game of players who walk, fight, die and come again while scripts move them about: by page Player and page
// Combat nobody of them fails a check, sees a ghost, or misses somebody.
type town struct {
	*bubble
	r        *rand.Rand
	citizens []*citizen
	moved    map[uint32]int // teleports by scripts, by token
	frame    time.Duration  // how often citizens move
	come     func(c *citizen) *person
}

// citizen is a seat in the town, and who sits in it.
type citizen struct {
	name string
	from netip.Addr
	who  *person // nil: nobody
	goal protocol.Vec3
	shot time.Time // the last one
}

const (
	townSize  = 500 // metres
	townFolk  = 16
	townFrame = 40 * time.Millisecond
)

// townScript lets people in where they like, armed.
var townScript = files{"town/resource.toml": "", "town/main.lua": `
mp.on("player_spawn_request", function(player)
  player:spawn{ position = vec3(player.id * 30, player.id * 20, 10) }
  return false
end)
mp.on("player_spawn", function(player, spawn)
  player:give_weapon("colt_45", 500)
  player:give_weapon("grenade", 5)
  player:give_weapon("satchel_charge", 5)
  if spawn.respawn then player:give_weapon("ak47", 300, { arm = true }) end
end)`}

func simulateTown(t *testing.T, seed uint64) { townOf(t, seed, time.Minute, nil) }

// townOf plays a game of that length; in the end it is looked at.
func townOf(t *testing.T, seed uint64, lasts time.Duration, look func(b *bubble)) {
	inBubble(t, seed, townScript, func(c *host.Config) {
		c.Connection.Attempts, c.Connection.PerHost = 10_000, 100
		c.Players.RespawnDelay = time.Second
		if seed%3 == 0 {
			c.Players.MaxStreamed = 6
		}
		c.Players.Spawn.Position = []float64{townSize / 2, townSize / 2, 10}
	}, func(b *bubble) {
		g := newTown(b, rand.New(rand.NewPCG(seed, 2)))
		for end := time.Now().Add(lasts); time.Now().Before(end); time.Sleep(g.frame) {
			for _, c := range g.citizens {
				g.live(c)
			}
			if g.r.IntN(4) == 0 {
				g.happen(g.citizens[g.r.IntN(townFolk)])
			}
		}
		g.calm()
		if faults := b.judge.verdict(); faults != "" {
			t.Error(faults)
		}
		if n := b.judge.thrown(); n > 0 {
			t.Errorf("%d honest clients were thrown out: %v\n%s", n, b.judge.ends, b.logs.String())
		}
		g.pulledBack()
		if look != nil {
			look(b)
		}
	})
}

func newTown(b *bubble, r *rand.Rand) *town {
	g := &town{bubble: b, r: r, moved: make(map[uint32]int), frame: townFrame}
	g.come = func(c *citizen) *person { return g.dial(c.name, c.from, g.t.TempDir()) }
	for i := range townFolk {
		g.citizens = append(g.citizens, &citizen{name: fmt.Sprint("Citizen", i), from: netip.AddrFrom4([4]byte{10, 0, 8, byte(i + 1)})})
	}
	return g
}

// live is one frame of somebody's life.
func (g *town) live(c *citizen) {
	if c.who == nil {
		if g.r.IntN(20) == 0 {
			c.who = g.come(c)
		}
		return
	}
	select {
	case <-c.who.ended: // refused, because his crashed self has his name still
		c.who.cancel, c.who = nil, nil
		return
	default:
	}
	me := c.who.c.Self()
	if me.State != client.Alive {
		return
	}
	g.walk(c, me.Frame)
	if g.r.IntN(8) == 0 && time.Since(c.shot) > 300*time.Millisecond {
		g.shoot(c, &me)
	}
}

// walk goes on to the goal at 6 m/s, as often as not to somebody.
func (g *town) walk(c *citizen, f protocol.Frame) {
	x, y := float64(c.goal.X-f.Position.X), float64(c.goal.Y-f.Position.Y)
	far := math.Hypot(x, y)
	if far < 1 || far > 2*townSize {
		c.goal = g.place()
		if others := c.who.c.Remotes(); len(others) > 0 && g.r.IntN(2) == 0 {
			c.goal = others[g.r.IntN(len(others))].Frame.Position
		}
		stand(&f)
	} else {
		const speed = 6
		step := speed * g.frame.Seconds() / far
		f.Position.X += float32(x * step)
		f.Position.Y += float32(y * step)
		f.Velocity = [3]int16{protocol.Hundredths(x / far * speed), protocol.Hundredths(y / far * speed), 0}
		f.MoveY = 127
	}
	f.Flags |= protocol.FlagOnGround
	_ = c.who.c.Move(f)
}

// pulledBack finds honest players who were moved by nobody's script.
func (g *town) pulledBack() {
	g.lookout.mu.Lock()
	defer g.lookout.mu.Unlock()
	for token, n := range g.lookout.pulls {
		if n > g.moved[token] {
			g.t.Errorf("player %d is honest and was pulled back %d times", token, n-g.moved[token])
		}
	}
}

func stand(f *protocol.Frame) { f.Velocity, f.MoveX, f.MoveY, f.Keys = [3]int16{}, 0, 0, 0 }

func (g *town) place() protocol.Vec3 {
	return protocol.Vec3{X: g.r.Float32() * townSize, Y: g.r.Float32() * townSize, Z: 10}
}

// shoot fires at somebody in view and near, and hits as often as not.
func (g *town) shoot(c *citizen, me *client.Self) {
	w := me.Weapon
	if w == protocol.WeaponFist {
		for _, gun := range []protocol.Weapon{colt, ak47} {
			if c.who.c.Arm(gun) == nil {
				return
			}
		}
		return
	}
	figures, _ := w.Figures()
	for _, r := range c.who.c.Remotes() {
		at := r.Frame.Position
		if far := math.Hypot(float64(at.X-me.Frame.Position.X), float64(at.Y-me.Frame.Position.Y)); far > 30 || r.Dead || r.Frame.Interior != me.Frame.Interior {
			continue
		}
		c.shot = time.Now()
		shot, err := c.who.c.Shoot(client.Shot{Hit: protocol.Ref{Kind: protocol.RefPlayer, ID: r.Token}, Origin: me.Frame.Position, End: at})
		if err == nil && g.r.IntN(2) == 0 {
			_ = c.who.c.Hit(protocol.DamageReport{Victim: r.Token, Shot: shot, Cause: protocol.Cause(w),
				BodyPart: protocol.PartTorso, Pellets: min(figures.Pellets, 1)})
		}
		return
	}
}

// happen is something that the world, a script or the network does.
func (g *town) happen(c *citizen) {
	if c.who == nil {
		return
	}
	switch n := g.r.IntN(100); {
	case n < 8:
		g.weather()
	case n < 11:
		g.cut(c)
	case n < 14:
		g.crash(c)
	case n < 16:
		c.who.leave()
		c.who = nil
	default:
		g.deed(c)
	}
}

// deed is something that a player or a script does.
func (g *town) deed(c *citizen) {
	switch n := g.r.IntN(84); {
	case n < 4:
		_ = c.who.c.Hurt(protocol.CauseFall, protocol.Ref{}, float32(10+g.r.IntN(120)))
	case n < 6:
		_ = c.who.c.Die(protocol.CauseDrowning, protocol.Ref{}, protocol.PartTorso)
	case n < 10:
		g.throw(c)
	default:
		g.script(c)
	}
}

// script does something to a player from the server's side.
func (g *town) script(c *citizen) {
	g.tell(c.who, func(tx world.Tx, p *world.Player) {
		all := tx.Players()
		deeds[g.r.IntN(len(deeds))](g, tx, p, all[g.r.IntN(len(all))])
	})
}

// throw throws a grenade or a satchel, or sets those off that lie.
func (g *town) throw(c *citizen) {
	w := []protocol.Weapon{grenade, satchel}[g.r.IntN(2)]
	if len(c.who.c.Self().Satchels) > 0 && g.r.IntN(2) == 0 {
		w = detonator
	}
	if c.who.c.Arm(w) != nil {
		return
	}
	if w == detonator {
		_ = c.who.c.Detonate()
		return
	}
	at := c.who.c.Self().Frame.Position
	_ = c.who.c.Throw(client.Throw{Origin: at, Velocity: protocol.Vec3{X: 10, Z: 5}, Rest: protocol.Vec3{X: at.X + 5, Y: at.Y, Z: at.Z}})
}

// deeds are what scripts do to a player, or with another. What cannot be done is an error that means nothing here.
var deeds = []func(g *town, tx world.Tx, p, other *world.Player){
	func(g *town, tx world.Tx, p, _ *world.Player) { g.teleport(tx, p, nil) },
	func(g *town, tx world.Tx, p, _ *world.Player) { g.teleport(tx, p, nil) },
	func(g *town, tx world.Tx, p, _ *world.Player) { d := g.dimension(); g.teleport(tx, p, &d) },
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.SetDimension(p, g.dimension()) },
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.SetDimension(p, g.dimension()) },
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.SetInterior(p, uint8(g.r.IntN(3))) },
	func(g *town, tx world.Tx, p, _ *world.Player) { tx.SetHidden(p, !tx.Hidden(p), "town") },
	func(g *town, tx world.Tx, p, _ *world.Player) { tx.SetHidden(p, false, "town") },
	func(g *town, tx world.Tx, p, other *world.Player) { _ = tx.Kill(p, other, protocol.CauseScript) },
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.Spawn(p, tx.SpawnDefaults(p), "town") },
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.SetFrozen(p, !tx.Frozen(p), "town") },
	func(g *town, tx world.Tx, p, other *world.Player) { _ = tx.Spectate(p, other, 0, "town") },
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.ResetCamera(p) },
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.SetSkin(p, uint16(20+g.r.IntN(20))) },
	func(g *town, tx world.Tx, p, _ *world.Player) {
		_ = tx.SetWalkingStyle(p, protocol.WalkingStyle(54+g.r.IntN(10)))
	},
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.SetHeadless(p, !tx.Headless(p)) },
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.SetSkills(p, [protocol.SkillCount]uint16{}) },
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.SetStats(p, [protocol.StatCount]uint16{}) },
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.SetArmor(p, float32(g.r.IntN(101))) },
	func(g *town, tx world.Tx, p, _ *world.Player) { _, _ = tx.GiveHealth(p, 40) },
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.SetHealth(p, float32(1+g.r.IntN(100))) },
	func(g *town, tx world.Tx, p, other *world.Player) { _ = tx.SetOnFire(p, !tx.OnFire(p), other) },
	func(g *town, tx world.Tx, p, _ *world.Player) {
		_ = tx.SetSpecialAction(p, protocol.SpecialAction(g.r.IntN(16)))
	},
	func(g *town, tx world.Tx, p, _ *world.Player) {
		_, _ = tx.Animate(p, world.Animation{Block: "DANCING", Name: "DANCE_LOOP", Speed: 1, Flags: protocol.AnimationLoop}, "town")
	},
	func(g *town, tx world.Tx, p, _ *world.Player) { _ = tx.ClearAnimations(p) },
	func(g *town, tx world.Tx, p, other *world.Player) {
		_ = tx.Explode(world.Explosion{Position: g.place(), Type: protocol.ExplosionType(g.r.IntN(13)), Creator: p, Shake: 1})
	},
	func(g *town, tx world.Tx, p, _ *world.Player) {
		_, _ = tx.CreateFire(world.NewFire{Position: g.place(), Size: 1.8, Duration: 3 * time.Second, Creator: p}, "town")
	},
	func(g *town, tx world.Tx, p, other *world.Player) {
		_ = tx.Damage(p, world.Blow{Amount: float32(1 + g.r.IntN(60)), Attacker: other, Cause: protocol.Cause(ak47), BodyPart: protocol.PartHead})
	},
}

func (g *town) dimension() uint16 { return uint16(g.r.IntN(2)) }

func (g *town) teleport(tx world.Tx, p *world.Player, dimension *uint16) {
	to := g.place()
	if !tx.Gone(p) && tx.Teleport(p, world.Teleport{Position: &to, Dimension: dimension}) == nil {
		g.moved[p.Token]++
	}
}

func (g *town) weather() {
	g.mem.SetPath(udp.Path{Loss: g.r.Float64() * 0.2, Duplicate: g.r.Float64() * 0.1, Reorder: g.r.Float64() * 0.3,
		Delay: time.Duration(g.r.IntN(150)) * time.Millisecond, Jitter: time.Duration(g.r.IntN(50)) * time.Millisecond})
}

// cut takes somebody's line away for a while, in both directions or in one.
func (g *town) cut(c *citizen) {
	switch dead := (udp.Path{Loss: 1}); g.r.IntN(3) {
	case 0:
		g.mem.SetPathOf(c.from, serverHost, dead)
	case 1:
		g.mem.SetPathTo(c.from, serverHost, dead)
	default:
		g.mem.SetPathTo(serverHost, c.from, dead)
	}
	time.AfterFunc(time.Duration(g.r.IntN(4000))*time.Millisecond, func() {
		g.mem.SetPathOf(c.from, serverHost, udp.Path{Loss: 0.05, Delay: 30 * time.Millisecond})
	})
}

// crash ends somebody without a word. He comes again from the same address or another one.
func (g *town) crash(c *citizen) {
	g.mem.SetPathOf(c.from, serverHost, udp.Path{Loss: 1})
	c.who.leave()
	c.who = nil
	g.mem.SetPathOf(c.from, serverHost, udp.Path{Delay: 20 * time.Millisecond})
	if g.r.IntN(2) == 0 {
		a := c.from.As4()
		a[2] ^= 1
		c.from = netip.AddrFrom4(a)
	}
}

// calm ends all faults; when everybody is in the world and stands still, they agree within 2 s.
func (g *town) calm() {
	time.Sleep(5 * time.Second) // what cuts there are have ended
	clear := udp.Path{Delay: 20 * time.Millisecond}
	g.mem.SetPath(clear)
	for _, c := range g.citizens {
		g.mem.SetPathOf(c.from, serverHost, clear)
	}
	time.Sleep(11 * time.Second) // who has crashed has timed out
	var all []*person
	for _, c := range g.citizens {
		if c.who != nil {
			select {
			case <-c.who.ended:
				c.who.cancel, c.who = nil, nil
			default:
			}
		}
		if c.who == nil {
			c.who = g.dial(c.name, c.from, g.t.TempDir())
		}
		all = append(all, c.who)
	}
	for _, p := range all {
		g.eventually(20*time.Second, p.name+" is in the world", func() bool { return g.arrived(p) })
	}
	g.quiet(all)
}

// quiet has everybody stand still: then they agree within 2 s.
func (g *town) quiet(all []*person) {
	for _, p := range all {
		p.move(stand)
	}
	for end := time.Now().Add(2 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		what, who := g.agreement(all)
		if what == "" {
			return
		}
		if time.Now().After(end) {
			g.t.Errorf("2 s of quiet, and %s (%d and %d: %s)", what, who.viewer, who.subject, g.lookout.history(who))
			return
		}
	}
}
