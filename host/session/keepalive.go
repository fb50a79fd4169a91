package session

import (
	"math/rand/v2"
	"time"

	"darqline/protocol"
)

// probes measure the round trip by ServerKeepalive and ClientPong (page Connection, Keepalive and ping).
type probes struct {
	seq      uint32
	sent     [32]probe // the last 32; the last 16 may still be answered
	measured bool
	ping     time.Duration
	jitter   time.Duration
}

type probe struct {
	seq, value uint32
	at         time.Duration
	answered   bool
}

const (
	answerable = 16
	probeLost  = 2 * time.Second
)

func (p *probes) make(now time.Duration) *probe {
	p.seq++
	at := &p.sent[p.seq%uint32(len(p.sent))]
	*at = probe{seq: p.seq, value: rand.Uint32(), at: now}
	return at
}

// pong takes an answer: only a pair that was sent, lately, and not answered yet counts.
func (p *probes) pong(now time.Duration, seq, value uint32) (time.Duration, bool) {
	at := &p.sent[seq%uint32(len(p.sent))]
	if seq == 0 || at.seq != seq || at.value != value || at.answered || p.seq-seq >= answerable {
		return 0, false
	}
	at.answered = true
	sample := now - at.at
	if !p.measured {
		p.measured, p.ping, p.jitter = true, sample, sample/2
		return sample, true
	}
	deviation := sample - p.ping
	if deviation < 0 {
		deviation = -deviation
	}
	p.jitter = (3*p.jitter + deviation) / 4
	p.ping = (7*p.ping + sample) / 8
	return sample, true
}

// excuse takes the server's own pause out of the round trips that it has lengthened.
func (p *probes) excuse(now, late time.Duration) {
	for i := range p.sent {
		if at := &p.sent[i]; !at.answered {
			at.at = min(now, at.at+late)
		}
	}
}

// loss is the share of the last 32 probes that are older than 2 s and unanswered, in percent.
func (p *probes) loss(now time.Duration) int {
	old, lost := 0, 0
	for _, at := range p.sent {
		if at.seq != 0 && now-at.at > probeLost {
			old++
			if !at.answered {
				lost++
			}
		}
	}
	if old == 0 {
		return 0
	}
	return lost * 100 / old
}

func (c *Conn) sendKeepalive(now time.Duration) {
	probe := c.probes.make(now)
	p := protocol.ServerKeepalive{
		Seq: probe.seq, Probe: probe.value, ServerTime: uint32(now / time.Millisecond), Ping: 0xFFFF,
		Loss: uint8(c.probes.loss(now)),
	}
	if c.probes.measured {
		p.Ping = uint16(min(c.probes.ping/time.Millisecond, 0xFFFE))
	}
	c.s.send(c.addr, protocol.Header{}, &p)
	c.keepalive = now + c.every
}
