package play

import (
	"encoding/base64"

	"darqline/client"
)

// The sign-in (page Connection): while the server waits for it, the page of a view that it opens has darqline.authNonce and
// darqline.signIn, and may ask the sites that came with the view.

// authNonce is what the page puts into the request to its provider; "" without a sign-in.
func authNonce(s client.Session) string {
	if !s.SignIn {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(s.AuthNonce[:])
}

// signedIn ends the wait. A browser does not take back what it allowed a page as it loaded it, so the pages let go of the
// document that could ask the sites: they load the view anew, if it is still open.
func (m *model) signedIn(account string) {
	m.setConnection(func(c *connection) { c.SignIn, c.Account, c.nonce = false, account, "" })
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.view == nil || !m.view.SignIn {
		return
	}
	v := *m.view
	v.SignIn, v.nonce = false, ""
	m.view = &v
	m.broadcast(message{Type: "view", View: m.view})
}

// signsIn says whether this is the open view, and one that signs in.
func (m *model) signsIn(id uint32) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.view != nil && m.view.ID == id && m.view.SignIn
}

// signIn sends what the view's page got from its provider. The page that asked hears why it could not be sent; whether
// the server took it shows in the connection.
func (s *server) signIn(p *page, id uint32, jwt string) {
	if !s.model.signsIn(id) {
		return
	}
	err := s.seat.with(func(now session) error { return now.SignIn(jwt) })
	if err != nil {
		s.model.tell(p, message{Type: "sign_in_fault", ID: uint64(id), Text: err.Error()})
	}
}
