package scriptapi

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

type messageArgs struct {
	Text string               `lua:"text" range:"1..1024" doc:"Up to 12 lines, with markup."`
	Kind protocol.MessageKind `lua:"kind" enum:"plain|info|success|warning|error" default:"plain" doc:"How it looks."`
}

type sendArgs struct {
	Text   string               `lua:"text" range:"1..1024" doc:"Up to 12 lines."`
	To     bind.Raw             `lua:"to,optional" doc:"Who reads it: a player or a list of them; everyone without it."`
	Near   *nearbyArgs          `lua:"near" doc:"Only those of them who have spawned within radius metres of a position; in any dimension, unless one is given."`
	Kind   protocol.MessageKind `lua:"kind" enum:"plain|info|success|warning|error" default:"plain" doc:"How it looks."`
	Color  *bind.RGBA           `lua:"color" doc:"The line's color; without it that of the kind."`
	Markup bool                 `lua:"markup" default:"true" doc:"Whether {RRGGBB} and the like are read."`
}

type nearbyArgs struct {
	Position  bind.Vec3 `lua:"position" range:"-20000..20000" doc:"The middle."`
	Radius    float64   `lua:"radius" range:"0..100000" doc:"In m."`
	Dimension *int      `lua:"dimension" range:"0..65534" doc:"Only there."`
}

type sayArgs struct {
	From      *world.Player    `lua:"from" doc:"In whose name."`
	Text      string           `lua:"text" range:"1..512" doc:"One line."`
	Name      *string          `lua:"name" range:"1..64" doc:"Another name than his own."`
	NameColor *bind.RGBA       `lua:"name_color" doc:"The name's color; without it that of his list_entry."`
	Color     *bind.RGBA       `lua:"color" doc:"The text's color."`
	Channel   protocol.Channel `lua:"channel" enum:"all|team" default:"all" doc:"team: a line to his group."`
	To        bind.Raw         `lua:"to,optional" doc:"Who reads it: a player or a list of them; without it those who would read a line of his."`
	Markup    bool             `lua:"markup" default:"false" doc:"Whether {RRGGBB} and the like are read, in the text and in a name that is given."`
}

type clearArgs struct {
	Player *world.Player `lua:"player,optional" early:"true" doc:"Whose window; everyone's without it."`
}

type bubbleArgs struct {
	Text    *string       `lua:"text" range:"1..512" doc:"Up to 4 lines; nil takes the last one away."`
	Options bubbleOptions `lua:"options,optional" doc:"More."`
}

type bubbleOptions struct {
	Duration int        `lua:"duration" range:"500..60000" default:"5000" doc:"In ms."`
	Distance float64    `lua:"distance" range:"1..100" default:"20" doc:"From how far it is seen, in m."`
	Color    *bind.RGBA `lua:"color" doc:"The text's color."`
	Markup   bool       `lua:"markup" default:"false" doc:"Whether {RRGGBB} and the like are read."`
}

type textArgs struct {
	Text string `lua:"text" doc:"Any text."`
}

type formatArgs struct {
	Format string     `lua:"format" doc:"As for string.format."`
	Args   []bind.Raw `lua:"args,rest" doc:"What is put in; every string is escaped."`
}

// chatMessage is what handlers of player_chat see and may change.
type chatMessage struct {
	line *world.ChatLine
}

type chatArgs struct {
	Player  *world.Player `lua:"player" doc:"Who wrote it."`
	Message *chatMessage  `lua:"message" doc:"The line; what a handler changes, the next one sees."`
}

func (rt *Runtime) declareChat(r *bind.Registry) {
	r.Module("mp.chat", "The chat window.").Add(
		bind.Func("broadcast", "Writes a line to everyone.", func(_ *bind.Call, a messageArgs) (int, error) {
			tx := rt.begin()
			defer tx.End()
			return tx.Broadcast(world.Notice{Text: a.Text, Kind: a.Kind, Markup: true})
		}, bind.Returns("How many were told."), bind.Example(`mp.chat.broadcast("The race begins", "info")`)),
		bind.Func("send", "Writes a line, with all that can be said of it.", rt.chatSend, bind.Keyed(),
			bind.Returns("How many were told."), bind.Example(`mp.chat.send{ text = "Police!", kind = "warning" }`),
			bind.Example(`mp.chat.send{ text = "* " .. mp.ui.escape(player.name) .. " waves", color = "#C2A2DA",
  near = { position = player.position, radius = 20, dimension = player.dimension } }`)),
		bind.Func("say", "Writes a line in a player's name; player_chat does not hear of it.", rt.chatSay, bind.Keyed(),
			bind.Returns("How many were told."), bind.Example(`mp.chat.say{ from = player, text = "Hello", to = mp.players.all() }`)),
		bind.Func("clear", "Empties the window of one or of all.", func(_ *bind.Call, a clearArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error {
				n := world.Notice{Clear: true}
				if a.Player != nil {
					return tx.Message(a.Player, n)
				}
				_, err := tx.Broadcast(n)
				return err
			})
		}),
		chatRule(rt, "radius", "How far a line to all carries, in m; nil: everywhere. It begins as chat.radius of server.toml.", `range:"0..20000"`,
			func(c world.Chat) *float64 {
				if c.Radius <= 0 {
					return nil
				}
				v := round(c.Radius)
				return &v
			}, func(c *world.Chat, v *float64) {
				if c.Radius = 0; v != nil {
					c.Radius = float32(*v)
				}
			}),
		chatRule(rt, "bubbles", "Whether a line is also shown over the head of who wrote it, to those who read it. It begins as chat.bubbles of server.toml.", "",
			func(c world.Chat) bool { return c.Bubbles }, func(c *world.Chat, v bool) { c.Bubbles = v }),
		chatRule(rt, "max_length", "How many characters a player's line may have; a longer one is dropped. It begins as chat.max_length of server.toml.", `range:"1..128"`,
			func(c world.Chat) int { return c.MaxLength }, func(c *world.Chat, v int) { c.MaxLength = v }),
	)
	r.Module("mp.ui", "What a player sees and answers.").Add(
		bind.Func("escape", "Makes any text safe inside a line with markup.", func(_ *bind.Call, a textArgs) (string, error) {
			return escape(a.Text), nil
		}, bind.Example(`mp.chat.broadcast("{FFB454}" .. mp.ui.escape("{not markup}"))`)),
		bind.Func("format", "string.format that escapes every string.", func(c *bind.Call, a formatArgs) (string, error) {
			return c.Format(a.Format, a.Args, escape)
		}, bind.Example(`mp.chat.broadcast(mp.ui.format("%s has {FFB454}$%d", "Tommy {", 500))`)),
		bind.Func("strip", "Removes markup.", func(_ *bind.Call, a textArgs) (string, error) { return strip(a.Text), nil }),
	)
	declareChatMessage(r)
}

// chatRule is a property of mp.chat that is a rule of the world's. It stays when the resource stops that has set it.
func chatRule[V any](rt *Runtime, name, doc, tag string, get func(world.Chat) V, set func(*world.Chat, V)) bind.Member {
	return bind.GetSet(name, doc, func(*bind.Call) V {
		tx := rt.begin()
		defer tx.End()
		return get(tx.Chat())
	}, func(_ *bind.Call, v V) error {
		tx := rt.begin()
		defer tx.End()
		rules := tx.Chat()
		set(&rules, v)
		tx.SetChat(rules)
		return nil
	}, bind.Tag(tag))
}

func declareChatMessage(r *bind.Registry) {
	bind.NewHandle(r, bind.HandleSpec[*chatMessage]{
		Name: "ChatMessage", Type: "message", Doc: "A line that a player wrote, before anyone has read it.", NoType: true,
		Gone: "this line has gone out already",
	}).Add(
		bind.Prop("text", "The line, without markup.", func(m *chatMessage) string { return m.line.Text },
			func(m *chatMessage, v string) error { return set(&m.line.Text, v, 512) }),
		bind.Prop("channel", "all or team.", func(m *chatMessage) string { return m.line.Channel.String() }, nil),
		bind.Prop("name", "The name in front of it.", func(m *chatMessage) string { return m.line.Name },
			func(m *chatMessage, v string) error { return set(&m.line.Name, v, 64) }),
		bind.Prop("name_color", "The name's color, at first that of his list_entry; nil: the theme's.", func(m *chatMessage) *bind.RGBA { return color(m.line.NameColor) },
			func(m *chatMessage, v *bind.RGBA) error { m.line.NameColor = wireColor(v); return nil }),
		bind.Prop("color", "The text's color; nil: the theme's.", func(m *chatMessage) *bind.RGBA { return color(m.line.Color) },
			func(m *chatMessage, v *bind.RGBA) error { m.line.Color = wireColor(v); return nil }),
		bind.Prop("to", "Who reads it, a list; nil: all, those within mp.chat.radius, or his group, and himself.", func(m *chatMessage) *[]*world.Player {
			if m.line.To == nil {
				return nil
			}
			return &m.line.To
		}, func(m *chatMessage, v *[]*world.Player) error {
			m.line.To = nil
			if v != nil {
				m.line.To = append([]*world.Player{}, *v...)
			}
			return nil
		}),
	)
}

// declarePlayerChat declares what a player is told, and what he may say.
func (rt *Runtime) declarePlayerChat(h *bind.Handle[*world.Player]) {
	h.Add(
		bind.Prop("muted", "Whether his chat lines are dropped.", read(rt, world.Tx.Muted),
			write(rt, func(tx world.Tx, p *world.Player, muted bool) error {
				if muted {
					tx.Mute(p, 0)
				} else {
					tx.Unmute(p)
				}
				return nil
			})),
		bind.Method("mute", "Drops his chat lines for a while; he is told.",
			func(_ *bind.Call, p *world.Player, a muteArgs) (bind.None, error) {
				return rt.with(func(tx world.Tx) error { tx.Mute(p, ms(a.Milliseconds)); return nil })
			}),
		bind.Method("message", "Writes a line to him.", func(_ *bind.Call, p *world.Player, a messageArgs) (bind.None, error) {
			return rt.with(func(tx world.Tx) error {
				return tx.Message(p, world.Notice{Text: a.Text, Kind: a.Kind, Markup: true})
			})
		}, bind.Early(), bind.Example(`player:message("You won {FFB454}$500", "success")`)),
		bind.Method("bubble", "Shows a text over his head, to those who see him now.",
			func(_ *bind.Call, p *world.Player, a bubbleArgs) (bind.None, error) {
				b, o := world.Bubble{}, a.Options
				if a.Text != nil {
					b = world.Bubble{Text: *a.Text, Duration: time.Duration(o.Duration) * time.Millisecond, Distance: float32(o.Distance),
						Color: wireColor(o.Color), Markup: o.Markup}
				}
				return rt.with(func(tx world.Tx) error { return tx.Bubble(p, b) })
			}, bind.Example(`player:bubble("Taxi!", { duration = 3000 })`)),
	)
}

type muteArgs struct {
	Milliseconds float64 `lua:"ms" range:"1..2592000000" doc:"For how long, in ms."`
}

func set(dst *string, v string, most int) error {
	if v == "" || len(v) > most {
		return fmt.Errorf("1 to %d bytes expected, got %d", most, len(v))
	}
	if err := protocol.PlainText(v, most); err != nil {
		return err
	}
	*dst = v
	return nil
}

func (rt *Runtime) chatSend(_ *bind.Call, a sendArgs) (int, error) {
	n := world.Notice{Text: a.Text, Kind: a.Kind, Color: wireColor(a.Color), Markup: a.Markup}
	to, err := receivers(a.To)
	if err != nil {
		return 0, err
	}
	tx := rt.begin()
	defer tx.End()
	if near := a.Near; near != nil {
		dimension := world.AnyDimension
		if near.Dimension != nil {
			dimension = *near.Dimension
		}
		here := tx.PlayersNear(wireVec3(near.Position), near.Radius, dimension)
		if to != nil {
			here = slices.DeleteFunc(here, func(p *world.Player) bool { return !slices.Contains(to, p) })
		}
		return tx.MessageTo(here, n)
	}
	if to == nil {
		return tx.Broadcast(n)
	}
	return tx.MessageTo(to, n)
}

// receivers are a player or a list of players; nil is everyone.
func receivers(to bind.Raw) ([]*world.Player, error) {
	wrong := errors.New("key \"to\": a Player or a list of them expected")
	if to.IsNil() {
		return nil, nil
	}
	plain, err := to.Plain()
	if err != nil {
		return nil, fmt.Errorf("key \"to\": %w", err)
	}
	if p, ok := plain.(*world.Player); ok {
		return []*world.Player{p}, nil
	}
	t, ok := plain.(*bind.Table)
	if !ok || len(t.Pairs) > 0 {
		return nil, wrong
	}
	list := make([]*world.Player, len(t.List))
	for i, v := range t.List {
		if list[i], ok = v.(*world.Player); !ok {
			return nil, wrong
		}
	}
	return list, nil
}

func (rt *Runtime) chatSay(_ *bind.Call, a sayArgs) (int, error) {
	to, err := receivers(a.To)
	if err != nil {
		return 0, err
	}
	tx := rt.begin()
	defer tx.End()
	line := world.ChatLine{Channel: a.Channel, Text: a.Text, Name: a.From.Name(), NameColor: tx.ListRow(a.From).Color,
		Color: wireColor(a.Color), To: to, Markup: a.Markup}
	if a.NameColor != nil {
		line.NameColor = wireColor(a.NameColor)
	}
	if a.Name != nil {
		line.Name, line.NameMarkup = *a.Name, a.Markup
	}
	return tx.Say(a.From, line)
}

func (rt *Runtime) dispatchChat(e world.PlayerChat) (cancelled bool) {
	m := &chatMessage{e.Line}
	cancelled, _ = rt.fire(e.LuaName(), rt.events.playerChat.Args(chatArgs{e.Player, m}), true)
	rt.drop(m)
	return cancelled
}

// color is a wire color for Lua; nil is the theme's.
func color(c protocol.RGBA) *bind.RGBA {
	if c.A == 0 {
		return nil
	}
	out := bind.RGBA(c)
	return &out
}

func wireColor(c *bind.RGBA) protocol.RGBA {
	if c == nil || c.A == 0 {
		return protocol.RGBA{}
	}
	return protocol.RGBA(*c)
}
