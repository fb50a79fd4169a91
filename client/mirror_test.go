package client

import "testing"

// op is a packet as the mirror sees it.
type op struct {
	kind       string // frame, leave, subject, spawn, out
	token, seq uint32
	applied    bool
}

func TestGenerations(t *testing.T) {
	tests := []struct {
		name string
		ops  []op
	}{
		{"no live generation: adopted with any seq", []op{{"frame", 5, 900, true}, {"frame", 5, 900, false}, {"frame", 5, 901, true}}},
		{"same generation: newer seq alone", []op{{"frame", 5, 10, true}, {"frame", 5, 9, false}, {"frame", 5, 10, false}, {"frame", 5, 12, true}, {"frame", 5, 11, false}}},
		{"seq wraps", []op{{"frame", 5, 0xFFFFFFFE, true}, {"frame", 5, 1, true}, {"frame", 5, 0xFFFFFFFF, false}}},
		{"half the circle is not newer", []op{{"frame", 5, 10, true}, {"frame", 5, 10 + 1<<31, false}, {"frame", 5, 9 + 1<<31, true}}},
		{"larger token: the id was reused", []op{{"frame", 5, 100, true}, {"frame", 8, 1, true}, {"frame", 8, 2, true}}},
		{"smaller token: a straggler of an earlier owner", []op{{"frame", 8, 1, true}, {"frame", 5, 100, false}}},
		{"leave of the live generation", []op{{"frame", 5, 1, true}, {"leave", 5, 0, true}}},
		{"leave twice", []op{{"frame", 5, 1, true}, {"leave", 5, 0, true}, {"leave", 5, 0, false}}},
		{"leave of another generation", []op{{"frame", 5, 1, true}, {"leave", 4, 0, false}, {"leave", 6, 0, false}, {"frame", 5, 2, true}}},
		{"leave of an unknown id", []op{{"leave", 5, 0, false}, {"frame", 5, 1, true}}},
		{"tombstone: who has left is not resurrected", []op{{"frame", 5, 1, true}, {"leave", 5, 0, true}, {"frame", 5, 2, false}, {"spawn", 5, 0, false}, {"subject", 5, 0, false}}},
		{"a new generation clears the tombstone", []op{{"frame", 5, 1, true}, {"leave", 5, 0, true}, {"frame", 6, 1, true}, {"frame", 5, 9, false}, {"frame", 6, 2, true}}},
		{"the tombstone covers the last generation alone", []op{
			{"frame", 5, 1, true}, {"frame", 6, 1, true}, {"leave", 6, 0, true},
			{"frame", 5, 2, true}, // of the one before: adopted while the id is free
			{"frame", 7, 1, true}, // the next owner replaces it
			{"frame", 5, 3, false},
		}},
		{"leave of the generation before, after the id was reused", []op{{"frame", 5, 1, true}, {"frame", 6, 1, true}, {"leave", 5, 0, false}, {"frame", 6, 2, true}}},
		{"other packets need a generation", []op{{"subject", 5, 0, false}, {"spawn", 5, 0, true}, {"subject", 5, 0, true}}},
		{"other packets adopt a newer one", []op{{"frame", 5, 70, true}, {"subject", 6, 0, true}, {"frame", 6, 1, true}, {"frame", 5, 71, false}}},
		{"other packets of an older one are dropped", []op{{"frame", 6, 1, true}, {"subject", 5, 0, false}, {"spawn", 5, 0, false}}},
		{"out of view: stragglers do not show him again, a newer frame does", []op{
			{"frame", 5, 10, true}, {"out", 5, 14, true}, {"frame", 5, 12, false}, {"frame", 5, 14, false}, {"frame", 5, 15, true},
		}},
		{"out of view does not lower last_seq", []op{{"frame", 5, 10, true}, {"out", 5, 8, true}, {"frame", 5, 9, false}, {"frame", 5, 11, true}}},
		{"out of view of an earlier owner", []op{{"frame", 6, 1, true}, {"out", 5, 100, false}, {"frame", 6, 2, true}}},
		{"leave after out of view", []op{{"frame", 5, 10, true}, {"out", 5, 10, true}, {"leave", 5, 0, true}, {"frame", 5, 11, false}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var g Generations
			g.Frame(2, 99, 1) // another id has nothing to do with it
			for i, o := range tt.ops {
				var applied bool
				switch o.kind {
				case "frame":
					applied = g.Frame(1, o.token, o.seq)
				case "leave":
					applied = g.Leave(1, o.token)
				case "subject":
					applied = g.Subject(1, o.token, false)
				case "spawn":
					applied = g.Subject(1, o.token, true)
				case "out":
					applied = g.StreamOut(1, o.token, o.seq)
				}
				if applied != o.applied {
					t.Fatalf("step %d, %v: %v", i, o, applied)
				}
			}
			if token, ok := g.Live(2); token != 99 || !ok {
				t.Error("another id was touched")
			}
		})
	}
}

func TestFramesCostNoAllocation(t *testing.T) {
	var g Generations
	seq := uint32(0)
	if n := testing.AllocsPerRun(100, func() { seq++; g.Frame(1, 5, seq) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
