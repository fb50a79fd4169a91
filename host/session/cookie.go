package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
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
	keys map[uint32][32]byte // by period of 120 s; the last two are kept
}

func (c *cookies) key(period uint32) ([32]byte, bool) {
	key, ok := c.keys[period]
	return key, ok
}

// rotate makes the key of the present period and forgets those before the last.
func (c *cookies) rotate(now time.Duration) {
	period := uint32(now / cookieKeyEvery)
	if _, ok := c.keys[period]; ok {
		return
	}
	if c.keys == nil {
		c.keys = make(map[uint32][32]byte)
	}
	var key [32]byte
	rand.Read(key[:])
	c.keys[period] = key
	for old := range c.keys {
		if old+1 < period {
			delete(c.keys, old)
		}
	}
}

func (c *cookies) issue(now time.Duration, from netip.AddrPort, nonce uint64) (cookie [24]byte) {
	c.rotate(now)
	issued := uint32(now / time.Second)
	key, _ := c.key(uint32(now / cookieKeyEvery))
	binary.LittleEndian.PutUint32(cookie[:], issued)
	copy(cookie[4:], cookieMAC(key, from, issued, nonce))
	return cookie
}

// valid is true for a cookie of this address and nonce that is at most 20 s old.
func (c *cookies) valid(now time.Duration, from netip.AddrPort, nonce uint64, cookie [24]byte) bool {
	issued := issuedAt(cookie)
	age := now - time.Duration(issued)*time.Second
	if age < 0 || age > cookieValid {
		return false
	}
	key, ok := c.key(issued / uint32(cookieKeyEvery/time.Second))
	return ok && hmac.Equal(cookie[4:], cookieMAC(key, from, issued, nonce))
}

// issuedAt is when a cookie was issued, in seconds since the server's start.
func issuedAt(cookie [24]byte) uint32 { return binary.LittleEndian.Uint32(cookie[:]) }

func cookieMAC(key [32]byte, from netip.AddrPort, issued uint32, nonce uint64) []byte {
	mac := hmac.New(sha256.New, key[:])
	var b [31]byte
	b[0] = byte(protocol.IDConnectChallenge)
	ip := from.Addr().As16()
	copy(b[1:], ip[:])
	binary.LittleEndian.PutUint16(b[17:], from.Port())
	binary.LittleEndian.PutUint32(b[19:], issued)
	binary.LittleEndian.PutUint64(b[23:], nonce)
	mac.Write(b[:])
	return mac.Sum(nil)[:20]
}
