package samples

import (
	"math"

	p "darqline/protocol"
)

const (
	car    = 90210
	other  = 90211
	driver = 258 // of player_token 70001
)

func vehicles() []Sample {
	const token = 70001
	return []Sample{
		{File: "vehicle_sync", Packet: &p.VehicleSync{
			VehicleID: car, Op: p.VehiclePut, Model: 562, Status: p.VehicleAlive, Interior: 3, Authority: 12, LastSeq: 4711,
			State: vehicleState(), Params: vehicleParams(), Parts: vehicleParts(), Tuning: tuning(), Colors: vehicleColors(),
		}},
		{File: "vehicle_sync_remove", Packet: &p.VehicleSync{VehicleID: car}},
		{File: "vehicle_enter", Packet: &p.VehicleEnter{VehicleID: car, Seat: 3, Phase: p.EnterSeated, Door: 2}},
		{File: "vehicle_enter_any", Packet: &p.VehicleEnter{VehicleID: car, Seat: p.AnySeat, Phase: p.EnterRequest, Door: p.NoDoor}},
		{File: "vehicle_exit", Packet: &p.VehicleExit{VehicleID: car, Phase: p.ExitDone, How: p.HowJump}},
		{File: "vehicle_exit_fell", Packet: &p.VehicleExit{VehicleID: car, Phase: p.ExitDone, How: p.HowFell}},
		{File: "vehicle_occupancy", Packet: &p.VehicleOccupancy{
			VehicleID: car, PlayerID: driver, PlayerToken: token, Seat: 3, Phase: p.SeatSeated, How: p.HowServer, Door: 2,
		}},
		{File: "vehicle_occupancy_refused", Packet: &p.VehicleOccupancy{
			VehicleID: car, PlayerID: driver, PlayerToken: token, Seat: p.MaxSeat, Phase: p.SeatRefused, How: p.SeatHow(p.RefusedLocked), Door: p.NoDoor,
		}},
		{File: "vehicle_frame", Packet: &p.VehicleFrame{VehicleID: car, Authority: 12, Seq: 4711, State: vehicleState()}},
		{File: "vehicle_frame_bounds", Packet: &p.VehicleFrame{VehicleID: 1, Authority: 1, Seq: 1, State: p.VehicleState{
			Position: p.Vec3{X: -20000, Y: 20000, Z: -20000}, Rotation: p.Quat{X: -0.5, Y: 0.5, Z: -0.5, W: 0.5}, Health: p.MaxVehicleHealth, HealthRev: 255,
			Steer: 127, Pitch: -127, Rudder: 127, Aux: -127, Throttle: 255, Brake: 255, Flags: 0x1FFF, Misc: 20000, TurretYaw: -18000, TurretPitch: -9000, Rail: p.MaxRail,
		}}},
		{File: "remote_vehicle_frame", Packet: RemoteVehicleFrame()},
		{File: "vehicle_syncer", Packet: &p.VehicleSyncer{VehicleID: car, Authority: 13, Role: p.RoleSyncer}},
		{File: "vehicle_explode", Packet: &p.VehicleExplode{VehicleID: car, Authority: 12, Cause: p.DeathExplosion, KillerID: 3, KillerToken: 70002, Weapon: 35}},
		{File: "vehicle_explode_nobody", Packet: &p.VehicleExplode{VehicleID: car, Authority: 12, Cause: p.DeathWater, KillerID: p.NoPlayer, Weapon: p.UnknownWeapon}},
		{File: "vehicle_death", Packet: &p.VehicleDeath{
			VehicleID: car, Cause: p.DeathBurnt, KillerID: 3, KillerToken: 70002, Weapon: 51, Position: p.Vec3{X: 2495.25, Y: -1688.5, Z: 13.75},
		}},
		{File: "vehicle_damage", Packet: &p.VehicleDamage{VehicleID: car, Authority: 12, Parts: vehicleParts()}},
		{File: "remote_vehicle_damage", Packet: &p.RemoteVehicleDamage{VehicleID: car, Parts: vehicleParts()}},
		{File: "vehicle_health", Packet: &p.VehicleHealth{VehicleID: car, Health: 812.5, HealthRev: 9}},
		{File: "vehicle_params", Packet: &p.VehicleParams{VehicleID: car, Params: vehicleParams()}},
		{File: "vehicle_control", Packet: &p.VehicleControl{VehicleID: car, Control: p.ControlDoor + 1, Value: 200}},
		{File: "vehicle_control_siren", Packet: &p.VehicleControl{VehicleID: car, Control: p.ControlSiren, Value: 1}},
		{File: "vehicle_shot", Packet: &p.VehicleShot{
			VehicleID: car, Weapon: p.VehicleGun, Rounds: 7, Origin: p.Vec3{X: 2495.25, Y: -1688.5, Z: 15.5}, Direction: p.Vec3{X: 0.48, Y: -0.6, Z: 0.64},
		}},
		{File: "vehicle_shot_missile", Packet: &p.VehicleShot{
			VehicleID: car, Weapon: p.VehicleMissile, Rounds: 1, Origin: p.Vec3{X: 2495.25, Y: -1688.5, Z: 315.5}, Direction: p.Vec3{X: 0.48, Y: -0.6, Z: 0.64}, Target: other,
		}},
		{File: "remote_vehicle_shot", Packet: &p.RemoteVehicleShot{
			VehicleID: car, PlayerID: driver, PlayerToken: token, Weapon: p.VehicleMissile, Rounds: 1,
			Origin: p.Vec3{X: 2495.25, Y: -1688.5, Z: 315.5}, Direction: p.Vec3{X: 0.48, Y: -0.6, Z: 0.64}, Target: other,
		}},
		{File: "vehicle_tow", Packet: &p.VehicleTow{VehicleID: car, TrailerID: other, Attached: true}},
		{File: "vehicle_trailer", Packet: &p.VehicleTrailer{VehicleID: car, TrailerID: other, Attached: true}},
		{File: "train_state", Packet: &p.TrainState{
			VehicleID: 300, Authority: 4, Track: 2, Flags: p.TrainBackwards, Rail: 1234.5, Speed: -13.5, Carriages: []uint32{301, 302, 303},
		}},
		{File: "train_state_full", Packet: &p.TrainState{
			VehicleID: 300, Authority: 5, Track: 3, Flags: p.TrainBackwards | p.TrainDerailed, Rail: p.RailNearest, Speed: 100,
			Carriages: []uint32{301, 302, 303, 304, 305, 306, 307, math.MaxUint32},
		}},
		{File: "vehicle_remote", Packet: &p.VehicleRemote{VehicleID: car, PlayerID: driver, PlayerToken: token, Active: true}},
		{File: "vehicle_remote_exit", Packet: &p.VehicleRemoteExit{VehicleID: car}},
		{File: "vehicle_remote_enter", Packet: &p.VehicleRemoteEnter{VehicleID: car}},
		{File: "vehicle_winch", Packet: &p.VehicleWinch{VehicleID: car, LoadID: other, Attached: true}},
		{File: "vehicle_lift", Packet: &p.VehicleLift{VehicleID: car, Winch: p.WinchSmall, LoadID: other}},
		{File: "vehicle_tuning", Packet: &p.VehicleTuning{VehicleID: car, Tuning: tuning()}},
		{File: "vehicle_handling", Packet: handling()},
		{File: "vehicle_handling_stock", Packet: &p.VehicleHandling{VehicleID: car}},
		{File: "vehicle_transform", Packet: &p.VehicleTransform{
			VehicleID: car, Authority: 13, Mask: 31, Interior: 3, Position: p.Vec3{X: -1420.5, Y: 2591.25, Z: 55.75}, Rotation: p.Quat{X: 0.1, Y: -0.5, Z: 0.7, W: 0.5},
			Velocity: p.Vec3{X: 1.5, Y: -22.25, Z: 0.125}, TurnVelocity: p.Vec3{X: 10, Y: -20, Z: 30},
		}},
		{File: "vehicle_transform_velocity", Packet: &p.VehicleTransform{
			VehicleID: car, Authority: 12, Mask: p.TransformVelocity, Rotation: p.NoRotation(), Velocity: p.Vec3{X: 1.5, Y: -22.25, Z: 0.125},
		}},
		{File: "vehicle_colors", Packet: &p.VehicleColors{VehicleID: car, Colors: vehicleColors()}},
	}
}

// RemoteVehicleFrame is a frame of a driven vehicle.
func RemoteVehicleFrame() *p.RemoteVehicleFrame {
	return &p.RemoteVehicleFrame{VehicleID: car, Authority: 12, Seq: 4711, State: vehicleState()}
}

// vehicleState has a different value in each field.
func vehicleState() p.VehicleState {
	return p.VehicleState{
		Position: p.Vec3{X: 2495.25, Y: -1688.5, Z: 13.75}, Rotation: p.Quat{X: 0.1, Y: -0.5, Z: 0.7, W: 0.5},
		Velocity: p.Vec3{X: 12.5, Y: -31.25, Z: 0.5}, TurnVelocity: p.Vec3{X: -1.5, Y: 2.25, Z: 45}, Health: 812.5, HealthRev: 9,
		Steer: -100, Pitch: 20, Rudder: -30, Aux: 40, Throttle: 200, Brake: 15, Flags: p.VehicleHorn | p.VehicleNitro | p.VehicleOnGround,
		Misc: 1500, TurretYaw: -12345, TurretPitch: 4321, Rail: 1234.5,
	}
}

func vehicleParams() p.Params {
	return p.Params{Flags: p.ParamEngine | p.ParamLights | p.ParamLocked | p.ParamDerailable, Doors: [6]uint8{1, 64, 100, 128, 200, 255}, Windows: 0b0101}
}

func vehicleParts() p.Parts {
	return p.Parts{Rev: 5, Panels: [7]uint8{1, 2, 3, 1, 2, 3, 1}, Doors: [6]uint8{1, 2, 3, 4, 1, 2}, Lights: 0b1010, Tyres: [4]uint8{1, 2, 1, 2}}
}

// tuning has the last component of each slot that a car can have at once.
func tuning() p.Tuning {
	return p.Tuning{
		Upgrades: [p.UpgradeSlots]uint16{1012, 1144, 1164, 1137, 1125, 1110, 1024, 1131, 1010, 1087, 1086, 0, 1098, 1136, 1191, 1193, 1145},
		Paintjob: 2, Variants: [2]uint8{5, p.NoVariant}, Plate: "LS 1992A",
	}
}

func vehicleColors() p.Colors {
	return p.Colors{Palette: [4]uint8{3, 126, 79, 255}, Headlights: p.RGBA{R: 0xFF, G: 0xC8, B: 0x10, A: 0xFF}}
}

// handling has every property, each with another value.
func handling() *p.VehicleHandling {
	return &p.VehicleHandling{
		VehicleID: car, Mask: math.MaxUint32,
		Floats: [24]float32{
			1500, 3000.5, 2.5, 0.25, -0.5, -0.75, 0.65, 0.9, 0.48, 220, 24.5, -8.5,
			11.5, 0.55, 35.25, 1.25, 0.125, 5.5, 0.3125, -0.1875, 0.5625, 0.375, 0.625, -0.25,
		},
		Bits:  [2]uint32{0xC0222004, 0x0F504401},
		Bytes: [8]uint8{75, 5, 2, 1, 1, 3, 2, 29},
	}
}
