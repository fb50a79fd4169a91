package world

import (
	"slices"
	"strings"
	"sync/atomic"

	"darqline/protocol"
)

// SignInRules is what the world knows of [auth].
type SignInRules struct {
	Origins []string // of all providers, which a sign-in view may ask; none: nobody signs in
	Reject  bool     // a newer player of an account that is here is sent away, instead of the older one
}

// signIn is where a player is on his way to an account.
type signIn struct {
	preAuth atomic.Bool // he has not joined: his handle is there, and he is not in the game
	account string      // "" none
	heir    *Player     // who has got his account and joins when this one is forgotten
}

// signIns are the sign-ins of all.
type signIns struct {
	waiting  map[*Player]struct{} // in PreAuth
	accounts map[string]*Player   // who has each account
}

// PlayerSignIn is player_sign_in: PreAuth begins.
type PlayerSignIn struct{ Player *Player }

// PlayerSignInFailed is player_sign_in_failed; Reason is a word of page Connection, Sign-in.
type PlayerSignInFailed struct {
	Player *Player
	Reason string
	Left   int // attempts
}

// PlayerAccount is player_account: an assertion has passed every check. Unless it is cancelled, the player joins.
type PlayerAccount struct {
	Player  *Player
	Account string
	Claims  map[string]any // JSON values
}

func (PlayerSignIn) LuaName() string       { return "player_sign_in" }
func (PlayerSignInFailed) LuaName() string { return "player_sign_in_failed" }
func (PlayerAccount) LuaName() string      { return "player_account" }

// Moot says that the player has left meanwhile, or was sent away.
func (e PlayerAccount) Moot(Tx) bool { return e.Player.link.Ended() || !e.Player.SignsIn() }

// Refuse sends away whom a script does not let in.
func (e PlayerAccount) Refuse(text string) { e.Player.link.Kick(protocol.ReasonRefused, text) }

// Apply gives the player his account.
func (e PlayerAccount) Apply(tx Tx) {
	if !e.Moot(tx) {
		tx.signedIn(e.Player, e.Account)
	}
}

// What players are told who cannot sign in.
const (
	textNoProvider = "This server has just switched its sign-in off. Please join again."
	textElsewhere  = "This account is playing here already."
)

// SetSignIn takes over the rules from now on. Where nobody signs in any more, whoever was about to is asked to join again:
// nothing else that he could be sent would let him in.
func (tx Tx) SetSignIn(rules SignInRules) {
	tx.w.cfg.SignIn = rules
	for _, p := range tx.SigningIn() {
		tx.needProvider(p)
	}
}

// needProvider sends away who cannot sign in with anybody.
func (tx Tx) needProvider(p *Player) {
	if len(tx.w.cfg.SignIn.Origins) == 0 && p.account == "" && !p.gone {
		p.link.Kick(protocol.ReasonSignInFailed, textNoProvider)
	}
}

// SignIn makes a player of a confirmed connection that has to sign in first: until player_join he is sent the look of the
// UI, messages and views, and is in no list and in nobody's scope.
func (tx Tx) SignIn(link Link) *Player {
	p := newPlayer(link)
	p.preAuth.Store(true)
	tx.w.links[link] = p
	tx.w.signIns.waiting[p] = struct{}{}
	tx.greet(p)
	tx.post(PlayerSignIn{p})
	tx.needProvider(p)
	return p
}

// SignsIn says whether the player has not joined yet, because he has to sign in. It needs no permit.
func (p *Player) SignsIn() bool { return p.preAuth.Load() }

// SigningIn are those who have to sign in, by id.
func (tx Tx) SigningIn() []*Player {
	list := make([]*Player, 0, len(tx.w.signIns.waiting))
	for p := range tx.w.signIns.waiting {
		list = append(list, p)
	}
	slices.SortFunc(list, byID)
	return list
}

// Confirmed are all who have a handle: those who have joined, by id, then those who sign in.
func (tx Tx) Confirmed() []*Player { return append(tx.Players(), tx.SigningIn()...) }

// Account is the account with which the player has signed in, such as "forum:4711", or "".
func (tx Tx) Account(p *Player) string { return p.account }

// MayHave says whether a player who signs in may have an account, beside what scripts say of it. Where another player has it
// and keeps it (auth.duplicate), he is sent away.
func (tx Tx) MayHave(p *Player, account string) bool {
	if !tx.w.cfg.SignIn.Reject || tx.w.signIns.accounts[account] == nil {
		return true
	}
	p.link.Kick(protocol.ReasonSignedInElsewhere, textElsewhere)
	return false
}

// signedIn gives an account to a player and has him join. Who has it already is sent away first, and player_leave of the
// older one is over before player_join of the newer: what a script saves in the one it can load in the other.
func (tx Tx) signedIn(p *Player, account string) {
	if !tx.MayHave(p, account) {
		return
	}
	older := tx.w.signIns.accounts[account]
	tx.w.signIns.accounts[account], p.account = p, account
	if older == nil {
		tx.comeIn(p)
		return
	}
	older.heir = p
	older.link.Kick(protocol.ReasonSignedInElsewhere, "") // whose words his client has
}

// comeIn ends PreAuth.
func (tx Tx) comeIn(p *Player) {
	if p.gone {
		return // meanwhile
	}
	if v := p.open; v != nil {
		p.link.Replace(v.opening(nil)) // one that still waits goes without origins
	}
	if err := p.link.SignedIn(p.account); err != nil {
		return // the connection has ended: its leave is on the way
	}
	p.preAuth.Store(false)
	delete(tx.w.signIns.waiting, p)
	tx.enter(p)
}

// leaveSignIn is what a leave ends of a sign-in; joined says whether the player was in the game.
func (tx Tx) leaveSignIn(p *Player) (joined bool) {
	if s := &tx.w.signIns; s.accounts[p.account] == p {
		delete(s.accounts, p.account)
	}
	delete(tx.w.signIns.waiting, p)
	return !p.SignsIn()
}

// origins are what a view may ask that is opened for a player now. Those of http work on this machine alone.
func (tx Tx) origins(p *Player) []string {
	if !p.SignsIn() {
		return nil
	}
	list := tx.w.cfg.SignIn.Origins
	if p.link.Address().Addr().IsLoopback() {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(o string) bool { return strings.HasPrefix(o, "http://") })
}
