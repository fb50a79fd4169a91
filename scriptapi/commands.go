package scriptapi

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources/nearest"
	"darqline/scriptapi/bind"
)

// maxCommands is how many commands a resource may have.
const maxCommands = 500

// commandHandle is a command of a resource: what mp.command returns.
type commandHandle struct {
	inst      *instance
	name      string
	aliases   []string
	help      string
	args      signature
	needs     string // the permission
	cooldown  time.Duration
	states    []string
	console   bool
	hidden    bool
	overlap   bool
	fn        bind.Function
	file      string
	line      int
	removed   bool
	running   map[*world.Player]int
	lastCalls map[*world.Player]time.Duration
}

func (h *commandHandle) forget(p *world.Player) {
	delete(h.running, p)
	delete(h.lastCalls, p)
}

type newCommandArgs struct {
	Name      string        `lua:"name" range:"1..31" doc:"[a-z0-9_], matched without case."`
	Arguments bind.Raw      `lua:"arguments" doc:"A list of \"name:type\", with a final ? for optional or =value for a default; beside it help, permission, aliases, cooldown (ms), states, console, hidden, overlap."`
	Callback  bind.Function `lua:"callback" doc:"fn(player, args, raw); args by name."`
}

// CommandInfo is a row of mp.commands().
type CommandInfo struct {
	Name     string `lua:"name" doc:"Without its slash."`
	Usage    string `lua:"usage" doc:"How it is called."`
	Help     string `lua:"help" doc:"What it does."`
	Resource string `lua:"resource" doc:"Whose it is."`
}

func (rt *Runtime) declareCommands(r *bind.Registry) {
	r.Module("mp", "").Add(
		bind.Func("command", "Declares a command. A wrong call never reaches the function: the player is told what was expected.", rt.newCommand,
			bind.Returns("The command; :remove() ends it."),
			bind.Example(`mp.command("pay", { "to:player", "amount:integer(1..100000)", "note:text?", help = "Pay somebody" },
  function(player, args) player:message("You paid " .. args.to.name) end)`)),
		bind.Func("commands", "Lists all commands.", func(*bind.Call, bind.None) ([]CommandInfo, error) {
			list := make([]CommandInfo, 0, len(rt.commands))
			for name, h := range rt.commands {
				if name == h.name {
					list = append(list, CommandInfo{h.name, strings.TrimPrefix(h.args.usage(h.name), "Usage: "), h.help, h.inst.name()})
				}
			}
			sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
			return list, nil
		}),
	)
	bind.NewHandle(r, bind.HandleSpec[*commandHandle]{
		Name: "Command", Type: "command", Doc: "A command of a resource.", Gone: "this command was removed", NoType: true,
		Valid:  func(h *commandHandle) bool { return !h.removed },
		String: func(h *commandHandle) string { return "/" + h.name },
	}).Add(
		bind.Prop("name", "Without its slash.", func(h *commandHandle) string { return h.name }, nil),
		bind.Method("remove", "Removes it.", func(_ *bind.Call, h *commandHandle, _ bind.None) (bind.None, error) {
			for name, other := range rt.commands {
				if other == h {
					delete(rt.commands, name)
				}
			}
			h.removed = true
			h.inst.commands--
			h.inst.env.Drop(h)
			return bind.None{}, nil
		}),
	)
}

// playerStates are the words of states; the default is that one plays.
var playerStates = []string{"pre_spawn", "alive", "wasted"}

func (rt *Runtime) newCommand(c *bind.Call, a newCommandArgs) (*commandHandle, error) {
	in := instanceOf(c)
	h := &commandHandle{inst: in, name: strings.ToLower(a.Name), fn: a.Callback, states: []string{"alive"},
		running: make(map[*world.Player]int), lastCalls: make(map[*world.Player]time.Duration)}
	h.file, h.line = c.Where()
	if !validName(h.name) {
		return nil, fmt.Errorf("%q: a command's name is 1 to 31 of a-z, 0-9 and _", a.Name)
	}
	plain, err := a.Arguments.Plain()
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	table, ok := plain.(*bind.Table)
	if !ok {
		return nil, fmt.Errorf("argument 2 \"arguments\": a table such as { \"amount:integer(1..9)\", help = \"...\" } expected")
	}
	if err := h.read(table); err != nil {
		return nil, err
	}
	if in.commands >= maxCommands {
		return nil, fmt.Errorf("a resource has at most %d commands", maxCommands)
	}
	for _, name := range append([]string{h.name}, h.aliases...) {
		if other := rt.commands[name]; other != nil {
			return nil, fmt.Errorf("%q is defined by %s (%s:%d)", name, other.inst.name(), other.file, other.line)
		}
	}
	for _, name := range append([]string{h.name}, h.aliases...) {
		rt.commands[name] = h
	}
	in.commands++
	return h, nil
}

// read takes the second argument of mp.command apart.
func (h *commandHandle) read(t *bind.Table) error {
	var list []string
	for i, v := range t.List {
		s, ok := v.(string)
		if !ok {
			return fmt.Errorf("arguments[%d]: a string \"name:type\" expected", i+1)
		}
		list = append(list, s)
	}
	var err error
	if h.args, err = parseSignature(list); err != nil {
		return err
	}
	keys := map[string]func(v any) bool{
		"help":       func(v any) (ok bool) { h.help, ok = v.(string); return ok && len(h.help) <= 128 },
		"permission": func(v any) (ok bool) { h.needs, ok = v.(string); return ok && validPermission(h.needs) },
		"cooldown":   func(v any) bool { n, ok := v.(float64); h.cooldown = ms(n); return ok && n >= 0 && n <= longest },
		"console":    func(v any) (ok bool) { h.console, ok = v.(bool); return ok },
		"hidden":     func(v any) (ok bool) { h.hidden, ok = v.(bool); return ok },
		"overlap":    func(v any) (ok bool) { h.overlap, ok = v.(bool); return ok },
		"aliases":    func(v any) (ok bool) { h.aliases, ok = words(v, validName); return ok },
		"states": func(v any) (ok bool) {
			h.states, ok = words(v, func(s string) bool { return slices.Contains(playerStates, s) })
			return ok
		},
	}
	wants := map[string]string{"help": "a text of up to 128 bytes", "permission": "a name of 1 to 31 of a-z, 0-9, _, . and -", "cooldown": "a time in ms, up to 30 days",
		"console": "true or false", "hidden": "true or false", "overlap": "true or false",
		"aliases": "a list of names", "states": "a list of \"pre_spawn\", \"alive\" and \"wasted\""}
	for _, p := range t.Pairs {
		name, _ := p.Key.(string)
		take, ok := keys[name]
		if !ok {
			known := make([]string, 0, len(keys))
			for key := range keys {
				known = append(known, key)
			}
			sort.Strings(known)
			if near, ok := nearest.Name(name, known); ok {
				return fmt.Errorf("key %q is unknown; did you mean %q?", fmt.Sprint(p.Key), near)
			}
			return fmt.Errorf("key %q is unknown; the keys are %s", fmt.Sprint(p.Key), strings.Join(known, ", "))
		}
		if !take(p.Value) {
			return fmt.Errorf("key %q: %s expected", name, wants[name])
		}
	}
	return nil
}

func words(v any, valid func(string) bool) ([]string, bool) {
	t, ok := v.(*bind.Table)
	if !ok || len(t.Pairs) > 0 {
		return nil, false
	}
	var list []string
	for _, item := range t.List {
		s, ok := item.(string)
		if !ok || !valid(s) {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

// usable says whether a player may use the command at all: an unknown and a forbidden one look the same.
func (rt *Runtime) usable(h *commandHandle, p *world.Player) bool {
	if h.needs == "" || p == nil {
		return true
	}
	tx := rt.begin()
	defer tx.End()
	return tx.HasPermission(p, h.needs)
}

// runCommand runs what a player typed (page Chat, HUD and dialogs, Commands).
func (rt *Runtime) runCommand(p *world.Player, text string) {
	name, raw, _ := strings.Cut(strings.TrimSpace(text), " ")
	name, raw = strings.ToLower(name), strings.TrimSpace(raw)
	h := rt.commands[name]
	if h == nil && name == "help" {
		rt.help(p, raw)
		return
	}
	if h == nil || !rt.usable(h, p) {
		if cancelled, _ := rt.fire("player_unknown_command", rt.events.unknownCommand.Args(commandArgs{p, name, raw}), true); !cancelled {
			rt.tell(p, rt.unknownCommand(p, name))
		}
		return
	}
	if cancelled, _ := rt.fire("player_command", rt.events.playerCommand.Args(commandArgs{p, name, raw}), true); cancelled {
		return
	}
	if refusal := rt.refuse(h, p); refusal != "" {
		rt.tell(p, refusal)
		return
	}
	args, err := h.args.parse(raw, playerFinder{rt, p})
	if err != nil {
		rt.tell(p, err.Error()+"\n"+h.args.usage(h.name))
		return
	}
	h.lastCalls[p] = rt.cfg.Now()
	rt.invoke(h, p, args, raw)
}

func (rt *Runtime) invoke(h *commandHandle, p *world.Player, args *bind.Table, raw string) {
	h.running[p]++
	report := rt.reporter(h.inst)
	h.fn.Call(bind.Run{Event: "command /" + h.name, Done: func(res bind.Results, err error) {
		if h.running[p]--; h.running[p] <= 0 {
			delete(h.running, p)
		}
		report(res, err)
	}}, playerValue(p), args, raw)
}

// playerValue is nil for the console.
func playerValue(p *world.Player) any {
	if p == nil {
		return nil
	}
	return p
}

// refuse says why a player cannot use a command now; "" if he can.
func (rt *Runtime) refuse(h *commandHandle, p *world.Player) string {
	tx := rt.begin()
	state := tx.State(p).String()
	tx.End()
	if !slices.Contains(h.states, state) {
		return fmt.Sprintf("You cannot use /%s now.", h.name)
	}
	if !h.overlap && h.running[p] > 0 {
		return fmt.Sprintf("Your last /%s is not over yet.", h.name)
	}
	if last, ok := h.lastCalls[p]; ok && rt.cfg.Now()-last < h.cooldown {
		return fmt.Sprintf("Wait %d s before the next /%s.", seconds(h.cooldown-(rt.cfg.Now()-last)), h.name)
	}
	return ""
}

func (rt *Runtime) unknownCommand(p *world.Player, name string) string {
	text := "Unknown command /" + name + "."
	var names []string
	for other, h := range rt.commands {
		if rt.usable(h, p) && !h.hidden {
			names = append(names, other)
		}
	}
	sort.Strings(names)
	if near, ok := nearest.Name(name, append(names, "help")); ok {
		return text + " Did you mean /" + near + "?"
	}
	return text + " /help lists them."
}

// help is /help [command], unless a resource has its own.
func (rt *Runtime) help(p *world.Player, about string) {
	about = strings.ToLower(strings.TrimPrefix(about, "/"))
	if h := rt.commands[about]; about != "" {
		if h == nil || !rt.usable(h, p) {
			rt.tell(p, rt.unknownCommand(p, about))
			return
		}
		text := h.args.usage(h.name)
		if h.help != "" {
			text = h.help + "\n" + text
		}
		rt.inform(p, text)
		return
	}
	var lines []string
	for name, h := range rt.commands {
		if name == h.name && !h.hidden && rt.usable(h, p) {
			lines = append(lines, "/"+name)
		}
	}
	sort.Strings(lines)
	text := "There are no commands yet."
	if len(lines) > 0 {
		text = "Commands: " + strings.Join(lines, " ")
	}
	rt.inform(p, clip(text, 900)+"\n/help COMMAND explains one.")
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

// ConsoleCommand runs a command of a resource that has one for the console; known is false where none has.
func (rt *Runtime) ConsoleCommand(text string) (known bool, reply string) {
	name, raw, _ := strings.Cut(strings.TrimSpace(text), " ")
	h := rt.commands[strings.ToLower(name)]
	switch {
	case h == nil:
		return false, ""
	case !h.console:
		return true, fmt.Sprintf("/%s is for players: its declaration has no console = true.", h.name)
	}
	args, err := h.args.parse(strings.TrimSpace(raw), playerFinder{rt, nil})
	if err != nil {
		return true, err.Error() + "\n" + h.args.usage(h.name)
	}
	rt.invoke(h, nil, args, strings.TrimSpace(raw))
	return true, ""
}
