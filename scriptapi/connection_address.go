package scriptapi

import (
	"darqline/host/world"
	"darqline/scriptapi/bind"
)

type addressChangeArgs struct {
	Player *world.Player `lua:"player" doc:"Who it is about."`
	Old    string        `lua:"old" doc:"IP address and port that he came from."`
	New    string        `lua:"new" doc:"IP address and port that he comes from now."`
}

func declareAddressEvent(r *bind.Registry) *bind.Event[addressChangeArgs] {
	return bind.NewEvent[addressChangeArgs](r, "player_address_change",
		"A player goes on from another IP address, where connection.address_change of server.toml lets him.", false)
}

// dispatchAddress runs the handlers of player_address_change.
func (rt *Runtime) dispatchAddress(e world.PlayerAddressChange) {
	raise(rt, rt.events.addressChange, addressChangeArgs{e.Player, e.Old.String(), e.New.String()})
}
