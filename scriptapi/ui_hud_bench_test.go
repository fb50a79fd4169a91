package scriptapi

import (
	"fmt"
	"testing"

	"darqline/scriptapi/bind"
)

// BenchmarkHudProperty sets one property of an element from Lua, for one player and for 200.
func BenchmarkHudProperty(b *testing.B) {
	for _, players := range []int{1, 200} {
		b.Run(fmt.Sprint(players), func(b *testing.B) {
			s := newStage(b)
			guests := make([]*guest, players)
			for i := range guests {
				guests[i] = s.join(fmt.Sprint("P", i))
			}
			s.start("r", `local it, n = mp.ui.gauge{ max = 1000000 }, 0 mp.exports.define{ set = function() n = (n + 1) % 1000000 it.value = n end }`)
			set := s.rt.instances[0].exports["set"]
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := set.Call(bind.Run{Event: "benchmark"}); err != nil {
					b.Fatal(err)
				}
				if len(guests[0].sent) > 1000 {
					for _, g := range guests {
						g.sent = g.sent[:0]
					}
				}
			}
		})
	}
}
