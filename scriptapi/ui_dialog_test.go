package scriptapi

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources"
)

// dialog is the id of the dialog that a guest was shown last.
func (g *guest) dialog() (id uint32) {
	g.s.t.Helper()
	for _, p := range g.sent {
		switch p := p.(type) {
		case *protocol.DialogShow:
			id = p.DialogID
		case *protocol.DialogTable:
			id = p.DialogID
		case *protocol.DialogForm:
			id = p.DialogID
		}
	}
	if id == 0 {
		g.s.t.Fatalf("%s was shown no dialog", g.name)
	}
	return id
}

// presses answers the dialog that a guest was shown last.
func (g *guest) presses(m protocol.DialogResponse) {
	g.s.t.Helper()
	m.DialogID = g.dialog()
	g.s.do(func(tx world.Tx) { tx.Receive(g.player, &m) })
	g.s.settle()
}

func (g *guest) fills(button protocol.DialogButton, fields ...protocol.FormAnswer) {
	g.s.t.Helper()
	m := &protocol.DialogFormResponse{DialogID: g.dialog(), Button: button, Fields: fields}
	g.s.do(func(tx world.Tx) { tx.Receive(g.player, m) })
	g.s.settle()
}

const (
	accept = protocol.ButtonAccept
	cancel = protocol.ButtonCancel
	extra  = protocol.ButtonExtra
)

// asker is a resource that asks at a command and prints what comes back.
func asker(dialog string) string {
	return `
local function show(v)
  if type(v) ~= "table" then return tostring(v) end
  local keys, out = {}, {}
  for k in pairs(v) do keys[#keys + 1] = k end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, k in ipairs(keys) do out[i] = tostring(k) .. "=" .. show(v[k]) end
  return "{" .. table.concat(out, " ") .. "}"
end
mp.command("ask", { states = { "pre_spawn", "alive" } }, function(player)
  local answer, why = player:ask` + dialog + `
  print(show(answer) .. (why and " " .. why or ""))
end)`
}

// TestAskGivesTheAnswer has an answer of each kind of dialog.
func TestAskGivesTheAnswer(t *testing.T) {
	list := `{ title = "T", items = { "A", { "B", value = 7 }, { text = "C", value = { 1 }, disabled = true } }, buttons = { "OK", "No", "More" } }`
	table := `{ title = "T", columns = { "W", { "Price", align = "right", width = 20 } }, rows = { { "Colt", "$1", value = "colt" }, { "AK", "$2" } } }`
	row := func(b protocol.DialogButton, n uint16) protocol.DialogResponse {
		return protocol.DialogResponse{Button: b, Row: n}
	}
	for _, test := range []struct {
		name, dialog, want string
		answer             protocol.DialogResponse
	}{
		{"message", `{ title = "T", text = "x" }`, `{button=accept}`, row(accept, protocol.NoRow)},
		{"message cancelled", `{ title = "T", text = "x" }`, `nil cancel`, row(cancel, protocol.NoRow)},
		{"extra", `{ title = "T", text = "x", buttons = { extra = "More" } }`, `{button=extra}`, row(extra, protocol.NoRow)},
		{"input", `{ title = "T", input = { min = 1 } }`, `{button=accept text=Jo}`,
			protocol.DialogResponse{Text: "Jo", Row: protocol.NoRow}},
		{"list text", list, `{button=accept index=1 item=A value=A}`, row(accept, 0)},
		{"list value", list, `{button=accept index=2 item={1=B value=7} value=7}`, row(accept, 1)},
		{"list extra", list, `{button=extra}`, row(extra, protocol.NoRow)},
		{"list disabled", list, `nil invalid`, row(accept, 2)},
		{"table", table, `{button=accept index=1 row={1=Colt 2=$1 value=colt} value=colt}`, row(accept, 0)},
		{"table without value", table, `{button=accept index=2 row={1=AK 2=$2}}`, row(accept, 1)},
		{"row out of range", table, `nil invalid`, row(accept, 2)},
		{"no such button", table, `nil invalid`, row(extra, 0)},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStage(t)
			s.start("shop", asker(test.dialog))
			alice := s.join("Alice")
			alice.command("ask")
			alice.presses(test.answer)
			s.said(test.want)
		})
	}
}

// TestFormValues has each type of field, given and left out.
func TestFormValues(t *testing.T) {
	const dialog = `{ title = "T", fields = {
	  { name = "on", type = "boolean", label = "L", initial = true },
	  { name = "n", type = "integer(17..500)", label = "L", initial = 34, slider = true },
	  { name = "f", type = "number(0..1)?", label = "L", step = 0.25 },
	  { name = "s", type = "string(2..4)", label = "L" },
	  { type = "note", label = "Read this" },
	  { name = "c", type = "choice?", label = "L", options = { "Gold", { "Green", value = 5 } }, initial = 5 },
	  { name = "cs", type = "choices(1..2)?", label = "L", options = { "A", { text = "B", value = "b" }, "C" }, initial = { "b", "C" } },
	  { name = "col", type = "color", label = "L", initial = "#FF8000" },
	  { name = "day", type = "date", label = "L", min = "2026-01-01", max = "2026-12-31", initial = "2026-05-01" },
	  { name = "fixed", type = "string(0..9)", label = "L", initial = "x", read_only = true },
	} }`
	s := newStage(t)
	s.start("shop", asker(dialog))
	alice := s.join("Alice")
	alice.command("ask")
	form := alice.sent[0].(*protocol.DialogForm)
	fields := form.Content.Fields
	if n := fields[1]; n.Flags != protocol.FormRequired|protocol.FormInitial|protocol.FormSlider|protocol.FormWhole || n.Number != (protocol.NumberField{Min: 17, Max: 500, Step: 1, Initial: 34}) {
		t.Errorf("integer: %+v", n)
	}
	if c := fields[5]; c.Choice.Initial != 1 || c.Flags&protocol.FormRequired != 0 {
		t.Errorf("choice: %+v", c)
	}
	if c := fields[6]; c.Choices.Initial != 6 || c.Choices.Least != 1 || c.Choices.Most != 2 {
		t.Errorf("choices: %+v", c)
	}
	if c := fields[7]; c.Color != (protocol.RGBA{R: 255, G: 128, A: 255}) {
		t.Errorf("color: %+v", c)
	}
	if d := fields[8]; isoDay(d.Date.Initial) != "2026-05-01" || isoDay(d.Date.Min) != "2026-01-01" {
		t.Errorf("date: %+v", d)
	}
	all := []protocol.FormAnswer{
		{Number: 0, Type: protocol.FormBoolean, Boolean: false},
		{Number: 1, Type: protocol.FormNumber, Float: 40},
		{Number: 2, Type: protocol.FormNumber, Float: 0.75},
		{Number: 3, Type: protocol.FormString, String: "Jo"},
		{Number: 5, Type: protocol.FormChoice, Choice: 1},
		{Number: 6, Type: protocol.FormChoices, Choices: 3},
		{Number: 7, Type: protocol.FormColor, Color: protocol.RGBA{R: 1, G: 2, B: 3, A: 255}},
		{Number: 8, Type: protocol.FormDate, Date: fields[8].Date.Min + 1},
	}
	alice.fills(accept, all...)
	s.said("{button=accept values={c=5 col=rgba(1, 2, 3, 255) cs={1=A 2=b} day=2026-01-02 f=0.75 n=40 on=false s=Jo}}")

	alice.command("ask")
	alice.fills(accept, all[0], all[1], all[3], all[6], all[7])
	s.said("{button=accept values={col=rgba(1, 2, 3, 255) day=2026-01-02 n=40 on=false s=Jo}}")
	alice.command("ask")
	alice.fills(accept, all[0], all[1], all[6], all[7])
	s.said("nil invalid")
	alice.command("ask")
	alice.fills(cancel)
	s.said("nil cancel")
}

// TestFormMayBeEmptyWhereZeroIsAllowed tells "string(0..9)" from "string(1..9)?".
func TestFormMayBeEmptyWhereZeroIsAllowed(t *testing.T) {
	s := newStage(t)
	s.start("shop", asker(`{ title = "T", fields = {
	  { name = "a", type = "string(0..9)", label = "L" }, { name = "b", type = "string(1..9)?", label = "L" },
	  { name = "c", type = "choices(0..1)", label = "L", options = { "A" } }, { name = "d", type = "choices?", label = "L", options = { "A" } } } }`))
	alice := s.join("Alice")
	alice.command("ask")
	alice.fills(accept, protocol.FormAnswer{Number: 0, Type: protocol.FormString})
	s.said("{button=accept values={a= c={}}}")
}

// TestAskErrors has the page's errors, and others, word for word.
func TestAskErrors(t *testing.T) {
	s := newStage(t)
	s.join("Alice")
	form := func(fields string) string { return `{ title = "T", fields = { ` + fields + ` } }` }
	long := func(n int) string { return fmt.Sprintf(`("x"):rep(%d)`, n) }
	for _, test := range []struct{ dialog, want string }{
		{form(`{ name = "a", type = "boolean", label = "L" }, { name = "b", type = "int(1..5)", label = "L" }`),
			`player:ask: field "fields[2].type": unknown type "int(1..5)"; did you mean "integer(1..5)"?`},
		{`{ title = "T", columns = { "A", "B" }, rows = { { "1", "2" }, { "1", "2" }, { "1", "2", "3" } } }`,
			`player:ask: field "rows[3]": 3 cells for 2 columns`},
		{form(`{ name = "a", type = "string(0..200)", label = "L" }, { name = "b", type = "string(0..120)", label = "L" }, { name = "c", type = "boolean", label = "L" }, { name = "d", type = "string(0..256)", label = "L" }, { name = "e", type = "string(0..111)", label = "L" }`),
			`player:ask: the form can be 1,414 bytes, at most 1,200: shorten fields[4] (256 characters)`},
		{`{ text = "x" }`, `player:ask: key "title": a string of 1..128 bytes expected, got nothing`},
		{`{ title = "" }`, `player:ask: key "title": a string of 1..128 bytes expected, got string ""`},
		{`{ title = ` + long(129) + ` }`, `player:ask: key "title": a string of 1..128 bytes expected, got a string of 129 bytes`},
		{`{ title = "a\nb" }`, `player:ask: field "title": control character U+000A`},
		{`{ title = "T", text = ` + long(8193) + ` }`, `player:ask: field "text": 8,193 bytes, at most 8,192`},
		{`{ title = "T", text = ("\n"):rep(600) }`, `player:ask: field "text": 601 lines (one of over 255 bytes counts as several), at most 500`},
		{`{ title = "T", input = {}, text = ` + long(1160) + ` }`, `player:ask: the texts of the dialog have 1,169 bytes together, at most 1,164: shorten text (1,160 bytes)`},
		{`{ title = "T", input = {}, items = {} }`, `player:ask: a dialog has one of input, items, columns with rows, and fields`},
		{`{ title = "T", items = {} }`, `player:ask: field "items": there is nothing to choose`},
		{`{ title = "T", items = { "a", "b", ` + long(256) + ` } }`, `player:ask: field "items[3]": 256 bytes, at most 255`},
		{`{ title = "T", items = { "a", 5 } }`, `player:ask: key "items[2]": a string or a table expected, got number 5`},
		{`{ title = "T", items = { { "a", valeu = 1 } } }`, `player:ask: key "items[1]": a table with the keys text, value and disabled expected, got the unknown key "valeu"; did you mean "value"?`},
		{`{ title = "T", items = { "a" }, start = 2 }`, `player:ask: field "start": 2, but there are 1 rows`},
		{`{ title = "T", rows = { { "a" } } }`, `player:ask: field "columns": rows have headings`},
		{`{ title = "T", columns = { "A" }, rows = { { ` + long(255) + `, "b" } } }`, `player:ask: field "rows[1]": 2 cells for 1 columns`},
		{`{ title = "T", columns = { "A", "B", "C" }, rows = { { ` + long(255) + `, ` + long(255) + `, ` + long(90) + ` } } }`, `player:ask: field "rows[1]": a row of 604 bytes, at most 590`},
		{`{ title = "T", columns = { "A", "B" }, rows = { { "a", "b\1" } } }`, `player:ask: field "rows[1][2]": control character U+0001`},
		{`{ title = "T", columns = { { "A", width = 60 }, { "B", width = 50 } }, rows = { { "a", "b" } } }`, `player:ask: field "columns[2].width": the columns are 110 % wide together, at most 100`},
		{`{ title = "T", sort = true }`, `player:ask: field "sort": it is a table's`},
		{`{ title = "T", timeout = 999 }`, `player:ask: key "timeout": integer 1000..3600000 expected, got 999`},
		{`{ title = "T", cancellable = false, buttons = { "OK", "No" } }`, `player:ask: field "buttons[2]": a cancel button, but the dialog is not cancellable`},
		{`{ title = "T", input = { min = 5, max = 4 } }`, `player:ask: field "input.min": 5 is above max, 4`},
		{`{ title = "T", input = { hidden = true, initial = "x" } }`, `player:ask: field "input.initial": a hidden text has none`},
		{form(``), `player:ask: field "fields": 0 fields, 1 to 24 expected`},
		{form(`{ type = "boolean", label = "L" }`), `player:ask: field "fields[1].name": a field that is filled in has one`},
		{form(`{ name = "a", type = "boolean", label = "L" }, { name = "a", type = "boolean", label = "L" }`), `player:ask: field "fields[2].name": "a" stands there twice`},
		{form(`{ name = "a", type = "string", label = "L", slider = true }`), `player:ask: field "fields[1].slider": a field of type "string" has none`},
		{form(`{ name = "a", type = "number(0..1)", label = "L", slider = true }`), `player:ask: field "fields[1].step": a slider of numbers has one`},
		{form(`{ name = "a", type = "number", label = "L", step = 1 }`), `player:ask: field "fields[1].type": "number": a number with a step has a range, such as "number(0..100)"`},
		{form(`{ name = "a", type = "integer(1..5)", label = "L", initial = 6 }`), `player:ask: field "fields[1].initial": number 6 is no answer to a field of type "integer(1..5)"`},
		{form(`{ name = "a", type = "choice", label = "L" }`), `player:ask: field "fields[1].options": 0 options, 1 to 100 expected`},
		{form(`{ name = "a", type = "choice", label = "L", options = { "A" }, initial = "B" }`), `player:ask: field "fields[1].initial": string "B" is no answer to a field of type "choice"`},
		{form(`{ name = "a", type = "choices(5..6)", label = "L", options = { "A" } }`), `player:ask: field "fields[1].type": "choices(5..6)": there are 1 options`},
		{form(`{ name = "a", type = "date", label = "L", min = "1.5.2026" }`), `player:ask: field "fields[1].min": a date such as "2026-05-01" expected, got "1.5.2026"`},
		{form(`{ name = "a", type = "string(0..300)", label = "L" }`), `player:ask: field "fields[1].type": "string(0..300)": a string has 0 to 256 characters`},
	} {
		if got := s.fault("mp.players.get(0):ask" + test.dialog); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.dialog, got, test.want)
		}
	}
	if got := s.fault(`mp.on("resource_stop", function() mp.players.get(0):ask{ title = "T" } end)`); got != "" {
		t.Error(got)
	}
}

// TestAskCannotWaitInResourceStop asks where a wait would have nobody to go on for.
func TestAskCannotWaitInResourceStop(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", `mp.on("resource_stop", function()
  print(pcall(function() return mp.players.get(0):ask{ title = "T" } end))
  print(pcall(function() return mp.players.get(0):open_dialog{ title = "T" } end))
end)`)
	s.stop("shop")
	s.said("false\tmain.lua:2: player:ask: cannot wait in resource_stop\nfalse\tmain.lua:3: player:open_dialog: the resource stops")
	if len(alice.sent) != 0 {
		t.Errorf("%d packets went out", len(alice.sent))
	}
}

// TestAskEnds has every reason why an ask has no answer.
func TestAskEnds(t *testing.T) {
	for _, test := range []struct {
		reason string
		cause  func(s *stage, alice *guest)
	}{
		{"cancel", func(s *stage, alice *guest) {
			alice.presses(protocol.DialogResponse{Button: cancel, Row: protocol.NoRow})
		}},
		{"timeout", func(s *stage, alice *guest) {
			s.tick()
			s.now += 3001 * time.Millisecond
			s.tick()
			if s.took() != "" {
				panic("it is over before the second is")
			}
			s.now += time.Second
			s.tick()
		}},
		{"closed", func(s *stage, alice *guest) {
			s.start("other", `mp.players.get(0).dialog:close()`)
		}},
		{"replaced", func(s *stage, alice *guest) {
			s.start("other", `mp.players.get(0):open_dialog{ title = "O", replace = true }`)
		}},
		{"death", func(s *stage, alice *guest) {
			s.do(func(tx world.Tx) { tx.Kill(alice.player, nil, protocol.CauseScript) })
		}},
		{"leave", func(s *stage, alice *guest) { alice.leave() }},
		{"invalid", func(s *stage, alice *guest) {
			alice.presses(protocol.DialogResponse{Button: extra, Row: protocol.NoRow})
		}},
		{"stop", func(s *stage, alice *guest) { s.stop("shop") }},
	} {
		t.Run(test.reason, func(t *testing.T) {
			f := newField(t)
			s := f.stage
			alice := f.enter("Alice").guest
			s.start("shop", `
local valid
mp.on("player_leave", function(player) print("left") end)
mp.on("dialog_close", function(dialog, player, reason) print("close", dialog.player == player, dialog.open, reason) end)
local player = mp.players.get(0)
mp.after(0, function()
  local ok, answer, why = pcall(player.ask, player, { title = "T", timeout = 3000, close_on_death = true })
  print("asked", ok, answer, why, player.valid)
end)`)
			s.settle()
			s.took()
			test.cause(s, alice)
			s.settle()
			valid := test.reason != "leave"
			want := fmt.Sprintf("close\ttrue\tfalse\t%s\nasked\ttrue\tnil\t%s\t%v", test.reason, test.reason, valid)
			switch test.reason {
			case "leave":
				want = "left\n" + want
			case "stop": // its handlers are gone
				want = "asked\ttrue\tnil\tstop\ttrue"
			}
			if got := s.took(); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if n := s.handles("shop"); n != 0 {
				t.Errorf("%d handles of dialogs are kept", n)
			}
		})
	}
}

// tick lets the world do what is due.
func (s *stage) tick() {
	s.do(func(tx world.Tx) { tx.Tick() })
	s.settle()
}

// handles counts the dialogs that a state keeps handles of.
func (s *stage) handles(name string) (n int) {
	if in := s.rt.instance(name); in != nil {
		n = in.env.Held(func(thing any) bool { _, ok := thing.(*world.Dialog); return ok })
	}
	return n
}

// TestAskAnywhere asks where a Lua function of the language itself stands between.
func TestAskAnywhere(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", `
local player = mp.players.get(0)
local function ask(where) return player:ask{ title = where, input = {} }.text end
mp.after(0, function()
  print(pcall(ask, "pcall"))
  print(select(2, xpcall(function() return ask("xpcall") end, print)))
  for word in function(_, last) if not last then return ask("iterator") end end do print(word) end
  print((("x"):gsub("x", function() return ask("gsub") end)))
  local list = { 2, 1 }
  table.sort(list, function(a, b) ask("sort") return a < b end)
  print(list[1])
  print(setmetatable({}, { __index = function(_, key) return ask(key) end }).index)
  print(coroutine.wrap(function() return ask("coroutine") end)())
end)`)
	s.settle()
	for range 20 {
		if dialogOf(s, alice) == nil {
			break
		}
		s.now += time.Second
		title := ""
		for _, p := range alice.sent {
			if m, ok := p.(*protocol.DialogShow); ok {
				title = m.Content.Title
			}
		}
		alice.presses(protocol.DialogResponse{Row: protocol.NoRow, Text: title})
	}
	s.said("true\tpcall\nxpcall\niterator\ngsub\n1\nindex\ncoroutine")
}

// TestTenthAskIsBusy holds eight back and shows them in order.
func TestTenthAskIsBusy(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", `
local player = mp.players.get(0)
for i = 1, 10 do mp.after(0, function()
  local answer, why = player:ask{ title = tostring(i) }
  print(i, answer and answer.button, why)
end) end`)
	s.settle()
	s.said("10\tnil\tbusy")
	for i := 1; i <= 9; i++ {
		alice.presses(protocol.DialogResponse{Row: protocol.NoRow})
		s.said(fmt.Sprintf("%d\taccept\tnil", i))
	}
}

// TestHandle opens a dialog and waits for it from two places.
func TestHandle(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", `
local player = mp.players.get(0)
local d = player:open_dialog{ title = "T", input = {} }
print(d == player.dialog, d.open, d.player == player, d.id > 0, d.valid)
for i = 1, 2 do mp.after(0, function() print(i, d:wait().text) end) end
mp.command("late", { states = { "pre_spawn" } }, function() print(d.open, d:wait().text, player.dialog) d:close() end)
`)
	s.start("other", `local d = mp.players.get(0).dialog
print(d.open, pcall(d.wait, d))`)
	s.said("true\ttrue\ttrue\ttrue\ttrue\ntrue\tfalse\tdialog:wait: the dialog is shop's, who alone gets its answer")
	alice.presses(protocol.DialogResponse{Text: "yes", Row: protocol.NoRow})
	s.said("1\tyes\n2\tyes")
	alice.command("late")
	s.said("false\tyes\tnil")
	if s.handles("shop")+s.handles("other") != 0 {
		t.Error("a handle is kept")
	}
}

// TestAskOfWhoLeaves asks in player_leave and in what it ends.
func TestAskOfWhoLeaves(t *testing.T) {
	s := newStage(t)
	alice := s.join("Alice")
	s.start("shop", `
local function ask(where, player) print(where, select(2, player:ask{ title = where })) end
mp.on("player_leave", function(player) ask("leave", player) end)
mp.on("dialog_close", function(dialog, player, reason) print("close", reason) ask("again", player) end)
local player = mp.players.get(0)
mp.after(0, function() ask("first", player) end)`)
	s.settle()
	alice.leave()
	s.said("close\tleave\nagain\tleave\nclose\tleave\nagain\tleave\nfirst\tleave\nleave\tleave")
}

// TestTenThousandWaitsEnd asks 10,000 times, ends all in one of the ways and holds that nothing of them is left.
func TestTenThousandWaitsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 goroutines")
	}
	const players, asks = 1250, 8 // each has one open and seven held
	for _, way := range []string{"leave", "stop", "reload", "timeout", "replace"} {
		t.Run(way, func(t *testing.T) {
			s := newStage(t)
			guests := make([]*guest, players)
			for i := range guests {
				guests[i] = s.join(fmt.Sprint("P", i))
			}
			const source = `
local ended = 0
mp.command("go", { console = true }, function()
  for _, player in ipairs(mp.players.all()) do
    for i = 1, 8 do mp.after(0, function()
      local answer, why = player:ask{ title = "T", timeout = 1000 }
      ended = ended + 1
      if ended == 10000 then print("ended", why) end
    end) end
  end
end)
mp.command("replace", { console = true }, function()
  for _, player in ipairs(mp.players.all()) do
    player:open_dialog{ title = "R", replace = true }:close()
  end
end)`
			s.start("shop", source)
			s.settle()
			before := runtime.NumGoroutine()
			s.rt.ConsoleCommand("go")
			s.settle()
			if n := runtime.NumGoroutine() - before; n < players*asks-1 { // one worker was idle
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
			case "timeout":
				for range 8 {
					s.tick()
					s.now += 2 * time.Second
					s.tick()
				}
			case "replace":
				for range 8 {
					s.rt.ConsoleCommand("replace")
					s.settle()
				}
			}
			s.settle()
			s.said("ended\t" + map[string]string{"leave": "leave", "stop": "stop", "reload": "stop", "timeout": "timeout", "replace": "replaced"}[way])
			if n := s.handles("shop"); n != 0 {
				t.Errorf("%d handles are kept", n)
			}
			if s.live["shop"] != nil {
				s.end("shop", resources.StopStop)
				s.settle()
			}
			noMoreGoroutines(t, before)
		})
	}
}
