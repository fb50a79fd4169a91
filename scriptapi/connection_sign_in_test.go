package scriptapi

import (
	"slices"
	"strings"
	"testing"

	"darqline/host/world"
	"darqline/protocol"
)

// signIn brings a player as far as his sign-in.
func (s *stage) signIn(name string) *guest {
	g := &guest{s: s, id: uint16(s.players), name: name}
	s.players++
	s.do(func(tx world.Tx) {
		tx.SetSignIn(world.SignInRules{Origins: []string{"https://id.example.org"}})
		tx.Admit(g)
		g.player = tx.SignIn(g)
	})
	s.settle()
	g.sent = nil
	return g
}

// account has a player sign in, as a host does whose checks are through.
func (g *guest) account(account string, claims map[string]any) (refused bool, text string) {
	e := world.PlayerAccount{Player: g.player, Account: account, Claims: claims}
	if refused, text = g.s.rt.PlayerAccount(e, false); !refused {
		g.s.do(func(tx world.Tx) { e.Apply(tx) })
	}
	g.s.settle()
	return refused, text
}

// printed is said, of what print has written with spaces.
func (s *stage) printed(want string) {
	s.t.Helper()
	s.settle()
	if got := strings.ReplaceAll(s.took(), "\t", " "); got != want {
		s.t.Fatalf("the log has\n%s\nwant\n%s", got, want)
	}
}

const signInDemo = `
local view = mp.views.define{ name = "sign_in", entry = "shop.html" }
mp.on("player_sign_in", function(player)
  print("sign in", player.name, player.account, #mp.players.all(), #mp.players.signing_in())
  view:open(player)
  player:message("Please sign in")
end)
mp.on("player_sign_in_failed", function(player, reason, left) print("failed", player.name, reason, left) end)
mp.on("player_account", function(player, account, claims)
  print("account", account, claims.name, claims.roles and claims.roles[2], claims.email == mp.json.null)
  if claims.name == "Ken" then return false, "no Kens" end
end)
mp.on("player_join", function(player) print("join", player.name, player.account, #mp.players.all(), #mp.players.signing_in()) end)
mp.on("player_leave", function(player, reason, text, joined) print("leave", player.name, player.account, reason, joined) end)
`

func TestSignIn(t *testing.T) {
	s := newStage(t)
	s.start("login", signInDemo)
	tommy := s.signIn("Tommy")
	s.printed("sign in Tommy nil 0 1")
	s.do(func(tx world.Tx) {
		if tx.OpenViewOf(tommy.player) == nil {
			t.Error("no view is open")
		}
	})

	s.rt.Dispatch(world.PlayerSignInFailed{Player: tommy.player, Reason: "expired", Left: 4})
	s.printed("failed Tommy expired 4")
	if refused, text := tommy.account("forum:1", map[string]any{"name": "Ken"}); !refused || text != "no Kens" {
		t.Errorf("refused %t with %q", refused, text)
	}
	s.printed("account forum:1 Ken nil false")
	tommy.account("forum:4711", map[string]any{"name": "Tommy", "roles": []any{"a", "b"}, "email": nil})
	s.printed("account forum:4711 Tommy b true\njoin Tommy forum:4711 1 0")
	tommy.leave()
	s.printed("leave Tommy forum:4711 quit true")
	lance := s.signIn("Lance")
	s.printed("sign in Lance nil 0 1")
	lance.leave()
	s.printed("leave Lance nil quit false")
	if n := len(s.rt.signingIn); n > 0 {
		t.Errorf("%d are still said to sign in", n)
	}
}

// TestAccountHandlersThatFail: they let the player in, unless connection.fail_closed.
func TestAccountHandlersThatFail(t *testing.T) {
	s := newStage(t)
	tommy := s.signIn("Tommy")
	s.printed("WARN nobody shows players how to sign in: no resource hears player_sign_in player=0 name=Tommy")
	s.start("login", `mp.on("player_account", function() error("oh") end)
mp.on("player_account", function() mp.wait(10) return false, "too late" end)`)
	e := world.PlayerAccount{Player: tommy.player, Account: "forum:1"}
	if refused, _ := s.rt.PlayerAccount(e, false); refused {
		t.Error("refused by an error")
	}
	if refused, text := s.rt.PlayerAccount(e, true); !refused || text == "" {
		t.Errorf("let in by an error: %q", text)
	}
}

// TestClaimsAreCopies: what one resource does to them, another one does not see.
func TestClaimsAreCopies(t *testing.T) {
	s := newStage(t)
	s.start("a", `mp.on("player_account", function(p, account, claims) claims.admin = true end)`)
	s.start("b", `mp.on("player_account", function(p, account, claims) print(claims.admin, claims.sub) end)`)
	tommy := s.signIn("Tommy")
	s.took()
	tommy.account("forum:1", map[string]any{"sub": "1"})
	s.printed("nil 1")
}

// TestReloadWhileSomebodySignsIn: the new version of the resource hears of who is there, once, and can open its view.
func TestReloadWhileSomebodySignsIn(t *testing.T) {
	s := newStage(t)
	s.start("login", signInDemo)
	tommy := s.signIn("Tommy")
	s.printed("sign in Tommy nil 0 1")
	s.reload("login", signInDemo)
	s.printed("sign in Tommy nil 0 1")
	s.do(func(tx world.Tx) {
		if tx.OpenViewOf(tommy.player) == nil {
			t.Error("no view is open after the reload")
		}
	})
	s.start("other", `mp.on("player_sign_in", function(player) print("other", player.name) end)`)
	s.printed("other Tommy")
	tommy.account("forum:1", map[string]any{})
	s.took()
	s.reload("login", signInDemo)
	s.printed("")
}

// early is what works on a player who signs in (page Connection, States).
var early = strings.Fields("account address ban connected data generation grant has_permission host hud id jitter kick locale loss " +
	"message name permissions ping platform_keys revoke serial set_theme type valid")

// TestPlayersWhoSignIn holds every member of a player to the list, and the functions that take a player.
func TestPlayersWhoSignIn(t *testing.T) {
	s := newStage(t)
	s.start("login", `mp.on("player_sign_in", function(player) keep = player end)
local view = mp.views.define{ name = "sign_in", entry = "shop.html" }
mp.command("try", { "what:string", console = true }, function(_, args)
  local property = function(p, name) return p[name] end
  local ok, e = pcall(property, keep, args.what)
  if ok and type(e) == "function" then ok, e = pcall(e, keep) end
  print(args.what, ok, e)
end)
mp.command("run", { "code:text", console = true }, function(_, args)
  local to = { keep }
  local calls = {
    open = function() view:open(keep):close() end,
    clear = function() mp.chat.clear(keep) end,
    send = function() return mp.chat.send{ text = "x", to = to } end,
    hud = function() keep.hud.radar = false end,
    theme = function() keep:set_theme{ scale = 125 } end,
    keys = function() keep.platform_keys.chat = "F1" end,
    data = function() keep.data.x = 1 end,
    health = function() keep.health = 50 end,
    spawn = function() keep:spawn{ position = vec3(0, 0, 3) } end,
    say = function() mp.chat.say{ from = keep, text = "x" } end,
    list = function() return mp.chat.broadcast("hello") end,
    get = function() return mp.players.get(keep.id) end,
  }
  print(args.code, pcall(calls[args.code]))
end)`)
	tommy := s.signIn("Tommy")
	refused := "Tommy has not signed in yet: until player_join there is nothing of the game for him"
	for _, name := range s.rt.registry.Members("player") {
		if name == "ban" || name == "kick" {
			continue // they end it
		}
		s.rt.ConsoleCommand("try " + name)
		s.settle()
		got := s.took()
		if ok := !strings.Contains(got, refused); ok != slices.Contains(early, name) {
			t.Errorf("%s: %s", name, got)
		}
	}
	for code, want := range map[string]string{"open": "true", "clear": "true", "send": "true 1", "hud": "true", "theme": "true", "keys": "true", "data": "true",
		"list": "true 0", "get": "true nil", "health": "false main.lua", "spawn": "false main.lua", "say": "false main.lua"} {
		s.rt.ConsoleCommand("run " + code)
		s.settle()
		if got := strings.ReplaceAll(s.took(), "\t", " "); !strings.HasPrefix(got, code+" "+want) || strings.Contains(want, "false") != strings.Contains(got, refused) {
			t.Errorf("%s: %s", code, got)
		}
	}
	for _, p := range tommy.sent {
		switch p.(type) {
		case *protocol.ServerMessage, *protocol.UiTheme, *protocol.PlatformKeys, *protocol.ViewOpen, *protocol.ViewClose:
		default:
			t.Errorf("he was sent %s", p.ID())
		}
	}
}
