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

// buffer is a connection's room: a head, an answer made for it, and what of the answer is still to be written.
type buffer struct {
	head  [headLimit]byte
	made  [512 + piece]byte
	parts [2][]byte
	out   net.Buffers
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
	b.parts = [2][]byte{a.head, a.rest}
	b.out = b.parts[:]
	if !t.send(&b.out) || !t.linger(b.head[:]) {
		abort(c)
	}
	b.parts = [2][]byte{} // the pool must not hold a file's bytes
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
	return &transfer{c: c, mark: now, end: now.Add(answerTime + time.Duration(size)*time.Second/slowest)}
}

// inTime keeps the two rules about peers that do not read; left is what the peer has not taken yet of what was sent.
func (t *transfer) inTime(left int) bool {
	now := time.Now()
	if took := t.sent - left; took-t.took >= piece {
		t.mark, t.took = now, took
	}
	return now.Before(t.end) && now.Sub(t.mark) < stallTime
}

func (t *transfer) nextLook() time.Time { return earlier(time.Now().Add(lookTime), t.end) }

// send writes all of out. A peer that keeps up gets it in one system call; the others are looked at every half second.
func (t *transfer) send(out *net.Buffers) bool {
	for {
		t.c.SetWriteDeadline(t.nextLook())
		n, err := out.WriteTo(t.c)
		t.sent += int(n)
		if err == nil {
			return true
		}
		left, _ := unread(t.c)
		if !errors.Is(err, os.ErrDeadlineExceeded) || !t.inTime(left) {
			return false
		}
	}
}

// linger ends the stream and waits until the peer has taken all of it: closing at once would reset the connection where the
// peer has sent more than was read, and throw away what it has not read yet; and what the kernel still holds is part of the
// answer that the limits are about. It returns false for a peer that has to be cut.
func (t *transfer) linger(b []byte) bool {
	half, ok := t.c.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return false
	}
	hungUp := false
	for ignored := 0; ignored < ignoredSize; {
		look := t.nextLook()
		if hungUp {
			time.Sleep(time.Until(look))
		}
		n, err := discard(t.c, b, look, ignoredSize-ignored)
		ignored += n
		if hungUp = err == io.EOF; err != nil && !hungUp {
			return false
		}
		left, known := unread(t.c)
		switch {
		case known && left == 0 && (hungUp || n == 0), hungUp && !known:
			return true
		case known && !t.inTime(left), !known && !time.Now().Before(t.end):
			return false
		}
	}
	return true
}

// discard reads what comes until a time, a number of bytes or an error.
func discard(c net.Conn, b []byte, until time.Time, limit int) (int, error) {
	c.SetReadDeadline(until)
	for total := 0; ; {
		n, err := c.Read(b)
		total += n
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return total, nil
		case err != nil || total >= limit:
			return total, err
		}
	}
}

// abort makes the close a reset, so that the kernel does not go on sending to a peer that was cut.
func abort(c net.Conn) {
	if l, ok := c.(interface{ SetLinger(int) error }); ok {
		l.SetLinger(0)
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
