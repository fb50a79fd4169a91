package session

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"darqline/host/limit"
	"darqline/protocol"
)

// kickTimes are when KickNotify goes out after the end of a connection.
var kickTimes = [...]time.Duration{0, 100 * time.Millisecond, 300 * time.Millisecond, 700 * time.Millisecond}

// tombstone answers who goes on with a token that has ended.
type tombstone struct {
	addr    netip.AddrPort
	notify  protocol.KickNotify
	since   time.Duration
	until   time.Duration
	sent    int
	answers limit.Bucket
}

// end ends a connection, once: its packets are applied no more. notify sends KickNotify and leaves a tombstone.
func (c *Conn) end(now time.Duration, reason protocol.Reason, text string, wait uint32, notify bool) {
	if c.state == Closing {
		return
	}
	s := c.s
	was := c.state
	s.states[was]--
	c.state = Closing
	delete(s.conns, c.token)
	if s.byAddr[c.addr] == c {
		delete(s.byAddr, c.addr)
	}
	if s.names[c.nameKey] == c {
		delete(s.names, c.nameKey)
	}
	s.leaveHost(c.addr)
	c.signIn.jwt = nil
	s.events = append(s.events, Event{Kind: Left, Conn: c, Reason: reason, Text: text, Joined: was == Joined, SignIn: was == PreAuth})
	if was == Unconfirmed {
		s.release(c) // nobody above ever saw it as a player
	}
	if notify {
		t := &tombstone{addr: c.addr, since: now, until: now + tombstoneFor,
			notify: protocol.KickNotify{Nonce: c.nonce, Reason: reason, Seconds: wait, Text: plain(text)}}
		if len(s.tombs) < maxTombstones { // the others are told once
			s.tombs[c.token] = t
		}
		t.tick(now, s)
	}
	s.wakeAt(now) // events wait
}

// tick sends the KickNotify that is due.
func (t *tombstone) tick(now time.Duration, s *Sessions) {
	for t.sent < len(kickTimes) && now >= t.since+kickTimes[t.sent] {
		t.sent++
		s.send(t.addr, protocol.Header{}, &t.notify)
	}
	if t.sent < len(kickTimes) {
		s.due(t.since + kickTimes[t.sent])
	} else {
		s.due(t.until)
	}
}

// afterlife answers a packet with a token that has ended: KickNotify again, and ClientBye 2 puts it to rest. An
// unknown token gets no answer.
func (s *Sessions) afterlife(now time.Duration, from netip.AddrPort, token uint64, b []byte) {
	t := s.tombs[token]
	if t == nil || t.addr != from {
		s.stats.UnknownToken++
		return
	}
	var bye protocol.ClientBye
	if protocol.ID(b[0]) == protocol.IDClientBye {
		if _, err := s.codec.DecodeInto(b, protocol.ClientToServer, &bye); err == nil && bye.Reason == protocol.ByeKicked {
			delete(s.tombs, token)
		}
		return
	}
	if t.answers.Take(now, closingAnswers, closingAnswers, 1) {
		s.send(t.addr, protocol.Header{}, &t.notify)
	}
}

// bye ends a connection that its client leaves. The answer to KickNotify is right only in Closing.
func (c *Conn) bye(now time.Duration, p *protocol.ClientBye) {
	switch p.Reason {
	case protocol.ByeQuit:
		c.end(now, protocol.ReasonQuit, "", 0, false)
	case protocol.ByeCrashed:
		c.end(now, protocol.ReasonCrashed, "", 0, false)
	}
}

// KickWhere ends the connections that match, each with KickNotify, and says how many. match is called without the lock.
func (s *Sessions) KickWhere(match func(*Conn) bool, reason protocol.Reason, text string, seconds uint32) int {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.conns))
	s.mu.Unlock()
	n := 0
	for _, c := range all {
		if match(c) {
			c.KickFor(reason, text, seconds)
			n++
		}
	}
	return n
}

// plain makes any text one that ConnectReject and KickNotify can hold: a script's text must not keep them from being
// sent.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	n := min(len(text), 127)
	for n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
