package proxy

import (
	"slices"
	"testing"
	"time"
)

func TestWheelKeepsTimeAndOrder(t *testing.T) {
	var w wheel
	took := func(now time.Duration) (got []int) {
		w.take(now, func(p parcel) { got = append(got, int(p.data[0])) })
		return got
	}
	put := func(at time.Duration, number byte) { w.put(at, 0, true, []byte{number}) }
	put(10*ms, 1)
	put(20*ms, 3)
	put(9500*time.Microsecond, 2) // the same turn
	put(time.Hour, 4)             // beyond the wheel
	for _, test := range []struct {
		now  time.Duration
		want []int
	}{
		{0, nil}, {8 * ms, nil}, {10 * ms, []int{1, 2}}, {19 * ms, nil}, {30 * ms, []int{3}}, {spokes * turn, []int{4}},
	} {
		if got := took(test.now); !slices.Equal(got, test.want) {
			t.Errorf("at %v came %v, want %v", test.now, got, test.want)
		}
	}
	put(0, 5) // long past: the next turn
	if got := took(spokes*turn + turn); !slices.Equal(got, []int{5}) || w.held != 0 {
		t.Errorf("late came %v, %d are held", got, w.held)
	}
}

func BenchmarkWheel(b *testing.B) {
	var w wheel
	data := make([]byte, 61)
	now := time.Duration(0)
	for b.Loop() {
		now += 30 * time.Microsecond
		w.put(now+100*ms, 1, false, data)
		w.take(now, func(parcel) {})
	}
}
