package scriptapi

import (
	"errors"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

type cameraArgs struct {
	Position bind.Vec3 `lua:"position" range:"-20000..20000" doc:"Where it stands."`
	Target   bind.Vec3 `lua:"target" range:"-20000..20000" doc:"The point that it looks at."`
	Roll     float64   `lua:"roll" default:"0" range:"-180..180" doc:"Degrees."`
	Fov      *float64  `lua:"fov" range:"10..120" doc:"Degrees; the game's 70 without it."`
}

type glideArgs struct {
	Position bind.Vec3 `lua:"position" range:"-20000..20000" doc:"Where it ends."`
	Target   bind.Vec3 `lua:"target" range:"-20000..20000" doc:"The point that it looks at."`
	Duration float64   `lua:"duration" range:"1..600000" doc:"How long it takes, in ms."`
	Roll     float64   `lua:"roll" default:"0" range:"-180..180" doc:"Degrees."`
	Fov      *float64  `lua:"fov" range:"10..120" doc:"Degrees; the game's 70 without it."`
	Wait     bool      `lua:"wait,optional" doc:"The call waits until it is there."`
}

type spectateArgs struct {
	Target  *world.Player   `lua:"target,optional" doc:"Whom to follow; nil ends it."`
	Options spectateOptions `lua:"options,optional" doc:"How."`
}

type spectateOptions struct {
	Fov *float64 `lua:"fov" range:"10..120" doc:"Degrees; the game's 70 without it."`
}

type fadeInArgs struct {
	Time float64 `lua:"time" default:"1000" range:"0..10000" doc:"How long it takes, in ms."`
}

type fadeOutArgs struct {
	Time  float64    `lua:"time" default:"1000" range:"0..10000" doc:"How long it takes, in ms."`
	Color *bind.RGBA `lua:"color" doc:"What the screen turns to; black without it."`
}

// declarePlayerCamera declares what a player looks through. What he has in view follows his camera.
func (rt *Runtime) declarePlayerCamera(h *bind.Handle[*world.Player]) {
	h.Add(
		bind.Method("set_camera", "Puts his camera somewhere, until player:reset_camera() or the resource's stop.",
			func(c *bind.Call, p *world.Player, a cameraArgs) (bind.None, error) {
				camera := world.Camera{Position: wireVec3(a.Position), Target: wireVec3(a.Target), Roll: float32(a.Roll), Fov: fov(a.Fov)}
				return rt.setCamera(c, p, camera)
			}, bind.Keyed(),
			bind.Example(`player:set_camera{ position = vec3(2510, -1700, 30), target = vec3(2495, -1687, 13) }`)),
		bind.Method("glide_camera", "Moves his camera from where it is.",
			func(c *bind.Call, p *world.Player, a glideArgs) (bind.None, error) {
				none, err := rt.setCamera(c, p, world.Camera{Position: wireVec3(a.Position), Target: wireVec3(a.Target),
					Roll: float32(a.Roll), Fov: fov(a.Fov), Glide: ms(a.Duration)})
				if err != nil || !a.Wait {
					return none, err
				}
				return rt.wait(c, waitArgs{a.Duration})
			}, bind.Keyed(),
			bind.Example(`player:glide_camera{ position = vec3(2480, -1660, 25), target = vec3(2495, -1687, 13), duration = 4000, wait = true }
player:reset_camera()`)),
		bind.Method("spectate", "Has him follow another player, into his dimension and interior too.",
			func(c *bind.Call, p *world.Player, a spectateArgs) (bind.None, error) {
				return rt.with(func(tx world.Tx) error {
					if a.Target == nil {
						return tx.ResetCamera(p)
					}
					return tx.Spectate(p, a.Target, fov(a.Options.Fov), instanceOf(c).name())
				})
			}, bind.Example(`player:spectate(victim, { fov = 60 })`)),
		bind.Method("reset_camera", "Gives him his own camera back.", func(_ *bind.Call, p *world.Player, _ bind.None) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { return tx.ResetCamera(p) })
		}),
		bind.Method("fade_out", "Darkens his screen.", func(_ *bind.Call, p *world.Player, a fadeOutArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { return tx.Fade(p, true, wholeMS(a.Time), wireColor(a.Color)) })
		}, bind.Keyed(), bind.Example(`player:fade_out{ time = 500 }
mp.wait(500)
player:fade_in()`)),
		bind.Method("fade_in", "Brings his screen back.", func(_ *bind.Call, p *world.Player, a fadeInArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { return tx.Fade(p, false, wholeMS(a.Time), protocol.RGBA{}) })
		}, bind.Keyed()),
	)
}

func (rt *Runtime) setCamera(c *bind.Call, p *world.Player, camera world.Camera) (bind.None, error) {
	if camera.Position == camera.Target {
		return bind.None{}, errors.New("key \"target\": another point than position expected")
	}
	return rt.with(func(tx world.Tx) error { return tx.SetCamera(p, camera, instanceOf(c).name()) })
}

// fov is a field of view as packets have it: 0 is the game's.
func fov(v *float64) float32 {
	if v == nil {
		return 0
	}
	return float32(*v)
}
