package scriptapi

import (
	"fmt"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

type spawnArgs struct {
	Position    *bind.Vec3 `lua:"position" range:"-20000..20000" doc:"Where; without it players.spawn of server.toml."`
	Heading     *float64   `lua:"heading" range:"0..360" doc:"Which way he looks."`
	Skin        *int       `lua:"skin" range:"0..312" doc:"As whom; without it the skin that he has."`
	Dimension   int        `lua:"dimension" default:"0" range:"0..65534" doc:"In which dimension."`
	Interior    uint8      `lua:"interior" default:"0" doc:"The game's area code, 0 outside."`
	Health      float64    `lua:"health" default:"100" range:"0..100" doc:"Above 0."`
	Armor       float64    `lua:"armor" default:"0" range:"0..100" doc:"Of a vest."`
	KeepWeapons bool       `lua:"keep_weapons,optional" doc:"He keeps the weapons of the life before."`
	Frozen      bool       `lua:"frozen,optional" doc:"He can neither move nor fire at first."`
	Fade        bool       `lua:"fade,optional" doc:"The screen fades in."`
}

type killArgs struct {
	Killer *world.Player  `lua:"killer,optional" doc:"Who did it."`
	Cause  protocol.Cause `lua:"cause" default:"script" doc:"How."`
}

// declarePlayerSpawn declares how a player comes into the world and goes.
func (rt *Runtime) declarePlayerSpawn(h *bind.Handle[*world.Player]) {
	h.Add(
		bind.Method("spawn", "Brings him into the world, for the first time or again, dead or not. His weapons are gone unless they are kept.", rt.spawnPlayer, bind.Keyed(),
			bind.Example(`player:spawn{ position = vec3(2495, -1687, 13.5), heading = 0, skin = 106, armor = 50 }`)),
		bind.Method("kill", "Kills him at once.", func(_ *bind.Call, p *world.Player, a killArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { return tx.Kill(p, a.Killer, a.Cause) })
		}, bind.Keyed(), bind.Example(`player:kill{ cause = "fall" }`)),
	)
}

func (rt *Runtime) spawnPlayer(c *bind.Call, p *world.Player, a spawnArgs) (bind.None, error) {
	return rt.with(func(tx world.Tx) error {
		s := tx.SpawnDefaults(p)
		if a.Position != nil {
			s.Position = wireVec3(*a.Position)
		}
		if a.Heading != nil {
			s.Heading = heading(*a.Heading)
		}
		if a.Skin != nil {
			if err := checkSkin(*a.Skin); err != nil {
				return fmt.Errorf("key \"skin\": %w", err)
			}
			s.Skin = uint16(*a.Skin)
		}
		if a.Health == 0 {
			return fmt.Errorf("key \"health\": above 0 expected, got 0")
		}
		s.Dimension, s.Interior = uint16(a.Dimension), a.Interior
		s.Health, s.Armor = float32(a.Health), float32(a.Armor)
		s.KeepWeapons, s.Frozen, s.Fade = a.KeepWeapons, a.Frozen, a.Fade
		return tx.Spawn(p, s, instanceOf(c).name())
	})
}

// checkSkin refuses what is no skin of the game.
func checkSkin(skin int) error {
	if skin < 0 || skin > protocol.LastSkin || !protocol.ValidSkin(uint16(skin)) {
		return fmt.Errorf("%d is no skin; mp.players.skins() lists them", skin)
	}
	return nil
}

// skins are the ids of all skins.
func skins() []int {
	var list []int
	for id := range protocol.LastSkin + 1 {
		if protocol.ValidSkin(uint16(id)) {
			list = append(list, id)
		}
	}
	return list
}
