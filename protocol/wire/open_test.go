package wire

import (
	"reflect"
	"strings"
	"testing"
)

// openEnded has what only the server query has.
type openEnded struct {
	Kind    uint8
	Head    pair
	Padding []byte
}

func (p *openEnded) Wire(c *Codec) {
	c.Magic("ABC")
	Enum(c, &p.Kind, 1)
	Union(c, &p.Head, &p.Kind, Absent, (*pair).Wire)
	c.Rest(&p.Padding, 1, 3)
}

func TestOpenEnded(t *testing.T) {
	for _, tc := range []struct {
		b    string
		want string
	}{
		{"ABC\x00p", ""}, {"ABC\x01\x05\x06ppp", ""},
		{"ABD\x00p", `magic at byte 0: "ABD" instead of "ABC"`},
		{"ABC\x00", "padding at byte 4: 0 bytes are outside 1..3"},
		{"ABC\x00pppp", "padding at byte 4: 4 bytes are outside 1..3"},
		{"ABC\x01\x05", "head.b at byte 5: the packet ends here"},
	} {
		p := &openEnded{Head: pair{9, 9}, Padding: []byte("used before")}
		err := decode([]byte(tc.b), p)
		if tc.want != "" {
			if err == nil || err.Error() != "Everything: "+tc.want {
				t.Errorf("%q: %v\nwant %s", tc.b, err, tc.want)
			}
			continue
		}
		again, encErr := encode(p)
		if err != nil || encErr != nil || string(again) != tc.b {
			t.Errorf("%q: %v, encodes to %q, %v", tc.b, err, again, encErr)
		}
	}
	if _, err := encode(&openEnded{Head: pair{A: 1}, Padding: []byte("p")}); err == nil || err.Error() != "Everything: head at byte 4: is not sent, and must be empty" {
		t.Error(err)
	}
}

// filling has fields up to a size.
type filling struct{ Body []tlv }

type tlv struct {
	Tag   uint8
	Value string
}

func (p *filling) Wire(c *Codec) {
	Fill(c, &p.Body, 0, 9, func(f *tlv, c *Codec) {
		c.U8(&f.Tag)
		c.Raw8(&f.Value)
	})
}

func TestFill(t *testing.T) {
	in := &filling{[]tlv{{1, "ab"}, {2, ""}}}
	b, err := encode(in)
	if err != nil || string(b) != "\x06\x00\x01\x02ab\x02\x00" {
		t.Fatalf("%q, %v", b, err)
	}
	out := new(filling)
	if err := decode(b, out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%+v, %v", out, err)
	}
	for b, want := range map[string]string{
		"\x05\x00\x01\x02ab\x02\x00":                       "size at byte 0: it says 5 bytes, 6 follow",
		"\x03\x00\x01\x02a":                                "body[0].value at byte 4: the packet ends here",
		"\x01\x00\x01":                                     "len at byte 3: the packet ends here",
		"\x0a\x00\x01\x08abcdefgh":                         "size at byte 0: 10 bytes are outside 0..9",
		"\x0a\x00\x01\x00\x01\x00\x01\x00\x01\x00\x01\x00": "size at byte 0: 10 bytes are outside 0..9",
	} {
		if err := decode([]byte(b), new(filling)); err == nil || err.Error() != "Everything: "+want {
			t.Errorf("%q: %v\nwant %s", b, err, want)
		}
	}
	if _, err := encode(&filling{[]tlv{{1, strings.Repeat("x", 256)}}}); err == nil || !strings.Contains(err.Error(), "256 bytes, at most 255 fit") {
		t.Error(err)
	}
	if got := Describe(new(filling)).String(); got != "[u16 size]        // 0..9\n[u8  body[size]]\n    each, 2..257 bytes:\n    [u8  tag]\n    [u8  len]\n    [u8  value[len]]\n" {
		t.Error(got)
	}
}
