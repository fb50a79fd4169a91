package client

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"darqline/protocol"
)

// Errors around the sign-in.
var (
	ErrNoSignIn    = errors.New("the server waits for no sign-in")
	ErrSignInFirst = errors.New("the server wants you to sign in first")
)

const (
	assertionPart  = 1024            // bytes of each part of an assertion but the last
	assertionPause = 2 * time.Second // the server drops more than one whole assertion in this time
)

// SignIn sends the JWT that the page of a sign-in screen got: an assertion with Session.AuthNonce in it. Handler.SignedIn
// tells that the server took it; of one that it refuses nothing comes back but what a script shows the player. Within two
// seconds of the one before it waits, and takes the place of another that waits.
func (c *Client) SignIn(assertion string) error {
	parts, err := assertionParts(assertion)
	if err != nil {
		return err
	}
	if c.current.Load() != nil && c.Self().State > PreAuth {
		return ErrNoSignIn
	}
	return c.do(func(s *session) {
		if s.signIn.open {
			s.signIn.next = parts
		}
	})
}

// assertionParts are the packets of a JWT. What no server takes is an error in words for whoever made the page.
func assertionParts(jwt string) ([]*protocol.AuthAssertion, error) {
	if len(jwt) == 0 || len(jwt) > protocol.MaxAssertion {
		return nil, fmt.Errorf("client: an assertion has 1 to %d bytes, this one %d", protocol.MaxAssertion, len(jwt))
	}
	if dots := strings.Count(jwt, "."); dots != 2 {
		return nil, fmt.Errorf("client: an assertion is a JWT: three parts with dots between, this has %d", dots+1)
	}
	chunks := slices.Collect(slices.Chunk([]byte(jwt), assertionPart))
	parts := make([]*protocol.AuthAssertion, len(chunks))
	for i, data := range chunks {
		parts[i] = &protocol.AuthAssertion{Part: uint8(i), Parts: uint8(len(chunks)), Data: data}
		if err := encodable(parts[i]); err != nil {
			return nil, fmt.Errorf("client: an assertion is a JWT in base64url: %w", err)
		}
	}
	return parts, nil
}

// signIn is the sign-in of a session (page Connection). It lives on the loop.
type signIn struct {
	open  bool                      // the state is PreAuth
	next  []*protocol.AuthAssertion // waits for its time; nil: none
	under bool                      // one is under way: not all of it is acknowledged
	free  time.Duration             // from when on the server takes another
}

// driveSignIn sends the assertion that waits, and gives the time at which it will. The pause counts from the ack of the
// one before: the server has had it by then.
func (s *session) driveSignIn(now time.Duration) time.Duration {
	a := &s.signIn
	if a.under && s.out.Unacked() == 0 {
		a.under, a.free = false, now+assertionPause
	}
	switch {
	case a.next == nil || a.under: // an ack will wake the loop
		return never
	case now < a.free:
		return a.free
	}
	for _, p := range a.next {
		s.push(p, false)
	}
	a.next, a.under = nil, true
	return never
}

// signedIn ends PreAuth and with it the page's way to the sign-in sites.
func (s *session) signedIn(p *protocol.AuthAccepted) {
	if !s.signIn.open {
		return
	}
	s.signIn = signIn{}
	s.views.endSignIn()
	s.shared.do(func(g *game) { g.signedIn() })
	s.handler.SignedIn(p.Account)
	s.start()
}

// beforeSignIn says whether a packet is one of those that a server sends in PreAuth. Nothing of the game is among them.
func beforeSignIn(id protocol.ID) bool {
	switch id {
	case protocol.IDServerAck, protocol.IDServerKeepalive, protocol.IDAuthAccepted,
		protocol.IDResourceFiles, protocol.IDResourceRemove,
		protocol.IDViewOpen, protocol.IDViewClose, protocol.IDViewData,
		protocol.IDUiTheme, protocol.IDPlatformKeys, protocol.IDServerMessage:
		return true
	}
	return false
}

// allowedOrigins are the origins of a ViewOpen that this client lets the page reach: only while it waits for the sign-in,
// and http only if the server itself is on loopback (page Resource files and views).
func (s *session) allowedOrigins(origins []string) []string {
	if !s.signIn.open {
		if len(origins) > 0 {
			s.log.Warn("origins of a view outside the sign-in are refused", "origins", strings.Join(origins, " "))
		}
		return nil
	}
	var allowed []string
	for _, o := range origins {
		if strings.HasPrefix(o, "http://") && !s.info.Server.Addr().IsLoopback() {
			s.log.Warn("an http origin of a server that is not on loopback is refused", "origin", o)
			continue
		}
		allowed = append(allowed, o)
	}
	return allowed
}
