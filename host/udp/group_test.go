package udp

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// groups are the two implementations, which behave alike.
var groups = map[string]func(netip.AddrPort) Group{
	"best":  NewGroup,
	"plain": func(server netip.AddrPort) Group { return &plainGroup{server: server} },
}

// poll polls until n datagrams have arrived, and returns those of each socket.
func poll(t *testing.T, g Group, n int) map[int][]string {
	t.Helper()
	got := map[int][]string{}
	start := time.Now()
	for n > 0 {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("%d datagrams are missing", n)
		}
		g.Poll(func(i int, b []byte, segment int, at time.Time) {
			if age := time.Since(at); age < 0 || age > time.Minute {
				t.Errorf("arrived %v ago", age)
			}
			for head, rest := Cut(b, segment); ; head, rest = Cut(rest, segment) {
				got[i] = append(got[i], string(head))
				n--
				if len(rest) == 0 {
					break
				}
			}
		})
		time.Sleep(time.Millisecond) // as its owner does
	}
	return got
}

func TestGroup(t *testing.T) {
	for name, newGroup := range groups {
		for _, listen := range []string{"127.0.0.1", "::1"} {
			t.Run(name+" "+listen, func(t *testing.T) {
				ip := netip.MustParseAddr(listen)
				server, err := Listen(netip.AddrPortFrom(ip, 0).String())
				if err != nil {
					t.Skipf("no %s here: %v", listen, err)
				}
				defer server.Close()
				g := newGroup(server.LocalAddr())
				defer g.Close()
				const sockets = 5
				to := map[netip.AddrPort]int{}
				for i := range sockets {
					from := netip.Addr{}
					if i%2 == 1 {
						from = ip
					}
					if n, err := g.Add(from); n != i || err != nil {
						t.Fatalf("Add = %d, %v, want %d", n, err, i)
					}
					to[g.LocalAddr(i)] = i
					g.Send(i, []byte{byte(i)})
				}
				var batch []Message
				for _, m := range readAll(t, server, sockets) {
					i, ok := to[m.Addr]
					if !ok || !bytes.Equal(m.Data, []byte{byte(i)}) {
						t.Errorf("%v came from %v", m.Data, m.Addr)
					}
					batch = append(batch,
						Message{Addr: m.Addr, Data: bytes.Repeat([]byte("0123456789"), 30), Segment: 7},
						Message{Addr: m.Addr, Data: fmt.Append(nil, "to ", i)},
						Message{Addr: m.Addr})
				}
				if n, err := server.WriteBatch(batch); n != len(batch) || err != nil {
					t.Fatalf("WriteBatch = %d, %v", n, err)
				}
				got := poll(t, g, sockets*45)
				for i := range sockets {
					all := got[i]
					if len(all) != 45 || all[0] != "0123456" || all[42] != "456789" || all[43] != fmt.Sprint("to ", i) || all[44] != "" {
						t.Errorf("socket %d got %q", i, all)
					}
				}
			})
		}
	}
}

// The time is that of the arrival, not of the poll.
func TestGroupTellsTheKernelsTime(t *testing.T) {
	server := must[Conn](t)(Listen("127.0.0.1:0"))
	defer server.Close()
	g := NewGroup(server.LocalAddr())
	defer g.Close()
	must[int](t)(g.Add(netip.Addr{}))
	before := time.Now()
	if _, err := server.WriteBatch([]Message{{Addr: g.LocalAddr(0), Data: []byte("x")}}); err != nil {
		t.Fatal(err)
	}
	after := time.Now()
	time.Sleep(50 * time.Millisecond) // what an owner does between polls
	g.Poll(func(_ int, _ []byte, _ int, at time.Time) {
		if _, plain := g.(*plainGroup); !plain && (at.Before(before.Round(0)) || at.After(after.Round(0))) {
			t.Errorf("arrived at %v, sent from %v to %v", at, before, after)
		}
	})
}

// One poll takes all that is there, more than one read brings, and merged where it was sent as segments.
func TestGroupDrains(t *testing.T) {
	server := must[Conn](t)(Listen("127.0.0.1:0"))
	defer server.Close()
	g := NewGroup(server.LocalAddr())
	defer g.Close()
	must[int](t)(g.Add(netip.Addr{}))
	if _, plain := g.(*plainGroup); plain || !strings.Contains(server.Mode(), "segmentation") {
		t.Skip("this system does neither")
	}
	batch := slices.Repeat([]Message{{Addr: g.LocalAddr(0), Data: []byte("x")}}, 100)
	batch = append(batch, Message{Addr: g.LocalAddr(0), Data: make([]byte, 50), Segment: 7})
	must[int](t)(server.WriteBatch(batch))
	calls := 0
	g.Poll(func(_ int, b []byte, segment int, _ time.Time) {
		want := 1
		if calls++; calls > 100 {
			want = 7
		}
		if segment != want {
			t.Errorf("call %d has %d bytes by %d", calls, len(b), segment)
		}
	})
	if calls != 101 {
		t.Errorf("%d calls", calls)
	}
}

func TestGroupWithoutServer(t *testing.T) {
	for name, newGroup := range groups {
		t.Run(name, func(t *testing.T) {
			server := must[Conn](t)(Listen("127.0.0.1:0"))
			g := newGroup(server.LocalAddr())
			defer g.Close()
			must[int](t)(g.Add(netip.Addr{}))
			server.Close()
			for range 5 {
				g.Send(0, []byte("x"))
				g.Poll(func(_ int, b []byte, _ int, _ time.Time) { t.Errorf("got %q", b) })
			}
			if _, err := g.Add(netip.MustParseAddr("192.0.2.1")); err == nil {
				t.Error("a stranger's address was taken")
			}
		})
	}
}
