package play

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// seatTest runs a seat whose sessions end with what the test sends.
func seatTest(t *testing.T, test func(m *model, s *seat, sessions <-chan *fakeSession)) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel("127.0.0.1:7777", "Nova")
		sessions := make(chan *fakeSession)
		s := newSeat(m, func() (session, error) {
			f := newFakeSession()
			sessions <- f
			return f, nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); s.run(ctx) }()
		test(m, s, sessions)
		cancel()
		<-done
	})
}

func TestSeatTriesAgain(t *testing.T) {
	seatTest(t, func(m *model, s *seat, sessions <-chan *fakeSession) {
		from := time.Now()
		for i, want := range []time.Duration{0, 1, 2, 4, 8, 15, 15} {
			now := <-sessions
			if got := time.Since(from); got != want*time.Second {
				t.Errorf("try %d came after %v, expected %v s", i, got, want)
			}
			from = time.Now()
			now.end <- errors.New("no answer")
		}
		synctest.Wait()
		if c := m.connection; c.Phase != "waiting" || c.Reason != "no answer" || c.Retry != 15000 {
			t.Errorf("connection %+v", c)
		}

		s.retry() // somebody presses the button
		now := <-sessions
		if time.Since(from) != 0 {
			t.Error("the button does not end the pause")
		}
		m.setConnection(func(c *connection) { c.Phase = "connected" })
		m.setPlayer(player{ID: 1})
		from = time.Now()
		now.end <- errors.New("gone silent")
		now = <-sessions
		if got := time.Since(from); got != firstPause {
			t.Errorf("after a good session the first pause is %v, expected %v", got, firstPause)
		}
		if len(m.players) != 0 {
			t.Error("the players of the last session are still there")
		}
		from = time.Now()
		now.end <- &ending{text: "full", after: 40 * time.Second}
		<-sessions
		if got := time.Since(from); got != 40*time.Second {
			t.Errorf("the server's pause was %v", got)
		}
	})
}

func TestSeatStaysOut(t *testing.T) {
	seatTest(t, func(m *model, s *seat, sessions <-chan *fakeSession) {
		now := <-sessions
		s.retry() // while it runs: no wish for later
		now.end <- &ending{text: "banned", final: true}
		time.Sleep(time.Hour)
		synctest.Wait()
		if c := m.connection; c.Phase != "ended" || c.Reason != "banned" {
			t.Errorf("connection %+v", c)
		}
		if err := s.say("hello", false); !errors.Is(err, errNotConnected) {
			t.Errorf("say: %v", err)
		}
		s.retry()
		<-sessions
	})
}
