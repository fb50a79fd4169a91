package world

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// ActionSpec is what an action is declared with (page Chat, HUD and dialogs, Actions).
type ActionSpec struct {
	Name           string // [a-z0-9_]
	Label          string // plain, 1..63 bytes
	Key            protocol.Key
	When           protocol.ActionStates
	OnlyWithPrompt bool
	Swallow        bool    // the game does not see the key
	For            *Player // only his, and it goes with him; nil: everyone's
	By             string  // the resource; empty: the server's own
	Owner          any     // whoever receives its events
}

// Action is a named input of a resource. It is read through a Tx.
type Action struct {
	Spec ActionSpec

	id      uint32
	off     bool // for everyone
	removed bool
}

// mostActions is how many actions a connection may have.
const mostActions = 128

// ActionInput is an edge of an action: a player has pressed or released it. Each press that is told has its release.
type ActionInput struct {
	Action  *Action
	Player  *Player
	Pressed bool
	Held    time.Duration // of a release
}

// ActionHeld says that a player has held an action for as long as its prompt asks.
type ActionHeld struct {
	Action *Action
	Player *Player
}

// ActionGone says that an action is removed. There is exactly one for each that was declared.
type ActionGone struct {
	Action *Action
	Reason EndReason
}

func (ActionGone) LuaName() string  { return "action_gone" }
func (ActionInput) LuaName() string { return "player_action" }
func (ActionHeld) LuaName() string  { return "action_hold" }

type (
	actionKey       struct{ id uint32 }
	actionChangeKey struct{ id uint32 }
	actionGoneKey   struct{ id uint32 }
)

// Errors of actions.
var (
	errTooManyActions = fmt.Errorf("a player has at most %d actions", mostActions)
	errActionGone     = errors.New("this action was removed")
)

// DeclareAction declares an action to everyone whom it is for.
func (tx Tx) DeclareAction(spec ActionSpec) (*Action, error) {
	a := &Action{Spec: spec}
	switch {
	case protocol.ValidTopic(spec.Name) != nil:
		return nil, fmt.Errorf("field \"name\": %q, 1 to 31 of a-z, 0-9 and _ expected", spec.Name)
	case spec.Label == "":
		return nil, errors.New("field \"label\": an action has one")
	case spec.When == 0:
		return nil, errors.New("field \"when\": without a state the action could never be used")
	case spec.For != nil && spec.For.gone:
		return nil, errors.New("field \"for_player\": this player has left")
	}
	if f, reserved := tx.reservedFor(spec.Key); reserved {
		return nil, fmt.Errorf("field \"key\": %q is the platform's %s", spec.Key, f)
	}
	for _, other := range tx.w.actions {
		if other.Spec.By == spec.By && other.Spec.Name == spec.Name && other.meets(spec.For) {
			return nil, fmt.Errorf("field \"name\": this resource has an action %q already", spec.Name)
		}
	}
	if err := cmp.Or(line("label", spec.Label, 63), check(a.packet(nil, 1))); err != nil {
		return nil, err
	}
	tx.cancelAction()
	if !tx.roomForAction(spec.For) {
		return nil, errTooManyActions
	}
	a.id = tx.newID()
	tx.addAction(a)
	return a, nil
}

func (tx Tx) addAction(a *Action) {
	tx.w.actions = append(tx.w.actions, a)
	for _, p := range tx.w.players {
		tx.giveAction(p, a)
	}
}

// meets says whether an action and another one for who is named could be on the same connection.
func (a *Action) meets(who *Player) bool { return a.Spec.For == nil || who == nil || a.Spec.For == who }

// roomForAction says whether those who would get one more action have room for it.
func (tx Tx) roomForAction(who *Player) bool {
	shared, own := 0, make(map[*Player]int)
	for _, a := range tx.w.actions {
		if a.Spec.For == nil {
			shared++
		} else {
			own[a.Spec.For]++
		}
	}
	if who != nil {
		return shared+own[who] < mostActions
	}
	for _, n := range own {
		if shared+n >= mostActions {
			return false
		}
	}
	return shared < mostActions
}

// packet is an action as a player has it.
func (a *Action) packet(p *Player, id uint32) *protocol.ActionDeclare {
	m := &protocol.ActionDeclare{ActionID: id, Resource: a.Spec.By, Name: a.Spec.Name, Label: a.Spec.Label, Key: a.Spec.Key,
		When: a.Spec.When}
	if a.Spec.OnlyWithPrompt {
		m.Flags |= protocol.ActionOnlyWithPrompt
	}
	if a.Spec.Swallow {
		m.Flags |= protocol.ActionSwallow
	}
	if p != nil && !a.on(p) {
		m.Flags |= protocol.ActionOff
	}
	return m
}

// on says whether a player can use an action.
func (a *Action) on(p *Player) bool {
	if a.Spec.By == "" { // the server's own
		return p.actions.cancel != nil
	}
	return !a.removed && !a.off && !p.actions.off[a]
}

// has says whether an action is a player's.
func (a *Action) has(p *Player) bool { return !a.removed && (a.Spec.For == nil || a.Spec.For == p) }

// giveAction declares an action to a player if it is for him.
func (tx Tx) giveAction(p *Player, a *Action) {
	if p.gone || !a.has(p) {
		return
	}
	p.link.Pace(pacer.Thing{Key: actionKey{a.id}, Class: pacer.Waited, Packets: []protocol.Packet{a.packet(p, a.id)}})
	tx.opened(p, a.id, actionKey{a.id}, a)
}

// joinActions declares to who has joined what is for all.
func (tx Tx) joinActions(p *Player) {
	tx.cancelAction()
	for _, a := range tx.w.actions {
		tx.giveAction(p, a)
	}
}

// switched tells a player that an action is on or off for him now.
func (tx Tx) switched(p *Player, a *Action) {
	if p.gone || !a.has(p) {
		return
	}
	if !a.on(p) {
		tx.release(p, a)
	}
	thing := pacer.Thing{Key: actionChangeKey{a.id}, Class: pacer.Waited, After: actionKey{a.id},
		Packets: []protocol.Packet{a.packet(p, a.id)}}
	if p.link.Waits(actionKey{a.id}) { // he does not have it yet
		thing.Key, thing.After = actionKey{a.id}, nil
	}
	p.link.Pace(thing)
}

// SetActionEnabled switches an action on or off for everyone whom it is for.
func (tx Tx) SetActionEnabled(a *Action, on bool) {
	if a.removed || a.off == !on {
		return
	}
	a.off = !on
	for _, p := range tx.Players() {
		tx.switched(p, a)
	}
}

// EnableAction switches an action on or off for one player.
func (tx Tx) EnableAction(a *Action, p *Player, on bool) error {
	if err := tx.MayUse(a, p); err != nil {
		return err
	}
	switch {
	case p.actions.off[a] == !on:
		return nil
	case on:
		delete(p.actions.off, a)
	default:
		if p.actions.off == nil {
			p.actions.off = make(map[*Action]bool)
		}
		p.actions.off[a] = true
	}
	tx.switched(p, a)
	return nil
}

func notHis(a *Action) error { return fmt.Errorf("this action is only for %s", a.Spec.For.Name()) }

// RemoveAction removes an action, after its releases.
func (tx Tx) RemoveAction(a *Action) {
	if !a.removed {
		tx.removeAction(a, EndClosed)
	}
}

func (tx Tx) removeAction(a *Action, reason EndReason) {
	for _, p := range tx.Players() {
		if a.has(p) {
			tx.takeAction(p, a)
		}
	}
	tx.forgetAction(a)
	tx.must(ActionGone{a, reason})
}

func (tx Tx) forgetAction(a *Action) {
	a.removed = true
	tx.w.actions = slices.DeleteFunc(tx.w.actions, func(o *Action) bool { return o == a })
}

// takeAction takes an action and its prompt from a player, or from the way to him.
func (tx Tx) takeAction(p *Player, a *Action) {
	tx.release(p, a)
	delete(p.actions.off, a)
	delete(p.actions.prompts, a)
	p.link.Drop(promptKey{a.id})
	p.link.Drop(promptGoneKey{a.id})
	p.link.Drop(actionChangeKey{a.id})
	tx.closed(p, a.id)
	if waited, begun := p.link.Drop(actionKey{a.id}); !waited || begun {
		p.link.Pace(pacer.Thing{Key: actionGoneKey{a.id}, Class: pacer.Removals,
			Packets: []protocol.Packet{&protocol.ActionRemove{ActionID: a.id}}})
	}
}

// removeActions removes those of a resource.
func (tx Tx) removeActions(by string) {
	for _, a := range slices.Clone(tx.w.actions) {
		if a.Spec.By == by {
			tx.removeAction(a, EndStop)
		}
	}
}

// MayUse says whether an action is a player's, whether it is on or off.
func (tx Tx) MayUse(a *Action, p *Player) error {
	switch {
	case a.removed:
		return errActionGone
	case !a.has(p):
		return notHis(a)
	}
	return nil
}

// ActionEnabled says whether an action is on for everyone whom it is for.
func (tx Tx) ActionEnabled(a *Action) bool { return !a.off }

// ActionID is the number under which clients know an action.
func (tx Tx) ActionID(a *Action) uint32 { return a.id }

// ActionRemoved says whether an action is gone.
func (tx Tx) ActionRemoved(a *Action) bool { return a.removed }
