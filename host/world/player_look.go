package world

import (
	"errors"
	"fmt"
	"math"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// fullSkill is what a player has of every weapon skill until a script says otherwise.
const fullSkill = 1000

// look is a player's appearance and figures as scripts set them. It outlives a respawn.
type look struct {
	fighting protocol.FightingStyle
	walking  protocol.WalkingStyle
	headless bool
	skills   [protocol.SkillCount]uint16
	stats    [protocol.StatCount]uint16
	money    int32
	wanted   uint8
	drunk    drunk
	fire     fire
	action   protocol.SpecialAction // that runs
	shown    bool                   // his frames have shown the action
	asked    awaited                // the SetSpecialAction
}

// drunk is a level that sinks evenly to 0.
type drunk struct {
	level uint8
	from  time.Duration
	lasts time.Duration // 0: until changed
}

// fire is who burns, and by whom.
type fire struct {
	on    bool
	since time.Duration
	by    *Player // to be credited; nil: nobody
}

// Skin is the player's skin.
func (tx Tx) Skin(p *Player) uint16 { return p.skin }

// SetSkin changes it to one of protocol.ValidSkin.
func (tx Tx) SetSkin(p *Player, skin uint16) error {
	if !protocol.ValidSkin(skin) {
		return fmt.Errorf("%d is no skin of the game", skin)
	}
	return keep(tx.present(p, &protocol.SetSkin{PlayerID: p.ID, PlayerToken: p.Token, Skin: skin}), &p.skin, skin)
}

// FightingStyle is how the player fights without a weapon.
func (tx Tx) FightingStyle(p *Player) protocol.FightingStyle { return p.look.fighting }

// SetFightingStyle changes it.
func (tx Tx) SetFightingStyle(p *Player, style protocol.FightingStyle) error {
	m := &protocol.SetFightingStyle{PlayerID: p.ID, PlayerToken: p.Token, Style: style}
	return keep(tx.present(p, m), &p.look.fighting, style)
}

// WalkingStyle is how the player walks; 0 is as his skin does.
func (tx Tx) WalkingStyle(p *Player) protocol.WalkingStyle { return p.look.walking }

// SetWalkingStyle changes it.
func (tx Tx) SetWalkingStyle(p *Player, style protocol.WalkingStyle) error {
	m := &protocol.SetWalkingStyle{PlayerID: p.ID, PlayerToken: p.Token, Style: style}
	return keep(tx.present(p, m), &p.look.walking, style)
}

// Headless says whether the player is shown without a head.
func (tx Tx) Headless(p *Player) bool { return p.look.headless }

// SetHeadless changes it.
func (tx Tx) SetHeadless(p *Player, headless bool) error {
	m := &protocol.SetHeadless{PlayerID: p.ID, PlayerToken: p.Token, Headless: headless}
	return keep(tx.present(p, m), &p.look.headless, headless)
}

// Skills are the weapon skills, by protocol.SkillNames.
func (tx Tx) Skills(p *Player) [protocol.SkillCount]uint16 { return p.look.skills }

// SetSkills sets them all, each 0..1,000.
func (tx Tx) SetSkills(p *Player, skills [protocol.SkillCount]uint16) error {
	m := &protocol.PlayerSkills{PlayerID: p.ID, PlayerToken: p.Token, Skills: skills}
	return keep(tx.present(p, m), &p.look.skills, skills)
}

// Stats are the body and skill stats, by protocol.StatNames.
func (tx Tx) Stats(p *Player) [protocol.StatCount]uint16 { return p.look.stats }

// SetStats sets them all, each 0..1,000.
func (tx Tx) SetStats(p *Player, stats [protocol.StatCount]uint16) error {
	m := &protocol.SetPlayerStats{PlayerID: p.ID, PlayerToken: p.Token, Stats: stats}
	return keep(tx.present(p, m), &p.look.stats, stats)
}

// Money is what the player's HUD shows.
func (tx Tx) Money(p *Player) int32 { return p.look.money }

// SetMoney sets it, within protocol.MaxMoney in both directions.
func (tx Tx) SetMoney(p *Player, money int32) error {
	return keep(tx.instruct(p, &protocol.SetMoney{Money: money}), &p.look.money, money)
}

// Wanted is the number of stars on the player's HUD.
func (tx Tx) Wanted(p *Player) uint8 { return p.look.wanted }

// SetWanted sets it, 0..6.
func (tx Tx) SetWanted(p *Player, level uint8) error {
	return keep(tx.instructState(p, &protocol.SetWanted{Level: level}), &p.look.wanted, level)
}

// keep stores what was set, unless its packet was refused.
func keep[T any](refused error, in *T, value T) error {
	if refused == nil {
		*in = value
	}
	return refused
}

// instructState is instruct for state: a droppable packet that the lane refuses is sent, as the state is then, once it
// has room.
func (tx Tx) instructState(p *Player, m protocol.Packet) error {
	key := about{p.Token, uint32(m.ID())}
	err := tx.instruct(p, m)
	switch {
	case errors.Is(err, pacer.ErrRefused):
		p.link.Pace(pacer.Thing{Key: key, Class: pacer.Players, Renew: true, Packets: []protocol.Packet{m}})
		return nil
	case err == nil:
		p.link.Drop(key)
	}
	return err
}

// Drunk is how drunk the player is now, 0..100.
func (tx Tx) Drunk(p *Player) uint8 { return tx.drunkPacket(p).Level }

// SetDrunk sets it; what lasts sinks evenly to 0 in that time, up to an hour, and 0 lasts until it is changed.
func (tx Tx) SetDrunk(p *Player, level uint8, lasts time.Duration) error {
	m := &protocol.SetDrunkLevel{Level: level, Duration: uint32(lasts.Milliseconds())}
	return keep(tx.instruct(p, m), &p.look.drunk, drunk{level, tx.now(), lasts})
}

// drunkPacket is what is left of a SetDrunk.
func (tx Tx) drunkPacket(p *Player) *protocol.SetDrunkLevel {
	d := &p.look.drunk
	if d.lasts == 0 {
		return &protocol.SetDrunkLevel{Level: d.level}
	}
	left := d.lasts - (tx.now() - d.from)
	if left < time.Millisecond || d.level == 0 {
		return &protocol.SetDrunkLevel{}
	}
	level := math.Ceil(float64(d.level) * float64(left) / float64(d.lasts))
	return &protocol.SetDrunkLevel{Level: uint8(level), Duration: uint32(left.Milliseconds())}
}

// OnFire says whether the player's ped burns by a script's will.
func (tx Tx) OnFire(p *Player) bool { return p.look.fire.on }

// SetOnFire sets a living player alight or puts him out. What it costs him is credited to attacker, who may be nil.
func (tx Tx) SetOnFire(p *Player, on bool, attacker *Player) error {
	if err := p.alive(); err != nil {
		return err
	}
	var burns fire
	if on {
		burns = fire{true, tx.now(), attacker}
	}
	m := &protocol.SetOnFire{PlayerID: p.ID, PlayerToken: p.Token, OnFire: on}
	return keep(tx.present(p, m), &p.look.fire, burns)
}

// burnedBy is whom a script has named for a player's fire: nil where nobody was, false where he does not burn by SetOnFire.
func (tx Tx) burnedBy(p *Player) (*Player, bool) { return p.look.fire.by, p.look.fire.on }

// SpecialAction is the special action that runs.
func (tx Tx) SpecialAction(p *Player) protocol.SpecialAction { return p.look.action }

// SetSpecialAction starts one, or ends it: protocol.ActionNone. Only for the living who do not sit in a vehicle.
func (tx Tx) SetSpecialAction(p *Player, action protocol.SpecialAction) error {
	if err := p.alive(); err != nil {
		return err
	}
	if p.seated() {
		return ErrSeated
	}
	m := &protocol.SetSpecialAction{PlayerID: p.ID, PlayerToken: p.Token, Action: action}
	if err := tx.present(p, m); err != nil {
		return err
	}
	if action != p.look.action {
		tx.endAction(p)
	}
	p.look.action, p.look.shown, p.look.asked = action, false, awaited{since: tx.now()}
	return nil
}

// endAction ends the special action that runs, and tells scripts.
func (tx Tx) endAction(p *Player) {
	action := p.look.action
	if action == protocol.ActionNone {
		return
	}
	p.look.action = protocol.ActionNone
	tx.post(PlayerActionEnd{p, action})
}

// correctAction is the special action that a frame may show: the one that the server has set. Frames that do not show it
// any more have ended it, and so has a client that does not begin.
func (tx Tx) correctAction(p *Player, claimed protocol.SpecialAction, now time.Duration) protocol.SpecialAction {
	l := &p.look
	switch {
	case l.action == protocol.ActionNone:
		return protocol.ActionNone
	case claimed == l.action:
		l.shown = true
		return claimed
	case claimed == protocol.ActionNone && (l.shown || l.asked.over(now, p.link, settleTime)):
		tx.endAction(p)
	}
	return protocol.ActionNone
}

// appearance is the player as whom he enters is shown him; reason says why.
func (tx Tx) appearance(p *Player, reason protocol.SpawnReason) *protocol.PlayerSpawned {
	f, l := &p.body, &p.look
	m := &protocol.PlayerSpawned{PlayerID: p.ID, PlayerToken: p.Token, Reason: reason, Skin: p.skin,
		Position: f.Position, Heading: float32(protocol.Degrees(f.Heading)), Interior: f.Interior,
		FightingStyle: l.fighting, WalkingStyle: l.walking, Action: l.action, Weapon: f.Weapon,
		Health: f.Health, Armor: f.Armor, Skills: l.skills}
	if p.life == Wasted {
		m.Flags, m.Health = protocol.SpawnedDead, 0
	}
	if l.headless {
		m.Flags |= protocol.SpawnedHeadless
	}
	if l.fire.on {
		m.Flags |= protocol.SpawnedOnFire
	}
	return m
}

// entryExtras are the packets that follow a PlayerSpawned where they say more: body stats that show, and the animation.
func (tx Tx) entryExtras(p *Player) []protocol.Packet {
	var list []protocol.Packet
	if p.skin == 0 && p.look.stats != [protocol.StatCount]uint16{} {
		list = append(list, tx.statsPacket(p))
	}
	if p.playing != nil {
		list = append(list, tx.animationPacket(p))
	}
	return list
}

func (tx Tx) skillsPacket(p *Player) *protocol.PlayerSkills {
	return &protocol.PlayerSkills{PlayerID: p.ID, PlayerToken: p.Token, Skills: p.look.skills}
}

func (tx Tx) statsPacket(p *Player) *protocol.SetPlayerStats {
	return &protocol.SetPlayerStats{PlayerID: p.ID, PlayerToken: p.Token, Stats: p.look.stats}
}
