package scriptapi

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

type getPlayerArgs struct {
	ID int `lua:"id" range:"0..65534" doc:"The player's number."`
}

type nearArgs struct {
	Position bind.Vec3   `lua:"position" range:"-20000..20000" doc:"The middle."`
	Radius   float64     `lua:"radius" range:"0..100000" doc:"In m."`
	Options  nearOptions `lua:"options,optional" doc:"More."`
}

type nearOptions struct {
	Dimension *int `lua:"dimension" range:"0..65534" doc:"Only there; everywhere without it."`
}

type animationsArgs struct {
	Block string `lua:"block,optional" range:"0..15" doc:"A block; without it the blocks are listed."`
}

type kickArgs struct {
	Text string `lua:"text,optional" range:"0..127" doc:"What the player reads."`
}

type permissionArgs struct {
	Name string `lua:"name" range:"1..31" doc:"A permission, such as a command asks for."`
}

type runArgs struct {
	Text string `lua:"text" range:"1..512" doc:"The command, without its slash."`
}

func (rt *Runtime) declarePlayers(r *bind.Registry) {
	r.Module("mp.players", "Who is here.").Add(
		bind.Func("get", "Finds a player by id.", func(_ *bind.Call, a getPlayerArgs) (*world.Player, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.PlayerByID(uint16(a.ID)), nil
		}, bind.OrNil(), bind.Returns("The player, or nil if nobody has that id now."), bind.Example(`local player = mp.players.get(0)`)),
		bind.Func("all", "Lists everyone who has joined, by id.", func(*bind.Call, bind.None) ([]*world.Player, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.Players(), nil
		}, bind.Example(`for _, player in ipairs(mp.players.all()) do player:message("Hello") end`)),
		bind.Func("alive", "Lists everyone who is alive in the world, by id.", func(*bind.Call, bind.None) ([]*world.Player, error) {
			tx := rt.begin()
			defer tx.End()
			return slices.DeleteFunc(tx.Players(), func(p *world.Player) bool { return tx.State(p) != world.Alive }), nil
		}),
		bind.Func("near", "Lists who is near a point, dead or alive, nearest first.", func(_ *bind.Call, a nearArgs) ([]*world.Player, error) {
			dimension := world.AnyDimension
			if a.Options.Dimension != nil {
				dimension = *a.Options.Dimension
			}
			tx := rt.begin()
			defer tx.End()
			return tx.PlayersNear(wireVec3(a.Position), a.Radius, dimension), nil
		}, bind.Example(`for _, other in ipairs(mp.players.near(player.position, 50, { dimension = player.dimension })) do other:message("Boo") end`)),
		bind.Func("animations", "Lists the blocks of the game's animations, or the names of a block.", func(_ *bind.Call, a animationsArgs) ([]string, error) {
			if a.Block == "" {
				return world.AnimationBlocks(), nil
			}
			return world.AnimationNames(a.Block)
		}, bind.Example(`local dances = mp.players.animations("DANCING")`)),
		bind.Func("skins", "Lists the ids of the game's skins.", func(*bind.Call, bind.None) ([]int, error) { return skins(), nil }),
		bind.Func("count", "Counts everyone who has joined.", func(*bind.Call, bind.None) (int, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.PlayerCount(), nil
		}),
	)
	h := bind.NewHandle(r, bind.HandleSpec[*world.Player]{
		Name: "Player", Type: "player", Doc: "Someone who has joined.", Gone: "this player has left", Data: true,
		Valid: (*world.Player).Valid, String: (*world.Player).String, Ready: signedIn, Early: "Also before he has signed in.",
	})
	rt.declareSignIn(r, h)
	rt.declarePlayer(h)
	rt.declarePlayerBan(h)
	rt.declarePlayerChat(h)
	rt.declarePlayerList(h)
	rt.declarePlayerState(h)
	rt.declarePlayerPlace(h)
	rt.declarePlayerSpawn(h)
	rt.declarePlayerLook(h)
	rt.declarePlayerAnimation(h)
	rt.declarePlayerCamera(h)
	rt.declarePlayerCombat(h)
	rt.declarePlayerWeapons(h)
	rt.declarePlayerMenus(h)
	rt.declarePlayerOffers(h)
	rt.declarePlayerKeys(h)
	rt.declarePlayerDialogs(h)
	rt.declareHud(r, h)
	rt.declareNotify(h)
	rt.declareTheme(r, h)
}

// declarePlayer declares who a player is, and what concerns his connection.
func (rt *Runtime) declarePlayer(h *bind.Handle[*world.Player]) {
	text := func(name, doc string, f func(tx world.Tx, p *world.Player) string) bind.HandleMember[*world.Player] {
		return bind.Prop(name, doc, read(rt, f), nil, bind.Early())
	}
	h.Add(
		bind.Prop("id", "The player's number: the lowest that was free when he joined. It is reused.", func(p *world.Player) int { return int(p.ID) }, nil, bind.Early()),
		bind.Prop("generation", "His generation: a number that nobody else ever has.", func(p *world.Player) int { return int(p.Token) }, nil, bind.Early()),
		bind.Prop("name", "His name. Set by the rules for names; an error where somebody has it.", (*world.Player).Name, write(rt, world.Tx.SetName),
			bind.Early(), bind.Tag(`range:"1..47"`)),
		text("address", "IP address and port of his connection.", func(tx world.Tx, p *world.Player) string { return tx.Address(p).String() }),
		text("host", "IP address of his connection.", func(tx world.Tx, p *world.Player) string { return tx.Address(p).Addr().String() }),
		bind.Prop("serial", "What his client says of its installation: 64 hex digits, or nil.", optional(read(rt, world.Tx.Serial)), nil, bind.Early()),
		text("locale", "His language, such as en or pt-br; may be empty.", world.Tx.Locale),
		bind.Prop("ping", "The round trip to him in ms; nil before the first measure.", func(p *world.Player) *int {
			tx := rt.begin()
			defer tx.End()
			ping, _, _, ok := tx.Ping(p)
			if !ok {
				return nil
			}
			n := int(ping.Milliseconds())
			return &n
		}, nil, bind.Early()),
		bind.Prop("jitter", "How much the round trip varies, in ms.", func(p *world.Player) int {
			tx := rt.begin()
			defer tx.End()
			_, jitter, _, _ := tx.Ping(p)
			return int(jitter.Milliseconds())
		}, nil, bind.Early()),
		bind.Prop("loss", "How many of the server's probes were lost, in percent.", func(p *world.Player) int {
			tx := rt.begin()
			defer tx.End()
			_, _, loss, _ := tx.Ping(p)
			return loss
		}, nil, bind.Early()),
		bind.Prop("connected", "For how long he is connected, in s.", func(p *world.Player) float64 {
			tx := rt.begin()
			defer tx.End()
			return math.Floor(tx.Connected(p).Seconds())
		}, nil, bind.Early()),
		bind.Prop("permissions", "The permissions that he has, { police = true }. A copy.",
			read(rt, func(tx world.Tx, p *world.Player) map[string]bool { return wordSet(tx.Permissions(p)) }), nil, bind.Early()),
		bind.Method("kick", "Sends him away. The handle is valid until player_leave is over.",
			func(_ *bind.Call, p *world.Player, a kickArgs) (bind.None, error) {
				if err := protocol.PlainText(a.Text, 127); err != nil {
					return bind.None{}, fmt.Errorf("argument 1 \"text\": %w", err)
				}
				return rt.with(func(tx world.Tx) error { tx.Kick(p, a.Text); return nil })
			}, bind.Early(), bind.Example(`player:kick("Come back tomorrow")`)),
		bind.Method("has_permission", "Whether he was given a permission.",
			func(_ *bind.Call, p *world.Player, a permissionArgs) (bool, error) {
				tx := rt.begin()
				defer tx.End()
				return tx.HasPermission(p, a.Name), nil
			}, bind.Early()),
		bind.Method("grant", "Gives him a permission until he leaves.",
			func(_ *bind.Call, p *world.Player, a permissionArgs) (bind.None, error) {
				if !validPermission(a.Name) {
					return bind.None{}, fmt.Errorf("argument 1 \"name\": %q: a permission is 1 to 31 of a-z, 0-9, _, . and -", a.Name)
				}
				return rt.with(func(tx world.Tx) error { tx.Grant(p, a.Name); return nil })
			}, bind.Early()),
		bind.Method("revoke", "Takes a permission back.",
			func(_ *bind.Call, p *world.Player, a permissionArgs) (bind.None, error) {
				return rt.with(func(tx world.Tx) error { tx.Revoke(p, a.Name); return nil })
			}, bind.Early()),
		bind.Method("run", "Runs a command as him.", func(_ *bind.Call, p *world.Player, a runArgs) (bind.None, error) {
			return bind.None{}, rt.runAs(p, a.Text)
		}),
	)
}

func validPermission(s string) bool {
	return s != "" && len(s) <= 31 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_.-") == ""
}

// with runs an action of the world that gives nothing back.
func (rt *Runtime) with(f func(tx world.Tx) error) (bind.None, error) {
	tx := rt.begin()
	defer tx.End()
	return bind.None{}, f(tx)
}

// optional makes nil of an empty text.
func optional(f func(p *world.Player) string) func(p *world.Player) *string {
	return func(p *world.Player) *string {
		s := f(p)
		if s == "" {
			return nil
		}
		return &s
	}
}

// seconds rounds a time up for a player.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
