package udp

import (
	"net"
	"net/netip"
	"strings"
	"testing"
)

// Both families reach a [::] socket, IPv4 peers look like IPv4, and answers go back to both, segments too.
func TestListenOnBothFamilies(t *testing.T) {
	for _, addr := range []string{"[::]:0", ":0"} {
		for _, o := range []Options{{}, {NoSegmentation: true}, {Plain: true}} {
			server := must[Conn](t)(ListenWith(addr, o))
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
				got[0].Segment = 3
				must[int](t)(server.WriteBatch(got))
				for _, want := range []int{3, 2} {
					if n, err := client.Read(make([]byte, 10)); n != want || err != nil {
						t.Errorf("%s by %s: answer to %s: %d bytes, %v, want %d", addr, server.Mode(), ip, n, err, want)
					}
				}
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
