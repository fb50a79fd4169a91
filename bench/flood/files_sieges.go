package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// tally counts what became of the attackers' connections.
type tally struct {
	opened atomic.Int64
	mu     sync.Mutex
	ends   map[string]int
	said   string // beside the counts
}

func (t *tally) end(how string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ends[how]++
}

func (t *tally) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var words []string
	for how, n := range t.ends {
		words = append(words, fmt.Sprintf("%d %s", n, how))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

const (
	mostAtOnce = 2000 // connections of all attackers
	mostRate   = 2000 // that they open a second
)

// dial connects as one of the attackers' addresses. The connection is closed when the context ends.
func (b *bench) dial(ctx context.Context, t *tally, from netip.Addr, room int) (*net.TCPConn, error) {
	d := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, 0)), Timeout: 5 * time.Second, KeepAlive: -1, Control: receiveRoom(room)}
	c, err := d.DialContext(ctx, "tcp", b.target)
	if err != nil {
		if ctx.Err() == nil {
			t.end("not connected")
		}
		return nil, err
	}
	t.opened.Add(1)
	context.AfterFunc(ctx, func() { c.Close() })
	return c.(*net.TCPConn), nil
}

// attacker is the n-th address of those who attack the files.
func attacker(n int) netip.Addr {
	return netip.AddrFrom4([4]byte{127, 101 + byte(n>>16)%100, byte(n >> 8), byte(n)})
}

// crowd lets n attackers act again and again. Each rests for up to 20 s before he comes back, so that they are not all away at once.
func crowd(ctx context.Context, n int, act func(i int)) {
	const rest = 20 * time.Second
	var all sync.WaitGroup
	defer all.Wait()
	for i := range n {
		all.Go(func() {
			for ctx.Err() == nil {
				act(i)
				pause(ctx, rand.N(rest))
			}
		})
	}
}

// volleys acts at a rate and returns when all have ended.
func volleys(ctx context.Context, rate, most int, act func(i int)) {
	var all sync.WaitGroup
	defer all.Wait()
	places := make(chan struct{}, mostAtOnce)
	began, done := time.Now(), 0
	for done < most && ctx.Err() == nil {
		for due := min(most, int(time.Since(began).Seconds()*float64(rate))); done < due && ctx.Err() == nil; done++ {
			i := done
			select {
			case places <- struct{}{}:
			case <-ctx.Done():
				return
			}
			all.Go(func() {
				act(i)
				<-places
			})
		}
		pause(ctx, 2*time.Millisecond)
	}
}

// span is how long some things lasted.
type span struct {
	mu  sync.Mutex
	all []time.Duration
}

func (s *span) add(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, d)
}

func (s *span) String() string {
	if len(s.all) == 0 {
		return "never"
	}
	slices.Sort(s.all)
	at := func(percent int) float64 { return s.all[(len(s.all)-1)*percent/100].Seconds() }
	return fmt.Sprintf("after %.1f to %.1f s, half within %.1f, 99 %% within %.1f", at(0), at(100), at(50), at(99))
}

func mapRequest(i int, headers string) string {
	return "GET /map/" + mapPath(i%mapFiles) + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n"
}

// slowHeads are 400 connections from 100 addresses that send a byte each 5 s.
func slowHeads(ctx context.Context, b *bench, t *tally) error {
	const (
		headTime = 10*time.Second - 100*time.Millisecond // of the page, and what connecting may have taken
		atOnce   = 3 * time.Second                       // as long as a close without an answer may take on a busy machine
	)
	var cut, early span
	crowd(ctx, 400, func(i int) {
		c, err := b.dial(ctx, t, attacker(i/4), 0)
		if err != nil {
			return
		}
		defer c.Close()
		began := time.Now()
		for _, letter := range []byte(mapRequest(i, "")) {
			if _, err = c.Write([]byte{letter}); err != nil {
				break
			}
			c.SetReadDeadline(time.Now().Add(5 * time.Second))
			if _, err = c.Read(make([]byte, 1)); err == nil {
				t.end("answered")
				return
			} else if !isTimeout(err) {
				break
			}
		}
		switch lasted := time.Since(began); {
		case ctx.Err() != nil:
			t.end("ended with the attack")
		case lasted < atOnce:
			t.end("closed at once")
		case lasted < headTime:
			t.end("cut early")
			early.add(lasted)
		default:
			t.end("cut")
			cut.add(lasted)
		}
	})
	t.said = "heads cut " + cut.String()
	if len(early.all) > 0 {
		return errors.New("heads were cut before their 10 s were over, " + early.String())
	}
	return nil
}

// slowReaders are 64 that read 100 bytes a second, and three who were there before them and read 9 KiB a second, which is enough.
func slowReaders(ctx context.Context, b *bench, t *tally) error {
	const enough, rate = 9 << 10, 100
	var cut span
	var finished, broken atomic.Int64
	var honest sync.WaitGroup
	seconds := max(2, int(b.length.Seconds()/3))
	for range 3 {
		honest.Go(func() {
			for ctx.Err() == nil {
				got, err := b.readSlowly(ctx, t, netip.AddrFrom4([4]byte{127, 100, 0, 2}), enough*seconds, enough)
				switch {
				case err == nil && got == enough*seconds:
					finished.Add(1)
				case got > 0 && ctx.Err() == nil:
					broken.Add(1)
				default: // refused: the others hold all places
					pause(ctx, time.Second)
				}
			}
		})
	}
	pause(ctx, time.Second/4)
	crowd(ctx, 64, func(i int) {
		began := time.Now()
		got, err := b.readSlowly(ctx, t, attacker(i/4), mapSize, rate)
		switch {
		case ctx.Err() != nil:
			t.end("ended with the attack")
		case got == 0:
			t.end("refused")
		case err != nil:
			t.end("cut")
			cut.add(time.Since(began))
		}
	})
	honest.Wait()
	t.said = fmt.Sprintf("readers at 100 B/s cut %s; at 9 KiB/s %d finished, %d were cut", cut.String(), finished.Load(), broken.Load())
	if finished.Load() == 0 || broken.Load() > 0 {
		return errors.New("who read 9 KiB/s did not get everything: " + t.said)
	}
	return nil
}

// readSlowly reads the last size bytes of a file at a rate, and says how many came; none if it was refused.
func (b *bench) readSlowly(ctx context.Context, t *tally, from netip.Addr, size, perSecond int) (int, error) {
	c, err := b.dial(ctx, t, from, 4<<10)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	if _, err := io.WriteString(c, mapRequest(0, fmt.Sprintf("Range: bytes=%d-\r\n", mapSize-size))); err != nil {
		return 0, err
	}
	head, one := "", make([]byte, 1)
	for !strings.HasSuffix(head, "\r\n\r\n") {
		if _, err := c.Read(one); err != nil {
			return 0, err
		}
		head += string(one)
	}
	if !strings.HasPrefix(head, "HTTP/1.1 206 ") {
		return 0, nil
	}
	got, part := 0, make([]byte, perSecond)
	for turn := time.NewTicker(time.Second); got < size; {
		n, err := io.ReadFull(c, part[:min(perSecond, size-got)])
		got += n
		if err == nil && got < size && wasReset(c) {
			err = syscall.ECONNRESET
		}
		if err != nil {
			return got, err
		}
		select {
		case <-ctx.Done():
			return got, ctx.Err()
		case <-turn.C:
		}
	}
	return got, nil
}

func fewHosts(ctx context.Context, b *bench, t *tally) error  { return connections(ctx, b, t, 12) }
func manyHosts(ctx context.Context, b *bench, t *tally) error { return connections(ctx, b, t, 10_000) }

// connections are opened at the highest rate, say nothing, and stay for a second unless they are closed.
func connections(ctx context.Context, b *bench, t *tally, hosts int) error {
	volleys(ctx, mostRate, 1<<30, func(i int) {
		c, err := b.dial(ctx, t, attacker(i%hosts), 0)
		if err != nil {
			return
		}
		defer c.Close()
		c.SetReadDeadline(time.Now().Add(time.Second))
		switch _, err := c.Read(make([]byte, 1)); {
		case isTimeout(err):
			t.end("kept")
		case ctx.Err() == nil:
			t.end("closed at once")
		}
	})
	return nil
}

// resets are 10,000 connections, each broken off in another state.
func resets(ctx context.Context, b *bench, t *tally) error {
	const all = 10_000
	rate := min(mostRate, int(all/b.length.Seconds())+1)
	volleys(ctx, rate, all, func(i int) {
		c, err := b.dial(ctx, t, attacker(i%100), 0)
		if err != nil {
			return
		}
		head := mapRequest(i, "")
		state := [...]string{"before a byte", "in the head", "after the head", "in the answer's first bytes", "in the middle of the answer", "after a half-close"}[i%6]
		switch i % 6 {
		case 1:
			io.WriteString(c, head[:1+i%(len(head)-1)])
		case 2:
			io.WriteString(c, head)
		case 3, 4:
			io.WriteString(c, head)
			c.SetReadDeadline(time.Now().Add(time.Second))
			io.CopyN(io.Discard, c, int64(i%6-3)*1_000_000+int64(i%1000))
		case 5:
			io.WriteString(c, head)
			c.CloseWrite()
			pause(ctx, time.Duration(i%100)*time.Millisecond)
		}
		c.SetLinger(0)
		c.Close()
		t.end(state)
	})
	return nil
}

// downloads are 12 more visitors, and nobody who attacks.
func downloads(ctx context.Context, b *bench, t *tally) error {
	var all []*visitor
	for i := range 12 {
		all = append(all, visit16(ctx, b.target, attacker(i).AsSlice()))
	}
	<-ctx.Done()
	n, bytes, refused, broken := 0, int64(0), 0, 0
	var faults []error
	for _, v := range all {
		v.stop()
		n, bytes, refused, broken = n+v.ended(), bytes+v.bytes, refused+v.refused, broken+v.broken
		faults = append(faults, v.err)
	}
	t.said = fmt.Sprintf("%d downloads of 16 MiB more, %.2f GB, every hash right; %d times refused, %d broken", n, float64(bytes)/1e9, refused, broken)
	return errors.Join(faults...)
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}
