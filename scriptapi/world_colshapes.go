package scriptapi

import (
	"fmt"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

type colshapeArgs struct {
	Shape     protocol.ColshapeKind `lua:"shape" enum:"sphere|cuboid|cylinder|rectangle|polygon" doc:"sphere: position and radius. cuboid: position, the centre, and size. cylinder: position, the centre of its floor, radius and height. rectangle, of any height: position and size. polygon: points, and floor and height if it has them."`
	Position  *bind.Vec3            `lua:"position" range:"-20000..20000" doc:"Where it is."`
	Radius    *float64              `lua:"radius" range:"0.01..20000" doc:"In m."`
	Size      any                   `lua:"size,optional" doc:"Width, depth and height in m: a vec3 for a cuboid, a vec2 for a rectangle."`
	Height    *float64              `lua:"height" range:"0..20000" doc:"In m. Of a polygon 0 is any height."`
	Heading   *float64              `lua:"heading" range:"0..360" doc:"Which way a cuboid or rectangle is turned: degrees, counter-clockwise from north."`
	Points    []bind.Vec2           `lua:"points,optional" doc:"The 3 to 64 corners of a polygon, in order."`
	Floor     *float64              `lua:"floor" range:"-20000..20000" doc:"The z of a polygon's floor, with a height."`
	Dimension int                   `lua:"dimension" range:"-1..65534" default:"0" doc:"Where it is; -1: in all."`
	Tracks    []string              `lua:"tracks,optional" enum:"player" doc:"Who is told: { \"player\" }."`
	Margin    float64               `lua:"margin" range:"0..10" default:"0.5" doc:"By how much one has to be outside to leave, in m: who stands on the border does not come and go."`
	Enabled   bool                  `lua:"enabled" default:"true" doc:"Whether anybody can be in it."`
	Color     *bind.RGBA            `lua:"color" doc:"Of its outline."`
}

type containsArgs struct {
	What any `lua:"what" doc:"A player or a vec3."`
}

type colshapeEventArgs struct {
	Colshape *world.Colshape `lua:"colshape" doc:"Where."`
	Entity   *world.Player   `lua:"entity" doc:"Who."`
}

type colshapeLeaveArgs struct {
	Colshape *world.Colshape `lua:"colshape" doc:"Where; the handle is valid, also of one that was destroyed."`
	Entity   *world.Player   `lua:"entity" doc:"Who."`
	Reason   string          `lua:"reason" doc:"moved, teleported, dimension, gone (he has left), or shape (it was moved, resized, disabled or destroyed)."`
}

type idArgs struct {
	ID uint32 `lua:"id" doc:"Its number."`
}

// colshapeParts are the properties that not every shape has.
type colshapePart uint8

const (
	partPosition colshapePart = 1 << iota
	partRadius
	partSize
	partHeight
	partHeading
	partPoints
	partFloor
)

var colshapeHas = [...]colshapePart{
	protocol.ColshapeSphere:    partPosition | partRadius,
	protocol.ColshapeCuboid:    partPosition | partSize | partHeading,
	protocol.ColshapeCylinder:  partPosition | partRadius | partHeight,
	protocol.ColshapeRectangle: partPosition | partSize | partHeading,
	protocol.ColshapePolygon:   partPoints | partFloor | partHeight,
}

type colshapeEvents struct {
	enter *bind.Event[colshapeEventArgs]
	leave *bind.Event[colshapeLeaveArgs]
}

func declareColshapeEvents(r *bind.Registry) *colshapeEvents {
	return &colshapeEvents{
		enter: bind.NewEvent[colshapeEventArgs](r, "colshape_enter", "Somebody has entered a colshape.", false),
		leave: bind.NewEvent[colshapeLeaveArgs](r, "colshape_leave", "Somebody has left a colshape: exactly once after each enter.", false),
	}
}

// dispatchColshape tells that somebody has entered or left an area.
func (rt *Runtime) dispatchColshape(e world.ColshapeEvent) {
	if e.Reason == "" {
		rt.fire(e.LuaName(), rt.events.colshape.enter.Args(colshapeEventArgs{e.Colshape, e.Player}), false)
		return
	}
	e.Colshape.Telling(func() {
		rt.fire(e.LuaName(), rt.events.colshape.leave.Args(colshapeLeaveArgs{e.Colshape, e.Player, string(e.Reason)}), false)
	})
}

func (rt *Runtime) declareColshapes(r *bind.Registry) {
	r.Module("mp.colshapes", "Areas that tell who enters and leaves them.").Add(
		bind.Func("create", "Makes a colshape. It goes when the resource stops.", rt.createColshape, bind.Keyed(), bind.Returns("The colshape."),
			bind.Example(`local desk = mp.colshapes.create{ shape = "sphere", position = vec3(1481, -1771, 18.8), radius = 2 }
mp.on("colshape_enter", function(shape, who)
  if shape == desk then who:message("Welcome") end
end)`)),
		bind.Func("get", "Finds a colshape by id.", func(_ *bind.Call, a idArgs) (*world.Colshape, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.Colshape(a.ID), nil
		}, bind.OrNil(), bind.Returns("The colshape, or nil.")),
		bind.Func("all", "Lists all colshapes, by id.", func(*bind.Call, bind.None) ([]*world.Colshape, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.Colshapes(), nil
		}),
		bind.Func("count", "Counts all colshapes.", func(*bind.Call, bind.None) (int, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.ColshapeCount(), nil
		}),
		bind.Func("near", "Lists the colshapes whose centre is near a point, nearest first.", func(_ *bind.Call, a nearArgs) ([]*world.Colshape, error) {
			dimension := world.AnyDimension
			if a.Options.Dimension != nil {
				dimension = *a.Options.Dimension
			}
			tx := rt.begin()
			defer tx.End()
			return tx.ColshapesNear(wireVec3(a.Position), a.Radius, dimension), nil
		}),
	)
	rt.declareColshape(bind.NewHandle(r, bind.HandleSpec[*world.Colshape]{
		Name: "Colshape", Type: "colshape", Doc: "An area. Only its own server knows of it.", Gone: "this colshape was destroyed", Data: true,
		Valid: (*world.Colshape).Valid, String: (*world.Colshape).String,
	}))
}

// shapeProp is a property of an area that can be set; part is 0 where all shapes have it.
func shapeProp[V, S any](rt *Runtime, name, doc, tag string, part colshapePart, get func(s *world.ColshapeSpec) V,
	set func(s *world.ColshapeSpec, v S) error) bind.HandleMember[*world.Colshape] {
	return bind.PropAs(name, doc, read(rt, func(tx world.Tx, c *world.Colshape) (v V) {
		s := tx.ColshapeSpec(c)
		if part != 0 && colshapeHas[s.Kind]&part == 0 {
			return v
		}
		return get(&s)
	}), write(rt, func(tx world.Tx, c *world.Colshape, v S) error {
		s := tx.ColshapeSpec(c)
		if part != 0 && colshapeHas[s.Kind]&part == 0 {
			return fmt.Errorf("a %s has no %s", s.Kind, name)
		}
		if err := set(&s, v); err != nil {
			return err
		}
		return tx.ChangeColshape(c, s)
	}), bind.Tag(tag))
}

func (rt *Runtime) declareColshape(h *bind.Handle[*world.Colshape]) {
	number := func(v float32) *float64 { n := round(v); return &n }
	h.Add(
		bind.Prop("id", "Its number.", func(c *world.Colshape) int { return int(c.ID) }, nil),
		bind.Prop("resource", "Whose it is.", read(rt, func(tx world.Tx, c *world.Colshape) string { return tx.ColshapeSpec(c).By }), nil),
		bind.Prop("shape", "sphere, cuboid, cylinder, rectangle or polygon.",
			read(rt, func(tx world.Tx, c *world.Colshape) string { return tx.ColshapeSpec(c).Kind.String() }), nil),
		shapeProp(rt, "position", "Where it is; a polygon has none.", coordinates, partPosition,
			func(s *world.ColshapeSpec) *bind.Vec3 { v := vec3(s.Position); return &v },
			func(s *world.ColshapeSpec, v bind.Vec3) error { setPosition(s, v); return nil }),
		shapeProp(rt, "radius", "Of a sphere or cylinder, in m.", `range:"0.01..20000"`, partRadius,
			func(s *world.ColshapeSpec) *float64 { return number(s.Size.X) },
			func(s *world.ColshapeSpec, v float64) error { s.Size.X = float32(v); return nil }),
		shapeProp(rt, "size", "Of a cuboid, a vec3, or a rectangle, a vec2, in m.", "", partSize, sizeOf, setSize),
		shapeProp(rt, "height", "Of a cylinder or polygon, in m; 0 of a polygon is any height.", `range:"0..20000"`, partHeight,
			func(s *world.ColshapeSpec) *float64 { return number(s.Size.Z) },
			func(s *world.ColshapeSpec, v float64) error { s.Size.Z = float32(v); return nil }),
		shapeProp(rt, "heading", "Of a cuboid or rectangle: degrees, counter-clockwise from north.", `range:"0..360"`, partHeading,
			func(s *world.ColshapeSpec) *float64 { return number(s.Heading) },
			func(s *world.ColshapeSpec, v float64) error { s.Heading = heading(v); return nil }),
		shapeProp(rt, "points", "The corners of a polygon, a list of vec2.", "", partPoints, pointsOf, setPoints),
		shapeProp(rt, "floor", "The z of a polygon's floor.", `range:"-20000..20000"`, partFloor,
			func(s *world.ColshapeSpec) *float64 { return number(s.Position.Z) },
			func(s *world.ColshapeSpec, v float64) error { s.Position.Z = float32(v); return nil }),
		shapeProp(rt, "dimension", "Where it is; -1: in all.", `range:"-1..65534"`, 0,
			func(s *world.ColshapeSpec) int { return s.Dimension },
			func(s *world.ColshapeSpec, v int) error { s.Dimension = v; return nil }),
		shapeProp(rt, "margin", "By how much one has to be outside to leave, in m.", `range:"0..10"`, 0,
			func(s *world.ColshapeSpec) float64 { return round(s.Margin) },
			func(s *world.ColshapeSpec, v float64) error { s.Margin = float32(v); return nil }),
		shapeProp(rt, "enabled", "Whether anybody can be in it.", "", 0,
			func(s *world.ColshapeSpec) bool { return !s.Disabled },
			func(s *world.ColshapeSpec, v bool) error { s.Disabled = !v; return nil }),
		shapeProp(rt, "color", "Of its outline; nil: the theme's.", "", 0,
			func(s *world.ColshapeSpec) *bind.RGBA { return color(s.Color) },
			func(s *world.ColshapeSpec, v *bind.RGBA) error { s.Color = wireColor(v); return nil }),
		bind.Prop("tracks", "Who is told: { \"player\" }.", func(*world.Colshape) []string { return []string{"player"} }, nil),
		bind.Prop("inside", "Who has entered and not left, a list by id.", read(rt, world.Tx.Inside), nil),
		bind.Method("contains", "Whether a player or a point is in it now, without its margin.", func(_ *bind.Call, c *world.Colshape, a containsArgs) (bool, error) {
			tx := rt.begin()
			defer tx.End()
			switch what := a.What.(type) {
			case *world.Player:
				return tx.ContainsPlayer(c, what), nil
			case bind.Vec3:
				return tx.Contains(c, wireVec3(what)), nil
			}
			return false, fmt.Errorf("argument 1 \"what\": a Player or a vec3 expected")
		}),
		bind.Method("destroy", "Destroys it. Who is in it leaves it, with the reason shape.", func(_ *bind.Call, c *world.Colshape, _ bind.None) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { tx.DestroyColshape(c); return nil })
		}),
	)
}

func (rt *Runtime) createColshape(c *bind.Call, a colshapeArgs) (*world.Colshape, error) {
	s, err := a.spec()
	if err != nil {
		return nil, err
	}
	s.By = instanceOf(c).name()
	tx := rt.begin()
	defer tx.End()
	return tx.CreateColshape(s)
}

// spec is the area as the world has it.
func (a *colshapeArgs) spec() (world.ColshapeSpec, error) {
	s := world.ColshapeSpec{Kind: a.Shape, Dimension: a.Dimension, Margin: float32(a.Margin), Disabled: !a.Enabled, Color: wireColor(a.Color)}
	for _, part := range []struct {
		name     string
		part     colshapePart
		given    bool
		optional bool
		take     func() error
	}{
		{"position", partPosition, a.Position != nil, false, func() error { setPosition(&s, *a.Position); return nil }},
		{"radius", partRadius, a.Radius != nil, false, func() error { s.Size.X = float32(*a.Radius); return nil }},
		{"size", partSize, a.Size != nil, false, func() error { return setSize(&s, a.Size) }},
		{"height", partHeight, a.Height != nil, a.Shape == protocol.ColshapePolygon, func() error { s.Size.Z = float32(*a.Height); return nil }},
		{"heading", partHeading, a.Heading != nil, true, func() error { s.Heading = heading(*a.Heading); return nil }},
		{"points", partPoints, a.Points != nil, false, func() error { return setPoints(&s, a.Points) }},
		{"floor", partFloor, a.Floor != nil, true, func() error { s.Position.Z = float32(*a.Floor); return nil }},
	} {
		has := colshapeHas[a.Shape]&part.part != 0
		switch {
		case part.given && !has:
			return s, fmt.Errorf("field %q: a %s has no %s", part.name, a.Shape, part.name)
		case has && !part.given && !part.optional:
			return s, fmt.Errorf("field %q: a %s needs it", part.name, a.Shape)
		case part.given:
			if err := part.take(); err != nil {
				return s, fmt.Errorf("field %q: %w", part.name, err)
			}
		}
	}
	return s, nil
}

func setPosition(s *world.ColshapeSpec, v bind.Vec3) {
	s.Position = wireVec3(v)
	if s.Kind == protocol.ColshapeRectangle { // of any height
		s.Position.Z = 0
	}
}

func sizeOf(s *world.ColshapeSpec) any {
	if s.Kind == protocol.ColshapeRectangle {
		return bind.Vec2{X: round(s.Size.X), Y: round(s.Size.Y)}
	}
	return vec3(s.Size)
}

func setSize(s *world.ColshapeSpec, v any) error {
	switch v := v.(type) {
	case bind.Vec3:
		if s.Kind == protocol.ColshapeCuboid {
			s.Size = wireVec3(v)
			return nil
		}
		return fmt.Errorf("a vec2 expected, got %v", v)
	case bind.Vec2:
		if s.Kind == protocol.ColshapeRectangle {
			s.Size = protocol.Vec3{X: float32(v.X), Y: float32(v.Y)}
			return nil
		}
		return fmt.Errorf("a vec3 expected, got %v", v)
	}
	return fmt.Errorf("a vec3 of a cuboid or a vec2 of a rectangle expected, got %v", v)
}

func pointsOf(s *world.ColshapeSpec) *[]bind.Vec2 {
	list := make([]bind.Vec2, len(s.Points))
	for i, p := range s.Points {
		list[i] = bind.Vec2{X: round(p.X), Y: round(p.Y)}
	}
	return &list
}

func setPoints(s *world.ColshapeSpec, list []bind.Vec2) error {
	if len(list) < protocol.MinPoints || len(list) > protocol.MaxPoints {
		return fmt.Errorf("%d..%d points expected, got %d", protocol.MinPoints, protocol.MaxPoints, len(list))
	}
	s.Points = make([]protocol.Point, len(list))
	for i, p := range list {
		s.Points[i] = protocol.Point{X: float32(p.X), Y: float32(p.Y)}
	}
	return nil
}
