package bots

import (
	"time"

	"darqline/protocol"
)

// awayTime is how long a bot stays away: what was on its way to it has come by then.
const awayTime = 2 * time.Second

// stay sets when the bot goes again.
func (b *bot) stay(now time.Duration) {
	b.leaves = forever
	if stay := b.run.cfg.Stay; stay > 0 {
		b.leaves = now + stay/2 + time.Duration(b.random().Int64N(int64(stay)+1))
	}
}

// leave ends the session, to come again as somebody new with the same name.
func (b *bot) leave(now time.Duration) time.Duration {
	b.vanish()
	b.run.left++
	b.state = outside
	b.hello.packet.Nonce, b.hello.after = 0, now+awayTime
	b.byes, b.bye = byes, now
	return b.part(now)
}

// part says goodbye, more than once because it is not acknowledged, and waits.
func (b *bot) part(now time.Duration) time.Duration {
	if b.byes > 0 && now >= b.bye {
		b.byes, b.bye = b.byes-1, now+byeEvery
		b.send(&protocol.ClientBye{Reason: protocol.ByeQuit})
	}
	if b.byes == 0 {
		return b.hello.after
	}
	return b.bye
}
