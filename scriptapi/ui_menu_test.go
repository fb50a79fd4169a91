package scriptapi

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources"
)

// menu is the id of the menu that a guest was shown last.
func (g *guest) menu() (id uint32) {
	g.s.t.Helper()
	for _, p := range g.sent {
		if m, ok := p.(*protocol.MenuShow); ok {
			id = m.MenuID
		}
	}
	if id == 0 {
		g.s.t.Fatalf("%s was shown no menu", g.name)
	}
	return id
}

// items are the items of that menu as the guest has them, by id.
func (g *guest) items() map[uint16]protocol.MenuItem {
	items, id := make(map[uint16]protocol.MenuItem), g.menu()
	for _, p := range g.sent {
		if m, ok := p.(*protocol.MenuItems); ok && m.MenuID == id {
			for _, i := range m.Items {
				if i.Op == protocol.MenuRemove {
					delete(items, i.ItemID)
				} else {
					items[i.ItemID] = i
				}
			}
		}
	}
	return items
}

// does is an input to that menu, on the item as the guest has it.
func (g *guest) does(event protocol.MenuEvent, item, value uint16) {
	g.s.t.Helper()
	m := &protocol.MenuInput{MenuID: g.menu(), ItemID: item, Revision: g.items()[item].Revision, Event: event, Value: value}
	g.s.do(func(tx world.Tx) { tx.Receive(g.player, m) })
	g.s.settle()
}

const (
	selects    = protocol.MenuSelected
	changes    = protocol.MenuChanged
	highlights = protocol.MenuHighlighted
	leaves     = protocol.MenuLeft
)

// everyKind is a menu with an item of each kind, in a resource that waits for what the player does.
const everyKind = `
local player = mp.players.get(0)
menu = player:open_menu{ title = "M", subtitle = "S", place = "center", items = {
  { id = "a", label = "Act", icon = "car", color = rgba(1, 2, 3), detail = "d", help = "h" },
  { id = "t", label = "Toggle", toggle = false },
  { id = "c", label = "Choice", choice = { "x", "y", "z" }, at = 2 },
  { id = "s", label = "Slider", slider = { 100, 2000, step = 100, unit = "m" }, at = 500 },
  { label = "Head", heading = true },
  { id = "z", label = "Close", close = true, arrow = true },
} }
`

const loop = `mp.after(0, function()
  while true do
    local item, value = menu:wait()
    print(item and item.id, value, item and item.value)
    if not item then return end
  end
end)`

func TestMenuWaits(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", everyKind+loop)
	items := alice.items()
	if i := items[1]; i.Icon.String() != "car" || i.Color != (protocol.RGBA{R: 1, G: 2, B: 3, A: 255}) || i.Detail != "d" || i.Help != "h" {
		t.Errorf("%+v", i)
	}
	if i := items[4]; i.Slider != (protocol.MenuScale{Min: 100, Step: 100, Steps: 19, Value: 4, Unit: "m"}) {
		t.Errorf("%+v", i.Slider)
	}
	if i := items[6]; i.Flags != protocol.MenuItemCloses|protocol.MenuItemArrow {
		t.Errorf("%+v", i)
	}
	alice.does(selects, 1, 0)
	s.said("a\tnil\tnil")
	alice.does(changes, 2, 1)
	s.said("t\ttrue\ttrue")
	alice.does(changes, 3, 2)
	s.said("c\t3\t3")
	alice.does(changes, 4, 19)
	s.said("s\t2000\t2000")
	alice.does(selects, 6, 0)
	s.said("z\tnil\tnil\nnil\tclosed\tnil")
	alice.want("the menu is hidden", "")
}

func TestMenuKeepsWhatIsNotWaitedFor(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", everyKind+`mp.command("wait", { states = { "pre_spawn" } }, function() local item, value = menu:wait() print(item and item.id, value) end)`)
	for n := range uint16(5) {
		alice.does(changes, 4, n)
	}
	alice.does(selects, 1, 0)
	alice.does(changes, 4, 9)
	alice.does(changes, 2, 1)
	for _, want := range []string{"s\t1000", "a\tnil", "t\ttrue"} {
		alice.command("wait")
		s.said(want)
	}
	for range 20 {
		alice.does(selects, 1, 0)
	}
	alice.does(leaves, 0, 0)
	for range 16 {
		alice.command("wait")
		s.said("a\tnil")
	}
	for range 2 {
		alice.command("wait")
		s.said("nil\tcancel")
	}
}

func TestMenuHandlers(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", everyKind+`
menu:on("select", function(item) print("select", item == menu:item(item.id)) if refuse then return false end end)
menu:on("change", function(item, value, old) print("change", item.id, value, old) if value == true then return false end end)
menu:on("highlight", function(item) print("highlight", item.label) end)
menu:on("close", function(reason) print("close", reason, menu.open) end)
local last = menu:on("change", function() print("never") end)
last:off()
print(last.valid)
mp.command("refuse", { states = { "pre_spawn" } }, function() refuse = true end)
mp.command("allow", { states = { "pre_spawn" } }, function() refuse = false end)
`)
	s.said("false")
	alice.does(changes, 2, 1)
	s.said("change\tt\ttrue\tfalse")
	if alice.items()[2].Toggle {
		t.Error("it is not put back")
	}
	alice.does(changes, 3, 0)
	s.said("change\tc\t1\t2")
	alice.command("refuse")
	n := len(alice.sent)
	alice.does(selects, 6, 0)
	s.said("select\ttrue")
	if len(alice.sent) != n+1 { // the item, so that the client takes keys again
		t.Errorf("sent %v", alice.sent[n:])
	}
	alice.does(highlights, 1, 0) // is not told
	s.said("")
	alice.command("allow")
	alice.does(selects, 6, 0)
	s.said("select\ttrue\nclose\tclosed\tfalse")
	if n := s.rt.instance("shop").handlers; n != 0 {
		t.Errorf("%d handlers are counted", n)
	}
}

func TestMenuItemsInLua(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", everyKind+`
function run(code) end
local a, tog, c, sl = menu.items[1], menu:item("t"), menu:item("c"), menu:item("s")
print(#menu.items, menu.title, menu.subtitle, menu.open, menu.player.name, menu.selected.id, menu:item("nobody"))
a.label, a.detail, a.help, a.icon, a.color = "A2", "d2", "", "none", nil
print(a.label, a.detail, a.help, a.icon, a.color, a.disabled)
tog.value, c.at, sl.value = true, 3, 700
print(tog.toggle, tog.value, c.value, c.choice[3], sl.at, sl.slider.max, a.value, a.slider)
sl.slider = { 0, 10, step = 0.1 }
print(sl.value, sl.slider.step)
sl.value = 0.3
print(sl.value)
c.choice = { "only" }
print(c.value)
menu.title, menu.subtitle = "M2", ""
local new = menu:add({ id = 7, label = "New" }, a)
print(menu.items[1] == new, #menu.items)
new:remove()
a.disabled = true
a:raise()
menu:set_items{ { id = "s", label = "S2", slider = { 0, 1 } }, { id = "a", label = "Now a toggle", toggle = true } }
print(menu.items[1] == sl, menu.items[2] == a, menu:item("a").value, a.label)
menu.items = { { label = "Last" } }
menu:close()
menu:close()
a.label, sl.value = "later", 1
print(menu.open, #menu.items, menu.selected, a.label, menu:wait())
`)
	s.said(strings.Join([]string{
		"6\tM\tS\ttrue\tAlice\ta\tnil",
		"A2\td2\t\tnone\tnil\tfalse",
		"true\ttrue\t3\tz\t700\t2000\tnil\tnil",
		"10\t0.1", "0.3", "1",
		"true\t7",
		"true\tfalse\ttrue\tA2",
		"false\t0\tnil\tlater\tnil\tclosed",
	}, "\n"))
	var heads []string
	for _, p := range alice.sent {
		if m, ok := p.(*protocol.MenuShow); ok {
			heads = append(heads, m.Content.Title)
		}
	}
	if got := strings.Join(heads, " "); got != "M M M2" {
		t.Errorf("heads: %s", got)
	}
	if got := alice.items(); len(got) != 1 || got[9].Label != "Last" {
		t.Errorf("he has %v", got)
	}
}

func TestChoose(t *testing.T) {
	const ask = `
local player = mp.players.get(0)
mp.after(0, function()
  local item, why = player:choose{ title = "Where", items = { { label = "Volume", slider = { 0, 10 } }, { label = "Go", id = 5 } }, start = 5 }
  print(item and item.id, item and item.label, why, player.valid)
end)`
	for _, test := range []struct {
		name, want string
		cause      func(s *stage, alice *guest)
	}{
		{"a selection", "5\tGo\tnil\ttrue", func(s *stage, alice *guest) {
			alice.does(changes, 1, 3)
			alice.does(selects, 2, 0)
		}},
		{"cancel", "nil\tnil\tcancel\ttrue", func(s *stage, alice *guest) { alice.does(leaves, 0, 0) }},
		{"another menu", "nil\tnil\treplaced\ttrue", func(s *stage, alice *guest) {
			s.start("other", `mp.players.get(0):open_menu{ title = "O", items = { { label = "x" } } }`)
		}},
		{"death", "nil\tnil\tdeath\ttrue", func(s *stage, alice *guest) {
			s.do(func(tx world.Tx) { tx.Kill(alice.player, nil, protocol.CauseScript) })
		}},
		{"leave", "nil\tnil\tleave\tfalse", func(s *stage, alice *guest) { alice.leave() }},
		{"stop", "nil\tnil\tstop\ttrue", func(s *stage, alice *guest) { s.stop("shop") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newField(t)
			alice := f.enter("Alice").guest
			alice.sent = nil
			f.start("shop", ask)
			for _, p := range alice.sent {
				if m, ok := p.(*protocol.MenuShow); ok && m.Start != 2 {
					t.Errorf("it starts at item %d", m.Start)
				}
			}
			test.cause(f.stage, alice)
			f.said(test.want)
			f.do(func(tx world.Tx) {
				if tx.MenuOf(alice.player) != nil && test.name != "another menu" {
					t.Error("a menu is open")
				}
			})
			if n := f.held("shop"); n != 0 {
				t.Errorf("%d handles are kept", n)
			}
		})
	}
}

// held counts the handles of menus, items, offers, actions and prompts that a state keeps.
func (s *stage) held(name string) (n int) {
	if in := s.rt.instance(name); in != nil {
		n = in.env.Held(func(thing any) bool {
			switch thing.(type) {
			case *world.Menu, *world.MenuItem, *world.Offer, *world.Action, *prompt, *hook:
				return true
			}
			return false
		})
	}
	return n
}

func TestWhatAScriptClosesSaysNothingMore(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", everyKind+`
menu:on("select", function() print("select") end)
mp.command("close", { states = { "pre_spawn" } }, function() menu:close() end)`)
	s.do(func(tx world.Tx) { // a selection waits for the scripts while another handler closes the menu
		tx.Receive(alice.player, &protocol.ClientCommand{Text: "close"})
		tx.Receive(alice.player, &protocol.MenuInput{MenuID: alice.menu(), ItemID: 1, Event: selects})
	})
	s.said("")
}

func TestMenuErrors(t *testing.T) {
	s := newStage(t)
	s.join("Alice")
	menu := func(items string) string {
		return `mp.players.get(0):open_menu{ title = "T", items = { ` + items + ` } }`
	}
	with := func(code string) string {
		return `local m = ` + menu(`{ label = "a", id = 1 }, { label = "s", slider = { 0, 4, step = 2 } }, { label = "c", choice = { "x" } }`) + ` local a, s, c = m.items[1], m.items[2], m.items[3] ` + code
	}
	long := func(n int) string { return fmt.Sprintf(`("x"):rep(%d)`, n) }
	for _, test := range []struct{ code, want string }{
		{menu(``), `player:open_menu: field "items": none, a menu has 1 to 128`},
		{menu(`{ label = ` + long(97) + ` }`), `player:open_menu: key "items[1].label": a string of 1..96 bytes expected, got a string of 97 bytes`},
		{menu(`{ label = "x", toggle = true, heading = true }`), `player:open_menu: field "items[1].heading": an item is one of toggle, choice, slider and heading`},
		{menu(`{ label = "x", slider = { 0, 10, step = 3 } }`), `player:open_menu: field "items[1].slider": up to 1,000 whole steps of 3 from 0 to 10 expected`},
		{menu(`{ label = "x", slider = { 0, 2000 } }`), `player:open_menu: field "items[1].slider": up to 1,000 whole steps of 1 from 0 to 2000 expected`},
		{menu(`{ label = "x", slider = { 5, 5 } }`), `player:open_menu: field "items[1].slider": a max above min and a step above 0 expected`},
		{menu(`{ label = "x", slider = { 0, 10, step = 5 }, at = 7 }`), `player:open_menu: field "items[1].at": a number 0..10 in steps of 5 expected, got 7`},
		{menu(`{ label = "x", choice = { "a" }, at = 2 }`), `player:open_menu: field "items[1].at": an option 1..1 expected, got 2`},
		{menu(`{ label = "x", at = 2 }`), `player:open_menu: field "items[1].at": it is a choice's or a slider's`},
		{menu(`{ label = "x", icon = "carr" }`), `player:open_menu: items[1].icon: unknown "carr", did you mean "car"?`},
		{menu(`{ label = "x" }, { labl = "x" }`), `player:open_menu: key "items[2].label": a string of 1..96 bytes expected, got nothing`},
		{`mp.players.get(0):choose{ title = "T", items = { { label = "x", id = "a" } }, start = "b" }`, `player:choose: field "start": no item has the id or the number string "b"`},
		{with(`m:on("selct", function() end)`), `menu:on: no event is called "selct"; did you mean "select"?`},
		{with(`a.label = ""`), `item.label: a string of 1..96 bytes expected, got string ""`},
		{with(`a.label = "x\a"`), `item.label: field "label": control character U+0007`},
		{with(`a.value = true`), `item.value: the item is a select: its kind stays`},
		{with(`a.slider = { 0, 1 }`), `item.slider: the item is a select: its kind stays`},
		{with(`s.value = 3`), `item.value: a number 0..4 in steps of 2 expected, got 3`},
		{with(`c.choice = {}`), `item.choice: field "choice": 0 options, 1..64 expected`},
		{with(`c.close = true`), `item.close: field "close": a choice does not close the menu`},
		{with(`a.id = 2`), `item.id: it can only be read`},
		{with(`m.title = ""`), `menu.title: a string of 1..96 bytes expected, got string ""`},
		{with(`m:add({ label = "x" }, ` + menu(`{ label = "o" }`) + `.items[1])`), `menu:add: the item to stand before is not in this menu`},
	} {
		if got := s.fault(test.code); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.code, got, test.want)
		}
	}
	s.start("shop", `mp.on("resource_stop", function()
  local player = mp.players.get(0)
  print(pcall(player.choose, player, { title = "T", items = { { label = "x" } } }))
  print(pcall(player.open_menu, player, { title = "T", items = { { label = "x" } } }))
end)`)
	s.stop("shop")
	s.said("false\tplayer:choose: cannot wait in resource_stop\nfalse\tplayer:open_menu: the resource stops")
}

func TestAMenuIsItsOwnResources(t *testing.T) {
	s := newStage(t)
	s.join("Alice")
	s.start("bank", `mp.exports.define{ look = function(menu)
  local item = menu.items[1]
  print(item.label, type(item.id), pcall(menu.wait, menu))
  print(pcall(menu.item, menu, 1))
end }`)
	s.start("shop", `local menu = mp.players.get(0):open_menu{ title = "T", items = { { label = "x", id = { 1 } } } }
mp.exports.bank.look(menu)`)
	s.said("x\ttable\tfalse\tmenu:wait: the menu is one of shop\nfalse\tmenu:item: the menu is one of shop")
}

// TestTenThousandMenuOfferAndActionWaits ends 10,000 waits in each way and holds that nothing of them is left.
func TestTenThousandMenuOfferAndActionWaits(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 goroutines")
	}
	const players = 1000 // each is waited for ten times
	for _, way := range []string{"leave", "stop", "reload", "time"} {
		t.Run(way, func(t *testing.T) {
			s := newStage(t)
			guests := make([]*guest, players)
			for i := range guests {
				guests[i] = s.join(fmt.Sprint("P", i))
			}
			const source = `
local ended = 0
local use = mp.ui.action{ name = "use", label = "Use", key = "E" }
local function over(_, why) ended = ended + 1 if ended == 10000 then print("ended", why) end end
mp.command("go", { console = true }, function()
  for _, player in ipairs(mp.players.all()) do
    mp.after(0, function() over(player:choose{ title = "T", items = { { label = "x" } } }) end)
    for i = 1, 4 do mp.after(0, function() over(player:offer{ title = "T", duration = 3000 }) end) end
    for i = 1, 5 do mp.after(0, function() over(use:wait(player, 3000)) end) end
  end
end)
mp.command("close", { console = true }, function()
  for _, player in ipairs(mp.players.all()) do player:open_menu{ title = "R", items = { { label = "x" } } }:close() end
end)`
			s.start("shop", source)
			before := runtime.NumGoroutine()
			s.rt.ConsoleCommand("go")
			s.settle()
			if n := runtime.NumGoroutine() - before; n < 10*players-1 {
				t.Fatalf("only %d goroutines wait", n)
			}
			switch way {
			case "leave":
				for _, g := range guests {
					g.leave()
				}
			case "stop":
				s.stop("shop")
			case "reload":
				s.reload("shop", source)
			case "time":
				s.rt.ConsoleCommand("close")
				for range 3 {
					s.tick()
					s.advance(5 * time.Second)
				}
			}
			s.settle()
			if got := s.took(); !strings.HasPrefix(got, "ended\t") {
				t.Errorf("the log has %s", got)
			}
			if s.live["shop"] != nil {
				if n := s.held("shop"); n > 1 { // the action
					t.Errorf("%d handles are kept", n)
				}
				s.end("shop", resources.StopStop)
				s.settle()
			}
			if len(s.rt.actions) != 0 {
				t.Error("an action is left")
			}
			noMoreGoroutines(t, before)
		})
	}
}
