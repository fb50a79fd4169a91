package client

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"darqline/protocol"
)

// maxFires is the most that burns in a server (page Combat, "CreateFire").
const maxFires = 256

// fires are those that the server has made.
type fires struct {
	burning map[uint32]*fire
	due     time.Duration // when the next one ends by itself
}

type fire struct {
	protocol.CreateFire
	until time.Duration // never: until it is extinguished
}

// light takes a fire, or one anew. More than a server can have are refused.
func (f *fires) light(now time.Duration, p *protocol.CreateFire) bool {
	if f.burning[p.FireID] == nil && len(f.burning) >= maxFires {
		return false
	}
	until := never
	if p.Duration > 0 {
		until = now + milliseconds(p.Duration)
	}
	f.burning[p.FireID] = &fire{*p, until}
	f.due = min(f.due, until)
	return true
}

// extinguish ends one fire, or those of an area.
func (f *fires) extinguish(p *protocol.ExtinguishFire) {
	if p.FireID != 0 {
		delete(f.burning, p.FireID)
		return
	}
	maps.DeleteFunc(f.burning, func(_ uint32, fire *fire) bool { return distance(fire.Position, p.Position) <= float64(p.Radius) })
}

// driveFires ends the fires whose time has passed.
func (g *game) driveFires(now time.Duration) time.Duration {
	f := &g.fires
	if now < f.due {
		return f.due
	}
	f.due = never
	for id, fire := range f.burning {
		if now >= fire.until {
			delete(f.burning, id)
			g.tell(func(h Handler) { h.Extinguished(protocol.ExtinguishFire{FireID: id}) })
			continue
		}
		f.due = min(f.due, fire.until)
	}
	return f.due
}

func (f *fires) list() []protocol.CreateFire {
	list := make([]protocol.CreateFire, 0, len(f.burning))
	for _, fire := range f.burning {
		list = append(list, fire.CreateFire)
	}
	slices.SortFunc(list, func(a, b protocol.CreateFire) int { return cmp.Compare(a.FireID, b.FireID) })
	return list
}
