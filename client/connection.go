package client

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"runtime/debug"
	"sync"
	"sync/atomic"
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
	nonces   []uint64 // of the hello that made or last moved the session, then of those that ask to move it
	session  *session // nil while connecting
	heard    time.Duration
	accepted time.Duration // when the session began
	spoke    bool          // something with the token was sent
	end      error         // not nil: the loop ends
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
		select { // what has arrived counts before the clock does, however long a handler took
		case d := <-cn.datagrams:
			cn.receiveAll(d)
		default:
		}
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

// wake has the loop look for what is due. Where so much waits for it that there is no room, it is awake.
func (cn *connection) wake() {
	select {
	case cn.calls <- func(*session) {}:
	default:
	}
}

// finish ends the loop after this pass; the first reason stands.
func (cn *connection) finish(e *EndError) {
	if cn.end == nil {
		e.Server = cn.server.String()
		cn.end = e
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
			done = func() { cn.end = &crash{r, stack} }
		}
	}()
	return work()
}

// crash is a panic that a goroutine of the client ended with.
type crash struct {
	cause any
	stack []byte
}

func (c *crash) Error() string { return fmt.Sprintf("internal error: %v\n%s", c.cause, c.stack) }

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
	switch e := cn.end.(type) {
	case *EndError:
		if e.Kind == Kicked {
			reason = protocol.ByeKicked
		}
	case *crash:
		reason = protocol.ByeCrashed
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
