package scriptapi

import (
	"encoding/json"
	"fmt"
	"slices"

	"darqline/host/world"
	"darqline/scriptapi/bind"
	"darqline/scriptapi/sandbox/luajson"
)

// signInEvents are the declarations of what happens before somebody joins (page Connection, Sign-in).
type signInEvents struct {
	signIn  *bind.Event[playerArgs]
	failed  *bind.Event[signInFailedArgs]
	account *bind.Event[accountArgs]
}

type signInFailedArgs struct {
	Player *world.Player `lua:"player" doc:"Who could not sign in."`
	Reason string        `lua:"reason" doc:"What was wrong with his assertion: a word such as expired, audience or banned; busy and unavailable are the server's own trouble and count as no attempt."`
	Left   int           `lua:"left" doc:"How many attempts he has left; with none he is sent away."`
}

type accountArgs struct {
	Player  *world.Player `lua:"player" doc:"Who has signed in. He joins when the handlers have let him."`
	Account string        `lua:"account" doc:"His account, such as \"forum:4711\"."`
	Claims  bind.Raw      `lua:"claims" doc:"What his provider says of him: a table, a copy."`
}

func declareSignInEvents(r *bind.Registry) *signInEvents {
	return &signInEvents{
		signIn: bind.NewEvent[playerArgs](r, "player_sign_in",
			"A player has to sign in before he joins: open the sign-in view. A resource that starts hears it for each who is signing in.", false),
		failed: bind.NewEvent[signInFailedArgs](r, "player_sign_in_failed",
			"A player could not sign in. His view is still open: tell him there.", false),
		account: bind.NewEvent[accountArgs](r, "player_account",
			"A player has signed in. Return false and a text to send him away; do so before the first wait. Else he joins.", true),
	}
}

// declareSignIn declares who signs in, and what a player has of it.
func (rt *Runtime) declareSignIn(r *bind.Registry, h *bind.Handle[*world.Player]) {
	r.Module("mp.players", "").Add(
		bind.Func("signing_in", "Lists those who have not joined yet, because they have to sign in, by id. No other list has them.",
			func(*bind.Call, bind.None) ([]*world.Player, error) {
				tx := rt.begin()
				defer tx.End()
				return tx.SigningIn(), nil
			}),
	)
	h.Add(bind.Prop("account", "The account that he has signed in with, such as \"forum:4711\"; nil where nobody signs in.",
		optional(read(rt, world.Tx.Account)), nil, bind.Early()))
}

// signedIn says why only what is early works on a player's handle.
func signedIn(p *world.Player) error {
	if p.SignsIn() {
		return fmt.Errorf("%s has not signed in yet: until player_join there is nothing of the game for him", p.Name())
	}
	return nil
}

// PlayerAccount asks the scripts whether somebody may join with the account that he has. A handler that fails lets him in, unless
// failClosed.
func (rt *Runtime) PlayerAccount(e world.PlayerAccount, failClosed bool) (refused bool, text string) {
	claims, err := json.Marshal(e.Claims)
	if err != nil {
		rt.log.Error("claims have no JSON", "error", err)
		claims = []byte("{}")
	}
	return rt.keepOut(rt.events.signIn.account.Name(), failClosed, func(in *instance) []any {
		v, err := luajson.Decode(in.state.Lua(), in.json, string(claims), nil)
		if err != nil {
			rt.log.Error("claims are no table", "resource", in.name(), "error", err)
		}
		return rt.events.signIn.account.Args(accountArgs{e.Player, e.Account, bind.Raw{V: v}})
	})
}

// dispatchSignIn runs the handlers of what happens before somebody joins.
func (rt *Runtime) dispatchSignIn(e world.Event) {
	on := rt.events.signIn
	switch e := e.(type) {
	case world.PlayerSignIn:
		rt.signingIn = append(rt.signingIn, e.Player)
		unheard := len(rt.handlers[e.LuaName()]) == 0
		if unheard && !rt.signInUnheard { // once, however many come
			rt.log.Warn("nobody shows players how to sign in: no resource hears player_sign_in", "player", e.Player.ID, "name", e.Player.Name())
		}
		rt.signInUnheard = unheard
		raise(rt, on.signIn, playerArgs{e.Player})
	case world.PlayerSignInFailed:
		raise(rt, on.failed, signInFailedArgs{e.Player, e.Reason, e.Left})
	}
}

// endSignIn forgets who has joined or left.
func (rt *Runtime) endSignIn(p *world.Player) {
	rt.signingIn = slices.DeleteFunc(rt.signingIn, func(o *world.Player) bool { return o == p })
}

// catchUpSignIn tells a resource that has just started of those who are signing in: their view may have been its own, before it
// was reloaded.
func (rt *Runtime) catchUpSignIn(in *instance) {
	for _, p := range slices.Clone(rt.signingIn) {
		if p.SignsIn() && p.Valid() {
			rt.fireIn(in, rt.events.signIn.signIn.Name(), rt.events.signIn.signIn.Args(playerArgs{p}), "")
		}
	}
}
