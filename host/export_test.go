package host

import (
	"time"

	"darqline/host/internal/wholefile"
)

// On has a server go by a wall clock and write to a disk of the test's.
func (o Options) On(wall func() time.Time, disk wholefile.FS) Options {
	o.wall, o.disk = wall, disk
	return o
}

// Post runs something on the script loop.
func (h *Host) Post(f func()) error { return h.script.Post(f) }

// Backlog is what is on the way to all players now.
func (h *Host) Backlog() (unacked, waiting int) { return h.sessions.Backlog() }
