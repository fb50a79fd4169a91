package scriptapi

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/resources/nearest"
	"darqline/scriptapi/bind"
	"darqline/scriptapi/sandbox/luajson"
)

// maxDefinitions is how many views a resource may declare.
const maxDefinitions = 256

// fieldTypes are the types of an action's fields.
var fieldTypes = []string{"boolean", "integer", "number", "string"}

// viewDefinition is a view that a resource may open: what mp.views.define returns.
type viewDefinition struct {
	inst     *instance
	def      world.ViewDefinition
	handlers map[string][]*viewSubscription
}

// viewSubscription is a handler of a view definition.
type viewSubscription struct {
	definition *viewDefinition
	event      string
	fn         bind.Function
	ended      bool
}

type defineArgs struct {
	Name    string                       `lua:"name" range:"1..31" doc:"The view's name, for logs."`
	Entry   string                       `lua:"entry" range:"1..95" doc:"An .html file of [client].files."`
	Input   protocol.ViewInput           `lua:"input" enum:"none|all|cursor" default:"all" doc:"none: display only; all: mouse and keyboard; cursor: the mouse over the page's rectangles."`
	Actions map[string]map[string]string `lua:"actions,optional" doc:"The allowlist: action to fields, a field being a type such as \"integer(1..99)\" or \"string(1..32)?\"."`
}

type viewOnArgs struct {
	Event   string        `lua:"event" range:"1..31" doc:"loaded, failed, closed, or an action."`
	Handler bind.Function `lua:"handler" doc:"fn(view), fn(view, reason) or fn(view, fields)."`
}

type openArgs struct {
	Player *world.Player       `lua:"player" early:"true" doc:"Who sees it."`
	Data   map[string]bind.Raw `lua:"data,optional" doc:"The first snapshots: topic to value."`
}

type viewSetArgs struct {
	Topic   string     `lua:"topic" range:"1..31" doc:"[a-z0-9_]."`
	Value   bind.Raw   `lua:"value" doc:"Becomes JSON of up to 16 KiB."`
	Options setOptions `lua:"options,optional" doc:"raise: actions on older data are dropped."`
}

type setOptions struct {
	Raise bool `lua:"raise" default:"false" doc:"Raises the view's revision."`
}

func (rt *Runtime) declareViews(r *bind.Registry) {
	r.Module("mp.views", "Pages of a resource on a player's screen.").Add(
		bind.Func("define", "Declares a view: its page, its input, and the actions that the page may send.", rt.defineView, bind.Keyed(),
			bind.Returns("The definition: open it for players, listen to it with :on."),
			bind.Example(`local shop = mp.views.define{ name = "shop", entry = "shop.html", actions = { buy = { item = "string(1..32)" } } }
shop:on("buy", function(view, fields) view:set("bought", fields.item) end)`)),
	)
	bind.NewHandle(r, bind.HandleSpec[*viewDefinition]{
		Name: "ViewDefinition", Type: "definition", Doc: "A view that a resource may open.", NoType: true,
		Gone: "its resource has stopped", String: func(d *viewDefinition) string { return d.def.Name },
	}).Add(
		bind.Prop("name", "Its name.", func(d *viewDefinition) string { return d.def.Name }, nil),
		bind.Method("on", "Runs a function when a view of this definition has loaded, failed or closed, and at each accepted action.", rt.viewOn,
			bind.Returns("The subscription; :off() ends it.")),
		bind.Method("open", "Opens it for a player, in place of the view that he has open.", rt.openView,
			bind.Returns("The view."), bind.Example(`local view = shop:open(player, { wallet = { money = 100 } })`)),
	)
	bind.NewHandle(r, bind.HandleSpec[*viewSubscription]{
		Name: "ViewSubscription", Type: "subscription", Doc: "A handler of a view definition.", NoType: true,
		Gone: "this subscription has ended", Valid: func(s *viewSubscription) bool { return !s.ended },
	}).Add(
		bind.Method("off", "Ends it.", func(_ *bind.Call, s *viewSubscription, _ bind.None) (bind.None, error) {
			s.ended = true
			d := s.definition
			d.inst.handlers--
			d.handlers[s.event] = slices.DeleteFunc(slices.Clone(d.handlers[s.event]), func(o *viewSubscription) bool { return o == s })
			d.inst.env.Drop(s)
			return bind.None{}, nil
		}),
	)
	bind.NewHandle(r, bind.HandleSpec[*world.View]{
		Name: "View", Type: "view", Doc: "A page that is open for one player. It is gone when its handlers of closed or failed are through.",
		Gone: "this view is closed", NoType: true,
	}).Add(
		bind.Prop("id", "Its number; never repeats.", func(v *world.View) int { return int(v.ID) }, nil),
		bind.Prop("player", "Who sees it.", func(v *world.View) *world.Player { return v.Player }, nil),
		bind.Prop("status", "opening, loaded, failed or closed.", func(v *world.View) string {
			tx := rt.begin()
			defer tx.End()
			return tx.ViewState(v).String()
		}, nil),
		bind.Prop("revision", "How often a snapshot has raised it.", func(v *world.View) int {
			tx := rt.begin()
			defer tx.End()
			return int(tx.ViewRevision(v))
		}, nil),
		bind.Method("set", "Sends the newest snapshot of a topic. A slow client never makes it fail: it gets the newest one.",
			func(c *bind.Call, v *world.View, a viewSetArgs) (bind.None, error) {
				return bind.None{}, rt.setView(c, v, a.Topic, a.Value, a.Options.Raise)
			}, bind.Example(`view:set("catalog", { { name = "Camera", price = 180 } }, { raise = true })`)),
		bind.Method("close", "Closes it.", func(_ *bind.Call, v *world.View, _ bind.None) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { tx.CloseView(v, world.CloseScript); return nil })
		}),
	)
}

func (rt *Runtime) defineView(c *bind.Call, a defineArgs) (*viewDefinition, error) {
	in := instanceOf(c)
	if in.definitions[a.Name] != nil {
		return nil, fmt.Errorf("a view %q is defined already", a.Name)
	}
	if len(in.definitions) >= maxDefinitions {
		return nil, fmt.Errorf("a resource has at most %d views; one can be opened for any number of players", maxDefinitions)
	}
	d := &viewDefinition{inst: in, handlers: make(map[string][]*viewSubscription)}
	d.def = world.ViewDefinition{Resource: in.name(), Generation: in.gen.Number, Name: a.Name, Entry: a.Entry,
		Input: a.Input, Actions: make(map[string][]world.Field), Owner: d}
	var pages []string
	for _, f := range in.gen.Bundle.ClientFiles {
		if strings.HasSuffix(f.Path, ".html") {
			pages = append(pages, f.Path)
		}
	}
	if !slices.Contains(pages, a.Entry) {
		err := fmt.Errorf("key \"entry\": %q is no .html file of [client].files in resource.toml", a.Entry)
		if near, ok := nearest.Name(a.Entry, pages); ok {
			err = fmt.Errorf("%w; did you mean %q?", err, near)
		}
		return nil, err
	}
	for action, fields := range a.Actions {
		if err := protocol.ValidTopic(action); err != nil {
			return nil, fmt.Errorf("key \"actions.%s\": an action is 1 to 31 of a-z, 0-9 and _", action)
		}
		if len(fields) > protocol.MaxActionFields {
			return nil, fmt.Errorf("key \"actions.%s\": an action has at most %d fields, this one has %d", action, protocol.MaxActionFields, len(fields))
		}
		list := []world.Field{}
		for name, spec := range fields {
			if err := protocol.ValidTopic(name); err != nil {
				return nil, fmt.Errorf("key \"actions.%s.%s\": a field is 1 to 31 of a-z, 0-9 and _", action, name)
			}
			f, err := world.ParseField(name, spec, fieldTypes, false)
			if err != nil {
				return nil, fmt.Errorf("key \"actions.%s.%s\": %w", action, name, err)
			}
			list = append(list, f)
		}
		sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
		d.def.Actions[action] = list
	}
	in.definitions[a.Name] = d
	return d, nil
}

func (rt *Runtime) viewOn(c *bind.Call, d *viewDefinition, a viewOnArgs) (*viewSubscription, error) {
	known := []string{"loaded", "failed", "closed"}
	for action := range d.def.Actions {
		known = append(known, action)
	}
	if !slices.Contains(known, a.Event) {
		sort.Strings(known)
		err := fmt.Errorf("%q is neither an action of this view nor loaded, failed or closed", a.Event)
		if near, ok := nearest.Name(a.Event, known); ok {
			err = fmt.Errorf("%w; did you mean %q?", err, near)
		}
		return nil, err
	}
	if err := d.inst.listen(); err != nil {
		return nil, err
	}
	s := &viewSubscription{definition: d, event: a.Event, fn: a.Handler}
	d.handlers[a.Event] = append(d.handlers[a.Event], s)
	return s, nil
}

func (rt *Runtime) openView(c *bind.Call, d *viewDefinition, a openArgs) (*world.View, error) {
	snapshots := make(map[string][]byte, len(a.Data))
	topics := make([]string, 0, len(a.Data))
	for topic, value := range a.Data {
		text, err := d.inst.snapshot(topic, value)
		if err != nil {
			return nil, err
		}
		snapshots[topic] = text
		topics = append(topics, topic)
	}
	sort.Strings(topics)
	if d.inst.stopping {
		return nil, errors.New("the resource stops")
	}
	tx := rt.begin()
	defer tx.End()
	v, err := tx.OpenView(a.Player, &d.def)
	if err != nil {
		return nil, err
	}
	for _, topic := range topics {
		if err := tx.SetView(v, topic, snapshots[topic], false); err != nil {
			tx.CloseView(v, world.CloseScript)
			return nil, err
		}
	}
	return v, nil
}

func (rt *Runtime) setView(c *bind.Call, v *world.View, topic string, value bind.Raw, raise bool) error {
	text, err := instanceOf(c).snapshot(topic, value)
	if err != nil {
		return err
	}
	tx := rt.begin()
	defer tx.End()
	return tx.SetView(v, topic, text, raise)
}

// snapshot is a value as a view's JSON; its error names topic and path.
func (in *instance) snapshot(topic string, value bind.Raw) ([]byte, error) {
	if err := protocol.ValidTopic(topic); err != nil {
		return nil, err
	}
	text, err := luajson.Encode(value.V, luajson.Options{Limit: protocol.MaxSnapshot, Values: in.json, Userdata: bind.JSON, Spend: in.state.Budget().Spend})
	var fault *luajson.Error
	if errors.As(err, &fault) {
		return nil, fmt.Errorf("%q: %w", topic, fault)
	}
	return text, err // the budget's
}

// dispatchView runs the handlers of a view's event in the resource that opened it.
func (rt *Runtime) dispatchView(e world.ViewEvent) {
	d, ok := e.View.Definition.Owner.(*viewDefinition)
	if !ok || d.inst.stopping && e.Kind != world.ViewDidClose {
		return
	}
	noWait := ""
	if d.inst.stopping {
		noWait = "resource_stop"
	}
	args := []any{e.View}
	switch e.Kind {
	case world.ViewDidFail, world.ViewDidClose:
		args = append(args, e.Reason)
	case world.ViewDidAct:
		fields := &bind.Table{}
		for _, f := range e.Fields {
			fields.Pairs = append(fields.Pairs, bind.Pair{Key: f.Name, Value: fieldValue(f)})
		}
		args = append(args, fields)
	}
	if !d.inst.state.Closed() {
		for _, s := range d.handlers[e.LuaName()] {
			if !s.ended {
				s.fn.Call(bind.Run{Event: "view " + d.def.Name + " " + e.LuaName(), NoWait: noWait, Done: rt.reporter(d.inst)}, args...)
			}
		}
	}
	if e.Kind == world.ViewDidClose || e.Kind == world.ViewDidFail {
		d.inst.env.Drop(e.View)
	}
}

func fieldValue(f protocol.ViewField) any {
	switch f.Type {
	case protocol.FieldBoolean:
		return f.Bool
	case protocol.FieldNumber:
		return f.Number
	}
	return f.String
}
