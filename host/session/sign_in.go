package session

import "errors"

// InSignIn says whether the player has to sign in and has not yet; it stays so when the connection ends before.
func (c *Conn) InSignIn() bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.signIn
}

// AuthNonce is what the assertion has to contain; zeros when it is used up, or where nobody signs in.
func (c *Conn) AuthNonce() [32]byte {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.authNonce
}

// Account is "provider:subject", or "" before SignedIn.
func (c *Conn) Account() string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.account
}

// SignedIn ends PreAuth: AuthAccepted goes on the lane straight. It is an error where the connection is not in PreAuth.
func (c *Conn) SignedIn(account string) error { return errors.New("nobody signs in yet") }

// SignInFailed counts a failed assertion and says how many are left; with the last one the connection ends.
func (c *Conn) SignInFailed() (left int) { return 0 }

// SignInPutOff is for an assertion that could not be checked (busy, no keys): the next one is taken, and nothing counted.
func (c *Conn) SignInPutOff() {}
