// Package lane is the reliable event lane of one connection: a Go-Back-N [Sender] with a cumulative ack and the
// [Receiver] for the other end. Both are pure state machines: no goroutine, no socket, no clock. Time is an argument,
// measured from any fixed start; it must not run backwards.
//
// The wire, the receiver and the sender's resend numbers are those of the protocol's page "Reliable event lane". On
// top of them the sender reads gaps from the acks and sends a second copy while the path loses packets; docs/lane.md
// says why and shows what it gains. [Given] switches that off.
//
// A Sender and a Receiver belong to one loop each; they are not safe for concurrent use.
package lane

import (
	"errors"
	"time"
)

// The numbers of page "Reliable event lane".
const (
	RTO           = 250 * time.Millisecond // age since its last send at which an event is due again
	CheckInterval = 100 * time.Millisecond // how often the sender looks for due events
	MaxDue        = 32                     // due events resent by one check, oldest first
	DroppableMax  = 256                    // unacked events at which a droppable event is refused
	MaxUnacked    = 512                    // unacked events that end the connection
	StallTimeout  = 15 * time.Second       // unacked events without a moving ack for this long end the connection
)

// Resend says when the sender sends an event again.
type Resend uint8

const (
	Gap   Resend = iota // by the acks as well as by the given rule (default)
	Given               // by the given rule of 250 ms alone
)

// String returns the setting's word in a configuration: "gap" or "given".
func (r Resend) String() string {
	if r == Given {
		return "given"
	}
	return "gap"
}

// Config is what a Sender needs to know of its direction.
type Config struct {
	EventOffset int    // where event_id (u32, little-endian) stands in a packet
	Resend      Resend // Gap when zero
}

// Errors of a Sender. None of them consumes an event_id.
var (
	// ErrRefused: the event is droppable and 256 events wait for their ack. The connection goes on.
	ErrRefused = errors.New("lane: 256 events wait for an ack: droppable event refused")
	// ErrFull: one more event would be the 512th without an ack. The connection must end.
	ErrFull = errors.New("lane: 512 events wait for an ack: the peer does not keep up")
	// ErrExhausted: the stream has used every event_id of its 32 bits. The connection must end; ids never wrap.
	ErrExhausted = errors.New("lane: the stream's 4,294,967,295 event ids are used up")
	// ErrShort: the packet has no room for an event_id at Config.EventOffset. It is the caller's fault.
	ErrShort = errors.New("lane: packet is too short to hold its event_id")
	// ErrFutureAck: the ack names an event that was never sent. The packet that carried it is malformed.
	ErrFutureAck = errors.New("lane: ack of an event that was not sent")
)

// Stats are a Sender's counters since its start.
type Stats struct {
	Events   uint64        // events queued
	Refused  uint64        // droppable events refused at 256 unacked
	Sends    uint64        // packets sent: first sends, resends and copies
	Resends  uint64        // of these, sent again by the given check, a gap or a probe
	Copies   uint64        // of these, second copies
	GoneBack uint64        // times that an ack revealed a gap
	Acks     uint64        // acks received, without malformed ones
	RTT      time.Duration // smoothed round trip, 0 while unknown
	Lossy    bool          // the path loses packets: second copies are on
}
