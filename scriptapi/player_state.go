package scriptapi

import (
	"fmt"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources/nearest"
	"darqline/scriptapi/bind"
)

// declarePlayerState declares what a player is doing, and what scripts count of him.
func (rt *Runtime) declarePlayerState(h *bind.Handle[*world.Player]) {
	flag := func(name, doc string, f protocol.PlayerFlags) bind.HandleMember[*world.Player] {
		return bind.Prop(name, doc, read(rt, func(tx world.Tx, p *world.Player) bool { return tx.Frame(p).Flags&f != 0 }), nil)
	}
	h.Add(
		bind.Prop("state", "pre_auth, pre_spawn, alive or wasted.",
			read(rt, func(tx world.Tx, p *world.Player) string { return tx.State(p).String() }), nil),
		bind.Prop("arriving", "Whether he was spawned and has not been seen there yet.", read(rt, world.Tx.Arriving), nil),
		bind.Prop("keys", "The keys that are down, { fire = true }: fire, aim, jump, sprint, crouch, walk, enter_exit, action, look_left, look_right, look_behind. A copy.",
			read(rt, func(tx world.Tx, p *world.Player) map[string]bool { return wordSet(tx.Frame(p).Keys.Words()) }), nil),
		bind.Prop("flags", "What he is doing, { on_ground = true }: on_ground, ducked, in_water, under_water, climbing, parachute, aiming, reloading, akimbo_up, stealth_aim, choking, goggles, seated, burning, paused, typing. A copy.",
			read(rt, func(tx world.Tx, p *world.Player) map[string]bool { return wordSet(tx.Frame(p).Flags.Words()) }), nil),
		flag("paused", "Whether his menu is open or his window not active.", protocol.FlagPaused),
		flag("typing", "Whether he is typing.", protocol.FlagTyping),
		flag("ducked", "Whether he ducks.", protocol.FlagDucked),
		flag("swimming", "Whether he is in water.", protocol.FlagInWater),
		flag("aiming", "Whether he aims.", protocol.FlagAiming),
		bind.Prop("money", "What his HUD shows, in dollars.",
			read(rt, func(tx world.Tx, p *world.Player) int { return int(tx.Money(p)) }),
			write(rt, func(tx world.Tx, p *world.Player, v int) error { return tx.SetMoney(p, int32(v)) }),
			bind.Tag(`range:"-999999999..999999999"`)),
		bind.Prop("wanted", "The stars on his HUD.",
			read(rt, func(tx world.Tx, p *world.Player) int { return int(tx.Wanted(p)) }),
			write(rt, func(tx world.Tx, p *world.Player, v int) error { return tx.SetWanted(p, uint8(v)) }), bind.Tag(`range:"0..6"`)),
		bind.PropAs("skills", "How he handles weapons, 0..1000 each: player.skills.ak47 = 500. A table sets several at once; from 999 he is a pro.",
			func(p *world.Player) skillsOf { return skillsOf{p} },
			write(rt, func(tx world.Tx, p *world.Player, v map[string]int) error {
				skills := tx.Skills(p)
				if err := setNamed(skills[:], protocol.SkillNames[:], v); err != nil {
					return err
				}
				return tx.SetSkills(p, skills)
			}), bind.Tag(thousandths), bind.Example(`player.skills = { ak47 = 1000, m4 = 200 }`)),
		bind.PropAs("stats", "His body and skills, 0..1000 each: player.stats.muscle = 800. A table sets several at once.",
			func(p *world.Player) statsOf { return statsOf{p} },
			write(rt, func(tx world.Tx, p *world.Player, v map[string]int) error {
				stats := tx.Stats(p)
				if err := setNamed(stats[:], protocol.StatNames[:], v); err != nil {
					return err
				}
				return tx.SetStats(p, stats)
			}), bind.Tag(thousandths)),
	)
}

// skillsOf and statsOf are the handles behind player.skills and player.stats.
type (
	skillsOf struct{ p *world.Player }
	statsOf  struct{ p *world.Player }
)

const thousandths = `range:"0..1000"`

// declareFigures declares the handles of skills and stats: a property for each name.
func (rt *Runtime) declareFigures(r *bind.Registry) {
	skills := bind.NewHandle(r, bind.HandleSpec[skillsOf]{
		Name: "Skills", Type: "skills", Doc: "How a player handles weapons.", Gone: "this player has left", NoType: true,
		Valid: func(s skillsOf) bool { return s.p.Valid() }, String: func(s skillsOf) string { return s.p.String() },
	})
	for i, name := range protocol.SkillNames {
		skills.Add(bind.Prop(name, "", read(rt, func(tx world.Tx, s skillsOf) int { return int(tx.Skills(s.p)[i]) }),
			write(rt, func(tx world.Tx, s skillsOf, v int) error {
				all := tx.Skills(s.p)
				all[i] = uint16(v)
				return tx.SetSkills(s.p, all)
			}), bind.Tag(thousandths)))
	}
	stats := bind.NewHandle(r, bind.HandleSpec[statsOf]{
		Name: "Stats", Type: "stats", Doc: "A player's body and skills.", Gone: "this player has left", NoType: true,
		Valid: func(s statsOf) bool { return s.p.Valid() }, String: func(s statsOf) string { return s.p.String() },
	})
	for i, name := range protocol.StatNames {
		stats.Add(bind.Prop(name, "", read(rt, func(tx world.Tx, s statsOf) int { return int(tx.Stats(s.p)[i]) }),
			write(rt, func(tx world.Tx, s statsOf, v int) error {
				all := tx.Stats(s.p)
				all[i] = uint16(v)
				return tx.SetStats(s.p, all)
			}), bind.Tag(thousandths)))
	}
}

// setNamed sets those of a list that a table names.
func setNamed(list []uint16, names []string, values map[string]int) error {
	for name, v := range values {
		i, err := indexOf(name, names)
		if err != nil {
			return err
		}
		list[i] = uint16(v)
	}
	return nil
}

func indexOf(name string, names []string) (int, error) {
	for i, n := range names {
		if n == name {
			return i, nil
		}
	}
	return 0, unknown(name, names)
}

// unknown is a name that there is not, with the nearest one.
func unknown(name string, names []string) error {
	if near, ok := nearest.Name(name, names); ok {
		return fmt.Errorf("unknown %q, did you mean %q?", name, near)
	}
	return fmt.Errorf("unknown %q", name)
}
