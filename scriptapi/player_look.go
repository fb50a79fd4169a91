package scriptapi

import (
	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

type drunkArgs struct {
	Level int     `lua:"level" range:"0..100" doc:"0 is sober."`
	Lasts float64 `lua:"ms" default:"0" range:"0..3600000" doc:"In what time it sinks to 0, in ms; 0 until it is changed."`
}

type fireArgs struct {
	On       bool          `lua:"on" doc:"Whether he burns."`
	Attacker *world.Player `lua:"attacker,optional" doc:"Who is credited with what it costs him."`
}

// declarePlayerLook declares what others see of a player.
func (rt *Runtime) declarePlayerLook(h *bind.Handle[*world.Player]) {
	h.Add(
		bind.Prop("skin", "A skin's id; mp.players.skins() lists them.",
			read(rt, func(tx world.Tx, p *world.Player) int { return int(tx.Skin(p)) }),
			write(rt, func(tx world.Tx, p *world.Player, v int) error {
				if err := checkSkin(v); err != nil {
					return err
				}
				return tx.SetSkin(p, uint16(v))
			})),
		bind.Prop("fighting_style", "How he fights without a weapon.", read(rt, world.Tx.FightingStyle), write(rt, world.Tx.SetFightingStyle)),
		bind.Prop("walking_style", "How he walks.", read(rt, world.Tx.WalkingStyle), write(rt, world.Tx.SetWalkingStyle)),
		bind.Prop("special_action", "What he does with his hands. Only for the living, not in a vehicle; his client may end it.",
			read(rt, world.Tx.SpecialAction), write(rt, world.Tx.SetSpecialAction)),
		bind.Prop("headless", "Whether he is shown without a head.", read(rt, world.Tx.Headless), write(rt, world.Tx.SetHeadless)),
		bind.Prop("on_fire", "Whether he burns by a script's will; only for the living.", read(rt, world.Tx.OnFire),
			write(rt, func(tx world.Tx, p *world.Player, v bool) error { return tx.SetOnFire(p, v, nil) })),
		bind.Method("set_on_fire", "Sets him alight, or puts him out.", func(_ *bind.Call, p *world.Player, a fireArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { return tx.SetOnFire(p, a.On, a.Attacker) })
		}, bind.Example(`victim:set_on_fire(true, player)`)),
		bind.Prop("drunk", "How his camera and steering sway, 0 to 100.",
			read(rt, func(tx world.Tx, p *world.Player) int { return int(tx.Drunk(p)) }),
			write(rt, func(tx world.Tx, p *world.Player, v int) error { return tx.SetDrunk(p, uint8(v), 0) }), bind.Tag(`range:"0..100"`)),
		bind.Method("set_drunk", "Makes him drunk for a while.", func(_ *bind.Call, p *world.Player, a drunkArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { return tx.SetDrunk(p, uint8(a.Level), wholeMS(a.Lasts)) })
		}, bind.Example(`player:set_drunk(80, 60000)`)),
	)
}

type animateArgs struct {
	Block         string  `lua:"block" range:"1..15" doc:"A block of mp.players.animations()."`
	Name          string  `lua:"name" range:"1..23" doc:"A name of mp.players.animations(block)."`
	Speed         float64 `lua:"speed" default:"1" range:"0..10" doc:"1 is normal."`
	Progress      float64 `lua:"progress" default:"0" range:"0..1" doc:"Where it starts."`
	Duration      float64 `lua:"duration" default:"0" range:"0..4294967295" doc:"When it ends, in ms; 0: by itself, or never if it loops."`
	Blend         float64 `lua:"blend" default:"250" range:"0..5000" doc:"How long it takes to blend in, in ms."`
	Loop          bool    `lua:"loop,optional" doc:"It plays again and again."`
	Move          bool    `lua:"move,optional" doc:"He moves with it."`
	Hold          bool    `lua:"hold,optional" doc:"The last frame stays."`
	Interruptible bool    `lua:"interruptible,optional" doc:"His keys end it."`
	UpperBody     bool    `lua:"upper_body,optional" doc:"Only arms and head; in a vehicle nothing else is possible."`
}

type runningAnimation struct {
	ID    int     `lua:"id" doc:"What player:animate returned."`
	Block string  `lua:"block" doc:"Its block."`
	Name  string  `lua:"name" doc:"Its name."`
	Speed float64 `lua:"speed" doc:"1 is normal."`
	Loop  bool    `lua:"loop" doc:"Whether it plays again and again."`
}

type progressArgs struct {
	Progress float64 `lua:"progress" range:"0..1" doc:"Where to jump."`
}

type speedArgs struct {
	Speed float64 `lua:"speed" range:"0..10" doc:"1 is normal, 0 holds it."`
}

// declarePlayerAnimation declares the animation that runs.
func (rt *Runtime) declarePlayerAnimation(h *bind.Handle[*world.Player]) {
	h.Add(
		bind.Prop("animation", "The animation that runs, or nil.", read(rt, func(tx world.Tx, p *world.Player) *runningAnimation {
			a, ok := tx.PlayingAnimation(p)
			if !ok {
				return nil
			}
			return &runningAnimation{int(a.ID), a.Block, a.Name, round(a.Speed), a.Loop}
		}), nil),
		bind.Method("animate", "Plays an animation, in place of the one that runs; it ends when the resource stops.", rt.animate, bind.Keyed(),
			bind.Returns("Its id, which player_animation_end tells."),
			bind.Example(`player:animate{ block = "DANCING", name = "dance_loop", loop = true, interruptible = true }`)),
		bind.Method("clear_animations", "Ends the animation and what his ped was told to do.",
			func(_ *bind.Call, p *world.Player, _ bind.None) (bind.None, error) {
				return rt.with(func(tx world.Tx) error { return tx.ClearAnimations(p) })
			}),
		bind.Method("set_animation_progress", "Jumps within the animation that runs.",
			func(_ *bind.Call, p *world.Player, a progressArgs) (bind.None, error) {
				return rt.with(func(tx world.Tx) error { return tx.SetAnimationProgress(p, float32(a.Progress)) })
			}),
		bind.Method("set_animation_speed", "Changes the speed of the animation that runs.",
			func(_ *bind.Call, p *world.Player, a speedArgs) (bind.None, error) {
				return rt.with(func(tx world.Tx) error { return tx.SetAnimationSpeed(p, float32(a.Speed)) })
			}),
	)
}

func (rt *Runtime) animate(c *bind.Call, p *world.Player, a animateArgs) (int, error) {
	tx := rt.begin()
	defer tx.End()
	id, err := tx.Animate(p, a.animation(), instanceOf(c).name())
	return int(id), err
}

// animation is what is asked for, for the world.
func (a *animateArgs) animation() world.Animation {
	play := world.Animation{Block: a.Block, Name: a.Name, Speed: float32(a.Speed), Progress: float32(a.Progress),
		Duration: wholeMS(a.Duration), Blend: wholeMS(a.Blend)}
	for _, f := range []struct {
		set  bool
		flag protocol.AnimationFlags
	}{
		{a.Loop, protocol.AnimationLoop}, {a.Move, protocol.AnimationMove}, {a.Hold, protocol.AnimationHold},
		{a.Interruptible, protocol.AnimationKeys}, {a.UpperBody, protocol.AnimationUpperBody},
	} {
		if f.set {
			play.Flags |= f.flag
		}
	}
	return play
}
