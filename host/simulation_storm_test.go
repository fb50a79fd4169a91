package host_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/fixtures/issuer"
	"darqline/host"
	"darqline/host/auth"
	"darqline/host/internal/wholefile"
	"darqline/host/session"
	"darqline/host/udp"
	"darqline/protocol"
)

// storm is the town with everything that can go wrong: the network, the machine, the server's own resources, those who mean
// harm, and honest players who crash, move behind another address and come again. In a third of the games they sign in.
type storm struct {
	*town
	seats []*seat
	wire  *wire
	disk  wholefile.Faults
	wall  wallClock
	id    *issuer.Issuer // nil: nobody signs in
	pest  *pest

	sky      udp.Path  // how the network is for all whose line is not cut
	harsh    time.Time // until then the sky loses more than an honest client has to bear
	version  int
	rogues   int
	restarts int
	lifted   map[int]bool // bans, by id
	diary    []string
	next     []time.Time // of each of its troubles
}

// seat is who sits in the town, and what has befallen him.
type seat struct {
	*citizen
	n      int
	cable  *cable
	cache  string                   // his folder of client files
	proved time.Time                // he has sent an assertion
	gone   time.Time                // his last session has ended
	moved  time.Time                // his address has changed
	cut    time.Time                // his line is cut until then
	trials []span                   // the times in which he could not do what an honest client has to
	sent   map[protocol.Reason]bool // what he is sent away with, because somebody wants that
}

// stormFiles are the resources of a storm, beside those of town and shop.
var stormFiles = files{
	"count/resource.toml": "", "count/main.lua": `
local n = 0
mp.every(500, function()
  n = n + 1
  for _, player in ipairs(mp.players.all()) do player:message("count " .. n) end
end)`,
	"census/resource.toml": "", "census/main.lua": `
local here = {}
local function wrong(what) mp.log.error("CENSUS " .. what) end
mp.on("player_join", function(player)
  if here[player] then wrong("joined twice") end
  here[player] = true
end)
mp.on("player_leave", function(player, reason, text, joined)
  if joined and not here[player] then wrong("left and was not here") end
  here[player] = nil
  if not player.valid then wrong("the handle has died before player_leave") end
  mp.wait(10)
  if player.valid then wrong("the handle lives on after player_leave") end
  if pcall(function() player:message("are you there?") end) then wrong("a dead player is spoken to") end
end)`,
	"mishap/resource.toml": "", "mishap/main.lua": `
mp.command("rename", { "who:player", "new:string", console = true }, function(_, args) args.who.name = args.new end)
mp.command("kick", { "who:player", console = true }, function(_, args) args.who:kick("go") end)
mp.command("boom", { console = true }, function() error("boom") end)
mp.command("hang", { console = true }, function() while true do end end)
mp.on("player_chat", function(player) if player.id % 5 == 4 then local x = nil + player.id end end)`,
	"login/resource.toml": "[client]\nfiles = [\"login.html\"]\n", "login/login.html": "<p>Sign in</p>", "login/main.lua": `
local view = mp.views.define{ name = "login", entry = "login.html" }
mp.on("player_sign_in", function(player) view:open(player) end)
mp.on("player_join", function(player) for _, v in ipairs(view:all()) do if v.player == player then v:close() end end end)`,
}

func simulateStorm(t *testing.T, seed uint64) {
	var first trace
	for n := range max(1, *again) {
		stormOf(t, seed, stormTime(), func(s *storm) {
			game := s.wire.game()
			if n == 0 {
				first = game
				return
			}
			t.Logf("game %d is the same as the first for %d of %d s, with %d and %d datagrams", n+1, first.common(&game), len(first.seconds),
				game.packets, first.packets)
		})
	}
}

func stormTime() time.Duration {
	if *long {
		return 10 * time.Minute
	}
	return time.Minute
}

// stormOf plays a game of that length; in the end it is looked at.
func stormOf(t *testing.T, seed uint64, lasts time.Duration, look func(s *storm)) {
	f := files{}
	for _, list := range []files{townScript, shop, stormFiles} {
		for path, text := range list {
			f[path] = text
		}
	}
	s := &storm{}
	inBubble(t, seed, f, func(c *host.Config) {
		c.Connection.Attempts, c.Connection.PerHost = 10_000, 100
		c.Connection.AddressChange = session.AddressAny
		c.Chat.Burst, c.Chat.Interval = 100, 0
		c.Players.RespawnDelay = time.Second
		c.Players.Spawn.Position = []float64{townSize / 2, townSize / 2, 10}
		if seed%3 == 0 {
			s.signIn(t, c)
		}
	}, func(b *bubble) {
		s.begin(b, seed)
		defer func() {
			s.end()
			if t.Failed() {
				game := s.wire.game()
				t.Logf("trace %x; what has happened:\n%s", game.sum(), strings.Join(s.diary, "\n"))
			}
		}()
		for end := time.Now().Add(lasts); time.Now().Before(end); time.Sleep(s.frame) {
			for _, seat := range s.seats {
				s.life(seat)
			}
			s.happens()
		}
		s.calm()
		s.judged()
		if look != nil {
			look(s)
		}
	})
}

// signIn has everybody sign in at an issuer whose clock is the server's.
func (s *storm) signIn(t *testing.T, c *host.Config) {
	var err error
	if s.id, err = issuer.New(issuer.Config{URL: testIssuer, Algorithms: []string{"ES256"}, Now: s.wall.now}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.Dir, "keys.json"), s.id.JWKS(), 0o644); err != nil {
		t.Fatal(err)
	}
	c.Auth.Attempts = 100
	c.Auth.Providers = []auth.Provider{{Name: "forum", Origins: []string{testIssuer}, Issuer: testIssuer, Audience: testAudience,
		JWKSFile: "keys.json", Algorithms: []string{"ES256"}}}
}

func (s *storm) begin(b *bubble, seed uint64) {
	s.town = newTown(b, rand.New(rand.NewPCG(seed, 3)))
	s.frame, s.come = 200*time.Millisecond, func(c *citizen) *person { return s.comes(c) }
	for i, c := range s.citizens {
		s.seats = append(s.seats, &seat{citizen: c, n: i, sent: make(map[protocol.Reason]bool)})
	}
	s.lifted = make(map[int]bool)
	s.wire, s.disk.FS = newWire(), wholefile.System{}
	b.options = func(o *host.Options) {
		*o = o.On(s.wall.now, &s.disk)
		o.Network = b.lookout.over(serves{host.MemoryNetwork{Memory: b.mem, Host: serverHost}, s.wire})
	}
	s.sky = udp.Path{Delay: 20 * time.Millisecond, Jitter: 5 * time.Millisecond}
	b.mem.SetPath(s.sky)
	s.restart(0)
	for range troubles {
		s.next = append(s.next, time.Now())
	}
	for i := range troubles {
		s.plan(i)
	}
	s.pest = newPest(b.mem, s.wire, rand.New(rand.NewPCG(seed, 4)))
}

func (s *storm) end() {
	if s.pest != nil {
		s.pest.end()
		s.pest = nil
	}
}

// comes brings the one of a seat to the server's door.
func (s *storm) comes(c *citizen) *person {
	for _, seat := range s.seats {
		if seat.citizen == c {
			seat.cable = newCable(s.wire, memoryClient{s.mem, c.from})
			seat.proved = time.Time{}
			s.line(seat)
			if seat.cache == "" {
				seat.cache = s.t.TempDir()
			}
			return s.dialOver(seat.cable, c.name, c.from, seat.cache)
		}
	}
	panic("nobody's seat")
}

// life is a frame of a seat's.
func (s *storm) life(seat *seat) {
	if seat.who != nil {
		select {
		case err := <-seat.who.ended:
			s.ended(seat, err)
			return
		default:
		}
		s.prove(seat)
	}
	if !seat.cut.IsZero() && time.Now().After(seat.cut) {
		seat.cut = time.Time{}
		s.line(seat)
	}
	s.live(seat.citizen)
	if seat.who != nil && s.r.IntN(10) == 0 {
		seat.who.speakNumbered()
	}
}

// prove sends the assertion of who is to sign in, and another one if nothing came of it: a clock has jumped meanwhile.
func (s *storm) prove(seat *seat) {
	p := seat.who
	p.mu.Lock()
	in, open := p.session, p.view != nil
	p.mu.Unlock()
	if s.id == nil || !open || p.c.Self().State != client.PreAuth || time.Since(seat.proved) < 5*time.Second {
		return
	}
	jwt, err := s.id.Sign(fmt.Sprint(seat.n), base64.RawURLEncoding.EncodeToString(in.AuthNonce[:]), testAudience, "")
	if err != nil {
		s.t.Fatal(err)
	}
	if p.c.SignIn(jwt) == nil {
		seat.proved = time.Now()
	}
}

// ended looks at how a session has ended: nobody is thrown out for what an honest client does.
func (s *storm) ended(seat *seat, err error) {
	seat.who.cancel()
	seat.who.cancel, seat.who = nil, nil
	before := seat.gone
	seat.gone = time.Now()
	var end *client.EndError
	if !errors.As(err, &end) {
		s.t.Errorf("%s ended with %v", seat.name, err)
		return
	}
	if !s.fair(seat, end, before) {
		s.t.Errorf("%v: %s ended without a reason: %v\n%v", time.Now().Format("04:05.000"), seat.name, err, seat.trials)
	}
}

// fair says whether a session may end so: his line was too bad, or somebody has sent him away. before is when the one
// before it ended.
func (s *storm) fair(seat *seat, end *client.EndError, before time.Time) bool {
	if end.Kind != client.Rejected && end.Kind != client.Kicked {
		return s.tried(seat)
	}
	switch end.Reason {
	case protocol.ReasonServerClosing:
		return true
	case protocol.ReasonTimeout, protocol.ReasonLane:
		return s.tried(seat)
	case protocol.ReasonNameInUse: // his crashed self has it, or the one that he was when his address changed in the handshake
		return time.Since(later(before, seat.moved)) < 2*s.cfg.Connection.Timeout
	}
	return seat.sent[end.Reason]
}

// Of the 10 s until a timeout an honest client has to bear this much without the network.
const bearable = 5 * time.Second

// try notes that a seat cannot do for a while what an honest client has to.
func (s *storm) try(seat *seat, d time.Duration) {
	now := time.Now()
	seat.trials = append(seat.trials, span{now, now.Add(d)})
}

func (s *storm) tryAll(d time.Duration) {
	for _, seat := range s.seats {
		s.try(seat, d)
	}
}

// tried says that a seat's line was so bad of late that he may be thought gone.
func (s *storm) tried(seat *seat) bool {
	now := time.Now()
	since := now.Add(-s.cfg.Connection.Timeout - 10*time.Second)
	var sum time.Duration
	for _, t := range seat.trials {
		sum += max(0, earlier(t.to, now).Sub(later(t.from, since)))
	}
	return sum > bearable || s.harsh.After(since)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// line lets a seat have the network that all have.
func (s *storm) line(seat *seat) {
	if seat.cut.IsZero() {
		s.mem.SetPathOf(seat.from, serverHost, s.sky)
	}
}

// calm ends all faults: then everybody is in within 30 s, with all lanes empty, and sees what he should.
func (s *storm) calm() {
	s.end()
	for s.wire.stall.lasts() {
		time.Sleep(s.frame)
	}
	s.disk.Fail("", 0, nil)
	s.wall.set(0) // before the bans are looked at: one that is over may hold again when the clock is set back
	for _, b := range s.host.Bans().All() {
		if _, err := s.host.Bans().Remove(b.ID); err != nil {
			s.t.Errorf("a ban cannot be lifted: %v", err)
		}
	}
	s.sky, s.harsh = udp.Path{Delay: 20 * time.Millisecond}, time.Time{}
	s.mem.SetPath(s.sky)
	for _, seat := range s.seats {
		seat.cut = time.Time{}
		s.line(seat)
		if seat.cable != nil {
			seat.cable.slows(0)
		}
		s.try(seat, 4*time.Second)
	}
	s.write(files{"shop/main.lua": shop["shop/main.lua"] + "\n-- the last one\n"})
	if err := s.reload("shop"); err != nil {
		s.t.Fatal(err)
	}
	status, _ := s.host.Resources().Get("shop")
	generation := fmt.Sprintf(`"generation":%d,`, status.Generation)
	var waits string
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if waits = s.waitsFor(generation); waits == "" {
			break
		}
		if time.Now().After(end) {
			s.t.Fatalf("30 s without a fault, and %s\n%s", waits, s.logs.String())
		}
	}
	var all []*person
	for _, seat := range s.seats {
		all = append(all, seat.who)
	}
	s.quiet(all)
}

// waitsFor says what is not yet as it has to be.
func (s *storm) waitsFor(generation string) string {
	for _, seat := range s.seats {
		switch {
		case seat.who != nil:
			select {
			case err := <-seat.who.ended:
				s.ended(seat, err)
			default:
				s.prove(seat)
			}
		case time.Since(seat.gone) > 500*time.Millisecond: // who is refused tries again soon
			seat.who = s.comes(seat.citizen)
		}
	}
	for _, seat := range s.seats {
		switch p := seat.who; {
		case p == nil:
			return seat.name + " is not here"
		case !s.arrived(p):
			return p.name + " is not in the world"
		case !seat.cable.idle():
			return p.name + "'s lane is not empty"
		}
	}
	everybody := len(s.seats) + s.loiter()
	for _, seat := range s.seats {
		p := seat.who
		if !p.locked(func() bool {
			return len(p.rows) == everybody && p.status["shop"].State == client.ResourceReady && p.view != nil && strings.Contains(p.snapshots["stock"], generation)
		}) {
			return fmt.Sprintf("%s does not see %d players and the shop of %s", p.name, everybody, generation)
		}
	}
	if unacked, waiting := s.host.Backlog(); unacked+waiting > 0 {
		return fmt.Sprintf("%d events are not acknowledged and %d things wait", unacked, waiting)
	}
	return ""
}

// loiter is how many who mean harm are here still.
func (s *storm) loiter() (n int) {
	tx := s.host.World().Begin()
	defer tx.End()
	for _, p := range tx.Players() {
		if strings.HasPrefix(p.Name(), "Mallory") {
			n++
		}
	}
	return n
}

// judged asks all who have watched.
func (s *storm) judged() {
	for what, faults := range map[string]string{"promises that were broken": s.judge.verdict(), "what the wire has seen": s.wire.verdict()} {
		if faults != "" {
			s.t.Errorf("%s:\n%s", what, faults)
		}
	}
	s.pulledBack()
	s.judge.mu.Lock()
	ends := fmt.Sprint(s.judge.ends)
	s.judge.mu.Unlock()
	s.t.Logf("%d datagrams, %d starts, %d bans, players left by %s", s.wire.game().packets, s.restarts, s.logs.count("msg=banned"), ends)
	for line := range strings.SplitSeq(s.logs.String(), "\n") {
		if strings.Contains(line, "CENSUS") || strings.Contains(line, "a fault of the server itself") || strings.Contains(line, "must not be sent yet") {
			s.t.Error(line)
		}
	}
}
