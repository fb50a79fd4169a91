package client

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// What anyone can send who knows where a client and its server are, but cannot read what they say, changes nothing.

func TestForgedHandshakeAtAConnectedClient(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		own, foreign := st.nonce, st.nonce+1
		st.receive()
		st.take()
		st.alive(2 * time.Second)
		st.receive()
		moved := func(p *protocol.ServerHello) { p.State = protocol.HelloMoved }
		forged := []protocol.Packet{
			&protocol.KickNotify{Nonce: foreign, Reason: protocol.ReasonKicked},
			&protocol.ConnectReject{Nonce: own, Reason: protocol.ReasonFull},
			&protocol.ConnectReject{Nonce: foreign, Reason: protocol.ReasonResume},
			&protocol.ConnectChallenge{Nonce: own, Cookie: [24]byte{1}},
			&protocol.ConnectChallenge{Nonce: foreign, Cookie: [24]byte{1}},
			st.hello(), st.hello(signingIn), st.hello(moved), // what is connected was not asked to be moved
			st.hello(func(p *protocol.ServerHello) { p.PlayerID, p.Token = 9, 1 }),
			st.hello(moved, func(p *protocol.ServerHello) { p.Nonce = foreign }),
			st.hello(moved, func(p *protocol.ServerHello) { p.Token++ }),
		}
		begun := time.Now()
		for _, p := range forged {
			st.send(p)
			if packets, _ := st.receive(); !st.running() || len(packets) != 0 {
				t.Fatalf("%#v: the client answers %v", p, packets)
			}
		}
		equal(t, st.take("connected", "link", "self", "signed"))

		// None of it is a life sign: the client asks to go on at its own time.
		for range 3 * 4 {
			time.Sleep(250 * time.Millisecond)
			if packets, _ := st.receive(); len(packets) != 0 {
				break
			}
			for _, p := range forged {
				st.send(p)
			}
		}
		if d := time.Since(begun); d > 3*time.Second {
			t.Errorf("asked to go on after %v", d)
		}
		equal(t, st.take("link"), "link silent")
		for _, p := range forged { // nor does it answer the move under way
			st.send(p)
		}
		if got := st.take("link", "connected"); !st.running() || len(got) != 0 {
			t.Errorf("heard %v", got)
		}
	})
}

// TestForgedPlayerLeave: one on the lane has to have the next number, and none is about oneself or an earlier owner of an id.
func TestForgedPlayerLeave(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(playerSpawned(4, 9))
		st.send(&protocol.RemotePlayerSync{PlayerID: 4, PlayerToken: 9, Seq: 1})
		st.take()
		leave := &protocol.PlayerLeave{PlayerID: 4, PlayerToken: 9, Reason: protocol.ReasonKicked}
		for _, event := range []uint32{0, st.event, st.event + 2, 1 << 31, 1<<32 - 1} {
			st.sendTo(st.sockets[0], leave, event)
		}
		st.lane(&protocol.PlayerLeave{PlayerID: 4, PlayerToken: 8, Reason: protocol.ReasonKicked})
		equal(t, st.take("left", "remote"), "left 4/8  kicked") // of who had the id before, whom this client never saw
		if len(st.client.Remotes()) != 1 {
			t.Fatal("another player went by a leave of an earlier owner of his id")
		}
		before := st.client.Self()
		st.lane(&protocol.PlayerLeave{PlayerID: before.ID, PlayerToken: before.Token, Reason: protocol.ReasonKicked})
		if after := st.client.Self(); !st.running() || after.State != before.State {
			t.Errorf("the state is %v after one's own leave", after.State)
		}
		st.lane(leave)
		equal(t, st.take("left 4"), "left 4/9  kicked")
	})
}

// TestKickOfAnEarlierMoveIsBelieved: the server may have moved the session although its answer was lost, and name that
// hello from then on.
func TestKickOfAnEarlierMoveIsBelieved(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		var moves []uint64
		for range maxNonces + 3 {
			time.Sleep(3 * time.Second)
			moves = append(moves, last(received[*protocol.ClientHello](st)).Nonce)
			st.send(&protocol.ServerKeepalive{Seq: uint32(len(moves)), Probe: 2, Ping: 30})
		}
		st.send(&protocol.KickNotify{Nonce: moves[0], Reason: protocol.ReasonTimeout}) // so old that it is forgotten
		if !st.running() {
			t.Fatal("nonces are kept for ever")
		}
		st.send(&protocol.KickNotify{Nonce: moves[len(moves)-3], Reason: protocol.ReasonTimeout})
		var e *EndError
		if err := st.wait(); !errors.As(err, &e) || e.Kind != Kicked {
			t.Errorf("got %v", err)
		}
	})
}

// TestAnotherAddressIsNotHeard: over real sockets, what does not come from the server's own address does not come at all,
// even with everything in it right.
func TestAnotherAddressIsNotHeard(t *testing.T) {
	loopback := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}
	server, err := net.ListenUDP("udp4", loopback)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	forger, err := net.ListenUDP("udp4", loopback)
	if err != nil {
		t.Fatal(err)
	}
	defer forger.Close()
	heard := &recorder{}
	c, err := New(Config{Server: server.LocalAddr().String(), Name: "Carl", CacheDir: t.TempDir(), Handler: heard})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Run(t.Context()) }()

	buf := make([]byte, 2048)
	server.SetReadDeadline(time.Now().Add(20 * time.Second))
	send := func(from *net.UDPConn, to *net.UDPAddr, p protocol.Packet, event uint32) {
		t.Helper()
		b, err := protocol.Append(nil, protocol.Header{ID: p.ID(), Event: event}, p)
		if err == nil {
			_, err = from.WriteToUDP(b, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	next := func(id protocol.ID) (protocol.Packet, *net.UDPAddr) {
		t.Helper()
		for {
			n, from, err := server.ReadFromUDP(buf)
			if err != nil {
				t.Fatal(err)
			}
			if h, p, err := protocol.Decode(buf[:n], protocol.ClientToServer); err == nil && h.ID == id {
				return p, from
			}
		}
	}
	first, address := next(protocol.IDClientHello)
	hello := &protocol.ServerHello{
		Nonce: first.(*protocol.ClientHello).Nonce, Token: 1, PlayerToken: 1, State: protocol.HelloPreSpawn,
		ClientFilesPort: 1, MaxPlayers: 1, Keepalive: 1000, Timeout: 60000, Name: "Carl",
	}
	forgedHello := *hello
	forgedHello.Name = "Forged"
	send(forger, address, &forgedHello, 0)
	send(server, address, hello, 0)
	next(protocol.IDRequestSpawn)
	send(forger, address, &protocol.ServerMessage{Text: "forged"}, 1)
	send(forger, address, &protocol.PlayerLeave{PlayerID: 4, PlayerToken: 9}, 1)
	send(forger, address, &protocol.KickNotify{Nonce: hello.Nonce, Reason: protocol.ReasonKicked, Text: "forged"}, 0)
	send(server, address, &protocol.ServerMessage{Text: "real"}, 1)
	next(protocol.IDClientAck)
	send(server, address, &protocol.KickNotify{Nonce: hello.Nonce, Reason: protocol.ReasonKicked, Text: "real"}, 0)
	select {
	case err := <-ended:
		if err == nil || !strings.HasSuffix(err.Error(), "you were kicked: real") {
			t.Errorf("ended by %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the server's own kick did not end it")
	}
	heard.mu.Lock()
	defer heard.mu.Unlock()
	if all := strings.Join(heard.lines, "\n"); strings.Contains(strings.ToLower(all), "forged") || strings.Contains(all, "left") || !strings.Contains(all, "real") {
		t.Errorf("heard\n%s", all)
	}
}
