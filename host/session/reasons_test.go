package session

import (
	"testing"
	"time"

	"darqline/protocol"
)

// How a connection comes to each of its ends: Left has the reason, and KickNotify goes out where the table of reasons has
// a K. Those of a hello are in TestTheOrderOfWork and TestWhereAConnectionMayGoOn.
func TestReasonsToLeave(t *testing.T) {
	kick := func(reason protocol.Reason) func(*rig, *Conn) {
		return func(_ *rig, c *Conn) { c.Kick(reason, "text") }
	}
	bye := func(reason protocol.ByeReason) func(*rig, *Conn) {
		return func(r *rig, c *Conn) { r.receive(alice, c.token, 0, &protocol.ClientBye{Reason: reason}) }
	}
	flood := func(p protocol.Packet, every time.Duration) func(*rig, *Conn) {
		return func(r *rig, c *Conn) {
			b, _ := protocol.Append(nil, protocol.Header{Token: c.token, Event: 1}, p)
			for end := r.now + 8*time.Second; r.now < end; r.now += every {
				if r.now >= r.s.next {
					r.s.Tick(r.now)
				}
				r.s.Receive(r.now, alice, b)
			}
		}
	}
	ends := map[protocol.Reason]func(*rig, *Conn){
		protocol.ReasonQuit:              bye(protocol.ByeQuit),
		protocol.ReasonCrashed:           bye(protocol.ByeCrashed),
		protocol.ReasonTimeout:           func(r *rig, _ *Conn) { r.advance(10100 * time.Millisecond) },
		protocol.ReasonKicked:            kick(protocol.ReasonKicked),
		protocol.ReasonBanned:            kick(protocol.ReasonBanned),
		protocol.ReasonSignedInElsewhere: kick(protocol.ReasonSignedInElsewhere),
		protocol.ReasonRefused:           kick(protocol.ReasonRefused),
		protocol.ReasonReconnected: func(r *rig, _ *Conn) {
			r.knock(alice, protocol.ClientHello{Nonce: 99, Name: "Alice"}, Verdict{})
		},
		protocol.ReasonServerClosing: func(r *rig, _ *Conn) { r.s.Close(r.now, "", 0) },
		protocol.ReasonSignInFailed:  func(r *rig, c *Conn) { c.SignInFailed() },
		protocol.ReasonProtocol:      flood(&protocol.ClientAck{Ack: 1000}, 100*time.Millisecond),
		protocol.ReasonFlood:         flood(&protocol.PlayerSync{}, time.Second/1900),
		protocol.ReasonLane: func(r *rig, c *Conn) {
			c.Straight(&protocol.ResourceRemove{Name: "shop"})
			for range 16 {
				r.advance(time.Second)
				r.pong(alice, c.token)
			}
		},
	}
	for reason := range protocol.ReasonResume + 1 {
		do := ends[reason]
		if (do != nil) != reason.Leavable() {
			t.Errorf("%v: has a row %v, may stand in PlayerLeave %v", reason, do != nil, reason.Leavable())
		}
		if do == nil {
			continue
		}
		r := newRig(t, func(c *Config) {
			c.SignIn = func() bool { return reason == protocol.ReasonSignInFailed }
			c.SignInTimeout, c.SignInAttempts = time.Minute, 1
		})
		c, _ := r.join(alice, 7, "Alice")
		told := make(map[protocol.Reason]int)
		send := r.s.cfg.Send
		r.s.cfg.Send = countKicks(told, send)
		do(r, c)
		left := r.lefts()
		if len(left) != 1 || left[0].Conn != c || left[0].Reason != reason || left[0].Joined == (reason == protocol.ReasonSignInFailed) {
			t.Errorf("%v: left %+v", reason, left)
		}
		if (told[reason] > 0) != reason.Kickable() || len(told) > 1 {
			t.Errorf("%v: KickNotify %v", reason, told)
		}
	}
}

func TestABanWhileTheAccountIsChecked(t *testing.T) {
	r := signInRig(t)
	c, _ := r.join(alice, 7, "Alice")
	r.s.cfg.Banned = func(b BanSubject) (Banned, bool) { return Banned{60, "text"}, b.Account == "forum:1" }
	r.sent = nil
	if err := c.SignedIn("forum:1"); err == nil || !c.Ended() {
		t.Fatal("signed in")
	}
	kicks := take[*protocol.KickNotify](r, alice)
	if len(kicks) != 1 || kicks[0].Reason != protocol.ReasonBanned || kicks[0].Seconds != 60 {
		t.Fatalf("kicks %+v", kicks)
	}
}
