package host

import (
	"time"

	"darqline/resources/strict"
)

// VehiclesConfig is the table [vehicles]. Its keys are read and checked, and nothing uses them yet.
type VehiclesConfig struct {
	Max            int
	StreamDistance float64 // metres
	MaxStreamed    int
	SyncerDistance float64 // metres
	MaxSpeed       float64 // m/s
	MaxSpeedEmpty  float64 // m/s
	RemoteRange    float64 // metres
	AutoEngine     bool
	WreckAfter     time.Duration // 0: never
}

// leastWreck is the shortest vehicles.wreck_after but for 0.
const leastWreck = time.Second

func defaultVehicles() VehiclesConfig {
	return VehiclesConfig{Max: 2000, StreamDistance: 300, MaxStreamed: 250, SyncerDistance: 100, MaxSpeed: 150, MaxSpeedEmpty: 100,
		RemoteRange: 300, AutoEngine: true, WreckAfter: 10 * time.Second}
}

func (c *VehiclesConfig) table() strict.Table {
	return strict.Table{
		strict.Key("vehicles.max", strict.Integer(&c.Max, 0, 20000), "vehicles on the server").Unused(),
		strict.Key("vehicles.stream_distance", strict.Number(&c.StreamDistance, 50, 1000), "metres within which a vehicle is seen").Unused(),
		strict.Key("vehicles.max_streamed", strict.Integer(&c.MaxStreamed, 1, 1000), "how many vehicles one player sees at most, the nearest").Unused(),
		strict.Key("vehicles.syncer_distance", strict.Number(&c.SyncerDistance, 20, 300), "metres within which a player's game moves an empty vehicle").Unused(),
		strict.Key("vehicles.max_speed", strict.Number(&c.MaxSpeed, 10, 1000), "m/s that a vehicle with a driver may move at").Unused(),
		strict.Key("vehicles.max_speed_empty", strict.Number(&c.MaxSpeedEmpty, 10, 1000), "m/s that one without a driver may move at").Unused(),
		strict.Key("vehicles.remote_range", strict.Number(&c.RemoteRange, 50, 1000), "metres of remote control").Unused(),
		strict.Key("vehicles.auto_engine", strict.Boolean(&c.AutoEngine), "the engine starts with the driver").Unused(),
		strict.Key("vehicles.wreck_after", strict.Milliseconds(&c.WreckAfter, 0, 86400000), "ms that a wreck of a new vehicle stays, at least 1000; 0: for ever").Unused(),
	}
}
