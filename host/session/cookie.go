package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"net/netip"
	"time"

	"darqline/protocol"
)

// The life of cookies and their keys (page Connection, Handshake).
const (
	cookieKeyEvery = 120 * time.Second
	cookieValid    = 20 * time.Second
)

// cookies makes and checks the proof that a peer can read at the address it writes from. Nothing is kept for each
// request: the cookie is a MAC over the address, the nonce and the second of its issue.
type cookies struct {
	keys map[uint32]*cookieKey // by period of 120 s; the last two are kept
	in   [31]byte
	sum  [sha256.Size]byte
}

type cookieKey struct {
	key [32]byte
	mac hash.Hash // with it
}

func (c *cookies) key(period uint32) ([32]byte, bool) {
	if k := c.keys[period]; k != nil {
		return k.key, true
	}
	return [32]byte{}, false
}

// rotate makes the key of the present period and forgets those before the last.
func (c *cookies) rotate(now time.Duration) {
	period := uint32(now / cookieKeyEvery)
	if c.keys[period] != nil {
		return
	}
	if c.keys == nil {
		c.keys = make(map[uint32]*cookieKey)
	}
	k := new(cookieKey)
	rand.Read(k.key[:])
	k.mac = hmac.New(sha256.New, k.key[:])
	c.keys[period] = k
	for old := range c.keys {
		if old+1 < period {
			delete(c.keys, old)
		}
	}
}

func (c *cookies) issue(now time.Duration, from netip.AddrPort, nonce uint64) (cookie [24]byte) {
	c.rotate(now)
	issued := uint32(now / time.Second)
	binary.LittleEndian.PutUint32(cookie[:], issued)
	copy(cookie[4:], c.mac(c.keys[uint32(now/cookieKeyEvery)], from, issued, nonce))
	return cookie
}

// valid is true for a cookie of this address and nonce that is at most 20 s old.
func (c *cookies) valid(now time.Duration, from netip.AddrPort, nonce uint64, cookie *[24]byte) bool {
	issued := issuedAt(*cookie)
	age := now - time.Duration(issued)*time.Second
	if age < 0 || age > cookieValid || *cookie == [24]byte{} {
		return false
	}
	key := c.keys[issued/uint32(cookieKeyEvery/time.Second)]
	return key != nil && hmac.Equal(cookie[4:], c.mac(key, from, issued, nonce))
}

// issuedAt is when a cookie was issued, in seconds since the server's start.
func issuedAt(cookie [24]byte) uint32 { return binary.LittleEndian.Uint32(cookie[:]) }

// mac is valid until the next one.
func (c *cookies) mac(key *cookieKey, from netip.AddrPort, issued uint32, nonce uint64) []byte {
	c.in[0] = byte(protocol.IDConnectChallenge)
	ip := from.Addr().As16()
	copy(c.in[1:], ip[:])
	binary.LittleEndian.PutUint16(c.in[17:], from.Port())
	binary.LittleEndian.PutUint32(c.in[19:], issued)
	binary.LittleEndian.PutUint64(c.in[23:], nonce)
	key.mac.Reset()
	key.mac.Write(c.in[:])
	return key.mac.Sum(c.sum[:0])[:20]
}
