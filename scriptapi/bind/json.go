package bind

import (
	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox/luajson"
)

// JSON makes vec2, vec3 and rgba objects in JSON, with their keys sorted as those of every object; a handle has no JSON. It is
// what luajson.Options.Userdata wants.
func JSON(u *lua.LUserData) (fields []luajson.Field, what string) {
	switch v := u.Value.(type) {
	case *Vec2:
		return []luajson.Field{{Name: "x", Value: v.X}, {Name: "y", Value: v.Y}}, ""
	case *Vec3:
		return []luajson.Field{{Name: "x", Value: v.X}, {Name: "y", Value: v.Y}, {Name: "z", Value: v.Z}}, ""
	case *RGBA:
		return []luajson.Field{
			{Name: "a", Value: float64(v.A)}, {Name: "b", Value: float64(v.B)}, {Name: "g", Value: float64(v.G)}, {Name: "r", Value: float64(v.R)},
		}, ""
	}
	return nil, describe(u)
}
