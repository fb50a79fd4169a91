package client

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"darqline/protocol"
	"darqline/protocol/lane"
)

// session is everything between one accepted ServerHello and the end or the next one: the lane both ways, client files,
// the view, the game. It lives on the connection's loop.
type session struct {
	client     *Client
	connection *connection
	handler    Handler
	log        *slog.Logger
	ctx        context.Context // ends with the session
	cancel     context.CancelFunc

	info   Session
	token  uint64
	signIn signIn
	seq    uint32 // of the last keepalive

	out     *lane.Sender
	in      lane.Receiver
	frame   protocol.RemotePlayerSync // reused, so that frames cost no allocation
	own     protocol.PlayerSync       // likewise
	library *library
	views   *views
	shared  *shared
}

func newSession(cn *connection, p *protocol.ServerHello) *session {
	s := &session{
		client:     cn.client,
		connection: cn,
		handler:    cn.client.handler,
		log:        cn.client.log,
		info:       sessionInfo(cn.server, p),
		token:      p.Token,
		signIn:     signIn{open: p.State == protocol.HelloPreAuth},
		out:        lane.NewSender(lane.Config{EventOffset: protocol.EventOffsetClient, Resend: cn.client.config.Resend}),
	}
	s.shared = &shared{game: newGame(cn.begun, s.info, cn.client.config.Keys)}
	s.ctx, s.cancel = context.WithCancel(cn.ctx)
	s.views = &views{session: s}
	s.library = newLibrary(cn.client.cache, s.log, s.handler.Resource, s.views.settled)
	s.library.idle = cn.client.config.NoFiles
	fetcher := &fetcher{network: cn.client.network, cache: cn.client.cache}
	s.library.downloads.launch = func(ctx context.Context, j *job, source use) {
		path := "/" + source.start.name + "/" + source.path
		cn.async(func() func() {
			out := fetcher.fetch(ctx, s.info.Files, path, j.blob, &j.received)
			return func() { s.library.finish(cn.now(), j, out) }
		})
	}
	return s
}

// close aborts everything of the session. Goroutines of it may still end after this; the connection waits for them.
func (s *session) close(reason CloseReason) {
	s.client.shared.CompareAndSwap(s.shared, nil)
	s.cancel()
	s.library.close()
	s.views.end(reason)
}

// async runs work on a goroutine of its own, and what it returns on the loop, unless the session has ended by then.
func (s *session) async(work func(ctx context.Context) func()) {
	s.connection.async(func() func() {
		done := work(s.ctx)
		return func() {
			if s.ctx.Err() == nil {
				done()
			}
		}
	})
}

// push puts a packet on the lane. What is droppable is refused while the server does not keep up; what is not ends the
// connection when the lane is full.
func (s *session) push(p protocol.Packet, droppable bool) {
	b, err := s.connection.encode(protocol.Header{ID: p.ID(), Token: s.token}, p)
	if err != nil {
		s.log.Error("a packet cannot be encoded", "error", err)
		return
	}
	_, err = s.out.Push(s.connection.now(), b, droppable)
	switch {
	case errors.Is(err, lane.ErrRefused):
		s.log.Warn("the server does not keep up; a packet is dropped", "packet", p.ID())
	case err != nil:
		s.connection.finish(&EndError{Kind: Stuck})
	}
}

// drive does what is due and gives the time at which it wants to be called again.
func (s *session) drive(now time.Duration) time.Duration {
	next := min(s.library.drive(s.ctx, now), s.driveGame(now), s.driveSignIn(now))
	s.out.Flush(now, s.connection.write)
	if s.out.Stalled(now) {
		s.connection.finish(&EndError{Kind: Stuck})
	}
	if at, ok := s.out.Next(); ok {
		next = min(next, at)
	}
	return next
}

// receive takes a packet that is not one of the handshake. What passes decoding is a life sign, whatever it says.
func (s *session) receive(now time.Duration, b []byte, h protocol.Header, row *protocol.Row) {
	if h.ID == protocol.IDRemotePlayerSync {
		s.receiveFrame(now, b)
		return
	}
	var p protocol.Packet
	if row.New != nil {
		var err error
		if h, p, err = protocol.Decode(b, protocol.ServerToClient); err != nil {
			s.log.Debug("a malformed packet is dropped", "error", err)
			return
		}
	}
	s.connection.hear(now)
	if !row.HasEvent() {
		s.apply(now, p)
		return
	}
	deliver := s.in.Accept(h.Event)
	s.connection.send(&protocol.ClientAck{Ack: s.in.Ack()}) // for every one, delivered or not
	if deliver {
		s.apply(now, p)
	}
}

func (s *session) receiveFrame(now time.Duration, b []byte) {
	if _, err := s.connection.codec.DecodeInto(b, protocol.ServerToClient, &s.frame); err != nil {
		s.log.Debug("a malformed frame is dropped", "error", err)
		return
	}
	s.connection.hear(now)
	var tell, more bool
	s.shared.do(func(g *game) { tell, more = g.remoteFrame(&s.frame), len(g.events) > 0 })
	if more {
		s.deliver()
	}
	if tell {
		s.handler.Frame(s.frame.PlayerID, s.frame.PlayerToken, &s.frame.Frame)
	}
}

// apply does what a packet says. Packets of pages that this library does not mirror are ignored.
func (s *session) apply(now time.Duration, p protocol.Packet) {
	if s.signIn.open && p != nil && !beforeSignIn(p.ID()) {
		s.log.Debug("a packet before the sign-in is ignored", "packet", p.ID())
		return
	}
	switch p := p.(type) {
	case *protocol.ServerAck:
		if err := s.out.Ack(now, p.Ack); err != nil {
			s.log.Debug("an ack is ignored", "error", err)
		}
	case *protocol.ServerKeepalive:
		s.keepalive(p)
	case *protocol.AuthAccepted:
		s.signedIn(p)
	case *protocol.PlayerLeave:
		s.play(func(g *game) { g.playerLeave(p) })
	case *protocol.ResourceFiles:
		s.library.manifest(p)
	case *protocol.ResourceRemove:
		s.library.remove(p.Name, p.Generation)
	case *protocol.ViewOpen:
		s.views.openNew(p)
	case *protocol.ViewClose:
		s.views.close(p.ViewID)
	case *protocol.ViewData:
		s.views.data(p)
	default:
		s.play(func(g *game) { g.apply(now, p) })
	}
}

// keepalive answers a newer one at once.
func (s *session) keepalive(p *protocol.ServerKeepalive) {
	if !newer(p.Seq, s.seq) {
		return
	}
	s.seq = p.Seq
	s.connection.send(&protocol.ClientPong{Seq: p.Seq, Probe: p.Probe})
	ping := Ping{Loss: int(p.Loss), Clock: p.ServerTime}
	if p.Ping != protocol.NoPing {
		ping.RTT = time.Duration(p.Ping) * time.Millisecond
		s.out.RTT(ping.RTT)
	}
	s.handler.Ping(ping)
}

// start asks for the first spawn as soon as the server would let the player in.
func (s *session) start() {
	s.play(func(g *game) {
		if !s.client.config.NoSpawn {
			g.requestSpawn()
		}
	})
}
