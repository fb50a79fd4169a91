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

// refusals and kicks are the reasons in words (page Connection, "Reasons").
var (
	refusals = map[protocol.Reason]string{
		protocol.ReasonBanned:        "you are banned",
		protocol.ReasonServerClosing: "it is closing",
		protocol.ReasonRefused:       "it does not let you in",
		protocol.ReasonFull:          "it is full",
		protocol.ReasonPassword:      "the password is missing or wrong",
		protocol.ReasonName:          "it does not take this name",
		protocol.ReasonNameInUse:     "somebody with this name is there already",
		protocol.ReasonAddressLimit:  "too many connections come from this address",
		protocol.ReasonTooMany:       "too many attempts; wait a little",
		protocol.ReasonResume:        "it knows no session to go on with",
	}
	kicks = map[protocol.Reason]string{
		protocol.ReasonTimeout:           "it did not hear you for too long",
		protocol.ReasonKicked:            "you were kicked",
		protocol.ReasonBanned:            "you are banned",
		protocol.ReasonLane:              "your connection could not keep up",
		protocol.ReasonReconnected:       "you have connected again",
		protocol.ReasonServerClosing:     "it is closing",
		protocol.ReasonSignedInElsewhere: "somebody has signed in with your account elsewhere",
		protocol.ReasonSignInFailed:      "the sign-in failed or took too long",
		protocol.ReasonProtocol:          "it got packets from you that make no sense",
		protocol.ReasonFlood:             "it got too much from you at once",
		protocol.ReasonRefused:           "it does not let you in",
	}
)

func (e *EndError) Error() string {
	switch e.Kind {
	case NoAnswer:
		return fmt.Sprintf("no answer from %s: it is offline, a filter is in between, or it speaks another revision of the protocol than %d",
			e.Server, protocol.Version)
	case Silence:
		return fmt.Sprintf("connection lost: %s has gone silent", e.Server)
	case Stuck:
		return fmt.Sprintf("connection lost: %s acknowledges nothing of what was sent", e.Server)
	case Kicked:
		return e.Server + " ended the connection: " + e.Why()
	}
	return e.Server + " refused the connection: " + e.Why()
}

// Why is what the server gave as its reason, in words, with its own text and the time that it named. It is empty where
// the server has said nothing.
func (e *EndError) Why() string {
	var words map[protocol.Reason]string
	switch e.Kind {
	case Rejected:
		words = refusals
	case Kicked:
		words = kicks
	default:
		return ""
	}
	why := words[e.Reason]
	if why == "" {
		why = e.Reason.String()
	}
	if e.Text != "" {
		why += ": " + e.Text
	}
	switch e.Seconds {
	case 0:
	case protocol.Forever:
		why += " (for ever)"
	default:
		why += " (" + e.when() + ")"
	}
	return why
}

// when is what Seconds means for this reason.
func (e *EndError) when() string {
	left := span(e.Seconds)
	switch e.Reason {
	case protocol.ReasonBanned:
		return "for another " + left
	case protocol.ReasonServerClosing:
		return "back in " + left
	}
	return "try again in " + left
}

// span says a time in its two largest units.
func span(seconds uint32) string {
	for _, u := range []struct {
		size, part    uint32 // seconds
		name, smaller string
	}{{24 * 3600, 3600, "day", "hour"}, {3600, 60, "hour", "minute"}, {60, 1, "minute", "second"}} {
		if seconds < u.size {
			continue
		}
		if rest := seconds % u.size / u.part; rest > 0 {
			return amount(seconds/u.size, u.name) + " " + amount(rest, u.smaller)
		}
		return amount(seconds/u.size, u.name)
	}
	return amount(seconds, "second")
}

func amount(n uint32, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprint(n, " ", unit)
}

// Retry says whether a client may connect again by itself, and not before which time from now: after a full or closing server
// and after too many attempts (page Connection, "ConnectReject"), and where the path failed.
func (e *EndError) Retry() (after time.Duration, ok bool) {
	wait := time.Duration(e.Seconds) * time.Second
	switch {
	case e.Kind != Rejected && e.Kind != Kicked:
		return 0, true
	case e.Seconds == protocol.Forever:
		return 0, false
	case e.Kind == Rejected:
		switch e.Reason {
		case protocol.ReasonFull, protocol.ReasonServerClosing, protocol.ReasonTooMany:
			return max(5*time.Second, wait), true
		}
	case e.Reason == protocol.ReasonServerClosing:
		return wait, true
	case e.Reason == protocol.ReasonTimeout:
		return 0, true
	}
	return 0, false
}
