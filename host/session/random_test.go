package session

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"darqline/protocol"
)

var datagrams = flag.Int("datagrams", 200_000, "random and mutated datagrams of TestRandomDatagrams")

// TestRandomDatagrams throws random and mutated datagrams at sessions with players in them, from strangers, from ports
// beside the players', in the players' name without their token, and from one who is connected. Nobody gets in without his
// cookie, nobody is thrown out by others, no stranger is sent more than he sent, and the heap stays as it was.
func TestRandomDatagrams(t *testing.T) {
	crowds := make([]*rabble, runtime.GOMAXPROCS(0))
	for i := range crowds {
		crowds[i] = newRabble(t, uint64(i))
	}
	const chunk = 10_000
	least := heapNow()
	for done := 0; done < *datagrams; {
		n := min(chunk, (*datagrams-done+len(crowds)-1)/len(crowds))
		var all sync.WaitGroup
		for _, c := range crowds {
			all.Go(func() { c.throw(n) })
		}
		all.Wait()
		for _, c := range crowds {
			if c.fault != "" {
				t.Fatalf("seed %d, after %d datagrams: %s", c.seed, c.thrown, c.fault)
			}
			c.rest()
		}
		if done += n * len(crowds); done <= *datagrams/10 {
			least = heapNow() // what grows once is there
		}
	}
	end := heapNow()
	if end > least+2<<20 {
		t.Errorf("the heap has %d KiB, had %d", end>>10, least>>10)
	}
	var stats Stats
	rejoined := 0
	for _, c := range crowds {
		s := c.r.s.Stats()
		stats.PacketsIn += s.PacketsIn
		stats.Malformed += s.Malformed
		stats.Strayed += s.Strayed
		stats.UnknownToken += s.UnknownToken
		stats.Challenges += s.Challenges
		rejoined += c.rejoined
	}
	t.Logf("%d datagrams, of which %d had a live token from elsewhere, %d an unknown one, %d were challenged, %d malformed ones of who is in; he was thrown out %d times; heap %d KiB, before %d",
		stats.PacketsIn, stats.Strayed, stats.UnknownToken, stats.Challenges, stats.Malformed, rejoined, end>>10, least>>10)
}

func heapNow() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// rabble is one server with three players who only say that they are there, one who sends whatever he likes, and strangers.
type rabble struct {
	r      *rig
	random *rand.Rand
	seed   uint64

	conns     []*Conn // of players, the last that of who sends what he likes
	tokens    []uint64
	addresses []netip.AddrPort
	cookies   [][24]byte // given to strangers, who never use their own

	golden [][]byte
	noise  []byte
	buf    []byte

	thrown, rejoined int
	out              int // bytes to strangers for the datagram that is being received
	second           time.Duration
	fault            string
}

func newRabble(t *testing.T, seed uint64) *rabble {
	c := &rabble{random: rand.New(rand.NewPCG(seed, 1)), seed: seed, addresses: []netip.AddrPort{alice, bob, carol, dave},
		noise: make([]byte, 1<<17), buf: make([]byte, 0, 1<<16)}
	for i := 0; i < len(c.noise); i += 8 {
		binary.LittleEndian.PutUint64(c.noise[i:], c.random.Uint64())
	}
	files, err := filepath.Glob("../../fixtures/protocol/*.bin")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden packets: ", err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if row, ok := protocol.Lookup(protocol.ID(b[0])); ok && row.Direction != protocol.ServerToClient {
			c.golden = append(c.golden, b)
		}
	}
	c.r = newRig(t, func(cfg *Config) {
		asking(cfg)
		cfg.Logger = slog.New(slog.DiscardHandler)
		cfg.Send = c.sent
	})
	for i, name := range []string{"Alice", "Bobby", "Carol", "Dave"} {
		conn, token := c.r.join(c.addresses[i], uint64(i+1), name)
		c.conns, c.tokens = append(c.conns, conn), append(c.tokens, token)
	}
	return c
}

// sent is the network: players hear, strangers are counted and their cookies kept.
func (c *rabble) sent(to netip.AddrPort, b []byte, _ int) {
	for _, a := range c.addresses {
		if a == to {
			c.r.sent = append(c.r.sent, datagram{to, bytes.Clone(b)})
			return
		}
	}
	c.out += len(b)
	switch protocol.ID(b[0]) {
	case protocol.IDConnectChallenge:
		if _, p, err := protocol.Decode(b, protocol.ServerToClient); err == nil && len(c.cookies) < 64 {
			c.cookies = append(c.cookies, p.(*protocol.ConnectChallenge).Cookie)
		}
	case protocol.IDServerQuery:
	default:
		c.failf("%v, a stranger, is sent %x", to, b)
	}
}

func (c *rabble) failf(format string, args ...any) {
	if c.fault == "" {
		c.fault = fmt.Sprintf(format, args...)
	}
}

// throw throws n datagrams.
func (c *rabble) throw(n int) {
	for range n {
		if c.fault != "" {
			return
		}
		c.r.now += time.Duration(c.random.UintN(40)) * time.Microsecond
		if c.r.now >= c.second {
			c.tick()
		}
		from, b := c.next()
		c.out = 0
		c.r.s.Receive(c.r.now, from, b)
		c.thrown++
		if c.out > len(b) {
			c.failf("%d bytes answer %d bytes of %v: %x", c.out, len(b), from, b)
		}
	}
}

// next is who sends what.
func (c *rabble) next() (from netip.AddrPort, b []byte) {
	dice := c.random.Uint64()
	from = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(dice >> 8), byte(dice >> 16), byte(dice >> 24)}), uint16(dice>>32))
	who := int(dice>>48) % len(c.tokens)
	token := c.tokens[who]
	if dice>>50&7 == 0 {
		from = netip.AddrPortFrom(c.addresses[who].Addr(), uint16(dice>>32)|1) // beside a player
	}
	switch dice & 7 {
	case 0: // anything
		n := c.random.IntN(1300)
		if n == 0 {
			n = c.random.IntN(65508)
		}
		at := c.random.IntN(len(c.noise) - n)
		return from, c.noise[at : at+n]
	case 1: // a packet's id and size
		row := clientRows[c.random.IntN(len(clientRows))]
		n := row.Min + c.random.IntN(row.Max-row.Min+1)
		at := c.random.IntN(len(c.noise) - n)
		b = append(c.buf[:0], c.noise[at:at+n]...)
		b[0] = byte(row.ID)
		if dice&8 != 0 {
			binary.LittleEndian.PutUint64(b[1:], token)
		}
		return from, b
	case 2: // a hello with a cookie that is another's
		hello := protocol.ClientHello{Version: protocol.Version, Nonce: dice | 1, Name: "Mallory", Resume: token & -(dice >> 3 & 1)}
		if len(c.cookies) > 0 && dice&16 != 0 {
			hello.Cookie = c.cookies[c.random.IntN(len(c.cookies))]
			if dice&32 != 0 {
				hello.Cookie[c.random.IntN(24)]++
			}
		}
		b, _ = protocol.Append(c.buf[:0], protocol.Header{}, &hello)
		return from, b
	case 3: // in a player's name, with a token that nobody has
		from, token = c.addresses[who], dice|1
	case 4, 5: // who is in
		who = len(c.tokens) - 1
		from, token = c.addresses[who], c.tokens[who]
	}
	return from, c.mutated(token)
}

// mutated is a golden packet with a token, and up to three changes.
func (c *rabble) mutated(token uint64) []byte {
	b := append(c.buf[:0], c.golden[c.random.IntN(len(c.golden))]...)
	if id := protocol.ID(b[0]); id != protocol.IDClientHello && id != protocol.IDServerQuery {
		binary.LittleEndian.PutUint64(b[1:], token)
	}
	for range c.random.IntN(4) {
		at := c.random.IntN(len(b))
		if at > 0 && at < 9 && c.random.IntN(4) > 0 {
			continue // most keep the token
		}
		switch c.random.IntN(8) {
		case 0:
			b = b[:max(at, 1)]
		case 1:
			b = append(b, c.noise[at:at+1+c.random.IntN(64)]...)
		case 2:
			b[at] = 0
		case 3:
			b[at] = 0xFF
		case 4:
			b[at]++
		case 5:
			b[at]--
		default:
			b[at] ^= 1 << c.random.IntN(8)
		}
	}
	return b
}

// tick does what is done from time to time: the loop's tick, what the players say, and a look whether all is well.
func (c *rabble) tick() {
	c.second = c.r.now + 100*time.Millisecond
	for i, token := range c.tokens[:3] {
		b, _ := protocol.Append(c.buf[:0], protocol.Header{Token: token}, &protocol.ClientPong{Seq: uint32(c.random.UintN(100))})
		c.r.s.Receive(c.r.now, c.addresses[i], b)
	}
	c.r.s.Tick(c.r.now)
	c.r.sent = c.r.sent[:0]
	for _, e := range c.r.s.Events(nil) {
		last := c.conns[len(c.conns)-1]
		if e.Conn != last || e.Kind != Received && e.Kind != Left {
			c.failf("event %d: %+v", e.Kind, e)
		}
	}
	in := c.r.s
	for i, conn := range c.conns[:3] {
		if in.conns[c.tokens[i]] != conn || conn.state != Joined || conn.addr != c.addresses[i] {
			c.failf("%s is not in any more, or elsewhere", conn.name)
		}
	}
	if len(in.conns) > len(c.conns) || len(in.attempts)+len(in.verdicts.of) > 0 || len(in.tombs) > 1 {
		c.failf("%d connections, %d attempts, %d verdicts, %d that have ended", len(in.conns), len(in.attempts), len(in.verdicts.of), len(in.tombs))
	}
}

// rest lets the one who was thrown out come back.
func (c *rabble) rest() {
	last := len(c.conns) - 1
	if c.conns[last].state != Closing {
		return
	}
	c.tick()
	c.r.s.Release(c.conns[last])
	for range 60 { // until an attempt is free again and what ended is forgotten
		c.r.now += 100 * time.Millisecond
		c.tick()
	}
	c.r.sent = nil
	c.conns[last], c.tokens[last] = c.r.join(c.addresses[last], uint64(c.rejoined+10), "Dave")
	c.r.events()
	c.rejoined++
	c.r.now += verdictFor
}
