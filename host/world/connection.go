package world

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"darqline/host/limit"
	"darqline/protocol"
	"darqline/protocol/pacer"
)

// Player is someone who has joined. What he is never changes; what can change is read and set through a Tx.
type Player struct {
	ID    uint16 // the lowest free number at his join; reused after player_leave
	Token uint32 // his generation: never repeated
	link  Link

	naming                // connection_name.go
	gone      bool        // his connection has ended
	forgotten atomic.Bool // his last handler of player_leave is through
	noBrowser bool        // his client has said that it shows no views

	viewLimit   limit.Bucket
	open        *View // on his screen
	permissions map[string]bool
	configured  []string // those that the configuration gave him at last

	talk    talk    // ui_chat.go
	listed  listed  // ui_list.go
	tag     nametag // ui_nametag.go
	tracked tracked // world_colshapes.go

	answers answers // ui_answers.go
	dialogs dialogs // ui_dialog.go
	menus   menus   // ui_menu.go
	offers  offers  // ui_offer.go
	actions actions // ui_action_input.go
	hud     hud     // ui_hud_slot.go

	platform ownKeys // ui_keys.go

	signIn   // sign_in.go
	presence // player.go
	arsenal  // combat.go
	sight    // streaming.go
}

// PlayerJoin is player_join: PreSpawn begins.
type PlayerJoin struct{ Player *Player }

// PlayerLeave is player_leave: exactly once for each player that joined, or began to sign in. Forget must be called when
// the handlers have ended or reached their first wait.
type PlayerLeave struct {
	Player *Player
	Reason protocol.Reason
	Text   string
	Joined bool // false: he never came past his sign-in
}

func (PlayerJoin) LuaName() string  { return "player_join" }
func (PlayerLeave) LuaName() string { return "player_leave" }

// Admit takes up a connection that has its ServerHello and is not confirmed yet: it is sent the manifests of all
// running resources and nothing else.
func (tx Tx) Admit(link Link) {
	tx.w.links[link] = nil
	for _, m := range tx.w.manifests {
		link.Pace(m.thing())
	}
}

// Join makes a player of a confirmed connection and tells everyone.
func (tx Tx) Join(link Link) *Player {
	p := newPlayer(link)
	tx.w.links[link] = p
	tx.greet(p)
	tx.enter(p)
	return p
}

func newPlayer(link Link) *Player {
	p := &Player{ID: link.PlayerID(), Token: link.PlayerToken(), link: link, sight: sight{outs: make(map[uint32]about)}}
	p.set(link.Name())
	return p
}

// enter brings a player into the game: PreSpawn begins.
func (tx Tx) enter(p *Player) {
	tx.w.players[p.ID], tx.w.tokens[p.Token] = p, p
	tx.enterPlayer(p)
	tx.configurePermissions(p)
	tx.joinList(p)
	tx.joinUI(p)
	tx.sendCombatSettings(p)
	tx.w.cfg.Sink.Post(PlayerJoin{p})
}

// Leave ends a connection. A player's leave is told to all others at once, then to the scripts.
func (tx Tx) Leave(link Link, reason protocol.Reason, text string) {
	p := tx.w.links[link]
	delete(tx.w.links, link)
	if p == nil {
		return
	}
	p.gone = true
	if p.open != nil {
		tx.endView(p.open, CloseLeave)
	}
	joined := tx.leaveSignIn(p)
	if joined {
		tx.leaveGame(p, reason)
	}
	tx.w.cfg.Sink.Post(PlayerLeave{p, reason, text, joined})
}

// leaveGame takes a player out of the game, and tells all others.
func (tx Tx) leaveGame(p *Player, reason protocol.Reason) {
	delete(tx.w.tokens, p.Token)
	if tx.w.players[p.ID] == p {
		delete(tx.w.players, p.ID)
	}
	tx.leaveUI(p)
	tx.leavePlayer(p)
	tx.leaveCombat(p)
	tx.leaveScopes(p)
	for _, other := range tx.w.players {
		if !tx.knew(other, p) && p.edges == 0 {
			continue
		}
		other.link.Pace(pacer.Thing{Key: leaveKey{p.Token}, Class: pacer.Removals, Packets: []protocol.Packet{
			&protocol.PlayerLeave{PlayerID: p.ID, PlayerToken: p.Token, Reason: reason}}})
	}
}

type leaveKey struct{ token uint32 }

// Forget makes a player's handles stale. The host calls it when the handlers of player_leave are through.
func (tx Tx) Forget(p *Player) Link {
	p.forgotten.Store(true)
	if p.heir != nil {
		tx.comeIn(p.heir)
	}
	return p.link
}

// Players are all who have joined, by id.
func (tx Tx) Players() []*Player {
	list := make([]*Player, 0, len(tx.w.players))
	for _, p := range tx.w.players {
		list = append(list, p)
	}
	slices.SortFunc(list, byID)
	return list
}

// PlayersNamed finds the player of a name, whatever its case, or else those who have it in theirs, by id.
func (tx Tx) PlayersNamed(name string) (whole *Player, parts []*Player) {
	name = strings.ToLower(name)
	for _, p := range tx.w.players {
		if p.lower == name {
			return p, nil
		}
		if strings.Contains(p.lower, name) {
			parts = append(parts, p)
		}
	}
	slices.SortFunc(parts, byID)
	return nil, parts
}

func byID(a, b *Player) int { return int(a.ID) - int(b.ID) }

// PlayerCount is the number of players who have joined.
func (tx Tx) PlayerCount() int { return len(tx.w.players) }

// PlayerByID is the player who has that number now, or nil.
func (tx Tx) PlayerByID(id uint16) *Player { return tx.w.players[id] }

// playerByToken is the player of that generation while he is here, or nil.
func (tx Tx) playerByToken(token uint32) *Player { return tx.w.tokens[token] }

// PlayerOf is the player of a connection, or nil where it is not confirmed.
func (tx Tx) PlayerOf(link Link) *Player { return tx.w.links[link] }

// Valid says whether a player's handle may still be used: until his player_leave is over. It needs no permit.
func (p *Player) Valid() bool { return !p.forgotten.Load() }

// String tells players apart in logs.
func (p *Player) String() string { return fmt.Sprintf("%d %q", p.ID, p.Name()) }

// Gone says whether the player's connection has ended.
func (tx Tx) Gone(p *Player) bool { return p.gone }

// Link facts of a player.
func (tx Tx) Address(p *Player) netip.AddrPort                               { return p.link.Address() }
func (tx Tx) Serial(p *Player) string                                        { return p.link.Serial() }
func (tx Tx) Locale(p *Player) string                                        { return p.link.Locale() }
func (tx Tx) Connected(p *Player) time.Duration                              { return p.link.Connected() }
func (tx Tx) Ping(p *Player) (ping, jitter time.Duration, loss int, ok bool) { return p.link.Ping() }

// Kick ends a player's connection with the leave reason "kicked". His handle is valid until player_leave is over.
func (tx Tx) Kick(p *Player, text string) {
	if !p.gone {
		p.link.Kick(protocol.ReasonKicked, text)
	}
}
