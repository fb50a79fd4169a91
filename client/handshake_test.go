package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"darqline/protocol"
)

func TestHelloIsRepeatedEvery500msAndGivenUpAfter10s(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		begun := time.Now()
		st.start()
		err := st.wait()
		var e *EndError
		if !errors.As(err, &e) || e.Kind != NoAnswer || !strings.Contains(err.Error(), serverAddress) {
			t.Fatalf("got %v", err)
		}
		if d := time.Since(begun); d != 10*time.Second {
			t.Errorf("gave up after %v", d)
		}
		hellos := received[*protocol.ClientHello](st)
		if len(hellos) != 20 {
			t.Errorf("%d hellos in 10 s", len(hellos))
		}
		for _, h := range hellos {
			if h.Nonce != hellos[0].Nonce || h.Nonce == 0 || h.Cookie != [24]byte{} || h.Proof != [32]byte{} || h.Version != protocol.Version {
				t.Errorf("hello %+v", h)
			}
		}
	})
}

func TestAnotherAttemptHasAnotherNonce(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.start()
		first := one[*protocol.ClientHello](st).Nonce
		st.stop()
		st.start()
		if second := one[*protocol.ClientHello](st).Nonce; second == first {
			t.Error("the same nonce twice")
		}
	})
}

func TestChallengeIsAnsweredAtOnceWithTheNewestCookie(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.start()
		h := one[*protocol.ClientHello](st)
		for i := range byte(10) { // a burst is answered once, the newest cookie goes with the next hello
			st.send(&protocol.ConnectChallenge{Nonce: h.Nonce, Cookie: [24]byte{i + 1}})
		}
		if got := one[*protocol.ClientHello](st); got.Cookie[0] != 1 || got.Nonce != h.Nonce {
			t.Errorf("answer %+v", got)
		}
		time.Sleep(501 * time.Millisecond)
		if got := one[*protocol.ClientHello](st); got.Cookie[0] != 10 {
			t.Errorf("the next hello has cookie %d", got.Cookie[0])
		}
	})
}

func TestChallengesAreAnsweredAtMost4TimesASecond(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.start()
		h := one[*protocol.ClientHello](st)
		for range 100 {
			st.send(&protocol.ConnectChallenge{Nonce: h.Nonce, Cookie: [24]byte{1}})
			time.Sleep(10 * time.Millisecond)
		}
		if n := len(received[*protocol.ClientHello](st)); n > 4 {
			t.Errorf("%d hellos in 1 s", n)
		}
	})
}

func TestPasswordProof(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.start()
		h := st.challenge(protocol.ChallengePassword)
		key := sha256.Sum256([]byte("sésame"))
		mac := hmac.New(sha256.New, key[:])
		mac.Write([]byte("darqline-password"))
		binary.Write(mac, binary.LittleEndian, h.Nonce)
		mac.Write(h.Cookie[:])
		if [32]byte(mac.Sum(nil)) != h.Proof {
			t.Errorf("proof %x", h.Proof)
		}
	}, func(c *Config) { c.Password = "sésame" })
}

func TestPasswordStaysAtHomeWhereThereIsNone(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.start()
		if h := st.challenge(0); h.Proof != [32]byte{} {
			t.Error("a proof was sent to a server without a password")
		}
	}, func(c *Config) { c.Password = "secret" })
}

func TestHandshakeIgnoresOtherNonces(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.start()
		h := one[*protocol.ClientHello](st)
		st.nonce = h.Nonce + 1
		st.send(&protocol.ConnectChallenge{Nonce: st.nonce, Cookie: [24]byte{9}})
		st.send(st.hello())
		st.send(&protocol.ConnectReject{Nonce: st.nonce, Reason: protocol.ReasonFull})
		st.send(&protocol.KickNotify{Nonce: st.nonce, Reason: protocol.ReasonKicked})
		st.nonce = h.Nonce
		st.send(st.hello(func(p *protocol.ServerHello) { p.State = protocol.HelloMoved })) // who is connecting was not moved
		st.send(&protocol.KickNotify{Nonce: h.Nonce, Reason: protocol.ReasonKicked})       // there is nothing to end
		if got := st.take(); !st.running() || len(got) != 0 || len(received[*protocol.ClientHello](st)) != 0 {
			t.Errorf("heard %v", got)
		}
		st.send(st.hello())
		equal(t, st.take("connected"), "connected 3 Carl")
	})
}

func TestNewRefusesWhatCannotBeSent(t *testing.T) {
	for _, tt := range []struct {
		what   string
		config Config
	}{
		{"Config.Server", Config{Name: "Carl"}},
		{"name", Config{Server: "x:1"}},
		{"name", Config{Server: "x:1", Name: strings.Repeat("x", 48)}},
		{"name", Config{Server: "x:1", Name: "a\tb"}},
		{"locale", Config{Server: "x:1", Name: "Carl", Locale: "EN"}},
		{"Config.CacheLimit", Config{Server: "x:1", Name: "Carl", CacheLimit: -1}},
	} {
		tt.config.CacheDir = "unused"
		if _, err := New(tt.config); err == nil || !strings.Contains(err.Error(), tt.what) {
			t.Errorf("%s: %v", tt.what, err)
		}
	}
	c, err := New(Config{Server: "x:1", Name: "Carl"})
	if err != nil || c.config.CacheLimit != DefaultCacheLimit || !strings.HasSuffix(c.cache.dir, filepath.Join("darqline", "files")) {
		t.Errorf("%v %v", c, err)
	}
}

func TestConnectReject(t *testing.T) {
	tests := []struct {
		reject  protocol.ConnectReject
		text    string
		retry   bool
		seconds int
	}{
		{protocol.ConnectReject{Reason: protocol.ReasonBanned, Seconds: protocol.Forever, Text: "cheating"}, "you are banned: cheating (for ever)", false, 0},
		{protocol.ConnectReject{Reason: protocol.ReasonTooMany, Seconds: 90}, "too many attempts; wait a little (try again in 1 minute 30 seconds)", true, 90},
		{protocol.ConnectReject{Reason: protocol.ReasonFull}, "it is full", true, 5},
		{protocol.ConnectReject{Reason: protocol.ReasonServerClosing, Seconds: 2}, "it is closing (back in 2 seconds)", true, 5},
		{protocol.ConnectReject{Reason: protocol.ReasonPassword}, "the password is missing or wrong", false, 0},
	}
	for _, tt := range tests {
		bubble(t, func(t *testing.T, st *stage) {
			st.start()
			st.challenge(0)
			tt.reject.Nonce = st.nonce
			st.send(&tt.reject)
			err := st.wait()
			var e *EndError
			if !errors.As(err, &e) || e.Kind != Rejected || e.Reason != tt.reject.Reason || !strings.HasSuffix(err.Error(), tt.text) {
				t.Fatalf("got %v", err)
			}
			after, ok := e.Retry()
			if ok != tt.retry || after != time.Duration(tt.seconds)*time.Second {
				t.Errorf("%v: retry %v %v", tt.reject.Reason, after, ok)
			}
			if n, _ := st.receive(); len(n) != 0 {
				t.Errorf("sent after a reject: %v", n)
			}
		})
	}
}

func TestSecondHelloOfTheSameAttemptChangesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.send(st.hello(func(p *protocol.ServerHello) { p.PlayerID = 9; p.Token = 1 }))
		st.lane(&protocol.ServerMessage{Text: "hi"})
		equal(t, st.take(), `message 0 "hi" false false`)
		if _, h := st.receive(); h[len(h)-1].Token != sessionToken {
			t.Errorf("token %x", h[len(h)-1].Token)
		}
	})
}

func TestConfirmsWithAnAckWhereNothingElseIsToBeSaid(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		if got := received[*protocol.ClientAck](st); len(got) != 0 {
			t.Fatal("an ack of nothing at once reads as a gap")
		}
		time.Sleep(250 * time.Millisecond)
		if got := one[*protocol.ClientAck](st); got.Ack != 0 {
			t.Errorf("ack %d", got.Ack)
		}
		time.Sleep(time.Second)
		if got, _ := st.receive(); len(got) != 0 {
			t.Errorf("more: %v", got)
		}
	})
}

func TestMovesAfterThreeKeepalivesOfSilence(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		first := st.nonce
		st.lane(&protocol.ServerMessage{Text: "one"})
		st.receive()
		st.take()
		time.Sleep(3*time.Second - time.Millisecond)
		if n := received[*protocol.ClientHello](st); len(n) != 0 {
			t.Fatal("moved too early")
		}
		time.Sleep(time.Millisecond)
		h := one[*protocol.ClientHello](st)
		if h.Resume != sessionToken || h.Nonce == first || h.Cookie != [24]byte{} {
			t.Fatalf("hello %+v", h)
		}
		equal(t, st.take(), "link silent")
		st.send(&protocol.ConnectChallenge{Nonce: h.Nonce, Cookie: [24]byte{5}})
		if got := one[*protocol.ClientHello](st); got.Cookie[0] != 5 || got.Resume != sessionToken || got.Nonce != h.Nonce {
			t.Fatalf("answer %+v", got)
		}
		st.send(&protocol.ConnectReject{Nonce: h.Nonce + 1, Reason: protocol.ReasonResume})
		st.nonce = h.Nonce
		st.send(st.hello()) // state 1: not for one who is connected
		st.send(st.hello(func(p *protocol.ServerHello) { p.State = protocol.HelloMoved; p.Token++ }))
		equal(t, st.take())
		st.send(st.hello(func(p *protocol.ServerHello) { p.State = protocol.HelloMoved }))
		equal(t, st.take(), "link up")
		// The lane goes on where it was.
		st.lane(&protocol.ServerMessage{Text: "two"})
		equal(t, st.take(), `message 0 "two" false false`)
		if got := one[*protocol.ClientAck](st); got.Ack != 2 {
			t.Errorf("ack %d", got.Ack)
		}
		// From now on the nonce of the move is the session's.
		st.send(&protocol.KickNotify{Nonce: h.Nonce, Reason: protocol.ReasonKicked})
		var e *EndError
		if err := st.wait(); !errors.As(err, &e) || e.Kind != Kicked {
			t.Errorf("got %v", err)
		}
	})
}

func TestKickOfAMoveUnderWayIsBelieved(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		time.Sleep(3 * time.Second)
		h := one[*protocol.ClientHello](st)
		st.send(&protocol.KickNotify{Nonce: h.Nonce, Reason: protocol.ReasonTimeout})
		var e *EndError
		if err := st.wait(); !errors.As(err, &e) || e.Reason != protocol.ReasonTimeout {
			t.Errorf("got %v", err)
		}
	})
}

func TestMoveStopsWhenTheServerIsHeardAgain(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		time.Sleep(4 * time.Second)
		st.receive()
		st.send(&protocol.ServerKeepalive{Seq: 1, Probe: 2, Ping: 30})
		equal(t, st.take(), "link silent", "link up", "ping 30ms 0")
		time.Sleep(2 * time.Second)
		if n := received[*protocol.ClientHello](st); len(n) != 0 {
			t.Errorf("%d more hellos", len(n))
		}
	})
}

func TestRefusedMoveConnectsAnew(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.lane(&protocol.ServerMessage{Text: "old"})
		time.Sleep(3 * time.Second)
		h := last(received[*protocol.ClientHello](st))
		st.take()
		st.send(&protocol.ConnectReject{Nonce: h.Nonce, Reason: protocol.ReasonResume})
		equal(t, st.take(), "link anew")
		if err := st.client.Chat("x"); !errors.Is(err, ErrNotConnected) {
			t.Errorf("chat while connecting: %v", err)
		}
		anew := one[*protocol.ClientHello](st)
		if anew.Resume != 0 || anew.Nonce == h.Nonce || anew.Cookie != [24]byte{} {
			t.Fatalf("hello %+v", anew)
		}
		st.nonce = anew.Nonce
		st.send(st.hello(func(p *protocol.ServerHello) { p.Token = 77; p.PlayerID = 8 }))
		equal(t, st.take(), "connected 8 Carl", "self pre_spawn 0/0")
		// Everything of the earlier session is forgotten: the lane begins at 1.
		st.event = 0
		st.lane(&protocol.ServerMessage{Text: "new"})
		equal(t, st.take(), `message 0 "new" false false`)
	})
}

func last[T any](list []T) T { return list[len(list)-1] }

func TestMoveTakesANewSocketWhereTheOldOneCannotSend(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.sockets[0].failWrites(errors.New("network is unreachable"))
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if len(st.sockets) != 2 {
			t.Fatalf("%d sockets", len(st.sockets))
		}
		if h := one[*protocol.ClientHello](st); h.Resume != sessionToken {
			t.Errorf("hello %+v", h)
		}
		select {
		case <-st.sockets[0].closed:
		default:
			t.Error("the old socket is open")
		}
	})
}
