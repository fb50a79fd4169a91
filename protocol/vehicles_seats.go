package protocol

import (
	"errors"

	"darqline/protocol/wire"
)

const (
	// MaxSeat is the highest seat; 0 is the driver's.
	MaxSeat = 8
	// AnySeat asks for the lowest free passenger seat.
	AnySeat = 255
	// NoDoor is the door of who used none.
	NoDoor = 255
)

var (
	enterSeats = new(wire.Set).With(0, MaxSeat).With(AnySeat, AnySeat)
	seatDoors  = new(wire.Set).With(0, 3).With(NoDoor, NoDoor)
	exitHows   = wire.SetOf(HowNormal, HowJump, HowFell)
)

// An EnterPhase is what a VehicleEnter reports.
type EnterPhase uint8

const (
	EnterRequest EnterPhase = iota
	EnterSeated
	EnterAbandoned
)

var enterPhases = []string{"request", "seated", "abandoned"}

// String is the phase's word.
func (p EnterPhase) String() string { return named(enterPhases, p, "EnterPhase") }

// VehicleEnter is a player's way into a seat.
type VehicleEnter struct {
	VehicleID uint32
	Seat      uint8 // 0..8; AnySeat in a request
	Phase     EnterPhase
	Door      uint8 // used: 0 left front, 1 right front, 2 left rear, 3 right rear, NoDoor
}

func (*VehicleEnter) ID() ID { return IDVehicleEnter }

func (p *VehicleEnter) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.OneOf(c, &p.Seat, enterSeats)
	wire.Enum(c, &p.Phase, EnterAbandoned)
	wire.OneOf(c, &p.Door, seatDoors)
}

func (p *VehicleEnter) Check() error {
	if p.Seat == AnySeat && p.Phase != EnterRequest {
		return errors.New("seat 255 is for a request")
	}
	return nil
}

// An ExitPhase is what a VehicleExit reports.
type ExitPhase uint8

const (
	ExitRequest ExitPhase = iota
	ExitDone
	ExitAbandoned
)

var exitPhases = []string{"request", "done", "abandoned"}

// String is the phase's word.
func (p ExitPhase) String() string { return named(exitPhases, p, "ExitPhase") }

// A SeatHow is how a seat was taken or left.
type SeatHow uint8

const (
	HowNormal SeatHow = iota
	HowServer         // at once
	HowJump           // from a moving vehicle
	HowJacked         // for the jacker too
	HowDied
	HowFell
)

var seatHows = []string{"normal", "server", "jump", "jacked", "died", "fell"}

// String is the word for it, as Lua sees it.
func (h SeatHow) String() string { return named(seatHows, h, "SeatHow") }

// VehicleExit is a player's way out of his seat.
type VehicleExit struct {
	VehicleID uint32
	Phase     ExitPhase
	How       SeatHow // HowNormal, HowJump; HowFell with ExitDone
}

func (*VehicleExit) ID() ID { return IDVehicleExit }

func (p *VehicleExit) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.Enum(c, &p.Phase, ExitAbandoned)
	wire.OneOf(c, &p.How, exitHows)
}

func (p *VehicleExit) Check() error {
	if p.How == HowFell && p.Phase != ExitDone {
		return errors.New("who fell off is out: how 5 is for phase 1")
	}
	return nil
}

// An OccupancyPhase is the state of a player's seat.
type OccupancyPhase uint8

const (
	SeatOut OccupancyPhase = iota
	SeatEntering
	SeatSeated
	SeatExiting
	SeatRefused // to the asker alone; How is an EnterRefusal
)

var occupancyPhases = []string{"out", "entering", "seated", "exiting", "refused"}

// String is the phase's word.
func (p OccupancyPhase) String() string { return named(occupancyPhases, p, "OccupancyPhase") }

// An EnterRefusal says why a player does not get a seat.
type EnterRefusal uint8

const (
	RefusedNotPossible EnterRefusal = iota
	RefusedTaken
	RefusedLocked
	RefusedTooFar
	RefusedWreck
	RefusedByScript
)

var enterRefusals = []string{"not possible", "taken", "locked", "too far", "wreck", "by script"}

// String is the reason's word.
func (r EnterRefusal) String() string { return named(enterRefusals, r, "EnterRefusal") }

// VehicleOccupancy is the state of one player's seat in one vehicle.
type VehicleOccupancy struct {
	VehicleID   uint32
	PlayerID    uint16
	PlayerToken uint32
	Seat        uint8 // 0..8
	Phase       OccupancyPhase
	How         SeatHow // with SeatRefused an EnterRefusal
	Door        uint8   // 0..3, NoDoor
}

func (*VehicleOccupancy) ID() ID { return IDVehicleOccupancy }

func (p *VehicleOccupancy) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	subject(c, &p.PlayerID, &p.PlayerToken)
	wire.Range(c, &p.Seat, 0, MaxSeat)
	wire.Enum(c, &p.Phase, SeatRefused)
	wire.Enum(c, &p.How, HowFell)
	wire.OneOf(c, &p.Door, seatDoors)
}
