package udp

import (
	"bytes"
	"net"
	"slices"
	"testing"
	"time"
)

func TestCut(t *testing.T) {
	data := []byte("abcdefg")
	for _, test := range []struct {
		size int
		want []string
	}{
		{0, []string{"abcdefg"}},
		{-1, []string{"abcdefg"}},
		{1, []string{"a", "b", "c", "d", "e", "f", "g"}},
		{3, []string{"abc", "def", "g"}},
		{6, []string{"abcdef", "g"}},
		{7, []string{"abcdefg"}},
		{8, []string{"abcdefg"}},
	} {
		var got []string
		for head, rest := Cut(data, test.size); ; head, rest = Cut(rest, test.size) {
			got = append(got, string(head))
			if len(rest) == 0 {
				break
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("by %d: %q, want %q", test.size, got, test.want)
		}
	}
}

func TestTogether(t *testing.T) {
	for segment, want := range map[int]int{
		0: 0, 1: 64, 61: 61 * 64, 1023: 1023 * 64, 1024: 1024 * 63, 1200: 1200 * 54, 40_000: 40_000, 65_507: 65_507, 70_000: 70_000,
	} {
		if got := together(segment); got != want {
			t.Errorf("together(%d) = %d, want %d", segment, got, want)
		}
	}
}

// Segments arrive as the datagrams they are, in order, however many they are and whatever stands around them.
func TestSegments(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		server := must[Conn](t)(w.listen("127.0.0.1:0"))
		defer server.Close()
		client := must[net.Conn](t)(w.dial(server.LocalAddr()))
		defer client.Close()
		must[int](t)(client.Write([]byte("hello")))
		client.SetReadDeadline(time.Now().Add(10 * time.Second)) // a lost datagram fails the test
		to := readAll(t, server, 1)[0].Addr
		for _, test := range []struct{ bytes, segment int }{
			{610, 61}, {611, 61}, {671, 61}, {60, 61}, {61, 61}, {1, 61}, {0, 61}, {3, 1},
			{64 * 61, 61}, {64*61 + 1, 61}, {200*61 + 5, 61}, {10 * 1200, 1200}, {60 * 1200, 1200}, {64*1200 - 1, 1200},
			{500, 0}, {0, 0}, {500, -1},
		} {
			data := make([]byte, test.bytes)
			for i := range data {
				data[i] = byte(i/max(test.segment, 1) + i)
			}
			batch := []Message{{Addr: to, Data: []byte("before")}, {Addr: to, Data: data, Segment: test.segment}, {Addr: to, Data: []byte("after")}}
			if n, err := server.WriteBatch(batch); n != 3 || err != nil {
				t.Fatalf("%+v: WriteBatch = %d, %v", test, n, err)
			}
			want := [][]byte{[]byte("before")}
			for len(data) > test.segment && test.segment > 0 {
				want = append(want, data[:test.segment])
				data = data[test.segment:]
			}
			want = append(want, data, []byte("after"))
			b := make([]byte, 4096)
			for i := range want {
				n, err := client.Read(b)
				if err != nil || !bytes.Equal(b[:n], want[i]) {
					t.Fatalf("%+v: datagram %d of %d has %d bytes, %v, want %d", test, i, len(want), n, err, len(want[i]))
				}
			}
		}
	})
}

// Many peers' segments in one batch, more than one system call takes, each to its own.
func TestSegmentsToManyPeers(t *testing.T) {
	inBoth(t, func(t *testing.T, w world) {
		server := must[Conn](t)(w.listen("127.0.0.1:0"))
		defer server.Close()
		const peers, each = 20, 60 // what a client's default buffer holds
		clients := make([]net.Conn, peers)
		var batch []Message
		for i := range clients {
			clients[i] = must[net.Conn](t)(w.dial(server.LocalAddr()))
			defer clients[i].Close()
			must[int](t)(clients[i].Write([]byte("hello")))
			clients[i].SetReadDeadline(time.Now().Add(10 * time.Second))
			to := readAll(t, server, 1)[0].Addr
			for k := range each {
				batch = append(batch, Message{Addr: to, Data: []byte{byte(i), byte(k), byte(i), byte(k), 0xFF}, Segment: 2})
			}
		}
		if n, err := server.WriteBatch(batch); n != len(batch) || err != nil {
			t.Fatalf("WriteBatch = %d, %v", n, err)
		}
		b := make([]byte, 10)
		for i, client := range clients {
			for k := range each {
				for _, want := range [][]byte{{byte(i), byte(k)}, {byte(i), byte(k)}, {0xFF}} {
					n, err := client.Read(b)
					if err != nil || !bytes.Equal(b[:n], want) {
						t.Fatalf("peer %d, message %d: %v, %v, want %v", i, k, b[:n], err, want)
					}
				}
			}
		}
	})
}
