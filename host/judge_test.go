package host_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"darqline/client"
	"darqline/host/world"
	"darqline/protocol"
)

// judge sees what server and clients tell, and writes down each promise that is broken. Numbered lines are
// "TOKEN NUMBER": the speaker's generation, and which of his lines it is.
type judge struct {
	mu     sync.Mutex
	faults []string

	here   map[uint16]uint32 // who has joined, by id
	joined map[uint32]bool   // tokens that ever joined, or began to sign in
	signs  map[uint32]bool   // those who sign in
	gone   map[uint32]bool
	lines  map[uint32]int // the last numbered line that reached the scripts
	ends   map[protocol.Reason]int

	dead    map[uint32]bool
	hostile map[string]bool // names of those who may fail checks

	eyes map[*person]*eyes
}

// eyes are what one client has been told in its session.
type eyes struct {
	known    map[uint32]bool // rows of the list, by token
	left     map[uint32]bool
	lines    map[uint32]int // the last numbered line of each speaker
	removed  map[uint32]bool
	view     uint32
	revision uint32
	mirror   map[uint16]uint32 // the newest generation that was shown, by id
	epochs   map[uint32]uint8  // of the newest frame that was shown
}

func newJudge() *judge {
	return &judge{here: make(map[uint16]uint32), joined: make(map[uint32]bool), signs: make(map[uint32]bool), gone: make(map[uint32]bool), lines: make(map[uint32]int),
		ends: make(map[protocol.Reason]int), dead: make(map[uint32]bool), hostile: make(map[string]bool), eyes: make(map[*person]*eyes)}
}

// faultf writes a fault down; j.mu is held by whoever saw it.
func (j *judge) faultf(format string, args ...any) {
	j.faults = append(j.faults, fmt.Sprintf(format, args...))
}

// event sees what the server's scripts see, on their loop.
func (j *judge) event(e world.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch e := e.(type) {
	case world.PlayerSignIn:
		j.join(e.Player.ID, e.Player.Token)
		j.signs[e.Player.Token] = true
	case world.PlayerJoin:
		if !j.signs[e.Player.Token] {
			j.join(e.Player.ID, e.Player.Token)
		}
		delete(j.signs, e.Player.Token)
	case world.PlayerLeave:
		if e.Joined == j.signs[e.Player.Token] {
			j.faultf("player %d leaves with joined = %t", e.Player.Token, e.Joined)
		}
		j.leave(e.Player.ID, e.Player.Token, e.Reason)
		if j.hostile[e.Player.Name()] {
			j.ends[e.Reason]--
		}
	case world.PlayerChat:
		j.line(e.Player.Token, e.Line.Text)
	case world.PlayerSpawn:
		j.dead[e.Player.Token] = false
	case world.PlayerDeath:
		j.death(e.Player.Token)
	case world.PlayerViolation:
		if !j.hostile[e.Player.Name()] {
			j.faultf("%s is honest and has failed the checks of %v: %s", e.Player.Name(), e.Kind, e.Detail)
		}
	}
}

// expectsTrouble says that who has a name may break rules.
func (j *judge) expectsTrouble(name string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.hostile[name] = true
}

// restarted begins with another server: of the old one everybody has left.
func (j *judge) restarted() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for id, token := range j.here {
		j.faultf("the server has ended, and player %d with id %d has not left", token, id)
	}
	for _, m := range []map[uint32]bool{j.joined, j.signs, j.gone, j.dead} {
		clear(m)
	}
	clear(j.here)
	clear(j.lines)
}

// death holds that one dies once in each life.
func (j *judge) death(token uint32) {
	if dead, spawned := j.dead[token]; dead || !spawned {
		j.faultf("player %d dies without being alive", token)
	}
	j.dead[token] = true
}

func (j *judge) join(id uint16, token uint32) {
	if old, taken := j.here[id]; taken {
		j.faultf("id %d is given to %d while %d has it", id, token, old)
	}
	if j.joined[token] {
		j.faultf("player %d joins twice", token)
	}
	j.here[id], j.joined[token] = token, true
}

func (j *judge) leave(id uint16, token uint32, reason protocol.Reason) {
	if !j.joined[token] || j.gone[token] {
		j.faultf("player %d leaves without being there", token)
	}
	j.gone[token] = true
	delete(j.here, id)
	j.ends[reason]++
}

func (j *judge) line(token uint32, text string) {
	speaker, number, ok := numbered(text)
	if !ok {
		return
	}
	if speaker != token {
		j.faultf("line %q came from player %d", text, token)
	}
	if number != j.lines[token]+1 {
		j.faultf("line %d of player %d follows %d", number, token, j.lines[token])
	}
	j.lines[token] = number
}

func numbered(text string) (speaker uint32, number int, ok bool) {
	n, err := fmt.Sscanf(text, "%d %d", &speaker, &number)
	return speaker, number, n == 2 && err == nil
}

func (j *judge) connected(p *person) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.eyes[p] = &eyes{known: make(map[uint32]bool), left: make(map[uint32]bool), lines: make(map[uint32]int), removed: make(map[uint32]bool),
		mirror: make(map[uint16]uint32), epochs: make(map[uint32]uint8)}
}

// see runs a check on what a client has in its session.
func (j *judge) see(p *person, f func(e *eyes)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if e := j.eyes[p]; e != nil {
		f(e)
	}
}

func (j *judge) listed(p *person, row client.Player) {
	j.see(p, func(e *eyes) {
		if e.left[row.Token] {
			j.faultf("%s is told of %s after his leave", p.name, row.Name)
		}
		e.known[row.Token] = true
	})
}

func (j *judge) unlisted(p *person, l client.PlayerLeft) {
	j.see(p, func(e *eyes) {
		if e.left[l.Token] {
			j.faultf("%s is told twice that player %d leaves", p.name, l.Token)
		}
		e.left[l.Token] = true
	})
}

// heard holds that of what a speaker says nothing comes twice or late; a congested lane may drop a line.
func (j *judge) heard(p *person, m client.Chat) {
	speaker, number, ok := numbered(m.Text)
	if !ok {
		return
	}
	j.see(p, func(e *eyes) {
		if number <= e.lines[speaker] {
			j.faultf("%s hears line %d of player %d after %d", p.name, number, speaker, e.lines[speaker])
		}
		e.lines[speaker] = number
	})
}

func (j *judge) removed(p *person, generation uint32) {
	j.see(p, func(e *eyes) { e.removed[generation] = true })
}

func (j *judge) opened(p *person, id, generation uint32) {
	j.see(p, func(e *eyes) {
		if e.removed[generation] {
			j.faultf("%s opens a view of generation %d, which has ended", p.name, generation)
		}
		if id <= e.view {
			j.faultf("%s opens view %d after view %d", p.name, id, e.view)
		}
		e.view, e.revision = id, 0
	})
}

func (j *judge) data(p *person, id, revision uint32) {
	j.see(p, func(e *eyes) {
		if id == e.view && revision < e.revision {
			j.faultf("the revision of %s's view %d falls from %d to %d", p.name, id, e.revision, revision)
		}
		e.revision = revision
	})
}

// showed holds that the mirror shows nobody who has left, and of an id only its newest owner.
func (j *judge) showed(p *person, id uint16, token uint32) {
	j.see(p, func(e *eyes) { j.mirrored(p, e, id, token) })
}

func (j *judge) mirrored(p *person, e *eyes, id uint16, token uint32) {
	if e.left[token] {
		j.faultf("%s is shown player %d after his leave", p.name, token)
	}
	if token < e.mirror[id] {
		j.faultf("%s is shown generation %d of player_id %d after %d", p.name, token, id, e.mirror[id])
	}
	e.mirror[id] = token
}

// framed holds that no frame of an epoch is shown after one of a newer epoch.
func (j *judge) framed(p *person, id uint16, token uint32, f *protocol.Frame) {
	j.see(p, func(e *eyes) {
		j.mirrored(p, e, id, token)
		if old, seen := e.epochs[token]; seen && int8(f.Epoch-old) < 0 {
			j.faultf("%s is shown a frame of epoch %d of player %d after %d", p.name, f.Epoch, token, old)
		}
		e.epochs[token] = f.Epoch
	})
}

// verdict gives the faults.
func (j *judge) verdict() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Join(j.faults, "\n")
}

// thrown is how many were thrown out for what no honest client does.
func (j *judge) thrown() (n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range []protocol.Reason{protocol.ReasonLane, protocol.ReasonFlood, protocol.ReasonProtocol, protocol.ReasonKicked} {
		n += j.ends[r]
	}
	return n
}

// TestTheJudgeSees breaks each promise once.
func TestTheJudgeSees(t *testing.T) {
	p := &person{name: "Alice"}
	row := client.Player{ID: 1, Token: 5, Name: "Bobby"}
	chat := func(text string) client.Chat { return client.Chat{Name: "Bobby", Text: text} }
	for name, broken := range map[string]func(j *judge){
		"an id in two hands":       func(j *judge) { j.join(1, 5); j.join(1, 6) },
		"joined twice":             func(j *judge) { j.join(1, 5); j.leave(1, 5, 0); j.join(2, 5) },
		"a leave before the join":  func(j *judge) { j.leave(1, 5, 0) },
		"left twice":               func(j *judge) { j.join(1, 5); j.leave(1, 5, 0); j.leave(1, 5, 0) },
		"a line lost":              func(j *judge) { j.line(5, "5 1"); j.line(5, "5 3") },
		"a line twice":             func(j *judge) { j.line(5, "5 1"); j.line(5, "5 1") },
		"another's line":           func(j *judge) { j.line(5, "6 1") },
		"a ghost":                  func(j *judge) { j.listed(p, row); j.unlisted(p, client.PlayerLeft{Token: 5}); j.listed(p, row) },
		"told twice of a leave":    func(j *judge) { j.unlisted(p, client.PlayerLeft{Token: 5}); j.unlisted(p, client.PlayerLeft{Token: 5}) },
		"heard twice":              func(j *judge) { j.heard(p, chat("5 1")); j.heard(p, chat("5 1")) },
		"heard late":               func(j *judge) { j.heard(p, chat("5 2")); j.heard(p, chat("5 1")) },
		"a view of what has ended": func(j *judge) { j.removed(p, 3); j.opened(p, 1, 3) },
		"a view twice":             func(j *judge) { j.opened(p, 1, 3); j.opened(p, 1, 3) },
		"a revision falls":         func(j *judge) { j.opened(p, 1, 3); j.data(p, 1, 2); j.data(p, 1, 1) },
		"dead twice":               func(j *judge) { j.dead[5] = false; j.death(5); j.death(5) },
		"dead before the spawn":    func(j *judge) { j.death(5) },
		"shown after the leave":    func(j *judge) { j.listed(p, row); j.unlisted(p, client.PlayerLeft{Token: 5}); j.showed(p, 1, 5) },
		"an old generation":        func(j *judge) { j.showed(p, 1, 5); j.showed(p, 1, 4) },
		"an old epoch": func(j *judge) {
			j.framed(p, 1, 5, &protocol.Frame{Epoch: 3})
			j.framed(p, 1, 5, &protocol.Frame{Epoch: 2})
		},
	} {
		j := newJudge()
		j.connected(p)
		broken(j)
		if j.verdict() == "" {
			t.Errorf("%s: not seen", name)
		}
	}
	j := newJudge()
	j.leave(1, 5, protocol.ReasonLane)
	if j.thrown() != 1 {
		t.Error("thrown out: not seen")
	}
}
