package bots

import (
	"encoding/binary"
	"math"
	"time"

	"darqline/protocol"
)

const (
	frameSize = 61 // bytes of a RemotePlayerSync
	nearBy    = 95 // metres: within 100 a viewer is due every frame; the rest is for steps that cross
	decodeOne = 64 // of so many frames one is decoded whole
)

func isFrame(d []byte) bool {
	return len(d) == frameSize && protocol.ID(d[0]) == protocol.IDRemotePlayerSync
}

// sendFrame takes a step and tells where it led.
func (b *bot) sendFrame(now time.Duration) {
	every := time.Second / time.Duration(b.run.cfg.Rate)
	if b.state == wasted {
		every = wastedEvery
	} else if !b.frozen && !b.fallen {
		b.walk(now - b.walked)
	}
	b.walked = now
	b.frames = b.nextFrame(now, every)
	p := &b.run.own
	f := &p.Frame
	b.walker.frame(f, now)
	if b.state == wasted || b.frozen || b.fallen {
		f.Velocity, f.Keys, f.MoveX, f.MoveY = [3]int16{}, 0, 0, 0
	}
	b.hold(f, now)
	f.Epoch, f.Interior = b.epoch, b.interior
	f.Health, f.Armor = roundedUp(b.health), roundedUp(b.armor)
	b.seq++
	p.Seq, f.Time = b.seq, uint16(now.Milliseconds())
	d := b.encode(p)
	if d == nil {
		return
	}
	if b.state == alive { // of the dead ones the server relays some only
		b.sent.add(f.Time, time.Now().UnixNano())
	}
	b.run.sent++
	b.write(d)
}

// nextFrame is when the next frame is due. What was missed is not made up for, and each bot keeps to its own moments: were
// they to fall together, the server's sends would too.
func (b *bot) nextFrame(now, every time.Duration) time.Duration {
	if b.arrives {
		b.arrives = false
		return now + every/2 + time.Duration(b.random().Int64N(int64(every)))
	}
	next := b.frames + every
	if late := now + every/2 - next; late > 0 {
		next += (late + every - 1) / every * every
	}
	return next
}

// receiveFrame takes another's frame without decoding it: who, when and where stand at known places.
func (b *bot) receiveFrame(now time.Duration, d []byte, at int64) {
	r := b.run
	b.hear(now)
	if r.heard++; r.heard%decodeOne == 0 {
		if _, err := r.codec.DecodeInto(d, protocol.ServerToClient, &r.remote); err != nil {
			r.malformed++
		}
	}
	id, token := binary.LittleEndian.Uint16(d[1:]), binary.LittleEndian.Uint32(d[3:])
	if int(id) >= len(b.pairs) || int(id) >= len(r.byID) {
		return
	}
	p, subject := &b.pairs[id], r.byID[id]
	if p.token != token || subject == nil || subject.playerToken != token {
		return
	}
	number, left, ok := subject.sent.find(binary.LittleEndian.Uint16(d[11:]))
	if !ok || number <= p.last {
		return // one of the server's own, or one that was there already
	}
	near := b.near(d)
	if p.last != 0 && p.near && near { // a first one may be older than the scope
		r.count(&subject.sent, p, number, time.Duration(at-left))
	}
	p.last, p.near = number, near
}

// near says whether a frame is of a place near the bot.
func (b *bot) near(d []byte) bool {
	coordinate := func(at int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(d[at:])))
	}
	x, y, z := coordinate(15)-b.at.x, coordinate(19)-b.at.y, coordinate(23)-float64(b.z)
	return x*x+y*y+z*z < nearBy*nearBy
}
