package scriptapi

import (
	"fmt"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

type explodeArgs struct {
	Position  bind.Vec3              `lua:"position" range:"-20000..20000" doc:"Where."`
	Type      protocol.ExplosionType `lua:"type" default:"grenade" doc:"How strong it is and what it looks like."`
	Creator   *world.Player          `lua:"creator,optional" doc:"Who is credited."`
	Dimension int                    `lua:"dimension" default:"0" range:"0..65534" doc:"In which dimension."`
	Harmless  bool                   `lua:"harmless,optional" doc:"It hurts and moves nothing."`
	Silent    bool                   `lua:"silent,optional" doc:"Nobody hears it."`
	Invisible bool                   `lua:"invisible,optional" doc:"Nobody sees it."`
	Shake     float64                `lua:"shake" default:"1" range:"0..2" doc:"How it shakes cameras; 1 is as its type does."`
}

type createFireArgs struct {
	Position  bind.Vec3     `lua:"position" range:"-20000..20000" doc:"Where; it burns where there is ground."`
	Size      float64       `lua:"size" default:"1.8" range:"0.1..10" doc:"1.8 is an ordinary one."`
	Duration  float64       `lua:"duration" default:"0" range:"0..4294967295" doc:"How long it burns, in ms; 0: until it is put out."`
	Spread    uint8         `lua:"spread" default:"0" range:"0..20" doc:"Generations that it may spread by."`
	Creator   *world.Player `lua:"creator,optional" doc:"Who is credited with what it costs."`
	Dimension int           `lua:"dimension" default:"0" range:"0..65534" doc:"In which dimension."`
}

type extinguishArgs struct {
	Position  bind.Vec3 `lua:"position" range:"-20000..20000" doc:"The middle of the area."`
	Radius    float64   `lua:"radius" range:"0..300" doc:"In m, above 0."`
	Dimension int       `lua:"dimension" default:"0" range:"0..65534" doc:"In which dimension."`
}

type projectilesArgs struct {
	Owner *world.Player `lua:"owner,optional" doc:"Whose; everyone's without it."`
}

// projectile is something thrown, or a living satchel.
type projectile struct {
	ID       int             `lua:"id" doc:"Its number; never repeats."`
	Owner    *world.Player   `lua:"owner,optional" doc:"Who threw it, or nil if he has left."`
	Weapon   protocol.Weapon `lua:"weapon" doc:"What it is."`
	Origin   bind.Vec3       `lua:"origin" doc:"Where it was thrown."`
	Velocity bind.Vec3       `lua:"velocity" doc:"How, in m/s."`
	Age      float64         `lua:"age" doc:"How long ago, in ms."`
}

// declareFires declares explosions, fires and projectiles.
func (rt *Runtime) declareFires(r *bind.Registry, m *bind.Module) {
	bind.NewHandle(r, bind.HandleSpec[*world.Fire]{
		Name: "Fire", Type: "fire", Doc: "A fire that a resource made; it ends with the resource.", Gone: "this fire is out", Data: true,
		Valid: (*world.Fire).Valid, String: func(f *world.Fire) string { return fmt.Sprint(f.ID) },
	}).Add(
		bind.Prop("id", "Its number; never repeats.", func(f *world.Fire) int { return int(f.ID) }, nil),
		bind.Prop("position", "Where it burns.", func(f *world.Fire) bind.Vec3 { return vec3(f.Position) }, nil),
		bind.Prop("size", "1.8 is an ordinary one.", func(f *world.Fire) float64 { return round(f.Size) }, nil),
		bind.Prop("creator", "Who is credited with what it costs, or nil.", func(f *world.Fire) *world.Player { return stillHere(f.Creator) }, nil, bind.OrNil()),
		bind.Prop("dimension", "In which dimension.", func(f *world.Fire) int { return int(f.Dimension) }, nil),
		bind.Prop("resource", "The resource that made it.", func(f *world.Fire) string { return f.Resource }, nil),
		bind.Method("extinguish", "Puts it out.", func(_ *bind.Call, f *world.Fire, _ bind.None) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { tx.Extinguish(f); return nil })
		}),
	)
	m.Add(
		bind.Func("explode", "Makes an explosion; it hurts at once unless it is harmless.", func(_ *bind.Call, a explodeArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error {
				return tx.Explode(world.Explosion{Position: wireVec3(a.Position), Type: a.Type, Creator: a.Creator, Dimension: uint16(a.Dimension),
					Harmless: a.Harmless, Silent: a.Silent, Invisible: a.Invisible, Shake: float32(a.Shake)})
			})
		}, bind.Keyed(), bind.Example(`mp.combat.explode{ position = vec3(2495, -1670, 13), type = "rocket", creator = player }`)),
		bind.Func("create_fire", "Makes a fire. There are at most 256 at once.", func(c *bind.Call, a createFireArgs) (*world.Fire, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.CreateFire(world.NewFire{Position: wireVec3(a.Position), Size: float32(a.Size), Duration: wholeMS(a.Duration),
				Spread: a.Spread, Creator: a.Creator, Dimension: uint16(a.Dimension)}, instanceOf(c).name())
		}, bind.Keyed(), bind.Example(`local fire = mp.combat.create_fire{ position = vec3(2495, -1670, 13), duration = 60000 }`)),
		bind.Func("fires", "Lists all fires that resources made.", func(*bind.Call, bind.None) ([]*world.Fire, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.Fires(), nil
		}),
		bind.Func("extinguish", "Puts out all fires of an area, those of the game too.", func(_ *bind.Call, a extinguishArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error {
				return tx.ExtinguishArea(wireVec3(a.Position), float32(a.Radius), uint16(a.Dimension))
			})
		}, bind.Keyed(), bind.Example(`mp.combat.extinguish{ position = vec3(2495, -1670, 13), radius = 20 }`)),
		bind.Func("projectiles", "Lists what was thrown in the last 30 s, and living satchels.", func(_ *bind.Call, a projectilesArgs) ([]projectile, error) {
			tx := rt.begin()
			defer tx.End()
			flying := tx.Projectiles(a.Owner)
			list := make([]projectile, len(flying))
			for i, p := range flying {
				list[i] = projectile{int(p.ID), stillHere(p.Owner), p.Weapon, vec3(p.Origin), vec3(p.Velocity), float64(p.Age.Milliseconds())}
			}
			return list, nil
		}),
	)
}

// stillHere is nil for who has left.
func stillHere(p *world.Player) *world.Player {
	if p == nil || !p.Valid() {
		return nil
	}
	return p
}
