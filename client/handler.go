package client

import (
	"net/netip"
	"time"

	"darqline/protocol"
)

// Handler hears what happens in a session. Its methods are called one at a time, on the client's own loop: they should
// return soon, and may call every method of Client and View. Embed NopHandler to implement only some of them.
type Handler interface {
	// Connected begins a session. All that was told before is void: resources, players, views. It comes again in one
	// Run if the server lost the connection's state and the client had to begin anew.
	Connected(Session)
	// SignedIn ends the sign-in of a session with Session.SignIn; account is "provider:subject".
	SignedIn(account string)
	// Link tells that the server has gone silent, and that it is heard again.
	Link(Link)
	// Ping is the server's measure of the path, with each of its keepalives.
	Ping(Ping)

	Message(Message)
	Chat(Chat)

	// Player is a new or changed row of the player list.
	Player(Player)
	// PlayerLeft is the end of a player. It is told also for one without a row in the list.
	PlayerLeft(PlayerLeft)
	// PlayerList is the heading of the player list and its own columns.
	PlayerList(PlayerList)

	// Self is the own player after any change but Move's. One of the next four follows where it matters what it was.
	Self(Self)
	// Placed tells that the server has put the own ped somewhere or pushed it.
	Placed(Placement)
	// Vitals is why the server has set the own health or armor.
	Vitals(VitalsChange)
	// Camera is what the own camera and screen do from now on.
	Camera(protocol.SetCamera)
	// Wasted is a death, the own one or another player's, whatever is in view.
	Wasted(protocol.PlayerWasted)

	// Remote is another player who comes into view, goes out of it, or changes in between, but for what frames carry.
	Remote(Remote)
	// Frame is a newer frame of a player in view, the caller's until Frame returns. A Track makes smooth motion of them.
	Frame(id uint16, token uint32, frame *protocol.Frame)

	// Shot is another player's shot: flash, tracer, impact and sound. It hurts nobody.
	Shot(protocol.RemoteWeaponShot)
	// Projectile is another player's projectile. The program flies it, Age ms ahead, and reports what it does to the own
	// ped by Client.Hurt. A satchel lies until Satchels names its owner, or he is out of view.
	Projectile(protocol.RemoteProjectileCreate)
	// Satchels are those of a player, the own one's too, that go off or vanish.
	Satchels(Satchels)
	// StealthKill is one that happens; Wasted follows.
	StealthKill(protocol.RemoteStealthKill)
	// Explosion is one that the server made; it does not hurt the own ped.
	Explosion(protocol.CreateExplosion)
	// Fire is a fire that the server made, which burns until Extinguished names it or its place.
	Fire(protocol.CreateFire)
	// Extinguished ends one fire, or all of an area, the game's own too.
	Extinguished(protocol.ExtinguishFire)
	// Rules are the server's figures of combat after a change.
	Rules(Rules)

	// Theme is the look of all UI of page Chat, HUD and dialogs, and which parts of the HUD show.
	Theme(protocol.UiTheme)
	// PlatformKeys are the keys of the program's own functions; before it is told they are the default ones.
	PlatformKeys(protocol.PlatformKeys)
	// Dialog is a dialog that opens. Client.AnswerDialog answers it.
	Dialog(Dialog)
	// DialogClosed ends the dialog.
	DialogClosed(id uint32, why CloseReason)
	// Menu is the open menu, new or changed. Menu.Press says what a key means in it.
	Menu(Menu)
	// MenuClosed ends the menu.
	MenuClosed(id uint32, why CloseReason)
	// Offers are those that are shown, the oldest first, after a change.
	Offers([]Offer)
	// OfferClosed ends an offer; Offers has come before, without it.
	OfferClosed(id uint32, why CloseReason)
	// Action is an action of the player's, new or changed: its key, its prompt, whether it is held.
	Action(Action)
	// ActionRemoved ends an action and its prompt.
	ActionRemoved(id uint32)
	// Hud is an element of the HUD after a change.
	Hud(HudElement)
	// Notifications are those that are shown, the oldest first, after a change.
	Notifications([]Notification)
	// KillFeed is what the kill feed shows, the oldest first, after a change.
	KillFeed([]Kill)
	// Nametag is how the name over another player's head looks from now on. It is the default one until this is told.
	Nametag(protocol.PlayerNametag)
	// Bubble is a text over a player's head; with Duration 0 it is gone. It goes with the player, too.
	Bubble(Bubble)

	// Resource tells where a resource's client files stand, each time that changes.
	Resource(ResourceStatus)

	// ViewOpened gives the view whose page is to be shown, all its files checked. The page's host answers with
	// Client.ViewLoaded or Client.ViewFailed.
	ViewOpened(*View)
	// ViewData is a complete snapshot of a topic of the open view. Those that arrived before the view opened follow
	// ViewOpened; View.Latest has them all for a page that loads later.
	ViewData(viewID uint32, topic string, revision uint32, json []byte)
	// ViewClosed ends a view that was opened.
	ViewClosed(viewID uint32, reason CloseReason)
}

// NopHandler does nothing; it is there to be embedded.
type NopHandler struct{}

func (NopHandler) Connected(Session)                          {}
func (NopHandler) SignedIn(string)                            {}
func (NopHandler) Link(Link)                                  {}
func (NopHandler) Ping(Ping)                                  {}
func (NopHandler) Message(Message)                            {}
func (NopHandler) Chat(Chat)                                  {}
func (NopHandler) Player(Player)                              {}
func (NopHandler) PlayerLeft(PlayerLeft)                      {}
func (NopHandler) PlayerList(PlayerList)                      {}
func (NopHandler) Self(Self)                                  {}
func (NopHandler) Placed(Placement)                           {}
func (NopHandler) Vitals(VitalsChange)                        {}
func (NopHandler) Camera(protocol.SetCamera)                  {}
func (NopHandler) Remote(Remote)                              {}
func (NopHandler) Frame(uint16, uint32, *protocol.Frame)      {}
func (NopHandler) Wasted(protocol.PlayerWasted)               {}
func (NopHandler) Shot(protocol.RemoteWeaponShot)             {}
func (NopHandler) Projectile(protocol.RemoteProjectileCreate) {}
func (NopHandler) Satchels(Satchels)                          {}
func (NopHandler) StealthKill(protocol.RemoteStealthKill)     {}
func (NopHandler) Explosion(protocol.CreateExplosion)         {}
func (NopHandler) Fire(protocol.CreateFire)                   {}
func (NopHandler) Extinguished(protocol.ExtinguishFire)       {}
func (NopHandler) Rules(Rules)                                {}
func (NopHandler) Theme(protocol.UiTheme)                     {}
func (NopHandler) PlatformKeys(protocol.PlatformKeys)         {}
func (NopHandler) Dialog(Dialog)                              {}
func (NopHandler) DialogClosed(uint32, CloseReason)           {}
func (NopHandler) Menu(Menu)                                  {}
func (NopHandler) MenuClosed(uint32, CloseReason)             {}
func (NopHandler) Offers([]Offer)                             {}
func (NopHandler) OfferClosed(uint32, CloseReason)            {}
func (NopHandler) Action(Action)                              {}
func (NopHandler) ActionRemoved(uint32)                       {}
func (NopHandler) Hud(HudElement)                             {}
func (NopHandler) Notifications([]Notification)               {}
func (NopHandler) KillFeed([]Kill)                            {}
func (NopHandler) Nametag(protocol.PlayerNametag)             {}
func (NopHandler) Bubble(Bubble)                              {}
func (NopHandler) Resource(ResourceStatus)                    {}
func (NopHandler) ViewOpened(*View)                           {}
func (NopHandler) ViewData(uint32, string, uint32, []byte)    {}
func (NopHandler) ViewClosed(viewID uint32, _ CloseReason)    {}

var _ Handler = NopHandler{}

// Session is what an accepted ServerHello says (page Connection).
type Session struct {
	Server      netip.AddrPort // the server's address
	Files       netip.AddrPort // where its client files are
	ServerName  string
	BootID      uint64 // changes with each start of the server
	MaxPlayers  int
	PlayerID    uint16
	PlayerToken uint32
	Name        string   // as the server took it
	SignIn      bool     // the server wants a sign-in before anything else
	AuthNonce   [32]byte // to be in the assertion; zeros without SignIn
	Keepalive   time.Duration
	Timeout     time.Duration
}

// Link is the state of the path to the server.
type Link uint8

const (
	LinkUp     Link = iota // the server is heard again
	LinkSilent             // nothing heard for three keepalives: the client asks to go on from the address it has now
	LinkAnew               // the server knows nothing to go on from: the client connects anew
)

// Ping is the server's measure of the path.
type Ping struct {
	RTT   time.Duration // 0: not measured yet
	Loss  int           // percent of probes without an answer
	Clock uint32        // the server's clock, ms since its start, wrapping
}

// Message is a line of the chat window that no player wrote.
type Message struct {
	Kind   protocol.MessageKind
	Text   string        // up to 12 lines
	Markup bool          // Text has the markup of page Chat, HUD and dialogs; else it is shown as it is
	Clear  bool          // the window is emptied first; Text may be empty then
	Color  protocol.RGBA // alpha 0: that of the kind
}

// Chat is a line of a player.
type Chat struct {
	PlayerID    uint16
	PlayerToken uint32
	Team        bool
	Name, Text  string
	NameMarkup  bool // as Message.Markup
	TextMarkup  bool
	NameColor   protocol.RGBA // alpha 0: the theme's
	Color       protocol.RGBA
}

// Player is a row of the player list.
type Player struct {
	ID     uint16
	Token  uint32
	Name   string
	Ping   int // ms
	Listed bool
	You    bool
	Order  int16
	Color  protocol.RGBA // alpha 0: the theme's
	Group  string        // markup; rows of one group stand together under it
	Cells  []string      // markup
}

// PlayerLeft says who left and why.
type PlayerLeft struct {
	ID     uint16
	Token  uint32
	Name   string // "" if it was never told
	Reason protocol.Reason
}

// PlayerList is the heading of the list; the columns of id and ping are always there.
type PlayerList struct {
	Title   string // markup
	Columns []Column
}

// Column is a column of the player list.
type Column struct {
	Heading string // markup
	Align   protocol.Align
	Width   int // percent
}

// ResourceState says where a resource's client files stand.
type ResourceState uint8

const (
	ResourceAnnounced   ResourceState = iota // its manifest is complete
	ResourceDownloading                      // Received of Total bytes are here
	ResourceReady                            // all files are in the cache
	ResourceFailed                           // they cannot be had: Reason, Err
	ResourceRemoved                          // this generation has stopped or was replaced
)

func (s ResourceState) String() string {
	return [...]string{"announced", "downloading", "ready", "failed", "removed"}[s]
}

// Failure is why a resource's client files cannot be had, by page Resource files and views.
type Failure string

const (
	FailedDownload  Failure = "download"
	FailedIntegrity Failure = "integrity"
)

// ResourceStatus is where the client files of one start of a resource stand.
type ResourceStatus struct {
	Name            string
	Generation      uint32
	State           ResourceState
	Received, Total int64   // bytes
	Reason          Failure // of ResourceFailed
	Err             error   // the cause in full, of ResourceFailed
}

// CloseReason is why a view, a dialog, a menu or an offer was closed.
type CloseReason string

const (
	ClosedByServer   CloseReason = "closed"   // the server closed it
	ClosedReplaced   CloseReason = "replaced" // another one was opened
	ClosedRemoved    CloseReason = "removed"  // its resource stopped or was reloaded
	ClosedFailed     CloseReason = "failed"   // Client.ViewFailed
	ClosedSessionEnd CloseReason = "session"  // of a view: the session is over

	ClosedAnswered CloseReason = "answered"  // the player answered it, or left the menu
	ClosedTimeout  CloseReason = "timeout"   // its time ran out
	ClosedFromLeft CloseReason = "from_left" // who offered has left
)
