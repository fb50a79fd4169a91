package session

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"slices"
	"time"

	"darqline/protocol"
	"darqline/protocol/lane"
	"darqline/protocol/pacer"
)

// Attempt is an admission that waits for its verdict (event player_connect).
type Attempt struct {
	Name      string
	Address   netip.AddrPort
	Serial    string // 64 hex digits, or "" where the client told none
	Locale    string
	Reconnect bool // an older connection of this player was replaced

	key     attemptKey
	hello   protocol.ClientHello
	host    netip.Addr
	nameKey string
	until   time.Duration
	holds   bool // has ended an older connection, whose place nobody else gets meanwhile
	decided bool // it may join as soon as an id is free
}

// Verdict answers an Attempt.
type Verdict struct {
	Refuse bool
	Text   string // for the player, up to 127 bytes
}

// apply takes a hello of a proven address through steps 8 and 9 and asks for its verdict.
func (s *Sessions) apply(now time.Duration, key attemptKey, m protocol.ClientHello) {
	a := &Attempt{
		Address: key.addr, Locale: m.Locale,
		key: key, hello: m, host: hostOf(key.addr), until: now + pendingFor,
	}
	if m.Serial != [32]byte{} {
		a.Serial = hex.EncodeToString(m.Serial[:])
	}
	if s.crowded(now, a) {
		return // like one that was lost: its client asks again in 500 ms
	}
	no := s.spend(now, a)
	if no.reason == 0 {
		no = s.judge(now, a)
	}
	if earlier := s.pendingOf(key.addr); earlier != nil && no.reason == 0 {
		a.Reconnect, a.holds = earlier.Reconnect, earlier.holds
		delete(s.attempts, earlier.key) // the address is proven, so who asked before is gone
	}
	if no.reason == 0 && len(s.attempts) >= maxPending {
		no = refusal{reason: protocol.ReasonTooMany, seconds: seconds(pendingFor)}
	}
	if no.reason != 0 {
		s.refuse(now, a, no)
		return
	}
	s.replace(now, a)
	s.attempts[key] = a
	s.wakeAt(a.until)
	s.events = append(s.events, Event{Kind: Connecting, Attempt: a})
}

func (s *Sessions) pendingOf(addr netip.AddrPort) *Attempt {
	for key, a := range s.attempts {
		if key.addr == addr {
			return a
		}
	}
	return nil
}

// spend takes what an attempt costs its host, once.
func (s *Sessions) spend(now time.Duration, a *Attempt) refusal {
	host, burst := s.hosts.of(a.host), float64(s.cfg.Attempts)
	if !host.attempts.Take(now, burst/60, burst, 1) {
		return refusal{reason: protocol.ReasonTooMany, seconds: seconds(host.attempts.Wait(now, burst/60, burst, 1))}
	}
	return refusal{}
}

// judge is what steps 8 and 9 look at: before player_connect, and again after it, because the world has moved on.
func (s *Sessions) judge(now time.Duration, a *Attempt) refusal {
	if b, is := s.banned(BanSubject{Host: a.host, Serial: a.hello.Serial}); is {
		return refusal{protocol.ReasonBanned, b.Seconds, b.Text}
	}
	if s.closing {
		return refusal{protocol.ReasonServerClosing, s.closingFor, s.closingText}
	}
	if no := s.password(now, a); no.reason != 0 {
		return no
	}
	name, err := s.cfg.Names.Take(a.hello.Name)
	if err != nil {
		return refusal{protocol.ReasonName, 0, err.Error()}
	}
	a.Name, a.nameKey = name, NameKey(name)
	if b, is := s.banned(BanSubject{NameKey: a.nameKey}); is {
		return refusal{protocol.ReasonBanned, b.Seconds, b.Text}
	}
	return s.room(now, a)
}

// password judges the proof. Above 5 wrong ones a minute it is not looked at for a minute.
func (s *Sessions) password(now time.Duration, a *Attempt) refusal {
	if s.cfg.Password == "" {
		return refusal{}
	}
	host := s.hosts.of(a.host)
	if now < host.lockedUntil {
		return refusal{reason: protocol.ReasonTooMany, seconds: seconds(host.lockedUntil - now)}
	}
	proof := protocol.PasswordProof(s.cfg.Password, a.hello.Nonce, a.hello.Cookie)
	if hmac.Equal(proof[:], a.hello.Proof[:]) {
		return refusal{}
	}
	if host.passwords.Take(now, wrongPasswords/60., wrongPasswords, 1) {
		return refusal{reason: protocol.ReasonPassword}
	}
	host.lockedUntil = now + passwordLock
	return refusal{reason: protocol.ReasonTooMany, seconds: seconds(passwordLock)}
}

// replaced are the older connections that an attempt takes the place of: that of its address, which is proven, so that the
// old process is gone, and that of its name, if its client crashed and came back on another port, or has never confirmed.
func (s *Sessions) replaced(now time.Duration, a *Attempt) (old [2]*Conn) {
	old[0] = s.byAddr[a.key.addr]
	if c := s.names[a.nameKey]; c != nil && c != old[0] && (c.cameBack(now, a) || c.hesitates(now)) {
		old[1] = c
	}
	return old
}

// cameBack says that an attempt is from the client of a connection that has fallen silent, and later than that.
func (c *Conn) cameBack(now time.Duration, a *Attempt) bool {
	return hostOf(c.addr) == a.host && c.serial == a.hello.Serial && now-c.heard >= silentBeforeSwap &&
		issuedAt(a.hello.Cookie) >= c.proven
}

// replace ends them.
func (s *Sessions) replace(now time.Duration, a *Attempt) {
	for _, c := range s.replaced(now, a) {
		if c != nil {
			a.holds = true
			a.Reconnect = a.Reconnect || c.state != Unconfirmed // nobody has heard of one who never confirmed
			c.end(now, protocol.ReasonReconnected, "", 0, c.state != Unconfirmed)
		}
	}
}

// room says why there is no place for an attempt. What it replaces is not counted; what others have given up to come
// back is theirs.
func (s *Sessions) room(now time.Duration, a *Attempt) refusal {
	old := s.replaced(now, a)
	if c := s.names[a.nameKey]; c != nil && !slices.Contains(old[:], c) {
		if now-c.heard < c.every*3/2 {
			return refusal{reason: protocol.ReasonNameInUse}
		}
		return refusal{reason: protocol.ReasonNameInUse, seconds: seconds(c.heard + c.timeout - now)}
	}
	same, taken := s.byHost[a.host], len(s.conns)
	for _, c := range old {
		if c == nil {
			continue
		}
		taken--
		if hostOf(c.addr) == a.host {
			same--
		}
	}
	for _, other := range s.attempts {
		if !other.holdsFrom(a) {
			continue
		}
		if other.host == a.host {
			same++
		}
		if other.nameKey == a.nameKey {
			return refusal{reason: protocol.ReasonNameInUse}
		}
	}
	taken += s.held(a)
	switch {
	case same >= s.cfg.PerHost && !a.key.addr.Addr().Unmap().IsLoopback():
		return refusal{reason: protocol.ReasonAddressLimit}
	case taken >= s.cfg.MaxPlayers && s.hesitant(now) == 0:
		return refusal{reason: protocol.ReasonFull}
	}
	return refusal{}
}

// holdsFrom says whether a place is kept for an attempt, and so not for another one.
func (a *Attempt) holdsFrom(other *Attempt) bool {
	return a.holds && a != other && a.key.addr != other.key.addr
}

// held is how many places are kept for other attempts.
func (s *Sessions) held(a *Attempt) (n int) {
	for _, other := range s.attempts {
		if other.holdsFrom(a) {
			n++
		}
	}
	return n
}

// Decide answers an attempt, from any goroutine. The second call for the same attempt does nothing.
func (s *Sessions) Decide(a *Attempt, v Verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.decide(s.cfg.Now(), a, v)
	s.cfg.Wake() // events wait
}

func (s *Sessions) decide(now time.Duration, a *Attempt, v Verdict) {
	if s.attempts[a.key] != a {
		return
	}
	if v.Refuse {
		delete(s.attempts, a.key)
		s.refuse(now, a, refusal{reason: protocol.ReasonRefused, text: v.Text})
		return
	}
	if no := s.judge(now, a); no.reason != 0 {
		delete(s.attempts, a.key)
		s.refuse(now, a, no)
		return
	}
	s.replace(now, a)
	s.makeRoom(now, a)
	a.decided = true
	if id := slices.Index(s.ids, false); id >= 0 {
		delete(s.attempts, a.key)
		s.admit(now, uint16(id), a)
	} // else the handlers of one who has left hold the last id: Release goes on
}

// lapse ends an attempt that has waited for too long.
func (s *Sessions) lapse(now time.Duration, a *Attempt) {
	delete(s.attempts, a.key)
	no := refusal{reason: protocol.ReasonRefused}
	if a.decided {
		no.reason = protocol.ReasonFull
	}
	s.refuse(now, a, no)
}

// Release frees the id of a connection that has left, when its handlers of player_leave are through.
func (s *Sessions) Release(c *Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.release(c)
	for _, a := range s.attempts {
		if a.decided {
			s.decide(s.cfg.Now(), a, Verdict{})
			s.cfg.Wake()
		}
	}
}

// release also lets go of what the connection has sent and would have sent: a script that keeps the handle of who has left
// keeps the connection, and may do so with thousands.
func (s *Sessions) release(c *Conn) {
	if !c.released {
		c.released = true
		s.ids[c.id] = false
		c.out, c.pace, c.bundles, c.hello = lane.NewSender(lane.Config{}), pacer.Pacer{}, nil, nil
	}
}

// admit makes the connection.
func (s *Sessions) admit(now time.Duration, id uint16, a *Attempt) {
	s.ids[id] = true
	s.generation++
	c := newConn(s, now, id, a)
	s.conns[c.token], s.byAddr[c.addr], s.names[c.nameKey] = c, c, c
	s.byHost[a.host]++
	s.states[Unconfirmed]++
	c.sendHello(now)
	c.sendKeepalive(now)
	c.plan(now)
	s.wakeAt(c.next)
	s.events = append(s.events, Event{Kind: Admitted, Conn: c})
}

// freshToken is a secret session token that no connection and no tombstone has.
func (s *Sessions) freshToken() uint64 {
	for {
		var b [8]byte
		rand.Read(b[:])
		token := binary.LittleEndian.Uint64(b[:])
		if token != 0 && s.conns[token] == nil && s.tombs[token] == nil {
			return token
		}
	}
}
