package scriptapi

import (
	"testing"

	"darqline/protocol"
)

func sentTo[P protocol.Packet](g *guest) (found P) {
	g.s.settle()
	for _, p := range g.sent {
		if p, ok := p.(P); ok {
			found = p
		}
	}
	return found
}

func TestChatInLua(t *testing.T) {
	s := newStage(t)
	s.start("t", `
print(mp.chat.radius, mp.chat.bubbles, mp.chat.max_length)
mp.chat.radius, mp.chat.bubbles, mp.chat.max_length = 50, true, 20
print(mp.chat.radius, mp.chat.bubbles, mp.chat.max_length)
mp.chat.radius, mp.chat.bubbles, mp.chat.max_length = nil, false, 128
print(mp.chat.radius)
mp.on("player_chat", function(player, m)
  print(m.channel, m.text, m.name, m.name_color, m.color, m.to)
  if m.text == "no" then return false end
  m.name, m.text, m.color, m.name_color = "[" .. m.name .. "]", m.text .. "!", "#FF0000", "#00FF00"
  if m.text == "psst!" then m.to = { player } end
  kept = m
end)
mp.on("player_chat", function(player, m) print(m.name, m.text) end)
function late() local ok, e = pcall(function() return kept.text end) print(e) end
`)
	s.said("nil\tfalse\t128\n50\ttrue\t20\nnil")
	alice, bobby := s.join("Alice"), s.join("Bobby")
	alice.chat("hi {FF0000}")
	s.said("all\thi {FF0000}\tAlice\tnil\tnil\tnil\n[Alice]\thi {FF0000}!")
	m := sentTo[*protocol.ChatMessage](bobby)
	if m == nil || m.Flags != 0 || m.Color != (protocol.RGBA{R: 255, A: 255}) || m.NameColor != (protocol.RGBA{G: 255, A: 255}) {
		t.Fatalf("sent %+v", m)
	}
	alice.want("all", "[Alice]: hi {FF0000}!")
	bobby.want("all", "[Alice]: hi {FF0000}!")
	alice.chat("no")
	alice.chat("psst")
	alice.want("to himself", "[Alice]: psst!")
	bobby.want("neither", "")
	s.took()
	for _, test := range []struct{ code, want string }{
		{`mp.chat.radius = 20001`, `mp.chat.radius: number 0..20000 expected, got 20001`},
		{`mp.chat.max_length = 0`, `mp.chat.max_length: integer 1..128 expected, got 0`},
		{`mp.chat.send{ text = "" }`, `mp.chat.send: key "text": a string of 1..1024 bytes expected, got string ""`},
		{`mp.chat.send{ text = ("x"):rep(1025) }`, `mp.chat.send: key "text": a string of 1..1024 bytes expected, got a string of 1025 bytes`},
		{`mp.chat.send{ text = "x", to = 5 }`, `mp.chat.send: key "to": a Player or a list of them expected`},
		{`mp.chat.say{ from = mp.players.get(0), text = "a\nb" }`, `mp.chat.say: text: control character U+000A`},
		{`mp.chat.say{ text = "x" }`, `mp.chat.say: key "from": a Player expected, got nothing`},
		{`mp.players.get(0):bubble("x", { duration = 1 })`, `player:bubble: argument 2 "options": options.duration: integer 500..60000 expected, got 1`},
	} {
		if got := s.fault(test.code); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.code, got, test.want)
		}
	}
}

func TestSendAndSay(t *testing.T) {
	s := newStage(t)
	alice, bobby := s.join("Alice"), s.join("Bobby")
	eval := func(code, want string) {
		t.Helper()
		s.took()
		s.start("t", "local a, b = mp.players.get(0), mp.players.get(1)\nprint("+code+")")
		s.said(want)
		s.stop("t")
	}
	eval(`mp.chat.send{ text = "{FF0000}all", kind = "error", color = "#102030" }`, "2")
	if m := sentTo[*protocol.ServerMessage](bobby); m.Kind != protocol.MessageError || m.Flags != protocol.MessageMarkup || m.Color != (protocol.RGBA{R: 16, G: 32, B: 48, A: 255}) {
		t.Errorf("sent %+v", m)
	}
	alice.reads()
	bobby.reads()
	eval(`mp.chat.send{ text = "one", to = a }, mp.chat.send{ text = "list", to = { a, b }, markup = false }, mp.chat.send{ text = "none", to = {} }`, "1\t2\t0")
	alice.want("send", "one\nlist")
	bobby.want("send", "list")
	eval(`mp.chat.send{ text = "near", near = { position = vec3(0, 0, 0), radius = 100000 } }`, "0") // nobody has spawned
	eval(`mp.chat.say{ from = a, text = "hi" }, mp.chat.say{ from = a, text = "team", channel = "team" }`, "2\t1")
	alice.want("say", "Alice: hi\nAlice: team")
	bobby.want("say", "Alice: hi")
	eval(`mp.chat.say{ from = a, name = "{FF0000}VIP", text = "{00FF00}x", markup = true, name_color = "#0000FF", to = b }`, "1")
	if m := sentTo[*protocol.ChatMessage](bobby); m.Flags != protocol.ChatNameMarkup|protocol.ChatTextMarkup || m.NameColor != (protocol.RGBA{B: 255, A: 255}) {
		t.Errorf("sent %+v", m)
	}
	alice.reads()
	bobby.reads()
	s.start("t", `mp.chat.clear(mp.players.get(0)) mp.chat.broadcast("b", "info") mp.players.get(1):message("m")`)
	if m := sentTo[*protocol.ServerMessage](bobby); m == nil {
		t.Error("nothing was sent")
	}
	alice.want("clear and broadcast", "\nb")
	bobby.want("broadcast and message", "b\nm")
}
