package session

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"time"

	"darqline/protocol"
)

// Attempt is an admission that waits for its verdict (event player_connect).
type Attempt struct {
	Name      string
	Address   netip.AddrPort
	Serial    string // 64 hex digits, or "" where the client told none
	Locale    string
	Reconnect bool // an older connection of this player was replaced

	key   attemptKey
	hello protocol.ClientHello
	until time.Duration
}

// Verdict answers an Attempt.
type Verdict struct {
	Refuse bool
	Text   string // for the player, up to 127 bytes
}

// verdict is a ConnectReject that is repeated for the same hello.
type verdict struct {
	reject protocol.ConnectReject
	until  time.Duration
}

// hello is the order of work on a ClientHello (page Connection, Handshake), cheapest first.
func (s *Sessions) hello(now time.Duration, from netip.AddrPort, b []byte) {
	if binary.LittleEndian.Uint16(b[1:]) != protocol.Version {
		return
	}
	m := &s.hi
	if _, err := s.codec.DecodeInto(b, protocol.ClientToServer, m); err != nil {
		s.stats.Malformed++
		return
	}
	host := s.hosts.of(hostOf(from))
	if !s.cookies.valid(now, from, m.Nonce, m.Cookie) {
		s.challenge(now, from, host, m.Nonce)
		return
	}
	if !host.hellos.Take(now, 4, 8, 1) || !s.hosts.all.hellos.Take(now, 500, 500, 1) {
		return
	}
	key := attemptKey{from, m.Nonce}
	if c := s.byAddr[from]; c != nil && c.nonce == m.Nonce && c.state != Closing {
		c.repeatHello(now)
		return
	}
	if v, ok := s.verdicts[key]; ok && now < v.until {
		s.send(from, protocol.Header{}, &v.reject)
		return
	}
	if s.attempts[key] != nil {
		return
	}
	if m.Resume != 0 { // moving a connection to another address is not offered yet: the client starts anew
		s.reject(now, key, protocol.ReasonResume, 0, "")
		return
	}
	s.admit(now, host, key, *m)
}

func (s *Sessions) challenge(now time.Duration, from netip.AddrPort, host *hostEntry, nonce uint64) {
	rate := float64(s.cfg.Challenges)
	if !host.challenges.Take(now, 10, 20, 1) || !s.hosts.all.challenges.Take(now, rate, rate, 1) {
		return
	}
	s.stats.Challenges++
	p := protocol.ConnectChallenge{Nonce: nonce, Cookie: s.cookies.issue(now, from, nonce)}
	if s.cfg.Password != "" {
		p.Flags = 1
	}
	s.send(from, protocol.Header{}, &p)
}

// admit checks a hello of a proven address and asks for its verdict.
func (s *Sessions) admit(now time.Duration, host *hostEntry, key attemptKey, m protocol.ClientHello) {
	rate := float64(s.cfg.Attempts) / 60
	if !host.attempts.Take(now, rate, float64(s.cfg.Attempts), 1) {
		s.reject(now, key, protocol.ReasonTooMany, seconds(host.attempts.Wait(now, rate, float64(s.cfg.Attempts), 1)), "")
		return
	}
	if s.cfg.Password != "" {
		if reason, wait := s.password(now, host, m); reason != 0 {
			s.reject(now, key, reason, wait, "")
			return
		}
	}
	name, err := s.cfg.Names.Take(m.Name)
	if err != nil {
		s.reject(now, key, protocol.ReasonName, 0, err.Error())
		return
	}
	m.Name = name
	old := s.replaces(now, key, m)
	if reason, wait := s.room(now, key, m, old); reason != 0 {
		s.reject(now, key, reason, wait, "")
		return
	}
	if len(s.attempts) >= maxPending {
		s.reject(now, key, protocol.ReasonTooMany, 5, "")
		return
	}
	if old != nil {
		old.end(now, protocol.ReasonReconnected, "", 0, true)
	}
	a := &Attempt{
		Name: name, Address: key.addr, Locale: m.Locale, Reconnect: old != nil,
		key: key, hello: m, until: now + pendingFor,
	}
	if m.Serial != [32]byte{} {
		a.Serial = hex.EncodeToString(m.Serial[:])
	}
	s.attempts[key] = a
	s.wakeAt(a.until)
	s.events = append(s.events, Event{Kind: Connecting, Attempt: a})
}

// password judges the proof, 0 where it is right. Above 5 wrong ones a minute it is not looked at for a minute.
func (s *Sessions) password(now time.Duration, host *hostEntry, m protocol.ClientHello) (protocol.Reason, uint32) {
	if now < host.lockedUntil {
		return protocol.ReasonTooMany, seconds(host.lockedUntil - now)
	}
	proof := protocol.PasswordProof(s.cfg.Password, m.Nonce, m.Cookie)
	switch {
	case hmac.Equal(proof[:], m.Proof[:]):
		return 0, 0
	case host.passwords.Take(now, wrongPasswords/60., wrongPasswords, 1):
		return protocol.ReasonPassword, 0
	}
	host.lockedUntil = now + passwordLock
	return protocol.ReasonTooMany, seconds(passwordLock)
}

// replaces is the older connection that this hello takes the place of, if there is one.
func (s *Sessions) replaces(now time.Duration, key attemptKey, m protocol.ClientHello) *Conn {
	if c := s.byAddr[key.addr]; c != nil {
		return c // the address is proven, so the old process is gone
	}
	c := s.names[NameKey(m.Name)]
	if c != nil && hostOf(c.addr) == hostOf(key.addr) && c.serial == m.Serial && now-c.heard >= silentBeforeSwap {
		return c
	}
	return nil
}

// room says why there is no place for a hello: 0 where there is one. old is not counted.
func (s *Sessions) room(now time.Duration, key attemptKey, m protocol.ClientHello, old *Conn) (protocol.Reason, uint32) {
	if s.closing {
		return protocol.ReasonServerClosing, 0
	}
	if c := s.names[NameKey(m.Name)]; c != nil && c != old {
		if now-c.heard < time.Second*3/2 {
			return protocol.ReasonNameInUse, 0
		}
		return protocol.ReasonNameInUse, seconds(c.heard + c.timeout - now)
	}
	host, same, unconfirmed, taken := hostOf(key.addr), 0, 0, 0
	for _, c := range s.conns {
		if c == old {
			continue
		}
		if hostOf(c.addr) == host {
			same++
		}
		if c.state == Unconfirmed {
			unconfirmed++
		}
	}
	for id, used := range s.ids {
		if used && (old == nil || int(old.id) != id) {
			taken++
		}
	}
	switch {
	case same >= s.cfg.PerHost && !host.IsLoopback():
		return protocol.ReasonAddressLimit, 0
	case taken >= s.cfg.MaxPlayers:
		return protocol.ReasonFull, 0
	case unconfirmed >= max(4, s.cfg.MaxPlayers/4):
		return protocol.ReasonTooMany, 5
	}
	return 0, 0
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
	delete(s.attempts, a.key)
	if v.Refuse {
		s.reject(now, a.key, protocol.ReasonRefused, 0, v.Text)
		return
	}
	old := s.replaces(now, a.key, a.hello)
	if reason, wait := s.room(now, a.key, a.hello, old); reason != 0 { // the world has moved on
		s.reject(now, a.key, reason, wait, "")
		return
	}
	if old != nil {
		old.end(now, protocol.ReasonReconnected, "", 0, true)
	}
	id := -1
	for i, used := range s.ids {
		if !used {
			id = i
			break
		}
	}
	if id < 0 { // the replaced player's handlers have not let go of his id yet
		s.reject(now, a.key, protocol.ReasonFull, 1, "")
		return
	}
	s.ids[id] = true
	s.generation++
	c := newConn(s, now, uint16(id), a)
	s.conns[c.token] = c
	s.byAddr[c.addr] = c
	s.names[NameKey(c.name)] = c
	c.repeatHello(now)
	c.sendKeepalive(now)
	c.plan(now)
	s.wakeAt(c.next)
	s.events = append(s.events, Event{Kind: Admitted, Conn: c})
}

// reject answers a hello with ConnectReject, and the same hello with the same answer for 10 s.
func (s *Sessions) reject(now time.Duration, key attemptKey, reason protocol.Reason, wait uint32, text string) {
	s.stats.Rejected[reason]++
	p := protocol.ConnectReject{Nonce: key.nonce, Reason: reason, Seconds: wait, Text: plain(text)}
	if len(s.verdicts) < maxVerdicts {
		s.verdicts[key] = verdict{reject: p, until: now + verdictFor}
	}
	s.send(key.addr, protocol.Header{}, &p)
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

// wakeAt makes Tick run at t at the latest and says so to whoever sleeps until later.
func (s *Sessions) wakeAt(t time.Duration) {
	if t < s.next {
		s.next = t
		s.cfg.Wake()
	}
}

func seconds(d time.Duration) uint32 {
	if d <= 0 {
		return 0
	}
	return uint32((d + time.Second - 1) / time.Second)
}
