package auth

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(writerOf); path != "" {
		writeUntilKilled(path)
	}
	goleak.VerifyTestMain(m)
}

func TestSignedIn(t *testing.T) {
	c := checker(t, forum, jwks("rsa"))
	got := ask(c, good(members{"name": "Ada", "level": 7, "ratio": 0.5, "groups": []string{"a"}, "deep": members{"n": 1}}))
	if got.Account != "forum:4711" || got.Reason != "" || got.Log != "" {
		t.Fatalf("%+v", got)
	}
	want := members{"name": "Ada", "level": 7.0, "ratio": 0.5, "groups": []any{"a"}, "deep": members{"n": 1.0}, "iss": forum.Issuer}
	for key, want := range want {
		if !reflect.DeepEqual(got.Claims[key], want) {
			t.Errorf("%s is %#v, want %#v", key, got.Claims[key], want)
		}
	}
}

// An assertion is for one connection, so that who saw it cannot use it.
func TestReplay(t *testing.T) {
	c := checker(t, forum, jwks("rsa"))
	jwt := good(nil)
	if got := ask(c, jwt); got.Reason != "" {
		t.Fatal(got)
	}
	reason := make(chan string, 1)
	c.Check([]byte(jwt), [32]byte{9}, nil, func(r Result) { reason <- r.Reason })
	if got := <-reason; got != Nonce {
		t.Errorf("%q on another connection", got)
	}
}

// Of several providers the claim iss alone chooses, and one's keys are not another's.
func TestProvidersAreApart(t *testing.T) {
	c := New(Config{Now: func() time.Time { return testNow }})
	dir := t.TempDir()
	other := forum
	other.Name, other.Issuer = "club", "https://club.example.org"
	forum := forum
	forum.JWKSFile, other.JWKSFile = dir+"/forum.json", dir+"/club.json"
	write(t, forum.JWKSFile, jwks("rsa"))
	write(t, other.JWKSFile, jwks(publicKey("rsa-other", members{"kid": "rsa"})))
	if err := c.SetProviders([]Provider{forum, other}); err != nil {
		t.Fatal(err)
	}
	by := func(iss, signer string) string {
		return seal(header("RS256", "rsa", nil), claims(members{"iss": iss}), by(signer))
	}
	for _, tc := range []struct{ iss, signer, account, reason string }{
		{forum.Issuer, "rsa", "forum:4711", ""}, {other.Issuer, "rsa-other", "club:4711", ""},
		{forum.Issuer, "rsa-other", "", Signature}, {other.Issuer, "rsa", "", Signature},
	} {
		if got := ask(c, by(tc.iss, tc.signer)); got.Account != tc.account || got.Reason != tc.reason {
			t.Errorf("%s by %s: %+v", tc.iss, tc.signer, got)
		}
	}
	if err := c.SetProviders([]Provider{other}); err != nil { // live
		t.Fatal(err)
	}
	if got := ask(c, by(forum.Issuer, "rsa")); got.Reason != Issuer {
		t.Errorf("%+v of a provider that is gone", got)
	}
}

func TestBanned(t *testing.T) {
	c := checker(t, forum, jwks("rsa"))
	results := make(chan Result, 1)
	asked := ""
	c.Check([]byte(good(nil)), testNonce, func(account string) bool { asked = account; return true }, func(r Result) { results <- r })
	if got := <-results; got.Reason != Banned || got.Account != "forum:4711" || got.Claims != nil || asked != "forum:4711" {
		t.Errorf("%+v, asked for %q", got, asked)
	}
	c.Check([]byte(good(members{"sub": ""})), testNonce, func(string) bool { t.Error("asked for nobody"); return true }, func(r Result) { results <- r })
	if got := <-results; got.Reason != Subject {
		t.Errorf("%+v", got)
	}
}

// Four work at once, 64 wait, the next is told at once that it is busy here; all that are in get their result.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := checker(t, forum, jwks("rsa"))
		jwt := []byte(good(nil))
		gate := make(chan struct{})
		var working, most, ok, busy atomic.Int32
		banned := func(string) bool {
			most.Store(max(most.Load(), working.Add(1)))
			<-gate
			working.Add(-1)
			return false
		}
		count := func(r Result) {
			switch r.Reason {
			case "":
				ok.Add(1)
			case Busy:
				busy.Add(1)
			}
		}
		for range 70 {
			c.Check(jwt, testNonce, banned, count)
		}
		synctest.Wait()
		if working.Load() != 4 || busy.Load() != 2 {
			t.Errorf("%d work, %d were told that it is busy; want 4, 2", working.Load(), busy.Load())
		}
		close(gate)
		synctest.Wait()
		if ok.Load() != 68 || most.Load() != 4 {
			t.Errorf("%d signed in, %d at once", ok.Load(), most.Load())
		}
		c.Check(jwt, testNonce, banned, count)
		synctest.Wait()
		if ok.Load() != 69 {
			t.Error("not taken when there is room again")
		}
	})
}

// A panic is a refusal, and the checker goes on; the log has a line and no assertion.
func TestPanics(t *testing.T) {
	var log strings.Builder
	c := checker(t, forum, jwks("rsa"))
	c.config.Logger = slog.New(slog.NewTextHandler(&log, nil))
	jwt := good(nil)
	for range 2 * atOnce {
		results := make(chan Result, 1)
		c.Check([]byte(jwt), testNonce, func(string) bool { panic("a fault") }, func(r Result) { results <- r })
		if got := <-results; got.Reason == "" || got.Account != "" {
			t.Fatalf("%+v", got)
		}
	}
	calls := make(chan Result, 2)
	c.Check([]byte(jwt), testNonce, nil, func(r Result) { calls <- r; panic("a fault behind it") })
	<-calls
	if got := ask(c, jwt); got.Reason != "" {
		t.Fatalf("%+v", got)
	}
	c.work.Wait()
	if len(calls) != 0 {
		t.Error("told twice")
	}
	if !strings.Contains(log.String(), "a fault behind it") || strings.Count(log.String(), "msg=\"a panic in the check") != 2*atOnce {
		t.Error(log.String())
	}
	for _, part := range strings.Split(jwt, ".") {
		if strings.Contains(log.String(), part) {
			t.Error("the log has a part of the assertion")
		}
	}
}

// Everyone is told exactly once, also those who come while it ends and after.
func TestEnd(t *testing.T) {
	c := checker(t, forum, jwks("rsa"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan struct{})
	go func() { c.Run(ctx); close(ended) }()
	jwt := []byte(good(nil))
	var told [200]atomic.Int32
	var others sync.WaitGroup
	for i := range told {
		others.Go(func() {
			c.Check(jwt, testNonce, nil, func(r Result) {
				told[i].Add(1)
				if r.Reason != "" && r.Reason != Unavailable && r.Reason != Busy {
					t.Error(r)
				}
			})
		})
		if i == 100 {
			cancel()
		}
	}
	others.Wait()
	<-ended
	for i := range told {
		if n := told[i].Load(); n != 1 {
			t.Errorf("check %d was told %d times", i, n)
		}
	}
	if got := ask(c, string(jwt)); got.Reason != Unavailable {
		t.Errorf("%+v after the end", got)
	}
	if err := c.SetProviders(nil); err != nil {
		t.Error(err)
	}
}

func ExampleChecker() {
	c := New(Config{})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { c.Run(ctx); close(ended) }()

	results := make(chan Result)
	c.Check([]byte("eyJhbGciOiJub25lIn0.e30."), [32]byte{}, nil, func(r Result) { results <- r })
	r := <-results
	fmt.Println(r.Reason + ": " + r.Log)

	stop()
	<-ended
	// Output: issuer: iss is missing, which is the issuer of no provider
}
