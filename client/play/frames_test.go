package play

import (
	"testing"

	"github.com/coder/websocket"

	"darqline/client"
	"darqline/protocol"
)

// TestFrames: pages get the newest frame of each player, together, and one that is behind gets none in vain.
func TestFrames(t *testing.T) {
	m := newModel("", "")
	p := &page{queue: make(chan outgoing, pageQueue), cancel: func() { t.Error("a page was cut off by frames") }}
	m.join(p)
	<-p.queue // the state
	m.flushFrames()
	if len(p.queue) != 0 {
		t.Fatal("a message without a frame")
	}
	h := &handler{m: m}
	for id := range uint16(3) {
		h.Remote(client.Remote{ID: id, Token: 100, Shown: true})
		<-p.queue // ped
	}
	var f protocol.Frame
	for x := range 5 {
		f.Position.X = float32(x)
		h.Frame(1, 100, &f)
	}
	m.flushFrames()
	out := <-p.queue
	if out.kind != websocket.MessageBinary || len(out.data) != 3*frameSize || len(p.queue) != 0 {
		t.Fatalf("%v of %d bytes, and %d more", out.kind, len(out.data), len(p.queue))
	}
	found := false
	for at := 0; at < len(out.data); at += frameSize {
		_, packet, err := protocol.Decode(out.data[at:at+frameSize], protocol.ServerToClient)
		if err != nil {
			t.Fatal(err)
		}
		sync := packet.(*protocol.RemotePlayerSync)
		found = found || sync.PlayerID == 1 && sync.PlayerToken == 100 && sync.Frame == f
	}
	if !found {
		t.Error("the newest frame of player 1 is not among them")
	}
	h.Remote(client.Remote{ID: 1, Token: 100})
	for range pageQueue {
		h.Frame(2, 100, &f)
		m.flushFrames()
	}
	if len(p.queue) > pageQueue/2 {
		t.Errorf("%d messages wait for a page that does not read", len(p.queue))
	}
	later := &page{queue: make(chan outgoing, pageQueue)}
	m.join(later)
	<-later.queue
	if out := <-later.queue; len(out.data) != 2*frameSize {
		t.Errorf("a page that comes later gets %d bytes of frames, expected those of 2 players", len(out.data))
	}
}

// TestOwnFrames: a second page sees how the first one moves the player; a frame of an old epoch is nobody's.
func TestOwnFrames(t *testing.T) {
	m := newModel("", "")
	p := &page{queue: make(chan outgoing, pageQueue)}
	m.join(p)
	standing(m, newFakeSession(), 1, 2)
	m.moved(protocol.Frame{Position: protocol.Vec3{X: 3}})
	m.flushFrames()
	told(p)
	second := &page{queue: make(chan outgoing, pageQueue)}
	m.join(second)
	<-second.queue
	m.moved(protocol.Frame{Position: protocol.Vec3{X: 4}})
	m.moved(protocol.Frame{Epoch: 9, Position: protocol.Vec3{X: 5}})
	m.flushFrames()
	_, packet, err := protocol.Decode((<-second.queue).data, protocol.ServerToClient)
	if err != nil {
		t.Fatal(err)
	}
	if got := packet.(*protocol.RemotePlayerSync); got.PlayerID != 0 || got.PlayerToken != ownToken || got.Frame.Position.X != 4 {
		t.Errorf("the second page gets %+v", got)
	}
}

// BenchmarkFrames is one beat of 200 players for one page.
func BenchmarkFrames(b *testing.B) {
	m := newModel("", "")
	p := &page{queue: make(chan outgoing, pageQueue)}
	m.join(p)
	var f protocol.Frame
	b.ReportAllocs()
	for b.Loop() {
		for id := range uint16(200) {
			m.framed(id, 100, &f)
		}
		m.flushFrames()
		for len(p.queue) > 0 {
			b.SetBytes(int64(len((<-p.queue).data)))
		}
	}
}
