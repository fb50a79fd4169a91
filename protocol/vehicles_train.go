package protocol

import (
	"fmt"

	"darqline/protocol/wire"
)

// TrainFlags are the flags of a TrainState.
type TrainFlags uint8

const (
	TrainBackwards TrainFlags = 1 << iota // along the track
	TrainDerailed
)

// RailNearest asks for the place on the track nearest to the engine.
const RailNearest = -1

// TrainState is place, track and carriages of a train.
type TrainState struct {
	VehicleID uint32 // the engine
	Authority uint32
	Track     uint8 // 0..3
	Flags     TrainFlags
	Rail      float32  // m along the track, 0..21,845; or RailNearest
	Speed     float32  // m/s along the track, -100..100
	Carriages []uint32 // up to 8 vehicle ids, from the engine back
}

func (*TrainState) ID() ID { return IDTrainState }

func (p *TrainState) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.VehicleID)
	wire.NonZero(c, &p.Authority)
	wire.Range(c, &p.Track, 0, 3)
	wire.Bits(c, &p.Flags, 2)
	c.F32In(&p.Rail, RailNearest, MaxRail)
	c.F32In(&p.Speed, -100, 100)
	wire.List(c, &p.Carriages, 0, MaxCarriages, 4, func(id *uint32, c *wire.Codec) { wire.NonZero(c, id) })
}

func (p *TrainState) Check() error {
	if p.Rail < 0 && p.Rail != RailNearest {
		return fmt.Errorf("rail %g is neither -1 nor within 0..%d", p.Rail, MaxRail)
	}
	return nil
}
