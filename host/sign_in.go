package host

import (
	"path/filepath"

	"darqline/host/auth"
	"darqline/host/session"
	"darqline/host/world"
	"darqline/protocol"
)

// keysDir is where the last good keys of providers are kept, beside server.toml.
const keysDir = "provider-keys"

// openSignIn makes what checks assertions.
func (h *Host) openSignIn(cfg *Config) error {
	h.auth = auth.New(auth.Config{Logger: h.log, Now: h.opt.wall, Disk: h.opt.disk, CacheDir: filepath.Join(cfg.Dir, keysDir)})
	return h.auth.SetProviders(cfg.providers())
}

// checkAssertion has an assertion checked off the loops. What comes of it is told on the script loop.
func (h *Host) checkAssertion(c *session.Conn, jwt []byte) {
	banned := func(account string) bool {
		_, ok := h.bannedAs(c, account)
		return ok
	}
	h.auth.Check(jwt, c.AuthNonce(), banned, func(r auth.Result) {
		if h.script.Post(func() { h.asserted(c, r) }) != nil {
			c.SignInPutOff() // the loop is full, or has ended
		}
	})
}

// bannedAs looks for a ban of a player who signs in, with the account that he is about to have.
func (h *Host) bannedAs(c *session.Conn, account string) (session.Banned, bool) {
	subject := c.BanSubject()
	subject.Account = account
	return h.banned(subject)
}

// asserted goes on with a player whose assertion has been checked.
func (h *Host) asserted(c *session.Conn, r auth.Result) {
	tx := h.world.Begin()
	p := tx.PlayerOf(c)
	may := p != nil && r.Reason == "" && tx.MayHave(p, r.Account) // who may not is sent away
	tx.End()
	switch {
	case p == nil: // he has left
	case r.Reason == "" && !may:
		h.strangers.say("sign-in refused: the account is here already", "player", p.ID, "name", p.Name(), "account", r.Account)
	case c.Ended(): // his leave is on the way
	case r.Reason != "":
		h.refuse(c, p, r)
	default:
		h.handle(world.PlayerAccount{Player: p, Account: r.Account, Claims: r.Claims})
	}
}

// refuse counts a failed assertion, and tells log and scripts why it has failed. What is not the player's doing does not count.
func (h *Host) refuse(c *session.Conn, p *world.Player, r auth.Result) {
	left := 0
	switch r.Reason {
	case auth.Banned:
		b, _ := h.bannedAs(c, r.Account)
		c.KickFor(protocol.ReasonBanned, b.Text, b.Seconds)
	case auth.Busy, auth.Unavailable:
		left = c.SignInPutOff()
	default:
		left = c.SignInFailed()
	}
	h.strangers.say("sign-in failed", "player", p.ID, "name", p.Name(), "reason", r.Reason, "why", r.Log, "attempts_left", left)
	h.handle(world.PlayerSignInFailed{Player: p, Reason: r.Reason, Left: left})
}

// decideAccount asks the scripts whether somebody may play with the account that he has proven, and lets him join.
func (h *Host) decideAccount(e world.PlayerAccount) {
	refused, text := h.runtime.PlayerAccount(e, h.live.Load().Connection.FailClosed)
	if refused {
		h.strangers.say("sign-in refused by a script", "player", e.Player.ID, "name", e.Player.Name(), "account", e.Account, "text", text)
		e.Refuse(text)
		return
	}
	tx := h.world.Begin()
	gone := e.Moot(tx)
	e.Apply(tx)
	tx.End()
	if !gone {
		h.strangers.say("signed in", "player", e.Player.ID, "name", e.Player.Name(), "account", e.Account)
	}
}
