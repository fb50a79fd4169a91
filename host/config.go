package host

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"darqline/host/session"
	"darqline/protocol"
	"darqline/resources/strict"
)

// Config is the server's configuration: what server.toml says, with Defaults where it says nothing. Its keys, their
// ranges and meanings stand in table, once; docs/hosts.md is made from it.
type Config struct {
	Server      ServerConfig
	FilesPort   int // 0: the same number as Server.Port
	Connection  ConnectionConfig
	Names       session.Names
	Alphabet    string
	Query       QueryConfig
	Players     PlayersConfig
	Vehicles    VehiclesConfig
	World       WorldConfig
	Chat        ChatConfig
	Auth        AuthConfig
	Permissions PermissionConfig
	Bans        BansConfig
	Resources   map[string]map[string]strict.Found // settings, judged by the resource's manifest

	// Dir is the server's folder, where relative paths of the configuration begin.
	Dir string

	file *strict.File // where the keys stand; nil without a file
}

// ServerConfig is the table [server].
type ServerConfig struct {
	Name         string
	Bind         string
	Port         int
	MaxPlayers   int
	Password     string
	PasswordFile string
	Mode         string
	Language     string
	Website      string
	ResourcesDir string
	Start        []string
}

// ConnectionConfig is the table [connection].
type ConnectionConfig struct {
	Keepalive, Timeout, Unconfirmed time.Duration
	PerHost, Attempts, Challenges   int
	Resend                          string
	AddressChange                   session.AddressChange
	FailClosed                      bool
}

// Defaults is the configuration of a server without a server.toml.
func Defaults() Config {
	return Config{
		Server: ServerConfig{Name: "My server", Bind: "[::]", Port: 7777, MaxPlayers: 100,
			ResourcesDir: "resources", Start: []string{"*"}},
		Connection: ConnectionConfig{Keepalive: time.Second, Timeout: 10 * time.Second, Unconfirmed: 5 * time.Second,
			PerHost: 4, Attempts: 20, Challenges: 5000, Resend: "gap", AddressChange: session.AddressPort},
		Names:    session.Names{Min: 3, Max: 24, Reserved: []string{"server", "admin"}},
		Alphabet: "ascii",
		Query:    defaultQuery(),
		Players:  defaultPlayers(),
		Vehicles: defaultVehicles(),
		World:    defaultWorld(),
		Chat:     defaultChat(),
		Auth:     defaultAuth(),
		Bans:     defaultBans(),
		Dir:      ".",
	}
}

// table declares every key of server.toml.
func (c *Config) table() strict.Table {
	plain := strict.Check("one line", func(s string) error { return protocol.PlainText(s, 1<<16) })
	return slices.Concat(strict.Table{
		strict.Key("server.name", strict.String(&c.Server.Name, strict.Bytes(1, 63), plain), "shown to players and in server lists").Live(),
		strict.Key("server.bind", strict.String(&c.Server.Bind, strict.Check("an IP address", bindAddress)), "`[::]` is both families; or one address"),
		strict.Key("server.port", strict.Integer(&c.Server.Port, 1, 65535), "UDP port of the game"),
		strict.Key("server.max_players", strict.Integer(&c.Server.MaxPlayers, 1, 1000), "how many may be here at once"),
		strict.Key("server.password", strict.String(&c.Server.Password, strict.Bytes(0, 127)), "asked of everyone who joins; empty: none").Live(),
		strict.Key("server.password_file", strict.String(&c.Server.PasswordFile), "a file whose first line is the password; instead of `password`").Live(),
		strict.Key("server.mode", strict.String(&c.Server.Mode, strict.Bytes(0, 63), plain), "the gamemode, for server lists").Live(),
		strict.Key("server.language", strict.String(&c.Server.Language, strict.Bytes(0, 63), plain), "for server lists").Live(),
		strict.Key("server.website", strict.String(&c.Server.Website, strict.Bytes(0, 63), plain), "for server lists").Live(),
		strict.Key("server.resources_dir", strict.String(&c.Server.ResourcesDir, strict.Bytes(1, 4096)), "the folder of resources"),
		strict.Key("server.start", strict.Strings(&c.Server.Start), "resources started with the server, in this order, what they require first; `\"*\"`: all others, by name"),
		strict.Key("files.port", strict.Integer(&c.FilesPort, 1, 65535), "TCP port of the client files").Default("`server.port`"),
		strict.Key("connection.keepalive", strict.Milliseconds(&c.Connection.Keepalive, 250, 5000), "ms between two life signs").Live(),
		strict.Key("connection.timeout", strict.Milliseconds(&c.Connection.Timeout, 3000, 60000), "ms of silence that end a connection; at least 6 keepalives").Live(),
		strict.Key("connection.unconfirmed", strict.Milliseconds(&c.Connection.Unconfirmed, 1000, 30000), "ms until a connection that says nothing is forgotten").Live(),
		strict.Key("connection.per_host", strict.Integer(&c.Connection.PerHost, 1, 1000), "connections of one IP address; loopback is free").Live(),
		strict.Key("connection.attempts", strict.Integer(&c.Connection.Attempts, 1, 10000), "attempts to join a minute and IP address").Live(),
		strict.Key("connection.challenges", strict.Integer(&c.Connection.Challenges, 100, 1000000), "challenges a second in all").Live(),
		strict.Key("connection.address_change", strict.Choice(&c.Connection.AddressChange, session.AddressNever, session.AddressPort, session.AddressAny), "whether a player may go on from another port of his IP address, as after a NAT's change, from any address, or not at all").Live(),
		strict.Key("connection.resend", strict.Choice(&c.Connection.Resend, "gap", "given"), "the lane's sender: with fast resends, or by the protocol's plain rule alone").Live(),
		strict.Key("connection.fail_closed", strict.Boolean(&c.Connection.FailClosed), "an error in `player_connect` or `player_account` refuses the player").Live(),
		strict.Key("names.min", strict.Integer(&c.Names.Min, 1, 47), "shortest name, in characters").Live(),
		strict.Key("names.max", strict.Integer(&c.Names.Max, 1, 47), "longest name, in characters").Live(),
		strict.Key("names.alphabet", strict.Choice(&c.Alphabet, "ascii", "unicode"), "`unicode`: letters of any one script").Live(),
		strict.Key("names.reserved", strict.Strings(&c.Names.Reserved, strict.Bytes(1, 47)), "names that nobody gets").Live(),
	}, c.Query.table(), c.Players.table(), c.Vehicles.table(), c.World.table(), c.Chat.table(), c.Auth.table(), c.Permissions.table(), c.Bans.table(), strict.Table{
		strict.Key("resources", strict.ByName(&c.Resources, 1000, strict.Check("a resource's name", protocol.ValidResourceName),
			func(p *map[string]strict.Found) strict.Value {
				return strict.ByName(p, 1000, strict.AnyName, strict.Later)
			}), "settings of a resource; taken at its next start"),
	})
}

func bindAddress(s string) error {
	if _, err := netip.ParseAddr(strings.Trim(s, "[]")); err != nil {
		return fmt.Errorf("%q must be an IP address, such as \"[::]\" or \"203.0.113.5\"", s)
	}
	return nil
}

// ReadConfig reads the server.toml of a server's folder. Its error is all that is wrong with it, each with its line.
func ReadConfig(path string) (Config, error) { return ReadConfigOf(filepath.Dir(path), path) }

// ReadConfigOf is ReadConfig of a file that may stand anywhere: the relative paths in it begin at the server's folder dir.
func ReadConfigOf(dir, path string) (Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Config{}, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	c := Defaults()
	c.Dir = dir
	return c, c.parse(filepath.Base(path), data)
}

// parse fills c with what data says and checks what rows cannot: keys together, and files that they name.
func (c *Config) parse(name string, data []byte) error {
	file, faults := c.table().Read(name, data)
	if c.file = file; file == nil {
		return faults.Err()
	}
	fault := func(key, format string, args ...any) { faults = append(faults, file.Fault(key, format, args...)) }
	if c.Connection.Timeout < 6*c.Connection.Keepalive {
		fault("connection.timeout", "connection.timeout must be at least 6 times connection.keepalive (%d), not %d",
			6*c.Connection.Keepalive.Milliseconds(), c.Connection.Timeout.Milliseconds())
	}
	if c.Names.Min > c.Names.Max {
		fault("names.min", "names.min (%d) must not be above names.max (%d)", c.Names.Min, c.Names.Max)
	}
	if !protocol.ValidSkin(c.Players.Spawn.Skin) {
		fault("players.spawn.skin", "players.spawn.skin: %d is no skin of the game", c.Players.Spawn.Skin)
	}
	if w := c.Vehicles.WreckAfter; w > 0 && w < leastWreck {
		fault("vehicles.wreck_after", "vehicles.wreck_after must be 1000..86400000, or 0 for never, not %d", w.Milliseconds())
	}
	c.Names.Unicode = c.Alphabet == "unicode"
	if c.Server.PasswordFile != "" {
		if file.Has("server.password") {
			fault("server.password_file", "server.password and server.password_file: set one of the two")
		} else if err := c.readPassword(); err != nil {
			fault("server.password_file", "%v", err)
		}
	}
	if len(faults) == 0 { // else a provider may be half read
		faults = c.Auth.faults(file)
	}
	faults.Sort()
	return faults.Err()
}

// warnings are what the log says at the start: not wrong, but hardly meant.
func (c *Config) warnings() (list []string) {
	if c.Connection.PerHost > c.Server.MaxPlayers {
		list = append(list, fmt.Sprintf("connection.per_host (%d) is above server.max_players (%d): it limits nothing",
			c.Connection.PerHost, c.Server.MaxPlayers))
	}
	if c.file != nil {
		if keys := c.table().UnusedIn(c.file); len(keys) > 0 {
			list = append(list, "this version of the server reads these keys, but they change nothing yet: "+strings.Join(keys, ", "))
		}
	}
	list = append(list, c.Auth.warnings()...)
	return append(list, c.Permissions.warnings(c.Auth.names())...)
}

// CheckNames finds the resources that the configuration speaks of and that are not among the known ones. Those of
// server.start may come later, so they are no faults here.
func (c *Config) CheckNames(known []string) error {
	var faults strict.Faults
	check := func(table, name string) {
		if slices.Contains(known, name) {
			return
		}
		text := fmt.Sprintf("[%s]: there is no resource %q%s", table, name, strict.Meant(name, known))
		fault := strict.Fault{Text: text}
		if c.file != nil {
			fault = c.file.Fault(table+"."+name, "%s", text)
		}
		faults = append(faults, fault)
	}
	for name := range c.Resources {
		check("resources", name)
	}
	for name := range c.Permissions.Resources {
		check("permissions.resources", name)
	}
	faults.Sort()
	return faults.Err()
}

// PasswordPath is where the file of server.password_file is; "" without one.
func (c *Config) PasswordPath() string {
	path := c.Server.PasswordFile
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	return path
}

func (c *Config) readPassword() error {
	data, err := os.ReadFile(c.PasswordPath())
	if err != nil {
		return fmt.Errorf("server.password_file cannot be read: %w", err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	c.Server.Password = strings.TrimRightFunc(line, unicode.IsSpace)
	if len(c.Server.Password) > 127 {
		return fmt.Errorf("the password in server.password_file has %d bytes, at most 127", len(c.Server.Password))
	}
	return nil
}

// WriteReference writes the table of every key for docs/hosts.md.
func WriteReference(w interface{ Write([]byte) (int, error) }) error {
	c := Defaults()
	return c.table().Markdown(w)
}
