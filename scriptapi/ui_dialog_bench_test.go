package scriptapi

import (
	"testing"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/protocol/pacer"
)

// paced is a guest who notes when something is put into his pacer.
type paced struct {
	*guest
	at time.Time
}

func (p *paced) Pace(t pacer.Thing) {
	p.at = time.Now()
	p.sent = append(p.sent[:0], t.Packets...)
}

// BenchmarkAsk answers a dialog whose script asks again at once: from the answer to the resumed script, and from player:ask to its
// packets in the pacer.
func BenchmarkAsk(b *testing.B) {
	const rows = `for i = 1, 50 do rows[i] = { "Weapon " .. i, "$500", value = i } end`
	for _, bench := range []struct{ name, dialog string }{
		{"message", `{ title = "Ammu-Nation", text = "Come back when you have {FFB000}$500" }`},
		{"input", `{ title = "Name your car", input = { min = 1, max = 20 }, check = function() end }`},
		{"table50", `{ title = "Ammu-Nation", columns = { "Weapon", { "Price", align = "right" } }, rows = rows }`},
		{"form", `{ title = "AK-47", fields = {
		  { name = "rounds", type = "integer(17..500)", label = "Rounds, $2 each", initial = 34, slider = true },
		  { name = "paint", type = "choice?", label = "Paint", options = { "Gold", "Camouflage" } } } }`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s := newStage(b)
			var resumed time.Time
			s.server.asked = func() { resumed = time.Now() }
			alice := &paced{guest: &guest{s: s, name: "Alice"}}
			s.do(func(tx world.Tx) { tx.Admit(alice); alice.player = tx.Join(alice) })
			s.settle()
			s.start("shop", `local player, rows = mp.players.get(0), {} `+rows+`
mp.after(0, function() while true do player:ask`+bench.dialog+` local _ = mp.server.name end end)`)
			s.settle()
			var answering, asking time.Duration
			b.ReportAllocs()
			for b.Loop() {
				s.now += time.Second
				m := answerTo(alice.sent[0])
				begun := time.Now()
				s.do(func(tx world.Tx) { tx.Receive(alice.player, m) })
				for len(s.queue) > 0 {
					f := s.queue[0]
					s.queue = s.queue[1:]
					f()
				}
				answering += resumed.Sub(begun)
				asking += alice.at.Sub(resumed)
			}
			b.ReportMetric(float64(answering.Nanoseconds())/float64(b.N), "ns/answer")
			b.ReportMetric(float64(asking.Nanoseconds())/float64(b.N), "ns/ask")
		})
	}
}

// answerTo accepts what is asked.
func answerTo(head protocol.Packet) protocol.Packet {
	switch p := head.(type) {
	case *protocol.DialogForm:
		return &protocol.DialogFormResponse{DialogID: p.DialogID, Fields: []protocol.FormAnswer{{Type: protocol.FormNumber, Float: 40}}}
	case *protocol.DialogTable:
		return &protocol.DialogResponse{DialogID: p.DialogID}
	case *protocol.DialogShow:
		if p.Kind == protocol.DialogInput {
			return &protocol.DialogResponse{DialogID: p.DialogID, Row: protocol.NoRow, Text: "Infernus"}
		}
		return &protocol.DialogResponse{DialogID: p.DialogID, Row: protocol.NoRow}
	}
	return nil
}
