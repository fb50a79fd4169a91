package world

import (
	"testing"

	"darqline/protocol"
)

func TestPlatformKeys(t *testing.T) {
	r := newRig(t)
	l := r.connect("Alice")
	var p *Player
	r.do(func(tx Tx) { p = tx.Join(l) })
	var joined *protocol.PlatformKeys
	for _, m := range l.sent {
		if m, ok := m.(*protocol.PlatformKeys); ok {
			joined = m
		}
	}
	if joined == nil || *joined != *protocol.DefaultPlatformKeys() {
		t.Fatalf("at the join: %v", joined)
	}
	l.drain()
	set := func(who *Player, change map[protocol.Function]protocol.Key, back ...protocol.Function) string {
		var words string
		r.do(func(tx Tx) {
			if err := tx.SetPlatformKeys(who, change, back...); err != nil {
				words = err.Error()
			}
		})
		return words
	}
	last := func() protocol.PlatformKeys {
		for l.pace.Len() > 0 {
			l.flush()
		}
		if len(l.sent) != 1 {
			t.Fatalf("%d packets", len(l.sent))
		}
		m := *l.sent[0].(*protocol.PlatformKeys)
		l.sent = nil
		return m
	}
	r.want("ok", set(nil, map[protocol.Function]protocol.Key{protocol.FunctionPlayerList: keyOf("F1")}), "")
	r.want("ok", set(p, map[protocol.Function]protocol.Key{protocol.FunctionChat: protocol.KeyNone}), "")
	if k := last(); k.Keys[protocol.FunctionPlayerList] != keyOf("F1") || k.Keys[protocol.FunctionChat] != 0 {
		t.Errorf("merged: %v", k)
	}
	r.want("back", set(p, nil, protocol.FunctionChat), "")
	if k := last(); k.Keys[protocol.FunctionChat] != keyOf("T") {
		t.Errorf("back: %v", k)
	}
	for _, test := range []struct {
		change map[protocol.Function]protocol.Key
		error  string
	}{
		{map[protocol.Function]protocol.Key{protocol.FunctionCursor: keyOf("T")}, `"T" is the key of chat and of cursor`},
		{map[protocol.Function]protocol.Key{protocol.FunctionCursor: keyOf("Escape")}, `cursor: Escape is the pause menu's, and cancels`},
		{map[protocol.Function]protocol.Key{protocol.FunctionMenuUp: 0}, `a menu needs the keys of menu_up, menu_down, menu_select and menu_back: they cannot be switched off`},
		{map[protocol.Function]protocol.Key{protocol.FunctionMenuUp: keyOf("Down")}, `"Down" is the key of menu_up and of menu_down`},
	} {
		r.want("refused", set(nil, test.change), test.error)
		r.want("refused", set(p, test.change), test.error)
	}
	if l.pace.Len() != 0 {
		t.Error("what was refused is sent")
	}
	r.want("a menu's key may be another function's", set(nil, map[protocol.Function]protocol.Key{protocol.FunctionCursor: keyOf("Up")}), "")
	last()
	r.want("his own", set(p, map[protocol.Function]protocol.Key{protocol.FunctionChat: keyOf("B")}), "")
	r.want("which the server takes for another", set(nil, map[protocol.Function]protocol.Key{protocol.FunctionTeamChat: keyOf("B")}), "")
	if k := last(); k.Keys[protocol.FunctionChat] != keyOf("T") || k.Keys[protocol.FunctionTeamChat] != keyOf("B") {
		t.Errorf("he keeps his own: %v", k)
	}
	r.do(func(tx Tx) {
		_, err := tx.DeclareAction(ActionSpec{Name: "x", Label: "x", Key: keyOf("B"), When: everywhere, By: "r"})
		if err == nil || err.Error() != `field "key": "B" is the platform's team_chat` {
			t.Error(err)
		}
		if _, err := tx.DeclareAction(ActionSpec{Name: "x", Label: "x", Key: keyOf("Tab"), When: everywhere, By: "r"}); err != nil {
			t.Errorf("a key that is free now: %v", err)
		}
	})
}
