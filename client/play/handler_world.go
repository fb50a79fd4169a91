package play

import (
	"math"

	"darqline/client"
	"darqline/protocol"
	"darqline/protocol/wire"
)

// handler's part for players and combat.

func (h *handler) Self(s client.Self) {
	out := self{
		ID: s.ID, State: s.State.String(), Health: roundedUp(s.Health), Armor: roundedUp(s.Armor), Money: s.Money,
		Wanted: s.Wanted, Frozen: s.Frozen, Spectates: s.Spectates(), OnFire: s.OnFire,
		Camera: s.Camera.Mode != protocol.CameraPlayer, Interior: s.Frame.Interior, Dimension: s.Dimension,
		Weapon: s.Weapon, Weapons: []carried{},
	}
	for _, held := range s.Inventory {
		if held.Has {
			out.Weapons = append(out.Weapons, carriedOf(held))
		}
	}
	if s.Has(protocol.WeaponDetonator) && s.Inventory.Ammo(protocol.WeaponDetonator) == 0 { // it comes with a satchel
		out.Weapons = append(out.Weapons, carriedOf(client.Held{Weapon: protocol.WeaponDetonator, Ammo: 1}))
	}
	if b := s.Bounds; b.MinX > -wire.MaxCoordinate || b.MinY > -wire.MaxCoordinate || b.MaxX < wire.MaxCoordinate || b.MaxY < wire.MaxCoordinate {
		out.Bounds = &[4]float32{b.MinX, b.MinY, b.MaxX, b.MaxY}
	}
	if s.State == client.Wasted {
		out.Death = &death{Cause: title(s.Death.Cause.String()), Stealth: s.Death.Flags&protocol.WastedStealth != 0}
		if s.Death.KillerID != protocol.NoPlayer && s.Death.KillerToken != s.Token {
			out.Death.Killer = h.m.playerName(s.Death.KillerID)
		}
		out.Respawn = s.Respawn.UnixMilli()
	}
	h.m.setSelf(out, s.Token)
	h.m.keepSatchels(s.ID, s.Satchels)
}

func carriedOf(h client.Held) carried {
	f, _ := h.Weapon.Figures()
	return carried{
		ID: h.Weapon, Title: title(f.Name), Counted: f.Kind != protocol.WeaponMelee && f.Kind != protocol.WeaponGear,
		Auto: f.Kind != protocol.WeaponThrown && f.Kind != protocol.WeaponRocket && f.Kind != protocol.WeaponGear,
		Ammo: h.Ammo, Clip: h.Clip, Magazine: f.Clip > 1, Interval: max(f.Interval, sprayInterval(f.Kind)),
	}
}

func roundedUp(v float32) uint8 { return uint8(math.Ceil(float64(min(max(v, 0), 100)))) }

func (h *handler) Placed(p client.Placement) {
	heading := protocol.Angle(p.Heading)
	h.m.setPlace(place{
		Epoch: p.Epoch, Position: at(p.Position), Velocity: at(p.Velocity), Heading: p.Heading, Push: p.Why == client.PlacedPush,
	}, protocol.Frame{
		Epoch: p.Epoch, Interior: p.Interior, Position: p.Position, Heading: heading, AimYaw: heading, Flags: protocol.FlagOnGround,
	})
	if p.FadeIn {
		h.m.setFade(fade{Time: 1000})
	}
}

// cameraModes are the words of CameraMode but CameraLeave.
var cameraModes = [...]string{"own", "fixed", "glide", "player", "vehicle"}

func (h *handler) Camera(c protocol.SetCamera) {
	if c.Mode != protocol.CameraLeave {
		h.m.setCamera(camera{Mode: cameraModes[c.Mode], Target: at(c.Target), Duration: c.Duration, Player: c.PlayerID})
	}
	if c.Fade != protocol.FadeLeave {
		h.m.setFade(fade{Out: c.Fade == protocol.FadeOut, Time: c.FadeTime, Color: color(c.FadeColor)})
	}
}

func (h *handler) Remote(r client.Remote) {
	if !r.Shown {
		h.m.removePed(r.ID)
		return
	}
	h.m.setPed(ped{ID: r.ID, Token: r.Token, Skin: r.Skin, Dead: r.Dead})
	h.m.framed(r.ID, r.Token, &r.Frame)
}

func (h *handler) Frame(id uint16, token uint32, f *protocol.Frame) { h.m.framed(id, token, f) }

func (h *handler) Wasted(p protocol.PlayerWasted) {
	h.m.happen(message{Type: "death", ID: uint64(p.PlayerID)})
}

func (h *handler) Shot(p protocol.RemoteWeaponShot) { h.m.shot(p.Hit, p.Origin, p.End) }

// shot shows a tracer, of another player or the own one.
func (m *model) shot(hit protocol.Ref, origin, end protocol.Vec3) {
	s := shot{From: at(origin), To: at(end)}
	if hit.Kind == protocol.RefPlayer {
		if id, ok := m.pedOf(hit.ID); ok {
			s.Hit = &id
		}
	}
	m.happen(message{Type: "shot", Shot: &s})
}

// Satchels go off where they lie, which the server or their owner says.
func (h *handler) Satchels(s client.Satchels) {
	h.m.endSatchels(s.PlayerID)
	for _, each := range s.Positions {
		kind := protocol.ExplosionGrenade
		h.m.happen(message{Type: "blast", Blast: &blast{At: at(each), Radius: kind.Radius(), Type: kind.String()}})
	}
}

func (h *handler) Explosion(p protocol.CreateExplosion) {
	if p.Flags&protocol.ExplosionInvisible == 0 {
		h.m.happen(message{Type: "blast", Blast: &blast{At: at(p.Position), Radius: p.Type.Radius(), Type: p.Type.String()}})
	}
}

func (h *handler) Fire(p protocol.CreateFire) {
	h.m.setFire(fire{ID: p.FireID, At: at(p.Position), Size: p.Size})
}

func (h *handler) Extinguished(p protocol.ExtinguishFire) {
	h.m.endFires(func(f fire) bool {
		return f.ID == p.FireID || p.FireID == 0 && distance(f.At, at(p.Position)) <= p.Radius
	})
}

func distance(a, b spot) float32 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return float32(math.Sqrt(float64(x*x + y*y + z*z)))
}
