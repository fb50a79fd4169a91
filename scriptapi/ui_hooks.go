package scriptapi

import (
	"fmt"
	"slices"

	"darqline/resources/nearest"
	"darqline/scriptapi/bind"
)

// hooks are the handlers of one thing's events, such as a menu's.
type hooks struct {
	inst *instance
	list []*hook
}

// hook is one of them: what its method on returns.
type hook struct {
	of    *hooks
	event string
	fn    bind.Function
	ended bool
}

type hookArgs struct {
	Event   string        `lua:"event" range:"1..31" doc:"Which event of it."`
	Handler bind.Function `lua:"handler" doc:"What runs at each."`
}

func declareHooks(r *bind.Registry) {
	bind.NewHandle(r, bind.HandleSpec[*hook]{
		Name: "Hook", Type: "hook", Doc: "A handler of a menu's or an action's event.", NoType: true,
		Gone: "this handler has ended", Valid: func(k *hook) bool { return !k.ended },
	}).Add(
		bind.Method("off", "Ends it: the function is not called any more.", func(_ *bind.Call, k *hook, _ bind.None) (bind.None, error) {
			k.of.list = slices.DeleteFunc(slices.Clone(k.of.list), func(o *hook) bool { return o == k })
			k.end()
			return bind.None{}, nil
		}),
	)
}

// on adds a handler of one of the events that there are.
func (h *hooks) on(a hookArgs, events ...string) (*hook, error) {
	if !slices.Contains(events, a.Event) {
		if near, ok := nearest.Name(a.Event, events); ok {
			return nil, fmt.Errorf("no event is called %q; did you mean %q?", a.Event, near)
		}
		return nil, fmt.Errorf("no event is called %q; there are %s", a.Event, quotedWords(events))
	}
	if err := h.inst.listen(); err != nil {
		return nil, err
	}
	k := &hook{of: h, event: a.Event, fn: a.Handler}
	h.list = append(h.list, k)
	return k, nil
}

// fire runs the handlers of an event; refused says whether one of them returned false before its first wait.
func (h *hooks) fire(rt *Runtime, event, name string, args ...any) (refused bool) {
	if h.inst.stopping {
		return false
	}
	for _, k := range h.list {
		if k.event != event || k.ended {
			continue
		}
		res, finished, err := k.fn.Call(bind.Run{Event: name + " " + event, Done: rt.reporter(h.inst)}, args...)
		refused = refused || finished && err == nil && res.False()
	}
	return refused
}

// end ends all, when the thing is over.
func (h *hooks) end() {
	for _, k := range h.list {
		k.end()
	}
	h.list = nil
}

func (k *hook) end() {
	if !k.ended {
		k.ended = true
		k.of.inst.handlers--
		k.of.inst.env.Drop(k)
	}
}

// quotedWords lists words for an error.
func quotedWords(words []string) string {
	text := ""
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			text += " and "
		default:
			text += ", "
		}
		text += fmt.Sprintf("%q", w)
	}
	return text
}
