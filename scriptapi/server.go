package scriptapi

import (
	"math"

	"darqline/protocol"
	"darqline/scriptapi/bind"
)

func (rt *Runtime) declareServer(r *bind.Registry) {
	facts := func() ServerFacts { return rt.cfg.Server() }
	r.Module("mp.server", "The server.").Add(
		bind.Get("name", "Its name.", func(*bind.Call) string { return facts().Name }),
		bind.Get("mode", "Its gamemode, for server lists.", func(*bind.Call) string { return facts().Mode }),
		bind.Get("language", "Its language, for server lists.", func(*bind.Call) string { return facts().Language }),
		bind.Get("website", "Its website, for server lists.", func(*bind.Call) string { return facts().Website }),
		bind.Get("max_players", "How many may be here at once.", func(*bind.Call) int { return facts().MaxPlayers }),
		bind.Get("port", "UDP port of the game.", func(*bind.Call) int { return facts().Port }),
		bind.Get("files_port", "TCP port of the client files.", func(*bind.Call) int { return facts().FilesPort }),
		bind.Get("protocol", "The protocol's revision.", func(*bind.Call) int { return protocol.Version }),
		bind.Get("version", "The server's version.", func(*bind.Call) string { return facts().Version }),
		bind.Get("uptime", "For how long it runs, in s.", func(*bind.Call) float64 { return math.Floor(rt.cfg.Now().Seconds()) }),
	)
}
