package bans

import (
	"encoding/hex"
	"net/netip"
	"time"
)

// entry is a ban with its line of the file.
type entry struct {
	Ban
	line []byte
}

// index finds bans: by hash what is exact, by the lengths that are in use what is a network.
type index struct {
	all   []*entry // in the order of their making
	nets  map[netip.Prefix][]*entry
	bits4 [33]int // how many networks have each length
	bits6 [129]int
	words map[word][]*entry

	nameKey func(string) string
	soonest time.Time // no ban ends before; zero: none ever
}

// word is a serial, an account, or the key of a name.
type word struct {
	kind Kind
	text string
}

func newIndex(nameKey func(string) string) *index {
	return &index{nets: make(map[netip.Prefix][]*entry), words: make(map[word][]*entry), nameKey: nameKey}
}

// net is the network that a ban is about, if it is about one.
func (b Ban) net() (net netip.Prefix, ok bool) {
	switch b.Kind {
	case Host:
		net, err := parseHost(b.Value)
		return net, err == nil
	case Range:
		net, err := parseRange(b.Value)
		return net, err == nil
	}
	return net, false
}

func (ix *index) word(b Ban) word {
	if b.Kind == Name {
		return word{Name, ix.nameKey(b.Value)}
	}
	return word{b.Kind, b.Value}
}

func (ix *index) count(net netip.Prefix, n int) {
	if net.Addr().Is4() {
		ix.bits4[net.Bits()] += n
	} else {
		ix.bits6[net.Bits()] += n
	}
}

func (ix *index) add(e *entry) {
	ix.all = append(ix.all, e)
	if net, ok := e.net(); ok {
		ix.nets[net] = append(ix.nets[net], e)
		ix.count(net, 1)
	} else {
		w := ix.word(e.Ban)
		ix.words[w] = append(ix.words[w], e)
	}
	ix.endsAt(e.Expires)
}

// remove takes out the entries of a list.
func (ix *index) remove(list []*entry) {
	if len(list) == 0 {
		return
	}
	gone := setOf(list)
	for _, e := range list {
		if net, ok := e.net(); ok {
			removeFrom(ix.nets, net, gone)
			ix.count(net, -1)
		} else {
			removeFrom(ix.words, ix.word(e.Ban), gone)
		}
	}
	ix.all = without(ix.all, gone)
	ix.soonest = time.Time{}
	for _, e := range ix.all {
		ix.endsAt(e.Expires)
	}
}

// endsAt takes note of when a ban ends.
func (ix *index) endsAt(t time.Time) {
	if !t.IsZero() && (ix.soonest.IsZero() || t.Before(ix.soonest)) {
		ix.soonest = t
	}
}

func removeFrom[K comparable](m map[K][]*entry, key K, gone map[*entry]bool) {
	if left := without(m[key], gone); len(left) > 0 {
		m[key] = left
	} else {
		delete(m, key)
	}
}

func setOf(list []*entry) map[*entry]bool {
	set := make(map[*entry]bool, len(list))
	for _, e := range list {
		set[e] = true
	}
	return set
}

// without is what is left of a list; it is a new one.
func without(list []*entry, gone map[*entry]bool) []*entry {
	left := make([]*entry, 0, len(list))
	for _, e := range list {
		if !gone[e] {
			left = append(left, e)
		}
	}
	return left
}

// expired are the entries whose time is over.
func (ix *index) expired(now time.Time) (list []*entry) {
	if ix.soonest.IsZero() || now.Before(ix.soonest) {
		return nil
	}
	for _, e := range ix.all {
		if e.Ban.expired(now) {
			list = append(list, e)
		}
	}
	return list
}

// match finds the ban that lasts longest of those that are about somebody.
func (ix *index) match(now time.Time, host netip.Addr, serial [32]byte, nameKey, account string) (best Ban, ok bool) {
	look := func(list []*entry) {
		for _, e := range list {
			if !e.Ban.expired(now) && (!ok || e.longer(best)) {
				best, ok = e.Ban, true
			}
		}
	}
	host = host.Unmap().WithZone("")
	lengths := ix.bits6[:]
	if host.Is4() {
		lengths = ix.bits4[:]
	}
	for bits, n := range lengths {
		if n > 0 && host.IsValid() {
			net, _ := host.Prefix(bits)
			look(ix.nets[net])
		}
	}
	if serial != [32]byte{} {
		look(ix.words[word{Serial, hex.EncodeToString(serial[:])}])
	}
	if account != "" {
		look(ix.words[word{Account, account}])
	}
	if nameKey != "" {
		look(ix.words[word{Name, nameKey}])
	}
	return best, ok
}
