package world

import (
	"maps"
	"math"
	"slices"
	"time"

	"darqline/host/limit"
	"darqline/protocol"
)

// actions is what a player does with the actions that are for him.
type actions struct {
	down    map[*Action]*press
	off     map[*Action]bool // for him alone
	prompts map[*Action]*prompt
	limit   limit.Bucket
	cancel  func(tx Tx) // what a press of the server's own action does; nil: it is off
}

// press is an action that is down.
type press struct {
	at   time.Duration
	hold *prompt // it becomes a hold by this prompt; nil: it does not, or it has
	due  time.Duration
}

// The token bucket of presses (page Chat, HUD and dialogs, Answers); a release needs a press.
const (
	pressBurst = 40
	pressRate  = 20
)

// ReceiveActionInput takes a press or a release of an action (page Chat, HUD and dialogs, ActionInput).
func (tx Tx) ReceiveActionInput(p *Player, m *protocol.ActionInput) {
	may := !m.Pressed || p.actions.limit.Take(tx.now(), pressRate, pressBurst, 1)
	a, ok := answered[*Action](tx, p, m, m.ActionID)
	switch {
	case !ok || !may:
	case !m.Pressed:
		tx.release(p, a)
	case tx.mayPress(p, a):
		tx.press(p, a)
	}
}

// mayPress holds a press against the server's own state.
func (tx Tx) mayPress(p *Player, a *Action) bool {
	if p.actions.down[a] != nil || !a.on(p) || a.Spec.When&p.actionState() == 0 {
		return false
	}
	if !a.Spec.OnlyWithPrompt {
		return true
	}
	pr := p.actions.prompts[a]
	return pr != nil && pr.shown(p) && tx.reaches(p, pr)
}

// actionState is in which of an action's states a player is. Where he sits in a vehicle is not known.
func (p *Player) actionState() protocol.ActionStates {
	switch {
	case p.life == PreSpawn:
		return protocol.ActionPreSpawn
	case p.life == Wasted:
		return protocol.ActionWasted
	case p.seated():
		return protocol.ActionDriver | protocol.ActionPassenger
	}
	return protocol.ActionOnFoot
}

func (tx Tx) press(p *Player, a *Action) {
	if a == tx.w.cancel {
		if p.actions.cancel != nil {
			p.actions.cancel(tx)
		}
		return
	}
	if len(tx.w.unheard) > 0 || !tx.w.cfg.Sink.Post(ActionInput{Action: a, Player: p, Pressed: true}) {
		return // what nobody hears has no release
	}
	now := tx.now()
	down := &press{at: now}
	if pr := p.actions.prompts[a]; pr != nil && pr.spec.Hold > 0 {
		down.hold, down.due = pr, now+pr.spec.Hold
	}
	if p.actions.down == nil {
		p.actions.down = make(map[*Action]*press)
	}
	p.actions.down[a] = down
}

// release ends a press, if there is one.
func (tx Tx) release(p *Player, a *Action) {
	down := p.actions.down[a]
	if down == nil {
		return
	}
	delete(p.actions.down, a)
	tx.must(ActionInput{Action: a, Player: p, Held: tx.now() - down.at})
}

// must tells the scripts, later if they have no room now. It is told of a leave before the leave itself.
func (tx Tx) must(e Event) {
	if len(tx.w.unheard) > 0 || !tx.w.cfg.Sink.Post(e) {
		tx.w.unheard = append(tx.w.unheard, e)
	}
}

// releaseAll ends all presses of a player, in the order in which the actions were declared.
func (tx Tx) releaseAll(p *Player) {
	if len(p.actions.down) == 0 {
		return
	}
	for _, a := range slices.SortedFunc(maps.Keys(p.actions.down), func(a, b *Action) int { return int(a.id) - int(b.id) }) {
		tx.release(p, a)
	}
}

// leaveActions ends what who has left holds down, and removes what was only for him.
func (tx Tx) leaveActions(p *Player) {
	tx.releaseAll(p)
	for _, a := range slices.Clone(tx.w.actions) {
		if a.Spec.For == p {
			tx.forgetAction(a)
			tx.end(p, ActionGone{a, EndLeave})
		}
	}
	for _, other := range tx.w.players {
		for a, pr := range other.actions.prompts {
			if pr.spec.Target == p {
				tx.dropPrompt(other, a)
			}
		}
	}
	p.actions.prompts, p.actions.off, p.actions.cancel = nil, nil, nil
}

// tickActions tells of what has been held for long enough.
func (tx Tx) tickActions() (next time.Duration) {
	now, next := tx.now(), forever
	for _, p := range tx.w.players {
		for a, down := range p.actions.down {
			switch {
			case down.hold == nil:
			case p.actions.prompts[a] != down.hold:
				down.hold = nil
			case now < down.due:
				next = min(next, down.due)
			default:
				down.hold = nil
				tx.must(ActionHeld{a, p})
			}
		}
	}
	return next
}

// ActionDown says whether a player holds an action down, and for how long.
func (tx Tx) ActionDown(a *Action, p *Player) (held time.Duration, down bool) {
	d := p.actions.down[a]
	if d == nil {
		return 0, false
	}
	return tx.now() - d.at, true
}

// ---- the server's own action

// cancelID is its id; the shared counter never comes to it.
const cancelID = math.MaxUint32

// cancelAction is the server's own action, by which a player cancels a progress bar. It is off while nothing can be cancelled.
func (tx Tx) cancelAction() *Action {
	if tx.w.cancel == nil {
		key, _ := protocol.KeyByName("X")
		tx.w.cancel = &Action{id: cancelID, Spec: ActionSpec{Name: "cancel", Label: "Cancel", Key: key,
			When: protocol.ActionOnFoot | protocol.ActionDriver | protocol.ActionPassenger | protocol.ActionWasted | protocol.ActionPreSpawn}}
		tx.addAction(tx.w.cancel)
	}
	return tx.w.cancel
}

// watchCancel has a function called at each press of cancel by a player, with the permit; nil switches the action off for
// him. It gives the action's id, for HudProgress.
func (tx Tx) watchCancel(p *Player, pressed func(tx Tx)) (id uint32) {
	a := tx.cancelAction()
	was := p.actions.cancel != nil
	p.actions.cancel = pressed
	if was != (pressed != nil) {
		tx.switched(p, a)
	}
	return a.id
}
