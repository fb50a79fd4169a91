package host_test

import (
	"encoding/binary"
	"net"
	"net/netip"
	"sync"
	"time"

	"darqline/client"
	"darqline/host/world"
	"darqline/protocol"
)

// rogue is a client that sends what it likes: it joins and acks as it has to, and the rest is the test's.
type rogue struct {
	b     *bubble
	conn  net.Conn
	hello protocol.ServerHello
	seq   uint32 // of its frames
	shots uint32 // rounds that it has fired
	event uint32 // the newest that it has sent
	last  uint32 // the newest that came in order; the reader's
	frame protocol.Frame
	done  chan struct{}

	mu  sync.Mutex
	got []protocol.Packet
}

// rogue joins with a name, spawns and arrives.
func (b *bubble) rogue(name string) *rogue {
	b.t.Helper()
	r := b.stranger(name)
	r.spawn()
	r.walk(nil)
	return r
}

// spawn asks for a spawn and does not arrive.
func (r *rogue) spawn() {
	r.b.t.Helper()
	r.send(&protocol.RequestSpawn{})
	spawn := waitFor[*protocol.SpawnPlayer](r).Spawn
	r.frame = protocol.Frame{Epoch: spawn.Epoch, Position: spawn.Position, Health: 100, Flags: protocol.FlagOnGround}
}

// stranger joins and does not spawn.
func (b *bubble) stranger(name string) *rogue {
	b.t.Helper()
	b.judge.expectsTrouble(name)
	conn, err := b.mem.DialPacket(netip.AddrFrom4([4]byte{10, 0, 9, byte(len(name))}), netip.AddrPortFrom(serverHost, 7777))
	if err != nil {
		b.t.Fatal(err)
	}
	r := &rogue{b: b, conn: conn, done: make(chan struct{})}
	go r.read()
	b.rogues = append(b.rogues, r)
	hello := &protocol.ClientHello{Version: protocol.Version, Nonce: 7, Name: name}
	r.raw(protocol.Header{}, hello)
	hello.Cookie = waitFor[*protocol.ConnectChallenge](r).Cookie
	r.raw(protocol.Header{}, hello)
	r.hello = *waitFor[*protocol.ServerHello](r)
	r.raw(protocol.Header{Token: r.hello.Token}, &protocol.ClientAck{})
	return r
}

// close ends the rogue.
func (r *rogue) close() {
	r.conn.Close()
	<-r.done
}

// read acks and keeps what comes.
func (r *rogue) read() {
	defer close(r.done)
	b, token := make([]byte, 2048), uint64(0)
	for {
		n, err := r.conn.Read(b)
		if err != nil {
			return
		}
		_, p, err := protocol.Decode(b[:n], protocol.ServerToClient)
		if err != nil {
			r.b.t.Errorf("the server sends what does not decode: %v", err)
			continue
		}
		if row, _ := protocol.Lookup(p.ID()); row.HasEvent() && !r.take(token, binary.LittleEndian.Uint32(b[protocol.EventOffsetServer:])) {
			continue
		}
		switch p := p.(type) {
		case *protocol.ServerHello:
			token = p.Token
		case *protocol.ServerKeepalive:
			if token != 0 {
				r.raw(protocol.Header{Token: token}, &protocol.ClientPong{Seq: p.Seq, Probe: p.Probe})
			}
		}
		r.mu.Lock()
		r.got = append(r.got, p)
		r.mu.Unlock()
	}
}

// take acks an event. It says whether it is the next one.
func (r *rogue) take(token uint64, event uint32) bool {
	next := event == r.last+1
	if next {
		r.last = event
	}
	if token != 0 {
		r.raw(protocol.Header{Token: token}, &protocol.ClientAck{Ack: r.last})
	}
	return next
}

// raw sends a packet as it is; what does not encode is the test's fault.
func (r *rogue) raw(h protocol.Header, p protocol.Packet) {
	b, err := protocol.Append(nil, h, p)
	if err != nil {
		r.b.t.Errorf("%v does not encode: %v", p.ID(), err)
		return
	}
	_, _ = r.conn.Write(b)
}

// send sends a packet with the rogue's token, on the lane where it belongs there.
func (r *rogue) send(p protocol.Packet) {
	h := protocol.Header{Token: r.hello.Token}
	if row, _ := protocol.Lookup(p.ID()); row.HasEvent() {
		r.event++
		h.Event = r.event
	}
	r.raw(h, p)
	time.Sleep(time.Millisecond) // so that it arrives before the next
}

// walk sends the next frame, 40 ms later. A change is of that frame alone.
func (r *rogue) walk(change func(f *protocol.Frame)) {
	time.Sleep(40 * time.Millisecond)
	r.seq++
	r.frame.Time += 40
	f := r.frame
	if change != nil {
		change(&f)
	}
	r.send(&protocol.PlayerSync{Seq: r.seq, Frame: f})
}

// hold takes a weapon in hand.
func (r *rogue) hold(w protocol.Weapon) {
	r.frame.Weapon = w
	r.walk(nil)
}

// all are the packets of a type that came.
func all[P protocol.Packet](r *rogue) (found []P) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.got {
		if p, ok := p.(P); ok {
			found = append(found, p)
		}
	}
	return found
}

// waitFor waits until a packet of a type has come, and gives the newest one.
func waitFor[P protocol.Packet](r *rogue) (found P) {
	r.b.t.Helper()
	r.b.eventually(5*time.Second, "a packet has come", func() bool {
		list := all[P](r)
		if len(list) > 0 {
			found = list[len(list)-1]
		}
		return len(list) > 0
	})
	return found
}

// do does something to the rogue's player, with the permit.
func (r *rogue) do(f func(tx world.Tx, p *world.Player)) {
	tx := r.b.host.World().Begin()
	defer tx.End()
	if p := tx.PlayerByID(r.hello.PlayerID); p != nil && p.Token == r.hello.PlayerToken {
		f(tx, p)
	}
}

// What others hear of fights is counted by kind.
func (p *person) Shot(protocol.RemoteWeaponShot)             { p.count("shot") }
func (p *person) Projectile(protocol.RemoteProjectileCreate) { p.count("projectile") }
func (p *person) StealthKill(protocol.RemoteStealthKill)     { p.count("stealth kill") }
func (p *person) Satchels(client.Satchels)                   { p.count("satchels") }
func (p *person) Wasted(protocol.PlayerWasted)               { p.count("wasted") }
func (p *person) Vitals(client.VitalsChange)                 { p.count("vitals") }

func (p *person) count(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard[what]++
}

// hears is how often something was heard.
func (p *person) hears(what string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.heard[what]
}

// deafen forgets what was heard.
func (p *person) deafen() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.heard)
}
