package scriptapi

import (
	"fmt"
	"slices"
	"strings"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// usable says whether a player may use the command at all: an unknown and a forbidden one look the same.
func (rt *Runtime) usable(h *commandHandle, p *world.Player) bool {
	if h.needs == "" || p == nil {
		return true
	}
	tx := rt.begin()
	defer tx.End()
	return tx.HasPermission(p, h.needs)
}

// maxRunDepth is how deep commands may run each other.
const maxRunDepth = 16

// runAs is player:run.
func (rt *Runtime) runAs(p *world.Player, text string) error {
	text = strings.TrimPrefix(text, "/")
	if err := protocol.PlainText(text, 512); err != nil {
		return fmt.Errorf("argument 1 \"text\": %w", err)
	}
	if rt.runDepth == maxRunDepth {
		return fmt.Errorf("commands run each other %d deep: one of them runs itself", maxRunDepth)
	}
	rt.runDepth++
	defer func() { rt.runDepth-- }()
	rt.runCommand(p, text)
	return nil
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
	if len(rt.handlers["player_command"]) > 0 {
		cancelled, _ := rt.fire("player_command", rt.events.playerCommand.Args(commandArgs{p, h.name, raw}), true)
		if cancelled || h.removed {
			return
		}
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
	if h.cooldown > 0 {
		h.lastCalls[p] = rt.cfg.Now()
	}
	rt.invoke(h, p, args, raw)
}

func (rt *Runtime) invoke(h *commandHandle, p *world.Player, args *bind.Table, raw string) {
	h.running[p]++
	report := rt.reporter(h.inst)
	h.fn.Call(bind.Run{Event: h.event, Done: func(res bind.Results, err error) {
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
