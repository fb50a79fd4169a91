package world

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"darqline/protocol"
)

var errTaken = errors.New("the name is taken")

// Rename refuses one name, as sessions refuse one that somebody has.
func (l *link) Rename(name string) error {
	if name == "Taken" {
		return errTaken
	}
	l.name = name
	return nil
}

func TestAnotherName(t *testing.T) {
	r := newRig(t)
	r.do(func(tx Tx) {
		tx.SetPermissions(Permissions{Names: map[string][]string{"alice": {"kick"}, "tommy": {"mute"}}})
	})
	alice, a := r.join("Alice")
	bobby, _ := r.join("Bobby")
	alice.lists()
	bobby.lists()
	r.do(func(tx Tx) {
		if err := tx.SetName(a, "Taken"); !errors.Is(err, errTaken) || a.Name() != "Alice" {
			t.Errorf("%v, %q", err, a.Name())
		}
		if err := tx.SetName(a, "Tommy"); err != nil || a.Name() != "Tommy" || tx.Name(a) != "Tommy" {
			t.Errorf("%v, %q", err, a.Name())
		}
		if p, _ := tx.PlayersNamed("tommy"); p != a {
			t.Errorf("Tommy is %v", p)
		}
		if p, _ := tx.PlayersNamed("alice"); p != nil {
			t.Errorf("Alice is %v", p)
		}
		if got := tx.Permissions(a); !slices.Equal(got, []string{"mute"}) {
			t.Errorf("he may %q", got)
		}
	})
	for _, l := range []*link{alice, bobby} {
		if said := l.lists(); strings.Count(said, "list[") != 1 || !strings.Contains(said, "Tommy") || strings.Contains(said, "Alice") {
			t.Errorf("sent %s", said)
		}
	}
	r.do(func(tx Tx) {
		tx.Leave(alice, protocol.ReasonQuit, "")
		if err := tx.SetName(a, "Gone"); err == nil || a.Name() != "Tommy" {
			t.Errorf("%v, %q", err, a.Name())
		}
	})
}
