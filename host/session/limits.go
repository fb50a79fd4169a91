package session

import (
	"hash/maphash"
	"net/netip"
	"time"

	"darqline/host/limit"
	"darqline/protocol"
)

// hostEntries is the size of the table (page Connection, Limits).
const hostEntries = 1 << 16

// hostLimits are the limits of strangers by host, in a table of fixed size: a flood from a million hosts keeps no
// memory. Two hosts may share an entry; the index is keyed, so nobody can choose with whom.
type hostLimits struct {
	seed    maphash.Seed
	entries []hostEntry
	all     struct{ challenges, hellos limit.Bucket }
}

type hostEntry struct {
	challenges, hellos, attempts, passwords limit.Bucket
	queries, provenQueries                  limit.Bucket  // without and with a cookie
	lockedUntil                             time.Duration // too many wrong passwords
}

func newHostLimits(entries int) *hostLimits {
	return &hostLimits{seed: maphash.MakeSeed(), entries: make([]hostEntry, entries)}
}

func (h *hostLimits) of(host netip.Addr) *hostEntry {
	return &h.entries[maphash.Comparable(h.seed, host)%uint64(len(h.entries))]
}

// hostOf is the host of an address.
func hostOf(a netip.AddrPort) netip.Addr { return HostOf(a.Addr()) }

// flow is what a connection has sent, against its limits (page Connection, Limits).
type flow struct {
	acks, rest  limit.Bucket // packets a second
	bytes       limit.Bucket
	over, since time.Duration // the last packet above them, and the first of those that came in a row
}

// inARow is how close packets above the limits follow each other in a flood.
const (
	inARow   = time.Second
	floodFor = 5 * time.Second
)

// overLimit drops what is above the packet limits of a connection; 5 s in a row above them end it (reason flood). What
// lay waiting while the server itself stood still is no flood.
func (c *Conn) overLimit(now time.Duration, id protocol.ID, size int) bool {
	f := &c.flow
	var ok bool
	if id == protocol.IDClientAck {
		ok = f.acks.Take(now, 4000, 8000, 1)
	} else {
		ok = f.rest.Take(now, 800, 1600, 1) && f.bytes.Take(now, 256<<10, 512<<10, float64(size))
	}
	if ok {
		return false
	}
	if now-f.over > inARow || f.over == 0 || now < c.s.patience {
		f.since = now
	}
	f.over = now
	if now-f.since >= floodFor {
		c.end(now, protocol.ReasonFlood, "", 0, true)
	}
	return true
}

func (c *Conn) malformed(now time.Duration) {
	c.s.stats.Malformed++
	if now-c.malformedAt >= malformedWindow {
		c.malformedN, c.malformedAt = 0, now
	}
	c.malformedN++
	if c.malformedN >= malformedLimit {
		c.end(now, protocol.ReasonProtocol, "", 0, true)
	}
}
