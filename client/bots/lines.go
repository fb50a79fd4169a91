package bots

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"darqline/protocol"
)

var remarks = [...]string{"hello", "anyone here?", "nice shot", "where is everybody going?", "brb", "lol", "follow me", "this way"}

// line is what a player says as so many a line: a function of who it is and of the number.
func line(token, number uint32) string {
	return fmt.Sprintf("%d %s", number, remarks[(token*31+number*17)%uint32(len(remarks))])
}

// say says something to everybody.
func (b *bot) say(now time.Duration) {
	b.run.lines++
	b.said++
	text := remarks[b.random().IntN(len(remarks))]
	if b.run.cfg.Numbered {
		text = line(b.playerToken, b.said)
	}
	b.push(now, &protocol.ClientChat{Channel: protocol.ChannelAll, Text: text})
}

// mark is how far a bot has heard another's numbered lines.
type mark struct {
	token, number uint32
	fresh         bool // nothing yet: number is how many were said before the bot was in, of which the last may still come
}

// listen begins to count everybody's lines: all that is said from now on has to come.
func (b *bot) listen() {
	for id := range b.marks {
		b.marks[id] = mark{}
		if id < len(b.run.byID) && b.run.byID[id] != nil {
			from := b.run.byID[id]
			b.marks[id] = mark{from.playerToken, from.said, true}
		}
	}
}

// hearLine checks that a line is the next one of its player, and what he said.
func (b *bot) hearLine(p *protocol.ChatMessage) {
	if int(p.PlayerID) >= min(len(b.marks), len(b.run.byID)) || b.state == preSpawn {
		return
	}
	m, tally := &b.marks[p.PlayerID], &b.run.heardLines
	if m.token != p.PlayerToken {
		from := b.run.byID[p.PlayerID]
		if from == nil || from.playerToken != p.PlayerToken {
			return // who has left: nobody knows how much of what he said this bot was in for
		}
		*m = mark{token: p.PlayerToken}
	}
	digits, _, _ := strings.Cut(p.Text, " ")
	parsed, err := strconv.ParseUint(digits, 10, 32)
	number := uint32(parsed)
	if err != nil || p.Text != line(p.PlayerToken, number) {
		tally.Wrong++
		return
	}
	tally.Heard++
	switch {
	case number > m.number+1:
		tally.Missed += uint64(number - m.number - 1)
	case number <= m.number && !m.fresh:
		tally.Again++
		return
	}
	m.number, m.fresh = number, false
}

// linesDue is how many lines those who are in have still to hear of each other.
func (r *run) linesDue() (due uint64) {
	for i := range r.bots {
		listener := &r.bots[i]
		if listener.state != alive && listener.state != wasted {
			continue
		}
		for id := range listener.marks {
			if id >= len(r.byID) || r.byID[id] == nil {
				continue
			}
			m, from := listener.marks[id], r.byID[id]
			if m.token != from.playerToken {
				m.number = 0
			}
			due += uint64(from.said - min(from.said, m.number))
		}
	}
	return due
}

// Lines are what became of the numbered lines. Each that is said should be heard by every other player, and by who said it,
// exactly once and in order.
type Lines struct {
	Heard  uint64 `json:"heard"`
	Missed uint64 `json:"missed"` // did not come, or not before a later one
	Again  uint64 `json:"again"`  // came twice, or after a later one
	Wrong  uint64 `json:"wrong"`  // another text than was said
}
