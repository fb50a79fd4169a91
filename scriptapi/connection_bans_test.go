package scriptapi

import (
	"path/filepath"
	"strings"
	"testing"

	"darqline/host/bans"
)

// emptyBans is a list without a ban.
func emptyBans(t testing.TB) *bans.List {
	t.Helper()
	list, err := bans.Open(filepath.Join(t.TempDir(), "bans.json"), bans.Options{NameKey: strings.ToLower})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestBansInLua(t *testing.T) {
	f := newField(t)
	f.permissions["eval bans"] = true
	f.enter("Alice")
	f.join("Waits")
	f.check([][2]string{
		{`show(#mp.server.bans(), mp.server.unban(1))`, "0 false"},
		{`local b = p:ban{ text = "Out", seconds = 60 } show(b.id, b.kind, b.value, b.text, b.by, b.expires - b.created)`, "1 host 192.0.2.1 Out eval 60"},
		{`local b = q:ban() show(b.id, b.expires, b.text)`, "2 nil "},
		{`local b = p:ban{ by = { "host", "host" } } show(b.id, b.kind, #mp.server.bans()) show(mp.server.unban(b.id), #mp.server.bans())`, "3 host 4\ntrue 2"},
		{`for _, b in ipairs{ mp.server.ban{ host = "2001:db8::1" }, mp.server.ban{ range = "203.0.113.7/24" }, mp.server.ban{ account = "forum:4711" },
mp.server.ban{ name = "Tommy", text = "No" }, mp.server.ban{ serial = ("AB"):rep(32) } } do show(b.id, b.kind, b.value) end`,
			"4 host 2001:db8::/64\n5 range 203.0.113.0/24\n6 account forum:4711\n7 name Tommy\n8 serial " + strings.Repeat("ab", 32)},
		{`local all = mp.server.bans() show(#all, all[1].id, all[7].id, mp.server.unban(99))`, "7 1 8 false"},
	})
}

func TestBanErrors(t *testing.T) {
	f := newField(t)
	f.permissions["eval bans"] = true
	f.enter("Alice")
	const oneOf = `mp.server.ban: one of host, range, serial, account and name expected, got `
	f.check([][2]string{
		{`p:ban("Out")`, `player:ban: one table expected, ban{ ... }, got string "Out"`},
		{`p:ban{ seconds = 0 }`, `player:ban: key "seconds": integer 1..4294967294 expected, got 0`},
		{`p:ban{ secnds = 5 }`, `player:ban: a table with the keys text, seconds and by expected, got the unknown key "secnds"; did you mean "seconds"?`},
		{`p:ban{ text = ("x"):rep(128) }`, `player:ban: key "text": a string of at most 127 bytes expected, got a string of 128 bytes`},
		{`p:ban{ text = "a\nb" }`, `player:ban: text: control character U+000A`},
		{`p:ban{ by = { "host", "ip" } }`, `player:ban: key "by[2]": one of "account", "serial", "host" expected, got string "ip"`},
		{`p:ban{ by = { "host", "account" } }`, `player:ban: by[2]: he has no account`},
		{`mp.server.ban{}`, oneOf + "0 of them"},
		{`mp.server.ban{ host = "203.0.113.5", name = "Tommy" }`, oneOf + "2 of them"},
		{`mp.server.ban{ host = "203.0.113" }`, `mp.server.ban: host: "203.0.113" must be an IP address, such as "203.0.113.5"`},
		{`mp.server.ban{ range = "10.0.0.0/7" }`, `mp.server.ban: range: "10.0.0.0/7" is too large: at least /8, and /32 for IPv6`},
		{`mp.server.ban{ serial = "ab" }`, `mp.server.ban: serial: "ab" must be 64 hex digits, as player.serial has them`},
		{`mp.server.ban{ account = "4711" }`, `mp.server.ban: account: "4711" must be a provider's name, a colon and a subject, such as "forum:4711"`},
		{`mp.server.unban("one")`, `mp.server.unban: argument 1 "id": integer at least 1 expected, got string "one"`},
	})
	f.permissions["eval bans"] = false
	const needs = `: this needs the permission "bans": in server.toml, under [permissions.resources], eval = ["bans"]`
	f.check([][2]string{
		{`p:ban()`, "player:ban" + needs},
		{`mp.server.ban{ name = "Tommy" }`, "mp.server.ban" + needs},
		{`mp.server.unban(1)`, "mp.server.unban" + needs},
		{`show(#mp.server.bans())`, "0"},
	})
}
