package auth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"darqline/host/internal/wholefile"
)

// How keys are kept up to date (page Connection, Sign-in).
const (
	fetchEvery = 10 * time.Minute
	fetchAsked = 60 * time.Second // at least, between two fetches for kids that are not known
	missEvery  = 60 * time.Second // while there are no keys: another try, and a line in the log
	keepKeys   = 24 * time.Hour   // the last good set, while fetches fail
	readEvery  = 5 * time.Second  // jwks_file
)

// source is where one provider's keys come from, and the last good set of them.
type source struct {
	name      string // of the provider
	url, file string // one of the two
	log       *slog.Logger
	wall      func() time.Time
	client    *http.Client
	disk      wholefile.FS
	cache     string // file of the last good set; "": none

	ctx  context.Context // over: the source is out of use
	stop context.CancelFunc

	mu      sync.Mutex
	set     *keySet
	until   time.Time     // by the monotonic clock; zero: for ever
	fetched chan struct{} // closed when the fetch under way is over; nil: none
	begun   bool          // there was a fetch
	asked   time.Time     // the last fetch for a kid that was not known
	content []byte        // of the file, as it was read last
	fault   string        // why the last try failed; "": it did not
}

// load gets what can be had at once: the file, or what an earlier process kept of the URL.
func (s *source) load() {
	defer s.caught()
	if s.file != "" {
		s.read()
	} else if s.cache != "" {
		s.recall()
	}
}

// where names the key of the configuration and its value, for the log.
func (s *source) where() string {
	if s.file != "" {
		return fmt.Sprintf("jwks_file %s", s.file)
	}
	return fmt.Sprintf("jwks_url %s", s.url)
}

// keys are the last good set, nil if there is none.
func (s *source) keys() *keySet {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.until.IsZero() && !time.Now().Before(s.until) {
		s.set = nil
	}
	return s.set
}

// left is how long the keys are still good; 0: for ever.
func (s *source) left() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.until.IsZero() {
		return 0
	}
	return time.Until(s.until)
}

// run keeps the keys up to date until the source is out of use.
func (s *source) run() {
	tick := time.NewTimer(0)
	defer tick.Stop()
	var said time.Time // that there are no keys
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
		}
		begin, next := time.Now(), readEvery
		if s.url != "" {
			next = fetchEvery
		}
		s.renew()
		if s.keys() == nil && s.ctx.Err() == nil {
			if said.IsZero() || begin.Sub(said) >= missEvery {
				said = begin
				s.log.Error("auth.providers: provider "+s.name+" has no keys, so nobody can sign in with it", "from", s.where(), "err", s.lastFault())
			}
			next = min(next, missEvery)
		} else if left := s.left(); left > 0 {
			next = min(next, left)
		}
		tick.Reset(next - time.Since(begin))
	}
}

// renew looks for other keys because it is time to.
func (s *source) renew() {
	defer s.caught()
	if s.url != "" {
		s.fetch(false)
	} else {
		s.read()
	}
}

// newer asks for keys because a kid is not known, at most once in fetchAsked; it waits for a fetch that is under way. It
// says whether there was a fetch.
func (s *source) newer() bool {
	defer s.caught()
	return s.url != "" && s.fetch(true)
}

// caught, deferred, ends a panic: the last good keys stay.
func (s *source) caught() {
	if p := recover(); p != nil {
		s.log.Error("a panic while keys of a provider were renewed", "provider", s.name, "panic", p, "stack", string(debug.Stack()))
	}
}

// fetch gets the keys from jwks_url. There is one fetch at a time: who comes later waits for that one.
func (s *source) fetch(asked bool) bool {
	now := time.Now()
	s.mu.Lock()
	if other := s.fetched; other != nil {
		s.mu.Unlock()
		select {
		case <-other:
		case <-s.ctx.Done():
		}
		return true
	}
	if asked && !s.asked.IsZero() && now.Sub(s.asked) < fetchAsked {
		s.mu.Unlock()
		return false
	}
	if asked && s.begun { // else it is the one at the start, a moment early
		s.asked = now
	}
	s.begun = true
	mine := make(chan struct{})
	s.fetched = mine
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.fetched = nil
		s.mu.Unlock()
		close(mine)
	}()
	set, data, err := attempt(func() ([]byte, error) { return download(s.ctx, s.client, s.url) })
	if s.ctx.Err() == nil && s.take(set, err, time.Now().Add(keepKeys)) {
		s.keep(data)
	}
	return true
}

// read gets the keys from jwks_file, if it has changed.
func (s *source) read() {
	same := errors.New("as it was")
	set, _, err := attempt(func() ([]byte, error) {
		data, err := readBounded(s.file, maxSet)
		s.mu.Lock()
		defer s.mu.Unlock()
		if err == nil && s.content != nil && bytes.Equal(data, s.content) {
			return nil, same
		}
		s.content = data
		return data, err
	})
	if err != same {
		s.take(set, err, time.Time{})
	}
}

// attempt gets keys that somebody else wrote, and reads them; a panic on the way is an error like others.
func attempt(get func() ([]byte, error)) (set *keySet, data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			set, err = nil, fmt.Errorf("reading the key set panicked: %v", p)
		}
	}()
	if data, err = get(); err == nil {
		set, err = parseKeys(data)
	}
	return set, data, err
}

// take puts a new set in the place of the last one and says so, once; or says why there is none, and the last one stays.
func (s *source) take(set *keySet, err error, until time.Time) bool {
	s.mu.Lock()
	before, fault := s.set, s.fault
	s.fault = ""
	if err != nil {
		s.fault = err.Error()
	} else {
		s.set, s.until = set, until
	}
	now := s.fault
	s.mu.Unlock()
	switch {
	case err == nil && (before == nil || fault != ""):
		s.log.Info("keys of a provider are known", "provider", s.name, "from", s.where(), "keys", len(set.keys), "left_out", set.ignored)
	case err != nil && before != nil && now != fault:
		s.log.Warn("new keys of a provider cannot be had, the last good ones stay", "provider", s.name, "from", s.where(), "err", err)
	}
	return err == nil
}

func (s *source) lastFault() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault == "" {
		return "the last good ones are older than 24 hours"
	}
	return s.fault
}

// readBounded reads a file of up to limit bytes.
func readBounded(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("the file is larger than %d KiB", limit>>10)
	}
	return data, err
}
