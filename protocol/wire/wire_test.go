package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// everything uses each primitive once.
type everything struct {
	U8       uint8
	U16      uint16
	U32      uint32
	U64      uint64
	I8       int8
	I16      int16
	I32      int32
	Ranged   int16
	Optional uint32
	ID       uint32
	Kind     uint8
	Gaps     uint8
	Flags    uint32
	Yes      bool
	Float    float32
	Bounded  float32
	Maybe    float32
	Double   float64
	Percent  float64
	Place    Vec3
	Offset   [3]int16
	Free     [3]int16
	Rotation Quat
	Theme    RGBA
	Exact    RGBA
	SHA256   [4]byte
	Text     string
	Title    string
	Name     string
	Raw      string
	RawBytes []byte
	Joined   []string
	Long     string
	Short    string
	Data     []byte
	Skills   [3]uint16
	Pairs    [2]pair
	Cars     []uint32
	Entries  []pair
	Shared   shared
	Cells    []string
	Batch    []pair
	Op       uint8
	Value    variant
	Tail     tail
}

type pair struct{ A, B uint8 }

func (p *pair) Wire(c *Codec) {
	c.U8(&p.A)
	Range(c, &p.B, 0, 9)
}

type shared struct{ X uint8 }

func (s *shared) Wire(c *Codec) { c.U8(&s.X) }

type variant struct {
	Number uint16
	Word   string
}

func (v *variant) number(c *Codec) { c.U16(&v.Number) }
func (v *variant) word(c *Codec)   { c.Str8(&v.Word, 1, 4, Plain) }

type tail struct{ A, B string }

var lower = Alphabet("[a-z]", 1, 7, func(b byte) bool { return b >= 'a' && b <= 'z' })

func (e *everything) Wire(c *Codec) {
	c.U8(&e.U8)
	c.U16(&e.U16)
	c.U32(&e.U32)
	c.U64(&e.U64)
	c.I8(&e.I8)
	c.I16(&e.I16)
	c.I32(&e.I32)
	Range(c, &e.Ranged, -5, 5)
	ZeroOr(c, &e.Optional, 10, 20)
	NonZero(c, &e.ID)
	Enum(c, &e.Kind, 3)
	OneOf(c, &e.Gaps, SetOf[uint8](1, 7).With(3, 5))
	Bits(c, &e.Flags, 17)
	c.Bool(&e.Yes)
	c.F32(&e.Float)
	c.F32In(&e.Bounded, 0, 1.5)
	c.F32ZeroOr(&e.Maybe, 2, 3)
	c.F64(&e.Double)
	c.F64In(&e.Percent, 0, 100)
	c.Position(&e.Place)
	c.I16Vec(&e.Offset, 100)
	c.I16Vec(&e.Free, math.MaxInt16)
	c.Quat(&e.Rotation)
	c.RGBA(&e.Theme)
	c.Color(&e.Exact)
	c.Bytes(e.SHA256[:])
	c.Text(&e.Text, 8, Line)
	c.Text(&e.Title, 8, Lines(2))
	c.Name(&e.Name, 8, lower)
	c.Raw(&e.Raw, 4)
	c.RawBytes(&e.RawBytes, 4)
	c.Joined(&e.Joined, 8, "words", func(words []string) error {
		if len(words) > 2 {
			return errors.New("more than 2 words")
		}
		return nil
	})
	long := c.Len8(&e.Long, 0, 5)
	c.Str16(&e.Short, 0, 5, Plain)
	c.Piece(&e.Long, long, Plain)
	c.Room(&e.Data, 0, 4, nil)
	Array(c, e.Skills[:], func(s *uint16, c *Codec) { Range(c, s, 0, 999) })
	Array(c, e.Pairs[:], (*pair).Wire)
	List(c, &e.Cars, 0, 2, 4, func(id *uint32, c *Codec) { NonZero(c, id) })
	List(c, &e.Entries, 0, 3, 2, (*pair).Wire)
	c.Struct(&e.Shared)
	Repeat(c, &e.Cells, 0, 3, func(s *string, c *Codec) { c.Str8(s, 0, 3, Line) })
	Repeat(c, &e.Batch, 0, 3, (*pair).Wire)
	Enum(c, &e.Op, 2)
	Union(c, &e.Value, &e.Op, Nothing, (*variant).number, (*variant).word)
	c.Zeros(2)
	c.Tail(&e.Tail, 2, 8, func() {
		c.Str8(&e.Tail.A, 0, 3, Line)
		c.Str8(&e.Tail.B, 0, 3, Line)
	})
}

func full() *everything {
	return &everything{
		U8: 1, U16: 0x0203, U32: 0x04050607, U64: 0x08090A0B0C0D0E0F, I8: -1, I16: -2, I32: -3, Ranged: -5, Optional: 20, ID: 7, Kind: 3, Gaps: 4,
		Flags: 0x10001, Yes: true, Float: -1.5, Bounded: 1.5, Maybe: 2.5, Double: 1e300, Percent: 99.5, Place: Vec3{-20000, 20000, 0},
		Offset: [3]int16{-100, 100, 0}, Free: [3]int16{-32768, 32767, 1}, Rotation: Quat{0, 0.6, 0, -0.8}, Theme: RGBA{1, 2, 3, 4}, Exact: RGBA{5, 6, 7, 0},
		SHA256: [4]byte{9, 8, 7, 6}, Text: "tёxt", Title: "a\nb", Name: "abcdefg", Raw: "\x00\xFFr", RawBytes: []byte{1, 0, 2, 0}, Joined: []string{"one", "two"},
		Long: "long", Short: "short", Data: []byte{1, 2, 3}, Skills: [3]uint16{0, 500, 999}, Pairs: [2]pair{{1, 2}, {3, 4}},
		Cars: []uint32{42}, Entries: []pair{{5, 6}, {7, 8}}, Shared: shared{9}, Cells: []string{"", "abc"}, Batch: []pair{{1, 1}, {2, 2}, {3, 3}},
		Op: 2, Value: variant{Word: "word"}, Tail: tail{"a", "bcd"},
	}
}

func encode(b Body) ([]byte, error) {
	var c Codec
	buf := bytes.Repeat([]byte{0xEE}, 1024) // what is not written would show
	c.Encode("Everything", b, buf, 0)
	b.Wire(&c)
	err := c.End()
	return buf[:c.Offset()], err
}

func decode(buf []byte, b Body) error {
	var c Codec
	c.Decode("Everything", b, buf, 0)
	b.Wire(&c)
	return c.End()
}

func TestBothWays(t *testing.T) {
	for name, in := range map[string]*everything{
		"full":   full(),
		"least":  {ID: 1, Gaps: 1, Rotation: Quat{W: 1}, Name: "a", RawBytes: make([]byte, 4), Data: []byte{}},
		"number": func() *everything { e := full(); e.Op, e.Value = 1, variant{Number: 500}; return e }(),
	} {
		b, err := encode(in)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out := new(everything)
		if err := decode(b, out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(in, out) {
			t.Errorf("%s:\n%+v\n%+v", name, in, out)
		}
		for n := range b {
			if err := decode(b[:n], new(everything)); err == nil {
				t.Errorf("%s: %d of %d bytes decode", name, n, len(b))
			}
		}
		if err := decode(append(b, 0), new(everything)); err == nil {
			t.Errorf("%s: one byte more decodes", name)
		}
	}
}

// TestBytes holds the little end and the order of fields.
func TestBytes(t *testing.T) {
	b, _ := encode(full())
	const want = "01" + "0302" + "07060504" + "0f0e0d0c0b0a0908" + "ff" + "feff" + "fdffffff" + "fbff" + "14000000" + "07000000" + "03" + "04" + "01000100" + "01" +
		"0000c0bf" + "0000c03f" + "00002040"
	if got := hex.EncodeToString(b[:len(want)/2]); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestSmallBuffer encodes into too little room at every length.
func TestSmallBuffer(t *testing.T) {
	b, _ := encode(full())
	for n := range b {
		var c Codec
		in := full()
		c.Encode("Everything", in, make([]byte, n), 0)
		in.Wire(&c)
		if err := c.End(); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("%d of %d bytes: %v", n, len(b), err)
		}
	}
}

// TestEncodeRefuses has one fault for each primitive.
func TestEncodeRefuses(t *testing.T) {
	nan32, inf64 := float32(math.NaN()), math.Inf(1)
	for want, change := range map[string]func(e *everything){
		"ranged at byte 22: 6 is outside -5..5":                  func(e *everything) { e.Ranged = 6 },
		"optional at byte 24: 9 is neither 0 nor within 10..20":  func(e *everything) { e.Optional = 9 },
		"optional at byte 24: 21 is neither 0 nor within 10..20": func(e *everything) { e.Optional = 21 },
		"id at byte 28: must not be 0":                           func(e *everything) { e.ID = 0 },
		"kind at byte 32: 4 is outside 0..3":                     func(e *everything) { e.Kind = 4 },
		"gaps at byte 33: 2 is not one of 1, 3..5, 7":            func(e *everything) { e.Gaps = 2 },
		"flags at byte 34: bits 0x20000 are not defined":         func(e *everything) { e.Flags = 0x20001 },
		"float at byte 39: NaN is not a finite number":           func(e *everything) { e.Float = nan32 },
		"bounded at byte 43: -0.5 is outside 0..1.5":             func(e *everything) { e.Bounded = -0.5 },
		"bounded at byte 43: NaN is not a finite number":         func(e *everything) { e.Bounded = nan32 },
		"maybe at byte 47: 1 is neither 0 nor within 2..3":       func(e *everything) { e.Maybe = 1 },
		"double at byte 51: +Inf is not a finite number":         func(e *everything) { e.Double = inf64 },
		"percent at byte 59: 100.5 is outside 0..100":            func(e *everything) { e.Percent = 100.5 },
		"place at byte 67: (0, 0, 20001) is not within ±20000":   func(e *everything) { e.Place = Vec3{Z: 20001} },
		"offset at byte 79: [0 -101 0] is not within ±100":       func(e *everything) { e.Offset = [3]int16{0, -101, 0} },
		"rotation at byte 91: a rotation has length 1, not 2":    func(e *everything) { e.Rotation = Quat{X: 2} },
		"rotation at byte 91: a rotation has length 1, not NaN":  func(e *everything) { e.Rotation.Y = nan32 },
		"theme at byte 107: with alpha 0":                        func(e *everything) { e.Theme.A = 0 },
		"text at byte 119: control character U+000A":             func(e *everything) { e.Text = "\n" },
		"text at byte 119: 8 bytes, at most 7 fit":               func(e *everything) { e.Text = "12345678" },
		"text at byte 119: a NUL inside the text":                func(e *everything) { e.Text = "a\x00" },
		"title at byte 127: more than 2 lines":                   func(e *everything) { e.Title = "\n\n" },
		"name at byte 135: is empty":                             func(e *everything) { e.Name = "" },
		"name at byte 135: 'A' is not of [a-z]":                  func(e *everything) { e.Name = "A" },
		"raw at byte 143: 5 bytes, at most 4 fit":                func(e *everything) { e.Raw = "12345" },
		"raw_bytes at byte 147: 5 bytes, at most 4 fit":          func(e *everything) { e.RawBytes = make([]byte, 5) },
		"joined at byte 151: more than 2 words":                  func(e *everything) { e.Joined = []string{"a", "b", "c"} },
		"joined at byte 151: 9 bytes, at most 7 fit":             func(e *everything) { e.Joined = []string{"aaaa", "bbbb"} },
		"long_len at byte 159: 6 bytes are outside 0..5":         func(e *everything) { e.Long = "123456" },
		"long_len at byte 159: 260 bytes are outside 0..5":       func(e *everything) { e.Long = strings.Repeat("x", 260) },
		"long at byte 167: control character U+0007":             func(e *everything) { e.Long = "abc\a" },
		"short at byte 160: 6 bytes are outside 0..5":            func(e *everything) { e.Short = "123456" },
		"len at byte 171: 5 is outside 0..4":                     func(e *everything) { e.Data = make([]byte, 5) },
		"skills[1] at byte 179: 1000 is outside 0..999":          func(e *everything) { e.Skills[1] = 1000 },
		"pairs[1].b at byte 186: 10 is outside 0..9":             func(e *everything) { e.Pairs[1].B = 10 },
		"count at byte 187: 3 is outside 0..2":                   func(e *everything) { e.Cars = make([]uint32, 3) },
		"cars[0] at byte 188: must not be 0":                     func(e *everything) { e.Cars[0] = 0 },
		"entries[0].b at byte 198: 10 is outside 0..9":           func(e *everything) { e.Entries[0].B = 10 },
		"cells[1] at byte 206: 4 bytes are outside 0..3":         func(e *everything) { e.Cells[1] = "abcd" },
		"op at byte 217: 3 is outside 0..2":                      func(e *everything) { e.Op = 3 },
		"value.word at byte 218: 0 bytes are outside 1..4":       func(e *everything) { e.Value.Word = "" },
		"tail.b at byte 229: 4 bytes are outside 0..3":           func(e *everything) { e.Tail.B = "1234" },
	} {
		e := full()
		change(e)
		if _, err := encode(e); err == nil || !strings.HasPrefix(err.Error(), "Everything: "+want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

// TestDecodeRefuses has the faults that only bytes can have.
func TestDecodeRefuses(t *testing.T) {
	good, _ := encode(full())
	for _, tc := range []struct {
		at   int
		b    string
		want string
	}{
		{38, "\x02", "yes at byte 38: a bool is 0 or 1, not 2"},
		{119, "12345678", "text at byte 119: not NUL-terminated"},
		{126, "x", "text at byte 126: a byte that must be zero is not"},
		{171, "\x02", "data at byte 175: a byte that must be zero is not"},
		{171, "\x05", "len at byte 171: 5 is outside 0..4"},
		{176, "x", "data at byte 176: a byte that must be zero is not"},
		{187, "\x00", "cars at byte 188: a byte that must be zero is not"},
		{187, "\x03", "count at byte 187: 3 is outside 0..2"},
		{195, "x", "cars at byte 195: a byte that must be zero is not"},
		{223, "x", "padding at byte 223: a byte that must be zero is not"},
		{225, "\x05", "len at byte 225: it says 5 bytes, 6 follow"},
		{227, "\x04", "tail.a at byte 227: 4 bytes are outside 0..3"},
	} {
		b := bytes.Clone(good)
		copy(b[tc.at:], tc.b)
		if err := decode(b, new(everything)); err == nil || !strings.HasPrefix(err.Error(), "Everything: "+tc.want) {
			t.Errorf("byte %d = %q: got %v\nwant %s", tc.at, tc.b, err, tc.want)
		}
	}
}

// TestFirstFaultWins makes two faults.
func TestFirstFaultWins(t *testing.T) {
	e := full()
	e.Kind, e.Op = 9, 9
	_, err := encode(e)
	fault, ok := err.(*Error)
	if !ok || *fault != (Error{"Everything", "kind", 32, "9 is outside 0..3"}) {
		t.Errorf("%#v", err)
	}
	if e := (&Error{Packet: "P", Reason: "r"}).Error(); e != "P: r" {
		t.Error(e)
	}
}

func TestSet(t *testing.T) {
	s := SetOf[uint8](0, 255).With(63, 64)
	if got := s.String(); got != "0, 63..64, 255" {
		t.Error(got)
	}
	for v, want := range map[uint16]bool{639: false, 640: false, 65535: false, 0: true, 1: false, 62: false, 63: true, 64: true, 65: false, 254: false, 255: true} {
		if s.Has(v) != want {
			t.Errorf("%d: %v", v, !want)
		}
	}
	if got := new(Set).With(600, 639).Without(601, 639).String(); got != "600, 602..638" {
		t.Error(got)
	}
}

// gaps has the primitives of game data.
type gaps struct {
	Model    uint16
	Heading  float32
	Health   float32
	Size     float32
	Velocity Vec3
}

func (g *gaps) Wire(c *Codec) {
	OneOf(c, &g.Model, new(Set).With(400, 611))
	c.Heading(&g.Heading)
	c.F32Over(&g.Health, 0, 100)
	c.F32In(&g.Size, 0.1, 10)
	c.FreeVec3(&g.Velocity)
}

func TestGaps(t *testing.T) {
	good := gaps{411, 359.99997, 1e-40, 0.1, Vec3{1e38, -1e38, 0}}
	b, err := encode(&good)
	out := new(gaps)
	if err != nil || decode(b, out) != nil || *out != good {
		t.Errorf("%+v, %v", out, err)
	}
	inf := float32(math.Inf(1))
	for want, change := range map[string]func(g *gaps){
		"model at byte 0: 399 is not one of 400..611":                  func(g *gaps) { g.Model = 399 },
		"heading at byte 2: 360 is not a heading, 0 up to but not 360": func(g *gaps) { g.Heading = 360 },
		"heading at byte 2: -1 is not a heading":                       func(g *gaps) { g.Heading = -1 },
		"health at byte 6: 0 is not above 0 and up to 100":             func(g *gaps) { g.Health = 0 },
		"health at byte 6: 101 is not above 0 and up to 100":           func(g *gaps) { g.Health = 101 },
		"health at byte 6: NaN is not above":                           func(g *gaps) { g.Health = inf - inf },
		"size at byte 10: 0.05 is outside 0.1..10":                     func(g *gaps) { g.Size = 0.05 },
		"velocity at byte 14: (0, +Inf, 0) is not finite":              func(g *gaps) { g.Velocity = Vec3{0, inf, 0} },
	} {
		g := good
		change(&g)
		if _, err := encode(&g); err == nil || !strings.HasPrefix(err.Error(), "Everything: "+want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	const described = `[u16 model]      // 400..611
[f32 heading]    // 0..360, not 360
[f32 health]     // above 0, up to 100
[f32 size]       // 0.1..10
[vec3 velocity]
`
	if got := Describe(new(gaps)).String(); got != described {
		t.Errorf("got\n%s\nwant\n%s", got, described)
	}
}

func TestAlphabet(t *testing.T) {
	rule := Alphabet("[a-z]", 2, 3, func(b byte) bool { return b >= 'a' && b <= 'z' })
	for s, want := range map[string]string{"ab": "", "abc": "", "": "is empty", "a": "1 bytes are outside 2..3", "abcd": "4 bytes are outside 2..3", "a-": "'-' is not of [a-z]"} {
		got := ""
		if err := rule.Check(s); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestPlainLines(t *testing.T) {
	for _, tc := range []struct {
		kind Text
		s    string
		ok   bool
	}{
		{PlainLines(2), "a\nb", true}, {PlainLines(2), "a\nb\n", false}, {PlainText, strings.Repeat("\n", 999), true}, {PlainText, "\t", false}, {Plain, "\n", false},
	} {
		if err := tc.kind.Check(tc.s); (err == nil) != tc.ok {
			t.Errorf("%v %.9q: %v", tc.kind, tc.s, err)
		}
	}
	if PlainLines(40).String() != "plain lines, up to 40" {
		t.Error(PlainLines(40))
	}
}

// padded is nothing but padding.
type padded struct{}

func (*padded) Wire(c *Codec) { c.Zeros(20) }

// TestZeros finds the byte that is not zero wherever it is.
func TestZeros(t *testing.T) {
	for i := range 20 {
		b := make([]byte, 20)
		b[i] = 0x80
		want := fmt.Sprintf("Everything: padding at byte %d: a byte that must be zero is not", i)
		if err := decode(b, new(padded)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := decode(make([]byte, 20), new(padded)); err != nil {
		t.Error(err)
	}
}
