package protocol_test

import (
	"testing"

	"darqline/protocol"
)

func TestAngle(t *testing.T) {
	for degrees, want := range map[float64]uint16{0: 0, 90: 16384, 270: 49152, -90: 49152, 359.999: 0, 360: 0, 720.5: 91, 0.0055: 1} {
		if got := protocol.Angle(degrees); got != want {
			t.Errorf("%g degrees are %d, want %d", degrees, got, want)
		}
	}
	for angle := range 65536 {
		d := protocol.Degrees(uint16(angle))
		if d < 0 || d >= 360 || protocol.Angle(d) != uint16(angle) {
			t.Fatalf("%d is %g degrees and back %d", angle, d, protocol.Angle(d))
		}
	}
}

func TestHundredths(t *testing.T) {
	for v, want := range map[float64]int16{0: 0, 1.234: 123, -5: -500, 327.67: 32767, 400: 32767, -400: -32768, 1e300: 32767} {
		if got := protocol.Hundredths(v); got != want {
			t.Errorf("%g is %d, want %d", v, got, want)
		}
	}
}
