package auth

import (
	"fmt"
	"runtime/debug"
)

// How many assertions are checked at once, and how many may wait (page Connection, Sign-in).
const (
	atOnce  = 4
	waiting = 64
)

// Check judges one assertion of a connection with that nonce, and calls done with what came of it, exactly once: from a
// goroutine of the checker, or at once, before Check returns, if 64 others wait or the checker has ended. banned (nil:
// nobody) is asked from that goroutine, too. An assertion by a key that is not known may wait for a fetch of keys, up to
// 10 s, without being in the way of others.
func (c *Checker) Check(jwt []byte, nonce [32]byte, banned func(account string) bool, done func(Result)) {
	text := string(jwt)
	c.mu.Lock()
	switch {
	case c.ended:
		c.mu.Unlock()
		done(Result{Reason: Unavailable, Log: "the server is closing"})
	case c.checks == atOnce+waiting:
		c.mu.Unlock()
		done(Result{Reason: Busy, Log: fmt.Sprintf("%d assertions wait to be checked", waiting)})
	default:
		c.checks++
		c.work.Go(func() {
			result := c.check(text, nonce, banned)
			c.mu.Lock()
			c.checks--
			c.mu.Unlock()
			c.tell(done, result)
		})
		c.mu.Unlock()
	}
}

// tell calls done; its panic stays here.
func (c *Checker) tell(done func(Result), result Result) {
	defer func() {
		if p := recover(); p != nil {
			c.config.Logger.Error("a panic after a sign-in was checked", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	done(result)
}

// check judges an assertion, again after a fetch where newer keys may change it: one that was under way may have begun
// before the key was published, so there can be two.
func (c *Checker) check(jwt string, nonce [32]byte, banned func(string) bool) Result {
	for fetches := 0; ; fetches++ {
		select {
		case c.places <- struct{}{}:
		case <-c.closing:
			return Result{Reason: Unavailable, Log: "the server is closing"}
		}
		result, p, newer := c.once(jwt, nonce, banned)
		<-c.places
		if !newer || fetches == 2 || !p.source.newer() {
			return result
		}
	}
}

// once judges an assertion by the providers and keys of this moment. A panic is a refusal.
func (c *Checker) once(jwt string, nonce [32]byte, banned func(string) bool) (result Result, p *provider, newer bool) {
	defer func() {
		if r := recover(); r != nil {
			c.config.Logger.Error("a panic in the check of a sign-in, which is refused", "panic", r, "stack", string(debug.Stack()))
			result, newer = Result{Reason: Malformed, Log: "its check panicked"}, false
		}
	}()
	a, err := parse(jwt)
	if err != nil {
		return Result{Reason: Malformed, Log: err.Error()}, nil, false
	}
	p, r := a.issuer(c.current())
	if r == nil {
		r = a.judge(p.Provider, p.source.keys(), nonce, c.config.Now())
	}
	if r != nil {
		return Result{Reason: r.reason, Log: r.why}, p, r.newer
	}
	account := p.Name + ":" + a.claims["sub"].(string)
	if banned != nil && banned(account) {
		return Result{Account: account, Reason: Banned, Log: account + " is banned"}, p, false
	}
	return Result{Account: account, Claims: plain(a.claims).(map[string]any)}, p, false
}
