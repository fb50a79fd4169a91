package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"darqline/protocol"
)

const (
	maxCalls     = 256 // calls of Client's methods that wait for the loop; one more gets ErrBusy
	maxDatagrams = 64  // datagrams that wait for the loop; further ones wait in the socket
	maxDatagram  = 2048

	byes        = 3
	byeInterval = 50 * time.Millisecond
	confirmWait = 250 * time.Millisecond // for something to answer, before the client confirms with an ack of nothing
)

// connection is one Run: the socket, the handshake and the loop that owns all of the client's state.
type connection struct {
	client *Client
	ctx    context.Context // of the goroutines; ends with the loop
	cancel context.CancelFunc
	wg     sync.WaitGroup
	begun  time.Time

	connected atomic.Bool         // there is a session
	calls     chan func(*session) // from Client's methods
	events    chan func()         // from goroutines of this connection
	datagrams chan datagram
	free      chan []byte // buffers for datagrams

	socket  net.Conn
	server  netip.AddrPort
	broken  bool // the last write failed: the socket's address may be gone
	codec   protocol.Codec
	scratch []byte

	attempt  *attempt // the handshake under way, nil: none
	nonce    uint64   // of the hello that made or last moved the session
	moving   uint64   // of the last hello to move it, 0: none
	session  *session // nil while connecting
	heard    time.Duration
	accepted time.Duration // when the session began
	spoke    bool          // something with the token was sent
	end      error         // not nil: the loop ends
}

// datagram is what a socket has read.
type datagram struct {
	socket net.Conn
	data   []byte
}

func newConnection(c *Client) *connection {
	cn := &connection{
		client:    c,
		begun:     time.Now(),
		calls:     make(chan func(*session), maxCalls),
		events:    make(chan func(), maxDatagrams),
		datagrams: make(chan datagram, maxDatagrams),
		free:      make(chan []byte, maxDatagrams),
	}
	for range maxDatagrams {
		cn.free <- make([]byte, maxDatagram)
	}
	return cn
}

// now is the time on the connection's own clock.
func (cn *connection) now() time.Duration { return time.Since(cn.begun) }

// run is the loop. It returns when every goroutine of the connection has ended.
func (cn *connection) run(ctx context.Context) error {
	cn.ctx, cn.cancel = context.WithCancel(context.WithoutCancel(ctx))
	defer cn.wg.Wait()
	defer cn.cancel()
	if err := cn.open(ctx, cn.client.config.Server); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("connect to %s: %w", cn.client.config.Server, err)
	}
	defer func() { cn.socket.Close() }()
	defer cn.leave()

	cn.attempt = newAttempt(cn.now(), 0)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		next := cn.drive(cn.now())
		if cn.end != nil {
			return cn.end
		}
		timer.Reset(next - cn.now())
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case f := <-cn.events:
			f()
		case f := <-cn.calls:
			if cn.session != nil {
				f(cn.session)
			}
		case d := <-cn.datagrams:
			cn.receiveAll(d)
		}
	}
}

// receiveAll takes a datagram and what waits behind it, so that a burst costs one pass of the loop.
func (cn *connection) receiveAll(d datagram) {
	for n := 1; ; n++ {
		if d.socket == cn.socket && cn.end == nil {
			cn.receive(cn.now(), d.data)
		}
		cn.free <- d.data[:maxDatagram]
		if n == maxDatagrams {
			return
		}
		select {
		case d = <-cn.datagrams:
		default:
			return
		}
	}
}

// finish ends the loop after this pass; the first reason stands.
func (cn *connection) finish(e *EndError) {
	if cn.end == nil {
		e.Server = cn.server.String()
		cn.end = e
	}
}

// open opens the socket and its reader.
func (cn *connection) open(ctx context.Context, server string) error {
	socket, err := cn.client.network.DialPacket(ctx, server)
	if err != nil {
		return err
	}
	address, err := netip.ParseAddrPort(socket.RemoteAddr().String())
	if err != nil {
		socket.Close()
		return fmt.Errorf("the server's address: %w", err)
	}
	cn.server = netip.AddrPortFrom(address.Addr().Unmap(), address.Port())
	cn.socket, cn.broken = socket, false
	cn.wg.Go(func() { cn.read(socket) })
	return nil
}

// reopen takes a new socket where the old one can no longer send: its address is gone, as after a change of networks.
func (cn *connection) reopen() {
	old := cn.socket
	ctx, cancel := context.WithTimeout(cn.ctx, time.Second)
	defer cancel()
	if err := cn.open(ctx, cn.server.String()); err != nil {
		cn.client.log.Debug("no new socket", "error", err)
		return
	}
	old.Close()
}

// read passes on what the socket reads until it is closed. A full loop lets datagrams wait, and then be lost, in the socket.
func (cn *connection) read(socket net.Conn) {
	for {
		var buf []byte
		select {
		case buf = <-cn.free:
		case <-cn.ctx.Done():
			return
		}
		n, err := socket.Read(buf)
		if err != nil {
			cn.free <- buf
			if !cn.rest(err) {
				return
			}
			continue
		}
		select {
		case cn.datagrams <- datagram{socket, buf[:n]}:
		case <-cn.ctx.Done():
			return
		}
	}
}

// rest waits a moment after a read that failed, such as by an unreachable port: such errors pass. A closed socket ends.
func (cn *connection) rest(err error) bool {
	if errors.Is(err, net.ErrClosed) {
		return false
	}
	pause := time.NewTimer(byeInterval)
	defer pause.Stop()
	select {
	case <-pause.C:
		return true
	case <-cn.ctx.Done():
		return false
	}
}

// async runs work on a goroutine of its own, and what it returns on the loop.
func (cn *connection) async(work func() func()) {
	cn.wg.Go(func() {
		done := cn.guard(work)
		select {
		case cn.events <- done:
		case <-cn.ctx.Done():
		}
	})
}

// guard turns a panic of work into the end of the connection: no goroutine of a client takes its process down.
func (cn *connection) guard(work func() func()) (done func()) {
	defer func() {
		if r := recover(); r != nil {
			stack := debug.Stack()
			done = func() { cn.end = fmt.Errorf("internal error: %v\n%s", r, stack) }
		}
	}()
	return work()
}

// drive does what is due on the connection and gives the time of the next pass.
func (cn *connection) drive(now time.Duration) time.Duration {
	next := never
	if cn.session != nil {
		next = min(cn.driveSession(now), cn.session.drive(now))
	}
	if cn.attempt != nil {
		next = min(next, cn.driveAttempt(now))
	}
	return next
}

// driveAttempt repeats the hello and gives up in time.
func (cn *connection) driveAttempt(now time.Duration) time.Duration {
	if now-cn.attempt.begun >= helloTimeout {
		if cn.session == nil {
			cn.finish(&EndError{Kind: NoAnswer})
			return never
		}
		cn.move(now) // with a new nonce, until the session's own timeout
	}
	if now-cn.attempt.sent >= helloInterval {
		cn.sendHello(now)
	}
	return cn.attempt.next()
}

func (cn *connection) sendHello(now time.Duration) {
	if cn.broken && cn.session != nil {
		cn.reopen()
	}
	cn.attempt.sent = now
	cn.send(cn.attempt.hello(&cn.client.config))
}

// driveSession looks after silence: after three keepalives the client asks to go on from where it is now, after the
// server's timeout it gives up.
func (cn *connection) driveSession(now time.Duration) time.Duration {
	info := &cn.session.info
	if now-cn.heard >= info.Timeout {
		cn.finish(&EndError{Kind: Silence})
		return never
	}
	next := cn.heard + info.Timeout
	if cn.attempt == nil {
		silent := cn.heard + silentKeepalives*info.Keepalive
		if now >= silent {
			cn.move(now)
			cn.client.handler.Link(LinkSilent)
		} else {
			next = min(next, silent)
		}
	}
	if !cn.spoke {
		if at := cn.accepted + confirmWait; now >= at {
			cn.send(&protocol.ClientAck{Ack: cn.session.in.Ack()})
		} else {
			next = min(next, at)
		}
	}
	return next
}

// move begins to ask the server to go on with this session from the address that the client has now.
func (cn *connection) move(now time.Duration) {
	cn.attempt = newAttempt(now, cn.session.token)
	cn.moving = cn.attempt.nonce
}

// receive takes one datagram. What is malformed, unknown or meant for the other direction is dropped whole.
func (cn *connection) receive(now time.Duration, b []byte) {
	h, row, err := protocol.Peek(b, protocol.ServerToClient)
	if err != nil {
		cn.client.log.Debug("a packet is dropped", "error", err)
		return
	}
	switch h.ID {
	case protocol.IDConnectChallenge, protocol.IDServerHello, protocol.IDConnectReject, protocol.IDKickNotify:
		cn.receiveHandshake(now, b)
		return
	}
	if cn.session != nil {
		cn.session.receive(now, b, h, row)
	}
}

// hear notes that the server was heard in this session; a move that was asked for is not needed any more.
func (cn *connection) hear(now time.Duration) {
	cn.heard = now
	if cn.attempt != nil {
		cn.attempt = nil
		cn.client.handler.Link(LinkUp)
	}
}

// receiveHandshake takes the packets that belong to a nonce and not to the session. None of another nonce is believed:
// they could come from anyone.
func (cn *connection) receiveHandshake(now time.Duration, b []byte) {
	_, p, err := protocol.Decode(b, protocol.ServerToClient)
	if err != nil {
		cn.client.log.Debug("a malformed packet is dropped", "error", err)
		return
	}
	switch p := p.(type) {
	case *protocol.ConnectChallenge:
		if a := cn.attempt; a != nil && p.Nonce == a.nonce && a.challenge(now, p) {
			cn.sendHello(now)
		}
	case *protocol.ServerHello:
		cn.hello(now, p)
	case *protocol.ConnectReject:
		cn.reject(now, p)
	case *protocol.KickNotify:
		if cn.session != nil && (p.Nonce == cn.nonce || p.Nonce == cn.moving) {
			cn.finish(&EndError{Kind: Kicked, Reason: p.Reason, Text: p.Text, Seconds: p.Seconds})
		}
	}
}

// hello takes a ServerHello. Who is connecting accepts a new session alone, who is connected only that it was moved.
func (cn *connection) hello(now time.Duration, p *protocol.ServerHello) {
	moved := p.State == protocol.HelloMoved
	switch {
	case cn.session == nil && !moved && p.Nonce == cn.attempt.nonce:
		cn.begin(now, p)
	case cn.session != nil && moved && p.Nonce == cn.moving && p.Token == cn.session.token:
		cn.nonce = p.Nonce
		cn.hear(now)
	}
}

// begin makes the session of an accepted ServerHello.
func (cn *connection) begin(now time.Duration, p *protocol.ServerHello) {
	cn.nonce, cn.moving, cn.attempt = p.Nonce, 0, nil
	cn.heard, cn.accepted, cn.spoke = now, now, false
	cn.session = newSession(cn, p)
	cn.connected.Store(true)
	cn.client.handler.Connected(cn.session.info)
}

// reject takes a ConnectReject. Where only the move was refused, the client connects anew.
func (cn *connection) reject(now time.Duration, p *protocol.ConnectReject) {
	switch {
	case cn.session == nil && p.Nonce == cn.attempt.nonce,
		cn.session != nil && p.Nonce == cn.moving && p.Reason != protocol.ReasonResume:
		cn.finish(&EndError{Kind: Rejected, Reason: p.Reason, Text: p.Text, Seconds: p.Seconds})
	case cn.session != nil && cn.attempt != nil && p.Nonce == cn.attempt.nonce:
		cn.endSession()
		cn.attempt = newAttempt(now, 0)
		cn.client.handler.Link(LinkAnew)
	}
}

func (cn *connection) endSession() {
	cn.connected.Store(false)
	if cn.session != nil {
		cn.session.close(ClosedSessionEnd)
		cn.session = nil
	}
}

// leave ends the session and says goodbye, three times because it is not acknowledged.
func (cn *connection) leave() {
	s := cn.session
	cn.endSession()
	if s == nil {
		return
	}
	reason := protocol.ByeQuit
	var e *EndError
	if errors.As(cn.end, &e) && e.Kind == Kicked {
		reason = protocol.ByeKicked
	}
	b, err := cn.encode(protocol.Header{ID: protocol.IDClientBye, Token: s.token}, &protocol.ClientBye{Reason: reason})
	if err != nil {
		return
	}
	for i := range byes {
		if i > 0 {
			time.Sleep(byeInterval)
		}
		cn.write(b)
	}
}

// send sends a packet off the lane, under the session's token if there is one.
func (cn *connection) send(p protocol.Packet) {
	h := protocol.Header{ID: p.ID()}
	if cn.session != nil && h.ID != protocol.IDClientHello {
		h.Token = cn.session.token
	}
	b, err := cn.encode(h, p)
	if err != nil {
		cn.client.log.Error("a packet cannot be encoded", "error", err)
		return
	}
	if h.Token != 0 {
		cn.spoke = true
	}
	cn.write(b)
}

// encode encodes into a buffer that the next call uses again.
func (cn *connection) encode(h protocol.Header, p protocol.Packet) ([]byte, error) {
	b, err := cn.codec.Append(cn.scratch[:0], h, p)
	if err == nil {
		cn.scratch = b
	}
	return b, err
}

// write sends one datagram. A path that does not take it is noticed by silence.
func (cn *connection) write(b []byte) {
	if _, err := cn.socket.Write(b); err != nil {
		cn.broken = !errors.Is(err, syscall.ECONNREFUSED)
		cn.client.log.Debug("a datagram was not sent", "error", err)
	} else {
		cn.broken = false
	}
}
