package bots

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"darqline/client"
	"darqline/protocol"
	"darqline/protocol/lane"
)

// state is where a bot stands.
type state uint8

const (
	outside state = iota // on its way in
	preSpawn
	alive
	wasted
	gone
)

// unheard is why a bot ends its session whose events the server does not acknowledge.
const unheard = "nothing acknowledged"

const forever = time.Duration(1<<63 - 1)

// bot is one player: the client's side of a connection, and the body that walks.
type bot struct {
	run    *run
	number int // of its socket
	name   string
	rng    rand.PCG

	state     state
	hello     hello
	token     uint64
	nonces    []uint64 // of the hello that made or last moved the session, then of those that ask to move it
	timeout   time.Duration
	keepalive time.Duration
	heard     time.Duration // when the server was heard last
	probe     uint32        // seq of the newest keepalive
	out       *lane.Sender
	in        lane.Receiver

	id          uint16
	playerToken uint32
	pairs       []pair // by player_id

	body
	walker
	weapons
	seq    uint32 // of its frames
	sent   sent
	frames time.Duration // when the next one is due
	lines  time.Duration // when it says something
	said   uint32        // lines on this connection
	marks  []mark        // by player_id, where lines are numbered
	leaves time.Duration // when it goes, to come again
	byes   int           // that are still to be said
	bye    time.Duration // when the next one is due
}

func (b *bot) init(r *run, i int) {
	b.run, b.number = r, i
	b.name = fmt.Sprintf("%s%03d", r.cfg.Name, i+1)
	b.rng = *rand.NewPCG(r.cfg.Seed, uint64(i))
	b.walker.rng = *rand.NewPCG(r.cfg.Seed, uint64(i)+1<<32)
	b.spread = r.cfg.Spread
	b.hello.identify(b.name, b.random())
}

// random is the bot's own chance.
func (b *bot) random() *rand.Rand { return rand.New(&b.rng) }

// drive does what is due and gives the time of the next.
func (b *bot) drive(now time.Duration) time.Duration {
	switch {
	case b.state == gone:
		return forever
	case b.state == outside:
		return b.knock(now)
	case now-b.heard >= b.timeout:
		b.end("silence")
		return forever
	case b.out.Stalled(now):
		b.end(unheard)
		return forever
	case now >= b.leaves && b.run.phase == measuring:
		return b.leave(now)
	}
	next := min(b.heard+b.timeout, b.live(now), b.move(now))
	b.out.Flush(now, b.write)
	if at, ok := b.out.Next(); ok {
		next = min(next, at)
	}
	return next
}

func (b *bot) write(d []byte) { b.run.group.Send(b.number, d) }

// send sends a packet off the lane.
func (b *bot) send(p protocol.Packet) {
	if d := b.encode(p); d != nil {
		b.write(d)
	}
}

// push puts a packet on the lane; the next drive sends it.
func (b *bot) push(now time.Duration, p protocol.Packet) {
	if d := b.encode(p); d != nil {
		_, droppable := p.(*protocol.DamageReport)
		if _, err := b.out.Push(now, d, droppable); err != nil && !droppable {
			b.end(unheard)
		}
		b.run.unacked = max(b.run.unacked, b.out.Unacked())
	}
}

func (b *bot) encode(p protocol.Packet) []byte {
	d, err := b.run.codec.Append(b.run.scratch[:0], protocol.Header{Token: b.token}, p)
	if err != nil {
		b.run.malformed++
		return nil
	}
	b.run.scratch = d
	return d
}

// receive takes a datagram that is no frame. What is malformed is dropped whole, and counted.
func (b *bot) receive(now time.Duration, d []byte) {
	h, row, err := protocol.Peek(d, protocol.ServerToClient)
	if err != nil {
		b.run.malformed++
		return
	}
	if b.state == gone || b.shake(now, h.ID, d) || b.state == outside {
		return
	}
	b.hear(now)
	if row.HasEvent() {
		deliver := b.in.Accept(h.Event)
		b.send(&protocol.ClientAck{Ack: b.in.Ack()}) // for every one, delivered or not
		if !deliver {
			return
		}
	}
	if !b.scope(h.ID, d) && wanted[h.ID] {
		if _, p, err := protocol.Decode(d, protocol.ServerToClient); err != nil {
			b.run.malformed++
		} else {
			b.apply(now, p)
		}
	}
}

// scope takes what changes who is in scope; it looks no further than at whom it is about.
func (b *bot) scope(id protocol.ID, d []byte) bool {
	switch id {
	case protocol.IDPlayerSpawned, protocol.IDPlayerStreamOut, protocol.IDPlayerLeave:
	default:
		return false
	}
	subject, token := binary.LittleEndian.Uint16(d[5:]), binary.LittleEndian.Uint32(d[7:])
	if int(subject) >= len(b.pairs) {
		return true
	}
	if p := &b.pairs[subject]; id == protocol.IDPlayerSpawned {
		*p = pair{token: token}
	} else if p.token == token {
		*p = pair{}
	}
	return true
}

// wanted are the packets that a bot reads whole; of the others it only acknowledges what is on the lane.
var wanted = [256]bool{
	protocol.IDServerAck: true, protocol.IDServerKeepalive: true,
	protocol.IDSpawnPlayer: true, protocol.IDRespawnPlayer: true, protocol.IDPlayerWasted: true,
	protocol.IDTeleportPlayer: true, protocol.IDScopeChanged: true, protocol.IDSetFrozen: true,
	protocol.IDSetHealth: true, protocol.IDSetArmor: true, protocol.IDGiveHealth: true, protocol.IDGiveArmor: true,
	protocol.IDGiveWeapon: true, protocol.IDTakeWeapon: true, protocol.IDSetWeaponAmmo: true, protocol.IDClearWeapons: true,
	protocol.IDSetArmedWeapon: true, protocol.IDChatMessage: true,
}

// apply does what a packet says.
func (b *bot) apply(now time.Duration, p protocol.Packet) {
	switch p := p.(type) {
	case *protocol.ServerAck:
		_ = b.out.Ack(now, p.Ack) // one of what was not sent is ignored
	case *protocol.ServerKeepalive:
		if int32(p.Seq-b.probe) > 0 {
			b.probe = p.Seq
			b.send(&protocol.ClientPong{Seq: p.Seq, Probe: p.Probe})
			if p.Ping != protocol.NoPing {
				ping := time.Duration(p.Ping) * time.Millisecond
				b.out.RTT(ping)
				b.run.pings.add(ping)
			}
		}
	case *protocol.ChatMessage:
		if b.run.cfg.Numbered {
			b.hearLine(p)
		}
	default:
		if !b.applyBody(now, p) {
			b.weapons.apply(p)
		}
	}
}

// end ends the session for a reason that is not the bot's own.
func (b *bot) end(why string) {
	if b.state == gone {
		return
	}
	if b.state == outside {
		b.run.refused++
	} else {
		b.vanish()
		b.run.ended++
	}
	b.state = gone
	b.run.ends[why]++
}

// vanish takes the bot out of the game.
func (b *bot) vanish() {
	if b.state != preSpawn {
		b.run.in--
	}
	b.run.byID[b.id] = nil
	b.run.lane.add(b.out.Stats())
}

// endBy is the same for what the server has said.
func (b *bot) endBy(e *client.EndError) {
	why := e.Reason.String()
	if e.Text != "" {
		why += ": " + e.Text
	}
	b.end(why)
}
