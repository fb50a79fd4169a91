package client

import (
	"time"

	"darqline/protocol"
	"darqline/protocol/wire"
)

var noBounds = protocol.SetWorldBounds{
	MinX: -wire.MaxCoordinate, MinY: -wire.MaxCoordinate, MaxX: wire.MaxCoordinate, MaxY: wire.MaxCoordinate,
}

// applySelf takes a packet about the own player alone, the vitals and weapons of page Combat included. It says whether it
// was one.
func (g *game) applySelf(now time.Duration, p protocol.Packet) bool {
	switch p := p.(type) {
	case *protocol.SpawnPlayer:
		g.firstSpawn(&p.Spawn)
		return true
	case *protocol.RespawnPlayer:
		g.spawnAgain(&p.Spawn)
		return true
	case *protocol.TeleportPlayer:
		g.teleport(p)
	case *protocol.ScopeChanged:
		g.scope(p)
	case *protocol.SetFrozen:
		g.me.Frozen = p.Frozen
		g.hold()
	case *protocol.SetVelocity:
		g.me.Frame.Velocity = hundredths(p.Velocity)
		g.placed(Placement{Why: PlacedPush})
	case *protocol.SetCamera:
		g.camera(p)
	case *protocol.SetGravity:
		g.me.Gravity = p.Factor
	case *protocol.SetDrunkLevel:
		g.me.Drunk = *p
	case *protocol.SetWorldBounds:
		g.me.Bounds = *p
	case *protocol.SetMoney:
		g.me.Money = p.Money
	case *protocol.SetWanted:
		g.me.Wanted = p.Level
	default:
		return g.applyVitals(p) || g.applyWeapons(now, p)
	}
	g.changed = true
	return true
}

// placed tells where the own ped is now and why.
func (g *game) placed(p Placement) {
	f := &g.me.Frame
	p.Epoch, p.Position, p.Dimension, p.Interior = f.Epoch, f.Position, g.me.Dimension, f.Interior
	p.Heading = protocol.Degrees(f.Heading)
	p.Velocity = protocol.Vec3{X: float32(f.Velocity[0]) / 100, Y: float32(f.Velocity[1]) / 100, Z: float32(f.Velocity[2]) / 100}
	g.changed = true
	g.tell(func(h Handler) { h.Placed(p) })
}

// teleport moves or turns the ped.
func (g *game) teleport(p *protocol.TeleportPlayer) {
	f := &g.me.Frame
	has := func(flag protocol.TeleportFlags) bool { return p.Flags&flag != 0 }
	f.Epoch, f.Interior = p.Epoch, p.Interior
	if !has(protocol.TeleportTurnOnly) {
		f.Position = p.Position
		if !has(protocol.TeleportVehicle) {
			leaveCarrier(f)
		}
		if !has(protocol.TeleportKeepVelocity) {
			f.Velocity = [3]int16{}
		}
	}
	if !has(protocol.TeleportKeepHeading) {
		f.Heading = protocol.Angle(float64(p.Heading))
	}
	g.placed(Placement{
		Why:          PlacedTeleport,
		Vehicle:      has(protocol.TeleportVehicle),
		FindGround:   has(protocol.TeleportFindGround),
		CameraBehind: has(protocol.TeleportCameraBehind),
	})
}

// scope changes dimension and interior; the place stays.
func (g *game) scope(p *protocol.ScopeChanged) {
	g.me.Frame.Epoch, g.me.Frame.Interior = p.Epoch, p.Interior
	g.dimension(p.Dimension)
	g.placed(Placement{Why: PlacedScope})
}

// dimension takes all others out of view if it is another one: each needs a new PlayerSpawned.
func (g *game) dimension(d uint16) {
	if d != g.me.Dimension {
		g.me.Dimension = d
		g.crowd.clear(g.tell)
	}
}

func (g *game) camera(p *protocol.SetCamera) {
	if p.Mode != protocol.CameraLeave {
		g.me.Camera = *p
		g.hold()
	}
	switch p.Fade {
	case protocol.FadeIn:
		g.me.FadedOut, g.me.FadeColor = false, protocol.RGBA{}
	case protocol.FadeOut:
		g.me.FadedOut, g.me.FadeColor = true, p.FadeColor
	}
	camera := *p
	g.tell(func(h Handler) { h.Camera(camera) })
}

// hold lets go of stick and keys where the player has no control.
func (g *game) hold() {
	if g.me.immovable() {
		release(&g.me.Frame)
	}
}

func release(f *protocol.Frame) {
	f.Velocity, f.MoveX, f.MoveY, f.Keys = [3]int16{}, 0, 0, 0
}

// leaveCarrier takes the ped off what it sits in or stands on.
func leaveCarrier(f *protocol.Frame) {
	f.Carrier, f.CarrierOffset = 0, [3]int16{}
	f.Flags &^= protocol.FlagSeated
}

func hundredths(v protocol.Vec3) [3]int16 {
	return [3]int16{protocol.Hundredths(float64(v.X)), protocol.Hundredths(float64(v.Y)), protocol.Hundredths(float64(v.Z))}
}
