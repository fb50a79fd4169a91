package udp

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refusing is the system's sendmmsg that fails, as the kernel does, at the first message that why has an error for.
func refusing(why func(m *unix.Mmsghdr) syscall.Errno) kernel {
	k := system
	k.sendmmsg = func(fd uintptr, ms []unix.Mmsghdr) (int, syscall.Errno) {
		for i := range ms {
			if errno := why(&ms[i]); errno != 0 {
				if i == 0 {
					return 0, errno
				}
				return system.sendmmsg(fd, ms[:i])
			}
		}
		return system.sendmmsg(fd, ms)
	}
	return k
}

// over makes a batching socket with segmentation over a kernel, and what its Fallback heard.
func over(t *testing.T, k kernel) (s *batchSocket, said *[]string) {
	t.Helper()
	if !segmentation() {
		t.Skip("no UDP segmentation here")
	}
	c := must[*net.UDPConn](t)(net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}))
	t.Cleanup(func() { c.Close() })
	if s = batch(c, k); s == nil {
		t.Fatal("the socket has no batches")
	}
	said = new([]string)
	s.fallback = func(mode string) { *said = append(*said, mode) }
	s.segments.Store(true)
	return s, said
}

// peer is a client's socket that s can send to.
func peer(t *testing.T) (*net.UDPConn, netip.AddrPort) {
	t.Helper()
	c := must[*net.UDPConn](t)(net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}))
	c.SetReadDeadline(time.Now().Add(10 * time.Second)) // a lost datagram fails the test
	t.Cleanup(func() { c.Close() })
	return c, c.LocalAddr().(*net.UDPAddr).AddrPort()
}

// expect reads datagrams of these lengths.
func expect(t *testing.T, c *net.UDPConn, lengths ...int) {
	t.Helper()
	b := make([]byte, 4096)
	for i, want := range lengths {
		if n, err := c.Read(b); n != want || err != nil {
			t.Fatalf("datagram %d of %d has %d bytes, %v, want %d", i, len(lengths), n, err, want)
		}
	}
}

func segmented(m *unix.Mmsghdr) bool { return m.Hdr.Control != nil }

// A kernel that refuses segments loses none: they go singly, at once and from then on, and that is said once.
func TestSegmentationSwitchesItselfOff(t *testing.T) {
	for _, errno := range []syscall.Errno{unix.EIO, unix.EINVAL, unix.ENOPROTOOPT} {
		t.Run(errno.Error(), func(t *testing.T) {
			refusals := 0
			s, said := over(t, refusing(func(m *unix.Mmsghdr) syscall.Errno {
				if !segmented(m) {
					return 0
				}
				refusals++
				return errno
			}))
			c, to := peer(t)
			batch := []Message{
				{Addr: to, Data: make([]byte, 3)},
				{Addr: to, Data: make([]byte, 65*61), Segment: 61}, // more than one message of the kernel
				{Addr: to, Data: make([]byte, 25), Segment: 10},
				{Addr: to, Data: make([]byte, 4)},
			}
			want := slices.Concat([]int{3}, slices.Repeat([]int{61}, 65), []int{10, 10, 5, 4})
			for range 2 {
				if n, err := s.WriteBatch(batch); n != 4 || err != nil {
					t.Fatalf("WriteBatch = %d, %v", n, err)
				}
				expect(t, c, want...)
			}
			if !slices.Equal(*said, []string{"recvmmsg, sendmmsg"}) || s.Mode() != "recvmmsg, sendmmsg" {
				t.Errorf("said %q, runs on %q", *said, s.Mode())
			}
			if refusals != 2 { // once behind the first message, once at the head of the rest
				t.Errorf("the kernel was asked %d times", refusals)
			}
		})
	}
}

// One peer's narrow path, or an address nobody can send to, does not slow down the others.
func TestOnePeerDoesNotSwitchSegmentationOff(t *testing.T) {
	c, to := peer(t)
	narrow := func(m *unix.Mmsghdr) syscall.Errno {
		if segmented(m) && m.Hdr.Iov.Len > 10*61 {
			return unix.EINVAL
		}
		return 0
	}
	s, said := over(t, refusing(narrow))
	if n, err := s.WriteBatch([]Message{{Addr: to, Data: make([]byte, 2500), Segment: 1200}, {Addr: to, Data: make([]byte, 7)}}); n != 2 || err != nil {
		t.Fatalf("WriteBatch = %d, %v", n, err)
	}
	expect(t, c, 1200, 1200, 100, 7)
	nowhere := netip.AddrPortFrom(to.Addr(), 0) // the kernel says EINVAL
	if n, err := s.WriteBatch([]Message{{Addr: nowhere, Data: make([]byte, 122), Segment: 61}, {Addr: to, Data: make([]byte, 122), Segment: 61}}); n != 1 || err != nil {
		t.Fatalf("WriteBatch = %d, %v", n, err)
	}
	expect(t, c, 61, 61)
	if len(*said) != 0 {
		t.Errorf("said %q", *said)
	}
}

// What fails is lost alone, whatever the reason and wherever in the batch.
func TestFailingMessagesAreSkipped(t *testing.T) {
	for _, errno := range []syscall.Errno{unix.EPERM, unix.ENETUNREACH, unix.EMSGSIZE, unix.ENOBUFS, unix.ECONNREFUSED} {
		s, said := over(t, refusing(func(m *unix.Mmsghdr) syscall.Errno {
			if m.Hdr.Iov.Len%2 == 1 {
				return errno
			}
			return 0
		}))
		c, to := peer(t)
		var batch []Message
		for _, size := range []int{1, 3, 2, 4, 5, 6, 7, 8, 9, 11} {
			batch = append(batch, Message{Addr: to, Data: make([]byte, size)})
		}
		if n, err := s.WriteBatch(batch); n != 4 || err != nil {
			t.Errorf("%v: WriteBatch = %d, %v", errno, n, err)
		}
		expect(t, c, 2, 4, 6, 8)
		if len(*said) != 0 {
			t.Errorf("said %q", *said)
		}
	}
}

func TestUnsendable(t *testing.T) {
	for _, o := range []Options{{}, {NoSegmentation: true}, {Plain: true}} {
		s := must[Conn](t)(ListenWith("127.0.0.1:0", o))
		defer s.Close()
		c, to := peer(t)
		n, err := s.WriteBatch([]Message{
			{Data: []byte("no address")},
			{Addr: netip.MustParseAddrPort("[2001:db8::1]:7777"), Data: []byte("another family")},
			{Addr: to, Data: make([]byte, 70_000)},
			{Addr: to, Data: make([]byte, 140_000), Segment: 70_000},
			{Addr: netip.AddrPortFrom(netip.AddrFrom16(to.Addr().As16()), to.Port()), Data: []byte("mapped")},
			{Addr: netip.AddrPortFrom(to.Addr(), 0), Data: []byte("no port")},
			{Addr: to, Data: []byte("ok")},
		})
		if n != 2 || err != nil {
			t.Errorf("%s: WriteBatch = %d, %v", s.Mode(), n, err)
		}
		expect(t, c, 6, 2)
	}
}

// Interrupted and short calls lose nothing.
func TestWriteGoesOn(t *testing.T) {
	k, calls := system, 0
	k.sendmmsg = func(fd uintptr, ms []unix.Mmsghdr) (int, syscall.Errno) {
		if calls++; calls%2 == 0 {
			return 0, unix.EINTR
		}
		return system.sendmmsg(fd, ms[:min(len(ms), 2)])
	}
	s, _ := over(t, k)
	c, to := peer(t)
	batch := slices.Repeat([]Message{{Addr: to, Data: make([]byte, 15), Segment: 10}}, 9)
	if n, err := s.WriteBatch(batch); n != 9 || err != nil {
		t.Fatalf("WriteBatch = %d, %v", n, err)
	}
	expect(t, c, slices.Repeat([]int{10, 5}, 9)...)
}

// While the socket has nothing to read or no room to write the poller is told to wait, and then goes on where it was.
// (Loopback never fills up, so the poller is played here.)
func TestWaits(t *testing.T) {
	k, full := system, false
	k.sendmmsg = func(fd uintptr, ms []unix.Mmsghdr) (int, syscall.Errno) {
		if full = !full; !full {
			return 0, unix.EAGAIN
		}
		return system.sendmmsg(fd, ms[:min(len(ms), 1)])
	}
	s, _ := over(t, k)
	c, to := peer(t)
	full = false
	s.sender.grow(2)
	s.sender.fill([]Message{{Addr: to, Data: []byte("a")}, {Addr: to, Data: []byte("bc")}}, place{}, true)
	s.receiver.aim(buffers(1))
	if err := s.raw.Control(func(fd uintptr) {
		if s.send(fd) || s.sender.from != 1 {
			t.Errorf("a full socket is not waited for, at %d", s.sender.from)
		}
		if !s.send(fd) || s.sender.from != 2 {
			t.Errorf("the rest was not sent, at %d", s.sender.from)
		}
		if s.receive(fd) {
			t.Error("an empty socket is not waited for")
		}
	}); err != nil {
		t.Fatal(err)
	}
	expect(t, c, 1, 2)
}

// A kernel without the calls, or that loses them, leaves the plain way.
func TestBatchesSwitchThemselvesOff(t *testing.T) {
	gone := func(uintptr, []unix.Mmsghdr) (int, syscall.Errno) { return 0, unix.ENOSYS }
	c := must[*net.UDPConn](t)(net.ListenUDP("udp4", nil))
	defer c.Close()
	if batch(c, kernel{gone, gone}) != nil {
		t.Error("batches without calls")
	}
	if mode := batch(c, kernel{system.recvmmsg, gone}).Mode(); mode != "recvmmsg, one system call a datagram sent" {
		t.Errorf("runs on %q", mode)
	}

	s, said := over(t, system)
	client, to := peer(t)
	sent := 0
	s.kernel = kernel{gone, func(fd uintptr, ms []unix.Mmsghdr) (int, syscall.Errno) {
		if sent++; sent > 2 {
			return gone(fd, ms)
		}
		return system.sendmmsg(fd, ms[:min(len(ms), 1)])
	}}
	batch := []Message{{Addr: to, Data: make([]byte, 2)}, {Addr: to, Data: make([]byte, 130), Segment: 2}, {Addr: to, Data: make([]byte, 5)}}
	if n, err := s.WriteBatch(batch); n != 3 || err != nil {
		t.Fatalf("WriteBatch = %d, %v", n, err)
	}
	expect(t, client, append(slices.Repeat([]int{2}, 66), 5)...)
	must[int](t)(client.WriteToUDPAddrPort([]byte("answer"), s.LocalAddr()))
	if got := readAll(t, s, 1); string(got[0].Data) != "answer" || got[0].Addr != to {
		t.Errorf("got %q from %v", got[0].Data, got[0].Addr)
	}
	want := []string{"recvmmsg, one system call a datagram sent", "one system call a datagram"}
	if !slices.Equal(*said, want) {
		t.Errorf("said %q, want %q", *said, want)
	}
}

// An error that a read reports of one datagram is not the socket's; another is, and says which.
func TestReadErrors(t *testing.T) {
	s, _ := over(t, system)
	client, _ := peer(t)
	failures := []syscall.Errno{unix.EINTR, unix.ECONNREFUSED, unix.EHOSTUNREACH}
	s.kernel.recvmmsg = func(fd uintptr, ms []unix.Mmsghdr) (int, syscall.Errno) {
		if len(failures) > 0 {
			errno := failures[0]
			failures = failures[1:]
			return 0, errno
		}
		return system.recvmmsg(fd, ms)
	}
	must[int](t)(client.WriteToUDPAddrPort([]byte("x"), s.LocalAddr()))
	readAll(t, s, 1)
	failures = []syscall.Errno{unix.ENOMEM}
	if _, err := s.ReadBatch(buffers(1)); !errors.Is(err, unix.ENOMEM) || !strings.Contains(err.Error(), "reading UDP datagrams") {
		t.Errorf("ReadBatch = %v", err)
	}
}

func TestModes(t *testing.T) {
	for _, test := range []struct {
		o    Options
		want string
	}{
		{Options{Plain: true}, "one system call a datagram"},
		{Options{NoSegmentation: true}, "recvmmsg, sendmmsg"},
		{Options{}, "recvmmsg, sendmmsg with UDP segmentation"},
	} {
		s := must[Conn](t)(ListenWith("127.0.0.1:0", test.o))
		s.Close()
		if s.Mode() == "recvmmsg, sendmmsg" && !segmentation() {
			continue // an old kernel
		}
		if s.Mode() != test.want {
			t.Errorf("%+v runs on %q, want %q", test.o, s.Mode(), test.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	card := "999999" // a number that no interface has stays a number
	if all, err := net.Interfaces(); err == nil && len(all) > 0 {
		card = all[0].Name
	}
	var z zones
	var raw sockaddr // used again, as the socket does
	for _, test := range []struct {
		in, six, four string // what comes back from a socket of each family; none if the socket cannot reach it
	}{
		{"1.2.3.4:5678", "1.2.3.4:5678", "1.2.3.4:5678"},
		{"[::ffff:1.2.3.4]:1", "1.2.3.4:1", "1.2.3.4:1"},
		{"[2001:db8::1]:65535", "[2001:db8::1]:65535", ""},
		{"[fe80::1%" + card + "]:7777", "[fe80::1%" + card + "]:7777", ""},
		{"[fe80::1%12345]:7777", "[fe80::1%12345]:7777", ""},
		{"[fe80::1]:7777", "[fe80::1]:7777", ""},
		{"5.6.7.8:1", "5.6.7.8:1", "5.6.7.8:1"},
	} {
		for _, six := range []bool{true, false} {
			want := test.four
			if six {
				want = test.six
			}
			got := ""
			if z.encode(&raw, netip.MustParseAddrPort(test.in), six) != 0 {
				got = z.decode(&raw).String()
			}
			if got != want {
				t.Errorf("%s over six=%v is %q, want %q", test.in, six, got, want)
			}
		}
	}
	if z.encode(new(sockaddr), netip.AddrPort{}, true) != 0 {
		t.Error("the zero address has a form")
	}
	for i := range 10 * maxZones {
		z.encode(new(sockaddr), netip.MustParseAddrPort(fmt.Sprintf("[fe80::1%%none%d]:1", i)), true)
	}
	if len(z.numbers) > maxZones {
		t.Errorf("%d zones are remembered", len(z.numbers))
	}
}

// Both ways of a datagram cost no allocation, of either family and with a zone.
func TestNoAllocations(t *testing.T) {
	server := must[Conn](t)(Listen("[::]:0"))
	defer server.Close()
	clients := []net.Conn{
		must[net.Conn](t)(net.Dial("udp", fmt.Sprint("127.0.0.1:", server.LocalAddr().Port()))),
		must[net.Conn](t)(net.Dial("udp", fmt.Sprint("[::1]:", server.LocalAddr().Port()))),
	}
	for _, c := range clients {
		defer c.Close()
	}
	in, hello, b := buffers(4), []byte("hello"), make([]byte, 2048)
	out := make([]Message, 4)
	segments := make([]byte, 3*61)
	if n := testing.AllocsPerRun(200, func() {
		for _, c := range clients {
			c.Write(hello)
			n, err := server.ReadBatch(in)
			if n != 1 || err != nil {
				t.Fatalf("ReadBatch = %d, %v", n, err)
			}
			out[0] = Message{Addr: in[0].Addr, Data: segments, Segment: 61}
			out[1] = in[0]
			if n, err := server.WriteBatch(out[:2]); n != 2 || err != nil {
				t.Fatalf("WriteBatch = %d, %v", n, err)
			}
			for range 4 {
				c.Read(b)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	var z zones
	var raw sockaddr
	local := netip.MustParseAddrPort("[fe80::1%12345]:7777")
	if n := testing.AllocsPerRun(200, func() {
		z.encode(&raw, local, true)
		if z.decode(&raw) != local {
			t.Fatal("another address")
		}
	}); n != 0 {
		t.Errorf("%v allocations for an address with a zone", n)
	}
	g := NewGroup(netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), server.LocalAddr().Port()))
	defer g.Close()
	must[int](t)(g.Add(netip.Addr{}))
	got := 0
	count := func(_ int, b []byte, _ int, _ time.Time) { got += len(b) }
	if n := testing.AllocsPerRun(200, func() {
		g.Send(0, hello)
		if _, err := server.ReadBatch(in); err != nil {
			t.Fatal(err)
		}
		server.WriteBatch(in[:1])
		g.Poll(count)
	}); n != 0 {
		t.Errorf("%v allocations in a group", n)
	}
	if got != 201*len(hello) {
		t.Errorf("the group got %d bytes", got)
	}
}

// A read that waits for more than its own batch takes no more than it has room for.
func TestReadTakesWhatItHasRoomFor(t *testing.T) {
	s, _ := over(t, system)
	c, _ := peer(t)
	for i := range 2 * maxRead {
		must[int](t)(c.WriteToUDPAddrPort(bytes.Repeat([]byte{byte(i)}, i), s.LocalAddr()))
	}
	next := 0
	for _, room := range []int{3, 1, 100, 100} {
		ms := buffers(room)
		n, err := s.ReadBatch(ms)
		if want := min(room, maxRead, 2*maxRead-next); n != want || err != nil {
			t.Fatalf("ReadBatch of %d = %d, %v, want %d", room, n, err, want)
		}
		for _, m := range ms[:n] {
			if !bytes.Equal(m.Data, bytes.Repeat([]byte{byte(next)}, next)) {
				t.Fatalf("datagram %d has %d bytes", next, len(m.Data))
			}
			next++
		}
	}
}

// What the kernel writes beside a read is never read past its end.
func FuzzArrivalControl(f *testing.F) {
	f.Add([]byte{}, 64)
	merged := make([]byte, unix.CmsgSpace(4))
	h := (*unix.Cmsghdr)(unsafe.Pointer(&merged[0]))
	h.Level, h.Type = unix.IPPROTO_UDP, unix.UDP_GRO
	h.SetLen(unix.CmsgLen(4))
	merged[unix.CmsgLen(0)] = 61
	f.Add(merged, len(merged))
	f.Add(append(merged, merged...), 2*len(merged))
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		var c arrivalControl
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&c)), unsafe.Sizeof(c)), b)
		c.read(max(n, 0))
	})
}
