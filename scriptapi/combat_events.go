package scriptapi

import (
	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// combatEvents are the declarations of what happens in combat (page Combat).
type combatEvents struct {
	damage       *bind.Event[damageEventArgs]
	damaged      *bind.Event[damagedArgs]
	shoot        *bind.Event[shootArgs]
	projectile   *bind.Event[projectileArgs]
	satchels     *bind.Event[satchelsArgs]
	stealthKill  *bind.Event[stealthKillArgs]
	weaponChange *bind.Event[weaponChangeArgs]
	ammoEmpty    *bind.Event[ammoEmptyArgs]
	fireEnd      *bind.Event[fireEndArgs]
}

// comingDamage is a loss that handlers of player_damage see, and whose amount they may change.
type comingDamage struct {
	victim *world.Player
	d      *world.Damage
}

type damageEventArgs struct {
	Victim *world.Player `lua:"victim" doc:"Who is hurt."`
	Damage *comingDamage `lua:"damage" doc:"What hurts him; a handler may set its amount, and the next one sees that."`
}

type damagedArgs struct {
	Victim *world.Player `lua:"victim" doc:"Who was hurt."`
	Damage damageFacts   `lua:"damage" doc:"What has hurt him."`
}

// damageFacts is a loss that has happened.
type damageFacts struct {
	Attacker   *world.Player     `lua:"attacker,optional" doc:"Who did it, or nil."`
	Cause      protocol.Cause    `lua:"cause" doc:"How."`
	Class      string            `lua:"class" doc:"melee, bullet, explosion, fire, gas, vehicle, fall, drowning or none."`
	BodyPart   protocol.BodyPart `lua:"body_part" doc:"Where."`
	Weapon     *protocol.Weapon  `lua:"weapon" doc:"Where the cause is one."`
	Amount     float64           `lua:"amount" doc:"Points."`
	Pellets    int               `lua:"pellets" doc:"Of a gun's shot, how many hit."`
	Source     any               `lua:"source,optional" doc:"A vehicle, a Fire, or a projectile's id."`
	Distance   float64           `lua:"distance" doc:"From the attacker or the explosion, in m."`
	Lethal     bool              `lua:"lethal" doc:"Whether it killed."`
	HealthLost float64           `lua:"health_lost" doc:"Points of health."`
	ArmorLost  float64           `lua:"armor_lost" doc:"Points of armor."`
}

type shootArgs struct {
	Player *world.Player `lua:"player" doc:"Who fired."`
	Shot   shotFacts     `lua:"shot" doc:"What his client says of it."`
}

type shotFacts struct {
	Weapon protocol.Weapon `lua:"weapon" doc:"With what."`
	Hit    any             `lua:"hit,optional" doc:"A Player, a vehicle or an object, \"ground\" (also a building), or nil."`
	Origin bind.Vec3       `lua:"origin" doc:"The muzzle."`
	Target bind.Vec3       `lua:"target" doc:"Where the bullet went."`
}

type projectileArgs struct {
	Player     *world.Player `lua:"player" doc:"Who threw it."`
	Projectile thrownFacts   `lua:"projectile" doc:"What he threw."`
}

type thrownFacts struct {
	ID       int             `lua:"id" doc:"Its number; never repeats."`
	Weapon   protocol.Weapon `lua:"weapon" doc:"What it is."`
	Origin   bind.Vec3       `lua:"origin" doc:"Where it was thrown."`
	Velocity bind.Vec3       `lua:"velocity" doc:"How, in m/s."`
	Target   any             `lua:"target,optional" doc:"What a heat seeker follows, or nil."`
}

type satchelsArgs struct {
	Player    *world.Player `lua:"player" doc:"Whose satchels go off."`
	Positions []bind.Vec3   `lua:"positions" doc:"Where they lie."`
}

type stealthKillArgs struct {
	Attacker *world.Player `lua:"attacker" doc:"Who holds the knife."`
	Victim   *world.Player `lua:"victim" doc:"At whose throat it is."`
}

type weaponChangeArgs struct {
	Player *world.Player   `lua:"player" doc:"Who it is about."`
	Old    protocol.Weapon `lua:"old" doc:"What he had in hand."`
	New    protocol.Weapon `lua:"new" doc:"What he has in hand."`
}

type ammoEmptyArgs struct {
	Player *world.Player   `lua:"player" doc:"Who has fired his last round."`
	Weapon protocol.Weapon `lua:"weapon" doc:"Of what."`
}

type fireEndArgs struct {
	Fire   *world.Fire `lua:"fire" doc:"What has ended; the handle is valid until the handlers end."`
	Reason string      `lua:"reason" doc:"duration or script."`
}

// declareDamage declares the handle that handlers of player_damage get.
func (rt *Runtime) declareDamage(r *bind.Registry) {
	bind.NewHandle(r, bind.HandleSpec[*comingDamage]{
		Name: "Damage", Type: "damage", Doc: "A loss that has not happened yet.", NoType: true, Gone: "this damage is decided already",
	}).Add(
		bind.Prop("amount", "Points, after multipliers.", func(d *comingDamage) float64 { return round(d.d.Amount) },
			func(d *comingDamage, v float64) error { d.d.Amount = float32(v); return nil }, bind.Tag(`range:"0..1000"`)),
		bind.Prop("attacker", "Who did it, or nil.", func(d *comingDamage) *world.Player { return stillHere(d.d.Attacker) }, nil, bind.OrNil()),
		bind.Prop("cause", "How.", func(d *comingDamage) protocol.Cause { return d.d.Cause }, nil),
		bind.Prop("class", "melee, bullet, explosion, fire, gas, vehicle, fall, drowning or none.", func(d *comingDamage) string { return d.d.Class().String() }, nil),
		bind.Prop("body_part", "Where.", func(d *comingDamage) protocol.BodyPart { return d.d.BodyPart }, nil),
		bind.Prop("weapon", "Where the cause is one, or nil.", func(d *comingDamage) *protocol.Weapon { return weaponOf(d.d.Weapon()) }, nil),
		bind.Prop("pellets", "Of a gun's shot, how many hit.", func(d *comingDamage) int { return int(d.d.Pellets) }, nil),
		bind.Prop("source", "A vehicle, a Fire, or a projectile's id, or nil.", read(rt, func(tx world.Tx, d *comingDamage) any { return sourceOf(tx, d.d.Source) }), nil),
		bind.Prop("distance", "From the attacker or the explosion, in m.", func(d *comingDamage) float64 { return round(d.d.Distance) }, nil),
		bind.Prop("lethal", "Whether it would kill now.", read(rt, func(tx world.Tx, d *comingDamage) bool { return tx.Lethal(d.victim, d.d) }), nil),
	)
}

func weaponOf(w protocol.Weapon, ok bool) *protocol.Weapon {
	if !ok {
		return nil
	}
	return &w
}

// sourceOf is what a Ref of damage names, as Lua sees it.
func sourceOf(tx world.Tx, ref protocol.Ref) any {
	switch ref.Kind {
	case protocol.RefProjectile:
		return int(ref.ID)
	case protocol.RefFire:
		for _, f := range tx.Fires() {
			if f.ID == ref.ID {
				return f
			}
		}
	}
	return nil
}

func declareCombatEvents(r *bind.Registry) *combatEvents {
	return &combatEvents{
		damage: bind.NewEvent[damageEventArgs](r, "player_damage",
			"A player is about to lose health or armor. The handler may change the amount; false keeps all of it from him. A handler that waits first has let it pass.", true),
		damaged: bind.NewEvent[damagedArgs](r, "player_damaged", "A player has lost health or armor.", false),
		shoot:   bind.NewEvent[shootArgs](r, "player_shoot", "A player fired a gun; false keeps the others from seeing it. The round is spent.", true),
		projectile: bind.NewEvent[projectileArgs](r, "projectile_create",
			"A player threw or launched something; false keeps it from the others.", true),
		satchels: bind.NewEvent[satchelsArgs](r, "satchels_detonate",
			"A player sets off his satchels; false keeps the explosions from everyone else.", true),
		stealthKill:  bind.NewEvent[stealthKillArgs](r, "player_stealth_kill", "A player is about to cut another's throat.", true),
		weaponChange: bind.NewEvent[weaponChangeArgs](r, "player_weapon_change", "A player has another weapon in hand.", false),
		ammoEmpty:    bind.NewEvent[ammoEmptyArgs](r, "player_ammo_empty", "A player has fired the last round of a weapon.", false),
		fireEnd:      bind.NewEvent[fireEndArgs](r, "fire_end", "A fire of mp.combat.create_fire has ended.", false),
	}
}

// dispatchCombat runs the handlers of an event of page Combat.
func (rt *Runtime) dispatchCombat(e world.Event) (cancelled bool) {
	on := rt.events.combat
	switch e := e.(type) {
	case world.PlayerDamage:
		d := &comingDamage{e.Victim, e.Damage}
		cancelled = raise(rt, on.damage, damageEventArgs{e.Victim, d})
		rt.drop(d)
		return cancelled
	case world.PlayerDamaged:
		raise(rt, on.damaged, damagedArgs{e.Victim, rt.factsOfDamage(&e.Damage)})
	case world.PlayerShoot:
		return raise(rt, on.shoot, shootArgs{e.Player, shotFacts{e.Weapon, hitOf(e), vec3(e.Origin), vec3(e.Target)}})
	case world.ProjectileThrown:
		facts := thrownFacts{ID: int(e.ID), Weapon: e.Weapon, Origin: vec3(e.Origin), Velocity: vec3(e.Velocity)}
		if p := rt.playerOf(e.Target.Kind, e.Target.ID); p != nil {
			facts.Target = p
		}
		return raise(rt, on.projectile, projectileArgs{e.Player, facts})
	case world.SatchelsDetonate:
		positions := make([]bind.Vec3, len(e.Positions))
		for i, at := range e.Positions {
			positions[i] = vec3(at)
		}
		return raise(rt, on.satchels, satchelsArgs{e.Player, positions})
	case world.PlayerStealthKill:
		return raise(rt, on.stealthKill, stealthKillArgs{e.Attacker, e.Victim})
	case world.PlayerWeaponChange:
		raise(rt, on.weaponChange, weaponChangeArgs{e.Player, e.Old, e.New})
	case world.PlayerAmmoEmpty:
		raise(rt, on.ammoEmpty, ammoEmptyArgs{e.Player, e.Weapon})
	case world.FireEnd:
		raise(rt, on.fireEnd, fireEndArgs{e.Fire, string(e.Reason)})
	}
	return false
}

// drop makes a thing's handles stale in every state.
func (rt *Runtime) drop(thing any) {
	for _, in := range rt.instances {
		in.env.Drop(thing)
	}
}

func (rt *Runtime) factsOfDamage(d *world.Damage) damageFacts {
	tx := rt.begin()
	defer tx.End()
	return damageFacts{stillHere(d.Attacker), d.Cause, d.Class().String(), d.BodyPart, weaponOf(d.Weapon()), round(d.Amount),
		int(d.Pellets), sourceOf(tx, d.Source), round(d.Distance), d.Lethal, round(d.HealthLost), round(d.ArmorLost)}
}

// hitOf is what a shot has hit, as Lua sees it.
func hitOf(e world.PlayerShoot) any {
	switch {
	case e.Struck != nil:
		return e.Struck
	case e.Hit.Kind == protocol.RefGround:
		return protocol.RefGround.String()
	}
	return nil
}

// playerOf is the player whom a Ref names, or nil.
func (rt *Runtime) playerOf(kind protocol.RefKind, token uint32) *world.Player {
	if kind != protocol.RefPlayer {
		return nil
	}
	tx := rt.begin()
	defer tx.End()
	for _, p := range tx.Players() {
		if p.Token == token {
			return p
		}
	}
	return nil
}
