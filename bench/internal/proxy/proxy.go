// Package proxy is a bad network between players and a server, on real sockets: it loses, doubles, delays and reorders
// datagrams, limits their rate, cuts players off for a while and gives them other ports, as NATs do. Each player comes to the
// server from a host of his own. Chance follows from a seed; when datagrams come does not, so no two runs are the same.
package proxy

import (
	"context"
	"math/rand/v2"
	"net/netip"
	"time"

	"darqline/host/udp"
)

// Config is how bad the network is.
type Config struct {
	Up, Down Way

	Rebind time.Duration // mean time after which a player gets another port; 0: never
	Movers float64       // share of the players to whom that happens

	Outages time.Duration // mean time between two outages of a player; 0: none
	Outage  time.Duration // how long nothing passes, either way

	Seed uint64
}

// Stats are what became of the datagrams.
type Stats struct {
	Up, Down uint64 // that came in
	Lost     uint64 // by chance, in outages and in full queues
	Stray    uint64 // for a port that the player has no more
	Rebinds  uint64
	Outages  uint64
}

// Proxy is one such network. One goroutine, that of Run, owns its state.
type Proxy struct {
	config  Config
	front   udp.Conn
	back    udp.Group
	begun   time.Time
	players []player
	known   map[netip.AddrPort]int
	owners  []int // players by socket of back
	wheel   wheel
	now     time.Duration
	out     []udp.Message
	used    int
	stats   Stats
}

// ports is how many a player has in turn: the first is his again after the last.
const ports = 4

// player is one client and his path.
type player struct {
	address  netip.AddrPort
	host     netip.Addr // towards the server
	sockets  []int      // of back
	port     int        // which of them is his now
	up, down flow
	dice     *rand.Rand
	rebind   time.Duration // when he gets the next port
	outage   time.Duration // when the next one begins
	dark     time.Duration // until when nothing passes
	open     int           // message of this turn that takes more for him, or -1
}

const never = time.Duration(1<<63 - 1)

// Listen opens a proxy on a free port of loopback.
func Listen(server netip.AddrPort, c Config) (*Proxy, error) {
	front, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &Proxy{config: c, front: front, back: udp.NewGroup(server), begun: time.Now(), known: make(map[netip.AddrPort]int)}, nil
}

// Addr is where players find it.
func (p *Proxy) Addr() netip.AddrPort { return p.front.LocalAddr() }

// Run carries datagrams until the context ends. Its Stats are right when it has returned.
func (p *Proxy) Run(ctx context.Context) {
	arrived, free := make(chan []udp.Message), make(chan []udp.Message, 4)
	done := make(chan struct{})
	for range cap(free) {
		ms := make([]udp.Message, 64)
		for i := range ms {
			ms[i].Data = make([]byte, 0, 2048)
		}
		free <- ms
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer close(done)
		p.read(ctx, arrived, free)
	}()
	defer func() {
		cancel()
		p.front.Close()
		<-done
		p.back.Close()
	}()
	ticker := time.NewTicker(turn)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case ms := <-arrived:
			p.now = time.Since(p.begun)
			for i := range ms {
				p.fromPlayer(&ms[i])
			}
			free <- ms
		case <-ticker.C:
			p.turn()
		}
	}
}

// read hands over what players send.
func (p *Proxy) read(ctx context.Context, arrived chan<- []udp.Message, free <-chan []udp.Message) {
	for {
		select {
		case <-ctx.Done():
			return
		case ms := <-free:
			n, err := p.front.ReadBatch(ms[:cap(ms)])
			if err != nil {
				return
			}
			select {
			case arrived <- ms[:n]:
			case <-ctx.Done():
				return
			}
		}
	}
}

// turn takes what the server has sent and passes on what is due.
func (p *Proxy) turn() {
	p.now = time.Since(p.begun)
	p.disturb()
	p.back.Poll(p.fromServer)
	p.used = 0
	for i := range p.players {
		p.players[i].open = -1
	}
	p.wheel.take(p.now, p.deliver)
	p.front.WriteBatch(p.out[:p.used]) // a closed socket ends the reader, and what is lost is lost
}

// disturb begins the outages and changes the ports whose time has come.
func (p *Proxy) disturb() {
	for i := range p.players {
		pl := &p.players[i]
		if p.now >= pl.outage {
			pl.dark, pl.outage = p.now+p.config.Outage, p.now+p.config.Outage+pl.after(p.config.Outages)
			p.stats.Outages++
		}
		if p.now >= pl.rebind {
			pl.rebind = p.now + pl.after(p.config.Rebind)
			pl.port = (pl.port + 1) % ports
			p.stats.Rebinds++
		}
	}
}

// after is between half and one and a half of a time.
func (pl *player) after(mean time.Duration) time.Duration {
	return mean/2 + time.Duration(pl.dice.Int64N(int64(mean)+1))
}

// fromPlayer sends one datagram of a player on its way.
func (p *Proxy) fromPlayer(m *udp.Message) {
	i, ok := p.known[m.Addr]
	if !ok {
		i = p.admit(m.Addr)
	}
	p.stats.Up++
	pl := &p.players[i]
	p.send(pl, &pl.up, i, true, m.Data)
}

// admit makes the path of a player who is heard for the first time.
func (p *Proxy) admit(address netip.AddrPort) int {
	i := len(p.players)
	n := i + 1
	c, number := &p.config, uint64(i)*3
	pl := player{address: address, host: netip.AddrFrom4([4]byte{127, 1, byte(n >> 8), byte(n)}), rebind: never, outage: never, open: -1,
		up: newFlow(&c.Up, c.Seed, number), down: newFlow(&c.Down, c.Seed, number+1), dice: rand.New(rand.NewPCG(c.Seed, number+2))}
	if c.Rebind > 0 && pl.dice.Float64() < c.Movers {
		pl.rebind = p.now + pl.after(c.Rebind)
	}
	if c.Outages > 0 {
		pl.outage = p.now + pl.after(c.Outages)
	}
	p.known[address] = i
	p.players = append(p.players, pl)
	return i
}

// fromServer sends what the server has sent to a port on its way: datagrams of segment bytes in a row.
func (p *Proxy) fromServer(socket int, b []byte, segment int, _ time.Time) {
	i := p.owners[socket]
	pl := &p.players[i]
	for len(b) > 0 {
		var d []byte
		d, b = udp.Cut(b, segment)
		p.stats.Down++
		if pl.port >= len(pl.sockets) || pl.sockets[pl.port] != socket {
			p.stats.Stray++ // the NAT knows this port no more
			continue
		}
		p.send(pl, &pl.down, i, false, d)
	}
}

func (p *Proxy) send(pl *player, f *flow, i int, up bool, d []byte) {
	at, copies := f.fate(p.now, len(d))
	if copies == 0 || p.now < pl.dark {
		p.stats.Lost++
		return
	}
	for _, at := range at[:copies] {
		p.wheel.put(at, i, up, d)
	}
}

// deliver passes on what has arrived.
func (p *Proxy) deliver(d parcel) {
	pl := &p.players[d.player]
	if !d.up {
		p.gather(pl, d.data)
	} else if socket, ok := p.socket(d.player, pl); ok {
		p.back.Send(socket, d.data)
	}
}

// socket is the one that a player has now. It is opened when he sends from it first.
func (p *Proxy) socket(i int, pl *player) (int, bool) {
	for len(pl.sockets) <= pl.port {
		s, err := p.back.Add(pl.host)
		if err != nil { // macOS has 127.0.0.1 alone
			s, err = p.back.Add(netip.Addr{})
		}
		if err != nil {
			return 0, false
		}
		pl.sockets = append(pl.sockets, s)
		p.owners = append(p.owners, i)
	}
	return pl.sockets[pl.port], true
}

// gather puts a datagram for a player to those that leave in this turn. Datagrams of one size leave in one piece.
func (p *Proxy) gather(pl *player, d []byte) {
	if pl.open >= 0 {
		m := &p.out[pl.open]
		if len(d) <= m.Segment && len(m.Data) < m.Segment*udp.MaxSegments {
			m.Data = append(m.Data, d...)
			if len(d) < m.Segment {
				pl.open = -1
			}
			return
		}
	}
	if p.used == len(p.out) {
		p.out = append(p.out, udp.Message{})
	}
	m := &p.out[p.used]
	m.Addr, m.Segment, m.Data = pl.address, len(d), append(m.Data[:0], d...)
	pl.open = p.used
	p.used++
}

// Stats are what became of the datagrams.
func (p *Proxy) Stats() Stats { return p.stats }
