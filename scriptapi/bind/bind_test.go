package bind

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"darqline/scriptapi/sandbox"
)

// player is the thing of the tests' handles.
type player struct {
	name   string
	health float64
	gun    weapon
	online bool
	kicked string
	wake   func(reply)
}

// weapon has the names fist and ak47, and none between.
type weapon uint8

func (w weapon) String() string { return map[weapon]string{0: "fist", 30: "ak47"}[w] }

type giveArgs struct {
	Weapon weapon `lua:"weapon" doc:"What he gets."`
	Ammo   int    `lua:"ammo" default:"1" range:"1..9" doc:"Rounds."`
}

type reply struct {
	yes bool
	why string
}

type kickArgs struct {
	Text    string `lua:"text" range:"1..127" doc:"Why; the player reads it."`
	Seconds int    `lua:"seconds" default:"0" range:"0..3600" doc:"How long he may not come back."`
}

type sendArgs struct {
	To      *player  `lua:"player" doc:"Who reads it."`
	Text    string   `lua:"text" range:"1..127" doc:"What he reads."`
	Kind    string   `lua:"kind" enum:"plain|info|error" default:"plain" doc:"How it is shown."`
	Options *options `lua:"options" doc:"More."`
}

type options struct {
	Raise bool     `lua:"raise,optional" doc:"Raises the revision."`
	Color *RGBA    `lua:"color" doc:"The color."`
	Tags  []string `lua:"tags,optional" doc:"Words to find it by."`
}

type createArgs struct {
	Model    int  `lua:"model" range:"400..611" doc:"The model."`
	Position Vec3 `lua:"position" range:"-20000..20000" doc:"Where."`
}

type joinArgs struct {
	Player *player `lua:"player" doc:"Who."`
	Kind   uint8   `lua:"kind" enum:"new|old" doc:"Whether he was here before."`
}

// world is what a test's registry acts on.
type world struct {
	t        *testing.T
	registry *Registry
	sched    *sandbox.Scheduler
	env      *Env
	posted   chan func()
	printed  []string
	players  map[string]*player
	join     *Event[joinArgs]
	handler  Function
}

func newRegistry(w *world) *Registry {
	r := New()
	NewEnum(r, "Weapon", "weapon", weapon(0), weapon(30))
	players := NewHandle(r, HandleSpec[*player]{
		Name: "Player", Type: "player", Doc: "Someone who plays.", Gone: "this player has left", Data: true,
		Valid:  func(p *player) bool { return p.online },
		String: func(p *player) string { return p.name },
	})
	players.Add(
		Prop("name", "The name.", func(p *player) string { return p.name }, nil),
		Prop("health", "0 is dead.", func(p *player) float64 { return p.health },
			func(p *player, v float64) error { p.health = v; return nil }, Tag(`range:"0..100"`)),
		Prop("gun", "In his hand.", func(p *player) weapon { return p.gun }, func(p *player, v weapon) error { p.gun = v; return nil }),
		PropAs("guns", "All that he has.", func(p *player) []weapon { return []weapon{p.gun} },
			func(p *player, v map[string]weapon) error { p.gun = v["main"]; return nil }),
		TryProp("place", "Where he is.", func(p *player) (Vec3, error) { return Vec3{}, errors.New("he is nowhere") }, nil),
		Method("give", "Gives a weapon.", func(_ *Call, p *player, a giveArgs) (weapon, error) {
			p.gun = a.Weapon
			return p.gun, nil
		}),
		Method("arm", "Gives a weapon, by a table.", func(_ *Call, p *player, a giveArgs) (None, error) { return None{}, nil }, Keyed()),
		Method("kick", "Ends the session.", func(_ *Call, p *player, a kickArgs) (None, error) {
			p.kicked = a.Text
			return None{}, nil
		}, Example(`player:kick("bye")`)),
		Method("ask", "Asks a yes or no.", func(c *Call, p *player, _ None) (bool, error) {
			got := Ask(c, reply{why: "stop"}, func(wake func(reply)) { p.wake = wake })
			return got.yes, Because(got.why)
		}, Waits(), Reasons("stop", "leave"), Returns("the answer")),
		Method("panic", "Has a fault.", func(c *Call, p *player, _ None) (None, error) { panic("a fault of the server") }),
	)
	r.Module("", "").Add(Func("print", "Writes a line.", func(_ *Call, a struct {
		Values []string `lua:"values,rest,tostring" doc:"What is written."`
	}) (None, error) {
		w.printed = append(w.printed, strings.Join(a.Values, " "))
		return None{}, nil
	}))
	r.Module("mp", "Everything.").Add(
		Func("on", "Subscribes.", func(_ *Call, a struct {
			Name string   `lua:"name" doc:"The event's."`
			Fn   Function `lua:"handler" doc:"Called at each."`
		}) (None, error) {
			w.handler = a.Fn
			return None{}, nil
		}),
		Func("wait", "Waits.", func(c *Call, a struct {
			MS int `lua:"ms" range:"0.." doc:"Milliseconds."`
		}) (None, error) {
			Await(c, func(wake func(struct{})) { go wake(struct{}{}) })
			return None{}, nil
		}),
		Func("sum", "Adds.", func(_ *Call, a struct {
			A int `lua:"a" default:"1" doc:"One."`
			B int `lua:"b" default:"2" doc:"The other."`
		}) (int, error) {
			return a.A + a.B, nil
		}, Keyed()),
		Func("fail", "Fails.", func(*Call, None) (None, error) { return None{}, errors.New("the server is full") }),
		Func("copy", "Copies.", func(_ *Call, a struct {
			V any `lua:"value" doc:"What."`
		}) (any, error) {
			return a.V, nil
		}),
	)
	r.Module("mp.chat", "Chat.").Add(
		Func("send", "Sends a line.", func(_ *Call, a sendArgs) (string, error) {
			return fmt.Sprint(a.To.name, " ", a.Text, " ", a.Kind, " ", a.Options != nil), nil
		}),
		GetSet("prefix", "Before each line.", func(*Call) string { return ">" }, func(_ *Call, v string) error { return nil }, Tag(`range:"..4"`)),
	)
	r.Module("mp.vehicles", "Vehicles.").Add(
		Func("create", "Makes one.", func(_ *Call, a createArgs) (Vec3, error) { return a.Position, nil }, Keyed(),
			Example(`mp.vehicles.create{ model = 411, position = vec3(0, 0, 3) }`)),
	)
	r.Module("mp.exports", "Of other resources.").Index(func(_ *Call, name string) (any, error) {
		if name != "bank" {
			return nil, fmt.Errorf("there is no resource %q", name)
		}
		return Proxy{Name: "mp.exports.bank", Index: func(_ *Call, key string) (any, error) {
			return Native{Name: "mp.exports.bank." + key, Call: func(_ *Call, args []any) ([]any, error) { return args, nil }}, nil
		}}, nil
	})
	r.Module("mp.players", "Players.").Add(Func("get", "By name.", func(_ *Call, a struct {
		Name string `lua:"name" doc:"The name."`
	}) (*player, error) {
		return w.players[a.Name], nil
	}, OrNil()))
	w.join = NewEvent[joinArgs](r, "player_join", "A player has joined.", true)
	return r
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, posted: make(chan func(), 100), players: map[string]*player{"ada": {name: "ada", health: 50, online: true}}}
	w.registry = newRegistry(w)
	w.sched = sandbox.NewScheduler(sandbox.Config{Post: func(f func()) error { w.posted <- f; return nil }})
	t.Cleanup(w.sched.Close)
	w.env = w.registry.Open(w.sched.NewState(sandbox.StateConfig{Name: "shop"}))
	return w
}

// run runs Lua code to its end or first wait.
func (w *world) run(code string) (Results, error) {
	w.t.Helper()
	p, err := sandbox.Compile("main.lua", []byte(code))
	if err != nil {
		w.t.Fatal(err)
	}
	res, _, err := w.env.RunProgram(p, Run{Event: "entry"})
	return res, err
}

func TestErrorTexts(t *testing.T) {
	w := newWorld(t)
	w.players["old"] = &player{name: "old", online: true}
	if _, err := w.run(`p = mp.players.get("ada"); old = mp.players.get("old")`); err != nil {
		t.Fatal(err)
	}
	w.players["old"].online = false
	for _, c := range []struct{ code, want string }{
		{`p:kick(5)`, `player:kick: argument 1 "text": a string of 1..127 bytes expected, got number 5`},
		{`p:kick()`, `player:kick: argument 1 "text": a string of 1..127 bytes expected, got nothing`},
		{`p:kick(nil)`, `player:kick: argument 1 "text": a string of 1..127 bytes expected, got nil`},
		{`p:kick(("x"):rep(200))`, `player:kick: argument 1 "text": a string of 1..127 bytes expected, got a string of 200 bytes`},
		{`p:kick("\255")`, `player:kick: argument 1 "text": a string of 1..127 bytes expected, got a string that is not UTF-8`},
		{`p:kick("x", 1.5)`, `player:kick: argument 2 "seconds": integer 0..3600 expected, got 1.5`},
		{`p:kick("x", 1, 2, 3)`, `player:kick: 2 arguments expected, got 4`},
		{`p.kick("x")`, `player:kick: call it with a colon on a Player, player:kick(...); got string "x" before the arguments`},
		{`old:kick("x")`, `player:kick: this player has left`},
		{`return old.health`, `player.health: this player has left`},
		{`old.health = 1`, `player.health: this player has left`},
		{`return old.data`, `player.data: this player has left`},
		{`return p.helth`, `player.helth: no such property or method; did you mean "health"?`},
		{`p.helth = 1`, `player.helth: no such property; did you mean "health"?`},
		{`p.health = "full"`, `player.health: number 0..100 expected, got string "full"`},
		{`p.health = 0/0`, `player.health: number 0..100 expected, got nan`},
		{`p.health = 200`, `player.health: number 0..100 expected, got 200`},
		{`p.gun = "ak-47"`, `player.gun: unknown "ak-47", did you mean "ak47"?`},
		{`p.gun = "AK4"`, `player.gun: unknown "AK4", did you mean "ak47"?`},
		{`p.gun = "ist"`, `player.gun: unknown "ist", did you mean "fist"?`},
		{`p.gun = 29`, `player.gun: unknown 29, a weapon's name or id expected`},
		{`p.gun = 0/0`, `player.gun: unknown nan, a weapon's name or id expected`},
		{`p.gun = true`, `player.gun: a weapon's name or id expected, got true`},
		{`p.guns = { main = "laser" }`, `player.guns: main: unknown "laser", a weapon's name or id expected`},
		{`p:give("ak-47")`, `player:give: weapon: unknown "ak-47", did you mean "ak47"?`},
		{`p:give()`, `player:give: argument 1 "weapon": a weapon's name or id expected, got nothing`},
		{`p:give(30, 10)`, `player:give: argument 2 "ammo": integer 1..9 expected, got 10`},
		{`p:arm{ weapon = "fits" }`, `player:arm: weapon: unknown "fits", did you mean "fist"?`},
		{`p.name = "x"`, `player.name: it can only be read`},
		{`p.valid = false`, `player.valid: it can only be read`},
		{`p.kick = 1`, `player.kick: it is a method, not a property`},
		{`p.data = {}`, `player.data: set its fields, player.data.NAME = ...; the table itself stays`},
		{`mp.chat.sned()`, `mp.chat.sned: no such function or property; did you mean "send"?`},
		{`mp.chta.send()`, `mp.chta: no such function or property; did you mean "chat"?`},
		{`mp.chat.send(1, "x")`, `mp.chat.send: argument 1 "player": a Player expected, got number 1`},
		{`mp.chat.send(old, "x")`, `mp.chat.send: argument 1 "player": this player has left`},
		{`mp.chat.send(p, "x", "inof")`, `mp.chat.send: argument 3 "kind": one of "plain", "info", "error" expected, got string "inof" (did you mean "info"?)`},
		{`mp.chat.send(p, "x", "info", { rase = true })`, `mp.chat.send: argument 4 "options": a table with the keys raise, color and tags expected, got the unknown key "rase"; did you mean "raise"?`},
		{`mp.chat.send(p, "x", "info", { color = 5 })`, `mp.chat.send: argument 4 "options": options.color: an rgba or "#RRGGBB" expected, got number 5`},
		{`mp.chat.send(p, "x", "info", { tags = { "a", 2 } })`, `mp.chat.send: argument 4 "options": options.tags[2]: a string expected, got number 2`},
		{`mp.chat.prefix = "longer"`, `mp.chat.prefix: a string of at most 4 bytes expected, got string "longer"`},
		{`mp.vehicles.create(5)`, `mp.vehicles.create: one table expected, create{ ... }, got number 5`},
		{`mp.vehicles.create{ position = vec3(0, 0, 0) }`, `mp.vehicles.create: key "model": integer 400..611 expected, got nothing`},
		{`mp.vehicles.create{ model = 411, position = vec3(0, 0, 0), colour = 1 }`, `mp.vehicles.create: a table with the keys model and position expected, got the unknown key "colour"`},
		{`mp.vehicles.create{ model = 411, position = vec3(0, 0, 20001) }`, `mp.vehicles.create: key "position": a vec3 with fields -20000..20000 expected, got vec3(0, 0, 20001)`},
		{`return p.place`, `player.place: he is nowhere`},
		{`mp.fail()`, `mp.fail: the server is full`},
		{`mp.exports.bnak.x()`, `mp.exports.bnak: there is no resource "bnak"`},
		{`mp.copy(print)`, `mp.copy: argument 1 "value": a function cannot be copied`},
		{`local t = { a = { {} } }; t.a[1].b = t; mp.copy(t)`, `mp.copy: argument 1 "value": .a[1].b: a table that contains itself cannot be copied`},
		{`local t = {} for i = 1, 40 do t = { t } end mp.copy(t)`, `a table nested deeper than 32 cannot be copied`},
		{`vec3(1, 2)`, `vec3: argument 3 "z": finite number expected, got nothing`},
		{`return vec3(1, 2, 3).w`, `vec3.w: no such field; a vec3 has x, y, z, :length() and :distance(other)`},
		{`vec3(1, 2, 3).x = 5`, `vec3.x: it never changes; make a new one`},
		{`return vec3(1, 2, 3) + 1`, `vec3 +: a vec3 expected, got number 1`},
		{`rgba(1, 2, 300)`, `rgba: argument 3 "b": integer 0..255 expected, got 300`},
		{`p:panic()`, `internal error: a fault of the server`},
	} {
		_, err := w.run(c.code)
		var se *sandbox.ScriptError
		if !errors.As(err, &se) || !strings.HasSuffix(se.Message, c.want) || se.File != "main.lua" || se.Line != 1 {
			t.Errorf("%s\n got %v\nwant %s", c.code, err, c.want)
		}
	}
}

func TestCalls(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ code, want string }{
		{`local p = mp.players.get("ada"); p.health = 70; print(p, p.health, p.name, p.type, p.valid)`, `Player(ada) 70 ada player true`},
		{`print(mp.sum(), mp.sum{}, mp.sum{ a = 4 })`, `3 3 6`},
		{`local p = mp.players.get("ada"); p.gun = 30; print(p.gun, p:give("fist"), p:give(30)); p.guns = { main = "fist" }; print(p.guns[1])`, "ak47 fist ak47\nfist"},
		{`print(mp.players.get("nobody"))`, `nil`},
		{`local p = mp.players.get("ada"); local t = { [p] = 1 }; print(t[mp.players.get("ada")], p == mp.players.get("ada"))`, `1 true`},
		{`mp.players.get("ada").data.money = 5; print(mp.players.get("ada").data.money)`, `5`},
		{`print(mp.chat.send(mp.players.get("ada"), "hi"))`, `ada hi plain false`},
		{`print(mp.chat.send(mp.players.get("ada"), "hi", "info", {}))`, `ada hi info true`},
		{`print(mp.vehicles.create{ model = 411, position = vec3(1, 2, 3) })`, `vec3(1, 2, 3)`},
		{`print(vec3(1, 2, 3) + vec3(1, 1, 1), 2 * vec3(1, 2, 3), vec3(2, 4, 6) / 2, -vec2(1, 2), vec3(1, 2, 3) == vec3(1, 2, 3))`,
			`vec3(2, 3, 4) vec3(2, 4, 6) vec3(1, 2, 3) vec2(-1, -2) true`},
		{`print(vec3(3, 4, 0):length(), vec2(0, 0):distance(vec2(3, 4)), rgba(1, 2, 3), rgba(1, 2, 3).a)`, `5 5 rgba(1, 2, 3, 255) 255`},
		{`print(mp.exports.bank.balance("x", 5))`, `x 5`},
		{`local c = mp.copy{ 1, 2, { p = mp.players.get("ada"), v = vec3(1, 2, 3) } }; print(c[1], c[2], c[3].p, c[3].v)`, `1 2 Player(ada) vec3(1, 2, 3)`},
		{`print(pcall(mp.fail))`, `false mp.fail: the server is full`},
		{`print(getmetatable(mp.chat), getmetatable(vec3(0, 0, 0)), getmetatable(mp.players.get("ada")), getmetatable(""))`, `mp.chat vec3 Player string`},
		{`print(1e15, 0.1, 1/3, 2^53, 1/0, -1/0)`, `1e+15 0.1 0.33333333333333 9.007199254741e+15 inf -inf`},
	} {
		w.printed = nil
		if _, err := w.run(c.code); err != nil {
			t.Errorf("%s: %v", c.code, err)
		} else if got := strings.Join(w.printed, "\n"); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, got, c.want)
		}
	}
}

func TestDropAndStop(t *testing.T) {
	w := newWorld(t)
	p := w.players["ada"]
	if _, err := w.run(`
		p = mp.players.get("ada")
		p.data.x = 1
		mp.on("player_join", function(player, kind)
			print(player == p, kind)
			print("answer", player:ask())
			print(pcall(mp.wait, 10))
			return false
		end)`); err != nil {
		t.Fatal(err)
	}
	res, finished, err := w.handler.Call(Run{Event: "event player_join"}, w.join.Args(joinArgs{Player: p, Kind: 1})...)
	if finished || err != nil || res.Len() != 0 {
		t.Fatal("the handler does not wait:", finished, err)
	}
	w.env.State().Close()
	want := "true old\nanswer nil stop\nfalse mp.wait: cannot wait: the resource stops"
	if got := strings.Join(w.printed, "\n"); got != want {
		t.Errorf("got %s", got)
	}
	w.env.Drop(p)
	p.online = false
	w.env.Value(p)
	if len(w.env.handles) != 0 {
		t.Error("a dropped thing keeps its handle")
	}
}
