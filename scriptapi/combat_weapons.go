package scriptapi

import (
	"fmt"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

type giveWeaponArgs struct {
	Weapon  protocol.Weapon `lua:"weapon" doc:"What he gets, in the place of another one of its slot."`
	Ammo    int             `lua:"ammo" default:"1" range:"1..99999" doc:"Rounds, beside those that he has; melee and gear count as 1."`
	Options giveOptions     `lua:"options,optional" doc:"More."`
}

type giveOptions struct {
	Arm bool `lua:"arm,optional" doc:"He takes it in hand."`
}

type weaponArgs struct {
	Weapon protocol.Weapon `lua:"weapon" doc:"Which one."`
}

type ammoArgs struct {
	Weapon protocol.Weapon `lua:"weapon" doc:"One that he has."`
	Ammo   int             `lua:"ammo" range:"0..99999" doc:"Rounds in all."`
	Clip   *int            `lua:"clip" range:"0..65534" doc:"How many of them are in the magazine; as it is without it."`
}

// heldWeapon is a weapon of an inventory.
type heldWeapon struct {
	Name protocol.Weapon `lua:"name" doc:"Its name."`
	ID   int             `lua:"id" doc:"Its id."`
	Slot int             `lua:"slot" doc:"0..12."`
	Ammo int             `lua:"ammo" doc:"Rounds in all."`
}

// declarePlayerWeapons declares a player's inventory, which is the server's.
func (rt *Runtime) declarePlayerWeapons(h *bind.Handle[*world.Player]) {
	nothing := func(do func(tx world.Tx, p *world.Player) error) func(*bind.Call, *world.Player, bind.None) (bind.None, error) {
		return func(_ *bind.Call, p *world.Player, _ bind.None) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { return do(tx, p) })
		}
	}
	h.Add(
		bind.Prop("weapon", "What he has in hand. Set: one that he has.", read(rt, world.Tx.Weapon), write(rt, world.Tx.ArmWeapon)),
		bind.Prop("weapons", "All that he has, by slot. A copy.", read(rt, func(tx world.Tx, p *world.Player) []heldWeapon {
			held := tx.Weapons(p)
			list := make([]heldWeapon, len(held))
			for i, w := range held {
				list[i] = heldWeapon{w.Weapon, int(w.Weapon), w.Slot, w.Ammo}
			}
			return list
		}), nil),
		bind.Prop("ammo", "Rounds of the weapon in hand.",
			read(rt, func(tx world.Tx, p *world.Player) int { return tx.AmmoOf(p, tx.Weapon(p)) }), nil),
		bind.Prop("satchels", "How many living satchels he has.", read(rt, world.Tx.Satchels), nil),
		bind.Method("give_weapon", "Gives him a weapon, or ammunition for it.",
			func(_ *bind.Call, p *world.Player, a giveWeaponArgs) (bind.None, error) {
				return rt.with(func(tx world.Tx) error { return tx.GiveWeapon(p, a.Weapon, a.Ammo, a.Options.Arm) })
			}, bind.Example(`player:give_weapon("ak47", 120, { arm = true })`)),
		bind.Method("take_weapon", "Takes a weapon with its ammunition.", func(_ *bind.Call, p *world.Player, a weaponArgs) (bool, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.TakeWeapon(p, a.Weapon)
		}, bind.Returns("Whether he had it.")),
		bind.Method("clear_weapons", "Takes all weapons.", nothing(world.Tx.ClearWeapons)),
		bind.Method("has_weapon", "Whether he has a weapon.", func(_ *bind.Call, p *world.Player, a weaponArgs) (bool, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.HasWeapon(p, a.Weapon), nil
		}),
		bind.Method("ammo_of", "Tells his rounds for a weapon.", func(_ *bind.Call, p *world.Player, a weaponArgs) (int, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.AmmoOf(p, a.Weapon), nil
		}, bind.Returns("0 if he has it not.")),
		bind.Method("set_ammo", "Sets his rounds for a weapon that he has.",
			func(_ *bind.Call, p *world.Player, a ammoArgs) (bind.None, error) {
				clip := protocol.ClipLeave
				if a.Clip != nil {
					clip = *a.Clip
				}
				return rt.with(func(tx world.Tx) error { return tx.SetAmmo(p, a.Weapon, a.Ammo, clip) })
			}, bind.Example(`player:give_weapon("ak47")
player:set_ammo("ak47", 60, 30)`)),
		bind.Method("detonate_satchels", "Sets his satchels off.", nothing(world.Tx.DetonateSatchels)),
		bind.Method("destroy_satchels", "Lets his satchels vanish.",
			nothing(func(tx world.Tx, p *world.Player) error { tx.DestroySatchels(p); return nil })),
	)
}

// weaponFacts are a weapon's figures as the game has them.
type weaponFacts struct {
	ID       int     `lua:"id" doc:"Its id."`
	Name     string  `lua:"name" doc:"Its name."`
	Slot     int     `lua:"slot" doc:"0..12; a slot holds one weapon."`
	Kind     string  `lua:"kind" doc:"melee, bullet, thrown, rocket, spray or gear."`
	Clip     int     `lua:"clip" doc:"Rounds in a magazine, 0 none."`
	Range    float64 `lua:"range" doc:"In m."`
	Damage   float64 `lua:"damage" doc:"Points of a hit, or of each pellet."`
	Pellets  int     `lua:"pellets" doc:"Of one shot."`
	Interval int     `lua:"interval" doc:"Least ms between two shots or hits."`
}

func factsOfWeapon(w protocol.Weapon) weaponFacts {
	f, _ := w.Figures()
	return weaponFacts{int(w), f.Name, int(f.Slot), f.Kind.String(), int(f.Clip), round(f.Range), round(f.Hit), int(f.Pellets), int(f.Interval)}
}

type propertiesArgs struct {
	Weapon protocol.Weapon     `lua:"weapon" doc:"A gun or the flamethrower."`
	Skill  protocol.SkillLevel `lua:"skill" enum:"poor|standard|pro" default:"standard" doc:"In whose hands."`
}

// properties are a weapon's figures that can be changed; nil stays.
type properties struct {
	Range       *float64 `lua:"range" range:"1..1000" doc:"In m."`
	TargetRange *float64 `lua:"target_range" range:"0..1000" doc:"Lock-on, in m."`
	Accuracy    *float64 `lua:"accuracy" range:"0..10" doc:"1 is ordinary, more is better."`
	Damage      *float64 `lua:"damage" range:"0..1000" doc:"Points of a hit, or of each pellet."`
	MoveSpeed   *float64 `lua:"move_speed" range:"0..10" doc:"Factor while aiming."`
	Clip        *uint16  `lua:"clip" range:"1..10000" doc:"Rounds in a magazine."`
	Interval    *uint16  `lua:"interval" range:"10..10000" doc:"Ms between two shots."`
	Flags       *uint32  `lua:"flags" range:"0..4294967295" doc:"The game's weapon flags."`
}

type setPropertiesArgs struct {
	Weapon     protocol.Weapon      `lua:"weapon" doc:"A gun or the flamethrower."`
	Properties properties           `lua:"properties" doc:"What changes."`
	Skill      *protocol.SkillLevel `lua:"skill" enum:"poor|standard|pro" doc:"In whose hands; in everyone's without it."`
}

type resetArgs struct {
	Weapon *protocol.Weapon `lua:"weapon" doc:"Which one; all without it."`
}

// driveBy are intervals in ms by the weapon's name, or false.
type driveBy struct {
	Driver    map[string]bind.Raw `lua:"driver,optional" doc:"Weapon to ms between two shots, 10..10000, or false."`
	Passenger map[string]bind.Raw `lua:"passenger,optional" doc:"As driver."`
}

// driveByTable is what is allowed now.
type driveByTable struct {
	Driver    map[string]any `lua:"driver" doc:"Weapon to ms between two shots, or false."`
	Passenger map[string]any `lua:"passenger" doc:"As driver."`
}

// declareWeapons declares the weapons of mp.combat.
func (rt *Runtime) declareWeapons(m *bind.Module) {
	m.Add(
		bind.Func("weapons", "Lists all weapons as the game has them.", func(*bind.Call, bind.None) ([]weaponFacts, error) {
			list := make([]weaponFacts, len(weapons))
			for i, w := range weapons {
				list[i] = factsOfWeapon(w)
			}
			return list, nil
		}),
		bind.Func("weapon", "Tells one weapon's figures as the game has them.", func(_ *bind.Call, a weaponArgs) (weaponFacts, error) {
			return factsOfWeapon(a.Weapon), nil
		}, bind.Example(`print(mp.combat.weapon("ak47").clip)`)),
		bind.Func("properties", "Tells a weapon's figures as they are now.", func(_ *bind.Call, a propertiesArgs) (properties, error) {
			tx := rt.begin()
			defer tx.End()
			w, err := tx.Properties(a.Weapon, a.Skill)
			number := func(v float32) *float64 { n := round(v); return &n }
			return properties{number(w.Range), number(w.TargetRange), number(w.Accuracy), number(w.Damage), number(w.MoveSpeed),
				&w.Clip, &w.Interval, &w.Flags}, err
		}),
		bind.Func("set_properties", "Changes a weapon's figures; what is left out stays.", func(c *bind.Call, a setPropertiesArgs) (bind.None, error) {
			var levels []protocol.SkillLevel
			if a.Skill != nil {
				levels = append(levels, *a.Skill)
			}
			return rt.with(func(tx world.Tx) error {
				return tx.SetProperties(a.Weapon, a.Properties.change(), instanceOf(c).name(), levels...)
			})
		}, bind.Example(`mp.combat.set_properties("desert_eagle", { damage = 30, clip = 5 }, "pro")`)),
		bind.Func("reset_properties", "Gives weapons their own figures back, whoever changed them.", func(_ *bind.Call, a resetArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error {
				if a.Weapon == nil {
					return tx.ResetProperties()
				}
				return tx.ResetProperties(*a.Weapon)
			})
		}),
		bind.Func("set_drive_by", "Changes what may be fired from a vehicle, and how fast; what is left out stays.", rt.setDriveBy, bind.Keyed(),
			bind.Example(`mp.combat.set_drive_by{ driver = { micro_uzi = 100, mp5 = false } }`)),
		bind.Func("drive_by", "Tells what may be fired from a vehicle, and how fast.", func(*bind.Call, bind.None) (driveByTable, error) {
			tx := rt.begin()
			now := tx.DriveBy()
			tx.End()
			return driveByTable{intervals(now.Driver), intervals(now.Passenger)}, nil
		}),
	)
}

func (p *properties) change() world.PropertyChange {
	number := func(v *float64) *float32 {
		if v == nil {
			return nil
		}
		n := float32(*v)
		return &n
	}
	return world.PropertyChange{Range: number(p.Range), TargetRange: number(p.TargetRange), Accuracy: number(p.Accuracy),
		Damage: number(p.Damage), MoveSpeed: number(p.MoveSpeed), Clip: p.Clip, Interval: p.Interval, Flags: p.Flags}
}

func (rt *Runtime) setDriveBy(c *bind.Call, a driveBy) (bind.None, error) {
	var change world.DriveByChange
	var err error
	if change.Driver, err = readIntervals("driver", a.Driver); err != nil {
		return bind.None{}, err
	}
	if change.Passenger, err = readIntervals("passenger", a.Passenger); err != nil {
		return bind.None{}, err
	}
	return rt.with(func(tx world.Tx) error { return tx.SetDriveBy(change, instanceOf(c).name()) })
}

// readIntervals reads { micro_uzi = 100, mp5 = false }; false is 0.
func readIntervals(list string, table map[string]bind.Raw) (map[protocol.Weapon]uint16, error) {
	names := make([]string, len(protocol.DriveByWeapons))
	for i, w := range protocol.DriveByWeapons {
		names[i] = w.String()
	}
	read := make(map[protocol.Weapon]uint16, len(table))
	for name, raw := range table {
		i, err := indexOf(name, names)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", list, err)
		}
		v, _ := raw.Plain()
		n, isNumber := v.(float64)
		switch {
		case v == false:
		case !isNumber || n != float64(uint16(n)) || n < 10 || n > 10_000:
			return nil, fmt.Errorf("%s: %s: integer 10..10000 or false expected, got %s", list, name, raw.Describe())
		}
		read[protocol.DriveByWeapons[i]] = uint16(n)
	}
	return read, nil
}

// intervals are intervals as Lua sees them.
func intervals(ms [len(protocol.DriveByWeapons)]uint16) map[string]any {
	table := make(map[string]any, len(ms))
	for i, n := range ms {
		table[protocol.DriveByWeapons[i].String()] = false
		if n > 0 {
			table[protocol.DriveByWeapons[i].String()] = int(n)
		}
	}
	return table
}
