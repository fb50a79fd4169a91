package client

import (
	"fmt"
	"time"

	"darqline/protocol"
)

// EndKind is how a session ended.
type EndKind uint8

const (
	NoAnswer EndKind = iota // nothing came back while connecting
	Rejected                // ConnectReject: Reason, Text, Seconds
	Kicked                  // KickNotify: Reason, Text, Seconds
	Silence                 // the server was not heard for its own timeout
	Stuck                   // the server does not take what the client sends
)

// EndError is why a session ended that the caller did not end himself.
type EndError struct {
	Kind    EndKind
	Server  string
	Reason  protocol.Reason // of Rejected and Kicked
	Text    string          // of the server, for the player; may be empty
	Seconds uint32          // as the server said: 0 unknown, 0xFFFFFFFF for ever
}

// rejections are reasons in words, where the server has none of its own (page Connection, "Reasons").
var rejections = map[protocol.Reason]string{
	protocol.ReasonServerClosing: "it is closing",
	protocol.ReasonBanned:        "you are banned",
	protocol.ReasonFull:          "it is full",
	protocol.ReasonPassword:      "the password is missing or wrong",
	protocol.ReasonName:          "it does not take this name",
	protocol.ReasonNameInUse:     "somebody with this name is there already",
	protocol.ReasonAddressLimit:  "too many connections come from this address",
	protocol.ReasonTooMany:       "too many attempts; wait a little",
}

func (e *EndError) Error() string {
	switch e.Kind {
	case NoAnswer:
		return fmt.Sprintf("no answer from %s: it is offline, a filter is in between, or it speaks another revision of the protocol than %d",
			e.Server, protocol.Version)
	case Silence:
		return fmt.Sprintf("connection lost: %s has gone silent", e.Server)
	case Stuck:
		return fmt.Sprintf("connection lost: %s acknowledges nothing of what was sent", e.Server)
	}
	s := fmt.Sprintf("%s refused the connection: %v", e.Server, e.Reason)
	if why := rejections[e.Reason]; why != "" && e.Text == "" {
		s = fmt.Sprintf("%s refused the connection: %s", e.Server, why)
	}
	if e.Kind == Kicked {
		s = fmt.Sprintf("%s ended the connection: %v", e.Server, e.Reason)
	}
	if e.Text != "" {
		s += ": " + e.Text
	}
	switch e.Seconds {
	case 0:
	case protocol.Forever:
		s += " (for ever)"
	default:
		s += fmt.Sprintf(" (%v)", time.Duration(e.Seconds)*time.Second)
	}
	return s
}

// Retry says whether a client may connect again by itself, and not before which time from now (page Connection,
// "ConnectReject"): after a full or closing server and after too many attempts.
func (e *EndError) Retry() (after time.Duration, ok bool) {
	switch e.Reason {
	case protocol.ReasonFull, protocol.ReasonServerClosing, protocol.ReasonTooMany:
		if e.Kind == Rejected && e.Seconds != protocol.Forever {
			return max(5*time.Second, time.Duration(e.Seconds)*time.Second), true
		}
	}
	return 0, false
}
