package auth

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// idServer is a provider's server without a network: it answers with its set, or as answer says, and counts.
type idServer struct {
	mu      sync.Mutex
	set     string
	answer  func(*http.Request) (*http.Response, error)
	fetches int
	at      []time.Time
	working int
	most    int
}

func (s *idServer) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.fetches++
	s.at = append(s.at, time.Now())
	s.working++
	s.most = max(s.most, s.working)
	answer, set := s.answer, s.set
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.working--; s.mu.Unlock() }()
	if answer != nil {
		return answer(r)
	}
	return respond(http.StatusOK, strings.NewReader(set)), nil
}

func (s *idServer) serve(set string, answer func(*http.Request) (*http.Response, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set, s.answer = set, answer
}

func (s *idServer) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fetches
}

func respond(status int, body io.Reader) *http.Response {
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Header: http.Header{}, Body: io.NopCloser(body)}
}

func unreachable(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") }

// hang answers when the request is given up.
func hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// slow sends a byte a second.
type slow struct{ ctx context.Context }

func (s slow) Read(b []byte) (int, error) {
	select {
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	case <-time.After(time.Second):
		b[0] = ' '
		return 1, nil
	}
}

func drip(r *http.Request) (*http.Response, error) {
	return respond(http.StatusOK, slow{r.Context()}), nil
}

// logs takes the log of a checker.
type logs struct {
	mu sync.Mutex
	strings.Builder
}

func (l *logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Builder.Write(b)
}

func (l *logs) count(s string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.Builder.String(), s)
}

// bubble runs f in a bubble with a checker whose keys come from a URL. When f returns, the checker ends.
func bubble(t *testing.T, id *idServer, dir string, f func(c *Checker, log *logs)) {
	synctest.Test(t, func(t *testing.T) {
		log := new(logs)
		c := New(Config{Logger: slog.New(slog.NewTextHandler(log, nil)), HTTP: &http.Client{Transport: id}, CacheDir: dir,
			Now: func() time.Time { return testNow }})
		if err := c.SetProviders([]Provider{byURL()}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var ended sync.WaitGroup
		ended.Go(func() { c.Run(ctx) })
		synctest.Wait() // for the fetch at the start
		f(c, log)
		cancel()
		ended.Wait()
	})
}

func byURL() Provider {
	p := forum
	p.JWKSURL = "https://id.example.org/jwks.json"
	return p
}

func wants(t *testing.T, c *Checker, jwt, reason string) {
	t.Helper()
	if got := ask(c, jwt); got.Reason != reason {
		t.Errorf("%q (%s), want %q", got.Reason, got.Log, reason)
	}
}

func TestFetchAtStartAndEveryTenMinutes(t *testing.T) {
	id := &idServer{set: jwks("rsa", "ec")}
	bubble(t, id, "", func(c *Checker, log *logs) {
		wants(t, c, good(nil), "")
		time.Sleep(time.Hour + time.Second)
		if n := id.count(); n != 7 {
			t.Errorf("%d fetches in an hour, want 7", n)
		}
	})
}

// An unknown kid brings the keys at once, but one fetch a minute, however many there are.
func TestUnknownKid(t *testing.T) {
	id := &idServer{set: jwks("rsa", "ec")}
	rotated := seal(header("RS256", "rsa-other", nil), claims(nil), by("rsa-other"))
	bubble(t, id, "", func(c *Checker, log *logs) {
		wants(t, c, good(nil), "")
		id.serve(jwks("rsa", "rsa-other"), nil)
		wants(t, c, rotated, "") // the provider has rotated a moment ago
		wants(t, c, good(nil), "")
		for range 100 {
			wants(t, c, with(members{"kid": "nobody"}), Key)
		}
		if n := id.count(); n != 2 {
			t.Errorf("%d fetches, want 2", n)
		}
		time.Sleep(59 * time.Second)
		wants(t, c, with(members{"kid": "nobody"}), Key)
		if n := id.count(); n != 2 {
			t.Errorf("%d fetches within 60 s, want 2", n)
		}
		time.Sleep(time.Second)
		wants(t, c, with(members{"kid": "nobody"}), Key)
		if n := id.count(); n != 3 {
			t.Errorf("%d fetches after 60 s, want 3", n)
		}
		for range 10 { // no fetch for what no key could mend
			wants(t, c, with(members{"kid": nil}), Key)
			wants(t, c, seal(header("ES256", "rsa", nil), claims(nil), by("ec")), Key)
			wants(t, c, seal(header("RS256", "rsa", nil), claims(nil), by("rsa-other")), Signature)
		}
		if n := id.count(); n != 3 {
			t.Errorf("%d fetches, want 3", n)
		}
	})
}

// While a fetch for unknown kids hangs, others are checked, and there is no second fetch.
func TestFetchIsInNobodysWay(t *testing.T) {
	id := &idServer{set: jwks("rsa", "ec")}
	bubble(t, id, "", func(c *Checker, log *logs) {
		wants(t, c, good(nil), "")
		id.serve("", hang)
		results := make(chan Result, 60)
		for range 60 {
			c.Check([]byte(with(members{"kid": "nobody"})), testNonce, nil, func(r Result) { results <- r })
		}
		synctest.Wait()
		begin := time.Now()
		wants(t, c, good(nil), "")
		if time.Since(begin) != 0 {
			t.Errorf("an honest one waited for %s", time.Since(begin))
		}
		for range 60 {
			if r := <-results; r.Reason != Key {
				t.Errorf("%+v", r)
			}
		}
		if waited := time.Since(begin); waited != 5*time.Second {
			t.Errorf("the others waited for %s", waited)
		}
		if id.most != 1 || id.count() != 2 {
			t.Errorf("%d fetches at once, %d in all", id.most, id.count())
		}
		wants(t, c, good(nil), "") // by the keys from before
	})
}

// What a provider's server does wrong keeps the last good set for 24 hours, and then nobody is let in.
func TestFailedFetches(t *testing.T) {
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){
		"unreachable": unreachable,
		"hangs":       hang,
		"slow":        drip,
		"404":         func(*http.Request) (*http.Response, error) { return respond(404, strings.NewReader(jwks("ec"))), nil },
		"garbage":     func(*http.Request) (*http.Response, error) { return respond(200, strings.NewReader("<html>")), nil },
		"empty set": func(*http.Request) (*http.Response, error) {
			return respond(200, strings.NewReader(`{"keys":[]}`)), nil
		},
		"too many": func(*http.Request) (*http.Response, error) {
			return respond(200, strings.NewReader(jwks(repeated("ec", 33)...))), nil
		},
		"endless": func(*http.Request) (*http.Response, error) { return respond(200, endless{}), nil },
		"panics":  func(*http.Request) (*http.Response, error) { panic("in the transport") },
		"cut": func(*http.Request) (*http.Response, error) {
			return respond(200, io.MultiReader(strings.NewReader(jwks("ec")[:50]), broken{})), nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			id := &idServer{set: jwks("rsa", "ec")}
			bubble(t, id, "", func(c *Checker, log *logs) {
				wants(t, c, good(nil), "")
				id.serve("", answer)
				time.Sleep(24*time.Hour - time.Minute)
				wants(t, c, good(nil), "")
				time.Sleep(time.Minute)
				wants(t, c, good(nil), Unavailable)
				if n := log.count("the last good ones stay"); n != 1 {
					t.Errorf("%d lines of the failure, want 1", n)
				}
				time.Sleep(30 * time.Second)
				said := log.count("provider forum has no keys")
				time.Sleep(10 * time.Minute)
				if n := log.count("provider forum has no keys") - said; n != 10 {
					t.Errorf("%d lines of no keys in ten minutes, want 10", n)
				}
				id.serve(jwks("rsa"), nil)
				time.Sleep(61 * time.Second)
				wants(t, c, good(nil), "")
			})
		})
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

type broken struct{}

func (broken) Read(b []byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Without keys from the start nobody is let in, and the log says so every minute.
func TestNoKeysFromTheStart(t *testing.T) {
	id := &idServer{answer: unreachable}
	bubble(t, id, "", func(c *Checker, log *logs) {
		wants(t, c, good(nil), Unavailable)
		time.Sleep(5*time.Minute + time.Second)
		wants(t, c, good(nil), Unavailable)
		if n := log.count("provider forum has no keys"); n != 6 {
			t.Errorf("%d lines in five minutes, want 6", n)
		}
		if n := log.count("connection refused"); n != 6 {
			t.Errorf("%d lines say why", n)
		}
		id.serve(jwks("rsa"), nil)
		time.Sleep(time.Minute)
		wants(t, c, good(nil), "")
		if n := log.count("keys of a provider are known"); n != 1 {
			t.Errorf("%d lines that they are there", n)
		}
	})
}

// A fetch that is under way ends with the checker, and who waits for it is told.
func TestEndDuringAFetch(t *testing.T) {
	id := &idServer{answer: hang}
	var got Result
	bubble(t, id, "", func(c *Checker, log *logs) {
		c.Check([]byte(good(nil)), testNonce, nil, func(r Result) { got = r })
		synctest.Wait()
	})
	if got.Reason != Unavailable {
		t.Errorf("%+v", got)
	}
}

// Providers change while it runs: keys stay where their source stays, and what is out of use fetches no more.
func TestSetProvidersWhileRunning(t *testing.T) {
	id := &idServer{set: jwks("rsa", "ec")}
	bubble(t, id, "", func(c *Checker, log *logs) {
		wants(t, c, good(nil), "")
		id.serve("", unreachable)
		p := byURL()
		p.Audience = "renamed"
		set := func(list ...Provider) {
			t.Helper()
			if err := c.SetProviders(list); err != nil {
				t.Fatal(err)
			}
		}
		set(p)
		wants(t, c, good(members{"aud": "renamed"}), "")
		wants(t, c, good(nil), Audience)
		if err := c.SetProviders([]Provider{p, p}); err == nil {
			t.Error("two of one name")
		}
		wants(t, c, good(members{"aud": "renamed"}), "")
		p.JWKSURL += "?v=2"
		set(p)
		wants(t, c, good(members{"aud": "renamed"}), Unavailable) // the old keys are of another URL
		synctest.Wait()
		set()
		before := id.count()
		time.Sleep(time.Hour)
		if n := id.count() - before; n != 0 {
			t.Errorf("%d fetches for providers that are gone", n)
		}
		wants(t, c, good(nil), Issuer)
	})
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	synctest.Test(t, func(t *testing.T) {
		log := new(logs)
		c := New(Config{Logger: slog.New(slog.NewTextHandler(log, nil)), Now: func() time.Time { return testNow }})
		p := forum
		p.JWKSFile = path
		if err := c.SetProviders([]Provider{p}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var ended sync.WaitGroup
		ended.Go(func() { c.Run(ctx) })
		next := func() { time.Sleep(5 * time.Second); synctest.Wait() }
		wants(t, c, good(nil), Unavailable)
		time.Sleep(2*time.Minute - time.Second)
		if n := log.count("provider forum has no keys"); n != 2 {
			t.Errorf("%d lines in two minutes, want 2", n)
		}
		write(t, path, jwks("rsa"))
		next()
		wants(t, c, good(nil), "")
		write(t, path, jwks("rsa")[:100]) // half a save
		next()
		wants(t, c, good(nil), "")
		for range 10 {
			next()
		}
		if n := log.count("the last good ones stay"); n != 1 {
			t.Errorf("%d lines of the fault, want 1", n)
		}
		write(t, path, jwks("rsa-other"))
		next()
		wants(t, c, good(nil), Key)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		time.Sleep(48 * time.Hour)
		wants(t, c, seal(header("RS256", "rsa-other", nil), claims(nil), by("rsa-other")), "")
		write(t, path, jwks("rsa")+strings.Repeat(" ", maxSet))
		next()
		wants(t, c, good(nil), Key)
		cancel()
		ended.Wait()
	})
}
