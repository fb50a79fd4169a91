package world

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

func manifestOf(name string, generation uint32, files int) *Manifest {
	m := &Manifest{Name: name, Generation: generation}
	for i := range files {
		m.Files = append(m.Files, protocol.FileEntry{Path: fmt.Sprintf("f%d.html", i), Size: 1})
	}
	return m
}

func (r *rig) publish(m *Manifest) { r.do(func(tx Tx) { tx.Publish(m) }) }

func definition(generation uint32) *ViewDefinition {
	field := func(name, spec string) Field {
		f, err := ParseField(name, spec, []string{"boolean", "integer", "number", "string"}, false)
		if err != nil {
			panic(err)
		}
		return f
	}
	return &ViewDefinition{Resource: "shop", Generation: generation, Name: "shop", Entry: "f0.html", Input: protocol.InputAll,
		Actions: map[string][]Field{
			"buy":   {field("amount", "integer(1..9)"), field("gift", "boolean?"), field("item", "string(1..4)"), field("price", "number(0..1)?")},
			"leave": {},
			"close": {},
		}}
}

func (r *rig) open(p *Player, d *ViewDefinition) (v *View) {
	r.t.Helper()
	r.do(func(tx Tx) {
		var err error
		if v, err = tx.OpenView(p, d); err != nil {
			r.t.Fatal(err)
		}
	})
	return v
}

func (r *rig) status(p *Player, id uint32, s protocol.ViewStatusCode) string {
	r.do(func(tx Tx) { tx.ReceiveViewStatus(p, &protocol.ViewStatus{ViewID: id, Status: s}) })
	return r.took()
}

func (r *rig) action(p *Player, id, revision uint32, action string, fields ...protocol.ViewField) string {
	r.t.Helper()
	count, raw, err := protocol.BuildFields(fields)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.rawAction(p, &protocol.ViewAction{ViewID: id, Revision: revision, Action: action, Count: count, Fields: raw})
}

func (r *rig) rawAction(p *Player, m *protocol.ViewAction) string {
	r.do(func(tx Tx) { tx.ReceiveViewAction(p, m) })
	return r.took()
}

func number(name string, n float64) protocol.ViewField {
	return protocol.ViewField{Name: name, Type: protocol.FieldNumber, Number: n}
}

func text(name, s string) protocol.ViewField {
	return protocol.ViewField{Name: name, Type: protocol.FieldString, String: s}
}

func boolean(name string, b bool) protocol.ViewField {
	return protocol.ViewField{Name: name, Type: protocol.FieldBoolean, Bool: b}
}

func TestManifests(t *testing.T) {
	r := newRig(t)
	r.publish(manifestOf("shop", 1, 8))
	r.publish(manifestOf("empty", 2, 0))
	l := r.connect("Alice") // not confirmed yet
	r.publish(manifestOf("bank", 3, 7))
	r.want("a join gets what runs, in the order of the starts", l.drain(), "files shop 1.0, files shop 1.7, files bank 3.0")
	r.do(func(tx Tx) { tx.Retract("shop", 1) })
	r.publish(manifestOf("shop", 4, 1))
	r.want("a reload", l.drain(), "remove shop 1, files shop 4.0")
	r.do(func(tx Tx) { tx.Retract("empty", 2) })
	r.want("one without files", l.drain(), "")
}

// Row 23: joining right after a restart never gets what was before it.
func TestOnlyTheNewestGenerationIsAnnounced(t *testing.T) {
	r := newRig(t)
	r.publish(manifestOf("shop", 1, 64))
	slow := r.connect("Slow") // gets nothing before the reloads
	for generation := uint32(2); generation <= 5; generation++ {
		r.do(func(tx Tx) { tx.Retract("shop", generation-1) })
		r.publish(manifestOf("shop", generation, 1))
	}
	late := r.connect("Late")
	r.want("who was there", slow.drain(), "remove shop 1, remove shop 2, remove shop 3, remove shop 4, files shop 5.0")
	r.want("who came later", late.drain(), "files shop 5.0")
}

func TestARetractedManifestInTheMiddle(t *testing.T) {
	r := newRig(t)
	l := r.connect("Alice")
	for i := range uint32(6) {
		r.publish(manifestOf(fmt.Sprint("r", i), i+1, 64))
	}
	l.flush() // 25 parts: two and a half of them
	r.do(func(tx Tx) { tx.Retract("r2", 3) })
	r.do(func(tx Tx) { tx.Retract("r5", 6) })
	said := l.drain()
	if n := strings.Count(said, "files r2"); n != 5 {
		t.Errorf("%d parts of what was retracted in the middle, want the 5 of before", n)
	}
	if strings.Contains(said, "files r5") {
		t.Error("a manifest that was retracted before its first part was sent")
	}
	if strings.Count(said, "remove r2") != 1 || strings.Count(said, "remove r5") != 1 {
		t.Error("ResourceRemove goes to everyone, either way")
	}
}

func TestViewLife(t *testing.T) {
	r := newRig(t)
	r.publish(manifestOf("shop", 1, 1))
	l, p := r.join("Alice")
	l.drain()
	r.took()
	v := r.open(p, definition(1))
	r.do(func(tx Tx) {
		for _, topic := range []string{"b", "a"} {
			if err := tx.SetView(v, topic, []byte("[]"), false); err != nil {
				t.Fatal(err)
			}
		}
	})
	r.want("opening", l.drain(), "open 1, data 1 b@0, data 1 a@0")
	r.want("loaded", r.status(p, v.ID, protocol.ViewLoaded), "loaded")
	r.want("loaded again", r.status(p, v.ID, protocol.ViewLoaded), "")
	r.do(func(tx Tx) {
		tx.SetView(v, "a", []byte(`{"n":1}`), true)
		tx.SetView(v, "b", []byte(`{"n":2}`), false)
		tx.SetView(v, "a", []byte(`{"n":3}`), true)
	})
	r.want("the last of each, and no older one behind it", l.drain(), "data 1 b@1, data 1 a@2")
	r.do(func(tx Tx) { tx.CloseView(v, CloseScript); tx.CloseView(v, CloseScript) })
	r.want("closed once", r.took(), "closed script")
	r.want("told once", l.drain(), "close 1")
	r.do(func(tx Tx) {
		if err := tx.SetView(v, "a", []byte("[]"), false); err != nil || tx.ViewState(v) != ViewClosed {
			t.Errorf("set on a closed view: %v", err)
		}
	})
	r.want("nothing goes to a closed view", l.drain(), "")
}

func TestSnapshotFaults(t *testing.T) {
	r := newRig(t)
	_, p := r.join("Alice")
	v := r.open(p, definition(1))
	r.do(func(tx Tx) {
		for topic, want := range map[string]bool{"a": true, "": false, "A": false, strings.Repeat("x", 31): true, strings.Repeat("x", 32): false} {
			if err := tx.SetView(v, topic, []byte("[]"), false); (err == nil) != want {
				t.Errorf("topic %q: %v", topic, err)
			}
		}
		if err := tx.SetView(v, "a", make([]byte, 16<<10), false); err != nil {
			t.Error(err)
		}
		if err := tx.SetView(v, "a", make([]byte, 16<<10+1), false); err == nil {
			t.Error("16 KiB and a byte")
		}
		for i := range 30 {
			if err := tx.SetView(v, fmt.Sprint("t", i), []byte("[]"), false); err != nil {
				t.Error(err)
			}
		}
		if err := tx.SetView(v, "one_more", []byte("[]"), false); err == nil {
			t.Error("33 topics")
		}
	})
}

func TestClosesThatWereNeverOpen(t *testing.T) {
	r := newRig(t)
	r.publish(manifestOf("shop", 1, 1))
	l, p := r.join("Alice")
	l.drain()
	v := r.open(p, definition(1))
	r.do(func(tx Tx) { tx.CloseView(v, CloseScript) })
	r.want("opened and closed between two passes", l.drain(), "")

	first := r.open(p, definition(1))
	r.want("shown", l.drain(), fmt.Sprint("open ", first.ID))
	second, third := r.open(p, definition(1)), (*View)(nil)
	third = r.open(p, definition(1))
	r.do(func(tx Tx) { tx.CloseView(third, CloseScript) })
	r.want("what is on the screen goes with the view that never came", l.drain(), fmt.Sprint("close ", first.ID))
	_ = second
}

func TestAPageUnderAViewThatNeverCameClosesAtItsResourcesEnd(t *testing.T) {
	r := newRig(t)
	r.publish(manifestOf("bank", 1, 1))
	r.publish(manifestOf("shop", 2, 1))
	l, p := r.join("Alice")
	l.drain()
	bank := r.open(p, definition(1))
	l.drain()
	r.open(p, definition(2)) // waits
	r.do(func(tx Tx) {
		if closed := tx.CloseViewsOf(2, CloseStop); len(closed) != 1 {
			t.Errorf("%d views closed", len(closed))
		}
		tx.Retract("shop", 2)
	})
	r.want("sent", l.drain(), fmt.Sprintf("close %d, remove shop 2", bank.ID))
}

func TestCloseReasons(t *testing.T) {
	tests := []struct {
		reason string
		end    func(tx Tx, l *link, p *Player, v *View)
	}{
		{"script", func(tx Tx, _ *link, _ *Player, v *View) { tx.CloseView(v, CloseScript) }},
		{"replaced", func(tx Tx, _ *link, p *Player, _ *View) { tx.OpenView(p, definition(2)) }},
		{"client", func(tx Tx, _ *link, _ *Player, v *View) {
			ViewEvent{View: v, Kind: ViewDidAct, Action: "close"}.Apply(tx)
		}},
		{"reload", func(tx Tx, _ *link, _ *Player, _ *View) { tx.CloseViewsOf(1, CloseReload) }},
		{"stop", func(tx Tx, _ *link, _ *Player, _ *View) { tx.CloseViewsOf(1, CloseStop) }},
		{"leave", func(tx Tx, l *link, _ *Player, _ *View) { tx.Leave(l, protocol.ReasonQuit, "") }},
	}
	for _, test := range tests {
		t.Run(test.reason, func(t *testing.T) {
			r := newRig(t)
			l, p := r.join("Alice")
			v := r.open(p, definition(1))
			l.drain()
			r.took()
			r.do(func(tx Tx) { test.end(tx, l, p, v) })
			want := "closed " + test.reason
			if test.reason == "leave" {
				want += ", player_leave"
			}
			r.want("events", r.took(), want)
			r.do(func(tx Tx) {
				if tx.OpenViewOf(p) == v || tx.ViewState(v) != ViewClosed {
					t.Error("the view is open still")
				}
			})
		})
	}
}

func TestOpenForOneWhoHasLeft(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Alice")
	r.do(func(tx Tx) {
		tx.Leave(l, protocol.ReasonQuit, "")
		v, err := tx.OpenView(p, definition(1))
		if err != nil || tx.ViewState(v) != ViewClosed || tx.OpenViewOf(p) != nil {
			t.Errorf("a view for one who has left: %v, %v", v, err)
		}
	})
}

// What the given page lists as dropped silently in ViewStatus.
func TestViewStatusDropped(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Alice")
	_, other := r.join("Bobby")
	v := r.open(p, definition(1))
	l.drain()
	r.took()
	for _, test := range []struct {
		name   string
		p      *Player
		id     uint32
		status protocol.ViewStatusCode
	}{
		{"another id", p, v.ID + 1, protocol.ViewLoaded},
		{"another connection", other, v.ID, protocol.ViewLoaded},
		{"an unknown status", p, v.ID, 5},
		{"an unknown status", p, v.ID, 255},
	} {
		r.want(test.name, r.status(test.p, test.id, test.status), "")
	}
	r.want("after all that", r.status(p, v.ID, protocol.ViewLoaded), "loaded")
	r.want("repeated", r.status(p, v.ID, protocol.ViewLoaded), "")
	for range 20 {
		r.status(p, 999, protocol.ViewLoaded)
	}
	r.want("past the limit", r.status(p, v.ID, protocol.ViewFailedPage), "")
	r.now += 100 * time.Millisecond
	r.want("10 a second", r.status(p, v.ID, protocol.ViewFailedPage), "failed page")
	r.want("after its end", r.status(p, v.ID, protocol.ViewFailedPage), "")
}

func TestViewFailures(t *testing.T) {
	for status, want := range map[protocol.ViewStatusCode]string{
		protocol.ViewFailedDownload: "failed download", protocol.ViewFailedIntegrity: "failed integrity",
		protocol.ViewFailedPage: "failed page", protocol.ViewFailedNoBrowser: "failed no_browser",
	} {
		r := newRig(t)
		l, p := r.join("Alice")
		v := r.open(p, definition(1))
		l.drain()
		r.took()
		r.want("event", r.status(p, v.ID, status), want)
		r.want("the client has closed it itself", l.drain(), "")
		again := r.open(p, definition(1))
		if status == protocol.ViewFailedNoBrowser {
			r.want("known by now", r.took(), "failed no_browser")
			r.want("nothing is sent", l.drain(), "")
			continue
		}
		r.want("another one", l.drain(), fmt.Sprint("open ", again.ID))
	}
}

// What the given page lists as dropped silently in ViewAction.
func TestViewActionDropped(t *testing.T) {
	good := []protocol.ViewField{text("item", "hat"), number("amount", 2)}
	count, raw, _ := protocol.BuildFields(good)
	const itemSize = 1 + len("item") + 1 + 1 + len("hat")
	edit := func(at int, b byte) []byte {
		out := append([]byte{}, raw...)
		out[at] = b
		return out
	}
	rawOf := func(v *View, count uint8, fields []byte) *protocol.ViewAction {
		return &protocol.ViewAction{ViewID: v.ID, Action: "buy", Count: count, Fields: fields}
	}
	tests := []struct {
		name string
		send func(r *rig, p *Player, v *View) string
	}{
		{"another view", func(r *rig, p *Player, v *View) string { return r.action(p, v.ID+1, 0, "buy", good...) }},
		{"not in the allowlist", func(r *rig, p *Player, v *View) string { return r.action(p, v.ID, 0, "steal") }},
		{"another revision", func(r *rig, p *Player, v *View) string { return r.action(p, v.ID, 1, "buy", good...) }},
		{"undeclared field", func(r *rig, p *Player, v *View) string {
			return r.action(p, v.ID, 0, "buy", append(good, number("x", 1))...)
		}},
		{"fields of an action without", func(r *rig, p *Player, v *View) string { return r.action(p, v.ID, 0, "leave", number("x", 1)) }},
		{"repeated field", func(r *rig, p *Player, v *View) string {
			b := append(append([]byte{}, raw[:itemSize]...), raw[:len(raw)-itemSize]...)
			return r.rawAction(p, rawOf(v, count+1, b))
		}},
		{"wrong type", func(r *rig, p *Player, v *View) string {
			return r.action(p, v.ID, 0, "buy", text("item", "hat"), text("amount", "2"))
		}},
		{"a number for a string", func(r *rig, p *Player, v *View) string {
			return r.action(p, v.ID, 0, "buy", number("item", 1), number("amount", 2))
		}},
		{"a boolean for a number", func(r *rig, p *Player, v *View) string {
			return r.action(p, v.ID, 0, "buy", text("item", "hat"), boolean("amount", true))
		}},
		{"a string for a boolean", func(r *rig, p *Player, v *View) string {
			return r.action(p, v.ID, 0, "buy", append(good, text("gift", "yes"))...)
		}},
		{"out of range", func(r *rig, p *Player, v *View) string {
			return r.action(p, v.ID, 0, "buy", text("item", "hat"), number("amount", 10))
		}},
		{"a fraction of an integer", func(r *rig, p *Player, v *View) string {
			return r.action(p, v.ID, 0, "buy", text("item", "hat"), number("amount", 1.5))
		}},
		{"a longer string", func(r *rig, p *Player, v *View) string {
			return r.action(p, v.ID, 0, "buy", text("item", "shirt"), number("amount", 1))
		}},
		{"an empty string", func(r *rig, p *Player, v *View) string {
			return r.action(p, v.ID, 0, "buy", text("item", ""), number("amount", 1))
		}},
		{"a required field is missing", func(r *rig, p *Player, v *View) string { return r.action(p, v.ID, 0, "buy", text("item", "hat")) }},
		{"count above the fields", func(r *rig, p *Player, v *View) string { return r.rawAction(p, rawOf(v, count+1, raw)) }},
		{"count below the fields", func(r *rig, p *Player, v *View) string { return r.rawAction(p, rawOf(v, count-1, raw)) }},
		{"count of 17", func(r *rig, p *Player, v *View) string { return r.rawAction(p, rawOf(v, 17, raw)) }},
		{"a nonzero byte at the end", func(r *rig, p *Player, v *View) string { return r.rawAction(p, rawOf(v, count, edit(1023, 1))) }},
		{"an unknown type", func(r *rig, p *Player, v *View) string { return r.rawAction(p, rawOf(v, count, edit(5, 3))) }},
		{"a control character", func(r *rig, p *Player, v *View) string { return r.rawAction(p, rawOf(v, count, edit(7, 7))) }},
		{"not UTF-8", func(r *rig, p *Player, v *View) string { return r.rawAction(p, rawOf(v, count, edit(7, 0xFF))) }},
		{"NaN", func(r *rig, p *Player, v *View) string {
			b := append([]byte{}, raw...)
			at := 1 + 4 + 1 + 1 + 3 + 1 + 6 + 1
			copy(b[at:], []byte{0, 0, 0, 0, 0, 0, 0xF8, 0x7F})
			return r.rawAction(p, rawOf(v, count, b))
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			l, p := r.join("Alice")
			v := r.open(p, definition(1))
			l.drain()
			r.took()
			r.want("before it has loaded", r.action(p, v.ID, 0, "buy", good...), "")
			r.status(p, v.ID, protocol.ViewLoaded)
			r.want("dropped", test.send(r, p, v), "")
			r.want("a right one", r.action(p, v.ID, 0, "buy", good...), "buy")
			r.want("with what may be left out", r.action(p, v.ID, 0, "buy", append(good, boolean("gift", true), number("price", 0.5))...), "buy")
		})
	}
}

func TestActionsAreLimited(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Alice")
	v := r.open(p, definition(1))
	l.drain()
	r.status(p, v.ID, protocol.ViewLoaded) // spends one
	for i := range 19 {
		action := "leave"
		if i%2 == 0 {
			action = "steal" // rejected ones spend too
		}
		r.action(p, v.ID, 0, action)
	}
	r.want("20 at once", r.action(p, v.ID, 0, "leave"), "")
	r.now += time.Second
	accepted := 0
	for range 20 {
		if r.action(p, v.ID, 0, "leave") != "" {
			accepted++
		}
	}
	if accepted != 10 {
		t.Fatalf("%d actions after a second, want 10", accepted)
	}
}

func TestActionsOnOlderData(t *testing.T) {
	r := newRig(t)
	l, p := r.join("Alice")
	v := r.open(p, definition(1))
	r.status(p, v.ID, protocol.ViewLoaded)
	r.do(func(tx Tx) { tx.SetView(v, "a", []byte("[]"), true) })
	l.drain()
	r.want("before the new snapshot", r.action(p, v.ID, 0, "leave"), "")
	r.want("on it", r.action(p, v.ID, 1, "leave"), "leave")
	r.want("of the future", r.action(p, v.ID, 2, "leave"), "")
}

func TestSnapshotsAreTakenWholeBehindTheirView(t *testing.T) {
	r := newRig(t)
	r.publish(manifestOf("shop", 1, 64))
	l, p := r.join("Alice")
	v := r.open(p, definition(1))
	r.do(func(tx Tx) { tx.SetView(v, "big", make([]byte, 16<<10), false) })
	l.flush()
	said := l.drain()
	if open, data := strings.Index(said, "open"), strings.Index(said, "data"); open < strings.LastIndex(said, "files") || data < open {
		t.Fatalf("sent %s", said)
	}
	if strings.Count(said, "data 1 big@0") != 16 {
		t.Fatalf("sent %s", said)
	}
	var _ pacer.Lane = l
}

func TestParseField(t *testing.T) {
	types := []string{"boolean", "integer", "number", "string", "text", "choice"}
	for spec, want := range map[string]string{
		"integer":         "",
		"integer(1..9)":   "",
		"integer(-5..5)?": "",
		"string(1..32)":   "",
		"choice(a|b)":     "",
		"choice(a|b)=a":   "",
		"number(0.5..1)":  "",
		"int(1..9)":       `unknown type "int(1..9)"; did you mean "integer(1..9)"?`,
		"float":           `unknown type "float"; a type is boolean, integer, number, string, text, choice`,
		"integer(1..9":    `"integer(1..9": the ) is missing`,
		"integer(1-9)":    `"integer(1-9)": a range is written (low..high)`,
		"integer(a..9)":   `"integer(a..9)": "a" is not a number`,
		"integer(1..b)":   `"integer(1..b)": "b" is not a number`,
		"integer(9..1)":   `"integer(9..1)": the range goes from 9 down to 1`,
		"integer(nan..1)": `"integer(nan..1)": the range goes from nan down to 1`,
		"boolean(1..2)":   `"boolean(1..2)": boolean has no range`,
		"choice":          `"choice": a choice is written choice(one|other)`,
		"choice(a||b)":    `"choice(a||b)": a choice is written choice(one|other)`,
	} {
		_, err := ParseField("x", spec, types, true)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", spec, got, want)
		}
	}
	if _, err := ParseField("x", "integer=5", types, false); err == nil {
		t.Error("a default where none has a place")
	}
}
