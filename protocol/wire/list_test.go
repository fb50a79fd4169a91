package wire

import (
	"reflect"
	"testing"
)

// filled is a tail whose pieces can be too few.
type filled struct{ A, B string }

func (f *filled) Wire(c *Codec) {
	c.Tail(f, 4, 6, func() {
		c.Str8(&f.A, 0, 3, Plain)
		c.Str8(&f.B, 0, 3, Plain)
	})
}

func TestTail(t *testing.T) {
	if _, err := encode(&filled{"a", ""}); err == nil || err.Error() != "Everything: len at byte 0: 3 bytes are outside 4..6" {
		t.Error(err)
	}
	if _, err := encode(&filled{"abc", "abc"}); err == nil || err.Error() != "Everything: len at byte 0: 8 bytes are outside 4..6" {
		t.Error(err)
	}
	if b, err := encode(&filled{"a", "b"}); err != nil || string(b) != "\x04\x00\x01a\x01b" {
		t.Errorf("%q, %v", b, err)
	}
	if err := decode([]byte("\x03\x00\x01a\x00"), new(filled)); err == nil || err.Error() != "Everything: len at byte 0: 3 bytes are outside 4..6" {
		t.Error(err)
	}
	if err := decode([]byte("\x06\x00\x01a\x01bxx"), new(filled)); err == nil || err.Error() != "Everything: end at byte 6: 2 bytes too many" {
		t.Error(err)
	}
}

// lastList ends with the room of a list.
type lastList struct{ Cars []uint32 }

func (l *lastList) Wire(c *Codec) {
	List(c, &l.Cars, 0, 2, 4, func(id *uint32, c *Codec) { c.U32(id) })
}

func TestListWithoutItsRoom(t *testing.T) {
	if err := decode([]byte("\x01\x01\x00\x00\x00\x00\x00"), new(lastList)); err == nil || err.Error() != "Everything: cars at byte 5: the packet ends here" {
		t.Error(err)
	}
}

// limited is an element that has less room than its fields could fill.
type limited struct{ A, B string }

func (l *limited) Wire(c *Codec) {
	c.AtMost(l, 5, func() {
		c.Str8(&l.A, 0, 4, Plain)
		c.Str8(&l.B, 0, 4, Plain)
	})
}

func TestAtMost(t *testing.T) {
	if l := Describe(new(limited)); l.Min() != 2 || l.Max() != 5 {
		t.Errorf("%d..%d bytes", l.Min(), l.Max())
	}
	if b, err := encode(&limited{"ab", "c"}); err != nil || string(b) != "\x02ab\x01c" {
		t.Errorf("%q, %v", b, err)
	}
	for _, err := range []error{second(encode(&limited{"ab", "cd"})), decode([]byte("\x02ab\x02cd"), new(limited))} {
		if err == nil || err.Error() != "Everything: 6 bytes, at most 5 are allowed" {
			t.Error(err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// table has rows of as many cells as it has columns.
type table struct {
	Columns uint8
	Rows    [][]string
}

func (p *table) Wire(c *Codec) {
	columns := Times(c, &p.Columns, 1, 3)
	Repeat(c, &p.Rows, 1, 3, func(row *[]string, c *Codec) {
		Items(c, row, columns, func(cell *string, c *Codec) { c.Str8(cell, 0, 3, Plain) })
	})
}

func TestTimes(t *testing.T) {
	in := &table{2, [][]string{{"a", "bc"}, {"", "d"}}}
	b, err := encode(in)
	if err != nil || string(b) != "\x02\x02\x01a\x02bc\x00\x01d" {
		t.Fatalf("%q, %v", b, err)
	}
	out := new(table)
	if err := decode(b, out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%+v, %v", out, err)
	}
	in.Rows[1] = in.Rows[1][:1]
	if _, err := encode(in); err == nil || err.Error() != "Everything: rows[1] at byte 7: 1 instead of 2" {
		t.Error(err)
	}
}

// TestRoom says much in few bytes: a count gets no more room than there are
// bytes for.
func TestRoom(t *testing.T) {
	c := Codec{buf: make([]byte, 10), off: 4}
	var numbers []uint64
	if room(&c, &numbers, 255); cap(numbers) != 6 {
		t.Errorf("room for %d numbers in 6 bytes", cap(numbers))
	}
	var a, b, none []string
	room(&c, &a, 255)
	room(&c, &b, 2)
	room(&c, &none, 0)
	if cap(a) != 6 || cap(b) != 2 || none != nil {
		t.Errorf("room for %d and %d texts in 6 bytes", cap(a), cap(b))
	}
	c.buf = make([]byte, 804)
	room(&c, &a, 3)
	room(&c, &b, 40)
	if a, b = append(a, "x", "y", "z"), append(b, "w"); cap(a) != 3 || cap(b) != 40 || a[2] != "z" || len(c.texts) != 57 {
		t.Errorf("%q and %q in one array, which has room for %d more", a, b, len(c.texts))
	}
}
