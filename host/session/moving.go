package session

import (
	"net/netip"
	"time"

	"darqline/protocol"
)

// AddressChange is connection.address_change: from where a connection may go on (page Connection, Moving).
type AddressChange string

const (
	AddressPort  AddressChange = "port" // also "": from another port of its host
	AddressNever AddressChange = "never"
	AddressAny   AddressChange = "any" // from everywhere
)

// moveEvery is the time between two changes of a connection's address.
const moveEvery = 5 * time.Second

// move lets a connection go on from the address that a hello with its token has proven. One that comes too soon after
// the last is not answered: its client asks again until it may.
func (s *Sessions) move(now time.Duration, key attemptKey, m *protocol.ClientHello) {
	c := s.conns[m.Resume]
	if c == nil || c.state == Unconfirmed || !c.mayMove(key.addr) {
		s.reject(now, key, refusal{reason: protocol.ReasonResume})
		return
	}
	if c.addr != key.addr {
		if c.moved && now-c.movedAt < moveEvery {
			return
		}
		c.moved, c.movedAt = true, now
		s.stats.Moved++
		c.setAddress(key.addr)
	}
	c.nonce, c.proven, c.heard = key.nonce, issuedAt(m.Cookie), now
	c.sendHello(now)
}

// mayMove says whether a connection may go on from an address. From its own it always may: a client that heard nothing
// for a while cannot know that its address is still the same.
func (c *Conn) mayMove(to netip.AddrPort) bool {
	s, from, host := c.s, hostOf(c.addr), hostOf(to)
	switch {
	case to == c.addr:
		return true
	case s.cfg.AddressChange == AddressNever:
		return false
	case host == from:
		return true
	case s.cfg.AddressChange != AddressAny:
		return false
	}
	_, banned := s.banned(BanSubject{Host: host})
	return !banned && (s.byHost[host] < s.cfg.PerHost || to.Addr().Unmap().IsLoopback())
}

// setAddress is the move itself: from now on the packets of the old address are those of a stranger.
func (c *Conn) setAddress(to netip.AddrPort) {
	s, from := c.s, c.addr
	if s.byAddr[from] == c {
		delete(s.byAddr, from)
	}
	c.addr, s.byAddr[to] = to, c
	if hostOf(from) != hostOf(to) {
		s.leaveHost(from)
		s.byHost[hostOf(to)]++
		s.events = append(s.events, Event{Kind: Moved, Conn: c, From: from, To: to})
	}
}

// leaveHost counts a connection of an address's host no more.
func (s *Sessions) leaveHost(addr netip.AddrPort) {
	host := hostOf(addr)
	if s.byHost[host]--; s.byHost[host] == 0 {
		delete(s.byHost, host)
	}
}
