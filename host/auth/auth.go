// Package auth checks sign-ins: whether an assertion, a JWT that a player's page got from an identity provider, is good for
// this connection, and for which account (page Connection, Sign-in). It knows no connections, no world and no Lua; the
// cryptography is go-jose's.
//
// A [Checker] holds the providers and their keys. Run fetches keys, reads them again when their file changes, and ends what
// the checker started; Check judges one assertion off the caller's loop. Without keys of its provider nobody is let in.
package auth

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Reasons of a refusal: the words of page Connection, and two for what is not the player's doing.
const (
	Malformed   = "malformed"
	Issuer      = "issuer"
	Algorithm   = "algorithm"
	Key         = "key"
	Signature   = "signature"
	Audience    = "audience"
	Expired     = "expired"
	Nonce       = "nonce"
	Subject     = "subject"
	Banned      = "banned"
	Busy        = "busy"        // 64 others wait already
	Unavailable = "unavailable" // the provider's keys are not known, or the server is closing
)

// Config is what a Checker works with.
type Config struct {
	Logger   *slog.Logger     // nil: nothing is logged
	Now      func() time.Time // the wall clock that assertions are measured by; nil: time.Now
	CacheDir string           // where the last good keys are kept over restarts; "": nowhere
	HTTP     *http.Client     // fetches keys; nil: one that is made for it. Its limits are set in any case
}

// Result is what came of one assertion.
type Result struct {
	Account string         // NAME:subject, 3..89 bytes of printable ASCII; also for Banned
	Claims  map[string]any // all claims; JSON values with numbers as float64, within 6 KiB of JSON
	Reason  string         // "": signed in; else one of the words above
	Log     string         // what to log of a refusal, one sentence; never holds the assertion
}

// Checker judges assertions. Its methods may be called from any goroutine.
type Checker struct {
	log *slog.Logger
	now func() time.Time

	mu        sync.Mutex
	providers []Provider
}

// New makes a checker without providers.
func New(c Config) *Checker {
	return &Checker{log: c.Logger, now: c.Now}
}

// SetProviders puts list in the place of the providers before, also while running; keys that are known already stay. An
// error says what is wrong with the list (ValidProviders) and that nothing was changed.
func (c *Checker) SetProviders(list []Provider) error {
	if err := ValidProviders(list); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.providers = list
	return nil
}

// Run keeps the keys up to date until ctx is over, then waits for all that the checker started. Call it once.
func (c *Checker) Run(ctx context.Context) {
	<-ctx.Done()
}

// Check judges one assertion of a connection with that nonce, and calls done with what came of it, exactly once: from a
// goroutine of the checker, or at once, before Check returns, if 64 others wait or the checker has ended. banned (nil:
// nobody) is asked from that goroutine, too. An assertion that needs keys which have to be fetched first waits up to 5 s.
func (c *Checker) Check(jwt []byte, nonce [32]byte, banned func(account string) bool, done func(Result)) {
	done(Result{Reason: Unavailable, Log: "sign-in is not there yet"})
}
