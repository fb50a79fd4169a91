package client

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"darqline/protocol"
	"darqline/protocol/lane"
)

func TestEveryLanePacketIsAcked(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		message := func(event uint32) {
			st.sendTo(st.sockets[0], &protocol.ServerMessage{Text: "m"}, event)
		}
		for _, step := range []struct {
			event, ack uint32
			delivered  int
		}{
			{1, 1, 1},
			{1, 1, 0}, // a duplicate
			{3, 1, 0}, // ahead of a gap
			{2, 2, 1},
			{2, 2, 0},
			{3, 3, 1},
			{0, 3, 0},
		} {
			message(step.event)
			if got := one[*protocol.ClientAck](st); got.Ack != step.ack {
				t.Errorf("event %d: ack %d, expected %d", step.event, got.Ack, step.ack)
			}
			if got := st.take("message"); len(got) != step.delivered {
				t.Errorf("event %d: delivered %d times", step.event, len(got))
			}
		}
	})
}

func TestMalformedPacketsAreDroppedWhole(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		good, err := protocol.Append(nil, protocol.Header{Event: 1}, &protocol.ServerMessage{Text: "hi"})
		if err != nil {
			t.Fatal(err)
		}
		bad := [][]byte{
			{},
			{0xFE},
			good[:len(good)-1],
			append(append([]byte{}, good...), 0),
			append(append([]byte{}, good[:5]...), append([]byte{9}, good[6:]...)...), // kind 9
			make([]byte, 1300),
		}
		for _, b := range bad {
			st.sockets[0].toClient <- b
		}
		if packets, _ := st.receive(); len(packets) != 0 {
			t.Errorf("answered with %v", packets)
		}
		equal(t, st.take())
		st.sockets[0].toClient <- good
		equal(t, st.take(), `message 0 "hi" false false`)
	})
}

func TestPacketsThatAreNotMirroredAreAckedToo(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		row, ok := protocol.Lookup(protocol.IDSetWeather)
		if !ok {
			t.Fatal("no such row")
		}
		b := make([]byte, row.Min)
		b[0], b[1] = byte(row.ID), 1
		st.sockets[0].toClient <- b
		if got := one[*protocol.ClientAck](st); got.Ack != 1 {
			t.Errorf("ack %d", got.Ack)
		}
	})
}

func TestKeepaliveIsAnsweredAtOnceIfItIsNewer(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		for _, step := range []struct {
			seq    uint32
			answer bool
		}{{1, true}, {1, false}, {3, true}, {2, false}, {1<<31 + 2, true}, {1 << 31, false}, {1, true}} {
			st.send(&protocol.ServerKeepalive{Seq: step.seq, Probe: step.seq * 7, Ping: 40, Loss: 2})
			pongs := received[*protocol.ClientPong](st)
			if (len(pongs) == 1) != step.answer {
				t.Errorf("seq %d: %d pongs", step.seq, len(pongs))
			} else if step.answer && (pongs[0].Seq != step.seq || pongs[0].Probe != step.seq*7) {
				t.Errorf("pong %+v", pongs[0])
			}
		}
		st.client.do(func(s *session) {
			if rtt := s.out.Stats().RTT; rtt != 40*time.Millisecond {
				t.Errorf("the lane does not know the round trip: %v", rtt)
			}
		})
		if got := st.take("ping"); len(got) != 4 || got[0] != "ping 40ms 2" {
			t.Errorf("heard %v", got)
		}
	})
}

func TestSilenceEndsTheSession(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		begun := time.Now()
		var e *EndError
		if err := st.wait(); !errors.As(err, &e) || e.Kind != Silence {
			t.Fatalf("got %v", err)
		}
		if d := time.Since(begun); d != 10*time.Second+2*byeInterval {
			t.Errorf("after %v", d)
		}
		if n := received[*protocol.ClientBye](st); len(n) != 3 || n[0].Reason != protocol.ByeQuit {
			t.Errorf("byes %v", n)
		}
	})
}

func TestASlowHandlerIsNoSilence(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.client.do(func(*session) { time.Sleep(12 * time.Second) })
		st.alive(20 * time.Second)
		if !st.running() {
			t.Error("the client ended by its own pause")
		}
	})
}

func TestPacketsOfTheHandshakeAreNoLifeSign(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		begun := time.Now()
		for range 11 {
			time.Sleep(time.Second)
			if !st.running() {
				break
			}
			st.send(&protocol.ConnectChallenge{Nonce: 5, Cookie: [24]byte{1}})
			st.sockets[0].toClient <- []byte{0xFE, 1, 2}
		}
		if st.wait(); time.Since(begun) > 11*time.Second {
			t.Errorf("after %v", time.Since(begun))
		}
	})
}

func TestLeavingSaysGoodbyeThreeTimes(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		begun := time.Now()
		if err := st.stop(); err != nil {
			t.Fatalf("got %v", err)
		}
		if d := time.Since(begun); d != 100*time.Millisecond {
			t.Errorf("took %v", d)
		}
		packets, headers := st.receive()
		if len(packets) != 3 {
			t.Fatalf("sent %v", packets)
		}
		for i := range packets {
			if b, ok := packets[i].(*protocol.ClientBye); !ok || b.Reason != protocol.ByeQuit || headers[i].Token != sessionToken {
				t.Errorf("sent %v %v", headers[i], packets[i])
			}
		}
	})
}

func TestLeavingWhileConnectingSaysNothing(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.start()
		st.receive()
		if err := st.stop(); err != nil {
			t.Fatalf("got %v", err)
		}
		if packets, _ := st.receive(); len(packets) != 0 {
			t.Errorf("sent %v", packets)
		}
	})
}

func TestKickIsBelievedWithTheSessionsNonceAloneAndAnswered(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.send(&protocol.KickNotify{Nonce: st.nonce + 1, Reason: protocol.ReasonKicked})
		if !st.running() {
			t.Fatal("a forged kick ended the session")
		}
		st.send(&protocol.KickNotify{Nonce: st.nonce, Reason: protocol.ReasonBanned, Seconds: 60, Text: "no"})
		err := st.wait()
		var e *EndError
		if !errors.As(err, &e) || e.Kind != Kicked || !strings.HasSuffix(err.Error(), "ended the connection: you are banned: no (for another 1 minute)") {
			t.Fatalf("got %v", err)
		}
		byes := received[*protocol.ClientBye](st)
		if len(byes) == 0 || byes[0].Reason != protocol.ByeKicked {
			t.Errorf("answer %v", byes)
		}
	})
}

func TestChatAndCommandsGoOnTheLane(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		if err := st.client.Chat("early"); !errors.Is(err, ErrNotConnected) {
			t.Errorf("before Run: %v", err)
		}
		st.connect()
		for _, err := range []error{st.client.Chat("hello"), st.client.Command("veh 411"), st.client.TeamChat("go")} {
			if err != nil {
				t.Fatal(err)
			}
		}
		packets, headers := st.receive()
		if len(packets) != 3 {
			t.Fatalf("sent %v", packets)
		}
		for i, h := range headers {
			if h.Event != uint32(i+1) || h.Token != sessionToken {
				t.Errorf("header %+v", h)
			}
		}
		if p := packets[1].(*protocol.ClientCommand); p.Text != "veh 411" {
			t.Errorf("command %q", p.Text)
		}
		if p := packets[2].(*protocol.ClientChat); p.Channel != protocol.ChannelTeam {
			t.Errorf("team line %+v", p)
		}
		for _, text := range []string{"", "a\nb", "\u202e", strings.Repeat("x", 513), "\xff"} {
			if st.client.Chat(text) == nil {
				t.Errorf("%q was taken", text)
			}
		}
		st.stop()
		if err := st.client.Chat("late"); !errors.Is(err, ErrNotConnected) {
			t.Errorf("after Run: %v", err)
		}
	})
}

func TestUnackedPacketsAreSentAgainAndEndTheSessionAfter15s(t *testing.T) {
	for _, resend := range []lane.Resend{lane.Gap, lane.Given} {
		bubble(t, func(t *testing.T, st *stage) {
			st.connect()
			st.deaf = true
			st.client.Chat("one")
			st.client.Chat("two")
			st.receive()
			st.send(&protocol.ServerAck{Ack: 9}) // above what was sent: ignored
			st.send(&protocol.ServerAck{Ack: 1})
			st.alive(time.Second)
			again := received[*protocol.ClientChat](st)
			if len(again) == 0 {
				t.Fatal("nothing was sent again")
			}
			for _, p := range again {
				if p.Text != "two" {
					t.Errorf("%q was sent again", p.Text)
				}
			}
			st.alive(15 * time.Second)
			var e *EndError
			if err := st.wait(); !errors.As(err, &e) || e.Kind != Stuck {
				t.Errorf("got %v", err)
			}
		}, func(c *Config) { c.Resend = resend })
	}
}

func TestAPanicOfAGoroutineEndsTheSessionAlone(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.client.do(func(s *session) {
			s.async(func(context.Context) func() { panic("oops") })
		})
		if err := st.wait(); err == nil || !strings.Contains(err.Error(), "internal error: oops") {
			t.Errorf("got %v", err)
		}
		if byes := received[*protocol.ClientBye](st); len(byes) != 3 || byes[0].Reason != protocol.ByeCrashed {
			t.Errorf("the server is told %v", byes)
		}
	})
}

func TestWhatWaitsWhenASessionEndsIsDropped(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		late := false
		st.client.do(func(s *session) {
			st.client.Chat("waits behind this")
			s.async(func(context.Context) func() { return func() { late = true } })
			s.connection.endSession()
			s.connection.attempt = newAttempt(s.connection.now(), 0)
		})
		if !st.running() || late {
			t.Error("work of an ended session was finished")
		}
		if got := received[*protocol.ClientChat](st); len(got) != 0 {
			t.Errorf("sent %v", got)
		}
	})
}

func TestDatagramsOfAReplacedSocketAreDropped(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		b, err := protocol.Append(nil, protocol.Header{}, &protocol.KickNotify{Nonce: st.nonce, Reason: protocol.ReasonKicked})
		if err != nil {
			t.Fatal(err)
		}
		st.client.do(func(s *session) {
			buf := <-s.connection.free
			s.connection.datagrams <- datagram{&socket{}, buf[:copy(buf, b)]}
		})
		time.Sleep(byes * byeInterval) // the goodbye of a client that did believe it
		if !st.running() {
			t.Error("a datagram of another socket was believed")
		}
	})
}

func TestASecondRunAtOnceIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		if err := st.client.Run(context.Background()); !errors.Is(err, ErrRunning) {
			t.Errorf("got %v", err)
		}
	})
}

func TestCallsFromAHandlerDoNotDeadlock(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		busy := 0
		st.on = func(line string) {
			if strings.HasPrefix(line, "message") {
				for range 2 * maxCalls {
					if errors.Is(st.client.Chat("again"), ErrBusy) {
						busy++
					}
				}
			}
		}
		st.connect()
		st.lane(&protocol.ServerMessage{Text: "go"})
		if st.running(); busy == 0 {
			t.Error("the queue has no bound")
		}
		synctest.Wait()
		// The lane refuses droppable packets at 256 unacked and the session lives.
		if !st.running() {
			t.Error("the session ended")
		}
	})
}
