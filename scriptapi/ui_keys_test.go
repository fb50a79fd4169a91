package scriptapi

import (
	"testing"

	"darqline/protocol"
)

func TestPlatformKeysInLua(t *testing.T) {
	s := newStage(t)
	alice, bobby := s.join("Alice"), s.join("Bobby")
	s.start("keys", `
local keys, player = mp.ui.platform_keys, mp.players.get(0)
print(keys.player_list, player.platform_keys.player_list)
keys.player_list = "F1"
player.platform_keys.chat = false
print(keys.player_list, player.platform_keys.player_list, player.platform_keys.chat, keys.chat)
mp.ui.platform_keys = { accept = "N", decline = "Y" }
player.platform_keys = { chat = "B", cursor = "F3" }
print(keys.accept, player.platform_keys.decline, player.platform_keys.cursor, keys.cursor)
player.platform_keys.cursor = nil
keys.player_list = nil
print(player.platform_keys.cursor, keys.player_list)
`)
	s.said("Tab\tTab\nF1\tF1\tfalse\tT\nN\tY\tF3\tM\nM\tTab")
	last := func(g *guest) (m *protocol.PlatformKeys) {
		for _, p := range g.sent {
			if p, ok := p.(*protocol.PlatformKeys); ok {
				m = p
			}
		}
		return m
	}
	if k := last(alice).Keys[protocol.FunctionChat]; k.String() != "B" {
		t.Errorf("Alice chats with %v", k)
	}
	if k := last(bobby).Keys[protocol.FunctionChat]; k.String() != "T" {
		t.Errorf("Bobby chats with %v", k)
	}
	for _, test := range []struct{ code, want string }{
		{`mp.ui.platform_keys.chat = "M"`, `platform_keys.chat: "M" is the key of chat and of cursor`},
		{`mp.ui.platform_keys.chat = "Tabb"`, `platform_keys.chat: unknown key "Tabb"; did you mean "Tab"?`},
		{`mp.ui.platform_keys.chat = true`, `platform_keys.chat: a key's name or false expected, got true`},
		{`mp.ui.platform_keys.menu_up = false`, `platform_keys.menu_up: a menu needs the keys of menu_up, menu_down, menu_select and menu_back: they cannot be switched off`},
		{`mp.ui.platform_keys.players = "F1"`, `platform_keys.players: no such property`},
		{`mp.ui.platform_keys = { player_lst = "F1" }`, `mp.ui.platform_keys: unknown "player_lst", did you mean "player_list"?`},
		{`mp.players.get(0).platform_keys = { chat = "M", cursor = 5 }`, `player.platform_keys: a key's name or false expected, got number 5`},
	} {
		if got := s.fault(test.code); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.code, got, test.want)
		}
	}
}
