package scriptapi

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"darqline/host/world"
	"darqline/resources/nearest"
	"darqline/scriptapi/bind"
)

// maxCommands is how many commands a resource may have.
const maxCommands = 500

// commandHandle is a command of a resource: what mp.command returns.
type commandHandle struct {
	inst      *instance
	name      string
	event     string // for errors
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
	Name       string   `lua:"name" doc:"Without its slash."`
	Aliases    []string `lua:"aliases" doc:"Its other names."`
	Usage      string   `lua:"usage" doc:"How it is called."`
	Help       string   `lua:"help" doc:"What it does."`
	Permission *string  `lua:"permission" doc:"What a player must have for it; nil: nothing."`
	Hidden     bool     `lua:"hidden" doc:"Whether /help leaves it out."`
	Console    bool     `lua:"console" doc:"Whether the console has it."`
	Resource   string   `lua:"resource" doc:"Whose it is."`
}

func (h *commandHandle) info() CommandInfo {
	i := CommandInfo{Name: h.name, Aliases: h.aliases, Usage: strings.TrimPrefix(h.args.usage(h.name), "Usage: "), Help: h.help,
		Hidden: h.hidden, Console: h.console, Resource: h.inst.name()}
	if h.needs != "" {
		i.Permission = &h.needs
	}
	return i
}

func (rt *Runtime) declareCommands(r *bind.Registry) {
	r.Module("mp", "").Add(
		bind.Func("command", "Declares a command. A wrong call never reaches the function: the player is told what was expected.", rt.newCommand,
			bind.Returns("The command; :remove() ends it."),
			bind.Example(`mp.command("pay", { "to:player", "amount:integer(1..100000)", "note:text?", help = "Pay somebody" },
  function(player, args) player:message("You paid " .. args.to.name) end)`)),
		bind.Func("commands", "Lists the commands of all resources, by name.", func(*bind.Call, bind.None) ([]CommandInfo, error) {
			list := make([]CommandInfo, 0, len(rt.commands))
			for name, h := range rt.commands {
				if name == h.name {
					list = append(list, h.info())
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
			rt.removeCommand(h)
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
	h.event = "command /" + h.name
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
	names := append([]string{h.name}, h.aliases...)
	for i, name := range names {
		if other := rt.commands[name]; other != nil {
			return nil, fmt.Errorf("%q is defined by %s (%s:%d)", name, other.inst.name(), other.file, other.line)
		}
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("key \"aliases\": %q is the command's name already", name)
		}
	}
	for _, name := range names {
		rt.commands[name] = h
	}
	in.commands++
	return h, nil
}

func (rt *Runtime) removeCommand(h *commandHandle) {
	maps.DeleteFunc(rt.commands, func(_ string, other *commandHandle) bool { return other == h })
	h.removed = true
	h.inst.commands--
	h.inst.env.Drop(h)
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
