package scriptapi

import (
	"fmt"

	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// declareNames declares what Lua calls by names: weapons, styles and so on.
func declareNames(r *bind.Registry) {
	bind.NewEnum(r, "Weapon", "weapon", weapons...)
	bind.NewEnum(r, "Cause", "cause", allNamed[protocol.Cause]()...)
	bind.NewEnum(r, "BodyPart", "body part", allNamed[protocol.BodyPart]()...)
	bind.NewEnum(r, "ExplosionType", "explosion type", allNamed[protocol.ExplosionType]()...)
	bind.NewEnum(r, "FightingStyle", "fighting style", allNamed[protocol.FightingStyle]()...)
	bind.NewEnum(r, "WalkingStyle", "walking style", allNamed[protocol.WalkingStyle]()...)
	bind.NewEnum(r, "SpecialAction", "special action", allNamed[protocol.SpecialAction]()...)
	bind.NewEnum(r, "Icon", "icon", allNamed[protocol.Icon]()...)
}

var weapons = allNamed[protocol.Weapon]()

// allNamed are the values of an enum that have a name.
func allNamed[E interface {
	~uint8
	fmt.Stringer
}]() []E {
	var all []E
	for v := range 256 {
		if found, ok := protocol.ByName[E](E(v).String()); ok && found == E(v) {
			all = append(all, E(v))
		}
	}
	return all
}
