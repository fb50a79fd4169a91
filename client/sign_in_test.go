package client

import (
	"errors"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// signingIn is a ServerHello of a server that wants a sign-in.
func signingIn(p *protocol.ServerHello) { p.State, p.AuthNonce = protocol.HelloPreAuth, [32]byte{1} }

func TestAnAssertionGoesInParts(t *testing.T) {
	for _, tt := range []struct{ size, parts int }{{3, 1}, {1024, 1}, {1025, 2}, {2048, 2}, {8191, 8}, {8192, 8}} {
		bubble(t, func(t *testing.T, st *stage) {
			st.connect(signingIn)
			jwt := strings.Repeat("aZ09-_", 2000)[:tt.size-2] + ".."
			if err := st.client.SignIn(jwt); err != nil {
				t.Fatal(err)
			}
			parts := received[*protocol.AuthAssertion](st)
			var whole []byte
			for i, p := range parts {
				if int(p.Part) != i || int(p.Parts) != tt.parts {
					t.Errorf("%d bytes: part %d of %d at %d", tt.size, p.Part, p.Parts, i)
				}
				whole = append(whole, p.Data...)
			}
			if len(parts) != tt.parts || string(whole) != jwt {
				t.Errorf("%d bytes came as %d in %d parts", tt.size, len(whole), len(parts))
			}
		})
	}
}

func TestWhatIsNoAssertionIsRefusedInWords(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect(signingIn)
		for bad, want := range map[string]string{
			"":                               "1 to 8192 bytes, this one 0",
			strings.Repeat("a", 8191) + "..": "1 to 8192 bytes, this one 8193",
			"secret":                         "three parts with dots between, this has 1",
			"a.b.c.d.e":                      "three parts with dots between, this has 5",
			"a.b=.c":                         "base64url",
			"a.b .c":                         "base64url",
			"a.\u00fc.c":                     "base64url",
		} {
			if err := st.client.SignIn(bad); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%.10q: %v, expected %q", bad, err, want)
			}
		}
		if got := received[*protocol.AuthAssertion](st); len(got) != 0 {
			t.Errorf("sent %v", got)
		}
	})
}

// TestOneAssertionAtATime: the server drops more than one each 2 s, and one while it still gets another.
func TestOneAssertionAtATime(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect(signingIn)
		signIn := func(jwt string) {
			t.Helper()
			if err := st.client.SignIn(jwt); err != nil {
				t.Fatal(err)
			}
		}
		sent := func(want ...string) {
			t.Helper()
			var got []string
			for _, p := range received[*protocol.AuthAssertion](st) {
				got = append(got, string(p.Data))
			}
			equal(t, got, want...)
		}
		signIn("first.b.c")
		sent("first.b.c")
		signIn("second.b.c")
		st.alive(1999 * time.Millisecond)
		signIn("third.b.c") // takes the place of the second
		sent()
		time.Sleep(time.Millisecond)
		sent("third.b.c")

		st.alive(2 * time.Second)
		st.deaf = true
		signIn("lost.b.c")
		signIn("next.b.c")
		st.alive(3 * time.Second)
		for _, p := range received[*protocol.AuthAssertion](st) {
			if string(p.Data) != "lost.b.c" { // again and again
				t.Fatalf("%s was sent before the one before it had come", p.Data)
			}
		}
		st.deaf = false
		st.alive(time.Second)
		sent("lost.b.c")
		st.alive(2 * time.Second)
		sent("next.b.c")
	})
}

func TestSignedIn(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect(signingIn)
		if err := st.client.Chat("hello"); !errors.Is(err, ErrSignInFirst) {
			t.Errorf("chat before the sign-in: %v", err)
		}
		if err := st.client.Command("help"); !errors.Is(err, ErrSignInFirst) {
			t.Errorf("a command before the sign-in: %v", err)
		}
		st.client.SignIn("one.b.c")
		st.client.SignIn("two.b.c") // waits
		one[*protocol.AuthAssertion](st)
		st.lane(&protocol.AuthAccepted{Account: "forum:1"})
		st.lane(&protocol.AuthAccepted{Account: "forum:2"}) // outside PreAuth: dropped
		equal(t, st.take("signed"), "signed in forum:1")
		if state := st.client.Self().State; state != PreSpawn {
			t.Errorf("the state is %v", state)
		}
		if err := st.client.SignIn("three.b.c"); !errors.Is(err, ErrNoSignIn) {
			t.Errorf("a sign-in after the sign-in: %v", err)
		}
		st.alive(5 * time.Second)
		if got := received[*protocol.AuthAssertion](st); len(got) != 0 {
			t.Errorf("sent after the sign-in: %v", got)
		}
		if err := st.client.Chat("hello"); err != nil {
			t.Error(err)
		}
	})
}

func TestNoSignInWhereNoneIsWanted(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		if err := st.client.SignIn("a.b.c"); !errors.Is(err, ErrNotConnected) {
			t.Errorf("without a session: %v", err)
		}
		st.connect()
		if err := st.client.SignIn("a.b.c"); !errors.Is(err, ErrNoSignIn) {
			t.Errorf("without a sign-in: %v", err)
		}
		st.lane(&protocol.AuthAccepted{Account: "forum:1"})
		equal(t, st.take("signed"))
	})
}

// TestTheSignInOutlivesAMoveAndEndsWithItsSession: who moved still waits for his sign-in; a new session has its own.
func TestTheSignInOutlivesAMoveAndEndsWithItsSession(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect(signingIn)
		time.Sleep(3 * time.Second)
		st.nonce = last(received[*protocol.ClientHello](st)).Nonce
		st.send(st.hello(func(p *protocol.ServerHello) { p.State = protocol.HelloMoved }))
		equal(t, st.take("link", "connected"), "link silent", "link up")
		if state := st.client.Self().State; state != PreAuth {
			t.Errorf("the state is %v", state)
		}
		st.deaf = true
		st.client.SignIn("one.b.c")
		st.client.SignIn("old.b.c") // waits for the ack of the first, and is for this session's nonce
		one[*protocol.AuthAssertion](st)

		time.Sleep(3 * time.Second)
		st.send(&protocol.ConnectReject{Nonce: last(received[*protocol.ClientHello](st)).Nonce, Reason: protocol.ReasonResume})
		st.nonce = one[*protocol.ClientHello](st).Nonce
		st.event, st.got, st.deaf = 0, 0, false
		st.send(st.hello(signingIn, func(p *protocol.ServerHello) { p.Token, p.AuthNonce = 9, [32]byte{2} }))
		st.alive(3 * time.Second)
		if got := received[*protocol.AuthAssertion](st); len(got) != 0 {
			t.Errorf("the assertion of the session before was sent: %v", got)
		}
	})
}

// TestNothingOfTheGameBeforeTheSignIn: what a server does not send in PreAuth is acknowledged and ignored.
func TestNothingOfTheGameBeforeTheSignIn(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect(signingIn)
		st.take()
		st.lane(theme(120))
		st.lane(protocol.DefaultPlatformKeys())
		st.lane(&protocol.ServerMessage{Text: "hello"})
		equal(t, st.take(), "theme scale 120", "keys chat T", `message 0 "hello" false false`)

		st.receive()
		message := &protocol.DialogShow{DialogID: 1, Content: protocol.DialogContent{DialogTexts: protocol.DialogTexts{Title: "T"}}}
		for _, p := range []protocol.Packet{
			message, playerSpawned(4, 9), &protocol.PlayerLeave{PlayerID: 5, PlayerToken: 6},
			&protocol.SpawnPlayer{Spawn: spawnInfo(1)}, &protocol.SetFrozen{Frozen: true},
			&protocol.HudStatusLine{Present: true, Text: "x"},
			&protocol.ActionDeclare{ActionID: 1, Name: "use", Label: "Use", When: protocol.ActionPreSpawn},
			&protocol.ChatMessage{PlayerID: 4, PlayerToken: 9, Name: "Kilo", Text: "x"},
		} {
			st.lane(p)
			if got := one[*protocol.ClientAck](st); got.Ack != st.event {
				t.Errorf("%v: ack %d, expected %d", p.ID(), got.Ack, st.event)
			}
		}
		st.send(&protocol.RemotePlayerSync{PlayerID: 4, PlayerToken: 9, Seq: 1})
		equal(t, st.take())
		if view := st.client.UI(); view.Theme.Scale != 120 || view.Dialog != nil || len(view.Actions) != 0 {
			t.Errorf("%+v", view)
		}
		st.lane(&protocol.AuthAccepted{Account: "a:b"})
		st.lane(message)
		equal(t, st.take("dialog"), `dialog 1 message "T" rows 0 fields 0`)
	})
}

func TestOriginsOfTheSignInScreen(t *testing.T) {
	https, http := "https://id.example.org", "http://localhost:8080"
	for _, tt := range []struct {
		name    string
		remote  string
		preAuth bool
		want    []string
	}{
		{"PreAuth on loopback", "127.0.0.1:7777", true, []string{https, http}},
		{"PreAuth on IPv6 loopback", "[::1]:7777", true, []string{https, http}},
		{"PreAuth elsewhere: no http", serverAddress, true, []string{https}},
		{"signed in: none", "127.0.0.1:7777", false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, st *stage) {
				st.remote = mustAddr(tt.remote)
				st.connect(func(p *protocol.ServerHello) {
					if tt.preAuth {
						p.State = protocol.HelloPreAuth
					}
				})
				st.shop()
				p := openShop(7)
				p.Origins = []string{https, http}
				st.lane(p)
				v := st.opened()
				equal(t, v.Origins(), tt.want...)
				st.lane(&protocol.AuthAccepted{Account: "forum:1"})
				equal(t, v.Origins())
				p.ViewID = 8
				st.lane(p)
				if v = st.opened(); v.ID != 8 {
					t.Fatal("not opened")
				}
				equal(t, v.Origins())
			})
		})
	}
}
