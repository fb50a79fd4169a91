package host_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/host/bans"
	"darqline/host/udp"
	"darqline/host/world"
	"darqline/protocol"
)

// TestEachCheckerCanFail shows each checker of the storm one fault. Those of the judge and of the lookout are shown theirs in
// TestTheJudgeSees and TestTheLookoutSees.
func TestEachCheckerCanFail(t *testing.T) {
	t.Run("wire", func(t *testing.T) {
		for fault, show := range wireFaults {
			w := newWire()
			n := newCable(w, memoryClient{})
			joinOn(w, n)
			if faults := w.verdict(); faults != "" {
				t.Fatalf("a connection that is right: %s", faults)
			}
			show(w, n)
			if !strings.Contains(w.verdict(), fault) {
				t.Errorf("%s: not seen, but %q", fault, w.verdict())
			}
		}
	})
	t.Run("ends", func(t *testing.T) {
		for why, end := range map[string]client.EndError{
			"silence":  {Kind: client.Silence},
			"stuck":    {Kind: client.Stuck},
			"lane":     {Kind: client.Kicked, Reason: protocol.ReasonLane},
			"timeout":  {Kind: client.Kicked, Reason: protocol.ReasonTimeout},
			"flood":    {Kind: client.Kicked, Reason: protocol.ReasonFlood},
			"protocol": {Kind: client.Kicked, Reason: protocol.ReasonProtocol},
			"kicked":   {Kind: client.Kicked, Reason: protocol.ReasonKicked},
			"banned":   {Kind: client.Rejected, Reason: protocol.ReasonBanned},
			"in use":   {Kind: client.Rejected, Reason: protocol.ReasonNameInUse},
			"full":     {Kind: client.Rejected, Reason: protocol.ReasonFull},
		} {
			s, seat := &storm{town: &town{bubble: &bubble{}}}, &seat{citizen: &citizen{}}
			s.cfg.Connection.Timeout = 10 * time.Second
			s.try(seat, time.Nanosecond)
			if s.fair(seat, &end, time.Time{}) {
				t.Errorf("%s: not seen", why)
			}
		}
	})
	t.Run("liveness", func(t *testing.T) {
		inStorm(t, func(s *storm) {
			if what := s.waitsFor(""); what != "" {
				t.Fatalf("all is well: %s", what)
			}
			citizen := s.seats[3]
			for fault, do := range map[string]func() (undo func()){
				"is not in the world": func() func() {
					s.tell(citizen.who, func(tx world.Tx, p *world.Player) { _ = tx.Kill(p, nil, protocol.CauseScript) })
					return func() {}
				},
				"are not acknowledged": func() func() { // nothing reaches him, and something is said
					s.mem.SetPathTo(serverHost, citizen.from, udp.Path{Loss: 1})
					rest(time.Second)
					return func() { s.line(citizen) }
				},
				"lane is not empty": func() func() {
					s.mem.SetPathTo(citizen.from, serverHost, udp.Path{Loss: 1})
					citizen.who.speakNumbered()
					rest(time.Second)
					return func() { s.line(citizen) }
				},
				"does not see": func() func() {
					p := citizen.who
					p.mu.Lock()
					defer p.mu.Unlock()
					row := p.rows[0]
					delete(p.rows, 0)
					return func() { p.mu.Lock(); defer p.mu.Unlock(); p.rows[0] = row }
				},
				"is not here": func() func() {
					who := citizen.who
					citizen.who, citizen.gone = nil, time.Now()
					return func() { citizen.who = who }
				},
			} {
				undo := do()
				seen := s.waitsFor("")
				undo()
				if !strings.Contains(seen, fault) {
					t.Errorf("%s: not seen, but %q", fault, seen)
				}
				s.eventually(30*time.Second, "all is well again after "+fault, func() bool { return s.waitsFor("") == "" })
			}
		})
	})
	t.Run("agreement", func(t *testing.T) {
		inStorm(t, func(s *storm) {
			var all []*person
			for _, seat := range s.seats {
				seat.who.move(stand)
				all = append(all, seat.who)
			}
			s.eventually(5*time.Second, "they agree", func() bool { what, _ := s.agreement(all); return what == "" })
			s.tell(all[0], func(tx world.Tx, p *world.Player) { tx.SetHidden(p, true, "town") }) // and nobody has been told yet
			if what, _ := s.agreement(all); what == "" {
				t.Error("one who is shown and not in scope: not seen")
			}
		})
	})
	t.Run("handles", func(t *testing.T) {
		f := files{"census/resource.toml": "", "census/main.lua": stormFiles["census/main.lua"] + "\nmp.on('player_chat', function(p) here[p] = nil end)"}
		inBubble(t, 1, f, nil, func(b *bubble) {
			alice := b.join("Alice")
			_ = alice.c.Chat("forget me")
			rest(time.Second)
			alice.leave()
			rest(time.Second)
			if b.logs.count("CENSUS left and was not here") != 1 {
				t.Errorf("a leave without a join: not seen\n%s", b.logs.String())
			}
		})
	})
	t.Run("restart", func(t *testing.T) {
		j := newJudge()
		j.join(1, 5)
		if j.restarted(); j.verdict() == "" {
			t.Error("one who has not left: not seen")
		}
		now := time.Now()
		ban := bans.Ban{ID: 3, Kind: bans.Name, Value: "Tommy"}
		if lostBans([]bans.Ban{ban}, nil, nil, now) == "" {
			t.Error("a ban that is lost: not seen")
		}
		if lostBans(nil, []bans.Ban{ban}, map[int]bool{3: true}, now) == "" {
			t.Error("a ban that was lifted: not seen")
		}
	})
	t.Run("trace", func(t *testing.T) {
		a, b := newTrace(), newTrace()
		b.began = a.began
		a.note(true, somewhere, []byte{1, 2})
		b.note(true, somewhere, []byte{1, 2, 3})
		if a.sum() == b.sum() || a.common(&b) != 0 {
			t.Error("two games that are not the same: not seen")
		}
	})
}

// inStorm is a storm before its first fault, with everybody in.
func inStorm(t *testing.T, test func(s *storm)) {
	stormOf(t, 1, 0, test)
}

var somewhere = netip.MustParseAddrPort("203.0.113.5:4000")

const somebodysToken = 77

// joinOn shows a wire a connection: challenge, hello, an event each way, and their acks.
func joinOn(w *wire, n *cable) {
	cookie := [24]byte{1}
	hello := &protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: "Alice"}
	w.reads(somewhere, encoded(protocol.Header{}, hello))
	w.writes(somewhere, encoded(protocol.Header{}, &protocol.ConnectChallenge{Nonce: 7, Cookie: cookie}))
	hello.Cookie = cookie
	n.writes(encoded(protocol.Header{}, hello), somewhere)
	w.reads(somewhere, encoded(protocol.Header{}, hello))
	accepted := encoded(protocol.Header{}, &protocol.ServerHello{Nonce: 7, Token: somebodysToken, BootID: 1, PlayerToken: 5, ServerName: "S", Name: "Alice",
		Keepalive: 1000, Timeout: 10000, MaxPlayers: 10, ClientFilesPort: 7777})
	w.writes(somewhere, accepted)
	n.reads(accepted)
	w.message(n, 1, "one", true)
	n.tells(5, client.Message{Text: "one"})
	n.writes(encoded(protocol.Header{Token: somebodysToken}, &protocol.ClientAck{Ack: 1}), somewhere)
	w.reads(somewhere, encoded(protocol.Header{Token: somebodysToken}, &protocol.ClientAck{Ack: 1}))
	w.chat(n, 1, "hello", true)
	w.writes(somewhere, encoded(protocol.Header{}, &protocol.ServerAck{Ack: 1}))
	n.reads(encoded(protocol.Header{}, &protocol.ServerAck{Ack: 1}))
}

// message shows a message that the server sends, and that arrives.
func (w *wire) message(n *cable, event uint32, text string, arrives bool) {
	b := encoded(protocol.Header{Event: event}, &protocol.ServerMessage{Text: text})
	w.writes(somewhere, b)
	if arrives {
		n.reads(b)
	}
}

// chat shows a line that the client sends, and that arrives.
func (w *wire) chat(n *cable, event uint32, text string, arrives bool) {
	b := encoded(protocol.Header{Token: somebodysToken, Event: event}, &protocol.ClientChat{Text: text})
	n.writes(b, somewhere)
	if arrives {
		w.reads(somewhere, b)
	}
}

// wireFaults are what a wire finds wrong, each with what shows it.
var wireFaults = map[string]func(w *wire, n *cable){
	"the server, connection 4d: event 3 leaves after 1":       func(w *wire, n *cable) { w.message(n, 3, "three", false) },
	"a client, connection 4d: event 3 leaves after 1":         func(w *wire, n *cable) { w.chat(n, 3, "three", false) },
	"the server, connection 4d: event 2 is another when":      func(w *wire, n *cable) { w.message(n, 2, "two", false); w.message(n, 2, "2", false) },
	"a client, connection 4d: event 2 is another when":        func(w *wire, n *cable) { w.chat(n, 2, "two", false); w.chat(n, 2, "2", false) },
	"the server, connection 4d: 513 events are not":           func(w *wire, n *cable) { sendMany(func(e uint32) { w.message(n, e, "x", false) }) },
	"a client, connection 4d: 513 events are not":             func(w *wire, n *cable) { sendMany(func(e uint32) { w.chat(n, e, "x", false) }) },
	"the server, connection 4d: event 2 is acknowledged when": func(w *wire, n *cable) { w.ack(2) },
	"the server, connection 4d: an ack falls from 1 to 0":     func(w *wire, n *cable) { w.ack(0) },
	"a client, connection 4d: event 2 is acknowledged when":   func(w *wire, n *cable) { n.ack(2) },
	"a client, connection 4d: an ack falls from 1 to 0":       func(w *wire, n *cable) { n.ack(0) },
	`is told "one", which is not message 1 of 1`:              func(w *wire, n *cable) { n.tells(5, client.Message{Text: "one"}) }, // twice
	`is told "three", which is not message 1 of 3`: func(w *wire, n *cable) {
		w.message(n, 2, "two", true)
		w.message(n, 3, "three", true)
		n.tells(5, client.Message{Text: "three"})
	},
	"gets 34, and has proven nothing": func(w *wire, n *cable) {
		w.writes(elsewhere, encoded(protocol.Header{}, &protocol.ConnectChallenge{Nonce: 7, Cookie: [24]byte{1}}))
	},
	"has sent 17 bytes and gets 142, and has proven nothing": func(w *wire, n *cable) { // somebody's packet again, from elsewhere
		w.reads(elsewhere, encoded(protocol.Header{Token: somebodysToken}, &protocol.ClientPong{Seq: 1}))
		w.writes(elsewhere, encoded(protocol.Header{}, &protocol.KickNotify{Nonce: 7, Reason: protocol.ReasonTimeout}))
	},
	"sends what cannot be read": func(w *wire, n *cable) { n.writes([]byte{byte(protocol.IDClientPong), 1}, somewhere) },
}

var elsewhere = netip.MustParseAddrPort("203.0.113.6:4000")

func sendMany(send func(event uint32)) {
	for e := range uint32(513) {
		send(e + 2)
	}
}

func (w *wire) ack(n uint32) {
	w.writes(somewhere, encoded(protocol.Header{}, &protocol.ServerAck{Ack: n}))
}

func (n *cable) ack(ack uint32) {
	n.writes(encoded(protocol.Header{Token: somebodysToken}, &protocol.ClientAck{Ack: ack}), somewhere)
}
