package scriptapi

import (
	"fmt"
	"strings"
	"testing"

	"darqline/protocol"
)

func TestCommandsThatRunThemselves(t *testing.T) {
	s := newStage(t)
	s.start("t", `mp.command("again", { states = { "pre_spawn" }, overlap = true }, function(player) player:run("again") end)
mp.command("bad", { states = { "pre_spawn" } }, function(player) player:run("a\nb") end)`)
	alice := s.join("Alice")
	alice.command("again")
	if log := s.took(); !strings.Contains(log, "player:run: commands run each other 16 deep: one of them runs itself") {
		t.Errorf("the log has %s", log)
	}
	alice.command("bad")
	if log := s.took(); !strings.Contains(log, `player:run: argument 1 "text": `) {
		t.Errorf("the log has %s", log)
	}
}

func TestCommandDeclarations(t *testing.T) {
	s := newStage(t)
	s.start("bank", "\nmp.command('pay', { aliases = { 'p' } }, function() end)")
	for _, test := range []struct{ code, want string }{
		{`mp.command("pay", {}, print)`, `mp.command: "pay" is defined by bank (main.lua:2)`},
		{`mp.command("PAY", {}, print)`, `mp.command: "pay" is defined by bank (main.lua:2)`},
		{`mp.command("x", { aliases = { "p" } }, print)`, `mp.command: "p" is defined by bank (main.lua:2)`},
		{`mp.command("x", { aliases = { "y", "x" } }, print)`, `mp.command: key "aliases": "x" is the command's name already`},
		{`mp.command("v", { "model:vehicle" }, print)`, `mp.command: arguments[1] "model:vehicle": this server has no vehicles yet; take "integer(400..611)" for a model`},
		{`mp.command("v", { "n:int(1..5)" }, print)`, `mp.command: arguments[1]: unknown type "int(1..5)"; did you mean "integer(1..5)"?`},
		{`mp.command("a b", {}, print)`, `mp.command: "a b": a command's name is 1 to 31 of a-z, 0-9 and _`},
		{`mp.command("x", { permission = "A" }, print)`, `mp.command: key "permission": a name of 1 to 31 of a-z, 0-9, _, . and - expected`},
		{`mp.command("x", { cooldwon = 1 }, print)`, `mp.command: key "cooldwon" is unknown; did you mean "cooldown"?`},
		{`mp.command("x", { states = { "dead" } }, print)`, `mp.command: key "states": a list of "pre_spawn", "alive" and "wasted" expected`},
		{`mp.command("x", { "a:text", "b:integer" }, print)`, `mp.command: arguments[1] "a:text": text takes the rest of the line, so it stands last`},
	} {
		if got := s.fault(test.code); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.code, got, test.want)
		}
	}
}

func TestHelpOfManyCommands(t *testing.T) {
	s := newStage(t)
	s.start("t", `for i = 100, 399 do mp.command("command" .. i, { states = { "pre_spawn" } }, function() end) end
mp.command("help_me", { aliases = { "hm" }, help = "Helps" }, function() end)`)
	alice := s.join("Alice")
	alice.command("help")
	s.settle()
	var all []string
	for _, p := range alice.sent {
		m := p.(*protocol.ServerMessage)
		if len(m.Text) > 1024 || strings.Contains(m.Text, "...") {
			t.Errorf("a message of %d bytes: %s", len(m.Text), m.Text)
		}
		all = append(all, m.Text)
	}
	for i := 100; i < 400; i++ {
		if !strings.Contains(strings.Join(all, " "), fmt.Sprint("/command", i)) {
			t.Errorf("/command%d is not listed", i)
		}
	}
	alice.sent = nil
	alice.command("help hm")
	alice.want("an alias", "Helps\nUsage: /help_me\nAlso: /hm")
	alice.command("help help")
	alice.want("help", "Lists the commands, or explains one\nUsage: /help [command]")
}

func TestAnIdGoesBeforeAName(t *testing.T) {
	s := newStage(t)
	s.start("t", `mp.command("who", { "who:player", states = { "pre_spawn" } }, function(player, args) player:message(args.who.name) end)`)
	for _, name := range []string{"111", "Alice", "Alicia"} {
		s.join(name)
	}
	one := s.join("Zoe")
	one.command("who 1")
	one.want("an id", "Alice")
	one.command("who 11")
	one.want("a part of a name", "111")
	one.command("who ALICE")
	one.want("a whole name, though another begins so", "Alice")
	one.command("who ali")
	one.want("two", "who: 2 players match \"ali\": Alice (1), Alicia (2)\nUsage: /who <who>")
}
