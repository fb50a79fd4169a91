package protocol

import (
	"fmt"
	"strings"

	"darqline/protocol/wire"
)

// A Reason says why a connection was refused, ended or left (page Connection,
// Reasons).
type Reason uint8

const (
	ReasonQuit Reason = iota
	ReasonTimeout
	ReasonKicked
	ReasonBanned
	ReasonLane
	ReasonReconnected
	ReasonServerClosing
	ReasonSignedInElsewhere
	ReasonSignInFailed
	ReasonProtocol
	ReasonFlood
	ReasonRefused
	ReasonFull
	ReasonPassword
	ReasonName
	ReasonNameInUse
	ReasonAddressLimit
	ReasonTooMany
	ReasonCrashed
	ReasonResume
)

// reasons has, of each reason, its word and where it may stand: R in
// ConnectReject, K in KickNotify, L in PlayerLeave.
var reasons = [...]struct{ word, in string }{
	ReasonQuit:              {"quit", "L"},
	ReasonTimeout:           {"timeout", "KL"},
	ReasonKicked:            {"kicked", "KL"},
	ReasonBanned:            {"banned", "RKL"},
	ReasonLane:              {"lane", "KL"},
	ReasonReconnected:       {"reconnected", "KL"},
	ReasonServerClosing:     {"server_closing", "RKL"},
	ReasonSignedInElsewhere: {"signed_in_elsewhere", "KL"},
	ReasonSignInFailed:      {"sign_in_failed", "KL"},
	ReasonProtocol:          {"protocol", "KL"},
	ReasonFlood:             {"flood", "KL"},
	ReasonRefused:           {"refused", "RKL"},
	ReasonFull:              {"full", "R"},
	ReasonPassword:          {"password", "R"},
	ReasonName:              {"name", "R"},
	ReasonNameInUse:         {"name_in_use", "R"},
	ReasonAddressLimit:      {"address_limit", "R"},
	ReasonTooMany:           {"too_many", "R"},
	ReasonCrashed:           {"crashed", "L"},
	ReasonResume:            {"resume", "R"},
}

var (
	rejectReasons = reasonSet("R")
	kickReasons   = reasonSet("K")
	leaveReasons  = reasonSet("L")
)

func reasonSet(place string) *wire.Set {
	set := new(wire.Set)
	for r, row := range reasons {
		if strings.Contains(row.in, place) {
			set.With(uint16(r), uint16(r))
		}
	}
	return set
}

// String is the reason's word, as Lua sees it.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r].word
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Rejectable reports whether the reason may stand in ConnectReject.
func (r Reason) Rejectable() bool { return rejectReasons.Has(uint16(r)) }

// Kickable reports whether the reason may stand in KickNotify.
func (r Reason) Kickable() bool { return kickReasons.Has(uint16(r)) }

// Leavable reports whether the reason may stand in PlayerLeave.
func (r Reason) Leavable() bool { return leaveReasons.Has(uint16(r)) }
