package pacer

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"darqline/protocol"
)

// road is a lane that keeps what it is given; acks go as the test says.
type road struct {
	sent    []protocol.Packet
	unacked int
	fails   error
}

func (r *road) Unacked() int { return r.unacked }

func (r *road) Push(p protocol.Packet, room int) (int, error) {
	if r.fails != nil {
		return 0, r.fails
	}
	b, err := protocol.Append(nil, protocol.Header{}, p)
	switch {
	case err != nil:
		return 0, err
	case len(b) > room:
		return 0, ErrNoRoom
	}
	r.sent = append(r.sent, p)
	r.unacked++
	return len(b), nil
}

// take gives what was sent since the last take, in short: "view 3", "chat a", "data wallet 2".
func (r *road) take() string {
	var words []string
	for _, p := range r.sent {
		words = append(words, word(p))
	}
	r.sent = nil
	return strings.Join(words, ", ")
}

func word(p protocol.Packet) string {
	switch p := p.(type) {
	case *protocol.ViewClose:
		return fmt.Sprint("close ", p.ViewID)
	case *protocol.ViewOpen:
		return fmt.Sprint("open ", p.ViewID)
	case *protocol.ResourceFiles:
		return fmt.Sprintf("files %d.%d", p.Generation, p.First)
	case *protocol.ViewData:
		return fmt.Sprintf("data %s %d.%d", p.Topic, p.Revision, p.Part)
	case *protocol.ServerMessage:
		return "line " + p.Text
	}
	return p.ID().String()
}

func closeOf(id int) protocol.Packet { return &protocol.ViewClose{ViewID: uint32(id)} }

func line(text string) protocol.Packet { return &protocol.ServerMessage{Text: text} }

// thing is one plain packet, told apart by its key.
func thing(class Class, id int) Thing {
	return Thing{Key: id, Class: class, Packets: []protocol.Packet{closeOf(id)}}
}

func manifest(generation uint32, parts int) Thing {
	t := Thing{Key: generation, Class: Manifests}
	for part := range parts {
		entries := make([]protocol.FileEntry, 7)
		for i := range entries {
			entries[i] = protocol.FileEntry{Path: fmt.Sprintf("f%d.js", part*7+i), Size: 1}
		}
		t.Packets = append(t.Packets, &protocol.ResourceFiles{Name: "shop", Generation: generation,
			Total: uint8(parts * 7), First: uint8(part * 7), Entries: entries})
	}
	return t
}

func view(id int, after uint32) Thing {
	return Thing{Key: fmt.Sprint("view", id), Class: Waited, After: after, Packets: []protocol.Packet{
		&protocol.ViewOpen{ViewID: uint32(id), Name: "shop", Generation: after, Entry: "shop.html"}}}
}

func data(id int, topic string, revision uint32, parts int) Thing {
	t := Thing{Key: topic, Class: Waited, After: fmt.Sprint("view", id), Whole: true, Renew: true}
	for part := range parts {
		size := 1024
		if part == parts-1 {
			size = 1
		}
		t.Packets = append(t.Packets, &protocol.ViewData{ViewID: uint32(id), Revision: revision, Topic: topic,
			Part: uint8(part), Parts: uint8(parts), Data: make([]byte, size)})
	}
	return t
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func flush(t *testing.T, q *Pacer, now time.Duration, r *road) {
	t.Helper()
	if err := q.Flush(now, r); err != nil {
		t.Fatal(err)
	}
}

func TestStraight(t *testing.T) {
	tests := []struct {
		name    string
		unacked int
		packets []protocol.Packet
		sent    string // at once
		errs    []error
		later   string // when the lane has room again
	}{
		{"an idle lane", 0, []protocol.Packet{closeOf(1), line("a"), closeOf(2)}, "close 1, line a, close 2", []error{nil, nil, nil}, ""},
		{"191 unacked", 191, []protocol.Packet{closeOf(1)}, "close 1", []error{nil}, ""},
		{"a critical one waits at 192", 192, []protocol.Packet{closeOf(1), closeOf(2)}, "", []error{nil, nil}, "close 1, close 2"},
		{"a droppable one goes alone at 192", 192, []protocol.Packet{line("a")}, "line a", []error{nil}, ""},
		{"nothing overtakes", 192, []protocol.Packet{line("a"), closeOf(1), line("b"), closeOf(2)}, "line a",
			[]error{nil, nil, ErrRefused, nil}, "close 1, close 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var q Pacer
			r := &road{unacked: test.unacked}
			for i, p := range test.packets {
				if err := q.Straight(r, p); err != test.errs[i] {
					t.Errorf("packet %d: %v, want %v", i, err, test.errs[i])
				}
			}
			if got := r.take(); got != test.sent {
				t.Errorf("sent %q, want %q", got, test.sent)
			}
			flush(t, &q, 0, r)
			if got := r.take(); r.unacked >= straightBelow && got != "" {
				t.Errorf("sent %q although the lane is full", got)
			}
			r.unacked = 0
			flush(t, &q, 0, r)
			if got := r.take(); got != test.later {
				t.Errorf("later %q, want %q", got, test.later)
			}
		})
	}
}

func TestStraightBacklogHas2048(t *testing.T) {
	var q Pacer
	r := &road{unacked: 192}
	for i := range 2048 {
		if err := q.Straight(r, closeOf(i+1)); err != nil {
			t.Fatalf("packet %d: %v", i, err)
		}
	}
	if err := q.Straight(r, closeOf(9999)); !errors.Is(err, ErrBacklog) {
		t.Fatalf("packet 2,049: %v", err)
	}
	if _, ok := q.Next(r); ok {
		t.Fatal("a full lane is asked again without an ack")
	}
	r.unacked = 191
	if _, ok := q.Next(r); !ok {
		t.Fatal("an ack that makes room brings nothing on")
	}
	flush(t, &q, 0, r)
	if r.unacked != 192 || q.Len() != 2047 {
		t.Fatalf("%d unacked, %d wait", r.unacked, q.Len())
	}
}

func TestPassesKeepTheirPace(t *testing.T) {
	var q Pacer
	r := &road{}
	for i := range 200 {
		q.Pace(thing(Rest, i+1))
	}
	steps := []struct{ at, want int }{
		{0, 64},          // the first pass comes at once
		{39, 0}, {40, 0}, // the window is spent
		{99, 0}, {100, 64}, // a new one
		{140, 0}, {200, 64}, {300, 8},
	}
	for _, step := range steps {
		r.unacked = 0
		flush(t, &q, ms(step.at), r)
		if len(r.sent) != step.want {
			t.Fatalf("at %d ms %d packets, want %d", step.at, len(r.sent), step.want)
		}
		r.take()
	}
	q.Pace(thing(Rest, 1000))
	flush(t, &q, ms(339), r)
	if got := r.take(); got != "" {
		t.Fatalf("%s 39 ms after a pass", got)
	}
	if at, ok := q.Next(r); !ok || at != ms(340) {
		t.Fatalf("next pass at %v, %v", at, ok)
	}
	r.unacked = 128
	flush(t, &q, ms(400), r)
	if _, ok := q.Next(r); ok || len(r.sent) > 0 {
		t.Fatal("a pass at 128 unacked")
	}
	r.unacked = 127
	flush(t, &q, ms(400), r)
	if got := r.take(); got != "close 1000" {
		t.Fatalf("sent %q below 128 unacked", got)
	}
}

func TestPassOrder(t *testing.T) {
	var q Pacer
	r := &road{}
	near := thing(Players, 41)
	near.Distance = 5
	far := thing(Players, 42)
	far.Distance = 50
	for _, x := range []Thing{thing(PlayerList, 80), thing(Rest, 70), thing(Attached, 60), thing(Vehicles, 50), far, near,
		thing(Waited, 30), thing(Waited, 31), manifest(2, 1), manifest(1, 1), thing(Removals, 10), thing(Removals, 9)} {
		q.Pace(x)
	}
	flush(t, &q, 0, r)
	want := "close 10, close 9, files 2.0, files 1.0, close 30, close 31, close 41, close 42, close 50, close 60, close 70, close 80"
	if got := r.take(); got != want {
		t.Fatalf("sent  %s\nwant %s", got, want)
	}
}

func TestThingsAreMerged(t *testing.T) {
	var q Pacer
	r := &road{unacked: 200}
	for i := range 10 {
		x := thing(Rest, 1)
		x.Packets[0] = closeOf(100 + i)
		q.Pace(x)
		if i == 0 {
			q.Pace(thing(Rest, 2))
		}
	}
	q.Pace(thing(Rest, 3))
	if waited, begun := q.Drop(3); !waited || begun || q.Waits(3) {
		t.Fatalf("Drop: waited %v, begun %v", waited, begun)
	}
	if waited, _ := q.Drop(4); waited {
		t.Fatal("what was never there waited")
	}
	r.unacked = 0
	flush(t, &q, 0, r)
	if got := r.take(); got != "close 109, close 2" {
		t.Fatalf("sent %q: the last state, in the first place, and nothing of what came and went", got)
	}
}

func TestAChangeOfClassOrDistanceMovesAThing(t *testing.T) {
	var q Pacer
	r := &road{}
	for i, d := range []float32{10, 20, 30} {
		x := thing(Players, i+1)
		x.Distance = d
		q.Pace(x)
	}
	x := thing(Players, 3)
	x.Distance = 1
	q.Pace(x)
	q.Pace(thing(Removals, 2))
	flush(t, &q, 0, r)
	if got := r.take(); got != "close 2, close 3, close 1" {
		t.Fatalf("sent %q", got)
	}
}

func TestWhatIsBegunGoesOnFirst(t *testing.T) {
	var q Pacer
	r := &road{}
	q.Pace(manifest(1, 9))
	for i := range 60 {
		q.Pace(thing(Removals, i+1))
	}
	flush(t, &q, 0, r)
	if len(r.sent) != 64 || word(r.sent[63]) != "files 1.21" {
		t.Fatalf("%d packets, the last is %s", len(r.sent), word(r.sent[len(r.sent)-1]))
	}
	r.take()
	q.Pace(thing(Removals, 100))
	r.unacked = 0
	flush(t, &q, ms(100), r)
	if got := r.take(); got != "files 1.28, files 1.35, files 1.42, files 1.49, files 1.56, close 100" {
		t.Fatalf("sent %q", got)
	}
}

func TestWhatIsLeftOfADroppedManifestStaysOut(t *testing.T) {
	var q Pacer
	r := &road{}
	for i := range 62 {
		q.Pace(thing(Removals, i+1))
	}
	q.Pace(manifest(1, 9))
	flush(t, &q, 0, r)
	r.take()
	if waited, begun := q.Drop(uint32(1)); !waited || !begun {
		t.Fatalf("Drop: waited %v, begun %v", waited, begun)
	}
	q.Pace(manifest(2, 1))
	r.unacked = 0
	flush(t, &q, ms(100), r)
	if got := r.take(); got != "files 2.0" {
		t.Fatalf("sent %q", got)
	}
}

func TestAWholeThingIsTakenWholeOrLeft(t *testing.T) {
	var q Pacer
	r := &road{}
	for i := range 50 {
		q.Pace(thing(Removals, i+1))
	}
	q.Pace(data(9, "big", 1, 15))
	q.Pace(thing(Waited, 99))
	flush(t, &q, 0, r)
	if len(r.sent) != 50 {
		t.Fatalf("%d packets: 15 parts do not fit behind 50, and nothing overtakes them", len(r.sent))
	}
	r.take()
	r.unacked = 0
	flush(t, &q, ms(100), r)
	if len(r.sent) != 16 || word(r.sent[14]) != "data big 1.14" || word(r.sent[15]) != "close 99" {
		t.Fatalf("sent %s", r.take())
	}
}

func TestAViewWaitsForItsManifest(t *testing.T) {
	var q Pacer
	r := &road{}
	q.Pace(manifest(1, 9))
	q.Pace(manifest(2, 9))
	q.Pace(manifest(3, 9))
	q.Pace(data(7, "wallet", 0, 1)) // whatever order they come in
	q.Pace(view(7, 3))
	q.Pace(thing(PlayerList, 1))
	flush(t, &q, 0, r) // 25 parts fit into 24 KiB
	sent := r.take()
	if !strings.HasPrefix(sent, "files 3.0, files 3.7") || strings.Contains(sent, "open") {
		t.Fatalf("sent %s: the manifest that a view waits for goes first", sent)
	}
	r.unacked = 0
	flush(t, &q, ms(100), r)
	sent = r.take()
	if !strings.HasSuffix(sent, "files 2.56, open 7, data wallet 0.0, close 1") {
		t.Fatalf("sent %s", sent)
	}
	if q.Len() != 0 || len(q.afters) != 0 {
		t.Fatalf("%d wait, %d are waited for", q.Len(), len(q.afters))
	}
}

func TestAnAttachedThingGoesBehindItsTarget(t *testing.T) {
	var q Pacer
	r := &road{}
	near := thing(Attached, 1)
	near.Distance, near.After = 1, 2
	far := thing(Attached, 2)
	far.Distance = 100
	q.Pace(near)
	q.Pace(far)
	flush(t, &q, 0, r)
	if got := r.take(); got != "close 2, close 1" {
		t.Fatalf("sent %q", got)
	}
}

func TestNoSnapshotOvertakesAnother(t *testing.T) {
	var q Pacer
	r := &road{unacked: 200}
	q.Pace(data(7, "a", 0, 1))
	q.Pace(data(7, "b", 1, 1))
	q.Pace(data(7, "c", 1, 1))
	q.Pace(data(7, "a", 2, 1))
	r.unacked = 0
	flush(t, &q, 0, r)
	if got := r.take(); got != "data b 1.0, data c 1.0, data a 2.0" {
		t.Fatalf("sent %q: the revision must not fall", got)
	}
}

func TestAReplacedThingThatWasBegunStartsOver(t *testing.T) {
	var q Pacer
	r := &road{}
	for i := range 62 {
		q.Pace(thing(Removals, i+1))
	}
	q.Pace(manifest(1, 5))
	flush(t, &q, 0, r)
	r.take()
	q.Pace(manifest(2, 1))
	q.Pace(manifest(1, 2))
	q.Pace(thing(Removals, 99))
	r.unacked = 0
	flush(t, &q, ms(100), r)
	if got := r.take(); got != "close 99, files 1.0, files 1.7, files 2.0" {
		t.Fatalf("sent %q", got)
	}
}

func TestALaneThatFailsEndsThePass(t *testing.T) {
	var q Pacer
	r := &road{fails: errors.New("full")}
	q.Pace(thing(Rest, 1))
	if err := q.Flush(0, r); err != r.fails {
		t.Fatalf("Flush gave %v", err)
	}
	if !q.Waits(1) {
		t.Fatal("the thing that did not go is forgotten")
	}
}

// drain lets a client ack everything after a round trip and says when the last packet went out.
func drain(t *testing.T, q *Pacer, rtt time.Duration) time.Duration {
	t.Helper()
	r := &road{}
	type flight struct {
		at time.Duration
		n  int
	}
	var flights []flight
	var last time.Duration
	for now := time.Duration(0); now < time.Minute; now += 5 * time.Millisecond {
		for len(flights) > 0 && flights[0].at <= now {
			r.unacked -= flights[0].n
			flights = flights[1:]
		}
		flush(t, q, now, r)
		if n := len(r.sent); n > 0 {
			flights, last = append(flights, flight{now + rtt, n}), now
			r.sent = nil
		}
		if q.Len() == 0 {
			return last
		}
	}
	t.Fatal("not drained in a minute")
	return 0
}

func TestHowLongThingsTake(t *testing.T) {
	for _, rtt := range []time.Duration{0, ms(100), ms(200)} {
		var plain, manifests Pacer
		for i := range 1000 {
			plain.Pace(thing(Rest, i+1))
		}
		for i := range 52 {
			manifests.Pace(manifest(uint32(i+1), 9)) // 63 files; the page's tenth part has one
			more := manifest(uint32(i+1+1000), 1)
			manifests.Pace(more)
		}
		if got := drain(t, &plain, rtt); got > ms(1600) {
			t.Errorf("1,000 plain things took %v at %v, want 1.6 s", got, rtt)
		}
		if got := drain(t, &manifests, rtt); got > ms(2100) {
			t.Errorf("520 parts took %v at %v, want 2.1 s", got, rtt)
		}
	}
}

func TestReplaceAndDropWhere(t *testing.T) {
	var q Pacer
	r := &road{unacked: passBelow}
	for id := range 4 {
		q.Pace(thing(Rest, id))
	}
	if q.Replace(thing(Rest, 9)) || q.Waits(9) {
		t.Error("what does not wait is replaced")
	}
	if !q.Replace(Thing{Key: 0, Class: Rest, Packets: []protocol.Packet{closeOf(10)}}) {
		t.Error("what waits is not replaced")
	}
	q.DropWhere(func(key any) bool { return key == 1 || key == 3 })
	if q.Len() != 2 || q.Waits(1) || q.Waits(3) {
		t.Errorf("%d things wait", q.Len())
	}
	r.unacked = 0
	if err := q.Flush(0, r); err != nil || r.take() != "close 10, close 2" {
		t.Errorf("%v", err)
	}
}

// TestALaneThatFailsAnywhere has the lane fail under a straight packet that waited and under the rest of a thing: both
// are tried again, and nothing is lost or sent twice.
func TestALaneThatFailsAnywhere(t *testing.T) {
	var q Pacer
	broken := errors.New("broken")
	r := &road{unacked: straightBelow}
	if err := q.Straight(r, closeOf(1)); err != nil {
		t.Fatal(err)
	}
	r.unacked, r.fails = 0, broken
	if err := q.Flush(0, r); err != broken || q.Len() != 1 {
		t.Fatalf("%v, %d wait", err, q.Len())
	}
	r.fails = nil
	if err := q.Flush(0, r); err != nil || r.take() != "close 1" {
		t.Fatal(err)
	}

	long := Thing{Key: uint32(1), Class: Rest} // more than a window has room for
	for id := range 100 {
		long.Packets = append(long.Packets, closeOf(id+1))
	}
	q.Pace(long)
	if at, ok := q.Next(r); at != 0 || !ok {
		t.Fatalf("%v, %v", at, ok)
	}
	if err := q.Flush(0, r); err != nil {
		t.Fatal(err)
	}
	first := len(r.sent)
	r.unacked = 0
	if at, ok := q.Next(r); at != window || !ok {
		t.Fatalf("the window is spent, and the next pass at %v, %v", at, ok)
	}
	r.fails = broken
	if err := q.Flush(window, r); err != broken || !q.Waits(uint32(1)) {
		t.Fatal(err)
	}
	r.fails = nil
	for at := 2 * window; q.Len() > 0 && at < 20*window; at += window {
		r.unacked = 0
		if err := q.Flush(at, r); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.sent) != 100 || first != windowPackets {
		t.Fatalf("%d packets of 100 went, %d of them at first", len(r.sent), first)
	}
	for i, p := range r.sent {
		if word(p) != fmt.Sprint("close ", i+1) {
			t.Fatalf("packet %d is %s", i, word(p))
		}
	}
}
