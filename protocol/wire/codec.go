// Package wire holds the primitives that packet layouts are written with.
//
// A layout is one method, Wire(c *Codec), that names each field once. The same
// method encodes, decodes and describes: encoding and decoding walk over a
// buffer, describing walks over none and notes what it would have read. So
// Wire has no branches of its own; lists, tails and unions are primitives too.
//
// What one field may be is decided by its primitive, the same way in both
// directions. The first fault is kept and everything after it does nothing, so
// a Wire method never looks at errors.
package wire

import (
	"encoding/binary"
	"fmt"
)

// A Body is anything with a layout: a packet's body, a shared structure, an
// entry of a list.
type Body interface {
	Wire(c *Codec)
}

// A Codec walks over one packet. The zero value is ready; a loop keeps one and
// uses it again for each packet, so that frames cost no allocation.
type Codec struct {
	buf      []byte   // decoding: the packet; encoding: room for the largest; nil after a fault
	off      int      // of the next field
	copied   string   // decoding: of buf, once a text was read
	texts    []string // decoding: what is left of the array that lists of texts are parts of
	encoding bool
	packet   string
	root     any     // what faults are named after
	layout   *Layout // not nil while describing
	err      *Error
}

// An Error is the first fault found in a packet.
type Error struct {
	Packet string // name of the packet
	Field  string // the page's name of the field, "" for the packet as a whole
	Offset int    // of the field, in bytes from the start of the packet
	Reason string
}

func (e *Error) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("%s: %s", e.Packet, e.Reason)
	}
	return fmt.Sprintf("%s: %s at byte %d: %s", e.Packet, e.Field, e.Offset, e.Reason)
}

// Decode makes c read buf from off on into root.
func (c *Codec) Decode(packet string, root any, buf []byte, off int) {
	c.buf, c.off, c.encoding, c.packet, c.root, c.err = buf, off, false, packet, root, nil
}

// Encode makes c write root into buf from off on. What does not fit into buf
// is a fault, so buf is as long as the largest packet of this kind.
func (c *Codec) Encode(packet string, root any, buf []byte, off int) {
	c.buf, c.off, c.encoding, c.packet, c.root, c.err = buf, off, true, packet, root, nil
}

// Offset tells how far c has come.
func (c *Codec) Offset() int { return c.off }

// Err is the first fault, or nil.
func (c *Codec) Err() error {
	if c.err == nil {
		return nil
	}
	return c.err
}

// End ends a packet: while decoding, bytes that no field has read are a fault.
// It lets go of buffer and packet, and of what it gave the packet.
func (c *Codec) End() error {
	if rest := len(c.buf) - c.off; c.err == nil && !c.encoding && rest > 0 {
		c.err = &Error{Packet: c.packet, Field: "end", Offset: c.off, Reason: fmt.Sprintf("%d bytes too many", rest)}
	}
	c.buf, c.root, c.copied, c.texts = nil, nil, "", nil
	return c.Err()
}

// next gives the next n bytes, to be read or to be written. There are none
// while describing, after a fault, and where the packet ends; the primitive
// then calls miss.
func (c *Codec) next(n int) (b []byte, ok bool) {
	buf, off := c.buf, c.off
	end := off + n
	if uint(end) > uint(len(buf)) || uint(off) > uint(end) {
		return nil, false
	}
	c.off = end
	return buf[off:end], true
}

// miss is what a primitive does for which next had nothing: it describes
// itself, or the packet is too short.
func (c *Codec) miss(field any, f Field) {
	if c.layout != nil {
		f.Name = c.name(field)
		c.layout.Fields = append(c.layout.Fields, f)
		return
	}
	c.short(field)
}

func (c *Codec) short(field any) {
	reason := "the packet ends here"
	if c.encoding {
		reason = "the packet is too large"
	}
	c.refuse(field, 0, reason)
}

// refuse keeps the first fault: of the field whose size bytes end at the
// current offset.
func (c *Codec) refuse(field any, size int, reason string) {
	if c.err == nil && c.layout == nil {
		c.err = &Error{Packet: c.packet, Field: c.name(field), Offset: c.off - size, Reason: reason}
		c.buf = nil
	}
}

// Struct is a structure that several packets share; its name is its type's.
func (c *Codec) Struct(s Body) {
	if c.layout != nil {
		c.describeStruct(s)
		return
	}
	s.Wire(c)
}

// Zeros is n bytes of padding.
func (c *Codec) Zeros(n int) {
	b, ok := c.next(n)
	switch {
	case !ok:
		c.miss(padding, Field{Type: "u8", Dim: fmt.Sprint(n), Min: n, Max: n, Note: "zeros"})
	case c.encoding:
		clear(b)
	default:
		c.zeros(padding, b)
	}
}

// zeros refuses a nonzero byte in b, the last bytes read.
func (c *Codec) zeros(field any, b []byte) {
	for len(b) >= 8 && binary.LittleEndian.Uint64(b) == 0 { // a hello has a thousand
		b = b[8:]
	}
	for i, v := range b {
		if v != 0 {
			c.refuse(field, len(b)-i, "a byte that must be zero is not")
			return
		}
	}
}

// Bytes is a fixed number of bytes of any value: c.Bytes(p.Cookie[:]).
func (c *Codec) Bytes(p []byte) {
	b, ok := c.next(len(p))
	switch {
	case !ok:
		c.miss(p, Field{Type: "u8", Dim: fmt.Sprint(len(p)), Min: len(p), Max: len(p)})
	case c.encoding:
		copy(b, p)
	default:
		copy(p, b)
	}
}
