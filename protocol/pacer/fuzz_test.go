package pacer

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"darqline/protocol"
)

// told is a packet of the model: which state of which thing, and which part of it.
type told struct {
	key     int
	version uint32
	part    int
}

// model says what may leave the pacer, by the page's words: the last state of each thing, its parts in a row, what it
// waits for first, the limits of a window, and straight packets in order.
type model struct {
	t        *testing.T
	q        Pacer
	now      time.Duration
	versions map[int]uint32 // the last state of what waits
	parts    map[int]int
	after    map[int]int
	begun    map[int]bool // packets of it are on the lane, of whatever state
	renew    []int        // keys of Renew things, in the order of their last Pace
	straight []uint32
	unacked  int
	windows  []push // of the last 100 ms
	open     int    // the thing of which a part is on the lane and a part is not; 0: none
	sent     int    // parts of it
}

type push struct {
	at   time.Duration
	size int
}

func (m *model) Unacked() int { return m.unacked }

func (m *model) Push(p protocol.Packet, room int) (int, error) {
	b, err := protocol.Append(nil, protocol.Header{}, p)
	if err != nil {
		m.t.Fatal(err)
	}
	if len(b) > room {
		return 0, ErrNoRoom
	}
	m.unacked++
	switch p := p.(type) {
	case *protocol.ViewClose:
		m.sawStraight(p.ViewID)
	case *protocol.ViewData:
		m.saw(told{int(p.ViewID), p.Revision, int(p.Part)}, len(b))
	}
	return len(b), nil
}

func (m *model) sawStraight(id uint32) {
	if len(m.straight) == 0 || m.straight[0] != id {
		m.t.Fatalf("straight packet %d goes, %v wait", id, m.straight)
	}
	m.straight = m.straight[1:]
}

func (m *model) saw(p told, size int) {
	if len(m.straight) > 0 {
		m.t.Fatalf("thing %d goes while straight packets wait", p.key)
	}
	version, waits := m.versions[p.key]
	if !waits || version != p.version {
		m.t.Fatalf("thing %d goes in state %d; it should be in state %d (%v)", p.key, p.version, version, waits)
	}
	if after, ok := m.after[p.key]; ok {
		if _, waits := m.versions[after]; waits && m.sent == 0 {
			m.t.Fatalf("thing %d goes before %d, for which it waits", p.key, after)
		}
	}
	if m.open != 0 && m.open != p.key {
		m.t.Fatalf("thing %d goes although %d was begun", p.key, m.open)
	}
	if p.part != m.sent {
		m.t.Fatalf("part %d of thing %d goes, want %d", p.part, p.key, m.sent)
	}
	m.open, m.sent, m.begun[p.key] = p.key, m.sent+1, true
	if m.sent == m.parts[p.key] {
		m.done(p.key)
	}
	m.windows = append(m.windows, push{m.now, size})
	m.window()
}

// window holds the limits in every window that begins with a pass.
func (m *model) window() {
	m.windows = slices.DeleteFunc(m.windows, func(p push) bool { return p.at <= m.now-window })
	packets, bytes := 0, 0
	for _, p := range m.windows {
		packets++
		bytes += p.size
	}
	if packets > 2*windowPackets || bytes > 2*windowBytes { // a sliding window may see the end of one and a whole other
		m.t.Fatalf("%d packets of %d bytes in 100 ms", packets, bytes)
	}
}

func (m *model) done(key int) {
	if i := slices.Index(m.renew, key); i >= 0 {
		for _, earlier := range m.renew[:i] {
			if _, waits := m.after[earlier]; !waits {
				m.t.Fatalf("snapshot %d overtakes %d", key, earlier)
			}
		}
		m.renew = slices.Delete(m.renew, i, i+1)
	}
	m.forget(key)
}

func (m *model) forget(key int) {
	delete(m.versions, key)
	delete(m.after, key)
	delete(m.parts, key)
	delete(m.begun, key)
	m.renew = slices.DeleteFunc(m.renew, func(k int) bool { return k == key })
	if m.open == key {
		m.open, m.sent = 0, 0
	}
}

// pace queues a new state of a thing. What a thing waits for has a larger key, so that no two wait for each other.
func (m *model) pace(key int, version uint32, op byte) {
	class := Class(key % int(classes))
	parts := 1 + key%3
	t := Thing{Key: key, Class: class, Distance: float32(op % 4), Whole: op&16 != 0}
	begun := m.begun[key]
	m.forget(key)
	m.begun[key] = begun
	if key%7 == 0 {
		t.Class, t.Distance, t.Renew, t.Whole = Waited, 0, true, true
		m.renew = append(m.renew, key)
	} else if op&8 != 0 {
		t.After = key + 1 + int(op>>5)
		m.after[key] = key + 1 + int(op>>5)
	}
	for part := range parts {
		t.Packets = append(t.Packets, &protocol.ViewData{ViewID: uint32(key), Revision: version, Topic: "t",
			Part: uint8(part), Parts: uint8(parts), Data: make([]byte, sizeOfPart(part, parts))})
	}
	m.versions[key], m.parts[key] = version, parts
	m.q.Pace(t)
}

func sizeOfPart(part, parts int) int {
	if part < parts-1 {
		return 1024
	}
	return 1
}

// run plays operations of three bytes each.
func (m *model) run(ops []byte) {
	for i := 0; i+2 < len(ops); i += 3 {
		key := 1 + int(ops[i+1])%40
		switch ops[i] % 8 {
		case 0, 1, 2:
			m.pace(key, uint32(i+1), ops[i+2])
		case 3:
			_, waits := m.versions[key]
			begun := m.begun[key]
			if w, b := m.q.Drop(key); w != waits || b != begun {
				m.t.Fatalf("Drop gave %v, %v; want %v, %v", w, b, waits, begun)
			}
			m.forget(key)
		case 4:
			m.straight = append(m.straight, uint32(i+1))
			if err := m.q.Straight(m, &protocol.ViewClose{ViewID: uint32(i + 1)}); err != nil {
				m.t.Fatal(err)
			}
		case 5:
			m.unacked -= min(m.unacked, int(ops[i+2]))
		default:
			m.now += time.Duration(ops[i+2]%64) * time.Millisecond
			m.flush()
		}
		if got, want := m.q.Len(), len(m.versions)+len(m.straight); got != want {
			m.t.Fatalf("%d wait, want %d", got, want)
		}
	}
}

func (m *model) flush() {
	if err := m.q.Flush(m.now, m); err != nil {
		m.t.Fatal(err)
	}
	if m.unacked >= 256 {
		m.t.Fatalf("%d unacked: the pacer alone brings no lane to 256", m.unacked)
	}
	if at, ok := m.q.Next(m); ok && at < m.now && m.q.begun && len(m.straight) > 0 && m.unacked >= straightBelow {
		m.t.Fatalf("asked again at %v, now is %v, and nothing can go", at, m.now)
	}
}

// end drains everything.
func (m *model) end() {
	for range 1000 {
		if m.q.Len() == 0 {
			break
		}
		m.unacked = 0
		m.now += passInterval
		m.flush()
	}
	if len(m.versions) > 0 || len(m.straight) > 0 || m.q.Len() > 0 || len(m.q.afters) > 0 {
		m.t.Fatalf("left over: %v, straight %v, %d wait, %d are waited for", m.versions, m.straight, m.q.Len(), len(m.q.afters))
	}
}

func newModel(t *testing.T) *model {
	return &model{t: t, versions: make(map[int]uint32), parts: make(map[int]int), after: make(map[int]int),
		begun: make(map[int]bool)}
}

func FuzzPacer(f *testing.F) {
	f.Add([]byte{0, 1, 0, 0, 2, 8, 6, 0, 40})
	f.Fuzz(func(t *testing.T, ops []byte) {
		m := newModel(t)
		m.run(ops)
		m.end()
	})
}

func TestPacerKeepsItsPromises(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		ops := make([]byte, 3*1500)
		for i := range ops {
			ops[i] = byte(r.Uint32())
		}
		m := newModel(t)
		m.run(ops)
		m.end()
	}
}

// BenchmarkFiveThousandThings queues 5,000 things at random distances and lets them all go.
func BenchmarkFiveThousandThings(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 0))
	things := make([]Thing, 5000)
	for i := range things {
		things[i] = thing(Rest, i+1)
		things[i].Distance = r.Float32() * 300
	}
	b.ReportAllocs()
	for b.Loop() {
		var q Pacer
		sink := nullLane{}
		for _, t := range things {
			q.Pace(t)
		}
		for now := time.Duration(0); q.Len() > 0; now += window {
			if err := q.Flush(now, &sink); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/5000, "ns/thing")
}

// nullLane takes everything and is acked at once.
type nullLane struct{}

func (*nullLane) Unacked() int                                    { return 0 }
func (*nullLane) Push(protocol.Packet, int) (size int, err error) { return 9, nil }
