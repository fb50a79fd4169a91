package scriptapi

import (
	"errors"
	"fmt"
	"math"

	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// Server is what scripts see of the server as a whole, and do with it.
type Server interface {
	Facts() ServerFacts
	Stats() ServerStats

	// SetText and SetRule hold until the server ends, or the file gets another value. Their errors are for the script.
	SetText(which ServerText, text string) error
	SetRule(key string, value *string) error // nil removes

	// Close ends the process in order, and returns at once.
	Close(text string, seconds uint32, restart bool)
}

// ServerText is a text of the server that scripts may set.
type ServerText uint8

const (
	ServerName ServerText = iota
	ServerMode
	ServerLanguage
	ServerWebsite
	ServerPassword
)

// ServerFacts is what mp.server tells.
type ServerFacts struct {
	Name, Mode, Language, Website, Version string
	MaxPlayers, Port, FilesPort            int
	BootID                                 uint64
	Rules                                  map[string]string // not to be changed
}

// ServerStats is what mp.server.stats() tells: counted since the start, but for the first two and the last, which are of now.
type ServerStats struct {
	Players     int               `lua:"players" doc:"Who is here, past the sign-in."`
	Unconfirmed int               `lua:"unconfirmed" doc:"Connections that have proven nothing yet but their address."`
	PacketsIn   uint64            `lua:"packets_in" doc:"Datagrams."`
	PacketsOut  uint64            `lua:"packets_out" doc:"Datagrams."`
	BytesIn     uint64            `lua:"bytes_in" doc:"Without the headers of UDP and IP."`
	BytesOut    uint64            `lua:"bytes_out" doc:"Without the headers of UDP and IP."`
	Malformed   uint64            `lua:"malformed" doc:"Packets that broke their layout."`
	Moved       uint64            `lua:"moved" doc:"Connections that went on from another address."`
	Challenges  uint64            `lua:"challenges" doc:"Addresses that had to prove themselves before joining."`
	Rejected    map[string]uint64 `lua:"rejected" doc:"Who was not let in, by reason: { full = 3 }."`
	TickMS      float64           `lua:"tick_ms" doc:"The longest turn of the loop that relays frames, within the last second, in ms."`
}

type closeArgs struct {
	Text    string `lua:"text,optional" range:"0..127" doc:"What the players are told."`
	Seconds uint32 `lua:"seconds,optional" range:"0..604800" doc:"When the server should be back; 0 tells nothing."`
	Restart bool   `lua:"restart,optional" doc:"Whether the process ends with the exit code that asks for another start."`
}

func (rt *Runtime) declareServer(r *bind.Registry) {
	server := rt.cfg.Server
	facts := func() ServerFacts { return server.Facts() } // nil where the declarations alone are wanted
	set := func(which ServerText) func(c *bind.Call, text string) error {
		return func(c *bind.Call, text string) error {
			if err := rt.need(c, "server"); err != nil {
				return err
			}
			return server.SetText(which, text)
		}
	}
	short := bind.Tag(`range:"0..63"`)
	r.Module("mp.server", "The server. Setting anything of it needs the permission `server`, and holds until the server ends or the value in "+
		"`server.toml` changes; a start brings back the file's.").Add(
		bind.GetSet("name", "Its name.", func(*bind.Call) string { return facts().Name }, set(ServerName), bind.Tag(`range:"1..63"`)),
		bind.GetSet("mode", "Its gamemode, for server lists.", func(*bind.Call) string { return facts().Mode }, set(ServerMode), short),
		bind.GetSet("language", "Its language, for server lists.", func(*bind.Call) string { return facts().Language }, set(ServerLanguage), short),
		bind.GetSet("website", "Its website, for server lists.", func(*bind.Call) string { return facts().Website }, set(ServerWebsite), short),
		bind.Set("password", "What everyone is asked for who joins from now on; \"\" for nothing.", set(ServerPassword), bind.Tag(`range:"0..127"`)),
		bind.Get("max_players", "How many may be here at once.", func(*bind.Call) int { return facts().MaxPlayers }),
		bind.Get("port", "UDP port of the game.", func(*bind.Call) int { return facts().Port }),
		bind.Get("files_port", "TCP port of the client files.", func(*bind.Call) int { return facts().FilesPort }),
		bind.Get("protocol", "The protocol's revision.", func(*bind.Call) int { return protocol.Version }),
		bind.Get("version", "The server's version.", func(*bind.Call) string { return facts().Version }),
		bind.Get("boot_id", "16 hex digits, others at each start of the server.", func(*bind.Call) string { return fmt.Sprintf("%016x", facts().BootID) }),
		bind.Get("uptime", "For how long it runs, in s.", func(*bind.Call) float64 { return math.Floor(rt.cfg.Now().Seconds()) }),
		bind.Func("stats", "Counts what came and went.", func(*bind.Call, bind.None) (ServerStats, error) { return server.Stats(), nil },
			bind.Example(`print(mp.server.stats().players)`)),
		bind.Func("close", "Ends the server in order: the players are told, `player_leave` reaches the scripts, all resources stop. It returns at once.",
			func(c *bind.Call, a closeArgs) (bind.None, error) {
				if err := rt.need(c, "server"); err != nil {
					return bind.None{}, err
				}
				if err := protocol.PlainText(a.Text, 127); err != nil {
					return bind.None{}, fmt.Errorf("text: %w", err)
				}
				server.Close(a.Text, a.Seconds, a.Restart)
				return bind.None{}, nil
			}, bind.Keyed(), bind.Needs("server"), bind.Example(`mp.server.close{ text = "Back in a minute", seconds = 60, restart = true }`)),
	)
	r.Module("mp.server.rules", "Lines for server lists: mp.server.rules.discord = \"https://example.org/d\". There are at most 64; a key has 1..32 bytes, "+
		"a value up to 127; nil removes one. Setting needs the permission `server`, as for mp.server.").
		Index(func(_ *bind.Call, key string) (any, error) {
			if value, ok := facts().Rules[key]; ok {
				return value, nil
			}
			return nil, nil
		}).
		NewIndex(func(c *bind.Call, key string, v bind.Raw) error {
			if err := rt.need(c, "server"); err != nil {
				return err
			}
			if v.IsNil() {
				return server.SetRule(key, nil)
			}
			plain, err := v.Plain()
			value, ok := plain.(string)
			if err != nil || !ok {
				return errors.New("a string or nil expected, got " + v.Describe())
			}
			return server.SetRule(key, &value)
		})
}
