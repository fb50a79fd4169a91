package udp

import (
	"net/netip"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// rounds is how often each variant is measured, all of them in turn; ratios are taken within a round.
const rounds = 7

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// cpu is the time that this process has used.
func cpu() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func allocations() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// BenchmarkReceive compares recvmmsg with one ReadFromUDPAddrPort a datagram, by the CPU time of a process that only
// receives. Bursts arrive at once, as a network card's driver hands them up; singles as fast as a sender makes them, which
// is slower than the reader and wakes it for every few.
func BenchmarkReceive(b *testing.B) {
	for _, load := range []struct {
		name    string
		each    int
		every   time.Duration
		singles bool
	}{
		{"100k a second in bursts of 100", 100, time.Millisecond, false},
		{"25k a second in bursts of 5", 5, 200 * time.Microsecond, false},
		{"singles without a pause", 64, 0, true},
		{"bursts of 48 without a pause", 48, 0, false},
	} {
		b.Run(load.name, func(b *testing.B) {
			send := startSender(b)
			var plain, batched, ratio, kept, allocs []float64
			for b.Loop() {
				for range rounds {
					o := order{Each: load.each, Every: load.every, For: 300 * time.Millisecond, Singles: load.singles}
					p := receive(b, send, o, Options{Plain: true})
					m := receive(b, send, o, Options{})
					plain, batched = append(plain, p.nanoseconds), append(batched, m.nanoseconds)
					ratio = append(ratio, p.nanoseconds/m.nanoseconds)
					kept, allocs = append(kept, m.kept), append(allocs, m.allocs)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(plain), "plain-cpu-ns/datagram")
			b.ReportMetric(median(batched), "cpu-ns/datagram")
			b.ReportMetric(median(ratio), "times-less-cpu")
			b.ReportMetric(100*median(kept), "%received")
			b.ReportMetric(median(allocs), "allocs/datagram")
		})
	}
}

type received struct{ nanoseconds, kept, allocs float64 }

// receive measures one server socket while the sender fulfils the order.
func receive(b *testing.B, send func(order) int, o order, options Options) received {
	b.Helper()
	server, err := ListenWith("127.0.0.1:0", options)
	if err != nil {
		b.Fatal(err)
	}
	var n atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		ms := make([]Message, 64)
		for i := range ms {
			ms[i].Data = make([]byte, 2048)
		}
		for {
			k, err := server.ReadBatch(ms)
			if err != nil {
				return
			}
			n.Add(int64(k))
		}
	}()
	o.To = []netip.AddrPort{server.LocalAddr()}
	before, mallocs := cpu(), allocations()
	sent := send(o)
	time.Sleep(10 * time.Millisecond) // what is queued yet
	used, made := cpu()-before, allocations()-mallocs
	server.Close()
	<-done
	got := float64(n.Load())
	return received{float64(used) / got, got / float64(sent), float64(made) / got} // the order itself costs some allocations
}

// BenchmarkSend compares one write a datagram, sendmmsg, and sendmmsg with UDP segmentation, frames to 64 peers: 5 to each,
// as one flush in 4 ms has for a player who sees 48 others, and 48. The peers drop what comes in the kernel.
func BenchmarkSend(b *testing.B) {
	for _, load := range []struct {
		name string
		each int
	}{{"5 to each", 5}, {"48 to each", 48}} {
		b.Run(load.name, func(b *testing.B) {
			batch := make([]Message, 64)
			for i := range batch {
				batch[i] = Message{Addr: discard(b), Data: make([]byte, load.each*frameBytes), Segment: frameBytes}
			}
			var conns []Conn
			for _, o := range []Options{{Plain: true}, {NoSegmentation: true}, {}} {
				c, err := ListenWith("127.0.0.1:0", o)
				if err != nil {
					b.Fatal(err)
				}
				defer c.Close()
				conns = append(conns, c)
			}
			cost := make([][]float64, len(conns))
			var many, segments []float64
			for b.Loop() {
				for range rounds {
					var now [3]float64
					for i, c := range conns {
						now[i] = sendFor(b, c, batch, 100*time.Millisecond) / float64(64*load.each)
						cost[i] = append(cost[i], now[i])
					}
					many, segments = append(many, now[0]/now[1]), append(segments, now[0]/now[2])
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(cost[0]), "plain-cpu-ns/datagram")
			b.ReportMetric(median(cost[1]), "sendmmsg-cpu-ns/datagram")
			b.ReportMetric(median(cost[2]), "segmented-cpu-ns/datagram")
			b.ReportMetric(median(many), "sendmmsg-times-less-cpu")
			b.ReportMetric(median(segments), "segmented-times-less-cpu")
		})
	}
}

// sendFor sends a batch again and again, and returns the nanoseconds of CPU time of one.
func sendFor(b *testing.B, c Conn, batch []Message, d time.Duration) float64 {
	b.Helper()
	n := 0
	before := cpu()
	for start := time.Now(); time.Since(start) < d; n++ {
		if sent, err := c.WriteBatch(batch); sent != len(batch) || err != nil {
			b.Fatalf("WriteBatch = %d, %v", sent, err)
		}
	}
	return float64(cpu()-before) / float64(n)
}

// discard opens a socket whose filter lets nothing in.
func discard(b *testing.B) netip.AddrPort {
	b.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { unix.Close(fd) })
	nothing := unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K}
	if err := unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: 1, Filter: &nothing}); err != nil {
		b.Fatal(err)
	}
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		b.Fatal(err)
	}
	local, err := unix.Getsockname(fd)
	if err != nil {
		b.Fatal(err)
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(local.(*unix.SockaddrInet4).Port))
}

// BenchmarkGroup polls 1,000 client sockets every 20 ms that hear 1,200 frames a second each, sent with UDP segmentation
// every 4 ms: how many cores does a load generator's receiving take?
func BenchmarkGroup(b *testing.B) {
	const sockets, each, flush, every = 1000, 5, 4 * time.Millisecond, 20 * time.Millisecond
	free, err := Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := free.LocalAddr()
	free.Close()
	send := startSender(b)
	g := NewGroup(server)
	defer g.Close()
	o := order{From: server, Each: each, Every: flush, For: 3 * time.Second}
	for i := range sockets {
		if _, err := g.Add(netip.Addr{}); err != nil {
			b.Fatal(err)
		}
		o.To = append(o.To, g.LocalAddr(i))
	}
	for b.Loop() {
		var sent atomic.Int64
		sent.Store(-1)
		before, mallocs, start := cpu(), allocations(), time.Now()
		go func() { sent.Store(int64(send(o))) }()
		got := 0
		poll := func() {
			g.Poll(func(_ int, b []byte, segment int, _ time.Time) { got += (len(b) + segment - 1) / segment })
		}
		for sent.Load() < 0 {
			time.Sleep(every)
			poll()
		}
		used := (cpu() - before).Seconds()
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(used/time.Since(start).Seconds(), "cores")
		b.ReportMetric(float64(got)/time.Since(start).Seconds(), "datagrams/s")
		b.ReportMetric(used/float64(got)*1e9, "cpu-ns/datagram")
		b.ReportMetric(100*float64(got)/float64(sent.Load()), "%received")
		b.ReportMetric(float64(allocations()-mallocs)/float64(got), "allocs/datagram")
	}
}
