package world

import (
	"cmp"
	"fmt"

	"darqline/protocol"
)

// Kill is an entry of the kill feed. Killer and Victim are players, or texts of up to 47 bytes where they are nil; without a
// killer it was nobody.
type Kill struct {
	Killer, Victim         *Player
	KillerName, VictimName string
	Cause                  protocol.Cause
	HeadShot               bool
}

// KillFeed is kill_feed: a death is about to be added to the kill feed, unless a handler cancels it.
type KillFeed struct{ Kill Kill }

func (KillFeed) LuaName() string { return "kill_feed" }

// Apply adds the death to everyone's feed.
func (e KillFeed) Apply(tx Tx) { tx.AddKill(e.Kill, nil) }

var _ Cancellable = KillFeed{}

// AddKill adds an entry to the feed of some, or of everyone where to is nil; a congested lane drops it.
func (tx Tx) AddKill(k Kill, to []*Player) error {
	m := &protocol.HudKillFeedAdd{Cause: k.Cause, Killer: k.KillerName, Victim: k.VictimName}
	m.Killer, m.KillerColor = tx.feedName(k.Killer, k.KillerName)
	m.Victim, m.VictimColor = tx.feedName(k.Victim, k.VictimName)
	m.Flags = flagIf(k.HeadShot, protocol.KillFeedHeadShot)
	if err := cmp.Or(feedText("killer", m.Killer), given("victim", m.Victim), feedText("victim", m.Victim), check(m)); err != nil {
		return err
	}
	if to == nil {
		to = tx.Players()
	}
	yours := *m
	yours.Flags |= protocol.KillFeedYou
	for _, p := range to {
		switch {
		case p.gone:
		case p == k.Killer || p == k.Victim:
			p.event(&yours)
		default:
			p.event(m)
		}
	}
	return nil
}

// feedName is how the feed calls somebody.
func (tx Tx) feedName(p *Player, text string) (string, protocol.RGBA) {
	if p == nil {
		return text, protocol.RGBA{}
	}
	return p.Name(), p.listed.row.Color
}

func feedText(field, text string) error {
	if err := protocol.PlainText(text, 47); err != nil {
		return fmt.Errorf("field %q: %w", field, err)
	}
	return nil
}

// ClearKills empties the feed of one, or of everyone where p is nil.
func (tx Tx) ClearKills(p *Player) error {
	to := []*Player{p}
	if p == nil {
		to = tx.Players()
	}
	for _, p := range to {
		if p.gone {
			continue
		}
		if err := p.link.Straight(&protocol.HudKillFeedClear{}); err != nil {
			return err
		}
	}
	return nil
}

// AutoKills says whether each death is added to the kill feed.
func (tx Tx) AutoKills() bool { return !tx.w.elements.feedOff }

// SetAutoKills sets whether each death is added to the kill feed.
func (tx Tx) SetAutoKills(on bool) { tx.w.elements.feedOff = !on }

// feedDeath adds a death to the kill feed, unless a handler cancels it.
func (tx Tx) feedDeath(p *Player, d Death) {
	if tx.AutoKills() {
		tx.decide(KillFeed{Kill{Killer: d.Killer, Victim: p, Cause: d.Cause, HeadShot: d.BodyPart == protocol.PartHead}})
	}
}
