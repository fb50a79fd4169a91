package bots

import (
	"slices"
	"time"
)

// Numbers of a client (page Connection, Moving).
const (
	silentKeepalives = 3 // without a packet, before it asks to go on from where it is
	maxNonces        = 8 // of one session, of which the newest are kept
)

// move asks the server to go on with the session from the address that the bot has now, once it has been silent for a
// while: a NAT may have given the bot another one.
func (b *bot) move(now time.Duration) time.Duration {
	h := &b.hello
	silent := b.heard + silentKeepalives*b.keepalive
	switch {
	case h.packet.Nonce == 0 && now < silent:
		return silent
	case h.packet.Nonce == 0 || now-h.begun >= helloMost:
		h.begin(now, b.random(), b.token)
		if len(b.nonces) == maxNonces {
			b.nonces = slices.Delete(b.nonces, 1, 2)
		}
		b.nonces = append(b.nonces, h.packet.Nonce)
	}
	return b.ask(now)
}

// hear notes that the server is there: nothing is left to ask for.
func (b *bot) hear(now time.Duration) {
	b.heard, b.hello.packet.Nonce = now, 0
}

// moved takes the answer to one of the session's nonces. The server may give it more than once.
func (b *bot) moved(now time.Duration, nonce uint64) {
	if at := slices.Index(b.nonces, nonce); at > 0 {
		b.nonces = slices.Delete(b.nonces, 0, at)
		b.run.moves++
		b.hear(now)
	}
}
