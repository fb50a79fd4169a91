package bots

import (
	"math/rand/v2"
	"slices"
	"time"

	"darqline/client"
	"darqline/protocol"
	"darqline/protocol/lane"
)

// Numbers of page Connection, Handshake.
const (
	helloEvery  = 500 * time.Millisecond
	helloMost   = 10 * time.Second
	answerEvery = 250 * time.Millisecond
	againAfter  = 5 * time.Second
)

// hello is a handshake: to join, or where packet.Resume is a token to go on from another address.
type hello struct {
	packet   protocol.ClientHello // nonce 0: none is under way
	password bool                 // the server wants one
	begun    time.Duration
	sent     time.Duration
	answered time.Duration // the last that went as the answer to a challenge
	after    time.Duration // not to begin before
}

// identify sets what stays the same in all hellos of a bot.
func (h *hello) identify(name string, r *rand.Rand) {
	h.packet = protocol.ClientHello{Version: protocol.Version, Name: name, Locale: "en"}
	for i := range h.packet.Serial { // of an installation of its own
		h.packet.Serial[i] = byte(r.Uint32())
	}
}

// begin begins an attempt with a nonce of its own.
func (h *hello) begin(now time.Duration, r *rand.Rand, resume uint64) {
	h.begun, h.sent, h.answered = now, now-helloEvery, now-answerEvery
	h.packet.Nonce, h.packet.Resume = r.Uint64()|1, resume
	h.packet.Cookie, h.packet.Proof = [24]byte{}, [32]byte{}
}

// knock sends ClientHello until there is an answer, and gives up in time.
func (b *bot) knock(now time.Duration) time.Duration {
	h := &b.hello
	switch {
	case now < h.after:
		return b.part(now)
	case h.packet.Nonce == 0:
		h.begin(now, b.random(), 0)
	case now-h.begun >= helloMost:
		b.end("no answer")
		return forever
	}
	return b.ask(now)
}

// ask repeats the hello, and gives the time when there is more to do.
func (b *bot) ask(now time.Duration) time.Duration {
	h := &b.hello
	if now-h.sent >= helloEvery {
		b.sendHello(now)
	}
	return min(h.sent+helloEvery, h.begun+helloMost)
}

func (b *bot) sendHello(now time.Duration) {
	h := &b.hello
	h.sent = now
	if h.password && b.run.cfg.Password != "" {
		h.packet.Proof = protocol.PasswordProof(b.run.cfg.Password, h.packet.Nonce, h.packet.Cookie)
	}
	b.send(&h.packet)
}

// shake takes the packets that name a nonce, and says whether this is one of them.
func (b *bot) shake(now time.Duration, id protocol.ID, d []byte) bool {
	switch id {
	case protocol.IDConnectChallenge, protocol.IDServerHello, protocol.IDConnectReject, protocol.IDKickNotify:
	default:
		return false
	}
	_, packet, err := protocol.Decode(d, protocol.ServerToClient)
	if err != nil {
		b.run.malformed++
		return true
	}
	h, joining := &b.hello, b.state == outside
	asked := func(nonce uint64) bool { return nonce == h.packet.Nonce && b.state != gone }
	switch p := packet.(type) {
	case *protocol.ConnectChallenge:
		if asked(p.Nonce) {
			h.packet.Cookie, h.password = p.Cookie, p.Flags&protocol.ChallengePassword != 0
			if now-h.answered >= answerEvery {
				h.answered = now
				b.sendHello(now)
			}
		}
	case *protocol.ServerHello:
		switch moved := p.State == protocol.HelloMoved; {
		case joining && !moved && asked(p.Nonce):
			b.admitted(now, p)
		case !joining && moved && p.Token == b.token:
			b.moved(now, p.Nonce)
		}
	case *protocol.ConnectReject:
		if asked(p.Nonce) {
			b.rejected(now, &client.EndError{Kind: client.Rejected, Reason: p.Reason, Text: p.Text, Seconds: p.Seconds})
		}
	case *protocol.KickNotify:
		if !joining && slices.Contains(b.nonces, p.Nonce) {
			b.send(&protocol.ClientBye{Reason: protocol.ByeKicked})
			b.endBy(&client.EndError{Kind: client.Kicked, Reason: p.Reason, Text: p.Text})
		}
	}
	return true
}

// admitted begins the session.
func (b *bot) admitted(now time.Duration, p *protocol.ServerHello) {
	r := b.run
	b.token, b.id, b.playerToken = p.Token, p.PlayerID, p.PlayerToken
	b.timeout, b.keepalive = time.Duration(p.Timeout)*time.Millisecond, time.Duration(p.Keepalive)*time.Millisecond
	b.nonces = append(b.nonces[:0], p.Nonce)
	b.hear(now)
	b.probe, b.weapons, b.said, b.leaves, b.in = 0, weapons{}, 0, forever, lane.Receiver{}
	b.out = lane.NewSender(lane.Config{EventOffset: protocol.EventOffsetClient})
	b.pairs = make([]pair, p.MaxPlayers)
	for len(r.byID) <= int(p.PlayerID) {
		r.byID = append(r.byID, nil)
	}
	r.byID[p.PlayerID] = b
	if r.cfg.Numbered {
		b.marks = make([]mark, p.MaxPlayers)
	}
	b.state = preSpawn
	if p.State == protocol.HelloPreAuth {
		b.send(&protocol.ClientBye{Reason: protocol.ByeQuit})
		b.end("cannot sign in, as the server wants it: measure one without [[auth.providers]]")
		return
	}
	b.push(now, &protocol.RequestSpawn{})
}

// rejected tries again where a client may, while the run still waits for its bots or they come and go. A session that the
// server has forgotten before the bot was in the game is no loss.
func (b *bot) rejected(now time.Duration, e *client.EndError) {
	if b.state == preSpawn && e.Reason == protocol.ReasonResume { // nothing to go on from: it starts anew
		b.vanish()
		b.state, b.hello.packet.Nonce = outside, 0
		return
	}
	after, again := e.Retry()
	switch comes := b.run.cfg.Stay > 0; e.Reason {
	case protocol.ReasonTooMany:
		again = again && (comes || b.run.phase == joining)
	case protocol.ReasonNameInUse: // by itself: its goodbye was lost
		after, again = againAfter, comes
	default:
		again = false
	}
	if again && b.state == outside {
		b.hello.packet.Nonce, b.hello.after = 0, now+after
		return
	}
	b.endBy(e)
}
