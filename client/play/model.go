package play

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// maxLines is how much of the chat a page that is opened later still sees.
const maxLines = 300

// connection says how the session stands.
type connection struct {
	Phase  string `json:"phase"`            // connecting, connected, waiting (tries again by itself), ended (does not)
	Server string `json:"server"`           // host:port
	Title  string `json:"title,omitempty"`  // the server's own name
	Name   string `json:"name"`             // the player's
	Player uint16 `json:"player"`           // the player's id
	Ping   int    `json:"ping"`             // ms, -1 before the first sample
	Silent bool   `json:"silent,omitempty"` // connected, but the server is not heard at the moment
	Reason string `json:"reason,omitempty"` // a sentence: why the last session ended
	Retry  int64  `json:"retry,omitempty"`  // ms until the next try, in phase waiting

	SignIn  bool   `json:"sign_in,omitempty"` // connected, and the server waits for a sign-in
	Account string `json:"account,omitempty"` // signed in as this
	nonce   string // darqline.authNonce, while SignIn
}

// line is one line of the chat window; with a Name it is a player's.
type line struct {
	Kind       string `json:"kind"` // chat, plain, info, success, warning, error
	Text       string `json:"text"`
	Color      string `json:"color,omitempty"` // #rrggbb; empty: of the kind
	Markup     bool   `json:"markup,omitempty"`
	Name       string `json:"name,omitempty"`
	NameColor  string `json:"name_color,omitempty"`
	NameMarkup bool   `json:"name_markup,omitempty"`
	Team       bool   `json:"team,omitempty"`
	At         int64  `json:"at"` // Unix time in ms
}

// player is one row of the player list.
type player struct {
	ID    uint16 `json:"id"`
	Name  string `json:"name"`
	Ping  int    `json:"ping"` // ms, -1 if unknown
	Color string `json:"color,omitempty"`
	Group string `json:"group,omitempty"`
	Order int    `json:"order,omitempty"`
	You   bool   `json:"you,omitempty"`
	// Unlisted is a player who has a name, but no row.
	Unlisted bool `json:"unlisted,omitempty"`

	Cells []string `json:"cells,omitempty"` // of the list's own columns
}

// playerList is the heading of the player list.
type playerList struct {
	Title   string       `json:"title"`
	Columns []listColumn `json:"columns"`
}

type listColumn struct {
	Heading string `json:"heading"`
	Align   string `json:"align"` // left, center, right
	Width   int    `json:"width"` // percent; 0: by its contents
}

// resource is what is known of one resource's client files.
type resource struct {
	Name       string `json:"name"`
	Generation uint32 `json:"generation"`
	State      string `json:"state"` // announced, downloading, ready, failed
	Received   int64  `json:"received"`
	Total      int64  `json:"total"` // bytes
	Reason     string `json:"reason,omitempty"`
}

// snapshot is the latest value of a topic. The page gets the JSON as the server wrote it.
type snapshot struct {
	Topic    string `json:"topic"`
	Revision uint32 `json:"revision"`
	JSON     string `json:"json"`
}

// view is the open view.
type view struct {
	ID         uint32     `json:"id"`
	Resource   string     `json:"resource"`
	Generation uint32     `json:"generation"`
	Entry      string     `json:"entry"`
	Input      string     `json:"input"`  // none, all, cursor
	Origin     string     `json:"origin"` // http://label.localhost:port
	Topics     []snapshot `json:"topics"` // in the order in which they came
	SignIn     bool       `json:"sign_in,omitempty"`

	nonce   string // darqline.authNonce, while SignIn
	origins func() []string
	open    func(path string) (body []byte, contentType string, err error)
	loaded  bool
}

// message is one message to a page: its type and the one field that belongs to it.
type message struct {
	Type       string      `json:"type"`
	ID         uint64      `json:"id,omitempty"`
	Connection *connection `json:"connection,omitempty"`
	Line       *line       `json:"line,omitempty"`
	Player     *player     `json:"player,omitempty"`
	List       *playerList `json:"list,omitempty"`
	Resource   *resource   `json:"resource,omitempty"`
	Notice     *notice     `json:"notice,omitempty"`
	View       *view       `json:"view,omitempty"`
	Snapshot   *snapshot   `json:"snapshot,omitempty"`
	State      *state      `json:"state,omitempty"`
	Text       string      `json:"text,omitempty"`

	Self   *self   `json:"self,omitempty"`
	Place  *place  `json:"place,omitempty"`
	Ped    *ped    `json:"ped,omitempty"`
	Shot   *shot   `json:"shot,omitempty"`
	Blast  *blast  `json:"blast,omitempty"`
	Thing  *thing  `json:"thing,omitempty"`
	Fire   *fire   `json:"fire,omitempty"`
	Camera *camera `json:"camera,omitempty"`
	Fade   *fade   `json:"fade,omitempty"`

	Dialog *dialog           `json:"dialog,omitempty"`
	Fault  *dialogFault      `json:"fault,omitempty"`
	Menu   *menu             `json:"menu,omitempty"`
	Offers *[]offer          `json:"offers,omitempty"`
	Action *action           `json:"action,omitempty"`
	Keys   map[string]string `json:"keys,omitempty"`

	Theme         *theme          `json:"theme,omitempty"`
	Hud           *hudElement     `json:"hud,omitempty"`
	Notifications *[]notification `json:"notifications,omitempty"`
	Kills         *[]kill         `json:"kills,omitempty"`
	Nametag       *nametag        `json:"nametag,omitempty"`
	Bubble        *bubble         `json:"bubble,omitempty"`
}

// state is everything, for a page that has just connected.
type state struct {
	Connection connection `json:"connection"`
	Lines      []line     `json:"lines"`
	List       playerList `json:"list"`
	Players    []player   `json:"players"`
	Resources  []resource `json:"resources"`
	Notices    []notice   `json:"notices"`
	View       *view      `json:"view"`
	World      worldState `json:"world"`
	UI         ui         `json:"ui"`
}

// model is what all pages show. The session changes it, and each change goes to every page that is connected; a page
// that connects later gets the whole of it first.
type model struct {
	mu         sync.Mutex
	connection connection
	lines      []line
	list       playerList
	players    map[uint16]player
	resources  map[string]resource
	notices    []notice
	view       *view
	world      world
	ui         ui
	serial     uint64
	pages      map[*page]struct{}
	connected  bool   // since the last call of wasConnected
	boot       uint64 // BootID of the server that was last connected to

	origin func(host string) string // of a view's host; set before the first session
	status func(text string)        // tells the terminal; may be nil
}

func newModel(server, name string) *model {
	return &model{
		connection: connection{Phase: "connecting", Server: server, Name: name, Ping: -1},
		players:    map[uint16]player{},
		resources:  map[string]resource{},
		world:      newWorld(),
		ui:         newUI(),
		pages:      map[*page]struct{}{},
	}
}

// broadcast sends one message to every page. A page whose queue is full is cut off; it connects again and gets the
// whole state. The lock is held.
func (m *model) broadcast(msg message) {
	if len(m.pages) == 0 {
		return
	}
	data := encode(msg)
	for p := range m.pages {
		p.push(data)
	}
}

func encode(msg message) []byte {
	data, err := json.Marshal(msg)
	if err != nil {
		panic("play: a message that is no JSON: " + err.Error()) // plain structs of strings and numbers always are
	}
	return data
}

// join adds a page and queues the whole state for it before anything that changes later.
func (m *model) join(p *page) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p.push(encode(message{Type: "state", State: &state{
		Connection: m.connection,
		Lines:      append([]line{}, m.lines...),
		List:       m.list,
		Players:    append([]player{}, slices.Collect(maps.Values(m.players))...),
		Resources:  append([]resource{}, slices.Collect(maps.Values(m.resources))...),
		Notices:    append([]notice{}, m.notices...),
		View:       m.view,
		World:      m.world.state(),
		UI:         m.ui,
	}}))
	if frames := m.allFrames(); frames != nil {
		p.offer(frames)
	}
	m.pages[p] = struct{}{}
}

func (m *model) leave(p *page) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.pages, p)
}

// focus takes whether a page has the keyboard.
func (m *model) focus(p *page, on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p.focused = on
}

// focused tells whether one of the pages has it.
func (m *model) focused() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for p := range m.pages {
		if p.focused {
			return true
		}
	}
	return false
}

// tell sends a message to one page, unless it is gone by now.
func (m *model) tell(p *page, msg message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, here := m.pages[p]; here {
		p.push(encode(msg))
	}
}

// begin forgets what belonged to the session before: players, resources, view, world, and what waits for the player.
func (m *model) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.players)
	clear(m.resources)
	m.list, m.view, m.world, m.ui = playerList{}, nil, newWorld(), newUI()
	m.broadcast(message{Type: "begin"})
}

// booted says which start of the server is connected now. Faults that another one reported may be gone with it.
func (m *model) booted(id uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.boot != id {
		m.endNotices(func(notice) bool { return true })
	}
	m.boot = id
}

// setConnection changes how the session stands.
func (m *model) setConnection(change func(*connection)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.connection
	change(&m.connection)
	if m.connection == old {
		return
	}
	c := m.connection
	m.connected = m.connected || c.Phase == "connected"
	m.broadcast(message{Type: "connection", Connection: &c})
	if m.status != nil && (c.Phase != old.Phase || c.Reason != old.Reason || c.Account != old.Account) {
		m.status(c.sentence())
	}
}

// sentence is the state for the terminal.
func (c connection) sentence() string {
	switch c.Phase {
	case "connecting":
		return "connecting to " + c.Server
	case "connected":
		if c.Account != "" {
			return "signed in as " + c.Account
		}
		text := fmt.Sprintf("connected to %s (%s) as %s, player %d", c.Title, c.Server, c.Name, c.Player)
		if c.SignIn {
			text += "; sign in on the page"
		}
		return text
	case "waiting":
		return fmt.Sprintf("%s; trying again in %v", c.Reason, time.Duration(c.Retry)*time.Millisecond)
	default:
		return c.Reason
	}
}

// wasConnected says whether there was a session since it was last asked.
func (m *model) wasConnected() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.connected
	m.connected = false
	return was
}

func (m *model) addLine(l line) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.lines) == maxLines {
		m.lines = slices.Delete(m.lines, 0, maxLines/4)
	}
	m.lines = append(m.lines, l)
	m.broadcast(message{Type: "line", Line: &l})
}

func (m *model) clearLines() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lines = nil
	m.broadcast(message{Type: "clear"})
}

func (m *model) setPlayer(p player) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.players[p.ID] = p
	m.broadcast(message{Type: "player", Player: &p})
}

func (m *model) setPlayerList(l playerList) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = l
	m.broadcast(message{Type: "list", List: &l})
}

func (m *model) removePlayer(id uint16) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.players, id)
	m.broadcast(message{Type: "player_end", ID: uint64(id)})
}

// setResource takes r over. Progress goes out in steps of a percent: a fast download is no flood.
func (m *model) setResource(r resource) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old, known := m.resources[r.Name]
	m.resources[r.Name] = r
	if known && old.State == r.State && old.Generation == r.Generation && percent(old) == percent(r) {
		return
	}
	m.broadcast(message{Type: "resource", Resource: &r})
}

func percent(r resource) int64 { return r.Received * 100 / max(r.Total, 1) }

func (m *model) removeResource(name string, generation uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	old, known := m.resources[name]
	if !known || old.Generation > generation {
		return
	}
	delete(m.resources, name)
	m.broadcast(message{Type: "resource_end", Resource: &old})
}
