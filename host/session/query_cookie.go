package session

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"hash"
	"net/netip"
	"time"

	"darqline/protocol"
)

// queryWindow is how long one cookie of the query is given out; it is taken in the next window, too.
const queryWindow = 32 * time.Second

// queryCookies makes and checks what proves an asker's address: 8 bytes of a MAC over the address and the window, with
// the handshake's key of the moment at which the window was first used. Nothing is kept for an asker.
type queryCookies struct {
	window    uint32    // the newest one that was used
	this, old hash.Hash // of it and of the one before; nil: there was no use of it
	in        [23]byte
	sum       [sha256.Size]byte
	got       [8]byte
}

// issue gives the cookie of this window.
func (c *queryCookies) issue(now time.Duration, keys *cookies, from netip.AddrPort) uint64 {
	c.advance(now, keys)
	c.mac(c.this, c.window, from)
	return binary.LittleEndian.Uint64(c.sum[:])
}

// valid is true for a cookie of this window and the last, and this address.
func (c *queryCookies) valid(now time.Duration, keys *cookies, from netip.AddrPort, cookie uint64) bool {
	c.advance(now, keys)
	binary.LittleEndian.PutUint64(c.got[:], cookie)
	if c.mac(c.this, c.window, from); subtle.ConstantTimeCompare(c.sum[:8], c.got[:]) == 1 {
		return true
	}
	if c.old == nil {
		return false
	}
	c.mac(c.old, c.window-1, from)
	return subtle.ConstantTimeCompare(c.sum[:8], c.got[:]) == 1
}

// advance begins the window of now where it has not begun.
func (c *queryCookies) advance(now time.Duration, keys *cookies) {
	window := uint32(now / queryWindow)
	if c.this != nil && window == c.window {
		return
	}
	if c.old = nil; c.this != nil && window == c.window+1 {
		c.old = c.this
	}
	keys.rotate(now)
	key, _ := keys.key(uint32(now / cookieKeyEvery))
	c.this, c.window = hmac.New(sha256.New, key[:]), window
}

// mac leaves in sum the MAC of an address in a window.
func (c *queryCookies) mac(h hash.Hash, window uint32, from netip.AddrPort) {
	c.in[0] = byte(protocol.IDServerQuery)
	ip := from.Addr().As16()
	copy(c.in[1:], ip[:])
	binary.LittleEndian.PutUint16(c.in[17:], from.Port())
	binary.LittleEndian.PutUint32(c.in[19:], window)
	h.Reset()
	h.Write(c.in[:])
	h.Sum(c.sum[:0])
}
