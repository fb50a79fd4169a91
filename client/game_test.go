package client

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"darqline/protocol"
)

// testStart is when the clock of a game without a connection begins.
var testStart = time.Unix(0, 0)

// FuzzGame feeds whatever a server can send, what a program does and steps of time to a game: it does not panic, what it
// sends can be encoded, and what it keeps stays within its bounds.
func FuzzGame(f *testing.F) {
	fixtures, _ := filepath.Glob("../fixtures/protocol/*.bin")
	spawn, err := protocol.Append(nil, protocol.Header{Event: 1}, &protocol.SpawnPlayer{Spawn: spawnInfo(1)})
	if err != nil {
		f.Fatal(err)
	}
	script := func(packets ...[]byte) (out []byte) {
		for i, b := range packets {
			out = append(binary.LittleEndian.AppendUint16(out, uint16(len(b))), b...)
			out = append(out, 0xFF, 0xF0|byte(i), byte(i), 31, 200) // and an act of the program
		}
		return out
	}
	var all [][]byte
	for _, name := range fixtures {
		if b, err := os.ReadFile(name); err == nil {
			all = append(all, b)
			f.Add(script(spawn, b, b))
		}
	}
	f.Add(script(append([][]byte{spawn}, all...)...))
	f.Fuzz(func(t *testing.T, script []byte) {
		g := newGame(testStart, Session{PlayerID: myID, PlayerToken: myToken}, new(memoryKeys))
		now := time.Duration(0)
		for len(script) >= 2 {
			n := int(binary.LittleEndian.Uint16(script))
			script = script[2:]
			if n >= 0xF000 && len(script) >= 3 {
				perform(g, now, n, script[0], protocol.Weapon(script[1]), script[2])
				script = script[3:]
			} else if n > 2000 {
				now += time.Duration(n) * time.Millisecond
			} else {
				n = min(n, len(script))
				if _, p, err := protocol.Decode(script[:n], protocol.ServerToClient); err == nil {
					if frame, ok := p.(*protocol.RemotePlayerSync); ok {
						g.remoteFrame(frame)
					} else {
						g.apply(now, p)
					}
				}
				script = script[n:]
			}
			settle(t, g, now)
		}
	})
}

// perform is one act of the program.
func perform(g *game, now time.Duration, what int, a byte, w protocol.Weapon, b byte) {
	ref := protocol.Ref{Kind: protocol.RefKind(a % 7), ID: uint32(b)}
	place := protocol.Vec3{X: float32(a), Y: float32(b)}
	switch what & 15 {
	case 0:
		g.move(protocol.Frame{Epoch: a, Position: place, Keys: protocol.PlayerKeys(b)})
	case 1:
		_ = g.arm(w)
	case 2:
		_, _ = g.shoot(now, Shot{Hit: ref, Origin: place, Rounds: uint32(b)})
	case 3:
		_ = g.throw(now, Throw{Target: ref, Origin: place, Rest: place})
	case 4:
		_ = g.detonate(now)
	case 5:
		_ = g.hurt(now, protocol.Cause(w), protocol.Ref{}, float32(b))
	case 6:
		_ = g.die(now, &protocol.DeathReport{Cause: protocol.CauseScript, BodyPart: protocol.PartTorso})
	case 7:
		_ = g.stealthKill(now, &protocol.StealthKillRequest{Victim: uint32(a) + 1})
	case 8:
		g.askRespawn(now)
	case 9:
		g.endAnimation(uint16(a))
	case 10:
		g.endAction()
	case 11:
		g.requestSpawn()
	default:
		performUI(g, now, a, byte(w), b)
	}
}

// settle does what the loop does after each packet, and holds the game to its bounds.
func settle(t *testing.T, g *game, now time.Duration) {
	var frame protocol.PlayerSync
	if _, due := g.drive(now, &frame); due {
		g.send(&frame)
	}
	for _, p := range g.out {
		if err := encodable(p); err != nil {
			t.Fatalf("%T cannot be sent: %v", p, err)
		}
	}
	for _, event := range g.events {
		event(NopHandler{})
	}
	g.out, g.events, g.changed = nil, nil, false
	settleUI(t, g)
	me := g.self()
	if !(me.Health >= 0 && me.Health <= 100 && me.Armor >= 0 && me.Armor <= 100) || math.IsNaN(float64(me.Gravity)) {
		t.Fatalf("%+v", me)
	}
	if len(g.fires.burning) > maxFires || len(me.Satchels) > protocol.MaxSatchels || len(g.thrown) != len(me.Satchels) || len(g.rules.Weapons) > 64 || len(g.losses.pending) > maxSums {
		t.Fatal("a bound is broken")
	}
	if !me.Has(me.Weapon) {
		t.Fatalf("%v in hand is not in the inventory", me.Weapon)
	}
	for i, h := range me.Inventory {
		if f, _ := h.Weapon.Figures(); h.Has && int(f.Slot) != i || h.Ammo > protocol.MaxAmmo || uint32(h.Clip) > h.Ammo || !h.Has && h != (Held{}) {
			t.Fatalf("slot %d: %+v", i, h)
		}
	}
	for id, r := range g.crowd.players {
		if token, ok := g.crowd.generations.Live(id); !ok || token != r.Token {
			t.Fatalf("player %d: the record is of %d, the live generation %d", id, r.Token, token)
		}
	}
}
