package world

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"darqline/host/limit"
	"darqline/protocol"
)

// duel is a stage with two armed players who see each other, 10 m apart.
type duel struct {
	*stage
	a, b  *actor
	shots []protocol.RemoteWeaponShot
	shot  uint32 // seq of a's last
	hears map[string]bool
}

func newDuel(t *testing.T) *duel {
	d := &duel{stage: newStage(t), hears: make(map[string]bool)}
	d.w.cfg.Listens = func(event string) bool { return d.hears[event] }
	relay := d.w.cfg.Relay
	d.w.cfg.Relay = func(to []Link, b []byte) {
		_, m, err := protocol.Decode(b, protocol.ServerToClient)
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := m.(*protocol.RemoteWeaponShot); ok {
			for range to {
				d.shots = append(d.shots, *s)
			}
		}
		relay(to, b)
	}
	d.rig.now = time.Minute
	d.a, d.b = d.alive("A"), d.alive("B")
	d.b.frame(move(0, 10, 0))
	d.pass()
	return d
}

// pass lets a second go by, in which everything that is paced is sent and forgotten.
func (d *duel) pass() {
	for range 25 {
		d.a.frame(nil)
		d.b.frame(nil)
		d.do(func(tx Tx) { tx.Tick() })
	}
	d.a.hush()
	d.b.hush()
	d.shots = nil
}

// arm gives a player a weapon, which he takes in hand.
func (d *duel) arm(a *actor, w protocol.Weapon, ammo int) {
	d.t.Helper()
	d.must(func(tx Tx) error { return tx.GiveWeapon(a.p, w, ammo, true) })
	d.hold(a, w)
	a.hush()
}

// hold is a frame with a weapon in hand.
func (d *duel) hold(a *actor, w protocol.Weapon) {
	a.frame(func(f *protocol.Frame) { f.Weapon = w })
}

// fire is a's shot at b, or one that a test changes.
func (d *duel) fire(w protocol.Weapon, change func(m *protocol.WeaponShot)) {
	d.shot++
	m := &protocol.WeaponShot{Seq: d.shot, Weapon: w, Hit: protocol.Ref{Kind: protocol.RefPlayer, ID: d.b.p.Token},
		Origin: d.a.p.body.Position, End: d.b.p.body.Position}
	if f, _ := w.Figures(); f.Kind == protocol.WeaponSpray {
		m.Hit, m.End = protocol.Ref{}, m.Origin
	}
	if change != nil {
		change(m)
	}
	d.shot = m.Seq
	d.do(func(tx Tx) { tx.Receive(d.a.p, m) })
}

// hit is a's report of having hit b with the last shot, or another that a test changes.
func (d *duel) hit(w protocol.Weapon, change func(m *protocol.DamageReport)) {
	m := &protocol.DamageReport{Victim: d.b.p.Token, Cause: protocol.Cause(w), BodyPart: protocol.PartTorso}
	if f, _ := m.Cause.Figures(); f.Class == protocol.ClassBullet {
		m.Shot, m.Pellets = d.shot, 1
	} else {
		m.Amount = 5
	}
	if change != nil {
		change(m)
	}
	d.do(func(tx Tx) { tx.Receive(d.a.p, m) })
}

// suffer is b's report of what the world did to him.
func (d *duel) suffer(cause protocol.Cause, amount float32, change func(m *protocol.DamageReport)) {
	m := &protocol.DamageReport{Victim: d.b.p.Token, Cause: cause, BodyPart: protocol.PartTorso, Amount: amount, Vitals: d.b.p.vitals}
	if change != nil {
		change(m)
	}
	d.do(func(tx Tx) { tx.Receive(d.b.p, m) })
}

// health sets b's figures without a packet.
func (d *duel) health(health, armor float32) { d.b.p.health, d.b.p.armor = health, armor }

// state is health and armor of a player.
func (a *actor) state() string { return fmt.Sprintf("%g+%g", a.p.health, a.p.armor) }

// got is what was sent straight to a client since the last call, a word each.
func (a *actor) got() string {
	var words []string
	for _, m := range a.link.sent {
		words = append(words, told(m))
	}
	a.link.sent = nil
	return strings.Join(words, ", ")
}

// told is a packet with what tests of combat look at.
func told(m protocol.Packet) string {
	switch m := m.(type) {
	case *protocol.SetHealth:
		return fmt.Sprintf("health %g v%d %v by %d", m.Health, m.Vitals, m.Cause, m.AttackerToken)
	case *protocol.SetArmor:
		return fmt.Sprintf("armor %g v%d %v by %d", m.Armor, m.Vitals, m.Cause, m.AttackerToken)
	case *protocol.GiveHealth:
		return fmt.Sprintf("give health %g to %g v%d", m.Amount, m.Health, m.Vitals)
	case *protocol.GiveArmor:
		return fmt.Sprintf("give armor %g to %g v%d", m.Amount, m.Armor, m.Vitals)
	case *protocol.SetWeaponAmmo:
		return fmt.Sprintf("%v %d after %d", m.Weapon, m.Ammo, m.Shot)
	case *protocol.GiveWeapon:
		return fmt.Sprintf("give %v %d", m.Weapon, m.Ammo)
	case *protocol.PlayerWasted:
		return fmt.Sprintf("wasted %d by %d %v %v", m.PlayerToken, m.KillerToken, m.Cause, m.Flags)
	}
	return short(m)
}

var (
	revision = regexp.MustCompile(`v(\d+)`)
	decimals = regexp.MustCompile(`\d+\.\d+`)
	causes   = regexp.MustCompile(` script by 0`)
)

// unrevised is what a client was told, with revisions since v and without the mark of a correction.
func unrevised(said string, v uint16) string {
	said = revision.ReplaceAllStringFunc(said, func(s string) string {
		var n uint16
		fmt.Sscanf(s, "v%d", &n)
		return fmt.Sprint("v", n-v)
	})
	return causes.ReplaceAllString(said, "")
}

// revised puts the revisions after v into a text with v%d.
func revised(text string, v uint16) string {
	for strings.Contains(text, "%d") {
		v++
		text = strings.Replace(text, "%d", fmt.Sprint(v), 1)
	}
	return text
}

// rounded leaves two decimals of each number.
func rounded(text string) string {
	return decimals.ReplaceAllStringFunc(text, func(s string) string {
		n, _ := strconv.ParseFloat(s, 64)
		return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64)
	})
}

// limitless is a bucket that is full.
var limitless limit.Bucket
