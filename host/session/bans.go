package session

import "net/netip"

// BanSubject is what a ban may be about, as far as it is known at the moment.
type BanSubject struct {
	Host    netip.Addr // as HostOf gives it
	Serial  [32]byte   // zeros: none
	NameKey string     // as NameKey gives it; "": not known yet
	Account string     // "": none
}

// Banned is what the banned one is told.
type Banned struct {
	Seconds uint32 // until it ends; protocol.Forever
	Text    string
}

// HostOf is the host of an address: the IP, an IPv6 one as its /64, an IPv4-mapped one as IPv4 (page Connection).
func HostOf(ip netip.Addr) netip.Addr {
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		p, _ := ip.Prefix(64)
		return p.Addr()
	}
	return ip
}

// banned asks for a ban of what is known.
func (s *Sessions) banned(b BanSubject) (Banned, bool) {
	if s.cfg.Banned == nil {
		return Banned{}, false
	}
	return s.cfg.Banned(b)
}
