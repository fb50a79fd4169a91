package play

import (
	"context"
	"time"

	"darqline/protocol"
)

// frameInterval is how often pages get the frames that came: 25 Hz.
const frameInterval = 40 * time.Millisecond

// framed takes the newest frame of a player in view, or of the own one.
func (m *model) framed(id uint16, token uint32, f *protocol.Frame) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := &m.world
	kept := w.frames[id]
	if kept == nil {
		kept = &protocol.RemotePlayerSync{PlayerID: id}
		w.frames[id] = kept
	}
	if kept.PlayerToken != token {
		kept.PlayerToken, kept.Seq = token, 0
	}
	kept.Seq++
	kept.Frame = *f
	w.fresh[id] = struct{}{}
}

// moved takes the own player's movement: other pages are to see it.
func (m *model) moved(f protocol.Frame) {
	m.mu.Lock()
	w := &m.world
	if w.self == nil || !w.placed || f.Epoch != w.own.Epoch {
		m.mu.Unlock()
		return
	}
	w.own = f
	id, token, several := w.self.ID, w.token, len(m.pages) > 1
	m.mu.Unlock()
	if several {
		m.framed(id, token, &f)
	}
}

// flushFrames sends what is fresh to all pages, in one message: RemotePlayerSync packets, one after the other. What a
// page cannot take now is made up for by the next one.
func (m *model) flushFrames() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.world.fresh) == 0 {
		return
	}
	if len(m.pages) > 0 {
		data := make([]byte, 0, len(m.world.fresh)*frameSize)
		for id := range m.world.fresh {
			data = appendFrame(data, m.world.frames[id])
		}
		for p := range m.pages {
			p.offer(data)
		}
	}
	clear(m.world.fresh)
}

// allFrames is the message for a page that has just connected; nil without a frame. The lock is held.
func (m *model) allFrames() []byte {
	var data []byte
	for _, f := range m.world.frames {
		data = appendFrame(data, f)
	}
	return data
}

const frameSize = 61 // of a RemotePlayerSync

func appendFrame(data []byte, f *protocol.RemotePlayerSync) []byte {
	data, err := protocol.Append(data, protocol.Header{ID: f.ID()}, f)
	if err != nil {
		panic("play: a decoded frame cannot be encoded: " + err.Error())
	}
	return data
}

// beat runs until the context ends: it relays frames to the pages and lets things fly, burn and hurt.
func (s *seat) beat(ctx context.Context) {
	ticker := time.NewTicker(frameInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			s.model.flushFrames()
			s.suffer(now, s.model.fly(now))
		}
	}
}
