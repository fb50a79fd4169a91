package session

import (
	"errors"
	"time"

	"darqline/protocol"
	"darqline/protocol/lane"
	"darqline/protocol/pacer"
)

// sends says whether the server sends a packet in the connection's state (page Connection, States). Whoever above hands
// over another has a fault: it is left out, and the log says so once for each connection.
func (c *Conn) sends(id protocol.ID) bool {
	allowed := c.state == Joined
	switch id {
	case protocol.IDResourceFiles, protocol.IDResourceRemove:
		allowed = true
	case protocol.IDAuthAccepted, protocol.IDViewOpen, protocol.IDViewData, protocol.IDViewClose, protocol.IDUiTheme,
		protocol.IDPlatformKeys, protocol.IDServerMessage:
		allowed = c.state != Unconfirmed
	}
	if !allowed && !c.stray {
		c.stray = true
		c.s.cfg.Logger.Error("a packet that this connection must not be sent yet is left out", "packet", id, "player", c.name,
			"sign_in", c.signIn.due)
	}
	return allowed
}

// flush feeds the lane from the pacer and sends what the lane has to send.
func (c *Conn) flush(now time.Duration) {
	if c.silenced() {
		return
	}
	err := c.pace.Flush(now, c.feed(now, true))
	if err != nil {
		c.s.cfg.Logger.Warn("lane ended", "player", c.name, "error", err)
		c.end(now, protocol.ReasonLane, "", 0, true)
		return
	}
	c.out.Flush(now, c.send)
	c.greeted = c.greeted || c.out.Unacked() > 0
}

// feed puts a pacer's packets on the lane.
type feed struct {
	c     *Conn
	now   time.Duration
	quiet bool // a packet that does not encode is logged and left out, so that the others go on
}

// feed is the connection's own one, as it is now.
func (c *Conn) feed(now time.Duration, quiet bool) *feed {
	c.feeding.now, c.feeding.quiet = now, quiet
	return &c.feeding
}

func (f *feed) Unacked() int { return f.c.out.Unacked() }

func (f *feed) Push(p protocol.Packet, room int) (int, error) {
	s := f.c.s
	if !f.c.sends(p.ID()) {
		return 0, nil
	}
	b, err := s.codec.Append(s.buf[:0], protocol.Header{}, p)
	if err != nil {
		if f.quiet {
			s.cfg.Logger.Error("a packet does not encode and is left out", "player", f.c.name, "error", err)
			return 0, nil
		}
		return 0, err
	}
	s.buf = b
	if len(b) > room {
		return 0, pacer.ErrNoRoom
	}
	row, _ := protocol.Lookup(p.ID())
	_, err = f.c.out.Push(f.now, b, row.Lane == protocol.Droppable)
	return len(b), err
}

// Straight puts a packet about the recipient's own life, an answer or an event on the lane (page Connection, The
// pacer). Its error is the caller's: the packet does not encode, pacer.ErrBacklog, or pacer.ErrRefused of a droppable one.
// A connection that has ended is none.
func (c *Conn) Straight(p protocol.Packet) error {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.straight(c.s.cfg.Now(), p)
}

func (c *Conn) straight(now time.Duration, p protocol.Packet) error {
	if c.state == Closing {
		return nil
	}
	var refused error
	switch err := c.pace.Straight(c.feed(now, false), p); {
	case err == nil:
		c.out.Flush(now, c.send)
	case errors.Is(err, lane.ErrFull):
		c.end(now, protocol.ReasonLane, "", 0, true)
		return nil
	case errors.Is(err, lane.ErrRefused), errors.Is(err, pacer.ErrRefused):
		refused = pacer.ErrRefused
	default:
		return err
	}
	c.plan(now)
	c.s.wakeAt(min(c.next, now))
	return refused
}

// Pace queues a thing that the recipient has to be brought up to date with.
func (c *Conn) Pace(t pacer.Thing) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.state != Closing {
		c.pace.Pace(t)
		now := c.s.cfg.Now()
		c.plan(now)
		c.s.wakeAt(c.next)
	}
}

// Replace is Pace of a thing of which something still waits; it says false, and does nothing, where nothing does.
func (c *Conn) Replace(t pacer.Thing) bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.pace.Replace(t)
}

// Drop forgets what waits of a thing; begun says whether a part of it has been sent.
func (c *Conn) Drop(key any) (waited, begun bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.pace.Drop(key)
}

// DropWhere forgets what waits under the keys that match.
func (c *Conn) DropWhere(match func(key any) bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.pace.DropWhere(match)
}

// Waits says whether something of a thing has not left the pacer yet.
func (c *Conn) Waits(key any) bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.pace.Waits(key)
}

// Backlog is how much is on the way to all connections now: events that their clients have not acked, and things that wait
// in front of the lanes.
func (s *Sessions) Backlog() (unacked, waiting int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		unacked += c.out.Unacked()
		waiting += c.pace.Len()
	}
	return unacked, waiting
}
