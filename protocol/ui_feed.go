package protocol

import (
	"errors"

	"darqline/protocol/wire"
)

// KillFeedFlags are the flags of an entry of the kill feed.
type KillFeedFlags uint8

const (
	KillFeedHeadShot KillFeedFlags = 1 << iota
	KillFeedYou                    // concerns the recipient
)

// HudKillFeedAdd is an entry of the kill feed.
type HudKillFeedAdd struct {
	Cause       Cause
	Flags       KillFeedFlags
	KillerColor RGBA
	VictimColor RGBA
	Killer      string // plain, up to 47 bytes; empty: nobody
	Victim      string // plain, 1..47 bytes
}

func (*HudKillFeedAdd) ID() ID { return IDHudKillFeedAdd }

func (p *HudKillFeedAdd) Wire(c *wire.Codec) {
	wire.OneOf(c, &p.Cause, causes)
	wire.Bits(c, &p.Flags, 2)
	c.RGBA(&p.KillerColor)
	c.RGBA(&p.VictimColor)
	c.Text(&p.Killer, 48, wire.Plain)
	c.Text(&p.Victim, 48, wire.Plain)
}

func (p *HudKillFeedAdd) Check() error {
	if p.Victim == "" {
		return errors.New("victim is empty")
	}
	return nil
}

// HudKillFeedClear empties the kill feed.
type HudKillFeedClear struct{}

func (*HudKillFeedClear) ID() ID { return IDHudKillFeedClear }

func (*HudKillFeedClear) Wire(*wire.Codec) {}

// NotificationFlags are the flags of a notification.
type NotificationFlags uint8

const (
	NotificationTimeBar NotificationFlags = 1 << iota
	NotificationSound
)

// NotificationContent is the texts of a notification.
type NotificationContent struct {
	Title string // up to 96 bytes
	Text  string // 1..400 bytes, up to 6 lines
}

// HudNotificationAdd is a short message at the side, or changes the one of
// this id in place.
type HudNotificationAdd struct {
	NotificationID uint32
	Duration       uint32 // ms, 1000..60000; 0 stays until it is cleared
	Kind           MessageKind
	Flags          NotificationFlags
	Icon           Icon // IconNone: of the kind
	Content        NotificationContent
}

func (*HudNotificationAdd) ID() ID { return IDHudNotificationAdd }

func (p *HudNotificationAdd) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.NotificationID)
	wire.ZeroOr(c, &p.Duration, 1000, 60_000)
	wire.Enum(c, &p.Kind, MessageError)
	wire.Bits(c, &p.Flags, 2)
	wire.Enum(c, &p.Icon, IconLast)
	c.Tail(&p.Content, 4, 499, func() {
		c.Str8(&p.Content.Title, 0, 96, wire.Line)
		c.Str16(&p.Content.Text, 1, 400, wire.Lines(6))
	})
}

// HudNotificationClear removes a notification, or all.
type HudNotificationClear struct {
	NotificationID uint32 // 0 all
}

func (*HudNotificationClear) ID() ID { return IDHudNotificationClear }

func (p *HudNotificationClear) Wire(c *wire.Codec) { c.U32(&p.NotificationID) }
