package udp

import (
	"net"
	"net/netip"
	"strings"
	"testing"
)

// Both families reach a [::] socket, and IPv4 peers look like IPv4.
func TestListenOnBothFamilies(t *testing.T) {
	for _, addr := range []string{"[::]:0", ":0"} {
		server := must[Conn](t)(Listen(addr))
		defer server.Close()
		for _, ip := range []string{"127.0.0.1", "::1"} {
			to := netip.AddrPortFrom(netip.MustParseAddr(ip), server.LocalAddr().Port())
			client, err := net.Dial("udp", to.String())
			if err != nil {
				t.Logf("no %s here: %v", ip, err)
				continue
			}
			defer client.Close()
			must[int](t)(client.Write([]byte("hello")))
			got := readAll(t, server, 1)
			if got[0].Addr.Addr() != netip.MustParseAddr(ip) {
				t.Errorf("%s: from %v, want %s", addr, got[0].Addr, ip)
			}
			must[int](t)(server.WriteBatch(got))
			if n, err := client.Read(make([]byte, 10)); n != 5 || err != nil {
				t.Errorf("%s: answer to %s: %d bytes, %v", addr, ip, n, err)
			}
		}
	}
}

func TestListenErrors(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.1:0":      "this machine has no such address",
		"7777":             "the address must be host:port, like [::]:7777",
		"127.0.0.1:game":   "the port must be a number from 1 to 65535: set server.port / --port",
		"127.0.0.1:777777": "the port must be a number from 1 to 65535: set server.port / --port",
	} {
		c, err := Listen(addr)
		if err == nil {
			c.Close()
			t.Errorf("%s: no error", addr)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q does not say %q", addr, err, want)
		}
	}
}

func BenchmarkReadWrite(b *testing.B) {
	server, err := Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	ms := []Message{{Addr: server.LocalAddr(), Data: make([]byte, 50, 2048)}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := server.WriteBatch(ms); err != nil {
			b.Fatal(err)
		}
		if _, err := server.ReadBatch(ms); err != nil {
			b.Fatal(err)
		}
	}
}
