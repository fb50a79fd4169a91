package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"darqline/client"
	"darqline/protocol"
	"darqline/protocol/pcap"
)

// TestDissectorOfARun has tshark name every packet of a real run: two players join the demo, its view opens, one buys
// something and chats, the other one hears it and leaves. The port is not the default one, so that the ClientHello has
// to be known.
func TestDissectorOfARun(t *testing.T) {
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skip("SKIPPED: tshark is not here; install it to test the dissector")
	}
	taped := tapeRun(t)
	dir := t.TempDir()
	file, script := filepath.Join(dir, "run.pcap"), filepath.Join(dir, "darqline.lua")
	if err := os.WriteFile(file, taped.capture(t), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := program(t, dir, "dissector", "--out", script).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.CommandContext(t.Context(), tshark, "-n", "-X", "lua_script:"+script, "-r", file,
		"-T", "fields", "-e", "darqline.packet", "-e", "_ws.expert.message", "-e", "_ws.malformed")
	c.Env = append(os.Environ(), "HOME="+dir, "WIRESHARK_CONFIG_DIR="+dir)
	var faults bytes.Buffer
	c.Stderr = &faults
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, faults.Bytes())
	}
	shown := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(shown) != len(taped.datagrams) {
		t.Fatalf("%d packets of %d\n%s", len(shown), len(taped.datagrams), faults.Bytes())
	}
	seen := map[string]int{}
	for i, d := range taped.datagrams {
		name := protocol.ID(d.data[0]).String()
		seen[name]++
		if got := strings.TrimRight(shown[i], "\t"); got != name {
			t.Errorf("packet %d: %q, it is a %s of %d bytes", i+1, got, name, len(d.data))
		}
	}
	for _, name := range []string{
		"ClientHello", "ConnectChallenge", "ServerHello", "ClientAck", "ServerAck", "ServerKeepalive", "ClientPong", "ResourceFiles",
		"PlayerListEntry", "ServerMessage", "ViewOpen", "ViewData", "ViewStatus", "ViewAction", "ClientChat", "ChatMessage", "PlayerLeave", "ClientBye",
	} {
		if seen[name] == 0 {
			t.Errorf("the run has no %s", name)
		}
	}
	t.Logf("%d packets: %v", len(taped.datagrams), seen)
}

// tapeRun is the run.
func tapeRun(t *testing.T) *tape {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../fixtures/demo")); err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	server := open(t, dir, "serve", "--port", address[strings.LastIndexByte(address, ':')+1:], "--no-watch")
	server.wait("Darqline demo is open.")
	taped := new(tape)
	nova, kilo := visit(t, taped, address, "Nova"), visit(t, taped, address, "Kilo")
	nova.hears("opened")
	kilo.hears("connected")
	if err := nova.does.ViewLoaded(nova.view); err != nil {
		t.Fatal(err)
	}
	if err := nova.does.ViewAction(nova.view, 0, "buy", []protocol.ViewField{
		{Name: "item", Type: protocol.FieldString, String: "camera"}, {Name: "amount", Type: protocol.FieldNumber, Number: 1},
	}); err != nil {
		t.Fatal(err)
	}
	nova.hears(`"money":2338`)
	if err := nova.does.Chat("One camera, please"); err != nil {
		t.Fatal(err)
	}
	kilo.hears("One camera, please")
	nova.hears("ping")
	kilo.leave()
	nova.hears("left Kilo")
	nova.leave()
	return taped
}

// A tape is what goes over the sockets of clients.
type tape struct {
	mu        sync.Mutex
	datagrams []taped
}

type taped struct {
	at       time.Time
	from, to netip.AddrPort
	data     []byte
}

// capture is the tape as a file.
func (r *tape) capture(t *testing.T) []byte {
	var b bytes.Buffer
	w := pcap.NewWriter(&b)
	for _, d := range r.datagrams {
		w.Datagram(d.at, d.from, d.to, d.data)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func (r *tape) add(from, to net.Addr, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.datagrams = append(r.datagrams, taped{
		time.Now(), from.(*net.UDPAddr).AddrPort(), to.(*net.UDPAddr).AddrPort(), slices.Clone(data),
	})
}

// DialPacket opens a real socket that is taped.
func (r *tape) DialPacket(ctx context.Context, server string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, "udp4", server)
	if err != nil {
		return nil, err
	}
	return &tapedConn{c, r}, nil
}

func (*tape) DialStream(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "tcp", to.String())
}

type tapedConn struct {
	net.Conn
	tape *tape
}

func (c *tapedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err == nil {
		c.tape.add(c.RemoteAddr(), c.LocalAddr(), b[:n])
	}
	return n, err
}

func (c *tapedConn) Write(b []byte) (int, error) {
	c.tape.add(c.LocalAddr(), c.RemoteAddr(), b)
	return c.Conn.Write(b)
}

// A guest is a player of the run; heard is what he is told.
type guest struct {
	client.NopHandler
	does  *client.Client
	t     *testing.T
	name  string
	view  uint32 // before "opened" is heard
	heard chan string
	leave func() // and wait for the end
}

func visit(t *testing.T, taped *tape, address, name string) *guest {
	g := &guest{t: t, name: name, heard: make(chan string, 1000)}
	c, err := client.New(client.Config{Server: address, Name: name, CacheDir: t.TempDir(), Network: taped, Handler: g})
	if err != nil {
		t.Fatal(err)
	}
	g.does = c
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	g.leave = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	t.Cleanup(g.leave)
	return g
}

func (g *guest) tell(text string) {
	select {
	case g.heard <- text:
	default: // nobody listens any more
	}
}

func (g *guest) Connected(client.Session)       { g.tell("connected") }
func (g *guest) Ping(client.Ping)               { g.tell("ping") }
func (g *guest) Chat(c client.Chat)             { g.tell(c.Text) }
func (g *guest) PlayerLeft(p client.PlayerLeft) { g.tell("left " + p.Name) }

func (g *guest) ViewOpened(v *client.View) {
	g.view = v.ID
	g.tell("opened")
}

func (g *guest) ViewData(_ uint32, _ string, _ uint32, json []byte) { g.tell(string(json)) }

// hears waits until he is told something with the text.
func (g *guest) hears(text string) {
	g.t.Helper()
	end := time.After(time.Minute)
	for {
		select {
		case heard := <-g.heard:
			if strings.Contains(heard, text) {
				return
			}
		case <-end:
			g.t.Fatalf("%s never hears %q", g.name, text)
		}
	}
}
