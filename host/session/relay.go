package session

// segments is how many datagrams a bundle holds: the most that a kernel cuts one buffer into.
const segments = 64

// bundle is datagrams of one size that wait to leave together.
type bundle struct {
	size int
	data []byte
}

// Relay adds an encoded packet, off the lane, to what leaves for each of the connections at the next FlushRelays. What
// is no *Conn, has ended or signs in is passed over. It keeps nothing of its arguments and allocates nothing once it has grown.
func Relay[L any](s *Sessions, to []L, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range to {
		if c, ok := any(to[i]).(*Conn); ok && c.state == Joined {
			c.bundle(b)
		}
	}
}

// bundle adds a datagram to those of its size.
func (c *Conn) bundle(b []byte) {
	var own *bundle
	for i := range c.bundles {
		if c.bundles[i].size == len(b) {
			own = &c.bundles[i]
			break
		}
	}
	if own == nil {
		c.bundles = append(c.bundles, bundle{size: len(b)})
		own = &c.bundles[len(c.bundles)-1]
	}
	if len(own.data) == segments*len(b) {
		c.release(own)
	}
	own.data = append(own.data, b...)
	if !c.bundled {
		c.bundled = true
		c.s.bundled = append(c.s.bundled, c)
	}
}

// release hands a bundle on and empties it.
func (c *Conn) release(b *bundle) {
	if len(b.data) == 0 {
		return
	}
	c.s.stats.PacketsOut += uint64(len(b.data) / b.size)
	c.s.stats.BytesOut += uint64(len(b.data))
	c.s.cfg.Send(c.addr, b.data, b.size)
	b.data = b.data[:0]
}

// RelaysWait says whether FlushRelays has something to send.
func (s *Sessions) RelaysWait() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bundled) > 0
}

// FlushRelays hands what was relayed to Config.Send, the datagrams of one receiver and size in one piece.
func (s *Sessions) FlushRelays() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.bundled {
		c.bundled = false
		for i := range c.bundles {
			if c.state != Closing {
				c.release(&c.bundles[i])
			}
			c.bundles[i].data = c.bundles[i].data[:0]
		}
	}
	clear(s.bundled)
	s.bundled = s.bundled[:0]
}
