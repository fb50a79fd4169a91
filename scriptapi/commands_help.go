package scriptapi

import (
	"slices"
	"strings"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources/nearest"
)

const (
	helpBytes = 900 // of a message
	helpMost  = 8   // messages
)

// unknownCommand is the reply to a name that there is not, or not for this player.
func (rt *Runtime) unknownCommand(p *world.Player, name string) string {
	text := "Unknown command /" + name + "."
	names := []string{"help"}
	for other, h := range rt.commands {
		if !h.hidden && rt.usable(h, p) {
			names = append(names, other)
		}
	}
	slices.Sort(names)
	if near, ok := nearest.Name(name, names); ok {
		return text + " Did you mean /" + near + "?"
	}
	return text + " /help lists them."
}

// help is /help [command], unless a resource has its own.
func (rt *Runtime) help(p *world.Player, about string) {
	about = strings.ToLower(strings.TrimPrefix(about, "/"))
	if about == "" {
		rt.listCommands(p)
		return
	}
	h := rt.commands[about]
	switch {
	case h == nil && about == "help":
		rt.inform(p, "Lists the commands, or explains one\nUsage: /help [command]")
	case h == nil || !rt.usable(h, p):
		rt.tell(p, rt.unknownCommand(p, about))
	default:
		rt.inform(p, h.explained())
	}
}

// explained is what /help says of a command.
func (h *commandHandle) explained() string {
	text := h.args.usage(h.name)
	if h.help != "" {
		text = h.help + "\n" + text
	}
	if len(h.aliases) > 0 {
		text += "\nAlso: /" + strings.Join(h.aliases, " /")
	}
	return text
}

// listCommands names the commands that a player may use, in as few messages as they need.
func (rt *Runtime) listCommands(p *world.Player) {
	var names []string
	for name, h := range rt.commands {
		if name == h.name && !h.hidden && rt.usable(h, p) {
			names = append(names, "/"+name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		rt.inform(p, "There are no commands yet.")
		return
	}
	text, sent := "Commands:", 0
	for _, name := range names {
		if len(text)+1+len(name) > helpBytes {
			if sent++; sent == helpMost {
				text += " ..."
				break
			}
			rt.inform(p, text)
			text = name
			continue
		}
		text += " " + name
	}
	rt.inform(p, text+"\n/help COMMAND explains one.")
}

// tell warns a player, in plain text: what he typed may stand in it.
func (rt *Runtime) tell(p *world.Player, text string) { rt.line(p, text, protocol.MessageWarning) }

func (rt *Runtime) inform(p *world.Player, text string) { rt.line(p, text, protocol.MessageInfo) }

func (rt *Runtime) line(p *world.Player, text string, kind protocol.MessageKind) {
	tx := rt.begin()
	defer tx.End()
	if err := tx.Message(p, world.Notice{Text: clip(text, 1000), Kind: kind}); err != nil {
		rt.log.Debug("a reply was not sent", "error", err)
	}
}
