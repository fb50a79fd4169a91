package bots

import (
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
)

// hello is the way in.
type hello struct {
	packet   protocol.ClientHello // nonce 0: to begin
	password bool                 // the server wants one
	begun    time.Duration
	sent     time.Duration
	answered time.Duration // the last that went as the answer to a challenge
	after    time.Duration // not to begin before
}

// knock sends ClientHello until there is an answer, and gives up in time.
func (b *bot) knock(now time.Duration) time.Duration {
	h := &b.hello
	switch {
	case now < h.after:
		return h.after
	case h.packet.Nonce == 0:
		r := b.random()
		h.begun, h.sent, h.answered = now, now-helloEvery, now-answerEvery
		h.packet = protocol.ClientHello{Version: protocol.Version, Nonce: r.Uint64() | 1, Name: b.name, Locale: "en"}
		for i := range h.packet.Serial { // of an installation of its own
			h.packet.Serial[i] = byte(r.Uint32())
		}
	case now-h.begun >= helloMost:
		b.end("no answer")
		return forever
	}
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
	switch p := packet.(type) {
	case *protocol.ConnectChallenge:
		if joining && p.Nonce == h.packet.Nonce {
			h.packet.Cookie, h.password = p.Cookie, p.Flags&protocol.ChallengePassword != 0
			if now-h.answered >= answerEvery {
				h.answered = now
				b.sendHello(now)
			}
		}
	case *protocol.ServerHello:
		if joining && p.Nonce == h.packet.Nonce && p.State != protocol.HelloMoved {
			b.admitted(now, p)
		}
	case *protocol.ConnectReject:
		if joining && p.Nonce == h.packet.Nonce {
			b.rejected(now, &client.EndError{Kind: client.Rejected, Reason: p.Reason, Text: p.Text, Seconds: p.Seconds})
		}
	case *protocol.KickNotify:
		if !joining && p.Nonce == h.packet.Nonce {
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
	b.timeout, b.heard = time.Duration(p.Timeout)*time.Millisecond, now
	b.out = lane.NewSender(lane.Config{EventOffset: protocol.EventOffsetClient})
	b.pairs = make([]pair, p.MaxPlayers)
	for len(r.byID) <= int(p.PlayerID) {
		r.byID = append(r.byID, nil)
	}
	r.byID[p.PlayerID] = b
	b.state = preSpawn
	if p.State == protocol.HelloPreAuth {
		b.send(&protocol.ClientBye{Reason: protocol.ByeQuit})
		b.end("cannot sign in, as the server wants it: measure one without [[auth.providers]]")
		return
	}
	b.push(now, &protocol.RequestSpawn{})
}

// rejected tries again where a client may, while the run still waits for its bots.
func (b *bot) rejected(now time.Duration, e *client.EndError) {
	if after, ok := e.Retry(); ok && e.Reason == protocol.ReasonTooMany && b.run.phase == joining {
		b.hello.packet.Nonce, b.hello.after = 0, now+after
		return
	}
	b.endBy(e)
}
