package protocol

import (
	"errors"
	"fmt"
	"strings"

	"darqline/protocol/wire"
)

// ClientHello asks to join, or to go on from another address.
type ClientHello struct {
	Version uint16   // any; the server compares it with Version
	Nonce   uint64   // random, one for each attempt, never 0
	Cookie  [24]byte // zeros, or from ConnectChallenge
	Resume  uint64   // 0, or the token of the connection to move
	Name    string   // up to 47 bytes; the wished name, may be empty only with Resume
	Proof   [32]byte // of the password; zeros without one
	Serial  [32]byte // of the installation, as the client says
	Locale  string   // [a-z0-9-], up to 11 bytes; may be empty
}

func (*ClientHello) ID() ID { return IDClientHello }

func (p *ClientHello) Wire(c *wire.Codec) {
	c.U16(&p.Version)
	wire.NonZero(c, &p.Nonce)
	c.Bytes(p.Cookie[:])
	c.U64(&p.Resume)
	c.Text(&p.Name, 48, wire.Plain)
	c.Bytes(p.Proof[:])
	c.Bytes(p.Serial[:])
	c.Name(&p.Locale, 12, locale)
	c.Zeros(1033)
}

func (p *ClientHello) Check() error {
	if p.Name == "" && p.Resume == 0 {
		return errors.New("name is empty and resume is 0")
	}
	return nil
}

var locale = wire.Alphabet("[a-z0-9-]", 0, 11, func(b byte) bool { return lowerOrDigit(b) || b == '-' })

// ChallengeFlags are the flags of ConnectChallenge.
type ChallengeFlags uint8

// ChallengePassword says that the server has a password.
const ChallengePassword ChallengeFlags = 1

// ConnectChallenge asks for a proof of the address.
type ConnectChallenge struct {
	Nonce  uint64 // of the ClientHello
	Cookie [24]byte
	Flags  ChallengeFlags
}

func (*ConnectChallenge) ID() ID { return IDConnectChallenge }

func (p *ConnectChallenge) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.Nonce)
	c.Bytes(p.Cookie[:])
	wire.Bits(c, &p.Flags, 1)
}

// A HelloState is the state that a ServerHello tells.
type HelloState uint8

const (
	HelloPreAuth  HelloState = iota // sign in first
	HelloPreSpawn                   // joined
	HelloMoved                      // an existing connection goes on from another address
)

// ServerHello tells that the connection exists.
type ServerHello struct {
	Nonce           uint64
	Token           uint64 // the secret session token
	PlayerID        uint16
	PlayerToken     uint32
	State           HelloState
	ClientFilesPort uint16 // TCP
	MaxPlayers      uint16
	Keepalive       uint16   // ms, 250..5000
	Timeout         uint16   // ms, 3000..60000, at least 6 keepalives
	ServerTime      uint32   // ms since the server's start, wrapping
	BootID          uint64   // random, one for each start of the server
	AuthNonce       [32]byte // HelloPreAuth: to be in the assertion; else zeros
	ServerName      string   // up to 63 bytes
	Name            string   // up to 47 bytes; the name as taken
}

func (*ServerHello) ID() ID { return IDServerHello }

func (p *ServerHello) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.Nonce)
	wire.NonZero(c, &p.Token)
	wire.Range(c, &p.PlayerID, 0, NoPlayer-1)
	wire.NonZero(c, &p.PlayerToken)
	wire.Enum(c, &p.State, HelloMoved)
	wire.NonZero(c, &p.ClientFilesPort)
	wire.NonZero(c, &p.MaxPlayers)
	wire.Range(c, &p.Keepalive, 250, 5000)
	wire.Range(c, &p.Timeout, 3000, 60000)
	c.U32(&p.ServerTime)
	c.U64(&p.BootID)
	c.Bytes(p.AuthNonce[:])
	c.Text(&p.ServerName, 64, wire.Plain)
	c.Text(&p.Name, 48, wire.Plain)
	c.Zeros(1012)
}

func (p *ServerHello) Check() error {
	if int(p.Timeout) < 6*int(p.Keepalive) {
		return fmt.Errorf("timeout %d ms is less than 6 keepalives of %d ms", p.Timeout, p.Keepalive)
	}
	if p.State != HelloPreAuth && p.AuthNonce != [32]byte{} {
		return errors.New("auth_nonce is set although nobody signs in")
	}
	return nil
}

// Forever in Seconds of ConnectReject and KickNotify: no end is known.
const Forever = 0xFFFFFFFF

// ConnectReject tells that the client is not admitted.
type ConnectReject struct {
	Nonce   uint64
	Reason  Reason // a Rejectable one
	Seconds uint32 // to wait; 0 unknown, Forever
	Text    string // up to 127 bytes, for the player; may be empty
}

func (*ConnectReject) ID() ID { return IDConnectReject }

func (p *ConnectReject) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.Nonce)
	wire.OneOf(c, &p.Reason, rejectReasons)
	c.U32(&p.Seconds)
	c.Text(&p.Text, 128, wire.Plain)
}

// KickNotify tells that the server ends the connection.
type KickNotify struct {
	Nonce   uint64 // of the ClientHello that made or last moved the connection
	Reason  Reason // a Kickable one
	Seconds uint32 // banned: left; server_closing: until it is back; else 0
	Text    string // up to 127 bytes; may be empty
}

func (*KickNotify) ID() ID { return IDKickNotify }

func (p *KickNotify) Wire(c *wire.Codec) {
	wire.NonZero(c, &p.Nonce)
	wire.OneOf(c, &p.Reason, kickReasons)
	c.U32(&p.Seconds)
	c.Text(&p.Text, 128, wire.Plain)
}

// A ByeReason says why a client goes.
type ByeReason uint8

const (
	ByeQuit    ByeReason = iota
	ByeCrashed           // from the crash handler
	ByeKicked            // the answer to KickNotify
)

// ClientBye tells that the client goes.
type ClientBye struct{ Reason ByeReason }

func (*ClientBye) ID() ID { return IDClientBye }

func (p *ClientBye) Wire(c *wire.Codec) { wire.Enum(c, &p.Reason, ByeKicked) }

// PlayerLeave tells that a player is gone.
type PlayerLeave struct {
	PlayerID    uint16
	PlayerToken uint32
	Reason      Reason // a Leavable one
}

func (*PlayerLeave) ID() ID { return IDPlayerLeave }

func (p *PlayerLeave) Wire(c *wire.Codec) {
	wire.Range(c, &p.PlayerID, 0, NoPlayer-1)
	wire.NonZero(c, &p.PlayerToken)
	wire.OneOf(c, &p.Reason, leaveReasons)
}

// ClientAck acknowledges the Server -> Client lane.
type ClientAck struct{ Ack uint32 } // highest event_id delivered without a gap; 0 none

func (*ClientAck) ID() ID { return IDClientAck }

func (p *ClientAck) Wire(c *wire.Codec) { c.U32(&p.Ack) }

// ServerAck acknowledges the Client -> Server lane.
type ServerAck struct{ Ack uint32 } // highest event_id delivered without a gap; 0 none

func (*ServerAck) ID() ID { return IDServerAck }

func (p *ServerAck) Wire(c *wire.Codec) { c.U32(&p.Ack) }

// NoPing is the Ping of a ServerKeepalive before the first sample.
const NoPing = 0xFFFF

// ServerKeepalive is a life sign and a probe of the round trip.
type ServerKeepalive struct {
	Seq        uint32 // from 1, newer by serial arithmetic
	Probe      uint32 // random
	ServerTime uint32 // ms, wrapping
	Ping       uint16 // the server's measure, ms; NoPing
	Loss       uint8  // percent of probes without a pong
}

func (*ServerKeepalive) ID() ID { return IDServerKeepalive }

func (p *ServerKeepalive) Wire(c *wire.Codec) {
	c.U32(&p.Seq)
	c.U32(&p.Probe)
	c.U32(&p.ServerTime)
	c.U16(&p.Ping)
	wire.Range(c, &p.Loss, 0, 100)
}

// ClientPong answers a ServerKeepalive.
type ClientPong struct{ Seq, Probe uint32 } // both as they came

func (*ClientPong) ID() ID { return IDClientPong }

func (p *ClientPong) Wire(c *wire.Codec) {
	c.U32(&p.Seq)
	c.U32(&p.Probe)
}

// MaxAssertion is the size of the largest JWT, in 8 parts of 1,024 bytes.
const MaxAssertion = 8192

// AuthAssertion is a part of the JWT that signs a player in.
type AuthAssertion struct {
	Part  uint8  // 0..Parts-1, in order
	Parts uint8  // 1..8
	Data  []byte // base64url and dots; 1024 bytes in every part but the last
}

func (*AuthAssertion) ID() ID { return IDAuthAssertion }

func (p *AuthAssertion) Wire(c *wire.Codec) {
	c.U8(&p.Part)
	wire.Range(c, &p.Parts, 1, 8)
	c.Room(&p.Data, 1, 1024, jwt)
}

func (p *AuthAssertion) Check() error {
	switch {
	case p.Part >= p.Parts:
		return fmt.Errorf("part %d of %d", p.Part, p.Parts)
	case p.Part < p.Parts-1 && len(p.Data) != 1024:
		return fmt.Errorf("part %d of %d has %d bytes instead of 1024", p.Part, p.Parts, len(p.Data))
	}
	return nil
}

var jwt = wire.Alphabet("base64url and dots", 1, 1024, func(b byte) bool {
	return lowerOrDigit(b) || b >= 'A' && b <= 'Z' || b == '-' || b == '_' || b == '.'
})

// AuthAccepted tells that the player is signed in.
type AuthAccepted struct {
	Account string // up to 95 bytes: provider name, colon, subject
}

func (*AuthAccepted) ID() ID { return IDAuthAccepted }

func (p *AuthAccepted) Wire(c *wire.Codec) { c.Name(&p.Account, 96, account) }

func (p *AuthAccepted) Check() error {
	if !strings.Contains(p.Account, ":") {
		return fmt.Errorf("account %q has no colon", p.Account)
	}
	return nil
}

var account = wire.Alphabet("printable ASCII without space", 1, 95, func(b byte) bool { return b > ' ' && b <= '~' })
