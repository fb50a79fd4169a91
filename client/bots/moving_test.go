package bots

import (
	"slices"
	"testing"
	"time"

	"darqline/host/udp"
	"darqline/protocol"
)

// letters is a group that keeps what is sent.
type letters struct {
	udp.Group
	sent []protocol.Packet
}

func (l *letters) Send(_ int, d []byte) {
	if _, p, err := protocol.Decode(d, protocol.ClientToServer); err == nil {
		l.sent = append(l.sent, p)
	}
}

// hellos are the ClientHellos since the last call.
func (l *letters) hellos() (hellos []*protocol.ClientHello) {
	for _, p := range l.sent {
		if h, ok := p.(*protocol.ClientHello); ok {
			hellos = append(hellos, h)
		}
	}
	l.sent = nil
	return hellos
}

func encode(t *testing.T, p protocol.Packet) []byte {
	t.Helper()
	var c protocol.Codec
	d, err := c.Append(nil, protocol.Header{}, p)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestASilentServerIsAskedToGoOn(t *testing.T) {
	const token, second = 77, time.Second
	c := Defaults()
	c.Count = 1
	out := new(letters)
	r := newRun(c, out)
	b := &r.bots[0]
	b.init(r, 0)
	b.admitted(0, &protocol.ServerHello{Nonce: 5, Token: token, PlayerToken: 10, State: protocol.HelloPreSpawn, MaxPlayers: 2,
		Keepalive: 1000, Timeout: 30_000})
	b.drive(3*second - 1)
	if got := out.hellos(); len(got) != 0 {
		t.Fatalf("asked too early: %+v", got[0])
	}
	b.drive(3 * second)
	first := out.hellos()
	if len(first) != 1 || first[0].Resume != token || first[0].Nonce == 0 || first[0].Nonce == 5 || first[0].Cookie != [24]byte{} {
		t.Fatalf("the hellos are %+v", first)
	}
	b.receive(3*second+1, encode(t, &protocol.ConnectChallenge{Nonce: first[0].Nonce, Cookie: [24]byte{1}}))
	if got := out.hellos(); len(got) != 1 || got[0].Nonce != first[0].Nonce || got[0].Cookie != [24]byte{1} {
		t.Fatalf("the answer to the challenge is %+v", got)
	}
	b.drive(13*second + 1) // nothing came of it
	again := out.hellos()
	if len(again) != 1 || again[0].Nonce == first[0].Nonce || again[0].Resume != token {
		t.Fatalf("the second attempt is %+v", again)
	}

	moved := protocol.ServerHello{Nonce: 6, Token: token, PlayerToken: 10, State: protocol.HelloMoved, ClientFilesPort: 1, MaxPlayers: 2,
		Keepalive: 1000, Timeout: 30_000, ServerName: "S", Name: b.name}
	b.receive(14*second, encode(t, &moved))
	if r.moves != 0 {
		t.Fatal("a nonce that was never asked with moved it")
	}
	moved.Nonce = first[0].Nonce // the answer to the first attempt was late
	b.receive(14*second, encode(t, &moved))
	b.receive(14*second, encode(t, &moved))
	if r.moves != 1 || b.token != token || b.state != preSpawn {
		t.Fatalf("%d moves, state %d", r.moves, b.state)
	}
	if b.drive(14*second + 1); len(out.hellos()) != 0 {
		t.Error("it asks on")
	}
	if want := []uint64{first[0].Nonce, again[0].Nonce}; !slices.Equal(b.nonces, want) {
		t.Errorf("the session's nonces are %v, want %v", b.nonces, want)
	}
	b.receive(15*second, encode(t, &protocol.KickNotify{Nonce: again[0].Nonce, Reason: protocol.ReasonKicked}))
	if b.state != gone || r.ended != 1 {
		t.Error("a kick with a nonce of its own is not believed")
	}
}

func TestWhoComesAndGoesSaysGoodbye(t *testing.T) {
	c := Defaults()
	c.Count, c.Stay = 1, 10*time.Second
	out := new(letters)
	r := newRun(c, out)
	r.phase = measuring
	b := &r.bots[0]
	b.init(r, 0)
	hello := &protocol.ServerHello{Nonce: 5, Token: 7, PlayerToken: 10, State: protocol.HelloPreSpawn, MaxPlayers: 2, Keepalive: 1000, Timeout: 60_000}
	b.admitted(0, hello)
	b.applyBody(0, &protocol.SpawnPlayer{Spawn: protocol.SpawnInfo{Health: 100}})
	if b.leaves < 5*time.Second || b.leaves > 15*time.Second {
		t.Fatalf("it stays for %v", b.leaves)
	}
	byes := 0
	now := b.leaves
	for end := now + awayTime; now < end; {
		out.sent = nil
		next := b.drive(now)
		for _, p := range out.sent {
			if _, ok := p.(*protocol.ClientBye); ok {
				byes++
			} else {
				t.Errorf("it sent %T", p)
			}
		}
		if next <= now {
			t.Fatalf("at %v the next is due at %v", now, next)
		}
		now = next
	}
	if byes != 3 || r.in != 0 || r.left != 1 || r.ended != 0 {
		t.Errorf("%d byes, %d in, %d left, %d ended", byes, r.in, r.left, r.ended)
	}
	out.sent = nil
	b.drive(now)
	if got := out.hellos(); len(got) != 1 || got[0].Resume != 0 || got[0].Name != b.name {
		t.Errorf("it comes again with %+v", got)
	}
}

func TestWhoIsRefused(t *testing.T) {
	for _, test := range []struct {
		name   string
		reason protocol.Reason
		stay   time.Duration
		in     bool // in a session, before it is in the game
		want   state
		after  time.Duration
	}{
		{"too many, while all join", protocol.ReasonTooMany, 0, false, outside, 5 * time.Second},
		{"full", protocol.ReasonFull, 0, false, gone, 0},
		{"its own name", protocol.ReasonNameInUse, time.Minute, false, outside, againAfter},
		{"another's name", protocol.ReasonNameInUse, 0, false, gone, 0},
		{"a session that was forgotten", protocol.ReasonResume, 0, true, outside, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := Defaults()
			c.Count, c.Stay = 1, test.stay
			r := newRun(c, new(letters))
			b := &r.bots[0]
			b.init(r, 0)
			now := time.Duration(0)
			if test.in {
				b.admitted(0, &protocol.ServerHello{Nonce: 5, Token: 7, PlayerToken: 10, State: protocol.HelloPreSpawn, MaxPlayers: 2,
					Keepalive: 1000, Timeout: 60_000})
				now = 3 * time.Second
			}
			b.drive(now)
			b.receive(now, encode(t, &protocol.ConnectReject{Nonce: b.hello.packet.Nonce, Reason: test.reason}))
			if b.state != test.want || test.want == outside && b.hello.after != test.after {
				t.Errorf("state %d, again after %v", b.state, b.hello.after)
			}
		})
	}
}
