package udp

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

var (
	serverAt = netip.MustParseAddrPort("10.0.0.1:7777")
	alice    = netip.MustParseAddr("10.0.1.1")
	bob      = netip.MustParseAddr("10.0.1.2")
)

// arrivals sends n numbered datagrams 10 ms apart from each of the clients and returns the numbers as they arrived, by client.
func arrivals(t *testing.T, seed uint64, p Path, n int, clients ...netip.Addr) map[netip.Addr][]int {
	got := map[netip.Addr][]int{}
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(seed)
		m.SetPath(p)
		server := must[Conn](t)(m.Listen(serverAt))
		for _, ip := range clients {
			c := must[net.Conn](t)(m.DialPacket(ip, serverAt))
			go func() {
				for i := range n {
					c.Write(binary.BigEndian.AppendUint32(nil, uint32(i)))
					time.Sleep(10 * time.Millisecond)
				}
			}()
		}
		go func() {
			time.Sleep(time.Hour)
			server.Close()
		}()
		for {
			ms := buffers(16)
			k, err := server.ReadBatch(ms)
			if err != nil {
				break
			}
			for _, msg := range ms[:k] {
				ip := msg.Addr.Addr()
				got[ip] = append(got[ip], int(binary.BigEndian.Uint32(msg.Data)))
			}
		}
	})
	return got
}

func TestPathFaults(t *testing.T) {
	const n = 4000
	inOrder := func(got []int) bool { return slices.IsSorted(got) }
	for _, c := range []struct {
		name     string
		path     Path
		min, max int // arrivals
		sorted   bool
	}{
		{"perfect", Path{}, n, n, true},
		{"delay and jitter keep the order", Path{Delay: 50 * time.Millisecond, Jitter: 40 * time.Millisecond}, n, n, true},
		{"loss", Path{Loss: 0.1}, n * 87 / 100, n * 93 / 100, true},
		{"duplicates", Path{Duplicate: 0.1, Delay: time.Millisecond}, n * 107 / 100, n * 113 / 100, true},
		{"reordering", Path{Reorder: 0.3, Delay: 50 * time.Millisecond}, n, n, false},
		{"cut", Path{Loss: 1}, 0, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := arrivals(t, 7, c.path, n, alice)[alice]
			if len(got) < c.min || len(got) > c.max || inOrder(got) != c.sorted {
				t.Errorf("%d arrived (want %d..%d), sorted %v (want %v)", len(got), c.min, c.max, inOrder(got), c.sorted)
			}
		})
	}
}

// The same seed gives the same fate, whatever other clients do meanwhile; another seed gives another.
func TestSeedDecides(t *testing.T) {
	p := Path{Loss: 0.2, Duplicate: 0.1, Reorder: 0.2, Delay: 30 * time.Millisecond, Jitter: 30 * time.Millisecond}
	alone := arrivals(t, 3, p, 500, alice)[alice]
	both := arrivals(t, 3, p, 500, alice, bob)
	if !slices.Equal(alone, both[alice]) {
		t.Error("the same seed gave alice another fate because bob was there")
	}
	if slices.Equal(alone, both[bob]) {
		t.Error("alice and bob share their dice")
	}
	if slices.Equal(alone, arrivals(t, 4, p, 500, alice)[alice]) {
		t.Error("another seed gave the same fate")
	}
}

func TestDelayIsExact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(1)
		m.SetPath(Path{Delay: time.Minute})
		m.SetPathTo(serverAt.Addr(), alice, Path{Delay: 75 * time.Millisecond})
		server := must[Conn](t)(m.Listen(serverAt))
		client := must[net.Conn](t)(m.DialPacket(alice, serverAt))
		start := time.Now()
		client.Write([]byte("x"))
		got := readAll(t, server, 1)
		if took := time.Since(start); took != time.Minute {
			t.Errorf("there in %v", took)
		}
		server.WriteBatch(got)
		client.Read(make([]byte, 1))
		if took := time.Since(start); took != time.Minute+75*time.Millisecond {
			t.Errorf("and back in %v", took)
		}
	})
}

func TestRebind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(1)
		server := must[Conn](t)(m.Listen(serverAt))
		client := must[net.Conn](t)(m.DialPacket(alice, serverAt))
		client.Write([]byte("1"))
		old := readAll(t, server, 1)[0]
		moved := must[netip.AddrPort](t)(m.Rebind(client, bob))
		if moved.Addr() != bob {
			t.Errorf("moved to %v", moved)
		}
		client.Write([]byte("2"))
		fresh := readAll(t, server, 1)[0]
		if fresh.Addr != moved {
			t.Errorf("comes from %v, want %v", fresh.Addr, moved)
		}
		server.WriteBatch([]Message{old, fresh})
		b := make([]byte, 1)
		if client.Read(b); b[0] != '2' {
			t.Errorf("heard %q: what goes to the old address is lost", b)
		}
		moved = must[netip.AddrPort](t)(m.Rebind(client, bob))
		if moved == fresh.Addr {
			t.Error("the second mapping has the port of the first")
		}
	})
}

func TestFullQueueLosesTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(1)
		server := must[Conn](t)(m.Listen(serverAt))
		client := must[net.Conn](t)(m.DialPacket(alice, serverAt))
		for range queueLimit + 10 {
			client.Write([]byte("x"))
		}
		client.SetDeadline(time.Now())
		if n := len(readAll(t, server, queueLimit)); n != queueLimit {
			t.Errorf("%d datagrams were kept", n)
		}
		if n := len(server.(*packetSocket).queue); n != 0 {
			t.Errorf("%d more were kept", n)
		}
	})
}

func TestMemoryWantsExactAddresses(t *testing.T) {
	m := NewMemory(1)
	if _, err := m.Listen(netip.MustParseAddrPort("[::]:7777")); err == nil {
		t.Error("[::] was taken")
	}
	c := must[Conn](t)(m.Listen(netip.MustParseAddrPort("[::ffff:10.0.0.1]:7777")))
	if c.LocalAddr() != serverAt {
		t.Errorf("mapped address stayed: %v", c.LocalAddr())
	}
}

// stream connects alice to the server over m.
func stream(t *testing.T, m *Memory) (client, server net.Conn) {
	t.Helper()
	l := must[net.Listener](t)(m.ListenStream(serverAt))
	defer l.Close()
	client = must[net.Conn](t)(m.DialStream(t.Context(), alice, serverAt))
	return client, must[net.Conn](t)(l.Accept())
}

func TestStreamWaitsForACutPath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(1)
		m.SetPath(Path{Delay: 10 * time.Millisecond})
		client, server := stream(t, m)
		m.SetPathOf(alice, serverAt.Addr(), Path{Loss: 1})
		start := time.Now()
		server.Write([]byte("one "))
		time.AfterFunc(5*time.Second, func() {
			server.Write([]byte("two"))
			m.SetPathOf(alice, serverAt.Addr(), Path{})
			server.Close()
		})
		got := must[[]byte](t)(io.ReadAll(client))
		if took := time.Since(start); string(got) != "one two" || took < 5*time.Second || took > 5*time.Second+retryStream {
			t.Errorf("%q after %v", got, took)
		}
	})
}

func TestDialOverACutPathWaitsForTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(1)
		must[net.Listener](t)(m.ListenStream(serverAt))
		m.SetPathOf(alice, serverAt.Addr(), Path{Loss: 1})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		start := time.Now()
		_, err := m.DialStream(ctx, alice, serverAt)
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != 5*time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}

func TestBreakStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(1)
		client, server := stream(t, m)
		m.BreakStreams(serverAt.Addr(), alice)
		if _, err := client.Read(make([]byte, 1)); err == nil || err == io.EOF {
			t.Errorf("the client's read ended with %v", err)
		}
		if _, err := server.Write([]byte("x")); err == nil {
			t.Error("the server's write went on")
		}
		client.Close()
		server.Close()
		if len(m.streams) != 0 {
			t.Errorf("%d streams are left", len(m.streams))
		}
	})
}

func TestUnreadCountsWhatThePeerHasNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory(1)
		m.SetPath(Path{Delay: time.Second})
		client, server := stream(t, m)
		left := server.(interface{ Unread() int }).Unread
		server.Write(make([]byte, 1000))
		if left() != 1000 {
			t.Errorf("on the way: %d", left())
		}
		io.ReadFull(client, make([]byte, 400))
		if left() != 600 {
			t.Errorf("after a read: %d", left())
		}
	})
}
