package session

import (
	"net/netip"
	"time"

	"darqline/protocol"
)

var (
	bob   = netip.MustParseAddrPort("192.0.2.2:5000")
	carol = netip.MustParseAddrPort("192.0.2.3:5000")
	dave  = netip.MustParseAddrPort("192.0.2.4:5000")
)

// prove gives a hello its cookie.
func (r *rig) prove(from netip.AddrPort, m *protocol.ClientHello) {
	r.t.Helper()
	m.Version, m.Cookie = protocol.Version, [24]byte{}
	r.sent = nil
	r.receive(from, 0, 0, m)
	challenges := take[*protocol.ConnectChallenge](r, from)
	if len(challenges) != 1 {
		r.t.Fatalf("%d challenges for a hello without a cookie", len(challenges))
	}
	m.Cookie = challenges[0].Cookie
}

// knock sends a proven hello and gives all that is answered, with the verdict of the scripts.
func (r *rig) knock(from netip.AddrPort, m protocol.ClientHello, v Verdict) (*protocol.ServerHello, *protocol.ConnectReject) {
	r.t.Helper()
	r.prove(from, &m)
	r.receive(from, 0, 0, &m)
	r.decide(v)
	return r.answer(from)
}

// answer is what was sent last to an address that asked: one of the two, or nothing.
func (r *rig) answer(to netip.AddrPort) (hello *protocol.ServerHello, reject *protocol.ConnectReject) {
	r.t.Helper()
	sent := r.sent
	for _, p := range take[*protocol.ServerHello](r, to) {
		hello = p
	}
	r.sent = sent
	for _, p := range take[*protocol.ConnectReject](r, to) {
		reject = p
	}
	if hello != nil && reject != nil {
		r.t.Fatalf("both %+v and %+v", hello, reject)
	}
	return hello, reject
}

// reject is the answer to a hello that must be refused.
func (r *rig) reject(from netip.AddrPort, nonce uint64, name string) *protocol.ConnectReject {
	r.t.Helper()
	hello, reject := r.knock(from, protocol.ClientHello{Nonce: nonce, Name: name}, Verdict{})
	if reject == nil {
		r.t.Fatalf("%s was not refused: %+v", name, hello)
	}
	return reject
}

func (r *rig) bye(from netip.AddrPort, token uint64) {
	r.t.Helper()
	r.receive(from, token, 0, &protocol.ClientBye{Reason: protocol.ByeQuit})
}

// pong keeps a connection from being silent.
func (r *rig) pong(from netip.AddrPort, token uint64) {
	r.t.Helper()
	r.receive(from, token, 0, &protocol.ClientPong{Seq: 1})
}

// stay lets time pass in which the connections speak.
func (r *rig) stay(d time.Duration, tokens map[uint64]netip.AddrPort) {
	r.t.Helper()
	for ; d > 0; d -= time.Second {
		r.advance(min(d, time.Second))
		for token, addr := range tokens {
			r.pong(addr, token)
		}
	}
}

// lefts are the leaves among what has happened.
func (r *rig) lefts() (list []Event) {
	for _, e := range r.events() {
		if e.Kind == Left {
			list = append(list, e)
		}
	}
	return list
}

// countKicks counts the KickNotify that go out, by reason.
func countKicks(told map[protocol.Reason]int, send func(netip.AddrPort, []byte, int)) func(netip.AddrPort, []byte, int) {
	return func(to netip.AddrPort, b []byte, segment int) {
		if _, p, err := protocol.Decode(b, protocol.ServerToClient); err == nil {
			if p, ok := p.(*protocol.KickNotify); ok {
				told[p.Reason]++
			}
		}
		send(to, b, segment)
	}
}
