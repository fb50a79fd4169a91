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

// fires are those that the server has made. The zero value is ready.
type fires map[uint32]*fire

type fire struct {
	protocol.CreateFire
	until time.Duration // never: until it is extinguished
}

// light takes a fire, or one anew. More than a server can have are refused.
func (f *fires) light(now time.Duration, p *protocol.CreateFire) bool {
	if *f == nil {
		*f = make(fires)
	}
	if (*f)[p.FireID] == nil && len(*f) >= maxFires {
		return false
	}
	until := never
	if p.Duration > 0 {
		until = now + milliseconds(p.Duration)
	}
	(*f)[p.FireID] = &fire{*p, until}
	return true
}

// extinguish ends one fire, or those of an area.
func (f fires) extinguish(p *protocol.ExtinguishFire) {
	if p.FireID != 0 {
		delete(f, p.FireID)
		return
	}
	maps.DeleteFunc(f, func(_ uint32, fire *fire) bool { return distance(fire.Position, p.Position) <= float64(p.Radius) })
}

// driveFires ends the fires whose time has passed.
func (g *game) driveFires(now time.Duration) time.Duration {
	next := never
	for id, fire := range g.fires {
		if now >= fire.until {
			delete(g.fires, id)
			g.tell(func(h Handler) { h.Extinguished(protocol.ExtinguishFire{FireID: id}) })
			continue
		}
		next = min(next, fire.until)
	}
	return next
}

func (f fires) list() []protocol.CreateFire {
	list := make([]protocol.CreateFire, 0, len(f))
	for _, fire := range f {
		list = append(list, fire.CreateFire)
	}
	slices.SortFunc(list, func(a, b protocol.CreateFire) int { return cmp.Compare(a.FireID, b.FireID) })
	return list
}
