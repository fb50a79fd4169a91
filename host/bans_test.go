package host_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/host"
	"darqline/host/bans"
	"darqline/host/world"
	"darqline/protocol"
)

// warden is a resource that bans by command.
var warden = files{
	"warden/resource.toml": "",
	"warden/main.lua": `
local function any(player, f)
  local ok, ban = pcall(f)
  if ok and type(ban) == "table" then
    mp.chat.broadcast(("made %d %s %s %s"):format(ban.id, ban.kind, ban.by, ban.expires and ban.expires - ban.created or "never"))
  else
    mp.chat.broadcast(tostring(ban))
  end
end
local open = { "pre_spawn", "alive" }
mp.command("banhim", { "who:player", "seconds:integer?", states = open }, function(player, args)
  any(player, function() return args.who:ban{ text = "Out", seconds = args.seconds } end)
end)
mp.command("banname", { "name:string", states = open }, function(player, args)
  any(player, function() return mp.server.ban{ name = args.name } end)
end)
mp.command("unban", { "id:integer", states = open }, function(player, args)
  mp.chat.broadcast("lifted " .. tostring(mp.server.unban(args.id)) .. ", left " .. #mp.server.bans())
end)
mp.on("ban_add", function(ban) mp.chat.broadcast(("+ %d %s"):format(ban.id, ban.kind)) end)
mp.on("ban_remove", function(ban) mp.chat.broadcast(("- %d %s"):format(ban.id, ban.kind)) end)
`}

// allowBans gives a resource the permission.
func allowBans(cfg *host.Config) {
	cfg.Permissions.Resources = map[string][]string{"warden": {"bans"}}
}

// newcomer is somebody who tries to join once.
type newcomer struct {
	name   string
	from   netip.Addr
	serial [32]byte
}

// try joins; nil where he is in, and is gone again.
func (b *bubble) try(n newcomer) *client.EndError {
	b.t.Helper()
	in := make(chan struct{})
	c, err := client.New(client.Config{Server: serverHost.String() + ":7777", Name: n.name, Serial: n.serial, CacheDir: b.t.TempDir(),
		Network: memoryClient{b.mem, n.from}, Handler: &arrival{in: in}})
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	select {
	case <-in:
		cancel()
		<-ended
		rest(time.Second)
		return nil
	case err := <-ended:
		var end *client.EndError
		if !errors.As(err, &end) {
			b.t.Fatalf("%s: %v", n.name, err)
		}
		return end
	}
}

type arrival struct {
	client.NopHandler
	in chan struct{}
}

func (a *arrival) Connected(client.Session) { close(a.in) }

// refused expects that somebody is told of a ban.
func (b *bubble) refused(n newcomer, text string, seconds uint32) {
	b.t.Helper()
	end := b.try(n)
	if end == nil {
		b.t.Errorf("%s is in", n.name)
	} else if end.Kind != client.Rejected || end.Reason != protocol.ReasonBanned || end.Text != text || end.Seconds != seconds {
		b.t.Errorf("%s was told %+v, not %q and %d s", n.name, end, text, seconds)
	}
}

// taken expects that somebody gets in.
func (b *bubble) taken(n newcomer) {
	b.t.Helper()
	if end := b.try(n); end != nil {
		b.t.Errorf("%s: %v", n.name, end)
	}
}

func (b *bubble) ban(list ...bans.Ban) int {
	b.t.Helper()
	added, err := b.host.Bans().Add(list...)
	if err != nil {
		b.t.Fatal(err)
	}
	return added[0].ID
}

func TestBansKeepOut(t *testing.T) {
	v4, v6 := netip.MustParseAddr("203.0.113.5"), netip.MustParseAddr("2001:db8::5")
	serial := [32]byte{0: 0xAB, 31: 0xCD}
	tests := []struct {
		name    string
		ban     bans.Ban
		out, in newcomer
	}{
		{"host", bans.Ban{Kind: bans.Host, Value: "203.0.113.5"},
			newcomer{"Alice", v4, serial}, newcomer{"Alice", v4.Next(), serial}},
		{"IPv6 host", bans.Ban{Kind: bans.Host, Value: "2001:db8::9"},
			newcomer{"Alice", v6, serial}, newcomer{"Alice", netip.MustParseAddr("2001:db8:0:1::5"), serial}},
		{"range", bans.Ban{Kind: bans.Range, Value: "203.0.113.0/24"},
			newcomer{"Alice", v4, serial}, newcomer{"Alice", netip.MustParseAddr("203.0.114.5"), serial}},
		{"serial", bans.Ban{Kind: bans.Serial, Value: fmt.Sprintf("%x", serial)},
			newcomer{"Alice", v4, serial}, newcomer{"Alice", v4, [32]byte{1}}},
		{"name", bans.Ban{Kind: bans.Name, Value: "aLiCe"},
			newcomer{"Alice", v4, serial}, newcomer{"Alice2", v4, serial}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, 1, nil, nil, func(b *bubble) {
				b.taken(tt.out)
				tt.ban.Text, tt.ban.Expires = "No more", time.Now().Add(time.Hour)
				id := b.ban(tt.ban)
				b.refused(tt.out, "No more", 3600)
				b.taken(tt.in)
				b.shut()
				b.start(b.cfg) // the file has it
				rest(10 * time.Second)
				b.refused(tt.out, "No more", b.host.Bans().All()[0].Left(time.Now()))
				if gone, err := b.host.Bans().Remove(id); err != nil || len(gone) != 1 {
					t.Fatalf("%v, %v", gone, err)
				}
				b.taken(tt.out)
			})
		})
	}
}

func TestBanEndsByItself(t *testing.T) {
	inBubble(t, 1, warden, allowBans, func(b *bubble) {
		witness := b.join("Witness")
		alice := newcomer{name: "Alice", from: netip.MustParseAddr("203.0.113.5")}
		b.ban(bans.Ban{Kind: bans.Host, Value: "203.0.113.5", Text: "The longer", Expires: b.host.Bans().After(10 * time.Minute)})
		b.ban(bans.Ban{Kind: bans.Name, Value: "Alice", Text: "The shorter", Expires: b.host.Bans().After(time.Minute)})
		ends := b.host.Bans().All()[0].Expires
		b.refused(alice, "The longer", 600)
		rest(time.Until(ends) - 1500*time.Millisecond)
		b.refused(alice, "The longer", 2)
		rest(time.Until(ends))
		b.taken(alice)
		b.hears(witness, "- 2 name")
		b.hears(witness, "- 1 host")
	})
}

func TestBanSendsAwayWhoIsHere(t *testing.T) {
	inBubble(t, 1, warden, allowBans, func(b *bubble) {
		left := make(map[string]world.PlayerLeave)
		b.listen(func(e world.Event) {
			if leave, ok := e.(world.PlayerLeave); ok {
				left[leave.Player.Name()] = leave
			}
		})
		alice, bobby, cindy := b.join("Alice"), b.join("Bobby"), b.join("Cindy")
		alice.command("banhim Bobby 90")
		b.hears(alice, "made 1 host warden 90")
		b.hears(alice, "+ 1 host")
		var end *client.EndError
		if err := <-bobby.ended; !errors.As(err, &end) || end.Kind != client.Kicked || end.Reason != protocol.ReasonBanned || end.Text != "Out" || end.Seconds != 90 {
			t.Errorf("Bobby: %+v", end)
		}
		bobby.cancel = nil // he has ended
		rest(time.Second)
		if got := left["Bobby"]; len(left) != 1 || got.Reason != protocol.ReasonBanned || got.Text != "Out" {
			t.Errorf("%d have left: %+v", len(left), got)
		}
		b.refused(newcomer{name: "Bobby", from: bobby.addr}, "Out", 89)

		alice.command("banname cindy")
		b.hears(alice, "made 2 name warden never")
		if err := <-cindy.ended; !errors.As(err, &end) || end.Seconds != protocol.Forever {
			t.Errorf("Cindy: %+v", end)
		}
		cindy.cancel = nil
		alice.command("unban 1")
		b.hears(alice, "lifted true, left 1")
		b.hears(alice, "- 1 host")
		alice.command("unban 1")
		b.hears(alice, "lifted false, left 1")
		b.taken(newcomer{name: "Bobby", from: bobby.addr})
	})
}

func TestBansNeedThePermission(t *testing.T) {
	inBubble(t, 1, warden, nil, func(b *bubble) {
		alice := b.join("Alice")
		b.join("Bobby")
		alice.command("banhim Bobby")
		b.hears(alice, `this needs the permission "bans": in server.toml, under [permissions.resources], warden = ["bans"]`)
		if all := b.host.Bans().All(); len(all) != 0 {
			t.Errorf("%+v", all)
		}
	})
}

func TestEditedBansAreTakenOver(t *testing.T) {
	inBubble(t, 1, warden, allowBans, func(b *bubble) {
		alice, bobby := b.join("Alice"), b.join("Bobby")
		path := filepath.Join(b.dir, "bans.json")
		edit := func(text string) {
			t.Helper()
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			rest(10 * time.Second)
		}
		edit(`{"version": 1, "bans": [{"kind": "name", "value": "Bobby", "text": "By hand"}]}`)
		var end *client.EndError
		if err := <-bobby.ended; !errors.As(err, &end) || end.Reason != protocol.ReasonBanned || end.Text != "By hand" {
			t.Errorf("Bobby: %+v", end)
		}
		bobby.cancel = nil
		b.hears(alice, "+ 1 name")
		edit(`{"version": 1, "bans": [`)
		if n := strings.Count(b.logs.String(), "bans.json:1: this is no JSON"); n != 1 {
			t.Errorf("the log says %d times that the file is broken", n)
		}
		alice.command("banname Cindy")
		b.hears(alice, "is not changed until it can be read again")
		b.refused(newcomer{name: "Bobby", from: bobby.addr}, "By hand", protocol.Forever)
		edit(`{"version": 1, "bans": []}`)
		b.taken(newcomer{name: "Bobby", from: bobby.addr})
	})
}

func TestABrokenBanFileRefusesTheStart(t *testing.T) {
	cfg := host.Defaults()
	cfg.Dir = t.TempDir()
	path := filepath.Join(cfg.Dir, "bans.json")
	const broken = "{\n\"version\": 9,\n\"bans\": []}"
	if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := host.New(cfg, host.Options{})
	if want := path + ":2: version: this server reads version 1, not 9"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if data, _ := os.ReadFile(path); string(data) != broken {
		t.Errorf("the file is now %q", data)
	}
}

func TestABanWithoutAFolderForItsFile(t *testing.T) {
	inBubble(t, 1, warden, func(cfg *host.Config) {
		allowBans(cfg)
		cfg.Bans.File = filepath.Join("none", "list.json")
	}, func(b *bubble) {
		if log := b.logs.String(); strings.Count(log, "bans.file: nobody can be banned") != 1 {
			t.Errorf("the log at the start: %s", log)
		}
		alice, bobby := b.join("Alice"), b.join("Bobby")
		alice.command("banhim Bobby")
		b.hears(alice, filepath.Join("none", "list.json")+" cannot be written and is as it was")
		b.hears(alice, "make its folder")
		b.taken(newcomer{name: "Cindy", from: bobby.addr})
		if !bobby.locked(func() bool { return len(bobby.rows) > 1 }) {
			t.Error("Bobby is gone")
		}
	})
}
