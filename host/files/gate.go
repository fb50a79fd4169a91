package files

import (
	"net"
	"net/netip"
	"sync"
)

const (
	maxConnections = 64
	maxPerAddress  = 4
	maxRefusals    = 256 // connections over a limit that get an answer at once
)

type verdict uint8

const (
	serve  verdict = iota
	refuse         // 503
	drop           // closed without an answer
)

// gate counts the connections under way and can end them all.
type gate struct {
	mu       sync.Mutex
	open     map[net.Conn]verdict
	served   int
	refused  int
	byPeer   map[netip.Addr]int // of those served
	shutting bool
}

// peer is what the limit per address counts: an IPv4 address, or the /64 of an IPv6 address.
func peer(a net.Addr) netip.Addr {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	ip := tcp.AddrPort().Addr().Unmap().WithZone("")
	if ip.Is6() {
		net64, _ := ip.Prefix(64)
		return net64.Addr()
	}
	return ip
}

func (g *gate) enter(c net.Conn, from netip.Addr) verdict {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open == nil {
		g.open, g.byPeer = map[net.Conn]verdict{}, map[netip.Addr]int{}
	}
	v := serve
	switch {
	case g.shutting:
		return drop
	case g.served < maxConnections && g.byPeer[from] < maxPerAddress:
		g.served++
		g.byPeer[from]++
	case g.refused < maxRefusals:
		g.refused++
		v = refuse
	default:
		return drop
	}
	g.open[c] = v
	return v
}

func (g *gate) leave(c net.Conn, from netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open[c] == refuse {
		g.refused--
	} else {
		g.served--
		if g.byPeer[from]--; g.byPeer[from] == 0 {
			delete(g.byPeer, from)
		}
	}
	delete(g.open, c)
}

// shut closes what is open and lets nothing in any more.
func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shutting = true
	for c := range g.open {
		c.Close()
	}
}
