package host_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/fixtures/issuer"
	"darqline/host"
	"darqline/host/auth"
	"darqline/host/bans"
	"darqline/host/udp"
	"darqline/protocol"
)

const (
	testIssuer   = "https://id.example.org"
	testAudience = "darqline-test"
)

// login is a resource with a sign-in view, which tells on the chat what happens.
var login = files{
	"login/resource.toml": "[client]\nfiles = [\"login.html\"]\n",
	"login/login.html":    "<p>Sign in</p>",
	"login/main.lua": `
local view = mp.views.define{ name = "login", entry = "login.html" }
local open = {}
mp.on("player_sign_in", function(player)
  open[player] = view:open(player)
  player:message("sign in")
end)
mp.on("player_sign_in_failed", function(player, reason, left) if player.valid then player:message("failed " .. reason .. " " .. left) end end)
mp.on("player_account", function(player, account, claims)
  if claims.name == "ken" then return false, "no Kens here" end
  if claims.name == "slow" then mp.wait(3000) end
end)
mp.on("player_join", function(player)
  open[player]:close()
  player:message("welcome " .. player.account .. " of " .. mp.players.count())
end)
mp.on("player_leave", function(player, reason, text, joined)
  open[player] = nil
  mp.chat.broadcast("gone " .. player.name .. " " .. reason .. " " .. tostring(joined))
end)
mp.command("whoami", {}, function(player) player:message(player.account .. " " .. tostring(player:has_permission("admin"))) end)`,
}

// signInServer is a bubble on which everybody signs in.
type signInServer struct {
	*bubble
	id *issuer.Issuer
}

func inSignIn(t *testing.T, change func(*host.Config), test func(s *signInServer)) {
	s := &signInServer{}
	inBubble(t, 1, login, func(cfg *host.Config) {
		var err error
		if s.id, err = issuer.New(issuer.Config{URL: testIssuer, Algorithms: []string{"ES256"}}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(cfg.Dir, "keys.json"), s.id.JWKS(), 0o644); err != nil {
			t.Fatal(err)
		}
		cfg.Auth.Providers = []auth.Provider{{Name: "forum", Origins: []string{testIssuer}, Issuer: testIssuer, Audience: testAudience,
			JWKSFile: "keys.json", Algorithms: []string{"ES256"}}}
		if change != nil {
			change(cfg)
		}
	}, func(b *bubble) {
		s.bubble = b
		test(s)
		if b.judge.faults != nil {
			t.Errorf("promises that were broken:\n%s", strings.Join(b.judge.faults, "\n"))
		}
	})
}

func (p *person) SignedIn(account string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.account = account
}

// comes brings a player to the sign-in view.
func (s *signInServer) comes(name string) *person {
	s.t.Helper()
	p := s.dial(name, netip.AddrFrom4([4]byte{10, 0, 1, byte(len(s.clients) + 1)}), s.t.TempDir())
	s.eventually(10*time.Second, name+" sees the sign-in view", func() bool {
		return p.locked(func() bool { return p.session.SignIn && p.view != nil })
	})
	return p
}

// proves sends an assertion for a user; fault is "", or a word of issuer.Faults.
func (s *signInServer) proves(p *person, user, fault string) {
	s.t.Helper()
	var session client.Session
	p.locked(func() bool { session = p.session; return true })
	jwt, err := s.id.Sign(user, base64.RawURLEncoding.EncodeToString(session.AuthNonce[:]), testAudience, fault)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := p.c.SignIn(jwt); err != nil {
		s.t.Fatal(err)
	}
}

// enters brings a player in as a user.
func (s *signInServer) enters(name, user string) *person {
	s.t.Helper()
	p := s.comes(name)
	s.proves(p, user, "")
	s.hears(p, "welcome forum:"+user)
	return p
}

// fate waits for the end of a client's session.
func (s *signInServer) fate(p *person) (why client.EndError) {
	s.t.Helper()
	select {
	case err := <-p.ended:
		p.cancel()
		p.cancel = nil
		var end *client.EndError
		if !errors.As(err, &end) {
			s.t.Fatalf("%s ended with %v", p.name, err)
		}
		return *end
	case <-time.After(5 * time.Minute):
		s.t.Fatalf("%s goes on\n%s", p.name, s.logs.String())
	}
	return why
}

func (s *signInServer) wantFate(p *person, reason protocol.Reason, text string) {
	s.t.Helper()
	if end := s.fate(p); end.Kind != client.Kicked || end.Reason != reason || end.Text != text {
		s.t.Fatalf("%s ended with %v %v %q, want %v %q", p.name, end.Kind, end.Reason, end.Text, reason, text)
	}
}

// TestSigningIn: who has signed in is where a joiner is, and nobody before knows of him.
func TestSigningIn(t *testing.T) {
	inSignIn(t, func(c *host.Config) { c.Permissions.Players = map[string][]string{"forum:4711": {"admin"}} }, func(s *signInServer) {
		alice := s.enters("Alice", "1")
		tommy := s.comes("Tommy")
		rest(time.Second)
		if origins := tommy.view.Origins(); len(origins) != 1 || origins[0] != testIssuer {
			t.Errorf("the view may ask %v", origins)
		}
		if rows := alice.locked(func() bool { return len(alice.rows) == 1 }); !rows || s.host.Stats().Players != 1 {
			t.Errorf("Alice sees %d players, the server counts %d", len(alice.rows), s.host.Stats().Players)
		}
		s.proves(tommy, "4711", "")
		s.hears(tommy, "welcome forum:4711 of 2")
		if tommy.account != "forum:4711" {
			t.Errorf("he is told the account %q", tommy.account)
		}
		s.eventually(5*time.Second, "both are in both lists, and the view is closed", func() bool {
			return tommy.locked(func() bool { return len(tommy.rows) == 2 && tommy.view == nil }) && alice.locked(func() bool { return len(alice.rows) == 2 })
		})
		if err := tommy.c.Command("whoami"); err != nil {
			t.Fatal(err)
		}
		s.hears(tommy, "forum:4711 true")
		tommy.leave()
		s.hears(alice, "gone Tommy quit true")
	})
}

// TestRefusedAssertions: each is told with its reason, and attempts run out.
func TestRefusedAssertions(t *testing.T) {
	inSignIn(t, func(c *host.Config) { c.Auth.Attempts = len(issuer.Faults()) }, func(s *signInServer) {
		p := s.comes("Tommy")
		left := len(issuer.Faults())
		for _, fault := range issuer.Faults() {
			left--
			s.proves(p, "1", fault)
			if left > 0 {
				s.hears(p, fmt.Sprintf("failed %s %d", fault, left))
			}
			rest(3 * time.Second)
		}
		s.wantFate(p, protocol.ReasonSignInFailed, "")
		if n := s.logs.count("sign-in failed"); n != len(issuer.Faults()) {
			t.Errorf("the log has %d failures\n%s", n, s.logs.String())
		}
		if strings.Contains(s.logs.String(), "eyJ") {
			t.Error("a JWT is in the log")
		}
	})
}

func TestSignInTakesTooLong(t *testing.T) {
	inSignIn(t, func(c *host.Config) { c.Auth.Timeout = 20 * time.Second }, func(s *signInServer) {
		began := time.Now()
		p := s.comes("Tommy")
		s.wantFate(p, protocol.ReasonSignInFailed, "")
		if took := time.Since(began); took < 19*time.Second || took > 22*time.Second {
			t.Errorf("after %v", took)
		}
		alice := s.enters("Alice", "1")
		rest(time.Minute)
		if alice.account == "" || s.host.Stats().Players != 1 {
			t.Error("who has signed in was sent away, too")
		}
	})
}

// TestAccountIsHereAlready: one account, one player.
func TestAccountIsHereAlready(t *testing.T) {
	inSignIn(t, nil, func(s *signInServer) {
		watcher, older := s.enters("Watcher", "9"), s.enters("Older", "1")
		newer := s.comes("Newer")
		s.proves(newer, "1", "")
		s.wantFate(older, protocol.ReasonSignedInElsewhere, "")
		s.hears(newer, "welcome forum:1 of 2")
		s.hears(watcher, "gone Older signed_in_elsewhere true")
		if strings.Contains(newer.said(), "gone Older") {
			t.Error("the newer player joined before the older one had left")
		}
		cfg := s.cfg
		cfg.Auth.Duplicate = "reject"
		if err := s.host.Reconfigure(cfg); err != nil {
			t.Fatal(err)
		}
		third := s.comes("Third")
		s.proves(third, "1", "")
		s.wantFate(third, protocol.ReasonSignedInElsewhere, "This account is playing here already.")
		s.hears(watcher, "gone Third signed_in_elsewhere false")
	})
}

func TestBannedAccounts(t *testing.T) {
	inSignIn(t, nil, func(s *signInServer) {
		p := s.enters("Tommy", "1")
		for _, account := range []string{"forum:1", "forum:2"} {
			if _, err := s.host.Bans().Add(bans.Ban{Kind: bans.Account, Value: account, Text: "cheated"}); err != nil {
				t.Fatal(err)
			}
		}
		s.wantFate(p, protocol.ReasonBanned, "cheated")
		p = s.comes("Lance")
		s.proves(p, "2", "")
		s.wantFate(p, protocol.ReasonBanned, "cheated")
		if s.logs.count("reason=banned") < 2 {
			t.Error(s.logs.String())
		}
	})
}

func TestScriptsDecide(t *testing.T) {
	inSignIn(t, nil, func(s *signInServer) {
		p := s.comes("Ken")
		s.proves(p, "ken", "")
		s.wantFate(p, protocol.ReasonRefused, "no Kens here")
		s.enters("Slow", "slow") // a handler that waits keeps nobody out
	})
}

// TestBannedWhileAScriptDecides: a ban that comes between the check and the join counts.
func TestBannedWhileAScriptDecides(t *testing.T) {
	inSignIn(t, func(c *host.Config) { c.Permissions.Resources = map[string][]string{"login": {"bans"}} }, func(s *signInServer) {
		s.write(files{"login/main.lua": login["login/main.lua"] + `
mp.on("player_account", function(player, account) mp.server.ban{ account = account, text = "not you" } end)`})
		if err := s.reload("login"); err != nil {
			t.Fatal(err)
		}
		p := s.comes("Tommy")
		s.proves(p, "1", "")
		s.wantFate(p, protocol.ReasonBanned, "not you")
		if p.account != "" {
			t.Error("he was let in")
		}
	})
}

// TestSignInOverABadLine: with loss, doubles and reloads in between, each account ends up with one player, the newest one.
func TestSignInOverABadLine(t *testing.T) {
	for _, loss := range []float64{0, 0.1, 0.25} {
		t.Run(fmt.Sprint(loss), func(t *testing.T) {
			inSignIn(t, func(c *host.Config) { c.Connection.PerHost, c.Auth.Attempts = 10, 10 }, func(s *signInServer) {
				s.mem.SetPath(udp.Path{Loss: loss, Duplicate: loss, Reorder: loss, Delay: 50 * time.Millisecond, Jitter: 30 * time.Millisecond})
				newest := make(map[string]*person)
				for n := range 8 {
					user := fmt.Sprint(n % 3)
					p := s.comes(fmt.Sprint("Player", n))
					s.proves(p, user, []string{"", "audience", "nonce"}[n%3])
					if n%3 > 0 {
						s.proves(p, user, "") // waits until the server takes another one
					}
					if n%2 == 1 {
						if err := s.reload("login"); err != nil {
							t.Fatal(err)
						}
					}
					s.eventually(30*time.Second, p.name+" is in as "+user, func() bool {
						return p.locked(func() bool { return p.account == "forum:"+user && len(p.rows) > 0 })
					})
					if older := newest[user]; older != nil {
						s.wantFate(older, protocol.ReasonSignedInElsewhere, "")
					}
					newest[user] = p
				}
				s.mem.SetPath(udp.Path{})
				s.eventually(30*time.Second, "all see three players", func() bool {
					for _, p := range newest {
						if !p.locked(func() bool { return len(p.rows) == 3 }) {
							return false
						}
					}
					return s.host.Stats().Players == 3
				})
			})
		})
	}
}

// TestLeavingDuringTheCheck: nothing comes of it, and nobody is left behind.
func TestLeavingDuringTheCheck(t *testing.T) {
	inSignIn(t, nil, func(s *signInServer) {
		alice := s.enters("Alice", "1")
		for i := range 8 {
			p := s.comes(fmt.Sprint("Tommy", i))
			s.proves(p, "2", "")
			time.Sleep(time.Duration(i) * 10 * time.Millisecond)
			p.leave()
		}
		rest(time.Second)
		if n := s.host.Stats(); n.Players != 1 || n.SigningIn != 0 {
			t.Errorf("%d players, %d sign in", n.Players, n.SigningIn)
		}
		if got := strings.Count(alice.said(), "gone Tommy"); got != 8 {
			t.Errorf("%d have left:\n%s", got, alice.said())
		}
	})
}

// TestReloadDuringSignIn: the new version opens its view for who is there.
func TestReloadDuringSignIn(t *testing.T) {
	inSignIn(t, nil, func(s *signInServer) {
		p := s.comes("Tommy")
		s.write(files{"login/login.html": "<p>Sign in, please</p>"})
		if err := s.reload("login"); err != nil {
			t.Fatal(err)
		}
		s.eventually(10*time.Second, "he sees the new view", func() bool { return p.locked(func() bool { return p.views == 2 && p.view != nil }) })
		if len(p.view.Origins()) != 1 {
			t.Errorf("the new view may ask %v", p.view.Origins())
		}
		s.proves(p, "1", "")
		s.hears(p, "welcome forum:1 of 1")
	})
}

// TestProvidersChange: who waits for a provider that is gone is told to join again; and then nobody signs in.
func TestProvidersChange(t *testing.T) {
	inSignIn(t, nil, func(s *signInServer) {
		alice, p := s.enters("Alice", "1"), s.comes("Tommy")
		cfg := s.cfg
		cfg.Auth.Providers = nil
		if err := s.host.Reconfigure(cfg); err != nil {
			t.Fatal(err)
		}
		s.wantFate(p, protocol.ReasonSignInFailed, "This server has just switched its sign-in off. Please join again.")
		s.write(files{"login/main.lua": `mp.on("player_join", function(p) p:message("hello " .. tostring(p.account)) end)`})
		if err := s.reload("login"); err != nil {
			t.Fatal(err)
		}
		s.hears(s.join("Tommy2"), "hello nil")
		if alice.account != "forum:1" {
			t.Error("Alice has lost her account")
		}
		cfg.Auth.Providers = append([]auth.Provider{{Name: "forum"}}, s.cfg.Auth.Providers...)
		if err := s.host.Reconfigure(cfg); err == nil || !strings.Contains(err.Error(), "auth.providers[0].") {
			t.Errorf("a provider without anything: %v", err)
		}
		s.hears(s.join("Tommy3"), "hello nil")
	})
}

// TestServerFullOfSignIns: who signs in has a slot.
func TestServerFullOfSignIns(t *testing.T) {
	inSignIn(t, func(c *host.Config) { c.Server.MaxPlayers = 2 }, func(s *signInServer) {
		s.comes("Alice")
		s.comes("Bobby")
		p := s.dial("Carla", netip.MustParseAddr("10.0.1.99"), t.TempDir())
		if end := s.fate(p); end.Kind != client.Rejected || end.Reason != protocol.ReasonFull {
			t.Errorf("the third one: %v", &end)
		}
	})
}

// TestTheGameIsShutForWhoSignsIn: what a hostile client sends of the game before its sign-in changes nothing, and an assertion of
// another connection is none.
func TestTheGameIsShutForWhoSignsIn(t *testing.T) {
	inSignIn(t, nil, func(s *signInServer) {
		alice := s.enters("Alice", "1")
		r := s.stranger("Mallory")
		if r.hello.State != protocol.HelloPreAuth || r.hello.AuthNonce == [32]byte{} {
			t.Fatalf("he begins in state %d", r.hello.State)
		}
		r.send(&protocol.RequestSpawn{})
		r.send(&protocol.ClientChat{Text: "hello"})
		r.send(&protocol.ClientCommand{Text: "whoami"})
		r.send(&protocol.PlayerSync{Seq: 1})
		jwt, err := s.id.Sign("1", base64.RawURLEncoding.EncodeToString(alice.session.AuthNonce[:]), testAudience, "")
		if err != nil {
			t.Fatal(err)
		}
		r.send(&protocol.AuthAssertion{Parts: 1, Data: []byte(jwt)})
		rest(3 * time.Second)
		if s.logs.count("reason=nonce") != 1 {
			t.Errorf("an assertion of another connection:\n%s", s.logs.String())
		}
		if jwt, err = s.id.Sign("2", base64.RawURLEncoding.EncodeToString(r.hello.AuthNonce[:]), testAudience, ""); err != nil {
			t.Fatal(err)
		}
		r.send(&protocol.AuthAssertion{Parts: 1, Data: []byte(jwt)})
		if got := waitFor[*protocol.AuthAccepted](r).Account; got != "forum:2" {
			t.Errorf("he is %q", got)
		}
		if strings.Contains(alice.said(), "hello") {
			t.Error("Alice reads what he has said before")
		}
		r.spawn()
		r.wantBefore(protocol.IDAuthAccepted, "ResourceFiles UiTheme PlatformKeys ViewOpen ServerMessage")
	})
}

// wantBefore holds the kinds of lane packets that came before the first one of a kind.
func (r *rogue) wantBefore(id protocol.ID, want string) {
	r.b.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	var kinds []string
	for _, p := range r.got {
		if p.ID() == id {
			break
		}
		if row, _ := protocol.Lookup(p.ID()); row.HasEvent() && !slices.Contains(kinds, row.Name) {
			kinds = append(kinds, row.Name)
		}
	}
	slices.Sort(kinds) // straight packets may overtake paced ones
	all := strings.Fields(want)
	slices.Sort(all)
	if !slices.Equal(kinds, all) {
		r.b.t.Errorf("before %v came %v, want %v", id, kinds, all)
	}
}

// TestTheLookoutSeesWhoSignsIn leaks a packet of the game to a player in PreAuth.
func TestTheLookoutSeesWhoSignsIn(t *testing.T) {
	inSignIn(t, nil, func(s *signInServer) {
		p := s.comes("Tommy")
		to := s.lookout.lineOf(p.session.PlayerToken)
		data, err := protocol.Append(nil, protocol.Header{Event: 5000}, &protocol.PlayerLeave{PlayerID: 1, PlayerToken: 9})
		if err != nil {
			t.Fatal(err)
		}
		s.lookout.batch([]udp.Message{{Addr: to, Data: data}})
		if !strings.Contains(s.lookout.verdict(), "PlayerLeave goes to player") {
			t.Error("it is not seen")
		}
		s.lookout.clear()
	})
}
