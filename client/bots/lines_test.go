package bots

import (
	"testing"

	"darqline/protocol"
)

// TestLinesAreChecked plays what one bot hears of another, who had said 3 lines before the first was in, and says 7 in all.
func TestLinesAreChecked(t *testing.T) {
	const token = 9
	for _, test := range []struct {
		name    string
		numbers []uint32
		text    string // of one more line
		want    Lines
	}{
		{"all", []uint32{4, 5, 6, 7}, "", Lines{Heard: 4}},
		{"with one that was on its way", []uint32{3, 4, 5, 6, 7}, "", Lines{Heard: 5}},
		{"the first is missing", []uint32{5, 6, 7}, "", Lines{Heard: 3, Missed: 1}},
		{"a hole", []uint32{4, 7}, "", Lines{Heard: 2, Missed: 2}},
		{"the end is missing", []uint32{4, 5}, "", Lines{Heard: 2, Missed: 2}},
		{"nothing came", nil, "", Lines{Missed: 4}},
		{"twice", []uint32{4, 5, 5, 6, 7}, "", Lines{Heard: 5, Again: 1}},
		{"out of order", []uint32{4, 6, 5, 7}, "", Lines{Heard: 4, Missed: 1, Again: 1}},
		{"another text", []uint32{4, 5, 6, 7}, "8 nonsense", Lines{Heard: 4, Wrong: 1}},
		{"no number", []uint32{4, 5, 6, 7}, "nonsense", Lines{Heard: 4, Wrong: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := Defaults()
			c.Count, c.Numbered = 2, true
			r := newRun(c, sink{})
			for i := range r.bots {
				b := &r.bots[i]
				b.init(r, i)
				b.admitted(0, &protocol.ServerHello{Token: 1, PlayerID: uint16(i), PlayerToken: token - uint32(i),
					State: protocol.HelloPreSpawn, MaxPlayers: 2, Keepalive: 1000, Timeout: 10_000})
			}
			speaker, listener := &r.bots[0], &r.bots[1]
			speaker.said = 3
			listener.applyBody(0, &protocol.SpawnPlayer{Spawn: protocol.SpawnInfo{Health: 100}})
			speaker.said = 7
			hear := func(text string) {
				listener.hearLine(&protocol.ChatMessage{PlayerID: speaker.id, PlayerToken: speaker.playerToken, Text: text})
			}
			for _, number := range test.numbers {
				hear(line(token, number))
			}
			if test.text != "" {
				hear(test.text)
			}
			got := r.heardLines
			if got.Missed += r.linesDue(); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestLinesOfWhoHasLeftAreNotChecked(t *testing.T) {
	c := Defaults()
	c.Count, c.Numbered = 1, true
	r := newRun(c, sink{})
	b := &r.bots[0]
	b.init(r, 0)
	b.admitted(0, &protocol.ServerHello{Token: 1, PlayerToken: 2, State: protocol.HelloPreSpawn, MaxPlayers: 4, Keepalive: 1000, Timeout: 10_000})
	b.applyBody(0, &protocol.SpawnPlayer{Spawn: protocol.SpawnInfo{Health: 100}})
	for _, id := range []uint16{0, 3, 200} { // a number that is his no more, one of nobody, one that there is not
		b.hearLine(&protocol.ChatMessage{PlayerID: id, PlayerToken: 1, Text: line(1, 5)})
	}
	if r.heardLines != (Lines{}) {
		t.Errorf("got %+v", r.heardLines)
	}
}
