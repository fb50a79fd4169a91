package scriptapi

import (
	"errors"

	"darqline/host/world"
	"darqline/scriptapi/bind"
)

// promptArgs are the hint of an action (page Chat, HUD and dialogs, ActionPrompt).
type promptArgs struct {
	Text     string        `lua:"text" range:"1..127" doc:"What the key does, with markup."`
	Position *bind.Vec3    `lua:"position,optional" range:"-20000..20000" doc:"Where in the world it stands; low on the screen without it."`
	Target   *world.Player `lua:"target,optional" doc:"Whom it follows instead."`
	Offset   *bind.Vec3    `lua:"offset,optional" range:"-100..100" doc:"Where it stands from the target: right, forward, up."`
	Radius   *float64      `lua:"radius,optional" range:"0.5..50" doc:"Of one in the world: within how many m it is shown and can be used; 2 without it."`
	Hold     int           `lua:"hold_ms" range:"0..10000" default:"0" doc:"For how long the key has to be held, in ms, from 200 on; 0 is a press."`
}

// prompt is the hint of an action on a player's screen.
type prompt struct {
	of     *action
	action *world.Action
	player *world.Player
	args   promptArgs
	gone   bool
}

type newPromptArgs struct {
	Player *world.Player `lua:"player" doc:"Who sees it."`
	Prompt *promptArgs   `lua:"prompt" doc:"The prompt, in place of the one that he has of this action; nil removes that."`
}

// defaultRadius is how near one has to be to a prompt in the world, in m.
const defaultRadius = 2

func (rt *Runtime) declarePrompts(r *bind.Registry, actions *bind.Handle[*world.Action]) {
	actions.Add(bind.Method("prompt", "Shows a player what it does and its key, on the screen or in the world.", rt.newPrompt, bind.OrNil(),
		bind.Returns("The prompt; its properties change it in place."),
		bind.Example(`local use = mp.ui.action{ name = "use", label = "Use", key = "E", only_with_prompt = true }
local prompt = use:prompt(player, { text = "Open the door", position = vec3(2495, -1687, 13), radius = 2 })
prompt.text = "Close the door"`)))
	h := bind.NewHandle(r, bind.HandleSpec[*prompt]{
		Name: "Prompt", Type: "prompt", Doc: "The hint of an action on a player's screen.", Gone: "this prompt was removed", NoType: true,
		Valid: func(pr *prompt) bool { return !pr.gone },
	})
	h.Add(
		bind.Prop("player", "Who sees it.", func(pr *prompt) *world.Player { return pr.player }, nil),
		bind.Prop("action", "Whose hint it is.", func(pr *prompt) *world.Action { return pr.action }, nil),
		bind.Method("remove", "Removes it.", func(_ *bind.Call, pr *prompt, _ bind.None) (bind.None, error) {
			rt.removePrompt(pr)
			return bind.None{}, nil
		}),
	)
	h.Add(bind.Fields(func(pr *prompt) *promptArgs { return &pr.args }, func(pr *prompt, next *promptArgs) error {
		return rt.setPrompt(pr, *next)
	})...)
}

func (rt *Runtime) newPrompt(c *bind.Call, a *world.Action, v newPromptArgs) (*prompt, error) {
	k, err := ownAction(c, a)
	if err != nil {
		return nil, err
	}
	pr := k.prompts[v.Player]
	if v.Prompt == nil {
		if pr != nil {
			rt.removePrompt(pr)
		}
		return nil, nil
	}
	if pr == nil {
		pr = &prompt{of: k, action: a, player: v.Player}
	}
	if err := rt.setPrompt(pr, *v.Prompt); err != nil {
		return nil, err
	}
	k.prompts[v.Player] = pr
	return pr, nil
}

// setPrompt shows a prompt as it is to be.
func (rt *Runtime) setPrompt(pr *prompt, a promptArgs) error {
	spec := world.PromptSpec{Text: a.Text, Hold: ms(float64(a.Hold)), InWorld: a.Position != nil || a.Target != nil, Target: a.Target}
	switch {
	case a.Position != nil && a.Target != nil:
		return errors.New("field \"target\": a prompt has a position or a target, not both")
	case a.Offset != nil && a.Target == nil:
		return errors.New("field \"offset\": it is that from a target")
	case a.Radius != nil && !spec.InWorld:
		return errors.New("field \"radius\": a prompt on the screen has none; give a position or a target")
	case a.Position != nil:
		spec.Position = wireVec3(*a.Position)
	case a.Offset != nil:
		spec.Position = wireVec3(*a.Offset)
	}
	if spec.InWorld {
		spec.Radius = defaultRadius
	}
	if a.Radius != nil {
		spec.Radius = float32(*a.Radius)
	}
	tx := rt.begin()
	defer tx.End()
	if err := tx.SetPrompt(pr.action, pr.player, spec); err != nil {
		return err
	}
	pr.args = a
	return nil
}

func (rt *Runtime) removePrompt(pr *prompt) {
	_, _ = rt.with(func(tx world.Tx) error { tx.RemovePrompt(pr.action, pr.player); return nil })
	pr.of.drop(pr)
}

// drop forgets a prompt that is gone.
func (k *action) drop(pr *prompt) {
	pr.gone = true
	delete(k.prompts, pr.player)
	k.inst.env.Drop(pr)
}
