package client

import (
	"slices"
	"sync"
	"time"

	"darqline/protocol"
)

// shared is the game of a session, which the loop and the methods of Client share. Only who is inside do has it.
type shared struct {
	mu   sync.Mutex
	game *game
}

func (s *shared) do(f func(*game)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s.game)
}

// game is what is played in one session: the own player, the others, what the server has told of the rules, and what it
// has put on the screen. It has no clock and no socket: time is handed in, what is to be sent and told collects in it.
type game struct {
	begun time.Time // of the connection's clock
	me    Self
	crowd crowd
	rules Rules
	fires fires
	ui    ui

	shots   shotLog
	thrown  []time.Duration // when each of me.Satchels was thrown
	losses  losses
	pace    pace
	respawn time.Duration // of the next RespawnRequest, while Wasted
	asked   time.Duration // the last RespawnRequest
	ends    time.Duration // of the own animation; never: not by the clock

	out     []protocol.Packet // to be sent
	events  []func(Handler)   // to be told
	changed bool              // me is to be told
}

func newGame(begun time.Time, info Session, bindings KeyBindings) *game {
	g := &game{
		begun:   begun,
		rules:   defaultRules(),
		fires:   fires{burning: make(map[uint32]*fire), due: never},
		ui:      newUI(bindings),
		pace:    pace{sentAt: -idleInterval},
		ends:    never,
		changed: true,
	}
	g.me = Self{
		ID:         info.PlayerID,
		Token:      info.PlayerToken,
		State:      PreSpawn,
		Appearance: defaultAppearance(),
		Gravity:    1,
		Bounds:     noBounds,
		Camera:     protocol.SetCamera{PlayerID: protocol.NoPlayer},
	}
	if info.SignIn {
		g.me.State = PreAuth
	}
	return g
}

// self is a copy of the own player that shares nothing with it.
func (g *game) self() Self {
	me := g.me
	me.Satchels = slices.Clone(me.Satchels)
	me.Frame = g.frame()
	return me
}

func (g *game) isMe(id uint16, token uint32) bool { return id == g.me.ID && token == g.me.Token }

// at is a time of the connection's clock for others to read.
func (g *game) at(now time.Duration) time.Time { return g.begun.Add(now) }

func (g *game) send(p protocol.Packet) { g.out = append(g.out, p) }

func (g *game) tell(event func(Handler)) { g.events = append(g.events, event) }

// apply takes a packet that is about players, combat or what is on the screen; others are of pages that this library does not mirror.
func (g *game) apply(now time.Duration, p protocol.Packet) {
	if !g.applySelf(now, p) && !g.applySubject(now, p) && !g.applyCombat(now, p) {
		g.applyUI(now, p)
	}
	if p, ok := p.(*protocol.PlayerSpawned); ok {
		g.comesAnew(p.PlayerID, p.PlayerToken)
	}
}

// remoteFrame takes a frame of another player. It says whether to tell of it.
func (g *game) remoteFrame(p *protocol.RemotePlayerSync) bool {
	return p.PlayerID != g.me.ID && g.crowd.frame(p, g.tell)
}

// drive does what is due and gives the time at which it wants to be called again. It fills sync if a frame is to be sent.
func (g *game) drive(now time.Duration, sync *protocol.PlayerSync) (next time.Duration, frame bool) {
	next = min(g.driveRespawn(now), g.driveAnimation(now), g.losses.drive(now, g.report), g.driveFires(now), g.driveUI(now))
	at, frame := g.driveFrame(now, sync)
	return min(next, at), frame
}

// look runs f with the game if there is a session.
func (c *Client) look(f func(*game)) {
	if s := c.shared.Load(); s != nil {
		s.do(f)
	}
}

// act runs f with the game and lets the loop send and tell what came of it.
func (c *Client) act(f func(*game, time.Duration) error) error {
	cn, s := c.current.Load(), c.shared.Load()
	if cn == nil || s == nil {
		return ErrNotConnected
	}
	var err error
	s.do(func(g *game) {
		if len(g.out)+len(g.events) >= maxCalls {
			err = ErrBusy
			return
		}
		err = f(g, cn.now())
	})
	cn.wake()
	return err
}

// play lets the game take a packet, and tells what came of it.
func (s *session) play(f func(*game)) {
	s.shared.do(f)
	s.deliver()
}

// deliver sends and tells what the game has collected: the own player's new state first, then what has happened.
func (s *session) deliver() {
	var out []protocol.Packet
	var events []func(Handler)
	var changed bool
	var me Self
	s.shared.do(func(g *game) {
		out, events, changed = g.out, g.events, g.changed
		g.out, g.events, g.changed = nil, nil, false
		if changed {
			me = g.self()
		}
	})
	for _, p := range out {
		s.transmit(p)
	}
	if changed {
		s.handler.Self(me)
	}
	for _, event := range events {
		event(s.handler)
	}
}

// transmit sends a packet of the game on the lane or off it, as the table says.
func (s *session) transmit(p protocol.Packet) {
	if row, ok := protocol.Lookup(p.ID()); ok && row.HasEvent() {
		_, damage := p.(*protocol.DamageReport) // 60 a second would soon fill a lane that is stuck
		s.push(p, damage)
		return
	}
	s.connection.send(p)
}

// driveGame does what is due in the game.
func (s *session) driveGame(now time.Duration) (next time.Duration) {
	var frame bool
	s.shared.do(func(g *game) { next, frame = g.drive(now, &s.own) })
	s.deliver() // first: a frame that waits in it is older
	if frame {
		s.connection.send(&s.own)
	}
	return next
}
