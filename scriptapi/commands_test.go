package scriptapi

import (
	"strings"
	"testing"
	"time"

	"darqline/host/world"
)

// bank is a resource with one command of each kind of argument.
const bank = `
local free = { "pre_spawn", "alive" }
local function show(player, args, raw)
  local names = {}
  for name in pairs(args) do names[#names + 1] = name end
  table.sort(names)
  local out = {}
  for i, name in ipairs(names) do out[i] = name .. "=" .. tostring(args[name]) end
  player:message(mp.ui.escape(table.concat(out, " ") .. " raw[" .. raw .. "]"))
end
mp.command("pay", { "to:player", "amount:integer(1..100000)", "note:text?", states = free, help = "Pay somebody" }, show)
mp.command("say", { "word:string", "more:string(2..4)?", states = free }, show)
mp.command("num", { "n:number(-1..1)", states = free }, show)
mp.command("flag", { "on:boolean", states = free }, show)
mp.command("pick", { "fruit:choice(apple|apricot|banana)", states = free }, show)
mp.command("paint", { "color:color=#FF0000", states = free }, show)
mp.command("ban", { "time:duration=10m", "why:text=", states = free, hidden = true }, show)
mp.command("go", { "where:position", states = free }, show)
mp.command("gun", { "weapon:weapon", states = free }, show)
mp.command("dress", { "skin:skin=106", states = free }, show)
mp.command("secret", { permission = "police", aliases = { "sec" }, states = free }, show)
mp.command("alive", { states = { "alive", "wasted" } }, show)
`

func TestCommandArguments(t *testing.T) {
	s := newStage(t)
	s.start("bank", bank)
	alice := s.join("Alice")
	for _, name := range []string{"John", "Joe", "Jolene"} {
		s.join(name)
	}
	const usage = "\nUsage: /pay <to> <amount 1..100000> [note]"
	for _, test := range []struct{ typed, want string }{
		{"pay john 5", `amount=5 to=Player(1 "John") raw[john 5]`},
		{"PAY John 5 for the fish", `amount=5 note=for the fish to=Player(1 "John") raw[John 5 for the fish]`},
		{`pay 2 7 "quoted" and not`, `amount=7 note="quoted" and not to=Player(2 "Joe") raw[2 7 "quoted" and not]`},
		{"pay me 1", `amount=1 to=Player(0 "Alice") raw[me 1]`},
		{"pay lene 1", `amount=1 to=Player(3 "Jolene") raw[lene 1]`},
		{"pay john abc", "amount: a whole number 1..100000 expected, got \"abc\"" + usage},
		{"pay john 1e3", "amount: a whole number 1..100000 expected, got \"1e3\"" + usage},
		{"pay john 0x10", "amount: a whole number 1..100000 expected, got \"0x10\"" + usage},
		{"pay john 0", "amount: a whole number 1..100000 expected, got \"0\"" + usage},
		{"pay john", "amount: a whole number 1..100000 expected, got nothing" + usage},
		{"pay jo 5", `to: 3 players match "jo": John (1), Joe (2), Jolene (3)` + usage},
		{"pay nobody 5", `to: no player matches "nobody"` + usage},
		{`pay "" 5`, `to: a player's id or name expected, got nothing` + usage},
		{`say "two words"`, `word=two words raw["two words"]`},
		{`say "open`, `word="open raw["open]`},
		{"say a bcd", "more=bcd word=a raw[a bcd]"},
		{"say a b", "more: 2..4 characters expected, got \"b\"\nUsage: /say <word> [more]"},
		{"say a bc d", "too many words: \"d\" is left over\nUsage: /say <word> [more]"},
		{"num 0.5", "n=0.5 raw[0.5]"},
		{"num 1e-1", "n=0.1 raw[1e-1]"},
		{"num nan", "n: a number -1..1 expected, got \"nan\"\nUsage: /num <n -1..1>"},
		{"num inf", "n: a number -1..1 expected, got \"inf\"\nUsage: /num <n -1..1>"},
		{"flag ON", "on=true raw[ON]"},
		{"flag no", "on=false raw[no]"},
		{"flag maybe", "on: on or off expected, got \"maybe\"\nUsage: /flag <on>"},
		{"pick ban", "fruit=banana raw[ban]"},
		{"pick ap", "fruit: one of apple, apricot, banana expected, got \"ap\"\nUsage: /pick <fruit apple|apricot|banana>"},
		{"paint", "color=rgba(255, 0, 0, 255) raw[]"},
		{"paint #0A0b0C", "color=rgba(10, 11, 12, 255) raw[#0A0b0C]"},
		{"paint red", "color: a color such as #FFB454 expected, got \"red\"\nUsage: /paint [color]"},
		{"ban", "time=600000 why= raw[]"},
		{"ban 1h30m", "time=5400000 why= raw[1h30m]"},
		{"ban 2d because", "time=172800000 why=because raw[2d because]"},
		{"ban 1m1h", "time: a time such as 90s, 10m or 1h30m expected, got \"1m1h\"\nUsage: /ban [time] [why]"},
		{"ban 999999d", "time: a time such as 90s, 10m or 1h30m expected, got \"999999d\"\nUsage: /ban [time] [why]"},
		{"ban 5", "time: a time such as 90s, 10m or 1h30m expected, got \"5\"\nUsage: /ban [time] [why]"},
		{"go 1 2.5 -3", "where=vec3(1, 2.5, -3) raw[1 2.5 -3]"},
		{"go 1 2", "where: three numbers x y z expected, got \"1\"\nUsage: /go <x> <y> <z>"},
		{"gun ak47", "weapon=30 raw[ak47]"},
		{"gun 30", "weapon=30 raw[30]"},
		{"gun eagle", "weapon=24 raw[eagle]"},
		{"gun shotgun", "weapon=25 raw[shotgun]"},
		{"gun gun", "weapon: 4 weapons match \"gun\": shotgun (25), sawn_off_shotgun (26), combat_shotgun (27), minigun (38)\nUsage: /gun <weapon>"},
		{"gun ak-47", "weapon: no weapon matches \"ak-47\"; did you mean \"ak47\"?\nUsage: /gun <weapon>"},
		{"gun 20", "weapon: no weapon matches \"20\"\nUsage: /gun <weapon>"},
		{"dress", "skin=106 raw[]"},
		{"dress 0", "skin=0 raw[0]"},
		{"dress 74", "skin: a skin's id expected, got \"74\"\nUsage: /dress [skin]"},
		{"alive", "You cannot use /alive now."},
		{"pya john 5", "Unknown command /pya. Did you mean /pay?"},
		{"xyzzy", "Unknown command /xyzzy. /help lists them."},
		{"secret", "Unknown command /secret. /help lists them."},
		{"secrt", "Unknown command /secrt. /help lists them."},
		{"help", "Commands: /alive /dress /flag /go /gun /num /paint /pay /pick /say\n/help COMMAND explains one."},
		{"help pay", "Pay somebody\nUsage: /pay <to> <amount 1..100000> [note]"},
		{"help /say", "Usage: /say <word> [more]"},
		{"help secret", "Unknown command /secret. /help lists them."},
	} {
		alice.command(test.typed)
		alice.want("/"+test.typed, test.want)
	}
	s.do(func(tx world.Tx) { tx.Grant(alice.player, "police") })
	alice.command("sec")
	alice.want("permitted", " raw[]")
	alice.command("secrt")
	alice.want("near what is permitted", "Unknown command /secrt. Did you mean /secret?")
	if log := s.took(); log != "" {
		t.Fatalf("the log has %s", log)
	}
}

func TestCommandsWaitCoolDownAndGo(t *testing.T) {
	s := newStage(t)
	s.start("t", `
local free = { "pre_spawn" }
mp.command("slow", { states = free }, function(player) player:message("begun") mp.wait(1000) player:message("done") end)
mp.command("both", { states = free, overlap = true }, function(player) player:message("begun") mp.wait(1000) end)
mp.command("cool", { "n:integer", states = free, cooldown = 5000 }, function(player, args) player:message("cool") end)
local gone = mp.command("gone", { states = free, aliases = { "g" } }, function() end)
mp.command("drop", { states = free }, function(player) gone:remove() player:message(tostring(gone.valid)) end)
mp.command("list", { states = free }, function(player)
  local out = {}
  for i, c in ipairs(mp.commands()) do out[i] = c.usage .. " of " .. c.resource end
  player:message(table.concat(out, ", "))
end)
mp.on("player_command", function(player, name, raw) if raw == "no" then return false end end)
mp.on("player_unknown_command", function(player, name) if name == "quiet" then return false end end)
mp.command("as", { "who:player", "what:text", states = free }, function(player, args) args.who:run(args.what) end)`)
	alice, bobby := s.join("Alice"), s.join("Bobby")
	alice.command("slow")
	alice.command("slow")
	bobby.command("slow")
	alice.want("overlap", "begun\nYour last /slow is not over yet.")
	bobby.want("another player", "begun")
	s.advance(time.Second)
	alice.command("slow")
	alice.want("over", "done\nbegun")
	bobby.reads()
	alice.command("both")
	alice.command("both")
	alice.want("overlap = true", "begun\nbegun")
	alice.command("cool x")
	alice.reads()
	alice.command("cool 1") // a wrong call costs nothing
	alice.command("cool 2")
	alice.want("cooldown", "cool\nWait 5 s before the next /cool.")
	s.advance(4100 * time.Millisecond)
	alice.reads()
	alice.command("cool 3")
	alice.want("cooldown", "Wait 1 s before the next /cool.")
	bobby.command("cool 1")
	bobby.want("his own", "cool")
	alice.command("g")
	alice.command("drop")
	alice.command("gone")
	alice.want("removed", "false\nUnknown command /gone. /help lists them.")
	alice.command("cool no")
	alice.want("cancelled by player_command", "")
	alice.command("quiet")
	alice.want("cancelled by player_unknown_command", "")
	alice.command("as Bobby cool 1")
	alice.want("run as another", "")
	bobby.want("run as another", "Wait 5 s before the next /cool.")
	alice.command("list")
	alice.want("mp.commands", "/as <who> <what> of t, /both of t, /cool <n> of t, /drop of t, /list of t, /slow of t")
	if known, reply := s.rt.ConsoleCommand("slow"); !known || !strings.Contains(reply, "console = true") {
		t.Errorf("console: %v, %q", known, reply)
	}
	if known, _ := s.rt.ConsoleCommand("nope"); known {
		t.Error("the console knows a command that is not there")
	}
}

func TestConsoleCommand(t *testing.T) {
	s := newStage(t)
	s.start("t", `mp.command("money", { "n:integer", console = true }, function(player, args, raw) print(player, args.n, raw) end)`)
	if known, reply := s.rt.ConsoleCommand(" MONEY  5 "); !known || reply != "" {
		t.Fatalf("%v, %q", known, reply)
	}
	s.said("nil\t5\t5")
	if _, reply := s.rt.ConsoleCommand("money x"); reply != "n: a whole number expected, got \"x\"\nUsage: /money <n>" {
		t.Fatalf("reply %q", reply)
	}
	if _, reply := s.rt.ConsoleCommand("money me"); !strings.HasPrefix(reply, "n: ") {
		t.Fatalf("reply %q", reply)
	}
}

func BenchmarkCommand(b *testing.B) {
	s := newStage(b)
	s.start("t", `mp.command("pay", { "to:player", "amount:integer(1..100000)", "note:text?", states = { "pre_spawn" }, overlap = true }, function() end)`)
	alice := s.join("Alice")
	b.ReportAllocs()
	for b.Loop() {
		s.rt.runCommand(alice.player, "pay Alice 500 for the fish")
	}
}

func FuzzCommandLine(f *testing.F) {
	for _, seed := range []string{"pay john 5", `say "two words"`, "ban 1h30m x", "go 1 2 3", `""`} {
		f.Add(seed)
	}
	sig, err := parseSignature([]string{"who:string", "n:integer(1..9)?", "d:duration=1s", "c:choice(a|b)=a", "p:position=1 2 3", "t:text="})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args, err := sig.parse(line, playerFinder{})
		if err == nil && len(args.Pairs) < 5 {
			t.Fatalf("%q gave %v", line, args.Pairs)
		}
	})
}
