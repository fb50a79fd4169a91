// Package session keeps the connections: challenge and admission, tokens, states, the reliable lane and the pacer of
// each, keepalive and ping, silence, kicks and leaves (page Connection).
//
// It has no socket, no goroutine and no clock. Datagrams come in through Receive, time through Tick, datagrams go out
// through Config.Send, and what happened is taken with Events. All methods may be called from any goroutine; nothing
// is called back with the lock held but Send and Wake.
package session

import (
	"crypto/rand"
	"encoding/binary"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"darqline/protocol"
	"darqline/protocol/lane"
)

// Config is what the connections need to know. The keys named are those of server.toml (page Connection, Server
// configuration).
type Config struct {
	ServerName  string        // server.name
	MaxPlayers  int           // server.max_players, 1..1000
	Password    string        // server.password
	FilesPort   uint16        // files.port, as ServerHello tells it
	Keepalive   time.Duration // connection.keepalive
	Timeout     time.Duration // connection.timeout
	Unconfirmed time.Duration // connection.unconfirmed
	PerHost     int           // connection.per_host; loopback is free
	Attempts    int           // connection.attempts, a minute and host
	Challenges  int           // connection.challenges, a second in all
	Resend      lane.Resend   // connection.resend
	Names       Names
	Query       QueryConfig

	AddressChange  AddressChange // connection.address_change
	SignIn         func() bool   // whether players sign in: who is admitted now begins in PreAuth; nil: never. As Banned
	SignInTimeout  time.Duration // auth.timeout
	SignInAttempts int           // auth.attempts

	// Banned looks for a ban; nil: nobody is banned. It is called with the lock held, so it neither blocks nor calls back.
	Banned func(BanSubject) (Banned, bool)

	Now    func() time.Duration // since the start of the server, monotonic
	Wake   func()               // Tick has something to do earlier than it said; does not block
	Logger *slog.Logger

	// Send takes a copy of a datagram, or of several of segment bytes each where segment is not 0. It is called with the
	// lock held.
	Send func(to netip.AddrPort, b []byte, segment int)
}

// Limits that are no configuration.
const (
	maxPending       = 64              // admissions that wait for player_connect
	pendingFor       = 5 * time.Second // then an admission counts as refused
	verdictFor       = 10 * time.Second
	maxVerdicts      = 1024
	tombstoneFor     = 5 * time.Second
	maxTombstones    = 1024
	closingAnswers   = 4 // KickNotify a second to one who goes on
	wrongPasswords   = 5 // a minute and host
	passwordLock     = time.Minute
	malformedLimit   = 50
	malformedWindow  = 10 * time.Second
	silentBeforeSwap = 3 * time.Second // a crashed client that came back on another port
	stallExcuse      = 5 * time.Second // for the acks that came while the server stood still
	standstill       = time.Second     // a loop later than this has stood still
)

// Sessions are all connections of a server.
type Sessions struct {
	mu         sync.Mutex
	cfg        Config
	bootID     uint64
	codec      protocol.Codec
	buf        []byte
	in         inbound
	hi         protocol.ClientHello // as inbound
	ack        protocol.ServerAck
	challenged protocol.ConnectChallenge

	cookies    cookies
	query      query
	hosts      *hostLimits
	attempts   map[attemptKey]*Attempt
	verdicts   verdicts
	conns      map[uint64]*Conn // by token
	byAddr     map[netip.AddrPort]*Conn
	byHost     map[netip.Addr]int // how many
	states     [Closing]int       // how many in each
	names      map[string]*Conn   // by NameKey
	ids        []bool             // taken player ids
	generation uint32             // the last player_token given
	tombs      map[uint64]*tombstone

	closing     bool
	closingText string
	closingFor  uint32

	next     time.Duration // when Tick has something to do
	seen     time.Duration // the last time that was handed in
	patience time.Duration // until then no lane counts as stalled: the server itself stood still
	events   []Event
	frames   []protocol.PlayerSync // those of the events, in order
	taken    []protocol.PlayerSync // those of the events that were taken last; reused after the next time
	bundled  []*Conn               // to whom something is relayed
	stats    Stats
}

type attemptKey struct {
	addr  netip.AddrPort
	nonce uint64
}

// Stats counts what came and went since the start.
type Stats struct {
	PacketsIn, PacketsOut, BytesIn, BytesOut, Malformed, UnknownToken uint64

	Moved      uint64 // connections that went on from another address
	Strayed    uint64 // packets with a live token from an address that is not its own
	Challenges uint64
	Rejected   map[protocol.Reason]uint64

	Queries, QueryChallenges uint64 // answers to server queries

	Players, SigningIn, Unconfirmed int // now
}

// New makes a server without connections.
func New(cfg Config) *Sessions { return newSessions(cfg, hostEntries) }

func newSessions(cfg Config, hostEntries int) *Sessions {
	var boot [8]byte
	rand.Read(boot[:])
	s := &Sessions{
		cfg: cfg, bootID: binary.LittleEndian.Uint64(boot[:]), hosts: newHostLimits(hostEntries),
		attempts: make(map[attemptKey]*Attempt), conns: make(map[uint64]*Conn),
		byAddr: make(map[netip.AddrPort]*Conn), byHost: make(map[netip.Addr]int), names: make(map[string]*Conn),
		ids: make([]bool, cfg.MaxPlayers), tombs: make(map[uint64]*tombstone), next: forever,
	}
	s.verdicts.of = make(map[attemptKey]verdict)
	s.stats.Rejected = make(map[protocol.Reason]uint64)
	return s
}

// forever stands for "nothing to do".
const forever = time.Duration(1<<63 - 1)

// EventKind tells what an Event is about.
type EventKind uint8

const (
	Connecting EventKind = iota // Attempt asks for a verdict: Decide
	Admitted                    // Conn exists and is unconfirmed; its first packets are the manifests
	Confirmed                   // Conn has proven that it has its token
	Received                    // Packet came from Conn, decoded, in its state and in order; a *PlayerSync is valid until the next Events
	Left                        // Conn has ended; Joined or SignIn where it had been confirmed: then Release its id in the end
	Asserted                    // Conn in PreAuth sent JWT whole; it takes no other until SignedIn, SignInFailed or SignInPutOff
	Moved                       // Conn goes on from another host, To instead of From
	Refused                     // an attempt with the wished Name, From where, for Reason and Text; not where a hello asks to go on
)

// Event is something that happened to a connection, in order.
type Event struct {
	Kind    EventKind
	Attempt *Attempt
	Conn    *Conn
	Packet  protocol.Packet
	Reason  protocol.Reason
	Text    string
	Joined  bool // Left: it was past PreAuth
	SignIn  bool // Confirmed, Left: it is, or was, in PreAuth
	JWT     []byte
	Name    string // Refused
	From    netip.AddrPort
	To      netip.AddrPort
}

// Events moves what happened since the last call behind dst.
func (s *Sessions) Events(dst []Event) []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := len(dst)
	dst = append(dst, s.events...)
	clear(s.events)
	s.events = s.events[:0]
	s.frames, s.taken = s.taken[:0], s.frames
	frame := 0
	for i := range dst[first:] {
		if e := &dst[first+i]; e.Kind == Received && e.Packet == nil {
			e.Packet = &s.taken[frame]
			frame++
		}
	}
	return dst
}

// Update takes over the keys that are live. Connections that exist keep the times that they were told.
func (s *Sessions) Update(change func(*Config)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.cfg)
}

// Stats is a copy of the counters.
func (s *Sessions) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.stats
	out.Rejected = make(map[protocol.Reason]uint64, len(s.stats.Rejected))
	for reason, n := range s.stats.Rejected {
		out.Rejected[reason] = n
	}
	out.Unconfirmed, out.SigningIn, out.Players = s.states[Unconfirmed], s.states[PreAuth], s.states[Joined]
	return out
}

// BootID is random, one for each start of the server.
func (s *Sessions) BootID() uint64 { return s.bootID }

// Receive takes one datagram. It is never kept.
func (s *Sessions) Receive(now time.Duration, from netip.AddrPort, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.PacketsIn++
	s.stats.BytesIn += uint64(len(b))
	h, row, err := protocol.Peek(b, protocol.ClientToServer)
	if row == nil || row.Direction == protocol.ServerToClient || len(b) > protocol.MaxPacket {
		return // nothing that is for a server
	}
	s.excuse(now)
	switch row.ID {
	case protocol.IDClientHello:
		if err == nil {
			s.hello(now, from, b)
		}
		return
	case protocol.IDServerQuery:
		if err == nil {
			s.queried(now, from, b)
		}
		return
	}
	if err != nil {
		h.Token = 0
		if len(b) >= 9 {
			h.Token = binary.LittleEndian.Uint64(b[1:])
		}
	}
	c := s.conns[h.Token]
	switch {
	case c == nil:
		s.afterlife(now, from, h.Token, b)
	case c.addr != from:
		s.stats.Strayed++
	case err != nil:
		c.malformed(now)
	default:
		c.receive(now, h, row, b)
		c.schedule(now)
	}
}

// Tick does what is due: keepalives, resends, passes of the pacers, timeouts. It returns when to call it again.
func (s *Sessions) Tick(now time.Duration) (next time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.excuse(now)
	s.next = forever
	for _, a := range s.attempts {
		if now >= a.until {
			s.lapse(now, a)
		} else {
			s.due(a.until)
		}
	}
	for token, t := range s.tombs {
		t.tick(now, s)
		if now >= t.until {
			delete(s.tombs, token)
		}
	}
	for _, c := range s.conns {
		if now >= c.next {
			c.tick(now)
			c.plan(now)
		}
		if c.state != Closing {
			s.due(c.next)
		}
	}
	if len(s.conns)+len(s.attempts) > 0 {
		s.due(now + standstill) // so that a pause is noticed
	}
	return s.next
}

// excuse keeps a pause of the server's own (a loop that came late) from counting as the silence of others. Whichever
// comes first after it, a datagram that waited or the clock, notices.
func (s *Sessions) excuse(now time.Duration) {
	late := now - s.seen
	s.seen = now
	if s.next == forever || now-s.next <= standstill {
		return
	}
	s.next = now
	s.patience = now + stallExcuse
	for _, a := range s.attempts {
		a.until += late
	}
	for _, c := range s.conns {
		c.heard = min(now, c.heard+late)
		c.confirmBy += late
		c.ownUntil += late
		c.signIn.until += late
		c.probes.excuse(now, late)
	}
}

// due makes Tick run at t at the latest.
func (s *Sessions) due(t time.Duration) {
	if t < s.next {
		s.next = t
	}
}

// wakeAt makes Tick run at t at the latest and says so to whoever sleeps until later.
func (s *Sessions) wakeAt(t time.Duration) {
	if t < s.next {
		s.next = t
		s.cfg.Wake()
	}
}

func (s *Sessions) send(to netip.AddrPort, h protocol.Header, p protocol.Packet) {
	b, err := s.codec.Append(s.buf[:0], h, p)
	if err != nil {
		s.cfg.Logger.Error("a packet of the server's own does not encode", "packet", p.ID(), "error", err)
		return
	}
	s.buf = b
	s.sendBytes(to, b)
}

func (s *Sessions) sendBytes(to netip.AddrPort, b []byte) {
	s.stats.PacketsOut++
	s.stats.BytesOut += uint64(len(b))
	s.cfg.Send(to, b, 0)
}

// Close tells everyone that the server closes and admits nobody any more. KickNotify needs 300 ms to get through.
func (s *Sessions) Close(now time.Duration, text string, seconds uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing, s.closingText, s.closingFor = true, text, seconds
	for _, c := range s.conns {
		c.end(now, protocol.ReasonServerClosing, text, seconds, true)
	}
}
