package session

import (
	"encoding/binary"
	"net/netip"
	"time"

	"darqline/protocol"
)

// hello is the order of work on a ClientHello (page Connection, Handshake), cheapest first: a stranger costs no more
// than the proof of his address, and nothing is kept of him.
func (s *Sessions) hello(now time.Duration, from netip.AddrPort, b []byte) {
	if binary.LittleEndian.Uint16(b[1:]) != protocol.Version {
		return
	}
	m := &s.hi
	if _, err := s.codec.DecodeInto(b, protocol.ClientToServer, m); err != nil {
		s.stats.Malformed++
		return
	}
	host := s.hosts.of(hostOf(from))
	if !s.cookies.valid(now, from, m.Nonce, &m.Cookie) {
		s.challenge(now, from, host, m.Nonce)
		return
	}
	if !host.hellos.Take(now, 4, 8, 1) || !s.hosts.all.hellos.Take(now, 500, 500, 1) {
		return
	}
	key, here := attemptKey{from, m.Nonce}, s.byAddr[from]
	switch {
	case here != nil && here.nonce == m.Nonce:
		here.repeatHello(now)
	case s.verdicts.repeat(now, key, s):
	case s.attempts[key] != nil: // pending
	case s.outdated(from, m):
		s.challenge(now, from, host, m.Nonce)
	case m.Resume != 0:
		s.move(now, key, m)
	default:
		s.apply(now, key, *m)
	}
}

func (s *Sessions) challenge(now time.Duration, from netip.AddrPort, host *hostEntry, nonce uint64) {
	rate := float64(s.cfg.Challenges)
	if !host.challenges.Take(now, 10, 20, 1) || !s.hosts.all.challenges.Take(now, rate, rate, 1) {
		return
	}
	s.stats.Challenges++
	p := &s.challenged
	*p = protocol.ConnectChallenge{Nonce: nonce, Cookie: s.cookies.issue(now, from, nonce)}
	if s.cfg.Password != "" {
		p.Flags = protocol.ChallengePassword
	}
	s.send(from, protocol.Header{}, p)
}

// outdated says that a hello was on its way while a later one has been taken, so that it must neither replace nor move
// what that one made: a datagram may come late by as long as its cookie is valid. The cookies tell which was first; a
// client that does mean it proves his address once more.
func (s *Sessions) outdated(from netip.AddrPort, m *protocol.ClientHello) bool {
	issued := issuedAt(m.Cookie)
	if c := s.byAddr[from]; c != nil && issued < c.proven {
		return true
	}
	if c := s.conns[m.Resume]; c != nil && issued < c.proven {
		return true
	}
	for key, a := range s.attempts {
		if key.addr == from && issued < issuedAt(a.hello.Cookie) {
			return true
		}
	}
	return false
}

// verdict is a ConnectReject that is repeated for the same hello.
type verdict struct {
	reject protocol.ConnectReject
	until  time.Duration
	slot   int
}

// verdicts are the latest ones. With more than there is room for the oldest is forgotten: its hello is judged anew.
type verdicts struct {
	of   map[attemptKey]verdict
	ring [maxVerdicts]attemptKey // in the order of their making
	next int
}

func (v *verdicts) add(now time.Duration, key attemptKey, reject protocol.ConnectReject) {
	if oldest := v.ring[v.next]; v.of[oldest].slot == v.next {
		delete(v.of, oldest)
	}
	v.ring[v.next], v.of[key] = key, verdict{reject, now + verdictFor, v.next}
	v.next = (v.next + 1) % len(v.ring)
}

// repeat answers a hello that has its verdict.
func (v *verdicts) repeat(now time.Duration, key attemptKey, s *Sessions) bool {
	old, ok := v.of[key]
	if !ok || now >= old.until {
		return false
	}
	s.send(key.addr, protocol.Header{}, &old.reject)
	return true
}

// refusal is why a hello is not admitted; the zero value is none, as ReasonQuit refuses nobody.
type refusal struct {
	reason  protocol.Reason
	seconds uint32
	text    string
}

// refuse rejects an attempt.
func (s *Sessions) refuse(now time.Duration, a *Attempt, no refusal) {
	s.reject(now, a.key, no)
	s.events = append(s.events, Event{Kind: Refused, Name: a.hello.Name, From: a.key.addr, Reason: no.reason, Text: no.text})
}

// reject answers a hello with ConnectReject, and the same hello with the same answer for 10 s.
func (s *Sessions) reject(now time.Duration, key attemptKey, no refusal) {
	s.stats.Rejected[no.reason]++
	p := protocol.ConnectReject{Nonce: key.nonce, Reason: no.reason, Seconds: no.seconds, Text: plain(no.text)}
	s.verdicts.add(now, key, p)
	s.send(key.addr, protocol.Header{}, &p)
}

func seconds(d time.Duration) uint32 {
	if d <= 0 {
		return 0
	}
	return uint32((d + time.Second - 1) / time.Second)
}
