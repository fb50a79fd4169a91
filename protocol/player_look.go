package protocol

import "darqline/protocol/wire"

// LastSkin is the highest skin id of the game.
const LastSkin = 312

// skins are those of the game; the ids between are not skins of a ped.
var skins = new(wire.Set).With(0, LastSkin).Without(3, 4, 5, 6, 8, 42, 65, 74, 86, 119, 149, 208, 273, 289)

// ValidSkin reports whether the game has a skin of that id (page Player,
// SetSkin): 299 of 0..LastSkin.
func ValidSkin(skin uint16) bool { return skins.Has(skin) }

// SetSkin changes a player's skin.
type SetSkin struct {
	PlayerID    uint16
	PlayerToken uint32
	Skin        uint16 // by ValidSkin
}

func (*SetSkin) ID() ID { return IDSetSkin }

func (p *SetSkin) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.OneOf(c, &p.Skin, skins)
}

// A FightingStyle is how a player fights without a weapon.
type FightingStyle uint8

const (
	FightStandard FightingStyle = 4
	FightBoxing   FightingStyle = 5
	FightKungFu   FightingStyle = 6
	FightKneeHead FightingStyle = 7
	FightGrabKick FightingStyle = 15
	FightElbows   FightingStyle = 16
)

var (
	fightingStyleWords = []string{
		FightStandard: "standard", FightBoxing: "boxing", FightKungFu: "kung_fu", FightKneeHead: "knee_head", FightGrabKick: "grab_kick", FightElbows: "elbows",
	}
	fightingStyles = valuesOf(fightingStyleWords)
)

func (s FightingStyle) String() string { return named(fightingStyleWords, s, "FightingStyle") }

// SetFightingStyle changes a player's fighting style.
type SetFightingStyle struct {
	PlayerID    uint16
	PlayerToken uint32
	Style       FightingStyle
}

func (*SetFightingStyle) ID() ID { return IDSetFightingStyle }

func (p *SetFightingStyle) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.OneOf(c, &p.Style, fightingStyles)
}

// A WalkingStyle is one of the game's animation groups for walking; 0 is the
// skin's own.
type WalkingStyle uint8

var (
	walkingStyleWords = []string{
		0:  "default",
		54: "player", "player_fat", "player_muscular", "rocket", "rocket_fat", "rocket_muscular", "armed", "armed_fat", "armed_muscular",
		63: "bat", "bat_fat", "bat_muscular", "chainsaw", "chainsaw_fat", "chainsaw_muscular", "sneak", "jetpack",
		118: "man", "shuffle", "old_man", "gang_1", "gang_2", "old_fat_man", "fat_man", "jogger", "drunk", "blind", "swat",
		129: "woman", "shopping", "busy_woman", "sexy_woman", "pro", "old_woman", "fat_woman", "jog_woman", "old_fat_woman", "skate",
	}
	walkingStyles = valuesOf(walkingStyleWords)
)

func (s WalkingStyle) String() string { return named(walkingStyleWords, s, "WalkingStyle") }

// SetWalkingStyle changes a player's walk.
type SetWalkingStyle struct {
	PlayerID    uint16
	PlayerToken uint32
	Style       WalkingStyle
}

func (*SetWalkingStyle) ID() ID { return IDSetWalkingStyle }

func (p *SetWalkingStyle) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.OneOf(c, &p.Style, walkingStyles)
}

// SetHeadless shows a ped without or with its head.
type SetHeadless struct {
	PlayerID    uint16
	PlayerToken uint32
	Headless    bool
}

func (*SetHeadless) ID() ID { return IDSetHeadless }

func (p *SetHeadless) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	c.Bool(&p.Headless)
}

// SetOnFire sets a ped alight or puts it out.
type SetOnFire struct {
	PlayerID    uint16
	PlayerToken uint32
	OnFire      bool
}

func (*SetOnFire) ID() ID { return IDSetOnFire }

func (p *SetOnFire) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	c.Bool(&p.OnFire)
}

// SetSpecialAction starts or ends a special action.
type SetSpecialAction struct {
	PlayerID    uint16
	PlayerToken uint32
	Action      SpecialAction
}

func (*SetSpecialAction) ID() ID { return IDSetSpecialAction }

func (p *SetSpecialAction) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.Enum(c, &p.Action, ActionUrinate)
}
