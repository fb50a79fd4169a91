package world

import "net/netip"

// PlayerAddressChange is player_address_change: a connection goes on from another host.
type PlayerAddressChange struct {
	Player   *Player
	Old, New netip.AddrPort
}

func (PlayerAddressChange) LuaName() string { return "player_address_change" }

// ChangeAddress tells the scripts that a player's packets come from another host now.
func (tx Tx) ChangeAddress(p *Player, from, to netip.AddrPort) {
	tx.post(PlayerAddressChange{p, from, to})
}
