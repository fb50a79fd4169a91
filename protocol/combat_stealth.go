package protocol

import "darqline/protocol/wire"

// StealthKillRequest says that the sender's knife is at another's throat.
type StealthKillRequest struct {
	Victim uint32 // player_token
}

func (*StealthKillRequest) ID() ID { return IDStealthKillRequest }

func (p *StealthKillRequest) Wire(c *wire.Codec) { wire.NonZero(c, &p.Victim) }

// RemoteStealthKill says that a stealth kill happens.
type RemoteStealthKill struct {
	AttackerID    uint16
	AttackerToken uint32
	VictimID      uint16
	VictimToken   uint32
}

func (*RemoteStealthKill) ID() ID { return IDRemoteStealthKill }

func (p *RemoteStealthKill) Wire(c *wire.Codec) {
	subject(c, &p.AttackerID, &p.AttackerToken)
	subject(c, &p.VictimID, &p.VictimToken)
}
