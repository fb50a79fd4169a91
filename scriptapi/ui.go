package scriptapi

import (
	"errors"
	"fmt"

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
	Kind   protocol.MessageKind `lua:"kind" enum:"plain|info|success|warning|error" default:"plain" doc:"How it looks."`
	Color  *bind.RGBA           `lua:"color" doc:"The line's color; without it that of the kind."`
	Markup bool                 `lua:"markup" default:"true" doc:"Whether {RRGGBB} and the like are read."`
}

type sayArgs struct {
	From      *world.Player `lua:"from" doc:"In whose name."`
	Text      string        `lua:"text" range:"1..512" doc:"One line."`
	Name      *string       `lua:"name" range:"1..64" doc:"Another name than his own."`
	NameColor *bind.RGBA    `lua:"name_color" doc:"The name's color."`
	Color     *bind.RGBA    `lua:"color" doc:"The text's color."`
	To        bind.Raw      `lua:"to,optional" doc:"Who reads it: a player or a list of them; everyone without it."`
	Markup    bool          `lua:"markup" default:"false" doc:"Whether {RRGGBB} and the like are read."`
}

type clearArgs struct {
	Player *world.Player `lua:"player,optional" doc:"Whose window; everyone's without it."`
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
			bind.Returns("How many were told."), bind.Example(`mp.chat.send{ text = "Police!", kind = "warning" }`)),
		bind.Func("say", "Writes a line in a player's name; player_chat does not hear of it.", rt.chatSay, bind.Keyed(),
			bind.Returns("How many were told.")),
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
	bind.NewHandle(r, bind.HandleSpec[*chatMessage]{
		Name: "ChatMessage", Type: "message", Doc: "A line that a player wrote, before anyone has read it.", NoType: true,
		Gone: "this line has gone out already",
	}).Add(
		bind.Prop("text", "The line.", func(m *chatMessage) string { return m.line.Text },
			func(m *chatMessage, v string) error { return set(&m.line.Text, v, 512) }),
		bind.Prop("channel", "all or team.", func(m *chatMessage) string {
			if m.line.Team {
				return "team"
			}
			return "all"
		}, nil),
		bind.Prop("name", "The name in front of it.", func(m *chatMessage) string { return m.line.Name },
			func(m *chatMessage, v string) error { return set(&m.line.Name, v, 64) }),
		bind.Prop("name_color", "The name's color; nil: the theme's.", func(m *chatMessage) *bind.RGBA { return color(m.line.NameColor) },
			func(m *chatMessage, v *bind.RGBA) error { m.line.NameColor = wireColor(v); return nil }),
		bind.Prop("color", "The text's color; nil: the theme's.", func(m *chatMessage) *bind.RGBA { return color(m.line.Color) },
			func(m *chatMessage, v *bind.RGBA) error { m.line.Color = wireColor(v); return nil }),
		bind.Prop("to", "Who reads it, a list; nil: everyone.", func(m *chatMessage) *[]*world.Player {
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
	if to == nil {
		return tx.Broadcast(n)
	}
	for _, p := range to {
		if err := tx.Message(p, n); err != nil {
			return 0, err
		}
	}
	return len(to), nil
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
	line := world.ChatLine{Text: a.Text, Name: a.From.Name(), NameColor: wireColor(a.NameColor),
		Color: wireColor(a.Color), To: to, Markup: a.Markup}
	if a.Name != nil {
		line.Name = *a.Name
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
