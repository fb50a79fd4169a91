// Package world is the state of the game and its rules, one file a topic: who is here, what they say, what views they
// have open. It has no sockets, no Lua, no goroutines and no clock of its own.
//
// Whoever wants to touch the world takes the permit: tx := w.Begin(), operations are methods of Tx, tx.End() gives it
// back. It is held for one operation at a time. What happens in the world and concerns scripts is posted to the Sink
// as an Event; packets go to players through their Link.
package world

import (
	"net/netip"
	"sync"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// Link is a player's connection, as the world sees it. Its methods may be called with the permit held and never call
// back.
type Link interface {
	PlayerID() uint16
	PlayerToken() uint32
	Name() string
	Rename(name string) error // by the rules for names, where nobody has it; its error is in words
	Serial() string
	Locale() string
	Address() netip.AddrPort
	Connected() time.Duration
	Ping() (ping, jitter time.Duration, loss int, ok bool)
	Unacked() int // events on the lane that the client has not acked

	Straight(p protocol.Packet) error         // own life, answers, events: now
	Pace(t pacer.Thing)                       // everything else: as the lane has room
	Drop(key any) (waited, begun bool)        // what came and went is never sent
	DropWhere(match func(key any) bool)       // Drop of many
	Waits(key any) bool                       // whether something of a thing has not left the pacer yet
	Replace(t pacer.Thing) bool               // Pace of what still waits; false: it does not any more
	SignedIn(account string) error            // ends PreAuth; an error where the connection has ended
	Ended() bool                              // the connection is over: its leave is on the way
	Kick(reason protocol.Reason, text string) // ends the connection
}

// Sink takes the world's events for the script loop, in order. Post does not block and does not call back; it says
// false where its queue is full, which only happens to events that a client caused.
type Sink interface {
	Post(e Event) bool
}

// Config is what the rules need to know.
type Config struct {
	Now         func() time.Duration // since the start of the server
	Sink        Sink
	Chat        Chat
	Permissions Permissions
	SignIn      SignInRules
	Players     PlayerRules

	Listens func(event string) bool   // whether anybody hears an event; nil: always. It may be called at any time
	Relay   func(to []Link, b []byte) // sends a packet off the lane; it keeps neither. nil: nobody is there
}

// World is the game state. It has one mutex; only Tx touches what it guards.
type World struct {
	mu  sync.Mutex
	cfg Config

	links     map[Link]*Player // nil until the connection is confirmed
	players   map[uint16]*Player
	tokens    map[uint32]*Player
	manifests []*Manifest // in the order of the starts
	lastID    uint32      // the shared counter of ids that never repeat
	unheard   []Event     // ends that the sink had no room for

	actions []*Action              // in the order in which they were declared
	cancel  *Action                // the server's own one of them
	keys    *protocol.PlatformKeys // of who has no others; nil: the defaults

	signIns   signIns // sign_in.go
	list      playerList
	colshapes colshapes

	elements  elements // ui_hud.go
	streaming streaming
	relays    relays
	combat    battlefield
	pause     pause // player_frame.go
}

// New makes an empty world.
func New(cfg Config) *World {
	return &World{cfg: cfg, links: make(map[Link]*Player), players: make(map[uint16]*Player),
		tokens: make(map[uint32]*Player), signIns: signIns{waiting: make(map[*Player]struct{}), accounts: make(map[string]*Player)}}
}

// Tx is the permit to touch the world. It is used by one goroutine and ended by it.
type Tx struct{ w *World }

// Begin takes the permit; whoever holds it does not call Begin again before End.
func (w *World) Begin() Tx {
	w.mu.Lock()
	return Tx{w}
}

// End gives the permit back.
func (tx Tx) End() { tx.w.mu.Unlock() }

// now is the time since the start of the server.
func (tx Tx) now() time.Duration { return tx.w.cfg.Now() }

// newID gives the next number of the counter that all things but players share; 0 is none.
func (tx Tx) newID() uint32 {
	tx.w.lastID++
	return tx.w.lastID
}

// listens says whether anybody hears an event; what takes no effect of its own and comes often is posted only then.
func (tx Tx) listens(event string) bool { return tx.w.cfg.Listens == nil || tx.w.cfg.Listens(event) }

// decide lets the handlers of an event cancel it where there are any, and lets it take effect at once where there are
// none: so a slow script delays only what somebody wants to decide.
func (tx Tx) decide(e Cancellable) {
	switch {
	case !tx.listens(e.LuaName()):
		e.Apply(tx)
	case !tx.w.cfg.Sink.Post(e): // the queue is full: it does not happen
		tx.Settle(e, true)
	}
}

// Settle lets an event take effect after its handlers, or takes back what it has done already.
func (tx Tx) Settle(e Cancellable, cancelled bool) {
	if !cancelled {
		e.Apply(tx)
	} else if u, ok := e.(Undone); ok {
		u.Cancelled(tx)
	}
}

// Event is something that happened and that scripts may want to know. LuaName is the name for mp.on.
type Event interface{ LuaName() string }

// Passing is an event that may be settled before its handlers run: then they need not run any more.
type Passing interface {
	Event
	Moot(tx Tx) bool
}

// Cancellable is an event that takes effect only after its handlers, unless one of them cancels it.
type Cancellable interface {
	Event
	Apply(tx Tx)
}
