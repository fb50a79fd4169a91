package scriptapi

import (
	"fmt"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

type pointsArgs struct {
	Amount float64 `lua:"amount" range:"0..100" doc:"Points, above 0."`
}

type damageArgs struct {
	Amount      float64           `lua:"amount" range:"0..1000" doc:"Points; multipliers do not change them."`
	Attacker    *world.Player     `lua:"attacker,optional" doc:"Who did it."`
	Cause       protocol.Cause    `lua:"cause" default:"script" doc:"How."`
	BodyPart    protocol.BodyPart `lua:"body_part" default:"torso" doc:"Where."`
	IgnoreArmor bool              `lua:"ignore_armor,optional" doc:"It all comes from health."`
}

// lastDamage is what last hurt a player.
type lastDamage struct {
	Attacker *world.Player  `lua:"attacker,optional" doc:"Who did it, or nil."`
	Cause    protocol.Cause `lua:"cause" doc:"How."`
	Amount   float64        `lua:"amount" doc:"Points."`
	Time     float64        `lua:"time" doc:"When, in ms since the start of the server."`
}

// declarePlayerCombat declares health, armor and what hurts.
func (rt *Runtime) declarePlayerCombat(h *bind.Handle[*world.Player]) {
	points := bind.Tag(`range:"0..100"`)
	h.Add(
		bind.Prop("health", "In points; 0 before the first spawn and in death. Set: 0 kills him; the dead come back by player:spawn.",
			read(rt, func(tx world.Tx, p *world.Player) float64 { return round(tx.Health(p)) }),
			write(rt, func(tx world.Tx, p *world.Player, v float64) error { return tx.SetHealth(p, float32(v)) }), points),
		bind.Prop("armor", "In points.",
			read(rt, func(tx world.Tx, p *world.Player) float64 { return round(tx.Armor(p)) }),
			write(rt, func(tx world.Tx, p *world.Player, v float64) error { return tx.SetArmor(p, float32(v)) }), points),
		bind.Prop("invulnerable", "Whether nothing hurts him, over his respawns too.", read(rt, world.Tx.Invulnerable),
			write(rt, func(tx world.Tx, p *world.Player, v bool) error { tx.SetInvulnerable(p, v); return nil })),
		bind.Prop("last_damage", "What last hurt him since his spawn, or nil.", read(rt, func(tx world.Tx, p *world.Player) *lastDamage {
			d, ok := tx.LastDamage(p)
			if !ok {
				return nil
			}
			return &lastDamage{stillHere(d.Attacker), d.Cause, round(d.Amount), float64(d.At.Milliseconds())}
		}), nil),
		bind.Method("give_health", "Heals him, up to 100, with the pickup's effect.", rt.give(world.Tx.GiveHealth), bind.Returns("What was added.")),
		bind.Method("give_armor", "Gives him armor, up to 100, with the pickup's effect.", rt.give(world.Tx.GiveArmor), bind.Returns("What was added.")),
		bind.Method("damage", "Hurts him: player_damage may still cancel or change it.",
			func(_ *bind.Call, p *world.Player, a damageArgs) (bind.None, error) {
				return rt.with(func(tx world.Tx) error {
					return tx.Damage(p, world.Blow{Attacker: a.Attacker, Cause: a.Cause, BodyPart: a.BodyPart, Amount: float32(a.Amount), IgnoreArmor: a.IgnoreArmor})
				})
			}, bind.Keyed(), bind.Example(`victim:damage{ amount = 25, attacker = player, cause = "knife" }`)),
		bind.Method("set_damage_multipliers", "Changes how much of each kind of damage, and on each body part, he takes, beside the server's own multipliers; what is left out stays.",
			func(c *bind.Call, p *world.Player, a multipliers) (bind.None, error) {
				return rt.with(func(tx world.Tx) error { return tx.SetPlayerMultipliers(p, a.changes(), instanceOf(c).name()) })
			}, bind.Keyed(), bind.Example(`player:set_damage_multipliers{ fall = 0, head = 2 }`)),
		bind.Method("damage_multipliers", "Tells his own multipliers.", func(_ *bind.Call, p *world.Player, _ bind.None) (map[string]float64, error) {
			tx := rt.begin()
			defer tx.End()
			return multiplierTable(tx.PlayerMultipliers(p)), nil
		}, bind.Returns("By class and body part, 1 by default.")),
	)
}

// give is give_health or give_armor.
func (rt *Runtime) give(give func(tx world.Tx, p *world.Player, amount float32) (float32, error)) func(*bind.Call, *world.Player, pointsArgs) (float64, error) {
	return func(_ *bind.Call, p *world.Player, a pointsArgs) (float64, error) {
		if a.Amount == 0 {
			return 0, fmt.Errorf("argument 1 \"amount\": above 0 expected, got 0")
		}
		tx := rt.begin()
		defer tx.End()
		added, err := give(tx, p, float32(a.Amount))
		return round(added), err
	}
}

// multipliers are changes of damage multipliers; nil stays.
type multipliers struct {
	Melee     *float64 `lua:"melee" range:"0..100" doc:"Blows and blades."`
	Bullet    *float64 `lua:"bullet" range:"0..100" doc:"Bullets."`
	Explosion *float64 `lua:"explosion" range:"0..100" doc:"Explosions."`
	Fire      *float64 `lua:"fire" range:"0..100" doc:"Burning."`
	Gas       *float64 `lua:"gas" range:"0..100" doc:"Tear gas."`
	Vehicle   *float64 `lua:"vehicle" range:"0..100" doc:"Being hit or run over."`
	Fall      *float64 `lua:"fall" range:"0..100" doc:"Falls."`
	Drowning  *float64 `lua:"drowning" range:"0..100" doc:"Water."`
	Torso     *float64 `lua:"torso" range:"0..100" doc:"A hit there, by others' weapons, as the following."`
	Groin     *float64 `lua:"groin" range:"0..100" doc:"A hit there."`
	LeftArm   *float64 `lua:"left_arm" range:"0..100" doc:"A hit there."`
	RightArm  *float64 `lua:"right_arm" range:"0..100" doc:"A hit there."`
	LeftLeg   *float64 `lua:"left_leg" range:"0..100" doc:"A hit there."`
	RightLeg  *float64 `lua:"right_leg" range:"0..100" doc:"A hit there."`
	Head      *float64 `lua:"head" range:"0..100" doc:"A hit there."`
}

func (m *multipliers) changes() world.Multipliers {
	change := world.Multipliers{Classes: make(map[protocol.DamageClass]float32), Parts: make(map[protocol.BodyPart]float32)}
	for i, v := range []*float64{m.Melee, m.Bullet, m.Explosion, m.Fire, m.Gas, m.Vehicle, m.Fall, m.Drowning} {
		if v != nil {
			change.Classes[protocol.DamageClass(i)] = float32(*v)
		}
	}
	for i, v := range []*float64{m.Torso, m.Groin, m.LeftArm, m.RightArm, m.LeftLeg, m.RightLeg, m.Head} {
		if v != nil {
			change.Parts[protocol.PartTorso+protocol.BodyPart(i)] = float32(*v)
		}
	}
	return change
}

// multiplierTable is all multipliers by name.
func multiplierTable(m protocol.DamageMultipliers) map[string]float64 {
	table := make(map[string]float64, len(m.Classes)+len(m.Parts))
	for i, v := range m.Classes {
		table[protocol.DamageClass(i).String()] = round(v)
	}
	for i, v := range m.Parts {
		table[(protocol.PartTorso + protocol.BodyPart(i)).String()] = round(v)
	}
	return table
}

// declareCombat declares mp.combat.
func (rt *Runtime) declareCombat(r *bind.Registry) {
	m := r.Module("mp.combat", "Weapons, damage, explosions and fire. What a resource changes here goes back when it stops.").Add(
		bind.Func("set_damage_multipliers", "Changes how much of each kind of damage, and on each body part, everyone takes; what is left out stays.",
			func(c *bind.Call, a multipliers) (bind.None, error) {
				return rt.with(func(tx world.Tx) error { return tx.SetMultipliers(a.changes(), instanceOf(c).name()) })
			}, bind.Keyed(), bind.Example(`mp.combat.set_damage_multipliers{ head = 2, fall = 0.5 }`)),
		bind.Func("damage_multipliers", "Tells the server's multipliers.", func(*bind.Call, bind.None) (map[string]float64, error) {
			tx := rt.begin()
			defer tx.End()
			return multiplierTable(tx.Multipliers()), nil
		}, bind.Returns("By class and body part, 1 by default.")),
	)
	rt.declareWeapons(m)
	rt.declareFires(r, m)
}
