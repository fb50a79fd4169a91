package scriptapi

import (
	"math/rand/v2"
	"regexp"
	"sort"
	"strings"
	"testing"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
	"darqline/scriptapi/sandbox/lint"
)

// TestErrorsNameFunctionArgumentAndWhatCame holds the errors of every module, word for word.
func TestErrorsNameFunctionArgumentAndWhatCame(t *testing.T) {
	s := newStage(t)
	s.join("Alice")
	const (
		alice  = "mp.players.get(0)"
		define = `mp.views.define{ name = "x", entry = "shop.html" }`
		view   = `local v = ` + define + `:open(` + alice + `) v`
	)
	for _, test := range []struct{ code, want string }{
		{`mp.on()`, `mp.on: argument 1 "event": a string of 1..63 bytes expected, got nothing`},
		{`mp.on("player_jion", print)`, `mp.on: no event is called "player_jion"; did you mean "player_join"?`},
		{`mp.on("player_join", 5)`, `mp.on: argument 2 "handler": a function expected, got number 5`},
		{`local h = mp.on("player_join", print) h:off() h:off()`, `subscription:off: this subscription has ended`},
		{`mp.emit("bank:x")`, `mp.emit: "bank:x": a resource emits under its own name, such as "t:paid"`},
		{`mp.emit("t:x", print)`, `mp.emit: argument 2 "args": a function cannot be copied`},
		{`mp.wait(-1)`, `mp.wait: argument 1 "ms": number 0..2592000000 expected, got -1`},
		{`mp.wait(0/0)`, `mp.wait: argument 1 "ms": number 0..2592000000 expected, got nan`},
		{`mp.after(1)`, `mp.after: argument 2 "callback": a function expected, got nothing`},
		{`mp.every(9, print)`, `mp.every: argument 1 "ms": number 10..2592000000 expected, got 9`},
		{`local x = mp.every(10, print) x:off() x:off()`, `timer:off: this timer has ended`},
		{`mp.players.get(1.5)`, `mp.players.get: argument 1 "id": integer 0..65534 expected, got 1.5`},
		{alice + `.id = 5`, `player.id: it can only be read`},
		{`print(` + alice + `.nmae)`, `player.nmae: no such property or method; did you mean "name"?`},
		{alice + `.kick("x")`, `player:kick: call it with a colon on a Player, player:kick(...); got string "x" before the arguments`},
		{alice + `:kick(("x"):rep(128))`, `player:kick: argument 1 "text": a string of at most 127 bytes expected, got a string of 128 bytes`},
		{alice + `:kick("a\nb")`, `player:kick: argument 1 "text": control character U+000A`},
		{alice + `:mute(0)`, `player:mute: argument 1 "ms": number 1..2592000000 expected, got 0`},
		{alice + `:grant("A b")`, `player:grant: argument 1 "name": "A b": a permission is 1 to 31 of a-z, 0-9, _, . and -`},
		{alice + `:message("a\1b")`, `player:message: text: control character U+0001`},
		{alice + `:message(("\n"):rep(12))`, `player:message: text: it has 13 lines, at most 12`},
		{alice + `:message("x", "inof")`, `player:message: argument 2 "kind": one of "plain", "info", "success", "warning", "error" expected, got string "inof" (did you mean "info"?)`},
		{alice + `.muted = 5`, `player.muted: a boolean expected, got number 5`},
		{`mp.chat.broadcast(("x"):rep(1025))`, `mp.chat.broadcast: argument 1 "text": a string of 1..1024 bytes expected, got a string of 1025 bytes`},
		{`mp.chat.send{ text = "x", to = 5 }`, `mp.chat.send: key "to": a Player or a list of them expected`},
		{`mp.chat.send{ text = "x", to = { 5 } }`, `mp.chat.send: key "to": a Player or a list of them expected`},
		{`mp.chat.send("x")`, `mp.chat.send: one table expected, send{ ... }, got string "x"`},
		{`mp.chat.say{ text = "x" }`, `mp.chat.say: key "from": a Player expected, got nothing`},
		{`mp.chat.say{ from = ` + alice + `, text = "a\1" }`, `mp.chat.say: text: control character U+0001`},
		{`mp.chat.clear(5)`, `mp.chat.clear: argument 1 "player": a Player expected, got number 5`},
		{`mp.ui.escape()`, `mp.ui.escape: argument 1 "text": a string expected, got nothing`},
		{`mp.command("Pay!", {}, print)`, `mp.command: "Pay!": a command's name is 1 to 31 of a-z, 0-9 and _`},
		{`mp.command("pay", "x", print)`, `mp.command: argument 2 "arguments": a table such as { "amount:integer(1..9)", help = "..." } expected`},
		{`mp.command("pay", { "amount" }, print)`, `mp.command: arguments[1] "amount": an argument is written "name:type", such as "amount:integer(1..100)"`},
		{`mp.command("pay", { "amount:int(1..9)" }, print)`, `mp.command: arguments[1]: unknown type "int(1..9)"; did you mean "integer(1..9)"?`},
		{`mp.command("pay", { "a:text", "b:string" }, print)`, `mp.command: arguments[1] "a:text": text takes the rest of the line, so it stands last`},
		{`mp.command("pay", { "a:string?", "b:string" }, print)`, `mp.command: arguments[2] "b:string": it must be given, so it stands before "a", which may be left out`},
		{`mp.command("pay", { "a:integer(1..9)=50" }, print)`, `mp.command: arguments[1] "a:integer(1..9)=50": the default: a whole number 1..9 expected, got "50"`},
		{`mp.command("pay", { "a:integer=" }, print)`, `mp.command: arguments[1] "a:integer=": the default: a whole number expected, got nothing`},
		{`mp.command("pay", { "a:string", "a:string" }, print)`, `mp.command: arguments[2]: "a" stands there twice`},
		{`mp.command("pay", { hlep = "x" }, print)`, `mp.command: key "hlep" is unknown; did you mean "help"?`},
		{`mp.command("pay", { cooldown = 1e309 }, print)`, `mp.command: key "cooldown": a time in ms, up to 30 days expected`},
		{`mp.command("pay", { permission = "A" }, print)`, `mp.command: key "permission": a name of 1 to 31 of a-z, 0-9, _, . and - expected`},
		{`mp.command("pay", { states = {"dead"} }, print)`, `mp.command: key "states": a list of "pre_spawn", "alive" and "wasted" expected`},
		{`mp.command("pay", {}, print) mp.command("PAY", {}, print)`, `mp.command: "pay" is defined by t (main.lua:1)`},
		{`mp.command("pay", {}, print) mp.command("p", { aliases = {"pay"} }, print)`, `mp.command: "pay" is defined by t (main.lua:1)`},
		{`mp.views.define{ name = "x", entry = "shp.html" }`, `mp.views.define: key "entry": "shp.html" is no .html file of [client].files in resource.toml; did you mean "shop.html"?`},
		{define + ` ` + define, `mp.views.define: a view "x" is defined already`},
		{`mp.views.define{ name = "x", entry = "shop.html", actions = { Buy = {} } }`, `mp.views.define: key "actions.Buy": an action is 1 to 31 of a-z, 0-9 and _`},
		{`mp.views.define{ name = "x", entry = "shop.html", actions = { buy = { n = "int(1..5)" } } }`, `mp.views.define: key "actions.buy.n": unknown type "int(1..5)"; did you mean "integer(1..5)"?`},
		{define + `:on("loadde", print)`, `definition:on: "loadde" is neither an action of this view nor loaded, failed or closed; did you mean "loaded"?`},
		{define + `:open(5)`, `definition:open: argument 1 "player": a Player expected, got number 5`},
		{view + `:set("catalog", { items = { {}, {}, { price = 0/0 } } })`, `view:set: "catalog": items[3].price is nan`},
		{view + `:set("Catalog", {})`, `view:set: 'C' in the name "Catalog" is not of a-z 0-9 _`},
		{view + `:set("catalog", ("x"):rep(20000))`, `view:set: "catalog": the value goes over the limit of 16384 bytes`},
		{view + `:set("catalog", print)`, `view:set: "catalog": the value is a function`},
		{view + `:set("catalog", {}, { rise = true })`, `view:set: argument 3 "options": a table with the keys raise expected, got the unknown key "rise"; did you mean "raise"?`},
		{`for i = 1, 33 do ` + define + ` end`, `mp.views.define: a view "x" is defined already`},
		{view + `:set("t0", {}) for i = 1, 33 do v:set("t" .. i, {}) end`, `view:set: a view has at most 32 topics`},
		{`mp.resources.start("t")`, `mp.resources.start: this needs the permission "resources": in server.toml, under [permissions.resources], t = ["resources"]`},
		{`mp.exports.define{ x = 5 }`, `mp.exports.define: argument 1 "functions": functions.x: a function expected, got number 5`},
		{`mp.exports.bank.balance()`, `mp.exports.bank.balance: there is no resource 'bank'`},
		{`mp.exports.t.y(print)`, `mp.exports.t.y: argument 1: a function cannot be copied`},
		{`mp.json.encode(print)`, `mp.json.encode: the value is a function`},
		{`mp.json.decode("{")`, `mp.json.decode: line 1, column 2: expected a key in double quotes, got the end of the text`},
		{`mp.log.info("x", 5)`, `mp.log.info: argument 2 "fields": a table with names as keys expected, got number 5`},
		{`mp.log.inf("x")`, `mp.log.inf: no such function or property; did you mean "info"?`},
		{`mp.server.port = 1`, `mp.server.port: it can only be read`},
		{`mp.state = 5`, `mp.state: it can only be read`},
		{`mp.playes.all()`, `mp.playes: no such function or property; did you mean "players"?`},
		{`require("nope")`, `require "nope": t/nope.lua is not there; require finds files of the same resource`},
	} {
		if got := s.fault(test.code); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.code, got, test.want)
		}
	}
}

// Row 37: every function of mp with every kind of value gives its result or a Lua error that names the function, and never
// a Go panic.
func FuzzLuaAPI(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { throw(newStage(t), seed, 50) })
}

func TestNoCallPanics(t *testing.T) {
	s := newStage(t)
	for seed := range uint64(40) {
		throw(s, seed, 60)
	}
}

// things are what methods are called on, with the types of their handles.
var things = map[string]string{"alice": "player", "gone": "player", "view": "view", "definition": "definition", "timer": "timer",
	"subscription": "subscription", "shape": "colshape"}

// everyFunction lists all that Lua sees: "mp.chat.send", "alice.kick".
func everyFunction(r *bind.Registry) []string {
	var list []string
	var walk func(path string, m lint.Members)
	walk = func(path string, m lint.Members) {
		for name, inner := range m {
			if list = append(list, path+name); inner != nil {
				walk(path+name+".", inner)
			}
		}
	}
	walk("mp.", r.Catalogue().Globals["mp"])
	for thing, kind := range things {
		for _, name := range r.Members(kind) {
			list = append(list, thing+"."+name)
		}
	}
	list = append(list, "mp.exports.t.x", "mp.exports.t.y", "print", "vec3", "vec2", "rgba", "tostring")
	sort.Strings(list)
	return list
}

var goPanic = regexp.MustCompile(`internal error|panicked|runtime error|recovered`)

// throw calls functions with values that nobody means.
func throw(s *stage, seed uint64, calls int) {
	s.t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	alice, bobby := s.join("Alice"), s.join("Bobby")
	functions := everyFunction(s.rt.registry)
	values := []string{"nil", "0/0", "1e309", "-1e309", "0", "-1", "1.5", "2^53", "true", "''", "'x'", "'player_join'", "'t:x'", "'a\\0b'", "'\\255'",
		"big", "alice", "gone", "cyclic", "{}", "{1, nil, 3}", "{ text = 'x', from = alice }", "{ text = big, to = { gone } }", "{ text = 'x', to = alice }",
		"{ name = 'v' .. tostring({}), entry = 'shop.html' }", "{ 'a:integer(1..2)?' }", "print", "function() return false end", "vec3(1, 2, 3)",
		"mp.json.null", "view", "definition", "mp", "coroutine.create(print)", "{ [cyclic] = 1 }", "{ raise = 5 }", "30", "'ak47'", "vec3(1, 1, 1) * 1e309", "{ position = vec3(1, 2, 3) }",
		"{ position = vec3(1, 2, 3), target = vec3(0, 0, 0), duration = 5, wait = true }", "{ amount = 50 }", "{ driver = { ak47 = 100, m4 = {} } }",
		"{ block = 'PED', name = 'WALK_DRUNK' }", "{ killer = alice, creator = gone, attacker = alice }", "{ x = function(...) return ... end }"}
	if seed%2 == 0 {
		for _, g := range []*guest{alice, bobby} {
			s.do(func(tx world.Tx) { tx.Receive(g.player, &protocol.RequestSpawn{}) })
			s.settle()
		}
	}
	var code strings.Builder
	code.WriteString(`local big = ("x"):rep(2^20) local cyclic = {} cyclic.cyclic = cyclic
local alice, gone = mp.players.get(ALICE), _G.gone
local definition = mp.views.define{ name = "x", entry = "shop.html", actions = { buy = { n = "integer" } } }
local view = definition:open(alice) local timer = mp.after(1000, print) local subscription = mp.on("player_chat", print)
local shape = mp.colshapes.create{ shape = "sphere", position = vec3(0, 0, 0), radius = 5 }
mp.exports.define{ x = function(...) return ... end }
mp.on("player_leave", function(p) gone = p end)
`)
	for range calls {
		fn := functions[r.IntN(len(functions))]
		var args []string
		if of, _, _ := strings.Cut(fn, "."); things[of] != "" && r.IntN(10) > 0 {
			args = append(args, of)
		}
		for range r.IntN(4) {
			args = append(args, values[r.IntN(len(values))])
		}
		if r.IntN(4) == 0 {
			fn = "(function(v) " + fn + " = v return " + fn + " end)"
			args = args[:0]
		}
		code.WriteString("do local ok, e = pcall(function() return " + fn + "(" + strings.Join(args, ", ") + ") end) if not ok then print('E', tostring(e):sub(1, 300)) end end\n")
	}
	source := strings.ReplaceAll(code.String(), "ALICE", itoa(int(alice.id)))
	s.lines = nil
	if err := s.load(bundle("t", map[string]string{"main.lua": source, "shop.html": ""}), nil); err == nil {
		s.settle()
		bobby.leave()
		alice.chat("hi")
		s.advance(3000)
		alice.leave()
		s.stop("t")
	} else {
		bobby.leave()
		alice.leave()
	}
	if log := s.took(); goPanic.MatchString(log) {
		s.t.Fatalf("seed %d: a Go panic in\n%s", seed, log)
	}
}
