package scriptapi

import (
	"strings"
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources"
)

// fieldRules are those of [players] by default.
var fieldRules = world.PlayerRules{
	Spawn:        world.SpawnPlace{Position: protocol.Vec3{X: 2495.3, Y: -1688.6, Z: 13.7}},
	RespawnDelay: 3 * time.Second, StreamDistance: 300, MaxStreamed: 200, MovementLimit: 100, Entrances: true,
}

// field is a stage on which players live: each guest's client sends the frames of an honest one.
type field struct {
	*stage
	guests []*soldier
}

// soldier is a guest with a client that plays.
type soldier struct {
	*guest
	f    *field
	seq  uint32 // of his frames
	shot uint32 // of his shots
	gun  protocol.Weapon
}

func newField(t testing.TB) *field {
	f := &field{stage: newStage(t)}
	f.now = time.Minute
	return f
}

// enter joins a player who asks for his spawn and arrives where he is put.
func (f *field) enter(name string) *soldier {
	f.t.Helper()
	s := &soldier{guest: f.join(name), f: f}
	f.guests = append(f.guests, s)
	s.receive(&protocol.RequestSpawn{})
	f.pass(time.Second)
	return s
}

// receive is a packet of the client's, with all that follows from it at once.
func (s *soldier) receive(m protocol.Packet) {
	s.f.do(func(tx world.Tx) { tx.Receive(s.player, m) })
	s.f.settle()
}

// frame is the client's frame as the server wants it, with a change.
func (s *soldier) frame(change func(f *protocol.Frame)) {
	s.seq++
	m := &protocol.PlayerSync{Seq: s.seq}
	s.f.do(func(tx world.Tx) { m.Frame = tx.Frame(s.player) })
	if s.f.state(s) == world.Alive && s.has(s.gun) {
		m.Frame.Weapon = s.gun
	}
	if change != nil {
		change(&m.Frame)
	}
	s.receive(m)
}

func (s *soldier) has(w protocol.Weapon) (has bool) {
	s.f.do(func(tx world.Tx) { has = tx.HasWeapon(s.player, w) })
	return has
}

func (f *field) state(s *soldier) (life world.Life) {
	f.do(func(tx world.Tx) { life = tx.State(s.player) })
	return life
}

// pass lets time go by, in which everyone's client sends frames.
func (f *field) pass(d time.Duration) {
	for end := f.now + d; f.now < end; {
		f.advance(40 * time.Millisecond)
		for _, s := range f.guests {
			if f.state(s) != world.PreSpawn {
				s.frame(nil)
			}
		}
		f.do(func(tx world.Tx) { tx.Tick() })
		f.settle()
	}
}

// walk is a frame from another place, without the time that the way takes.
func (s *soldier) walk(to protocol.Vec3) {
	s.f.do(func(tx world.Tx) {
		if err := tx.Teleport(s.player, world.Teleport{Position: &to}); err != nil {
			s.f.t.Fatal(err)
		}
	})
	s.f.pass(time.Second)
}

// fire hits a player with what is in hand; it reports as many pellets as the weapon has.
func (s *soldier) fire(victim *soldier, w protocol.Weapon, part protocol.BodyPart) {
	s.f.t.Helper()
	s.gun = w
	s.f.pass(time.Second)
	s.shot++
	figures, _ := w.Figures()
	var from, to protocol.Vec3
	s.f.do(func(tx world.Tx) { from, to = tx.Frame(s.player).Position, tx.Frame(victim.player).Position })
	s.receive(&protocol.WeaponShot{Seq: s.shot, Weapon: w, Hit: protocol.Ref{Kind: protocol.RefPlayer, ID: victim.player.Token}, Origin: from, End: to})
	s.receive(&protocol.DamageReport{Victim: victim.player.Token, Shot: s.shot, Cause: protocol.Cause(w), BodyPart: part, Pellets: figures.Pellets})
}

// suffer is a report of what the world has done to the player.
func (s *soldier) suffer(cause protocol.Cause, amount float32) {
	s.receive(&protocol.DamageReport{Victim: s.player.Token, Cause: cause, BodyPart: protocol.PartTorso, Amount: amount})
}

// last is the newest packet of a type that the player was sent.
func last[P protocol.Packet](t testing.TB, g *guest) P {
	t.Helper()
	for i := len(g.sent) - 1; i >= 0; i-- {
		if m, ok := g.sent[i].(P); ok {
			return m
		}
	}
	var none P
	t.Fatalf("%s was sent no %T", g.name, none)
	return none
}

// run runs code with p and q as the first two players, and leaves the log to the test.
func (f *field) run(code string) {
	f.t.Helper()
	if f.live["run"] != nil {
		f.end("run", resources.StopReload)
	}
	f.start("run", "local p, q = mp.players.get(0), mp.players.get(1) "+code)
}

// eval runs code with p as the first player, and gives what it returns, as tostring words it.
func (f *field) eval(code string) string {
	f.t.Helper()
	f.lines = nil
	f.start("eval", `local p, q = mp.players.get(0), mp.players.get(1)
local function show(...) local t = { ... } for i = 1, select("#", ...) do t[i] = tostring(t[i]) end print(table.concat(t, " ")) end
local ok, e = pcall(function() `+code+` end) if not ok then print(e) end`)
	got := strings.ReplaceAll(f.took(), "main.lua:3: ", "")
	f.stop("eval")
	f.lines = nil
	return got
}

// check is eval of a table of codes and what they print.
func (f *field) check(rows [][2]string) {
	f.t.Helper()
	for _, row := range rows {
		if got := f.eval(row[0]); got != row[1] {
			f.t.Errorf("%s\n got %s\nwant %s", row[0], got, row[1])
		}
	}
}
