package session

import (
	"hash/maphash"
	"net/netip"
	"time"

	"darqline/host/limit"
)

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

func newHostLimits() *hostLimits {
	return &hostLimits{seed: maphash.MakeSeed(), entries: make([]hostEntry, hostEntries)}
}

func (h *hostLimits) of(host netip.Addr) *hostEntry {
	return &h.entries[maphash.Comparable(h.seed, host)%hostEntries]
}

// hostOf is the host of an address.
func hostOf(a netip.AddrPort) netip.Addr { return HostOf(a.Addr()) }
