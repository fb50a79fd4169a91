package protocol_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"darqline/protocol"
)

// wordsOf lists the words of an enum and holds ByName to being the reverse of
// String.
func wordsOf[E interface {
	~uint8
	fmt.Stringer
}](t *testing.T) string {
	t.Helper()
	var list []string
	for v := range 256 {
		word := E(v).String()
		found, ok := protocol.ByName[E](word)
		if strings.HasSuffix(word, ")") {
			if ok {
				t.Errorf("%s is a word", word)
			}
			continue
		}
		if !ok || found.String() != word {
			t.Errorf("%s of %d is found as %d, %v", word, v, uint8(found), ok)
		}
		list = append(list, fmt.Sprint(v, word))
	}
	return strings.Join(list, " ")
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		wordsOf[protocol.FightingStyle](t): "4standard 5boxing 6kung_fu 7knee_head 15grab_kick 16elbows",
		wordsOf[protocol.SkillLevel](t):    "0poor 1standard 2pro",
		wordsOf[protocol.BodyPart](t):      "3torso 4groin 5left_arm 6right_arm 7left_leg 8right_leg 9head",
		wordsOf[protocol.DamageClass](t):   "0melee 1bullet 2explosion 3fire 4gas 5vehicle 6fall 7drowning 8none",
		wordsOf[protocol.WeaponKind](t):    "0melee 1bullet 2thrown 3rocket 4spray 5gear",
		wordsOf[protocol.RefKind](t):       "0none 1player 2vehicle 3object 4projectile 5fire 6ground",
	} {
		if got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	for words, want := range map[string]int{
		wordsOf[protocol.Weapon](t): 44, wordsOf[protocol.WalkingStyle](t): 39, wordsOf[protocol.SpecialAction](t): 16, wordsOf[protocol.ExplosionType](t): 13,
		wordsOf[protocol.Cause](t): 16 + 14 + 2 + 2 + 7 + 1,
	} {
		if got := len(strings.Fields(words)); got != want {
			t.Errorf("%d words instead of %d: %s", got, want, words)
		}
	}
	if w, ok := protocol.ByName[protocol.WalkingStyle]("drunk"); !ok || w != 126 {
		t.Errorf("drunk is %d, %v", uint8(w), ok)
	}
	for _, none := range []string{"", "Weapon(19)", "glock"} {
		if w, ok := protocol.ByName[protocol.Weapon](none); ok {
			t.Errorf("%q is %d", none, uint8(w))
		}
	}
	if got := (protocol.KeyFire | protocol.KeyLookBehind).Words(); !reflect.DeepEqual(got, []string{"fire", "look_behind"}) {
		t.Error(got)
	}
	if got := (protocol.FlagOnGround | protocol.FlagTyping).Words(); !reflect.DeepEqual(got, []string{"on_ground", "typing"}) {
		t.Error(got)
	}
}

// TestFigures has figures of each kind, and what has none.
func TestFigures(t *testing.T) {
	for w, want := range map[protocol.Weapon]protocol.WeaponFigures{
		9:  {Name: "chainsaw", Slot: 1, Kind: protocol.WeaponMelee, Range: 1.6, Hit: 30, Pellets: 1, Interval: 30},
		27: {Name: "combat_shotgun", Slot: 3, Kind: protocol.WeaponBullet, Clip: 7, Range: 40, Hit: 4.95, Pellets: 8, Interval: 120},
		39: {Name: "satchel_charge", Slot: 8, Kind: protocol.WeaponThrown, Clip: 1, Range: 40, Interval: 300},
		46: {Name: "parachute", Slot: 11, Kind: protocol.WeaponGear},
	} {
		if got, ok := w.Figures(); !ok || got != want {
			t.Errorf("%d: %+v, %v", uint8(w), got, ok)
		}
	}
	for _, w := range []protocol.Weapon{19, 20, 21, 47, 255} {
		if got, ok := w.Figures(); ok {
			t.Errorf("%d: %+v", uint8(w), got)
		}
	}
	for c, want := range map[protocol.Cause]protocol.CauseFigures{
		15:  {Name: "cane", Class: protocol.ClassMelee, By: protocol.ByAttacker, Claim: 30, Armor: true},
		17:  {Name: "tear_gas", Class: protocol.ClassGas, By: protocol.ByVictim, Claim: 20},
		38:  {Name: "minigun", Class: protocol.ClassBullet, By: protocol.ByAttacker, Armor: true},
		42:  {Name: "fire_extinguisher", Class: protocol.ClassMelee, By: protocol.ByAttacker, Claim: 5, Armor: true},
		255: {Name: "script", Class: protocol.ClassNone},
	} {
		if got, ok := c.Figures(); !ok || got != want {
			t.Errorf("%d: %+v, %v", uint8(c), got, ok)
		}
	}
	for _, c := range []protocol.Cause{16, 18, 19, 35, 36, 39, 40, 43, 46, 47, 55, 254} {
		if got, ok := c.Figures(); ok {
			t.Errorf("%d: %+v", uint8(c), got)
		}
	}
	if got := protocol.ExplosionBoat.Radius(); got != 25 {
		t.Errorf("a boat's radius is %g", got)
	}
	if got := protocol.ExplosionType(13).Radius(); got != 0 {
		t.Errorf("no explosion's radius is %g", got)
	}
}

func TestSkins(t *testing.T) {
	n := 0
	for skin := range 65536 {
		if protocol.ValidSkin(uint16(skin)) {
			n++
		}
	}
	if n != 299 || protocol.ValidSkin(74) || protocol.ValidSkin(313) || !protocol.ValidSkin(0) || !protocol.ValidSkin(312) {
		t.Errorf("%d skins", n)
	}
}
