package host_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"darqline/host"
	"darqline/host/udp"
	"darqline/host/world"
)

// go test ./host -run TestReloadsLeaveNothing -reloads 10000 -timeout 24h -v
var reloads = flag.Int("reloads", 100, "how often TestReloadsLeaveNothing reloads")

const (
	crowd     = 20 // players
	farAway   = 0  // of them has a round trip of 400 ms
	lossy     = 1  // loses 5 %
	fickle    = 2  // leaves and joins again and again
	bigTimers = 100
	bigOnes   = 64 // client files
)

// bigResource opens everything that a resource can have open, for everyone. Whatever it opens has its generation in its
// text, so that an answer tells to whom it was given.
const bigResource = `
local gen = mp.resource.generation
local function note(kind, n, text) mp.test.note(kind, gen, n or 0, text or "") end
note("starts")
mp.on("resource_stop", function(r) if r.name == "big" then note("stops") end end)

local big = {}
for i = 1, 5000 do big[i] = ("x"):rep(1000) .. i end
mp.state.starts = (mp.state.starts or 0) + 1
mp.state.last = mp.state.last or {}
table.insert(mp.state.last, gen)
if #mp.state.last > 50 then table.remove(mp.state.last, 1) end

for i = 1, 100 do mp.every(1000, function() note("tick", #big) end) end
mp.on("user:census", function() note("hears") end)
for i = 1, 10 do mp.command("c" .. i, { "n:integer?" }, function() return big[1] end) end
mp.exports.define{ generation = function() return gen end, slow = function() mp.wait(1e9) end }

-- once waits, and notes its begin and its one end
local waits = 0
local function once(kind, wait)
  waits = waits + 1
  local n = waits
  note("waits", n, kind)
  local it, why = wait()
  note("over", n, tostring(why))
  return it, why
end
local function soon(f) mp.after(0, f) end
for i = 1, 5 do soon(function() once("silent", function() mp.wait(1e9) return big end) end) end
for i = 1, 5 do soon(function()
  local back = once("silent", function() return mp.exports.user.echo(gen) end)
  note("answer", back, "export")
end) end

local name = "g" .. gen
local view = mp.views.define{ name = "v", entry = "shop.html", input = "none", actions = { press = { generation = "integer" } } }
view:on("press", function(v, fields) note("answer", fields.generation, "view") end)
local use = mp.ui.action{ name = "use", label = name, key = "E" }
use:on("press", function() note("pressed") end)
local column = mp.ui.player_list.column{ label = name }
mp.ui.player_list.title = name
local area = mp.colshapes.create{ shape = "sphere", position = vec3(0, 0, 0), radius = 50 }
area.data.big = big
mp.ui.status{ text = name }
mp.ui.gauge{ label = name, value = 5 }
mp.ui.objective{ position = vec3(1, 2, 3), text = name }
mp.ui.speedometer{ text = name }
mp.ui.notification{ text = name, duration = 0 }
mp.ui.progress{ text = "all " .. name, duration = 3600000 }
mp.ui.announcement{ title = name, duration = 60000 }
local doors = mp.ui.countdown{ time = 86400000, label = name }
soon(function() once("countdown", function() return doors:wait() end) end)
mp.ui.kill_feed.add{ victim = name }
mp.chat.broadcast(name)

local function open(player)
  player.data.big = big
  column:set(player, gen)
  player.nametag.text = name
  player.frozen = gen % 2 == 0
  view:open(player, { at = { generation = gen } })
  use:prompt(player, { text = name })
  mp.chat.say{ from = player, text = name, to = player }
  if player.id % 2 == 0 then soon(function() -- the others have their hands free
    repeat
      local a, why = once("ask", function() return player:ask{ title = name, input = { max = 20 } } end)
      if a then note("answer", tonumber(a.text), "dialog") end
    until not a
  end) end
  soon(function()
    local menu = player:open_menu{ title = name, closable = false, close_on_death = false, items = { { id = gen, label = name } } }
    repeat
      local item, why = once("menu", function() return menu:wait() end)
      if item then note("answer", item.id, "menu") end
    until not item
  end)
  soon(function()
    repeat
      local yes, why = once("offer", function() return player:offer{ title = name, duration = 120000 } end)
      if yes then note("accepted") end
    until yes == nil and why ~= "timeout"
  end)
  soon(function() once("progress", function() return player:progress{ text = name, duration = 3600000 } end) end)
  soon(function() once("action", function() return use:wait(player) end) end)
end
mp.on("player_arrive", open)
for _, player in ipairs(mp.players.alive()) do open(player) end
`

// userResource calls the exports of the big one, answers its calls, and counts what there is.
const userResource = `
mp.exports.define{ echo = function(generation) mp.wait(700) return generation end }
mp.on("resource_start", function(r)
  if r.name ~= "big" then return end
  local gen = mp.exports.big.generation()
  mp.test.note("started", gen, r.generation, "")
  local ok, why = pcall(function() return mp.exports.big.slow() end)
  mp.test.note("cut", gen, 0, tostring(why))
end)
mp.every(500, function()
  mp.test.note("census", 0, #mp.commands(), "commands")
  mp.test.note("census", 0, mp.colshapes.count(), "colshapes")
  mp.test.note("census", 0, 0, "heard")
  mp.emit("user:census")
end)
`

// TestReloadsLeaveNothing reloads a resource that has everything open at 20 players on their own networks, again and again,
// and holds that nothing is left of what has ended, that no answer reaches whom it was not given to, and that everyone
// ends with exactly what the last generation has opened.
func TestReloadsLeaveNothing(t *testing.T) {
	clock := newRealClock()
	defer clock.stop()
	f := files{"user/resource.toml": "", "user/main.lua": userResource, "big/main.lua": bigResource}
	var names []string
	for i := range bigOnes {
		name := fmt.Sprintf("f%02d.png", i)
		if i == 0 {
			name = "shop.html"
		}
		names = append(names, strconv.Quote(name))
		f["big/"+name] = strings.Repeat(name, 50)
	}
	f["big/resource.toml"] = "requires = [\"user\"]\n[client]\nfiles = [" + strings.Join(names, ", ") + "]\n"
	inBubble(t, 7, f, func(c *host.Config) {
		c.Connection.Attempts, c.Connection.PerHost, c.Server.MaxPlayers = 1_000_000, 100, crowd+1
	}, func(b *bubble) {
		g := &reloading{bubble: b, ledger: newLedger(clock), r: rand.New(rand.NewPCG(7, 7)), caches: t.TempDir()}
		b.shut()
		b.options = func(o *host.Options) { o.Extend = g.ledger.extend }
		b.start(b.cfg)
		g.play(*reloads)
	})
}

// reloading is the test's run.
type reloading struct {
	*bubble
	ledger *ledger
	r      *rand.Rand
	caches string
	done   int    // reloads
	number uint32 // that the newest generation has
}

func (g *reloading) play(n int) {
	g.number = 2 // as the two resources have started
	for i := range crowd {
		addr := g.address(i)
		path := udp.Path{Delay: 10 * time.Millisecond, Jitter: 5 * time.Millisecond}
		switch i {
		case farAway:
			path.Delay = 200 * time.Millisecond
		case lossy:
			path.Loss = 0.05
		}
		g.mem.SetPathOf(addr, serverHost, path)
		g.comes(i)
	}
	g.reloadTimes(30) // so that everything has been there once
	before := g.settled()
	g.reloadTimes(n)
	after := g.settled()
	g.t.Logf("%d reloads: %v -> %v; %s", n, before, after, g.ledger)
	// Buffers grow to what they needed at most, and then no more. A generation that is kept has 5 MB.
	if d := int64(after.heap) - int64(before.heap); d > int64(before.heap/50+8<<20) {
		g.t.Errorf("the heap has grown from %d to %d KiB", before.heap>>10, after.heap>>10)
	}
	if after.goroutines > before.goroutines+1 || after.descriptors > before.descriptors+1 {
		g.t.Errorf("left behind: %v -> %v", before, after)
	}
	if n := g.judge.thrown(); n > 0 {
		g.t.Errorf("%d were thrown out: %v", n, g.judge.ends)
	}
	if faults := g.judge.verdict(); faults != "" {
		g.t.Error(faults)
	}
}

func (g *reloading) address(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, 8, byte(i + 1)}) }

// comes has a player join, and waits until he has arrived.
func (g *reloading) comes(i int) {
	p := g.dial(fmt.Sprint("Player", i), g.address(i), fmt.Sprint(g.caches, "/", i))
	if i < len(g.clients)-1 {
		g.clients[i] = p
		g.clients = g.clients[:len(g.clients)-1]
	}
	g.eventually(20*time.Second, p.name+" has arrived", func() bool { return g.arrived(p) })
}

// reloadTimes reloads n times, as players come, go and answer.
func (g *reloading) reloadTimes(n int) {
	for end := g.done + n; g.done < end; {
		pause := time.Duration(200+g.r.IntN(1000)) * time.Millisecond
		if g.done%50 < 5 { // five within a second
			pause = 200 * time.Millisecond
		}
		time.Sleep(pause)
		if g.done%10 == 5 {
			g.clients[fickle].leave()
			g.comes(fickle)
		}
		for range 6 { // who is on the way while the resource reloads
			g.ledger.answers(g.clients[g.r.IntN(crowd)], g.r)
		}
		g.change(g.done)
		g.forget()
		g.done++
	}
}

// change saves the nth version and reloads it.
func (g *reloading) change(n int) {
	text, fault := fmt.Sprintf("%s-- version %d\n", bigResource, n), ""
	next := files{}
	switch {
	case n%10 == 9:
		text, fault = text+"x = = 1\n", "unexpected"
	case n%15 == 14:
		text, fault = text+"error(\"no\")\n", "no"
	case n%20 == 10:
		next["big/shop.html"], next["big/f01.png"] = fmt.Sprint("<h1>", n), fmt.Sprint(n)
	}
	next["big/main.lua"] = text
	g.write(next)
	err := g.reload("big")
	if (err != nil) != (fault != "") || err != nil && !strings.Contains(err.Error(), fault) {
		g.t.Fatalf("reload %d: %v, expected %q", n, err, fault)
	}
	if fault != "unexpected" {
		g.number++
	}
	if fault == "no" {
		g.ledger.fails()
	}
	if status, _ := g.host.Resources().Get("big"); status.Generation != g.number {
		g.t.Fatalf("reload %d: generation %d, expected %d", n, status.Generation, g.number)
	}
}

// forget empties the test's own books, which would grow.
func (g *reloading) forget() {
	g.logs.mu.Lock()
	g.logs.b.Reset()
	g.logs.mu.Unlock()
	for _, p := range g.clients {
		p.mu.Lock()
		p.lines, p.closed, p.removed = nil, nil, nil
		p.mu.Unlock()
		g.judge.see(p, func(e *eyes) {
			maps.DeleteFunc(e.removed, func(n uint32, _ bool) bool { return n+100 < g.number })
		})
	}
	g.judge.mu.Lock()
	maps.DeleteFunc(g.judge.eyes, func(p *person, _ *eyes) bool { return !slices.Contains(g.clients, p) })
	g.judge.mu.Unlock()
	g.lookout.mu.Lock()
	defer g.lookout.mu.Unlock()
	gone := func(token uint32) bool { p := g.lookout.players[token]; return p == nil || !p.Valid() }
	maps.DeleteFunc(g.lookout.scopes, func(p pair, _ []span) bool { return gone(p.viewer) || gone(p.subject) })
	maps.DeleteFunc(g.lookout.players, func(token uint32, _ *world.Player) bool { return gone(token) })
}

// usage is what a process has.
type usage struct {
	heap                    uint64
	goroutines, descriptors int
}

func (u usage) String() string {
	return fmt.Sprintf("%d KiB, %d goroutines, %d descriptors", u.heap>>10, u.goroutines, u.descriptors)
}

// settled reloads once more, lets all come to rest, holds that everyone has what the last generation has opened and
// nothing else, and measures.
func (g *reloading) settled() (u usage) {
	g.write(files{"big/main.lua": bigResource})
	if err := g.reload("big"); err != nil {
		g.t.Fatal(err)
	}
	g.number++
	for i, p := range g.clients {
		has, want := screen(p), screenOf(g.number, p)
		for end := time.Now().Add(30 * time.Second); has != want && time.Now().Before(end); has = screen(p) {
			time.Sleep(100 * time.Millisecond)
		}
		if has != want {
			g.t.Fatalf("player %d has\n%s\nexpected\n%s", i, has, want)
		}
	}
	rest(5 * time.Second)
	if unacked, waiting := g.host.Backlog(); unacked+waiting > 0 {
		g.t.Errorf("%d events and %d things are on their way", unacked, waiting)
	}
	g.ledger.rests(g.t, g.number)
	g.forget()
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	entries, _ := os.ReadDir("/proc/self/fd") // none where there is no such folder
	return usage{stats.HeapAlloc, runtime.NumGoroutine(), len(entries)}
}

// screenOf is what a player has on his screen of a generation.
func screenOf(generation uint32, p *person) string {
	n := fmt.Sprint("g", generation)
	has := []string{"view " + n, "at {\"generation\":" + n[1:] + "}"}
	if p.id()%2 == 0 {
		has = append(has, "dialog "+n)
	}
	return strings.Join(append(has, "menu "+n, "offer "+n, "use "+n, "prompt "+n,
		"status "+n, "gauge "+n, "objective "+n, "speedometer "+n, "note "+n, "progress "+n, "progress all "+n,
		"announcement "+n, "countdown "+n, fmt.Sprint("nametags ", crowd-1, " ", n), "list "+n, "column "+n, fmt.Sprint("cells ", crowd, " ", n[1:])), "\n")
}

// screen is what a player has on his screen.
func screen(p *person) string {
	var has []string
	add := func(what, text string) { has = append(has, what+" "+text) }
	p.mu.Lock()
	if p.view != nil {
		add("view", fmt.Sprint("g", p.view.Generation))
	}
	for _, topic := range slices.Sorted(maps.Keys(p.snapshots)) {
		add(topic, p.snapshots[topic])
	}
	p.mu.Unlock()
	ui := p.c.UI()
	if ui.Dialog != nil {
		add("dialog", ui.Dialog.Title)
	}
	if ui.Menu != nil {
		add("menu", ui.Menu.Title)
	}
	for _, o := range ui.Offers {
		add("offer", o.Content.Title)
	}
	for _, a := range ui.Actions {
		if a.Name != "use" {
			continue // the server's own one
		}
		add(a.Name, a.Label)
		if a.Prompt.Present {
			add("prompt", a.Prompt.Text)
		}
	}
	for _, s := range ui.Hud.StatusLines {
		if s.Shown() {
			add("status", s.Text)
		}
	}
	for _, s := range ui.Hud.Gauges {
		if s.Shown() {
			add("gauge", s.Label)
		}
	}
	for _, s := range ui.Hud.Objectives {
		if s.Shown() {
			add("objective", s.Text)
		}
	}
	if ui.Hud.Speedometer.Shown() {
		add("speedometer", ui.Hud.Speedometer.Text)
	}
	for _, n := range ui.Notifications {
		add("note", n.Content.Text)
	}
	var bars []string
	for _, s := range ui.Hud.Progress {
		if s.Shown() {
			bars = append(bars, s.Text)
		}
	}
	slices.SortFunc(bars, func(a, b string) int { return len(a) - len(b) })
	for _, b := range bars {
		add("progress", b)
	}
	for _, s := range ui.Hud.Announcements {
		if s.Shown() {
			add("announcement", s.Content.Title)
		}
	}
	for _, s := range ui.Hud.Countdowns {
		if s.Shown() {
			add("countdown", s.Label)
		}
	}
	tags := make(map[string]int)
	for _, n := range ui.Nametags {
		tags[n.Text]++
	}
	for _, text := range slices.Sorted(maps.Keys(tags)) {
		add("nametags", fmt.Sprint(tags[text], " ", text))
	}
	list, rows := p.c.Players()
	add("list", list.Title)
	for _, c := range list.Columns {
		add("column", c.Heading)
	}
	cells := make(map[string]int)
	for _, r := range rows {
		for _, cell := range r.Cells {
			cells[cell]++
		}
	}
	for _, text := range slices.Sorted(maps.Keys(cells)) {
		add("cells", fmt.Sprint(cells[text], " ", text))
	}
	return strings.Join(has, "\n")
}

func (l *ledger) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	slices.Sort(l.pauses)
	if len(l.pauses) == 0 {
		return "no pauses"
	}
	at := func(share float64) time.Duration {
		return l.pauses[int(share*float64(len(l.pauses)-1))].Round(10 * time.Microsecond)
	}
	return fmt.Sprintf("pauses: %d, median %v, p99 %v, longest %v\n%v", len(l.pauses), at(0.5), at(0.99), at(1), l.counts)
}
