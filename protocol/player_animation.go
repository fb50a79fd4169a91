package protocol

import "darqline/protocol/wire"

// AnimationFlags are the flags of an ApplyAnimation.
type AnimationFlags uint8

const (
	AnimationLoop      AnimationFlags = 1 << iota
	AnimationMove                     // the ped moves with it
	AnimationHold                     // the last frame
	AnimationKeys                     // the player's keys end it
	AnimationUpperBody                // alone
)

// ifpName is the name of a block or an animation of an IFP file.
func ifpName(most int) *wire.Rule {
	return wire.Alphabet("[A-Z0-9_]", 1, most, func(b byte) bool {
		return b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_'
	})
}

var animationBlock, animationName = ifpName(15), ifpName(23)

// ApplyAnimation plays an animation. A second one replaces the first.
type ApplyAnimation struct {
	PlayerID    uint16
	PlayerToken uint32
	Animation   uint16 // the subject's next id, not 0; his frames echo it while it plays
	Block       string // [A-Z0-9_], 1..15 bytes
	Name        string // [A-Z0-9_], 1..23 bytes
	Speed       float32
	Progress    float32 // 0..1, start within the animation
	Elapsed     uint32  // ms already played at speed 1 after Progress
	Duration    uint32  // ms until it ends; 0 by itself, or never when looped
	Blend       uint16  // ms of blending in, 0..5000
	Flags       AnimationFlags
}

func (*ApplyAnimation) ID() ID { return IDApplyAnimation }

func (p *ApplyAnimation) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.NonZero(c, &p.Animation)
	c.Name(&p.Block, 16, animationBlock)
	c.Name(&p.Name, 24, animationName)
	c.F32In(&p.Speed, 0, 10)
	c.F32In(&p.Progress, 0, 1)
	c.U32(&p.Elapsed)
	c.U32(&p.Duration)
	wire.Range(c, &p.Blend, 0, 5000)
	wire.Bits(c, &p.Flags, 5)
}

// ClearAnimations ends the applied animation and the ped's scripted task.
type ClearAnimations struct {
	PlayerID    uint16
	PlayerToken uint32
}

func (*ClearAnimations) ID() ID { return IDClearAnimations }

func (p *ClearAnimations) Wire(c *wire.Codec) { subject(c, &p.PlayerID, &p.PlayerToken) }

// SetAnimationProgress jumps within the running animation.
type SetAnimationProgress struct {
	PlayerID    uint16
	PlayerToken uint32
	Animation   uint16  // ignored unless this one is playing
	Progress    float32 // 0..1
}

func (*SetAnimationProgress) ID() ID { return IDSetAnimationProgress }

func (p *SetAnimationProgress) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	c.U16(&p.Animation)
	c.F32In(&p.Progress, 0, 1)
}

// SetAnimationSpeed changes the running animation's speed.
type SetAnimationSpeed struct {
	PlayerID    uint16
	PlayerToken uint32
	Animation   uint16  // ignored unless this one is playing
	Speed       float32 // 0..10, 0 holds it
}

func (*SetAnimationSpeed) ID() ID { return IDSetAnimationSpeed }

func (p *SetAnimationSpeed) Wire(c *wire.Codec) {
	subject(c, &p.PlayerID, &p.PlayerToken)
	c.U16(&p.Animation)
	c.F32In(&p.Speed, 0, 10)
}
