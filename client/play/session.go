package play

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"darqline/client"
	"darqline/protocol"
)

// session is one session with the server: the reference client, or what a test puts in its place.
type session interface {
	Run(ctx context.Context) error // until the session ends
	Chat(text string) error
	TeamChat(text string) error
	Command(text string) error // without the slash
	ViewLoaded(view uint32) error
	ViewFailed(view uint32) error // the page did not load
	ViewAction(view, revision uint32, action string, fields []field) error
	SignIn(assertion string) error

	// As of client.Client.
	Self() client.Self
	Remotes() []client.Remote
	Rules() client.Rules
	Move(protocol.Frame) error
	Arm(protocol.Weapon) error
	Respawn() error
	Shoot(client.Shot) (uint32, error)
	Hit(protocol.DamageReport) error
	Hurt(protocol.Cause, protocol.Ref, float32) error
	Throw(client.Throw) error
	Detonate() error
	StealthKill(victim uint32) error

	asks
}

// ending is an error of Run that says how to go on.
type ending struct {
	text  string        // a sentence for the player
	final bool          // trying again by itself is of no use
	after time.Duration // the server asked for this pause; 0: ours
}

func (e *ending) Error() string { return e.text }

// Pauses between two tries: the first one, and the longest after doubling.
const (
	firstPause   = time.Second
	longestPause = 15 * time.Second
)

var errNotConnected = errors.New("you are not connected")

// seat is the player's place: one session after the other, and the way to the one that runs.
type seat struct {
	model *model
	start func() (session, error) // a new session that has not run yet
	again chan struct{}           // a page asks to try now

	suffered time.Time // when what burns has hurt last; of the beat alone

	mu      sync.Mutex
	current session
}

func newSeat(m *model, start func() (session, error)) *seat {
	return &seat{model: m, start: start, again: make(chan struct{}, 1)}
}

// run plays until the context ends: when a session ends it says why, waits and tries again.
func (s *seat) run(ctx context.Context) {
	pause := firstPause
	for {
		s.model.setConnection(func(c *connection) { c.Phase, c.Retry, c.Ping = "connecting", 0, -1 })
		err := s.play(ctx)
		s.model.begin()
		if ctx.Err() != nil {
			return
		}
		if s.model.wasConnected() {
			pause = firstPause
		}
		if !s.wait(ctx, err, pause) {
			return
		}
		pause = min(2*pause, longestPause)
	}
}

// play runs one session.
func (s *seat) play(ctx context.Context) error {
	next, err := s.start()
	if err != nil {
		return &ending{text: err.Error(), final: true}
	}
	s.set(next)
	defer s.set(nil)
	return next.Run(ctx)
}

// wait shows why the session ended, and returns when it is time for the next one; false at the end of the context.
func (s *seat) wait(ctx context.Context, err error, pause time.Duration) bool {
	end := &ending{text: "The session ended."}
	if err != nil && !errors.As(err, &end) {
		end = &ending{text: err.Error()}
	}
	select { // a wish from before the end is no wish for now
	case <-s.again:
	default:
	}
	var timer <-chan time.Time
	phase := "ended"
	pause = max(pause, end.after)
	if !end.final {
		timer, phase = time.After(pause), "waiting"
	} else {
		pause = 0
	}
	s.model.setConnection(func(c *connection) { c.Phase, c.Reason, c.Retry, c.Ping = phase, end.text, pause.Milliseconds(), -1 })
	select {
	case <-ctx.Done():
		return false
	case <-timer:
	case <-s.again:
	}
	return true
}

func (s *seat) set(next session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = next
}

// retry ends the pause between two sessions.
func (s *seat) retry() {
	select {
	case s.again <- struct{}{}:
	default:
	}
}

// with calls f with the session that runs.
func (s *seat) with(f func(session) error) error {
	s.mu.Lock()
	current := s.current
	s.mu.Unlock()
	if current == nil {
		return errNotConnected
	}
	return f(current)
}

// say sends what the player typed: a command after a slash, else chat, to all or to the team.
func (s *seat) say(text string, team bool) error {
	text = strings.TrimSpace(text)
	command, isCommand := strings.CutPrefix(text, "/")
	command = strings.TrimSpace(command)
	if text == "" || isCommand && command == "" {
		return nil
	}
	return s.with(func(now session) error {
		switch {
		case isCommand:
			return now.Command(command)
		case team:
			return now.TeamChat(text)
		}
		return now.Chat(text)
	})
}

func (s *seat) viewLoaded(view uint32) error {
	return s.with(func(now session) error { return now.ViewLoaded(view) })
}

func (s *seat) viewFailed(view uint32) error {
	return s.with(func(now session) error { return now.ViewFailed(view) })
}

func (s *seat) viewAction(view, revision uint32, action string, fields []field) error {
	return s.with(func(now session) error { return now.ViewAction(view, revision, action, fields) })
}
