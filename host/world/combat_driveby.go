package world

import (
	"fmt"
	"slices"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// DriveByChange are changes of the intervals in ms at which weapons may be fired from a vehicle, 10..10,000, or 0 not at
// all; what is left out stays.
type DriveByChange struct{ Driver, Passenger map[protocol.Weapon]uint16 }

// DriveBy are the intervals as they are now.
func (tx Tx) DriveBy() protocol.DriveByIntervals {
	m := *defaultDriveBy
	f := &tx.w.combat.figures
	for i := range m.Driver {
		m.Driver[i] = f.driver[i].or(m.Driver[i])
		m.Passenger[i] = f.passenger[i].or(m.Passenger[i])
	}
	return m
}

var defaultDriveBy = protocol.DefaultDriveBy()

// SetDriveBy changes the intervals; by is the resource.
func (tx Tx) SetDriveBy(c DriveByChange, by string) error {
	for seat, list := range map[string]map[protocol.Weapon]uint16{"driver": c.Driver, "passenger": c.Passenger} {
		for w, ms := range list {
			if slices.Index(protocol.DriveByWeapons[:], w) < 0 {
				return fmt.Errorf("%s: %v is not fired from vehicles", seat, w)
			}
			if ms != 0 && (ms < 10 || ms > 10000) {
				return fmt.Errorf("%s: %v: 10..10000 expected, got %d", seat, w, ms)
			}
		}
	}
	f := &tx.w.combat.figures
	before := tx.DriveBy()
	for w, ms := range c.Driver {
		f.driver[slices.Index(protocol.DriveByWeapons[:], w)].set(by, ms)
	}
	for w, ms := range c.Passenger {
		f.passenger[slices.Index(protocol.DriveByWeapons[:], w)].set(by, ms)
	}
	tx.tellDriveBy(before)
	return nil
}

type driveByKey struct{}

// tellDriveBy sends everyone the intervals where they are not what they were.
func (tx Tx) tellDriveBy(before protocol.DriveByIntervals) {
	m := tx.DriveBy()
	if m == before {
		return
	}
	for _, p := range tx.w.players {
		p.link.Pace(pacer.Thing{Key: driveByKey{}, Class: pacer.Rest, Packets: []protocol.Packet{&m}})
	}
}
