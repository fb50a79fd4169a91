package scriptapi

import (
	"fmt"
	"slices"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// actionArgs are an action (page Chat, HUD and dialogs, Actions).
type actionArgs struct {
	Name           string        `lua:"name" range:"1..31" doc:"[a-z0-9_]; the client keeps the player's own key by it."`
	Label          string        `lua:"label" range:"1..63" doc:"What the player reads in his key settings: plain text."`
	Key            string        `lua:"key,optional" doc:"The key that it has at first; none without it."`
	When           []string      `lua:"when,optional" enum:"on_foot|driver|passenger|wasted|pre_spawn" doc:"In which states it can be used; on foot and in vehicles without it."`
	OnlyWithPrompt bool          `lua:"only_with_prompt" default:"false" doc:"Whether it can only be used while its prompt is shown."`
	Swallow        bool          `lua:"swallow" default:"false" doc:"Whether the game does not see the key."`
	ForPlayer      *world.Player `lua:"for_player,optional" doc:"Whose alone it is; it goes with him. Everyone's without it."`
}

// whenStates are the words of when.
var whenStates = map[string]protocol.ActionStates{
	"on_foot": protocol.ActionOnFoot, "driver": protocol.ActionDriver, "passenger": protocol.ActionPassenger,
	"wasted": protocol.ActionWasted, "pre_spawn": protocol.ActionPreSpawn,
}

type actionPlayerArgs struct {
	Player *world.Player `lua:"player" doc:"Whose key."`
}

type enableArgs struct {
	Player *world.Player `lua:"player" doc:"For whom."`
	On     bool          `lua:"on" doc:"Whether he can use it."`
}

type actionWaitArgs struct {
	Player  *world.Player `lua:"player" doc:"Whose press."`
	Timeout *float64      `lua:"timeout" range:"0..2592000000" doc:"For how long at most, in ms."`
}

// action is what Lua's side keeps of an action: the world's Owner of it.
type action struct {
	hooks
	prompts map[*world.Player]*prompt
	waits   map[*world.Player][]*pressWait
	gone    bool
}

// pressWait is a handler that waits for a press.
type pressWait struct{ wake func(reason string) }

type actionInputArgs struct {
	Player  *world.Player `lua:"player" doc:"Whose key."`
	Action  *world.Action `lua:"action" doc:"Which action, of whatever resource."`
	Pressed bool          `lua:"pressed" doc:"Whether it went down."`
	Held    float64       `lua:"held_ms" doc:"How long it was down, in ms, when it went up."`
}

func declareActionEvents(r *bind.Registry) *bind.Event[actionInputArgs] {
	return bind.NewEvent[actionInputArgs](r, "player_action", "A player pressed or released the key of an action, of any resource.", false)
}

func (rt *Runtime) declareActions(r *bind.Registry) {
	r.Module("mp.ui", "").Add(
		bind.Func("action", "Declares an action: a key that players can choose, with both its edges.", rt.newAction, bind.Keyed(),
			bind.Returns("The action; :on listens to it."),
			bind.Example(`local horn = mp.ui.action{ name = "siren", label = "Siren", key = "E", when = { "driver" } }
horn:on("press", function(player) player:message("Woo") end)`)),
	)
	h := bind.NewHandle(r, bind.HandleSpec[*world.Action]{
		Name: "Action", Type: "action", Doc: "A named input of a resource.", Gone: "this action was removed", NoType: true,
		Valid:  func(a *world.Action) bool { return !a.Spec.Owner.(*action).gone },
		String: func(a *world.Action) string { return a.Spec.By + "." + a.Spec.Name },
	})
	own := func(name, doc string, f func(k *action, a *world.Action, on bool) error) bind.HandleMember[*world.Action] {
		return bind.CallProp(name, doc, readHere(rt, world.Tx.ActionEnabled), func(c *bind.Call, a *world.Action, on bool) error {
			k, err := ownAction(c, a)
			if err != nil {
				return err
			}
			return f(k, a, on)
		})
	}
	h.Add(
		bind.Prop("name", "Its name.", func(a *world.Action) string { return a.Spec.Name }, nil),
		bind.Prop("label", "What the player reads in his key settings.", func(a *world.Action) string { return a.Spec.Label }, nil),
		bind.Prop("key", "The key that it has at first, or nil.", func(a *world.Action) *string {
			return only(a.Spec.Key != protocol.KeyNone, a.Spec.Key.String())
		}, nil),
		bind.Prop("resource", "The resource that declared it.", func(a *world.Action) string { return a.Spec.By }, nil),
		bind.Prop("glyph", "The markup that shows a reader his own key of it.", read(rt, func(tx world.Tx, a *world.Action) string {
			return fmt.Sprintf("{key:%d}", tx.ActionID(a))
		}), nil, bind.Example(`local use = mp.ui.action{ name = "use", label = "Use", key = "E" }
mp.chat.broadcast("Press " .. use.glyph .. " at the door")`)),
		own("enabled", "Whether it is on for everyone whom it is for.", func(_ *action, a *world.Action, on bool) error {
			_, err := rt.with(func(tx world.Tx) error { tx.SetActionEnabled(a, on); return nil })
			return err
		}),
		bind.Method("enable", "Switches it on or off for one player.", func(c *bind.Call, a *world.Action, v enableArgs) (bind.None, error) {
			if _, err := ownAction(c, a); err != nil {
				return bind.None{}, err
			}
			return rt.with(func(tx world.Tx) error { return tx.EnableAction(a, v.Player, v.On) })
		}),
		bind.Method("on", "Runs a function when a player presses it, fn(player), releases it, fn(player, held_ms), or has held it for hold_ms of its prompt, fn(player).",
			func(c *bind.Call, a *world.Action, v hookArgs) (*hook, error) {
				k, err := ownAction(c, a)
				if err != nil {
					return nil, err
				}
				return k.on(v, "press", "release", "hold")
			}, bind.Returns("The handler; :off() ends it."),
			bind.Example(`local throw = mp.ui.action{ name = "throw", label = "Throw", key = "G" }
throw:on("release", function(player, held_ms) player:message(held_ms .. " ms") end)`)),
		bind.Method("is_down", "Tells whether a player holds it down.", func(_ *bind.Call, a *world.Action, v actionPlayerArgs) (bool, error) {
			tx := rt.begin()
			defer tx.End()
			_, down := tx.ActionDown(a, v.Player)
			return down, nil
		}),
		bind.Method("held", "Tells for how long a player has held it down, in ms; 0 if he does not.", func(_ *bind.Call, a *world.Action, v actionPlayerArgs) (float64, error) {
			tx := rt.begin()
			defer tx.End()
			held, _ := tx.ActionDown(a, v.Player)
			return float64(held.Milliseconds()), nil
		}),
		bind.Method("wait", "Waits until a player presses it.", rt.waitPress, bind.Waits(), bind.Reasons("timeout", "closed", "leave", "stop"),
			bind.Returns("True."), bind.Example(`local draw = mp.ui.action{ name = "draw", label = "Draw", key = "E" }
if draw:wait(player, 3000) then player:message("In time") end`)),
		bind.Method("remove", "Removes it.", func(c *bind.Call, a *world.Action, _ bind.None) (bind.None, error) {
			if _, err := ownAction(c, a); err != nil {
				return bind.None{}, err
			}
			return rt.with(func(tx world.Tx) error { tx.RemoveAction(a); return nil })
		}),
	)
	rt.declarePrompts(r, h)
}

// ownAction refuses what only the resource may do that has declared an action.
func ownAction(c *bind.Call, a *world.Action) (*action, error) {
	k := a.Spec.Owner.(*action)
	if k.inst != instanceOf(c) {
		return nil, fmt.Errorf("the action is one of %s", k.inst.name())
	}
	return k, nil
}

func (rt *Runtime) newAction(c *bind.Call, a actionArgs) (*world.Action, error) {
	k := &action{hooks: hooks{inst: instanceOf(c)}, prompts: make(map[*world.Player]*prompt), waits: make(map[*world.Player][]*pressWait)}
	if k.inst.stopping {
		return nil, errStopping
	}
	spec := world.ActionSpec{Name: a.Name, Label: a.Label, OnlyWithPrompt: a.OnlyWithPrompt, Swallow: a.Swallow, For: a.ForPlayer,
		When: protocol.ActionOnFoot | protocol.ActionDriver | protocol.ActionPassenger, By: k.inst.name(), Owner: k}
	if a.Key != "" {
		var err error
		if spec.Key, err = keyByName(a.Key); err != nil {
			return nil, fmt.Errorf("field \"key\": %w", err)
		}
	}
	if a.When != nil {
		spec.When = 0
		for _, word := range a.When {
			spec.When |= whenStates[word]
		}
	}
	tx := rt.begin()
	defer tx.End()
	declared, err := tx.DeclareAction(spec)
	if err == nil {
		rt.actions = append(rt.actions, k)
	}
	return declared, err
}

func (rt *Runtime) waitPress(c *bind.Call, a *world.Action, v actionWaitArgs) (bool, error) {
	k, err := ownAction(c, a)
	if err != nil {
		return false, err
	}
	if v.Timeout != nil {
		if err := rt.room(k.inst); err != nil {
			return false, err
		}
	}
	tx := rt.begin()
	err = tx.MayUse(a, v.Player)
	tx.End()
	if err != nil {
		return false, err
	}
	w := new(pressWait)
	var tm *timer
	defer func() {
		k.forgetWait(v.Player, w)
		if tm != nil {
			rt.timers.stop(tm)
		}
	}()
	reason := bind.Ask(c, "stop", func(wake func(string)) {
		w.wake = wake
		k.waits[v.Player] = append(k.waits[v.Player], w)
		if v.Timeout != nil {
			tm = rt.timers.add(k.inst, rt.cfg.Now()+ms(*v.Timeout), 0, func() { wake("timeout") })
		}
	})
	return reason == "", bind.Because(reason)
}

func (k *action) forgetWait(p *world.Player, w *pressWait) {
	left := slices.DeleteFunc(k.waits[p], func(o *pressWait) bool { return o == w })
	if len(left) == 0 {
		delete(k.waits, p)
	} else {
		k.waits[p] = left
	}
}

// wake ends the waits for a player's press.
func (k *action) wake(p *world.Player, reason string) {
	waits := k.waits[p]
	delete(k.waits, p)
	for _, w := range waits {
		w.wake(reason)
	}
}

// actionInput tells of an edge: the resource whose action it is, then player_action.
func (rt *Runtime) actionInput(e world.ActionInput) {
	k, held := e.Action.Spec.Owner.(*action), float64(e.Held.Round(time.Millisecond).Milliseconds())
	if !e.Player.Valid() {
		return
	}
	if e.Pressed {
		k.fire(rt, "press", "action "+e.Action.Spec.Name, e.Player)
		k.wake(e.Player, "")
	} else {
		k.fire(rt, "release", "action "+e.Action.Spec.Name, e.Player, held)
	}
	if len(rt.handlers[e.LuaName()]) > 0 {
		raise(rt, rt.events.playerAction, actionInputArgs{e.Player, e.Action, e.Pressed, held})
	}
}

func (rt *Runtime) actionHeld(e world.ActionHeld) {
	if e.Player.Valid() {
		e.Action.Spec.Owner.(*action).fire(rt, "hold", "action "+e.Action.Spec.Name, e.Player)
	}
}

// actionGone ends what waits for an action that is removed, and forgets it.
func (rt *Runtime) actionGone(e world.ActionGone) {
	k := e.Action.Spec.Owner.(*action)
	k.gone = true
	for p := range k.waits {
		k.wake(p, string(e.Reason))
	}
	for _, pr := range k.prompts {
		k.drop(pr)
	}
	k.hooks.end()
	rt.actions = slices.DeleteFunc(rt.actions, func(o *action) bool { return o == k })
	rt.drop(e.Action)
}

// forgetActions ends what concerns a player whose player_leave is over.
func (rt *Runtime) forgetActions(p *world.Player) {
	for _, k := range rt.actions {
		k.wake(p, string(world.EndLeave))
		for _, pr := range k.prompts {
			if pr.player == p || pr.args.Target == p {
				k.drop(pr)
			}
		}
	}
}
