package client

import (
	"math"
	"time"

	"darqline/protocol"
)

// Numbers of page Player, "Streaming": how a receiver renders.
const (
	RenderDelay   = 100 * time.Millisecond // behind the sender
	Extrapolation = 250 * time.Millisecond // at most, beyond the newest frame
)

const (
	keptFrames = 8
	// lostTrack is how far sender's and receiver's clocks may run apart between two frames before the track begins anew.
	// A u16 of milliseconds cannot tell a gap of more than half a minute.
	lostTrack = time.Second
)

// Track turns the frames of one player, as they come, into smooth motion: it renders RenderDelay behind by the sender's
// time, extrapolates up to Extrapolation, and snaps when the epoch changes. The zero value is ready. It belongs to one
// goroutine.
type Track struct {
	frames [keptFrames]tracked // the oldest first
	n      int
	last   time.Duration // when the newest came
	offset time.Duration // of the receiver's clock before the sender's, on a path as fast as the last ones
}

// tracked is a frame with its time on the sender's clock.
type tracked struct {
	at time.Duration
	protocol.Frame
}

// Pose is where and how to draw a player; the rest is in his newest frame.
type Pose struct {
	Position protocol.Vec3
	Heading  float64 // degrees
	AimYaw   float64
	AimPitch float64
}

// Add takes a frame that came at now, on any clock that does not run backwards. Frames come in the order of their seq.
func (t *Track) Add(now time.Duration, f *protocol.Frame) {
	next := tracked{Frame: *f}
	if t.n > 0 {
		newest := &t.frames[t.n-1]
		step := time.Duration(int16(f.Time-newest.Time)) * time.Millisecond
		lost := (step - (now - t.last)).Abs() > lostTrack
		if f.Epoch != newest.Epoch || lost || step <= 0 {
			t.n = 0
		} else {
			next.at = newest.at + step
		}
	}
	if offset := now - next.at; t.n == 0 || offset < t.offset {
		t.offset = offset
	} else {
		t.offset += (offset - t.offset) / 64 // clocks drift and paths become longer
	}
	if t.n == keptFrames {
		copy(t.frames[:], t.frames[1:])
		t.n--
	}
	t.frames[t.n] = next
	t.n++
	t.last = now
}

// At is the pose to draw at now; false before the first frame.
func (t *Track) At(now time.Duration) (Pose, bool) {
	if t.n == 0 {
		return Pose{}, false
	}
	at := now - t.offset - RenderDelay
	i := t.n - 1
	for i >= 0 && t.frames[i].at > at {
		i--
	}
	switch {
	case i < 0:
		return t.frames[0].pose(0), true
	case i == t.n-1:
		return t.frames[i].pose(min(at-t.frames[i].at, Extrapolation)), true
	}
	a, b := &t.frames[i], &t.frames[i+1]
	return between(a, b, float64(at-a.at)/float64(b.at-a.at)), true
}

// pose is the frame's own, moved on by its velocity.
func (f *tracked) pose(ahead time.Duration) Pose {
	s := float32(ahead.Seconds() / 100)
	p := f.Position
	p.X += float32(f.Velocity[0]) * s
	p.Y += float32(f.Velocity[1]) * s
	p.Z += float32(f.Velocity[2]) * s
	return Pose{p, protocol.Degrees(f.Heading), protocol.Degrees(f.AimYaw), float64(f.AimPitch) / 100}
}

// between is the pose at a part of the way from a to b.
func between(a, b *tracked, part float64) Pose {
	mix := func(a, b float32) float32 { return a + float32(part)*(b-a) }
	turn := func(a, b uint16) float64 {
		degrees := protocol.Degrees(a) + part*float64(int16(b-a))*360/65536
		return math.Mod(degrees+360, 360)
	}
	return Pose{
		Position: protocol.Vec3{X: mix(a.Position.X, b.Position.X), Y: mix(a.Position.Y, b.Position.Y), Z: mix(a.Position.Z, b.Position.Z)},
		Heading:  turn(a.Heading, b.Heading),
		AimYaw:   turn(a.AimYaw, b.AimYaw),
		AimPitch: (float64(a.AimPitch) + part*float64(b.AimPitch-a.AimPitch)) / 100,
	}
}

func distance(a, b protocol.Vec3) float64 {
	x, y, z := float64(a.X-b.X), float64(a.Y-b.Y), float64(a.Z-b.Z)
	return math.Sqrt(x*x + y*y + z*z)
}
