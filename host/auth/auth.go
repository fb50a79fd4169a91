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
	"path/filepath"
	"slices"
	"sync"
	"time"

	"darqline/host/internal/wholefile"
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
	Disk     wholefile.FS     // where CacheDir is; nil: the machine's
	HTTP     *http.Client     // its Transport fetches keys; nil: one that is made for it
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
	config  Config
	client  *http.Client
	places  chan struct{} // one for each check that works
	closing chan struct{} // closed when the checker ends
	work    sync.WaitGroup

	setting sync.Mutex // held by the one SetProviders that is under way, which reads files

	mu        sync.Mutex
	providers []provider
	checks    int // that work or wait
	running   bool
	ended     bool
}

// provider is one with its keys.
type provider struct {
	Provider
	source *source
}

// New makes a checker without providers.
func New(c Config) *Checker {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Disk == nil {
		c.Disk = wholefile.System{}
	}
	return &Checker{config: c, client: keyClient(c.HTTP), places: make(chan struct{}, atOnce), closing: make(chan struct{})}
}

// SetProviders puts list in the place of the providers before, also while running; keys that are known already stay. It
// reads files. An error says what is wrong with the list (ValidProviders), and that nothing was changed.
func (c *Checker) SetProviders(list []Provider) error {
	if err := ValidProviders(list); err != nil {
		return err
	}
	c.setting.Lock()
	defer c.setting.Unlock()
	before := c.current()
	next := make([]provider, len(list))
	for i, p := range list {
		p = p.withDefaults()
		p.Origins, p.Algorithms = slices.Clone(p.Origins), slices.Clone(p.Algorithms)
		next[i] = provider{p, c.sourceOf(p, before)}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.providers = next
	for _, p := range next {
		if c.running && !slices.ContainsFunc(before, func(o provider) bool { return o.source == p.source }) {
			c.work.Go(p.source.run)
		}
	}
	for _, p := range before {
		if !slices.ContainsFunc(next, func(n provider) bool { return n.source == p.source }) {
			p.source.stop()
		}
	}
	if c.ended {
		c.stopSources()
	}
	return nil
}

// sourceOf is where p's keys come from: as before where that is unchanged.
func (c *Checker) sourceOf(p Provider, before []provider) *source {
	for _, b := range before {
		if b.Name == p.Name && b.JWKSURL == p.JWKSURL && b.JWKSFile == p.JWKSFile {
			return b.source
		}
	}
	s := &source{name: p.Name, url: p.JWKSURL, file: p.JWKSFile, log: c.config.Logger, wall: c.config.Now, client: c.client, disk: c.config.Disk}
	if c.config.CacheDir != "" && p.JWKSURL != "" {
		s.cache = filepath.Join(c.config.CacheDir, "jwks-"+p.Name+".json")
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.load()
	return s
}

func (c *Checker) current() []provider {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.providers
}

// Run keeps the keys up to date until ctx is over, then waits for all that the checker started. Call it once.
func (c *Checker) Run(ctx context.Context) {
	c.mu.Lock()
	c.running = true
	for _, p := range c.providers {
		c.work.Go(p.source.run)
	}
	c.mu.Unlock()
	<-ctx.Done()
	c.mu.Lock()
	c.running, c.ended = false, true
	c.stopSources()
	c.mu.Unlock()
	close(c.closing)
	c.work.Wait()
}

// stopSources lets all sources end; c.mu is held.
func (c *Checker) stopSources() {
	for _, p := range c.providers {
		p.source.stop()
	}
}
