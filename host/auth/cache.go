package auth

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"darqline/host/internal/wholefile"
)

// cached is the file that keeps the last good keys of a jwks_url over restarts, so that a provider that is away while the
// server starts keeps nobody out.
type cached struct {
	URL     string          `json:"url"`
	Fetched time.Time       `json:"fetched"` // by the wall clock
	Set     json.RawMessage `json:"set"`
}

// keep writes the cache. A fault is said and changes nothing else: the keys are in memory.
func (s *source) keep(set []byte) {
	if s.cache == "" {
		return
	}
	data, err := json.Marshal(cached{s.url, s.wall().UTC(), set})
	if err == nil {
		err = os.MkdirAll(filepath.Dir(s.cache), 0o700)
	}
	if err == nil {
		err = wholefile.Write(s.disk, s.cache, data, 0o600)
	}
	if err != nil {
		s.log.Warn("the keys of a provider are not kept for the next start", "provider", s.name, "err", err)
	}
}

// recall takes what an earlier process kept, as strictly as from the network; what is not good is as if it were not there.
func (s *source) recall() {
	if err := wholefile.Clean(s.disk, s.cache); err != nil {
		s.log.Warn("a temporary file of keys cannot be removed", "provider", s.name, "err", err)
	}
	set, left, err := s.remembered()
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		s.log.Warn("kept keys of a provider are not used", "provider", s.name, "file", s.cache, "err", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set, s.until = set, time.Now().Add(left)
}

// remembered reads the cache and says for how long its keys are good.
func (s *source) remembered() (*keySet, time.Duration, error) {
	data, err := readBounded(s.cache, maxSet+4096)
	if err != nil {
		return nil, 0, err
	}
	var c cached
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, 0, err
	}
	if c.URL != s.url {
		return nil, 0, fmt.Errorf("they are of %s", short(c.URL))
	}
	left := keepKeys - s.wall().Sub(c.Fetched)
	if left <= 0 || left > keepKeys+leeway {
		return nil, 0, fmt.Errorf("they were fetched at %s, not within the last %s", c.Fetched.Format(time.RFC3339), keepKeys)
	}
	set, err := parseKeys(c.Set)
	return set, left, err
}
