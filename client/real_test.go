package client

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// TestRealSockets takes the client over loopback: the real network, and a file server that is not ours.
func TestRealSockets(t *testing.T) {
	body := bytes.Repeat([]byte("darqline"), 64<<10)
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, r.URL.Path, time.Time{}, bytes.NewReader(body))
	})}
	served := make(chan struct{})
	go func() { server.Serve(web); close(served) }()
	defer func() { server.Close(); <-served }()

	udp, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	b := blobOf(body)
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		answerHandshake(udp, &protocol.ResourceFiles{
			Name: "a", Generation: 1, Total: 1, Entries: []protocol.FileEntry{{Path: "a.html", Size: uint32(b.size), SHA256: b.hash}},
		}, &protocol.ViewOpen{ViewID: 1, Name: "a", Generation: 1, Entry: "a.html"}, uint16(web.Addr().(*net.TCPAddr).Port))
	}()
	defer func() { udp.Close(); <-answered }()

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	opened := &recorder{on: func(line string) {
		if strings.HasPrefix(line, "view 1 opened") {
			cancel()
		}
	}}
	c, err := New(Config{Server: udp.LocalAddr().String(), Name: "Carl", CacheDir: t.TempDir(), Handler: opened})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if opened.opened() == nil {
		t.Fatalf("heard %v", opened.lines)
	}
}

// answerHandshake is the smallest server: it admits everyone who proves his address and sends two events, again and
// again until they are acknowledged.
func answerHandshake(c *net.UDPConn, first, second protocol.Packet, filesPort uint16) {
	buf := make([]byte, 2048)
	for {
		n, from, err := c.ReadFromUDPAddrPort(buf)
		if err != nil {
			return
		}
		send := func(event uint32, p protocol.Packet) {
			if b, err := protocol.Append(nil, protocol.Header{Event: event}, p); err == nil {
				c.WriteToUDPAddrPort(b, from)
			}
		}
		_, p, err := protocol.Decode(buf[:n], protocol.ClientToServer)
		if err != nil {
			continue
		}
		switch p := p.(type) {
		case *protocol.ClientHello:
			if p.Cookie == [24]byte{} {
				send(0, &protocol.ConnectChallenge{Nonce: p.Nonce, Cookie: [24]byte{1}})
				continue
			}
			send(0, &protocol.ServerHello{Nonce: p.Nonce, Token: 1, PlayerToken: 1, State: protocol.HelloPreSpawn, ClientFilesPort: filesPort,
				MaxPlayers: 1, Keepalive: 1000, Timeout: 10000, Name: p.Name})
		case *protocol.ClientAck:
			if p.Ack < 2 {
				send(1, first)
				send(2, second)
			}
		}
	}
}
