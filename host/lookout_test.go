package host_test

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"darqline/host"
	"darqline/host/udp"
	"darqline/host/world"
	"darqline/protocol"
)

// lookout sees every datagram that leaves the server and holds it to who has whom in scope: nobody learns of a player what
// is not in his scope (page Player, Streaming). Who signs in learns nothing of the game at all (page Connection, States).
// Every bubble has one.
//
// What is on the lane counts when it leaves for the first time, or waits to, while the lane sends others again. What does
// not fit the scopes of the moment is looked at once more in the end, against all times at which one had the other in
// scope: a batch may leave a moment after the world has gone on.
type lookout struct {
	mu       sync.Mutex
	host     *host.Host
	lines    map[netip.AddrPort]*line
	players  map[uint32]*world.Player // by token, whoever joined
	scopes   map[pair][]span
	respawns map[uint32][]time.Time
	left     map[uint32]time.Time // the server
	suspects []suspect
	faults   []string
	asked    map[string]int // mentions that were held to the scopes, by packet and field
	pulls    map[uint32]int // TeleportPlayer by token
	offsets  map[protocol.ID][]field
	lose     map[protocol.ID]int // of the next ones, so many are lost
}

// line is a connection, as the network shows it.
type line struct {
	id      uint16
	token   uint32
	last    uint32            // newest event
	shown   map[uint32]latest // the newest frame by token
	follows *world.Player     // with the camera; nil: nobody
	preAuth bool              // no AuthAccepted has left yet
	again   span              // in which events were sent again, without a long break
}

// recovery is how long a lane may send nothing again and still be at it: new events wait behind those.
const recovery = 2 * time.Second

// resent notes that an event is sent again.
func (l *line) resent(now time.Time) {
	if now.Sub(l.again.to) > recovery {
		l.again.from = now
	}
	l.again.to = now
}

// paused says that the server stands still for a while: what it was sending again goes on afterwards.
func (o *lookout) paused(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	for _, l := range o.lines {
		if now.Sub(l.again.to) <= recovery {
			l.again.to = now.Add(d)
		}
	}
}

// queued is since when an event that leaves now may have waited on the lane.
func (l *line) queued(now time.Time) time.Time {
	if now.Sub(l.again.to) > recovery {
		return now
	}
	return l.again.from
}

type latest struct {
	seq   uint32
	epoch uint8
}

type pair struct{ viewer, subject uint32 }

// span is a time in which one had another in scope; to is zero while he has.
type span struct{ from, to time.Time }

type suspect struct {
	pair
	at   time.Time
	made time.Time // when it was put on the lane, at the earliest
	what protocol.ID
	text string
}

// flushTime is the longest that a frame waits for others to leave with (host, load.go).
const flushTime = 4 * time.Millisecond

func newLookout() *lookout {
	return &lookout{lines: make(map[netip.AddrPort]*line), players: make(map[uint32]*world.Player), scopes: make(map[pair][]span),
		respawns: make(map[uint32][]time.Time), left: make(map[uint32]time.Time), asked: make(map[string]int), pulls: make(map[uint32]int),
		offsets: make(map[protocol.ID][]field), lose: make(map[protocol.ID]int)}
}

// over is a network that is watched.
func (o *lookout) over(n host.Network) host.Network { return watched{n, o} }

type watched struct {
	host.Network
	w *lookout
}

func (n watched) ListenPacket(addr string) (udp.Conn, error) {
	conn, err := n.Network.ListenPacket(addr)
	return watchedConn{conn, n.w}, err
}

type watchedConn struct {
	udp.Conn
	w *lookout
}

func (c watchedConn) WriteBatch(ms []udp.Message) (int, error) {
	c.w.batch(ms)
	for i := range ms { // one by one, because some may be lost
		if c.w.loses(ms[i].Data) {
			continue
		}
		if _, err := c.Conn.WriteBatch(ms[i : i+1]); err != nil {
			return i, err
		}
	}
	return len(ms), nil
}

// loses says whether the test has this datagram lost.
func (o *lookout) loses(b []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	id := protocol.ID(b[0])
	if o.lose[id] == 0 {
		return false
	}
	o.lose[id]--
	return true
}

// loseNext has the network lose the next n datagrams of a kind.
func (o *lookout) loseNext(id protocol.ID, n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lose[id] = n
}

func (o *lookout) batch(ms []udp.Message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	tx := o.host.World().Begin()
	defer tx.End()
	for i := range ms {
		m := &ms[i]
		for data, rest := udp.Cut(m.Data, m.Segment); ; data, rest = udp.Cut(rest, m.Segment) {
			o.saw(tx, m.Addr, data)
			if len(rest) == 0 {
				break
			}
		}
	}
}

// event hears of the scopes.
func (o *lookout) event(e world.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	switch e := e.(type) {
	case world.PlayerJoin:
		o.players[e.Player.Token] = e.Player
	case world.PlayerLeave:
		o.left[e.Player.Token] = now
	case world.PlayerSpawn:
		if e.Respawn {
			o.respawns[e.Player.Token] = append(o.respawns[e.Player.Token], now)
		}
	case world.StreamEvent:
		key := pair{e.Viewer.Token, e.Player.Token}
		spans := o.scopes[key]
		open := len(spans) > 0 && spans[len(spans)-1].to.IsZero()
		switch {
		case e.In && !open:
			o.scopes[key] = append(spans, span{from: now})
		case !e.In && open:
			spans[len(spans)-1].to = now
		default:
			o.faultf("player %d enters (%t) the scope of %d twice", e.Player.Token, e.In, e.Viewer.Token)
		}
	}
}

func (o *lookout) faultf(format string, args ...any) {
	o.faults = append(o.faults, fmt.Sprintf("%v: ", time.Now().Format("05.000"))+fmt.Sprintf(format, args...))
}

// saw takes a datagram to an address.
func (o *lookout) saw(tx world.Tx, to netip.AddrPort, b []byte) {
	row, ok := protocol.Lookup(protocol.ID(b[0]))
	if !ok {
		return // the answer to a query has no id of its own
	}
	if row.ID == protocol.IDServerHello {
		o.hello(to, b)
		return
	}
	l := o.lines[to]
	if l == nil || row.Direction == protocol.BothDirections {
		return
	}
	if row.HasEvent() {
		event := binary.LittleEndian.Uint32(b[protocol.EventOffsetServer:])
		if event <= l.last {
			l.resent(time.Now())
			return
		}
		l.last = event
	}
	if row.ID == protocol.IDAuthAccepted {
		l.preAuth = false
	} else if l.preAuth && !beforeSignIn[row.ID] {
		o.faultf("%s goes to player %d, who has not signed in", row.Name, l.token)
	}
	for _, f := range o.fields(b) {
		if token := f.of(b); token != 0 && token != l.token {
			o.mention(tx, l, row, f.name, token, b)
		}
	}
	switch row.ID {
	case protocol.IDTeleportPlayer:
		o.pulls[l.token]++
	case protocol.IDSetCamera:
		if m := must[*protocol.SetCamera](b); m.Mode != protocol.CameraLeave {
			l.follows = o.players[m.Subject] // nil where it follows nobody
		}
	case protocol.IDRemotePlayerSync:
		o.order(l, b)
	}
}

func (o *lookout) hello(to netip.AddrPort, b []byte) {
	_, p, err := protocol.Decode(b, protocol.ServerToClient)
	if err != nil {
		o.faultf("a ServerHello does not decode: %v", err)
		return
	}
	m := p.(*protocol.ServerHello)
	if l := o.lines[to]; l != nil && l.token == m.PlayerToken {
		return
	}
	if m.State == protocol.HelloMoved {
		for _, l := range o.lines {
			if l.token == m.PlayerToken {
				o.lines[to] = l
				return
			}
		}
	}
	o.lines[to] = &line{id: m.PlayerID, token: m.PlayerToken, shown: make(map[uint32]latest), preAuth: m.State == protocol.HelloPreAuth}
}

// beforeSignIn is what may be sent to who signs in, beside the ServerHello and AuthAccepted (page Connection, States), and
// the handshake of one who asks to go on from there.
var beforeSignIn = map[protocol.ID]bool{
	protocol.IDConnectChallenge: true, protocol.IDConnectReject: true,
	protocol.IDServerAck: true, protocol.IDServerKeepalive: true, protocol.IDKickNotify: true, protocol.IDResourceFiles: true,
	protocol.IDResourceRemove: true, protocol.IDViewOpen: true, protocol.IDViewData: true, protocol.IDViewClose: true,
	protocol.IDUiTheme: true, protocol.IDPlatformKeys: true, protocol.IDServerMessage: true,
}

// order holds the frames of one player to one receiver: a newer one is never of an older epoch.
func (o *lookout) order(l *line, b []byte) {
	_, p, err := protocol.Decode(b, protocol.ServerToClient)
	if err != nil {
		o.faultf("a frame does not decode: %v", err)
		return
	}
	m := p.(*protocol.RemotePlayerSync)
	old, had := l.shown[m.PlayerToken]
	if had && int32(m.Seq-old.seq) <= 0 {
		o.faultf("frame %d of player %d leaves after %d", m.Seq, m.PlayerToken, old.seq)
	}
	if had && int8(m.Frame.Epoch-old.epoch) < 0 {
		o.faultf("frame %d of player %d is of epoch %d, after one of epoch %d", m.Seq, m.PlayerToken, m.Frame.Epoch, old.epoch)
	}
	l.shown[m.PlayerToken] = latest{m.Seq, m.Frame.Epoch}
}

// field is where a packet names a player: by his token, or by a Ref of that kind.
type field struct {
	name   string
	offset int
	kind   int // offset of what says that it is a player's; -1: nothing has to
	is     byte
}

func (f *field) of(b []byte) uint32 {
	if f.kind >= 0 && b[f.kind] != f.is {
		return 0
	}
	return binary.LittleEndian.Uint32(b[f.offset:])
}

// fields finds by its layout where a datagram names players. That of a packet of one size is always the same.
func (o *lookout) fields(b []byte) []field {
	id := protocol.ID(b[0])
	if known, ok := o.offsets[id]; ok {
		return known
	}
	list, _ := protocol.List(b, protocol.ServerToClient)
	var found []field
	for i, v := range list {
		switch name := v.Name[strings.LastIndexByte(v.Name, '.')+1:]; {
		case strings.HasSuffix(name, "_token") && v.Size == 4:
			found = append(found, field{name, v.Offset, -1, 0})
		case name == "id" && strings.HasSuffix(list[max(i-1, 0)].Name, ".kind") && v.Size == 4: // a Ref
			found = append(found, field{strings.TrimSuffix(v.Name, ".id"), v.Offset, list[i-1].Offset, byte(protocol.RefPlayer)})
		case id == protocol.IDSetCamera && name == "subject":
			found = append(found, field{name, v.Offset, 1 + 4, byte(protocol.CameraFollowPlayer)})
		}
	}
	if row, _ := protocol.Lookup(id); row.Min == row.Max {
		o.offsets[id] = found
	}
	return found
}

// beyond are the fields that name a player to others than those who have him in scope, each with the rule of its page.
var beyond = map[string]string{
	"PlayerLeave.player_token":      "leaving the server: to all (Player, Streaming)",
	"PlayerListEntry.player_token":  "the list has everybody (Chat, HUD and dialogs)",
	"ChatMessage.player_token":      "what is said goes to whom the server says (Chat, HUD and dialogs)",
	"PlayerWasted.killer_token":     "the viewers of the dead one are told who did it (Player)",
	"SetHealth.attacker_token":      "the victim is told who did it (Combat)",
	"SetArmor.attacker_token":       "the victim is told who did it (Combat)",
	"CreateExplosion.creator_token": "to all of the dimension near it (Combat)",
	"CreateFire.creator_token":      "to who has the fire in scope (Combat)",
	"RemoteWeaponShot.hit":          "the same bytes for all viewers of the shooter (Combat)",
	"RemoteProjectileCreate.target": "the same bytes for all viewers of the thrower (Combat)",
	"SetCamera.subject":             "whom he follows is in that scope from then on (Player)",
}

// mention holds one naming of a player to the scopes.
func (o *lookout) mention(tx world.Tx, l *line, row *protocol.Row, name string, token uint32, b []byte) {
	what := row.Name + "." + name
	o.asked[what]++
	if beyond[what] != "" {
		return
	}
	now := time.Now()
	s := suspect{pair{l.token, token}, now, now, row.ID, what}
	if row.HasEvent() {
		s.made = l.queued(now)
	}
	switch row.ID {
	case protocol.IDPlayerStreamOut: // he had him once
		o.suspects = append(o.suspects, s)
		return
	case protocol.IDRemoteStealthKill:
		if m := must[*protocol.RemoteStealthKill](b); o.sees(tx, l, m.AttackerToken) || o.sees(tx, l, m.VictimToken) {
			return
		}
	case protocol.IDRemoteSatchelDetonate:
		if m := must[*protocol.RemoteSatchelDetonate](b); o.near(tx, l, m.Positions) {
			return
		}
	}
	if !o.sees(tx, l, token) {
		o.suspects = append(o.suspects, s)
	}
}

func must[P protocol.Packet](b []byte) P {
	_, p, err := protocol.Decode(b, protocol.ServerToClient)
	if err != nil {
		panic(err)
	}
	return p.(P)
}

// sees says whether a connection has a player in scope now, or is he.
func (o *lookout) sees(tx world.Tx, l *line, token uint32) bool {
	viewer, subject := tx.PlayerByID(l.id), o.players[token]
	return token == l.token || viewer != nil && viewer.Token == l.token && subject != nil && !tx.Gone(subject) && tx.Sees(viewer, subject)
}

// near says whether a connection is where something at one of the places is heard.
func (o *lookout) near(tx world.Tx, l *line, places []protocol.Vec3) bool {
	p := tx.PlayerByID(l.id)
	if l.follows != nil {
		p = l.follows
	}
	return p != nil && slices.ContainsFunc(places, func(at protocol.Vec3) bool {
		far, err := tx.DistanceTo(p, at, tx.Dimension(p))
		return err == nil && far <= streamDistance
	})
}

const streamDistance = 300 // metres: players.stream_distance

// verdict looks at the suspects again and gives all faults.
func (o *lookout) verdict() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range o.suspects {
		if !o.excused(s) {
			o.faults = append(o.faults, fmt.Sprintf("%v: %s to player %d names %d, who is not in his scope: %s",
				s.at.Format("05.000"), s.text, s.viewer, s.subject, o.history(s.pair)))
		}
	}
	o.suspects = nil
	return strings.Join(o.faults[:min(len(o.faults), 20)], "\n")
}

// excused says that a packet has left while one had the other in scope, or a batch later. Of a life that has ended by a
// respawn its viewers are told the rest, and who had somebody in scope is told that he has left it.
func (o *lookout) excused(s suspect) bool {
	out := s.what == protocol.IDPlayerStreamOut
	edge := s.what == protocol.IDPlayerSpawned || s.what == protocol.IDPlayerWasted
	for _, span := range o.scopes[s.pair] {
		switch {
		case span.from.After(s.at):
			return false
		case out || span.to.IsZero() || !s.made.After(span.to.Add(flushTime)):
			return true
		case edge && slices.Contains(o.respawns[s.subject], span.to):
			return true
		}
	}
	// Who has come into a scope and left the server before the script loop came to it: nobody is told of that scope.
	left, gone := o.left[s.subject]
	return gone && len(o.scopes[s.pair]) == 0 && left.Sub(s.at).Abs() <= flushTime
}

func (o *lookout) history(p pair) string {
	var list []string
	for _, s := range o.scopes[p] {
		until := "now"
		if !s.to.IsZero() {
			until = s.to.Format("05.000")
		}
		list = append(list, s.from.Format("05.000")+".."+until)
	}
	return "had him " + strings.Join(list, ", ")
}

// TestTheLookoutSees leaks each kind of packet once.
func TestTheLookoutSees(t *testing.T) {
	inBubble(t, 1, files{}, nil, func(b *bubble) {
		alice, bobby := b.enter("Alice"), b.enter("Bobby")
		b.eventually(5*time.Second, "they see each other", func() bool { return alice.shows(bobby) && bobby.shows(alice) })
		to := b.lookout.lineOf(alice.session.PlayerToken)
		subject := bobby.session
		send := func(p protocol.Packet, event uint32) {
			data, err := protocol.Append(nil, protocol.Header{Event: event}, p)
			if err != nil {
				t.Fatal(err)
			}
			b.lookout.batch([]udp.Message{{Addr: to, Data: data}})
		}
		frame := func(seq uint32) *protocol.RemotePlayerSync {
			return &protocol.RemotePlayerSync{PlayerID: subject.PlayerID, PlayerToken: subject.PlayerToken, Seq: seq,
				Frame: protocol.Frame{Epoch: 1}}
		}
		skin := &protocol.SetSkin{PlayerID: subject.PlayerID, PlayerToken: subject.PlayerToken, Skin: 7}
		send(skin, 5000)
		if faults := b.lookout.verdict(); faults != "" {
			t.Fatalf("in scope: %s", faults)
		}
		b.tell(bobby, func(tx world.Tx, p *world.Player) { tx.SetHidden(p, true, "test") })
		time.Sleep(flushTime)
		send(frame(1000), 0)
		send(skin, 5000) // once more
		if faults := b.lookout.verdict(); faults != "" {
			t.Fatalf("within the flush window: %s", faults)
		}
		event := uint32(6000)
		for name, p := range map[string]protocol.Packet{
			"a frame": frame(1001), "a skin": skin,
			"a shot":           &protocol.RemoteWeaponShot{PlayerID: subject.PlayerID, PlayerToken: subject.PlayerToken, Seq: 1, Weapon: 22},
			"a stealth kill":   &protocol.RemoteStealthKill{AttackerID: subject.PlayerID, AttackerToken: subject.PlayerToken, VictimID: 9, VictimToken: 99},
			"the end of a man": &protocol.PlayerStreamOut{PlayerID: 9, PlayerToken: 99},
		} {
			time.Sleep(10 * time.Millisecond)
			event++
			b.lookout.recovered(to)
			send(p, event)
			if b.lookout.verdict() == "" {
				t.Errorf("%s: not seen", name)
			}
			b.lookout.clear()
		}
		send(frame(900), 0)
		if !strings.Contains(b.lookout.verdict(), "leaves after") {
			t.Error("an old frame: not seen")
		}
		b.lookout.clear()
	})
}

func (o *lookout) clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.faults, o.suspects = nil, nil
}

// recovered forgets what was sent again to an address: the server's own events look so behind the numbers that a test makes up.
func (o *lookout) recovered(to netip.AddrPort) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines[to].again = span{}
}

func (o *lookout) lineOf(token uint32) netip.AddrPort {
	o.mu.Lock()
	defer o.mu.Unlock()
	for addr, l := range o.lines {
		if l.token == token {
			return addr
		}
	}
	return netip.AddrPort{}
}

// TestNobodyLearnsWhatIsNotInHisScope plays a game in the town, in which every byte is watched, and holds that the watch
// has had enough to see.
func TestNobodyLearnsWhatIsNotInHisScope(t *testing.T) {
	var asked map[string]int
	townOf(t, 1001, 2*time.Minute, func(b *bubble) { asked = b.lookout.asked })
	for what, least := range map[string]int{"RemotePlayerSync.player_token": 5000, "RemoteWeaponShot.player_token": 10,
		"PlayerSpawned.player_token": 100, "PlayerStreamOut.player_token": 50, "PlayerWasted.player_token": 10,
		"SetSkin.player_token": 1, "SetHeadless.player_token": 1, "SetWalkingStyle.player_token": 1, "SetOnFire.player_token": 1,
		"SetSpecialAction.player_token": 1, "ApplyAnimation.player_token": 1, "PlayerSkills.player_token": 1,
		"SetPlayerStats.player_token": 1, "CreateExplosion.creator_token": 1, "CreateFire.creator_token": 1,
		"SetHealth.attacker_token": 1} {
		if asked[what] < least {
			t.Errorf("%s named others %d times, expected at least %d", what, asked[what], least)
		}
	}
}
