package files

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

const (
	headTime   = 10 * time.Second // for the whole head to arrive
	stallTime  = 10 * time.Second // for the peer to read 16 KiB
	answerTime = 10 * time.Second // for the whole answer, and slowest besides
	slowest    = 8 << 10          // bytes a second

	lookTime    = 500 * time.Millisecond // how often a peer that takes its time is looked at
	ignoredSize = 256 << 10              // bytes after the head that are read and thrown away
)

// buffer is a connection's room: a head, and an answer made for it.
type buffer struct {
	head [headLimit]byte
	made [512 + piece]byte
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// connection answers one request and ends.
func (s *Server) connection(c net.Conn, over bool) {
	defer c.Close()
	b := buffers.Get().(*buffer)
	defer buffers.Put(b)
	c.SetReadDeadline(time.Now().Add(headTime))
	var r request
	var a answer
	switch readHead(c, b.head[:], &r) {
	case headNone:
		return
	case headBad:
		a = badRequest
	case headGood:
		if over {
			a = busy
		} else {
			a = s.answer(&r, b.made[:0])
		}
		if string(r.method) == "HEAD" {
			a = a.headerOnly()
		}
	}
	t := begin(c, a.len())
	sent := t.send(a.head) && t.send(a.rest)
	if sent && r.alone && t.arrived() {
		return
	}
	if !sent || !t.linger(b.head[:]) {
		abort(c)
	}
}

type headResult uint8

const (
	headNone headResult = iota // the peer went or was too slow
	headBad
	headGood
)

// readHead reads until the head is complete or known to be bad. What follows it is left alone or thrown away: there is one
// request a connection.
func readHead(c net.Conn, b []byte, r *request) headResult {
	n := 0
	for n < len(b) {
		k, err := c.Read(b[n:])
		end, ok := headEnd(b[:n+k], max(n-1, 0))
		switch {
		case !ok:
			return headBad
		case end > 0 && r.parse(b[:end]):
			r.alone = r.alone && end == n+k
			return headGood
		case end > 0:
			return headBad
		case err != nil:
			return headNone
		}
		n += k
	}
	return headBad
}

// transfer is an answer on its way, and what the peer has taken of it.
type transfer struct {
	c    net.Conn
	end  time.Time // when all of it must be there
	sent int
	mark time.Time // when the peer was last seen to have taken 16 KiB
	took int       // what it had taken then
}

func begin(c net.Conn, size int) *transfer {
	now := time.Now()
	t := &transfer{c: c, mark: now, end: now.Add(answerTime + time.Duration(size)*time.Second/slowest)}
	t.untilNextLook()
	return t
}

// untilNextLook lets reads and writes go on for half a second. A peer that keeps up is gone by then.
func (t *transfer) untilNextLook() {
	look := time.Now().Add(lookTime)
	if look.After(t.end) {
		look = t.end
	}
	t.c.SetDeadline(look)
}

// inTime keeps the two rules about peers that do not read; left is what the peer has not taken yet of what was sent.
func (t *transfer) inTime(left int) bool {
	now := time.Now()
	if took := t.sent - left; took-t.took >= piece {
		t.mark, t.took = now, took
	}
	return now.Before(t.end) && now.Sub(t.mark) < stallTime
}

// send writes b.
func (t *transfer) send(b []byte) bool {
	for len(b) > 0 {
		n, err := t.c.Write(b)
		t.sent += n
		b = b[n:]
		if err == nil {
			continue
		}
		left, _ := unread(t.c)
		if !errors.Is(err, os.ErrDeadlineExceeded) || !t.inTime(left) {
			return false
		}
		t.untilNextLook()
	}
	return true
}

// arrived tells that the peer's system has all of the answer already, as one on the same machine mostly does.
func (t *transfer) arrived() bool {
	left, known := unread(t.c)
	return known && left == 0
}

// linger ends the stream and waits until the peer has taken all of it: closing at once would reset the connection where the
// peer has sent more than was read, and throw away what it has not read yet; and what the kernel still holds is part of the
// answer that the limits are about. It returns false for a peer that has to be cut.
func (t *transfer) linger(b []byte) bool {
	half, ok := t.c.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return false
	}
	quiet := true // nothing came since the last look
	for ignored := 0; ignored < ignoredSize; {
		n, err := t.c.Read(b)
		ignored += n
		quiet = quiet && n == 0
		hungUp := err == io.EOF
		switch {
		case err == nil:
			continue
		case !hungUp && !errors.Is(err, os.ErrDeadlineExceeded):
			return false
		}
		left, known := unread(t.c)
		switch {
		case known && left <= 1 && (hungUp || quiet), hungUp && !known: // 1: the stream's end
			return true
		case known && !t.inTime(left), !known && !time.Now().Before(t.end):
			return false
		}
		if hungUp {
			time.Sleep(min(lookTime, time.Until(t.end)))
		}
		quiet = true
		t.untilNextLook()
	}
	return true
}

// abort makes the close a reset, so that the kernel does not go on sending to a peer that was cut.
func abort(c net.Conn) {
	if l, ok := c.(interface{ SetLinger(int) error }); ok {
		l.SetLinger(0)
	}
}
