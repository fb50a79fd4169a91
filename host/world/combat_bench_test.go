package world

import (
	"testing"

	"darqline/protocol"
)

// BenchmarkShot is one shot and the report of its hit, from decoded packet to decoded packet, with one viewer.
func BenchmarkShot(b *testing.B) {
	d := newDuel(new(testing.T))
	d.w.cfg.Relay = func([]Link, []byte) {}
	d.arm(d.a, ak, protocol.MaxAmmo)
	shot := &protocol.WeaponShot{Weapon: ak, Hit: protocol.Ref{Kind: protocol.RefPlayer, ID: d.b.p.Token},
		Origin: d.a.p.body.Position, End: d.b.p.body.Position}
	hit := &protocol.DamageReport{Victim: d.b.p.Token, Cause: protocol.Cause(ak), BodyPart: protocol.PartTorso, Pellets: 1}
	d.do(func(tx Tx) { tx.SetMultipliers(bullets(0), "r") })
	b.ReportAllocs()
	for b.Loop() {
		d.rig.now += 90 * ms
		d.a.p.grips[ak].shown = d.rig.now
		d.a.p.slotOf(ak).ammo = 100
		shot.Seq++
		hit.Shot = shot.Seq
		tx := d.w.Begin()
		tx.Receive(d.a.p, shot)
		tx.Receive(d.a.p, hit)
		tx.End()
	}
	if d.a.p.failed != nil {
		b.Fatal(d.a.allFails())
	}
}
