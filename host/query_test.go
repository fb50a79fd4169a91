package host_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/host"
	"darqline/host/session"
	"darqline/host/udp"
	"darqline/protocol"
)

var asker = netip.MustParseAddr("10.0.9.1")

// query asks the server of a bubble as a launcher does.
func (b *bubble) query() (*client.ServerStatus, error) {
	return client.Query(context.Background(), memoryClient{b.mem, asker}, serverHost.String()+":7777")
}

func (b *bubble) mustQuery() *client.ServerStatus {
	b.t.Helper()
	s, err := b.query()
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// admin may do all with the server.
func admin(c *host.Config) {
	c.Permissions.Resources = map[string][]string{"admin": {"server"}}
	c.Server.Mode = "Freeroam"
	c.Query.Rules = map[string]string{"discord": "https://example.org/d", "pvp": "on"}
}

func TestQueryOverALossyPath(t *testing.T) {
	for _, challenge := range []session.QueryChallenge{session.ChallengeLoad, session.ChallengeAlways} {
		change := func(c *host.Config) { admin(c); c.Query.Challenge = challenge }
		inBubble(t, 3, serverScript, change, func(b *bubble) {
			for i := range 12 {
				b.join(fmt.Sprintf("Player_%02d", i))
			}
			b.mem.SetPathOf(asker, serverHost, udp.Path{Loss: 0.2, Duplicate: 0.1, Reorder: 0.1, Delay: 40 * time.Millisecond})
			for range 20 {
				time.Sleep(time.Second)
				s := b.mustQuery()
				if s.Version != protocol.Version || s.Players != 12 || s.Name != "My server" || s.Mode != "Freeroam" || !s.Whole {
					t.Fatalf("%+v", s)
				}
				if len(s.List) != 12 || s.List[3].Name != "Player_03" || s.List[3].PlayerID != 3 || len(s.Rules) != 2 || s.Rules[1] != (protocol.ServerRule{Key: "pvp", Value: "on"}) {
					t.Fatalf("%+v", s)
				}
				if s.Ping < 80*time.Millisecond || s.Ping > 120*time.Millisecond {
					t.Errorf("ping %v over 2 times 40 ms", s.Ping)
				}
			}
		})
	}
}

func TestQueryOfASilentServer(t *testing.T) {
	inBubble(t, 3, files{}, func(c *host.Config) { c.Query.Enabled = false }, func(b *bubble) {
		began := time.Now()
		if _, err := b.query(); !errors.Is(err, client.ErrNoAnswer) {
			t.Fatalf("got %v", err)
		}
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("gave up after %v", took)
		}
	})
}

// serverScript shows what it sees, and sets what it is told by commands.
var serverScript = files{"admin/resource.toml": "", "admin/main.lua": `
local function shown() return mp.server.name .. "|" .. mp.server.mode .. "|" .. tostring(mp.server.rules.pvp) .. "|" .. tostring(mp.server.rules.laps) end
mp.command("show", { console = true }, function() print(shown()) end)
mp.command("set", { console = true }, function()
  mp.server.name, mp.server.mode, mp.server.password = "Scripted", "Race", "secret"
  mp.server.rules.pvp = nil
  mp.server.rules.laps = "3"
end)
mp.command("fill", { console = true }, function()
  for i = 1, 64 do local ok, err = pcall(function() mp.server.rules["k" .. i] = "" end) if not ok then print(i .. ": " .. err) break end end
end)
mp.command("close", { console = true }, function() mp.server.close{ text = "Back soon", seconds = 30, restart = true } print("closing") end)
mp.command("stats", { console = true }, function()
  local s = mp.server.stats()
  print(s.players, s.unconfirmed, s.packets_in > 0, s.packets_out > 0, s.bytes_in > 0, s.bytes_out > 0, s.malformed, s.moved, s.challenges, s.rejected.password, s.tick_ms >= 0)
end)
mp.on("resource_stop", function() print("stopped in order") end)
`}

func (b *bubble) command(text string) {
	b.t.Helper()
	if known, reply, err := b.host.Command(context.Background(), text); !known || reply != "" || err != nil {
		b.t.Fatalf("%s: %v, %q, %v", text, known, reply, err)
	}
}

// shows says whether the newest line of the log that show wrote is this one.
func (b *bubble) shows(want string) {
	b.t.Helper()
	b.command("show")
	b.eventually(time.Second, "scripts see "+want, func() bool { return strings.Contains(b.logs.String(), want) })
}

// TestScriptsSetWhatListsTell: a key that the file changes wins over what scripts have set, another stays; a restart
// brings back the file's.
func TestScriptsSetWhatListsTell(t *testing.T) {
	inBubble(t, 3, serverScript, admin, func(b *bubble) {
		told := func(name, mode string, flags protocol.QueryFlags, rules string) {
			t.Helper()
			time.Sleep(time.Second)
			s := b.mustQuery()
			var got []string
			for _, r := range s.Rules {
				got = append(got, r.Key+"="+r.Value)
			}
			if s.Name != name || s.Mode != mode || s.Flags != flags || strings.Join(got, " ") != rules {
				t.Fatalf("lists are told %+v, want %s, %s, %d, %s", s, name, mode, flags, rules)
			}
		}
		b.shows("My server|Freeroam|on|nil")
		told("My server", "Freeroam", 0, "discord=https://example.org/d pvp=on")
		b.command("set")
		b.shows("Scripted|Race|nil|3")
		told("Scripted", "Race", protocol.QueryPassword, "discord=https://example.org/d laps=3")
		p := b.dial("Alice", netip.MustParseAddr("10.0.4.1"), t.TempDir())
		if err := <-p.ended; !strings.Contains(err.Error(), "password") {
			t.Fatalf("without the password that a script has set: %v", err)
		}
		p.cancel = nil

		next := b.cfg // another key of the file changes: nothing of the scripts' goes
		next.Connection.PerHost = 9
		b.reconfigure(next)
		b.shows("Scripted|Race|nil|3")
		next.Server.Mode = "Derby" // the file's word from now on
		next.Query.Rules = map[string]string{"pvp": "off", "laps": "5"}
		b.reconfigure(next)
		b.shows("Scripted|Derby|off|5")
		told("Scripted", "Derby", protocol.QueryPassword, "laps=5 pvp=off")

		b.command("stats")
		b.eventually(time.Second, "figures", func() bool {
			return strings.Contains(b.logs.String(), `0\t0\ttrue\ttrue\ttrue\ttrue\t0\t0\t1\t1\ttrue`)
		})

		b.shut()
		b.start(b.cfg)
		b.shows("My server|Freeroam|on|nil")
		told("My server", "Freeroam", 0, "discord=https://example.org/d pvp=on")
	})
}

func (b *bubble) reconfigure(c host.Config) {
	b.t.Helper()
	if err := b.host.Reconfigure(c); err != nil {
		b.t.Fatal(err)
	}
}

func TestThereAreSixtyFourRules(t *testing.T) {
	inBubble(t, 3, serverScript, admin, func(b *bubble) {
		b.command("fill")
		b.eventually(time.Second, "the 63rd is refused", func() bool {
			return strings.Contains(b.logs.String(), "63: ") && strings.Contains(b.logs.String(), "mp.server.rules.k63: there are 64 rules already")
		})
		if s := b.mustQuery(); len(s.Rules) != 64 {
			t.Errorf("%d rules", len(s.Rules))
		}
		next := b.cfg
		next.Query.Rules = map[string]string{"a": "", "b": "", "c": "", "d": ""}
		b.reconfigure(next)
		time.Sleep(time.Second)
		if s := b.mustQuery(); len(s.Rules) != 64 || s.Rules[0].Key != "a" || s.Rules[3].Key != "d" {
			t.Errorf("the file's rules come first: %v", s.Rules)
		}
	})
}

// TestPlayersReadTheNameThatAScriptHasSet: ServerHello has it from then on.
func TestPlayersReadTheNameThatAScriptHasSet(t *testing.T) {
	f := files{"admin/resource.toml": "", "admin/main.lua": `mp.server.name = "Scripted"`}
	inBubble(t, 3, f, admin, func(b *bubble) {
		p := b.join("Alice")
		if !p.locked(func() bool { return p.session.ServerName == "Scripted" }) {
			t.Errorf("Alice reads %q", p.session.ServerName)
		}
	})
}

// TestScriptsCloseTheServer in order: players are told, resources stop, and Run says that a restart is wanted.
func TestScriptsCloseTheServer(t *testing.T) {
	inBubble(t, 3, serverScript, admin, func(b *bubble) {
		p := b.join("Alice")
		stop := b.stop
		b.command("close")
		err := <-p.ended
		p.cancel = nil
		var end *client.EndError
		if !asEnd(err, &end) || end.Reason != protocol.ReasonServerClosing || end.Text != "Back soon" || end.Seconds != 30 {
			t.Errorf("Alice was told %v", err)
		}
		if err := stop(); !errors.Is(err, host.ErrRestart) {
			t.Errorf("the server ended with %v", err)
		}
		b.stop = nil
		if n := b.logs.count("stopped in order"); n != 1 {
			t.Errorf("resource_stop was heard %d times:\n%s", n, b.logs.String())
		}
	})
}
