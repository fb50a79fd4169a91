package wire

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"
)

// A lamp is a thing that a packet may remove; it embeds where it stands.
type lamp struct {
	ID    uint32
	There bool
	stand
	Light  light
	Name   string
	Points []point
}

type stand struct {
	On   uint8
	Aims Vec3
}

func (s *stand) wire(c *Codec) {
	Range(c, &s.On, 1, 3)
	c.Direction(&s.Aims)
}

type light struct{ Rotation Quat }

func (l *light) Wire(c *Codec) { c.Quat(&l.Rotation) }

type point struct{ X, Y float32 }

func (p *point) Wire(c *Codec) {
	c.F32(&p.X)
	c.F32(&p.Y)
}

var lampName = Alphabet("a-z", 0, 4, func(b byte) bool { return b >= 'a' && b <= 'z' })

func (l *lamp) Wire(c *Codec) {
	NonZero(c, &l.ID)
	c.Bool(&l.There)
	Removable(c, l, lamp{ID: l.ID}, !l.There, 1+12+16+1+1, (*lamp).show)
}

func (l *lamp) show(c *Codec) {
	l.stand.wire(c)
	c.Struct(&l.Light)
	c.Name8(&l.Name, 0, 4, lampName)
	Repeat(c, &l.Points, 0, 3, (*point).Wire)
}

func good() lamp {
	return lamp{
		ID: 7, There: true, stand: stand{On: 2, Aims: Vec3{X: 0.6, Y: -0.8}}, Light: light{Quat{X: 0.5, Y: 0.5, Z: 0.5, W: -0.5}},
		Name: "lamp", Points: []point{{1, 2}, {3, 4}},
	}
}

func encodeLamp(l *lamp) (string, error) {
	var c Codec
	buf := make([]byte, 100)
	c.Encode("Lamp", l, buf, 0)
	l.Wire(&c)
	err := c.End()
	return hex.EncodeToString(buf[:c.Offset()]), err
}

func decodeLamp(s string) (lamp, error) {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	l := good() // a value that was used before
	var c Codec
	c.Decode("Lamp", &l, b, 0)
	l.Wire(&c)
	return l, c.End()
}

func TestRemovable(t *testing.T) {
	l := good()
	there, err := encodeLamp(&l)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := decodeLamp(there); err != nil || again.Name != "lamp" || again.Points[1] != (point{3, 4}) || again.On != 2 {
		t.Errorf("%+v, %v", again, err)
	}
	gone := "0700000000" + strings.Repeat("00", 31)
	if got, err := encodeLamp(&lamp{ID: 7}); err != nil || got != gone {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := decodeLamp(gone); err != nil || got.ID != 7 || got.On != 0 || got.Points != nil || got.Light != (light{}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, tc := range []struct{ put, want string }{
		{"01", "Lamp: on at byte 5: must be 0 where the thing is removed"},
		{"00" + "00000080", "Lamp: aims at byte 6: must be 0"},
		{"00" + strings.Repeat("00", 12+15) + "3F", "Lamp: light.rotation at byte 18: must be 0"},
		{"00" + strings.Repeat("00", 12+16) + "04", "Lamp: name at byte 34: must be 0"},
		{"00" + strings.Repeat("00", 12+16+1) + "01", "Lamp: count at byte 35: must be 0"},
	} {
		bad := gone[:10] + tc.put + gone[10+len(tc.put):]
		if _, err := decodeLamp(bad); err == nil || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %s", tc.put, err, tc.want)
		}
	}
	if _, err := decodeLamp(gone[:len(gone)-2]); err == nil || !strings.Contains(err.Error(), "the packet ends here") {
		t.Errorf("a byte less: %v", err)
	}
	if _, err := decodeLamp(gone + "00"); err == nil || !strings.Contains(err.Error(), "1 bytes too many") {
		t.Errorf("a byte more: %v", err)
	}
	l = good()
	l.There = false
	if _, err := encodeLamp(&l); err == nil || err.Error() != "Lamp: what is removed has no other fields" {
		t.Errorf("with other fields: %v", err)
	}
}

// TestEmbedded has fields of an embedded struct under their own names, and
// pairs of one type in one line.
func TestEmbedded(t *testing.T) {
	got := Describe(new(lamp)).String()
	for _, want := range []string{
		"[u8  on]               // 1..3\n", "[vec3 aims]            // unit length\n",
		"[str8 name]            // a-z, 0..4 bytes\n", "[f32 points[2*count]]\n    each, 8 bytes:\n    [f32 x]\n    [f32 y]\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestLampRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, tc := range []struct {
		change func(l *lamp)
		want   string
	}{
		{func(l *lamp) { l.On = 4 }, "Lamp: on at byte 5: 4 is outside 1..3"},
		{func(l *lamp) { l.Aims = Vec3{} }, "Lamp: aims at byte 6: a direction has length 1, not 0"},
		{func(l *lamp) { l.Aims = Vec3{X: 1.02} }, "not 1.0199"},
		{func(l *lamp) { l.Aims = Vec3{Z: -0.98} }, "not 0.98"},
		{func(l *lamp) { l.Aims = Vec3{Z: nan} }, "(0, 0, NaN) is not finite"},
		{func(l *lamp) { l.Light.Rotation.W = inf }, "light.rotation at byte 18: a rotation has length 1, not +Inf"},
		{func(l *lamp) { l.Name = "Lamp" }, "Lamp: name at byte 35: 'L' is not of a-z"},
		{func(l *lamp) { l.Name = "lamps" }, "5 bytes are outside 0..4"},
		{func(l *lamp) { l.Points[1].Y = nan }, "points[1].y at byte 52: NaN is not a finite number"},
		{func(l *lamp) { l.Aims = Vec3{X: 1.0099} }, ""},
		{func(l *lamp) { l.Aims = Vec3{Y: -0.9901} }, ""},
		{func(l *lamp) { l.Light.Rotation = Quat{W: 1.0099} }, ""},
	} {
		l := good()
		tc.change(&l)
		_, err := encodeLamp(&l)
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("got %v, want %s", err, tc.want)
		}
	}
}
