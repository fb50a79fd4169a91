package world

import (
	"fmt"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// Limits of views (page Resource files and views; page Resources and views).
const (
	viewBurst      = 20
	viewRate       = 10
	maxTopics      = 32
	maxSnapshot    = 16 << 10
	snapshotPart   = 1024
	filesPerPacket = 7
)

// Manifest is what the clients are told of one resource start.
type Manifest struct {
	Name       string
	Generation uint32
	Files      []protocol.FileEntry

	packets []protocol.Packet
}

type manifestKey struct{ generation uint32 }
type removeKey struct{ generation uint32 }

// thing is the manifest's parts, in order of first.
func (m *Manifest) thing() pacer.Thing {
	return pacer.Thing{Key: manifestKey{m.Generation}, Class: pacer.Manifests, Packets: m.packets}
}

// Publish sends a manifest to everyone; who connects later gets it with the others.
func (tx Tx) Publish(m *Manifest) {
	for first := 0; first < len(m.Files); first += filesPerPacket {
		part := m.Files[first:min(first+filesPerPacket, len(m.Files))]
		m.packets = append(m.packets, &protocol.ResourceFiles{
			Name: m.Name, Generation: m.Generation, Total: uint8(len(m.Files)), First: uint8(first), Entries: part})
	}
	if len(m.packets) == 0 {
		return
	}
	tx.w.manifests = append(tx.w.manifests, m)
	for link := range tx.w.links {
		link.Pace(m.thing())
	}
}

// Retract tells everyone that a start of a resource has ended; what was not sent of its manifest is left out.
func (tx Tx) Retract(name string, generation uint32) {
	i := slices.IndexFunc(tx.w.manifests, func(m *Manifest) bool { return m.Generation == generation })
	if i < 0 {
		return
	}
	tx.w.manifests = slices.Delete(tx.w.manifests, i, i+1)
	p := &protocol.ResourceRemove{Name: name, Generation: generation}
	for link := range tx.w.links {
		link.Drop(manifestKey{generation})
		link.Pace(pacer.Thing{Key: removeKey{generation}, Class: pacer.Removals, Packets: []protocol.Packet{p}})
	}
}

// ViewDefinition is what a resource allows in a view.
type ViewDefinition struct {
	Resource   string
	Generation uint32
	Name       string
	Entry      string // an .html path of the manifest
	Input      protocol.ViewInput
	Actions    map[string][]Field // the allowlist
	Owner      any                // the definition's handle, for whoever receives its events
}

// ViewState is view.status.
type ViewState uint8

const (
	ViewOpening ViewState = iota
	ViewLoaded
	ViewFailed
	ViewClosed
)

func (s ViewState) String() string {
	return [...]string{"opening", "loaded", "failed", "closed"}[s]
}

// CloseReason is why a view ended: the argument of "closed".
type CloseReason string

const (
	CloseScript   CloseReason = "script"
	CloseReplaced CloseReason = "replaced"
	CloseClient   CloseReason = "client"
	CloseReload   CloseReason = "reload"
	CloseStop     CloseReason = "stop"
	CloseLeave    CloseReason = "leave"
)

// View is an open page of one player.
type View struct {
	ID         uint32
	Player     *Player
	Definition *ViewDefinition

	state    ViewState
	revision uint32
	topics   map[string]bool
	under    uint32 // the view that stays on the screen until this one's ViewOpen has left the pacer; 0: none
}

// ViewEventKind is what happened to a view.
type ViewEventKind uint8

const (
	ViewDidLoad ViewEventKind = iota
	ViewDidFail
	ViewDidClose
	ViewDidAct
)

// ViewEvent is an event of a view definition: "loaded", "failed" (Reason), "closed" (Reason) or an action (Action,
// Fields).
type ViewEvent struct {
	View   *View
	Kind   ViewEventKind
	Action string
	Fields []protocol.ViewField
	Reason string
}

// LuaName of a ViewEvent is the name for definition:on.
func (e ViewEvent) LuaName() string {
	switch e.Kind {
	case ViewDidLoad:
		return "loaded"
	case ViewDidFail:
		return "failed"
	case ViewDidClose:
		return "closed"
	}
	return e.Action
}

// Apply closes the view that its page has asked to close.
func (e ViewEvent) Apply(tx Tx) {
	if e.Kind == ViewDidAct && e.Action == "close" {
		tx.CloseView(e.View, CloseClient)
	}
}

type viewKey struct{ id uint32 }
type viewCloseKey struct{ id uint32 }
type topicKey struct {
	view  uint32
	topic string
}

// OpenView opens a view for a player and replaces the one that he has open. For one whose connection has ended while
// his handle is still good, it has closed at once: a script that greets cannot know.
func (tx Tx) OpenView(p *Player, d *ViewDefinition) (*View, error) {
	v := &View{ID: tx.newID(), Player: p, Definition: d, topics: make(map[string]bool)}
	if p.gone {
		v.state = ViewClosed
		tx.post(ViewEvent{View: v, Kind: ViewDidClose, Reason: string(CloseLeave)})
		return v, nil
	}
	if p.noBrowser {
		v.state = ViewFailed
		tx.post(ViewEvent{View: v, Kind: ViewDidFail, Reason: statusReason(protocol.ViewFailedNoBrowser)})
		return v, nil
	}
	if p.open != nil {
		old := p.open
		v.under = old.under
		if tx.forgetThings(old) {
			v.under = old.ID // the client replaces it by itself
		}
		tx.endView(old, CloseReplaced)
	}
	p.open = v
	p.link.Pace(v.opening(tx.origins(p)))
	return v, nil
}

// opening is what a client is sent of a view first.
func (v *View) opening(origins []string) pacer.Thing {
	d := v.Definition
	return pacer.Thing{
		Key: viewKey{v.ID}, Class: pacer.Waited, After: manifestKey{d.Generation},
		Packets: []protocol.Packet{&protocol.ViewOpen{
			ViewID: v.ID, Name: d.Resource, Generation: d.Generation, Entry: d.Entry, Input: d.Input, Origins: origins}},
	}
}

// SetView sends the newest snapshot of a topic: UTF-8 JSON of at most 16 KiB. raise drops actions on older data.
func (tx Tx) SetView(v *View, topic string, json []byte, raise bool) error {
	if err := protocol.ValidTopic(topic); err != nil {
		return err
	}
	if len(json) > maxSnapshot {
		return fmt.Errorf("a snapshot has at most %d bytes, this one has %d", maxSnapshot, len(json))
	}
	if !v.topics[topic] && len(v.topics) == maxTopics {
		return fmt.Errorf("a view has at most %d topics", maxTopics)
	}
	if v.state >= ViewFailed {
		return nil // it has ended meanwhile; nobody looks
	}
	v.topics[topic] = true
	if raise {
		v.revision++
	}
	parts := max(1, (len(json)+snapshotPart-1)/snapshotPart)
	packets := make([]protocol.Packet, 0, parts)
	for part := range parts {
		data := json[part*snapshotPart : min((part+1)*snapshotPart, len(json))]
		packets = append(packets, &protocol.ViewData{ViewID: v.ID, Revision: v.revision, Topic: topic,
			Part: uint8(part), Parts: uint8(parts), Data: data})
	}
	v.Player.link.Pace(pacer.Thing{Key: topicKey{v.ID, topic}, Class: pacer.Waited, After: viewKey{v.ID},
		Whole: true, Renew: true, Packets: packets})
	return nil
}

// CloseView closes a view, once.
func (tx Tx) CloseView(v *View, reason CloseReason) {
	if v.state >= ViewFailed {
		return
	}
	id := v.under
	if tx.forgetThings(v) {
		id = v.ID
	}
	tx.clearScreen(v.Player, id)
	tx.endView(v, reason)
}

// clearScreen closes what the client shows; 0 is nothing.
func (tx Tx) clearScreen(p *Player, id uint32) {
	if id != 0 {
		p.link.Pace(pacer.Thing{Key: viewCloseKey{id}, Class: pacer.Removals,
			Packets: []protocol.Packet{&protocol.ViewClose{ViewID: id}}})
	}
}

// CloseViewsOf ends the views of a resource start that stops, and returns them. The clients drop what they show of it at
// ResourceRemove.
func (tx Tx) CloseViewsOf(generation uint32, reason CloseReason) []*View {
	var closed []*View
	for _, p := range tx.Confirmed() {
		if v := p.open; v != nil && v.Definition.Generation == generation {
			if !tx.forgetThings(v) {
				tx.clearScreen(p, v.under)
			}
			tx.endView(v, reason)
			closed = append(closed, v)
		}
	}
	return closed
}

// ViewState and ViewRevision read a view.
func (tx Tx) ViewState(v *View) ViewState { return v.state }
func (tx Tx) ViewRevision(v *View) uint32 { return v.revision }
func (tx Tx) OpenViewOf(p *Player) *View  { return p.open }

// forgetThings takes what waits of a view out of the pacer; sent says whether its ViewOpen has left.
func (tx Tx) forgetThings(v *View) (sent bool) {
	link := v.Player.link
	for topic := range v.topics {
		link.Drop(topicKey{v.ID, topic})
	}
	waited, _ := link.Drop(viewKey{v.ID})
	return !waited
}

func (tx Tx) endView(v *View, reason CloseReason) {
	v.state = ViewClosed
	if v.Player.open == v {
		v.Player.open = nil
	}
	tx.post(ViewEvent{View: v, Kind: ViewDidClose, Reason: string(reason)})
}

func (tx Tx) post(e Event) { tx.w.cfg.Sink.Post(e) }

// ReceiveViewStatus applies a client's report on its view, or drops it (page Resource files and views, ViewStatus).
func (tx Tx) ReceiveViewStatus(p *Player, m *protocol.ViewStatus) {
	if !p.viewLimit.Take(tx.now(), viewRate, viewBurst, 1) {
		return
	}
	v := p.open
	if v == nil || v.ID != m.ViewID || m.Status > protocol.ViewFailedPage {
		return
	}
	if m.Status == protocol.ViewLoaded {
		if v.state == ViewOpening {
			v.state = ViewLoaded
			tx.post(ViewEvent{View: v, Kind: ViewDidLoad})
		}
		return
	}
	if m.Status == protocol.ViewFailedNoBrowser {
		p.noBrowser = true
	}
	tx.forgetThings(v)
	v.state = ViewFailed
	p.open = nil
	tx.post(ViewEvent{View: v, Kind: ViewDidFail, Reason: statusReason(m.Status)})
}

func statusReason(s protocol.ViewStatusCode) string {
	switch s {
	case protocol.ViewFailedDownload:
		return "download"
	case protocol.ViewFailedIntegrity:
		return "integrity"
	case protocol.ViewFailedNoBrowser:
		return "no_browser"
	}
	return "page"
}

// ReceiveViewAction applies an action of an open page, or drops it (page Resource files and views, ViewAction).
func (tx Tx) ReceiveViewAction(p *Player, m *protocol.ViewAction) {
	if !p.viewLimit.Take(tx.now(), viewRate, viewBurst, 1) {
		return
	}
	v := p.open
	if v == nil || v.ID != m.ViewID || v.state != ViewLoaded || v.revision != m.Revision {
		return
	}
	declared, ok := v.Definition.Actions[m.Action]
	if !ok {
		return
	}
	fields, err := protocol.ParseFields(m.Count, m.Fields)
	if err != nil || !matches(declared, fields) {
		return
	}
	tx.post(ViewEvent{View: v, Kind: ViewDidAct, Action: m.Action, Fields: fields})
}

// matches holds the fields of an action against its declaration.
func matches(declared []Field, fields []protocol.ViewField) bool {
	seen := make(map[string]bool, len(fields))
	for _, f := range fields {
		i := slices.IndexFunc(declared, func(d Field) bool { return d.Name == f.Name })
		if i < 0 || seen[f.Name] || !declared[i].accepts(f) {
			return false
		}
		seen[f.Name] = true
	}
	for _, d := range declared {
		if !d.Optional && !seen[d.Name] {
			return false
		}
	}
	return true
}

func (d Field) accepts(f protocol.ViewField) bool {
	switch d.Type {
	case "boolean":
		return f.Type == protocol.FieldBoolean
	case "integer", "number":
		n := f.Number
		if f.Type != protocol.FieldNumber || math.IsNaN(n) || math.IsInf(n, 0) || n < d.Min || n > d.Max {
			return false
		}
		return d.Type == "number" || n == math.Trunc(n)
	case "string":
		if f.Type != protocol.FieldString || !utf8.ValidString(f.String) {
			return false
		}
		for _, r := range f.String {
			if unicode.In(r, unicode.Cc, unicode.Cf) {
				return false
			}
		}
		n := float64(utf8.RuneCountInString(f.String))
		return n >= d.Min && n <= d.Max
	}
	return false
}
