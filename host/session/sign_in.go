package session

import (
	"errors"
	"fmt"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// assertEvery is the time between two whole assertions that are taken.
const assertEvery = 2 * time.Second

// signIn is the sign-in of one connection (page Connection, Sign-in). The zero value is of one where nobody signs in.
type signIn struct {
	due      bool          // has to sign in and has not yet
	nonce    [32]byte      // to be in the assertion; zeros once it is used up
	until    time.Duration // then it has failed
	failed   int           // assertions
	checking bool          // one is being checked: others are dropped
	parts    uint8         // of the assertion under way
	next     uint8         // the part that is due
	jwt      []byte        // of it so far
	taken    bool          // one was, at last
	last     time.Duration
	account  string
}

// assert takes a part of an assertion, on the lane's order. What is out of order starts the assembly over.
func (c *Conn) assert(now time.Duration, p *protocol.AuthAssertion) {
	in := &c.signIn
	if in.checking {
		return
	}
	if p.Part == 0 {
		in.parts, in.next, in.jwt = p.Parts, 0, in.jwt[:0]
	}
	if p.Part != in.next || p.Parts != in.parts {
		in.parts, in.next = 0, 0
		return
	}
	in.jwt, in.next = append(in.jwt, p.Data...), in.next+1
	if in.next < in.parts {
		return
	}
	jwt := in.jwt
	in.parts, in.next, in.jwt = 0, 0, nil
	if in.taken && now-in.last < assertEvery {
		return
	}
	in.taken, in.last, in.checking = true, now, true
	c.s.events = append(c.s.events, Event{Kind: Asserted, Conn: c, JWT: jwt})
}

// SignedIn ends PreAuth: AuthAccepted goes on the lane straight, and the nonce is used up. It is an error where the
// connection is not in PreAuth, has ended, or the account is none that AuthAccepted can tell.
func (c *Conn) SignedIn(account string) error {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.state != PreAuth {
		return fmt.Errorf("%s is not signing in any more", c.name)
	}
	now := c.s.cfg.Now()
	if b, ok := c.s.banned(BanSubject{Account: account}); ok { // since it was checked
		c.end(now, protocol.ReasonBanned, b.Text, b.Seconds, true)
		c.s.cfg.Wake()
		return fmt.Errorf("the account %s is banned", account)
	}
	err := c.straight(now, &protocol.AuthAccepted{Account: account})
	switch {
	case errors.Is(err, pacer.ErrBacklog):
		c.end(now, protocol.ReasonLane, "", 0, true)
		return err
	case err != nil:
		return err
	}
	c.become(Joined)
	c.signIn = signIn{account: account}
	return nil
}

// SignInFailed counts a failed assertion and says how many are left; with the last one the connection ends.
func (c *Conn) SignInFailed() (left int) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.state != PreAuth {
		return 0
	}
	c.signIn.checking = false
	c.signIn.failed++
	if left = c.s.cfg.SignInAttempts - c.signIn.failed; left > 0 {
		return left
	}
	c.end(c.s.cfg.Now(), protocol.ReasonSignInFailed, "", 0, true)
	c.s.cfg.Wake()
	return 0
}

// SignInPutOff is for an assertion that could not be checked (busy, no keys): the next one is taken, and nothing counted. It
// says how many attempts are left.
func (c *Conn) SignInPutOff() (left int) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.signIn.checking = false
	return max(0, c.s.cfg.SignInAttempts-c.signIn.failed)
}

// Ended says whether the connection is over.
func (c *Conn) Ended() bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.state == Closing
}

// InSignIn says whether the player has to sign in and has not yet; it stays so when the connection ends before.
func (c *Conn) InSignIn() bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.signIn.due
}

// AuthNonce is what the assertion has to contain; zeros when it is used up, or where nobody signs in.
func (c *Conn) AuthNonce() [32]byte {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.signIn.nonce
}

// Account is "provider:subject", or "" before SignedIn.
func (c *Conn) Account() string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.signIn.account
}
