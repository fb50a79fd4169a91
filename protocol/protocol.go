// Package protocol holds the packets of DarqlineMP: their table, their layouts
// and the codec that reads and writes them strictly.
//
// A packet is a struct with one method, Wire, that names its fields in order
// (package wire). Its envelope (id, direction, lane, size) is a row of the
// table; the codec writes and checks packet_id, token and event_id, so Wire
// lists only what follows them. What fields mean together is a Check method,
// run after decoding and before encoding: what a receiver would refuse is
// never sent.
//
// There is one file a topic, and the topics are the pages of the
// specification: connection, player, ui, views and so on.
package protocol

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"darqline/protocol/wire"
)

// Version is PROTOCOL_VERSION, compared by strict equality in the handshake.
const Version = 146

// MaxPacket is the size of the largest packet in bytes; one packet is one UDP
// datagram.
const MaxPacket = 1200

// NoPlayer is the player_id that is nobody's.
const NoPlayer = 0xFFFF

// Where event_id stands in a packet on the lane.
const (
	EventOffsetServer = 1 // Server -> Client: behind packet_id
	EventOffsetClient = 9 // Client -> Server: behind packet_id and token
)

// An ID is a packet_id.
type ID uint8

// String is the packet's name.
func (id ID) String() string {
	if r, ok := Lookup(id); ok {
		return r.Name
	}
	return fmt.Sprintf("0x%02X", uint8(id))
}

// A Direction is the way a packet goes.
type Direction uint8

const (
	ClientToServer Direction = iota
	ServerToClient
	BothDirections // the server query alone
)

func (d Direction) String() string {
	return [...]string{"Client → Server", "Server → Client", "Both directions"}[d]
}

// A Lane says how a packet travels (page Protocol, Reliable event lane).
type Lane uint8

const (
	Unreliable Lane = iota // off the lane
	Reliable               // on the Client -> Server lane
	Critical               // on the Server -> Client lane, never lost
	Droppable              // on the Server -> Client lane, refused while 256 events are unacked
)

func (l Lane) String() string {
	return [...]string{"off the lane", "reliable", "critical", "droppable"}[l]
}

// A Packet is a pointer to one of the packet structs of this package.
type Packet interface {
	ID() ID
	wire.Body
}

// A checker is a packet whose fields have rules in common.
type checker interface{ Check() error }

// A Header is what stands before a packet's body.
type Header struct {
	ID    ID
	Token uint64 // Client -> Server, but not ClientHello; never 0 there
	Event uint32 // on the lane; the lane's sender fills it in
}

// HasToken reports whether the packet carries the session token.
func (r *Row) HasToken() bool { return r.Direction == ClientToServer && r.ID != IDClientHello }

// HasEvent reports whether the packet is on the lane.
func (r *Row) HasEvent() bool { return r.Lane != Unreliable }

// body is where a packet's own fields begin.
func (r *Row) body() int {
	n := 1
	if r.HasToken() {
		n += 8
	}
	if r.HasEvent() {
		n += 4
	}
	return n
}

// packet is a fresh packet for the datagram b that goes dir. The server query
// has one for each direction; with BothDirections its magic tells which.
func (r *Row) packet(b []byte, dir Direction) Packet {
	if r.ID == IDServerQuery && (dir == ServerToClient || dir == BothDirections && bytes.HasPrefix(b[1:], []byte(answerMagic))) {
		return new(ServerQueryAnswer)
	}
	return r.New()
}

// A DropError says why a datagram cannot be a packet, found without its layout.
type DropError struct {
	Fault     Fault
	ID        ID // what it claims to be, unless it is empty
	Direction Direction
	Len       int
}

// A Fault is a kind of DropError.
type Fault uint8

const (
	FaultEmpty     Fault = iota // no bytes
	FaultUnknown                // no packet has this id
	FaultDirection              // the id's packets go the other way
	FaultLength                 // shorter or longer than such a packet can be
	FaultToken                  // token 0
	FaultUnbuilt                // its layout is not known to this program
)

func (e *DropError) Error() string {
	switch e.Fault {
	case FaultEmpty:
		return "empty datagram"
	case FaultUnknown:
		return fmt.Sprintf("unknown packet_id 0x%02X", uint8(e.ID))
	case FaultDirection:
		return fmt.Sprintf("%v does not go %v", e.ID, e.Direction)
	case FaultLength:
		r, _ := Lookup(e.ID)
		if r.Min == r.Max {
			return fmt.Sprintf("%v: %d bytes instead of %d", e.ID, e.Len, r.Min)
		}
		return fmt.Sprintf("%v: %d bytes are outside %d..%d", e.ID, e.Len, r.Min, r.Max)
	case FaultToken:
		return fmt.Sprintf("%v: token is 0", e.ID)
	}
	return fmt.Sprintf("%v: no layout is built for it", e.ID)
}

// Peek reads the header of a datagram and checks what needs no layout: a known
// id, the right direction, a length that such a packet can have, a token that
// is not 0. Its errors are *DropError. It does not look into a server query,
// which has an envelope of its own.
func Peek(b []byte, dir Direction) (Header, *Row, error) {
	if len(b) == 0 {
		return Header{}, nil, &DropError{Fault: FaultEmpty, Direction: dir}
	}
	h := Header{ID: ID(b[0])}
	r := byID[h.ID]
	fault := FaultUnknown
	switch {
	case r == nil:
	case r.Direction != dir && r.Direction != BothDirections:
		fault = FaultDirection
	case len(b) < r.Min || len(b) > r.Max:
		fault = FaultLength
	default:
		at := 1
		if r.HasToken() {
			h.Token = binary.LittleEndian.Uint64(b[at:])
			at += 8
			if h.Token == 0 {
				fault = FaultToken
				break
			}
		}
		if r.HasEvent() {
			h.Event = binary.LittleEndian.Uint32(b[at:])
		}
		return h, r, nil
	}
	return h, r, &DropError{Fault: fault, ID: h.ID, Direction: dir, Len: len(b)}
}

// Decode reads one datagram, whole or not at all. Its errors are *DropError
// and *wire.Error. Nothing in the packet refers to b.
func Decode(b []byte, dir Direction) (Header, Packet, error) {
	h, r, err := Peek(b, dir)
	if err != nil {
		return h, nil, err
	}
	if r.New == nil {
		return h, nil, &DropError{Fault: FaultUnbuilt, ID: h.ID, Direction: dir, Len: len(b)}
	}
	p := r.packet(b, dir)
	c := codecs.Get().(*Codec)
	defer codecs.Put(c)
	if err := c.decode(b, r, p); err != nil {
		return h, nil, err
	}
	return h, p, nil
}

// Append encodes p behind dst. It refuses what Decode would refuse, and then
// returns dst as it was. The id is p's own; of h it takes token and event.
func Append(dst []byte, h Header, p Packet) ([]byte, error) {
	c := codecs.Get().(*Codec)
	defer codecs.Put(c)
	return c.Append(dst, h, p)
}

// codecs are for Decode and Append, whose callers own none.
var codecs = sync.Pool{New: func() any { return new(Codec) }}

// A Codec is Decode and Append for a loop that owns it: where the packet has
// no strings or lists, neither allocates.
type Codec struct{ w wire.Codec }

// DecodeInto reads one datagram into p, which must be of the datagram's id.
// After an error p holds nothing of use.
func (c *Codec) DecodeInto(b []byte, dir Direction, p Packet) (Header, error) {
	h, r, err := Peek(b, dir)
	if err != nil {
		return h, err
	}
	if p.ID() != h.ID {
		return h, &wire.Error{Packet: p.ID().String(), Field: "packet_id", Reason: fmt.Sprintf("this is a %v", h.ID)}
	}
	return h, c.decode(b, r, p)
}

func (c *Codec) decode(b []byte, r *Row, p Packet) error {
	c.w.Decode(r.Name, p, b, r.body())
	p.Wire(&c.w)
	if err := c.w.End(); err != nil {
		return err
	}
	return check(r, p)
}

// Append is the function Append.
func (c *Codec) Append(dst []byte, h Header, p Packet) ([]byte, error) {
	id := p.ID()
	r := byID[id]
	if r == nil {
		return dst, &DropError{Fault: FaultUnknown, ID: id}
	}
	if r.HasToken() && h.Token == 0 {
		return dst, &DropError{Fault: FaultToken, ID: id, Direction: r.Direction}
	}
	if err := check(r, p); err != nil {
		return dst, err
	}
	start := len(dst)
	grown := slices.Grow(dst, r.Max)
	buf := grown[start : start+r.Max]
	buf[0] = byte(id)
	at := 1
	if r.HasToken() {
		binary.LittleEndian.PutUint64(buf[at:], h.Token)
		at += 8
	}
	if r.HasEvent() {
		binary.LittleEndian.PutUint32(buf[at:], h.Event)
		at += 4
	}
	c.w.Encode(r.Name, p, buf, at)
	p.Wire(&c.w)
	if err := c.w.End(); err != nil {
		return dst, err
	}
	return grown[:start+c.w.Offset()], nil
}

// check runs the rules that fields have in common.
func check(r *Row, p Packet) error {
	if k, ok := p.(checker); ok {
		if err := k.Check(); err != nil {
			return &wire.Error{Packet: r.Name, Reason: err.Error()}
		}
	}
	return nil
}
