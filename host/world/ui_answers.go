package world

import (
	"time"

	"darqline/host/limit"
	"darqline/protocol"
)

// answers are the things on a player's screen that he can answer: dialogs, menus, offers and actions. An id is in one of
// three places: open, closed lately, unknown (page Chat, HUD and dialogs, Answers).
type answers struct {
	open   map[uint32]answerable
	lately []closedID // in the order of closing
	limit  limit.Bucket

	ends    []Event // of what his leave has ended, until the handlers of player_leave are through
	allOver bool    // they are through
}

// EndReason is why something that waits for a player's answer is over: the word that Lua gets with nil (page Chat, HUD and
// dialogs, Waiting), or the button that was pressed.
type EndReason string

const (
	EndCancel   EndReason = "cancel"
	EndTimeout  EndReason = "timeout"
	EndClosed   EndReason = "closed"
	EndReplaced EndReason = "replaced"
	EndBusy     EndReason = "busy"
	EndDeath    EndReason = "death"
	EndLeave    EndReason = "leave"
	EndStop     EndReason = "stop"
	EndInvalid  EndReason = "invalid"
)

// answerable is a thing that is open, and the key of what shows it in the pacer.
type answerable struct {
	what any
	key  any
	sent bool // it has left the pacer: an answer may come
}

type closedID struct {
	id uint32
	at time.Duration
}

// verdict is what an answer's id means on the connection that it came from.
type verdict uint8

const (
	answerOpen    verdict = iota // what it names is open, was sent, and has not been answered
	answerLate                   // it was closed in the last 10 s: an honest answer crossed the hide
	answerUnknown                // a forged one
)

const (
	lateAnswers = 10 * time.Second
	lateIDs     = 1024 // the newest that are remembered of one player

	answerBurst = 10 // DialogResponse, DialogFormResponse and OfferResponse together
	answerRate  = 5
)

// opened notes that a thing may be answered under an id from when the pacer's thing of that key has gone out. Changes of
// what is shown have other keys.
func (tx Tx) opened(p *Player, id uint32, key, what any) {
	if p.answers.open == nil {
		p.answers.open = make(map[uint32]answerable)
	}
	p.answers.open[id] = answerable{what: what, key: key}
}

// closed ends an id, by its answer or otherwise. It is never open again. It is called before the pacer drops what shows the
// thing: what was never sent whole cannot have a late answer.
func (tx Tx) closed(p *Player, id uint32) {
	a := &p.answers
	x, ok := a.open[id]
	if !ok {
		return
	}
	delete(a.open, id)
	if !x.sent && p.link.Waits(x.key) {
		return
	}
	now := tx.now()
	for len(a.lately) > 0 && (now-a.lately[0].at > lateAnswers || len(a.lately) == lateIDs) {
		a.lately = a.lately[1:]
	}
	a.lately = append(a.lately, closedID{id, now})
}

// closeAll ends every id of who has left. A script may keep his handle for good: it must not keep with it who would have heard
// his answers, which is whole resources that have stopped.
func (tx Tx) closeAll(p *Player) {
	for id := range p.answers.open {
		p.answers.lately = append(p.answers.lately, closedID{id, tx.now()})
	}
	p.answers.open = nil
}

// answer looks up what an answer names. One that is unknown is counted here.
func (tx Tx) answer(p *Player, id uint32) (any, verdict) {
	a := &p.answers
	if x, ok := a.open[id]; ok {
		if !x.sent {
			x.sent = !p.link.Waits(x.key)
			a.open[id] = x
		}
		if x.sent {
			return x.what, answerOpen
		}
	}
	for _, c := range a.lately {
		if c.id == id && tx.now()-c.at <= lateAnswers {
			return nil, answerLate
		}
	}
	tx.violated(p, ViolationUI, "an answer to %d, which was not shown", id)
	return nil, answerUnknown
}

// answered is answer for a packet that only things of one type have: another type's id is an unknown one.
func answered[T any](tx Tx, p *Player, m protocol.Packet, id uint32) (x T, ok bool) {
	what, v := tx.answer(p, id)
	if v != answerOpen {
		return x, false
	}
	if x, ok = what.(T); !ok {
		tx.violated(p, ViolationUI, "%v to %d, which is not of its kind", m.ID(), id)
	}
	return x, ok
}

// mayAnswer takes a token of the answers to dialogs and offers. Without one, an answer to what is open is an invalid one.
func (tx Tx) mayAnswer(p *Player) bool {
	return p.answers.limit.Take(tx.now(), answerRate, answerBurst, 1)
}

// end tells the scripts that something of a player's is over. What his leave ends they hear behind the handlers of
// player_leave, when his handle is about to go. Somebody may wait for it, so that one for which the scripts have no room now
// is told later.
func (tx Tx) end(p *Player, e Event) {
	switch {
	case p.gone && !p.answers.allOver:
		p.answers.ends = append(p.answers.ends, e)
	case !p.gone && !tx.w.cfg.Sink.Post(e):
		tx.w.unheard = append(tx.w.unheard, e)
	}
}

// tellUnheard tells what the scripts had no room for.
func (tx Tx) tellUnheard() {
	for len(tx.w.unheard) > 0 && tx.w.cfg.Sink.Post(tx.w.unheard[0]) {
		tx.w.unheard = tx.w.unheard[1:]
	}
}

// EndsOfLeave takes the ends of what a leave has ended. Whoever has run the handlers of player_leave tells them to the
// scripts; afterwards nothing can be opened for him.
func (tx Tx) EndsOfLeave(p *Player) []Event {
	ends := p.answers.ends
	p.answers.ends, p.answers.allOver = nil, true
	return ends
}
