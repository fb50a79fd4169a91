package udp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(senderEnv) != "" {
		runSender()
		return
	}
	goleak.VerifyTestMain(m)
}

// world is what both implementations offer to the battery.
type world interface {
	listen(addr string) (Conn, error)
	dial(to netip.AddrPort) (net.Conn, error)
	listenStream(addr string) (net.Listener, error)
	dialStream(to netip.AddrPort) (net.Conn, error)
}

type realWorld struct{ Options }

func (w realWorld) listen(addr string) (Conn, error) { return ListenWith(addr, w.Options) }
func (realWorld) dial(to netip.AddrPort) (net.Conn, error) {
	return net.Dial("udp", to.String())
}
func (realWorld) listenStream(addr string) (net.Listener, error) { return net.Listen("tcp", addr) }
func (realWorld) dialStream(to netip.AddrPort) (net.Conn, error) {
	return net.Dial("tcp", to.String())
}

type memoryWorld struct{ m *Memory }

var clientIP = netip.MustParseAddr("127.0.0.1")

func (w memoryWorld) listen(addr string) (Conn, error) {
	return w.m.Listen(netip.MustParseAddrPort(addr))
}
func (w memoryWorld) dial(to netip.AddrPort) (net.Conn, error) {
	return w.m.DialPacket(clientIP, to)
}
func (w memoryWorld) listenStream(addr string) (net.Listener, error) {
	return w.m.ListenStream(netip.MustParseAddrPort(addr))
}
func (w memoryWorld) dialStream(to netip.AddrPort) (net.Conn, error) {
	return w.m.DialStream(context.Background(), clientIP, to)
}

// inBoth runs one case of the battery over the kernel, in each way there is, and over a Memory with and without delay.
func inBoth(t *testing.T, test func(t *testing.T, w world)) {
	t.Helper()
	t.Run("kernel", func(t *testing.T) { test(t, realWorld{}) })
	t.Run("kernel without segmentation", func(t *testing.T) { test(t, realWorld{Options{NoSegmentation: true}}) })
	t.Run("kernel plain", func(t *testing.T) { test(t, realWorld{Options{Plain: true}}) })
	for _, delay := range []time.Duration{0, 30 * time.Millisecond} {
		t.Run(fmt.Sprintf("memory %v", delay), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := NewMemory(1)
				m.SetPath(Path{Delay: delay})
				test(t, memoryWorld{m})
			})
		})
	}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func buffers(n int) []Message {
	ms := make([]Message, n)
	for i := range ms {
		ms[i].Data = make([]byte, 2048)
	}
	return ms
}

// readAll reads n datagrams however they are batched.
func readAll(t *testing.T, c Conn, n int) []Message {
	t.Helper()
	var got []Message
	for len(got) < n {
		ms := buffers(4)
		k, err := c.ReadBatch(ms)
		if err != nil || k < 1 || k > 4 {
			t.Fatalf("ReadBatch = %d, %v", k, err)
		}
		got = append(got, ms[:k]...)
	}
	return got
}

func TestRoundTrip(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		server := must[Conn](t)(w.listen("127.0.0.1:0"))
		defer server.Close()
		client := must[net.Conn](t)(w.dial(server.LocalAddr()))
		defer client.Close()
		sizes := []int{1, 0, 50, 1200, 2048}
		for i, size := range sizes {
			n, err := client.Write(bytes.Repeat([]byte{byte(i)}, size))
			if n != size || err != nil {
				t.Fatalf("Write of %d = %d, %v", size, n, err)
			}
		}
		got := readAll(t, server, len(sizes))
		for i, size := range sizes {
			if want := bytes.Repeat([]byte{byte(i)}, size); !bytes.Equal(got[i].Data, want) {
				t.Errorf("datagram %d has %d bytes, want %d", i, len(got[i].Data), size)
			}
			if got[i].Addr.String() != client.LocalAddr().String() {
				t.Errorf("datagram %d is from %v, want %v", i, got[i].Addr, client.LocalAddr())
			}
		}
		if n, err := server.WriteBatch(got); n != len(sizes) || err != nil {
			t.Fatalf("WriteBatch = %d, %v", n, err)
		}
		b := make([]byte, 4096)
		for i, size := range sizes {
			if n, err := client.Read(b); n != size || err != nil {
				t.Fatalf("answer %d = %d bytes, %v, want %d", i, n, err, size)
			}
		}
	})
}

func TestLongDatagramIsCut(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		server := must[Conn](t)(w.listen("127.0.0.1:0"))
		defer server.Close()
		client := must[net.Conn](t)(w.dial(server.LocalAddr()))
		defer client.Close()
		must[int](t)(client.Write(make([]byte, 3000)))
		must[int](t)(client.Write([]byte("next")))
		got := readAll(t, server, 2)
		if len(got[0].Data) != 2048 || string(got[1].Data) != "next" {
			t.Errorf("got %d bytes, then %q", len(got[0].Data), got[1].Data)
		}
	})
}

func TestCloseEndsReadsAndWrites(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		server := must[Conn](t)(w.listen("127.0.0.1:0"))
		ended := make(chan error)
		go func() {
			_, err := server.ReadBatch(buffers(1))
			ended <- err
		}()
		if err := server.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != net.ErrClosed {
			t.Errorf("ReadBatch ended with %v", err)
		}
		if n, err := server.WriteBatch([]Message{{Addr: server.LocalAddr(), Data: []byte("x")}}); n != 0 || err != net.ErrClosed {
			t.Errorf("WriteBatch after Close = %d, %v", n, err)
		}
		if server.Close() == nil {
			t.Error("the second Close has no error")
		}
	})
}

func TestTakenPort(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		server := must[Conn](t)(w.listen("127.0.0.1:0"))
		defer server.Close()
		_, err := w.listen(server.LocalAddr().String())
		want := fmt.Sprintf("UDP port %d is taken by another program: stop it or set server.port / --port", server.LocalAddr().Port())
		if err == nil || err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		if !isAny(err, portTaken) {
			t.Errorf("the cause is lost: %v", err)
		}
	})
}

// A peer that has gone must cost the server nothing: neither its reads nor what it sends to others in the same batch.
func TestGonePeer(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		server := must[Conn](t)(w.listen("127.0.0.1:0"))
		defer server.Close()
		gone := must[net.Conn](t)(w.dial(server.LocalAddr()))
		stays := must[net.Conn](t)(w.dial(server.LocalAddr()))
		defer stays.Close()
		must[int](t)(gone.Write([]byte("a")))
		must[int](t)(stays.Write([]byte("b")))
		got := readAll(t, server, 2)
		if string(got[0].Data) != "a" {
			got[0], got[1] = got[1], got[0]
		}
		gone.Close()
		for range 5 {
			got[0].Data = make([]byte, 100)
			if _, err := server.WriteBatch(got); err != nil {
				t.Fatal(err)
			}
			n, err := stays.Read(make([]byte, 10))
			if n != 1 || err != nil {
				t.Fatalf("the other peer got %d bytes, %v", n, err)
			}
			must[int](t)(stays.Write([]byte("again")))
			readAll(t, server, 1)
		}
	})
}

func TestConnectedSocketHearsOnlyItsPeer(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		server := must[Conn](t)(w.listen("127.0.0.1:0"))
		defer server.Close()
		stranger := must[Conn](t)(w.listen("127.0.0.1:0"))
		defer stranger.Close()
		client := must[net.Conn](t)(w.dial(server.LocalAddr()))
		defer client.Close()
		must[int](t)(client.Write([]byte("hello")))
		to := readAll(t, server, 1)[0].Addr
		must[int](t)(stranger.WriteBatch([]Message{{Addr: to, Data: []byte("forged")}}))
		must[int](t)(server.WriteBatch([]Message{{Addr: to, Data: []byte("honest")}}))
		b := make([]byte, 100)
		if n, err := client.Read(b); string(b[:n]) != "honest" {
			t.Errorf("got %q, %v", b[:n], err)
		}
	})
}

func TestClientDeadlines(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		server := must[Conn](t)(w.listen("127.0.0.1:0"))
		defer server.Close()
		client := must[net.Conn](t)(w.dial(server.LocalAddr()))
		client.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		if _, err := client.Read(make([]byte, 10)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("Read ended with %v", err)
		}
		client.SetDeadline(time.Now().Add(-time.Second))
		if _, err := client.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("Write ended with %v", err)
		}
		client.SetDeadline(time.Time{})
		ended := make(chan error)
		go func() {
			_, err := client.Read(make([]byte, 10))
			ended <- err
		}()
		client.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("Read ended with %v", err)
		}
	})
}

// pair connects a client's end and a server's end.
func pair(t *testing.T, w world) (client, server net.Conn) {
	t.Helper()
	l := must[net.Listener](t)(w.listenStream("127.0.0.1:0"))
	defer l.Close()
	client = must[net.Conn](t)(w.dialStream(l.Addr().(*net.TCPAddr).AddrPort()))
	server = must[net.Conn](t)(l.Accept())
	t.Cleanup(func() { client.Close(); server.Close() })
	return client, server
}

func TestStreamCarriesAllBytesAndItsEnd(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		client, server := pair(t, w)
		if client.LocalAddr().String() != server.RemoteAddr().String() || client.RemoteAddr().String() != server.LocalAddr().String() {
			t.Error("the ends disagree about their addresses")
		}
		sent := bytes.Repeat([]byte("0123456789abcdef"), 100_000)
		done := make(chan error)
		go func() {
			_, err := client.Write(sent)
			client.(interface{ CloseWrite() error }).CloseWrite()
			done <- err
		}()
		got := must[[]byte](t)(io.ReadAll(server))
		if err := <-done; err != nil || !bytes.Equal(got, sent) {
			t.Fatalf("%d of %d bytes came through, %v", len(got), len(sent), err)
		}
		must[int](t)(server.Write([]byte("answer")))
		server.Close()
		if got := must[[]byte](t)(io.ReadAll(client)); string(got) != "answer" {
			t.Errorf("after the half-close came %q", got)
		}
	})
}

func TestStreamReset(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		client, server := pair(t, w)
		server.(interface{ SetLinger(int) error }).SetLinger(0)
		server.Close()
		if _, err := client.Read(make([]byte, 1)); err == nil || err == io.EOF || errors.Is(err, net.ErrClosed) {
			t.Errorf("Read ended with %v", err)
		}
	})
}

func TestStreamClosedWithBytesUnreadIsReset(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		client, server := pair(t, w)
		must[int](t)(client.Write([]byte("two")))
		must[int](t)(server.Read(make([]byte, 1)))
		server.Close()
		if _, err := client.Read(make([]byte, 1)); err == nil || err == io.EOF {
			t.Errorf("Read ended with %v", err)
		}
	})
}

func TestStreamWriteToClosedPeerFails(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		client, server := pair(t, w)
		server.Close()
		if _, err := client.Read(make([]byte, 1)); err != io.EOF {
			t.Fatalf("Read = %v", err)
		}
		client.SetWriteDeadline(time.Now().Add(10 * time.Second))
		var err error
		for err == nil {
			_, err = client.Write(make([]byte, 1000))
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("Write ended with %v", err)
		}
	})
}

func TestStreamDeadlines(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		client, server := pair(t, w)
		server.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		if _, err := server.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("Read ended with %v", err)
		}
		much := make([]byte, 64<<20) // more than any buffer, and nobody reads
		server.SetWriteDeadline(time.Now().Add(500 * time.Millisecond))
		n, err := server.Write(much)
		if !errors.Is(err, os.ErrDeadlineExceeded) || n == 0 || n == len(much) {
			t.Errorf("Write = %d, %v", n, err)
		}
		got := make([]byte, n)
		if _, err := io.ReadFull(client, got); err != nil {
			t.Errorf("what was written cannot be read: %v", err)
		}
		server.SetDeadline(time.Time{})
		must[int](t)(client.Write([]byte("x")))
		must[int](t)(server.Read(make([]byte, 1)))
	})
}

func TestStreamRefused(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		l := must[net.Listener](t)(w.listenStream("127.0.0.1:0"))
		l.Close()
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Accept ended with %v", err)
		}
		_, err := w.dialStream(l.Addr().(*net.TCPAddr).AddrPort())
		if err == nil || !strings.Contains(err.Error(), "refused") {
			t.Errorf("dial = %v", err)
		}
	})
}

func TestStreamListenerClosedInAccept(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		l := must[net.Listener](t)(w.listenStream("127.0.0.1:0"))
		ended := make(chan error)
		go func() {
			_, err := l.Accept()
			ended <- err
		}()
		l.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("Accept ended with %v", err)
		}
	})
}

// Close may come while the socket is read and written.
func TestCloseDuringWrites(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		server := must[Conn](t)(w.listen("127.0.0.1:0"))
		sink := must[Conn](t)(w.listen("127.0.0.1:0"))
		defer sink.Close()
		batch := make([]Message, 2000)
		for i := range batch {
			batch[i] = Message{Addr: sink.LocalAddr(), Data: make([]byte, 61*5), Segment: 61}
		}
		started, ended := make(chan bool), make(chan error)
		go func() {
			_, err := server.ReadBatch(buffers(1))
			ended <- err
		}()
		go func() {
			for first := true; ; first = false {
				n, err := server.WriteBatch(batch)
				if first {
					close(started)
				}
				if err != nil || n < 0 || n > len(batch) {
					ended <- err
					return
				}
			}
		}()
		<-started
		server.Close()
		for range 2 {
			if err := <-ended; err != net.ErrClosed {
				t.Errorf("ended with %v", err)
			}
		}
	})
}
