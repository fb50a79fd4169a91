package scriptapi

import (
	"fmt"
	"math"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// aimFacts is where weapon and eyes point.
type aimFacts struct {
	Yaw       float64   `lua:"yaw" doc:"Degrees, counter-clockwise from north."`
	Pitch     float64   `lua:"pitch" doc:"Degrees, up is positive."`
	Direction bind.Vec3 `lua:"direction" doc:"Of length 1."`
}

// worldBounds is where a player may be.
type worldBounds struct {
	MinX float64 `lua:"min_x" range:"-20000..20000" doc:"West."`
	MinY float64 `lua:"min_y" range:"-20000..20000" doc:"South."`
	MaxX float64 `lua:"max_x" range:"-20000..20000" doc:"East."`
	MaxY float64 `lua:"max_y" range:"-20000..20000" doc:"North."`
}

type teleportArgs struct {
	Position     *bind.Vec3 `lua:"position" range:"-20000..20000" doc:"Where to."`
	Heading      *float64   `lua:"heading" range:"0..360" doc:"Which way he looks; kept without it."`
	Interior     *uint8     `lua:"interior" doc:"The game's area code, 0 outside."`
	Dimension    *int       `lua:"dimension" range:"0..65534" doc:"Another dimension."`
	KeepVelocity bool       `lua:"keep_velocity,optional" doc:"He goes on as fast as he was."`
	KeepVehicle  bool       `lua:"keep_vehicle,optional" doc:"What he drives moves along, with all in it."`
	FindGround   bool       `lua:"find_ground,optional" doc:"His client finds the ground at x and y."`
	CameraBehind bool       `lua:"camera_behind,optional" doc:"The camera goes behind him."`
}

// declarePlayerPlace declares where a player is and how he moves.
func (rt *Runtime) declarePlayerPlace(h *bind.Handle[*world.Player]) {
	nothing := func(*world.Player) bind.Raw { return bind.Raw{} }
	h.Add(
		bind.TryProp("position", "Where he is, in m. Set: he keeps his heading; what he drives moves along. An error before the first spawn.",
			tryRead(rt, func(tx world.Tx, p *world.Player) (bind.Vec3, error) {
				at, err := tx.Position(p)
				return vec3(at), err
			}),
			write(rt, func(tx world.Tx, p *world.Player, v bind.Vec3) error {
				at := wireVec3(v)
				return tx.Teleport(p, world.Teleport{Position: &at, KeepVehicle: true})
			}), bind.Tag(coordinates)),
		bind.Prop("heading", "Which way he looks: degrees, counter-clockwise from north. Set: he only turns.",
			read(rt, func(tx world.Tx, p *world.Player) float64 { return degrees(tx.Frame(p).Heading) }),
			write(rt, func(tx world.Tx, p *world.Player, v float64) error {
				to := heading(v)
				return tx.Teleport(p, world.Teleport{Heading: &to})
			}), bind.Tag(`range:"0..360"`)),
		bind.TryProp("velocity", "In m/s, up to 200. A driver's is his vehicle's.",
			tryRead(rt, func(tx world.Tx, p *world.Player) (bind.Vec3, error) {
				v, err := tx.Velocity(p)
				return vec3(v), err
			}),
			write(rt, setVelocity),
			bind.Tag(`range:"-200..200"`)),
		bind.Prop("aim", "Where weapon and eyes point.", read(rt, func(tx world.Tx, p *world.Player) aimFacts {
			f := tx.Frame(p)
			return aimOf(protocol.Degrees(f.AimYaw), float64(f.AimPitch)/100)
		}), nil),
		bind.Prop("interior", "The game's area code, 0 outside.", read(rt, world.Tx.Interior), write(rt, world.Tx.SetInterior)),
		bind.Prop("dimension", "Only who is in the same dimension is seen, heard and hurt.",
			read(rt, func(tx world.Tx, p *world.Player) int { return int(tx.Dimension(p)) }),
			write(rt, func(tx world.Tx, p *world.Player, v int) error { return tx.SetDimension(p, uint16(v)) }),
			bind.Tag(`range:"0..65534"`)),
		bind.CallProp("hidden", "Whether he is in nobody's scope, until the resource stops.", readHere(rt, world.Tx.Hidden),
			writeBy(rt, func(tx world.Tx, p *world.Player, v bool, by string) error { tx.SetHidden(p, v, by); return nil })),
		bind.CallProp("frozen", "Whether he can neither move nor fire, until the resource stops.", readHere(rt, world.Tx.Frozen),
			writeBy(rt, world.Tx.SetFrozen)),
		bind.CallProp("gravity", "The gravity on his client, 1 is the game's; until the resource stops.",
			readHere(rt, func(tx world.Tx, p *world.Player) float64 { return round(tx.Gravity(p)) }),
			writeBy(rt, func(tx world.Tx, p *world.Player, v float64, by string) error {
				return tx.SetGravity(p, float32(v), by)
			}), bind.Tag(`range:"-10..10"`)),
		bind.CallProp("world_bounds", "Where he may be, until the resource stops; nil is everywhere.",
			readHere(rt, func(tx world.Tx, p *world.Player) *worldBounds {
				b := tx.WorldBounds(p)
				if b == world.NoBounds {
					return nil
				}
				return &worldBounds{round(b.MinX), round(b.MinY), round(b.MaxX), round(b.MaxY)}
			}), writeBy(rt, setBounds)),
		bind.Prop("vehicle", "The vehicle that he sits in, or nil.", nothing, nil),
		bind.Prop("seat", "His seat in it, or nil.", func(*world.Player) *int { return nil }, nil),
		bind.Prop("carrier", "The vehicle or object that he stands on, or nil.", nothing, nil),
		bind.Method("teleport", "Moves or turns him: at least one of position, heading, interior and dimension is given.", rt.teleport, bind.Keyed(),
			bind.Example(`player:teleport{ position = vec3(1481, -1771, 18.8), heading = 180, camera_behind = true }`)),
		bind.Method("distance_to", "How far it is to a point or a thing, in m.", rt.distanceTo,
			bind.Returns("math.huge where it is in another dimension or not in the world."),
			bind.Example(`if player:distance_to(vec3(2495, -1687, 13)) < 50 then player:message("Home") end`)),
		bind.Method("viewers", "Lists who has him in scope.", func(_ *bind.Call, p *world.Player, _ bind.None) ([]*world.Player, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.Viewers(p), nil
		}),
		bind.Method("sees", "Whether he has another player in scope.", func(_ *bind.Call, p *world.Player, a otherArgs) (bool, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.Sees(p, a.Other), nil
		}),
	)
}

type otherArgs struct {
	Other *world.Player `lua:"other" doc:"The other player."`
}

type targetArgs struct {
	Target bind.Raw `lua:"target" doc:"A vec3, or the handle of something in the world."`
}

func (rt *Runtime) teleport(_ *bind.Call, p *world.Player, a teleportArgs) (bind.None, error) {
	t := world.Teleport{Interior: a.Interior, KeepVelocity: a.KeepVelocity, KeepVehicle: a.KeepVehicle,
		FindGround: a.FindGround, CameraBehind: a.CameraBehind}
	if a.Position != nil {
		at := wireVec3(*a.Position)
		t.Position = &at
	}
	if a.Heading != nil {
		to := heading(*a.Heading)
		t.Heading = &to
	}
	if a.Dimension != nil {
		to := uint16(*a.Dimension)
		t.Dimension = &to
	}
	return rt.with(func(tx world.Tx) error { return tx.Teleport(p, t) })
}

func (rt *Runtime) distanceTo(_ *bind.Call, p *world.Player, a targetArgs) (float64, error) {
	tx := rt.begin()
	defer tx.End()
	at, dimension, ok, err := whereabouts(tx, a.Target)
	if err != nil {
		return 0, err
	}
	if dimension == anyDimension {
		dimension = int(tx.Dimension(p))
	}
	if !ok || tx.State(p) == world.PreSpawn {
		return math.Inf(1), nil
	}
	d, err := tx.DistanceTo(p, at, uint16(dimension))
	return d, err
}

const anyDimension = world.AnyDimension

// whereabouts is where a vec3 or a handle is; not ok: not in the world.
func whereabouts(tx world.Tx, target bind.Raw) (at protocol.Vec3, dimension int, ok bool, err error) {
	plain, _ := target.Plain()
	switch t := plain.(type) {
	case bind.Vec3:
		return wireVec3(t), anyDimension, true, nil
	case *world.Player:
		at, err := tx.Position(t)
		return at, int(tx.Dimension(t)), err == nil, nil
	case *world.Fire:
		return t.Position, int(t.Dimension), true, nil
	}
	return at, 0, false, fmt.Errorf("argument 1 \"target\": a vec3 or the handle of something in the world expected, got %s", target.Describe())
}

func setVelocity(tx world.Tx, p *world.Player, v bind.Vec3) error {
	if speed := math.Sqrt(v.X*v.X + v.Y*v.Y + v.Z*v.Z); speed > protocol.MaxVelocity {
		return fmt.Errorf("at most %d m/s expected, got %.1f", protocol.MaxVelocity, speed)
	}
	return tx.SetVelocity(p, wireVec3(v))
}

func setBounds(tx world.Tx, p *world.Player, v *worldBounds, by string) error {
	if v == nil {
		return tx.SetWorldBounds(p, world.NoBounds, by)
	}
	switch {
	case v.MinX >= v.MaxX:
		return fmt.Errorf("min_x: below max_x, %g, expected, got %g", v.MaxX, v.MinX)
	case v.MinY >= v.MaxY:
		return fmt.Errorf("min_y: below max_y, %g, expected, got %g", v.MaxY, v.MinY)
	}
	return tx.SetWorldBounds(p, protocol.SetWorldBounds{MinX: float32(v.MinX), MinY: float32(v.MinY),
		MaxX: float32(v.MaxX), MaxY: float32(v.MaxY)}, by)
}

// aimOf makes a direction of two angles in degrees.
func aimOf(yaw, pitch float64) aimFacts {
	sinYaw, cosYaw := math.Sincos(yaw * math.Pi / 180)
	sinPitch, cosPitch := math.Sincos(pitch * math.Pi / 180)
	return aimFacts{math.Round(yaw*100) / 100, pitch, bind.Vec3{X: -sinYaw * cosPitch, Y: cosYaw * cosPitch, Z: sinPitch}}
}
