package limit

import (
	"testing"
	"time"
)

func TestBucketHoldsItsBurstAndRefills(t *testing.T) {
	var b Bucket
	for i := range 4 {
		if !b.Take(0, 2, 4, 1) {
			t.Fatalf("token %d of the burst was refused", i)
		}
	}
	if b.Take(0, 2, 4, 1) {
		t.Fatal("a fifth token came out of a burst of four")
	}
	if got := b.Wait(0, 2, 4, 1); got != 500*time.Millisecond {
		t.Fatalf("wait is %v, want 500ms", got)
	}
	if !b.Take(500*time.Millisecond, 2, 4, 1) {
		t.Fatal("no token after the time it was to take")
	}
	if got := b.Left(time.Hour, 2, 4); got != 4 {
		t.Fatalf("%v tokens after an hour, want the burst", got)
	}
}

func TestTakeHardPunishesHammering(t *testing.T) {
	var b Bucket
	b.Take(0, 1, 1, 1)
	for range 10 {
		if b.TakeHard(0, 1, 1, 4) {
			t.Fatal("a token came out of an empty bucket")
		}
	}
	if got := b.Wait(0, 1, 1, 1); got != 5*time.Second {
		t.Fatalf("wait is %v, want 5s: four below zero and one to take", got)
	}
}
