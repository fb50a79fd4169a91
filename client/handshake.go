package client

import (
	"crypto/rand"
	"encoding/binary"
	"net/netip"
	"slices"
	"time"

	"darqline/protocol"
)

// Numbers of page Connection, "Handshake", "Moving" and "ConnectChallenge".
const (
	helloInterval    = 500 * time.Millisecond
	helloTimeout     = 10 * time.Second
	answerInterval   = 250 * time.Millisecond // challenges are answered at most 4 times a second
	silentKeepalives = 3                      // without a packet, before the client asks to go on from where it is
	maxNonces        = 8                      // of one session, of which the newest are kept
)

// attempt is one handshake: to join, or with resume to go on from another address. Its nonce is random.
type attempt struct {
	nonce    uint64
	resume   uint64
	cookie   [24]byte
	proven   bool // there is a cookie
	password bool // the server wants one
	begun    time.Duration
	sent     time.Duration // the last hello
	answered time.Duration // the last hello that answered a challenge at once
}

func newAttempt(now time.Duration, resume uint64) *attempt {
	a := &attempt{resume: resume, begun: now, sent: now - helloInterval, answered: now - answerInterval}
	for a.nonce == 0 {
		var b [8]byte
		rand.Read(b[:])
		a.nonce = binary.LittleEndian.Uint64(b[:])
	}
	return a
}

// next is when the attempt has something to do: the next hello, or giving up.
func (a *attempt) next() time.Duration {
	return min(a.sent+helloInterval, a.begun+helloTimeout)
}

// hello is the ClientHello of the attempt as it stands.
func (a *attempt) hello(c *Config) *protocol.ClientHello {
	p := &protocol.ClientHello{
		Version: protocol.Version,
		Nonce:   a.nonce,
		Cookie:  a.cookie,
		Resume:  a.resume,
		Name:    c.Name,
		Serial:  c.Serial,
		Locale:  c.Locale,
	}
	if a.proven && a.password && c.Password != "" {
		p.Proof = protocol.PasswordProof(c.Password, a.nonce, a.cookie)
	}
	return p
}

// challenge takes a cookie. It says whether to answer at once; the next hello carries the newest one in any case.
func (a *attempt) challenge(now time.Duration, p *protocol.ConnectChallenge) bool {
	a.cookie, a.proven = p.Cookie, true
	a.password = p.Flags&protocol.ChallengePassword != 0
	if now-a.answered < answerInterval {
		return false
	}
	a.answered = now
	return true
}

// sessionInfo is what an accepted ServerHello says. The endpoint of client files is the game server's own address.
func sessionInfo(server netip.AddrPort, p *protocol.ServerHello) Session {
	return Session{
		Server:      server,
		Files:       netip.AddrPortFrom(server.Addr(), p.ClientFilesPort),
		ServerName:  p.ServerName,
		BootID:      p.BootID,
		MaxPlayers:  int(p.MaxPlayers),
		PlayerID:    p.PlayerID,
		PlayerToken: p.PlayerToken,
		Name:        p.Name,
		SignIn:      p.State == protocol.HelloPreAuth,
		AuthNonce:   p.AuthNonce,
		Keepalive:   time.Duration(p.Keepalive) * time.Millisecond,
		Timeout:     time.Duration(p.Timeout) * time.Millisecond,
	}
}

// driveAttempt repeats the hello and gives up in time.
func (cn *connection) driveAttempt(now time.Duration) time.Duration {
	if now-cn.attempt.begun >= helloTimeout {
		if cn.session == nil {
			cn.finish(&EndError{Kind: NoAnswer})
			return never
		}
		cn.move(now) // with a new nonce, until the session's own timeout
	}
	if now-cn.attempt.sent >= helloInterval {
		cn.sendHello(now)
	}
	return cn.attempt.next()
}

func (cn *connection) sendHello(now time.Duration) {
	if cn.broken && cn.session != nil {
		cn.reopen()
	}
	cn.attempt.sent = now
	cn.send(cn.attempt.hello(&cn.client.config))
}

// move begins to ask the server to go on with this session from the address that the client has now. Earlier tries may
// have reached it too, although no answer came back: their nonces stay the session's own.
func (cn *connection) move(now time.Duration) {
	cn.attempt = newAttempt(now, cn.session.token)
	if len(cn.nonces) == maxNonces {
		cn.nonces = slices.Delete(cn.nonces, 1, 2)
	}
	cn.nonces = append(cn.nonces, cn.attempt.nonce)
}

// receiveHandshake takes the packets that belong to a nonce and not to the session. None of another nonce is believed:
// they could come from anyone.
func (cn *connection) receiveHandshake(now time.Duration, b []byte) {
	_, p, err := protocol.Decode(b, protocol.ServerToClient)
	if err != nil {
		cn.client.log.Debug("a malformed packet is dropped", "error", err)
		return
	}
	switch p := p.(type) {
	case *protocol.ConnectChallenge:
		if a := cn.attempt; a != nil && p.Nonce == a.nonce && a.challenge(now, p) {
			cn.sendHello(now)
		}
	case *protocol.ServerHello:
		cn.hello(now, p)
	case *protocol.ConnectReject:
		cn.reject(now, p)
	case *protocol.KickNotify:
		if cn.session != nil && slices.Contains(cn.nonces, p.Nonce) {
			cn.finish(&EndError{Kind: Kicked, Reason: p.Reason, Text: p.Text, Seconds: p.Seconds})
		}
	}
}

// hello takes a ServerHello. Who is connecting accepts a new session alone, who is connected only that it was moved.
func (cn *connection) hello(now time.Duration, p *protocol.ServerHello) {
	moved := p.State == protocol.HelloMoved
	switch {
	case cn.session == nil && !moved && p.Nonce == cn.attempt.nonce:
		cn.begin(now, p)
	case cn.session != nil && moved && p.Token == cn.session.token:
		if at := slices.Index(cn.nonces, p.Nonce); at > 0 {
			cn.nonces = cn.nonces[at:]
			cn.hear(now)
		}
	}
}

// begin makes the session of an accepted ServerHello.
func (cn *connection) begin(now time.Duration, p *protocol.ServerHello) {
	cn.nonces, cn.attempt = []uint64{p.Nonce}, nil
	cn.heard, cn.accepted, cn.spoke = now, now, false
	cn.session = newSession(cn, p)
	cn.connected.Store(true)
	cn.client.shared.Store(cn.session.shared)
	cn.client.handler.Connected(cn.session.info)
	cn.session.start()
}

// reject takes a ConnectReject of the hello under way. Where there is nothing to go on from, the client connects anew.
func (cn *connection) reject(now time.Duration, p *protocol.ConnectReject) {
	switch {
	case cn.attempt == nil || p.Nonce != cn.attempt.nonce:
	case cn.session == nil || p.Reason != protocol.ReasonResume:
		cn.finish(&EndError{Kind: Rejected, Reason: p.Reason, Text: p.Text, Seconds: p.Seconds})
	default:
		cn.endSession()
		cn.attempt = newAttempt(now, 0)
		cn.client.handler.Link(LinkAnew)
	}
}
