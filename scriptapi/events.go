package scriptapi

import (
	"fmt"
	"slices"
	"strings"

	"darqline/host/bans"
	"darqline/host/world"
	"darqline/resources/nearest"
	"darqline/scriptapi/bind"
)

// maxSubscriptions is how many handlers a resource may have; maxEmitDepth how deep mp.emit may call itself.
const (
	maxSubscriptions = 10_000
	maxEmitDepth     = 16
)

// events are the declarations of every event that mp.on takes.
type events struct {
	playerConnect  *bind.Event[connectArgs]
	playerJoin     *bind.Event[playerArgs]
	playerLeave    *bind.Event[leaveArgs]
	playerChat     *bind.Event[chatArgs]
	playerCommand  *bind.Event[commandArgs]
	unknownCommand *bind.Event[commandArgs]
	resourceStart  *bind.Event[resourceArgs]
	resourceStop   *bind.Event[resourceStopArgs]
	signIn         *signInEvents
	player         *playerEvents
	combat         *combatEvents
	bans           *banEvents
	addressChange  *bind.Event[addressChangeArgs]
	dialogClose    *bind.Event[dialogCloseArgs]
	killFeed       *bind.Event[killFeedArgs]
	colshape       *colshapeEvents
	playerAction   *bind.Event[actionInputArgs]
	names          []string
}

type connectArgs struct {
	Attempt Attempt `lua:"attempt" doc:"Who wants to join."`
}

type playerArgs struct {
	Player *world.Player `lua:"player" doc:"Who it is about."`
}

type leaveArgs struct {
	Player *world.Player `lua:"player" doc:"Who has left; the handle is valid until the handlers end."`
	Reason string        `lua:"reason" doc:"A word such as quit, timeout, kicked."`
	Text   string        `lua:"text" doc:"What whoever ended it said; may be empty."`
	Joined bool          `lua:"joined" doc:"Whether the player had joined; false: he never came past his sign-in."`
}

type commandArgs struct {
	Player *world.Player `lua:"player" doc:"Who typed it."`
	Name   string        `lua:"name" doc:"The command, without its slash."`
	Raw    string        `lua:"raw" doc:"What follows the name, as it was typed."`
}

type resourceArgs struct {
	Resource resourceRef `lua:"resource" doc:"The resource that runs."`
}

type resourceStopArgs struct {
	Resource resourceRef `lua:"resource" doc:"The resource that stops."`
	Reason   string      `lua:"reason" doc:"stop or reload."`
}

func declareEvents(r *bind.Registry) *events {
	e := &events{
		playerConnect: bind.NewEvent[connectArgs](r, "player_connect",
			"Somebody wants to join. Return false and a text to refuse; do so before the first wait.", true),
		playerJoin:  bind.NewEvent[playerArgs](r, "player_join", "A player has joined.", false),
		playerLeave: bind.NewEvent[leaveArgs](r, "player_leave", "A player has left; exactly once for each who joined, or began to sign in.", false),
		playerChat: bind.NewEvent[chatArgs](r, "player_chat",
			"A player wrote a line. The handler may change the message; false keeps it from everyone.", true),
		playerCommand: bind.NewEvent[commandArgs](r, "player_command",
			"A player typed a command that exists and is permitted to him, before its arguments are read; false keeps it from running.", true),
		unknownCommand: bind.NewEvent[commandArgs](r, "player_unknown_command",
			"A player typed a command that nobody has, or that is not permitted to him; false keeps the reply from him.", true),
		resourceStart: bind.NewEvent[resourceArgs](r, "resource_start", "A resource runs; the resource itself hears it first.", false),
		resourceStop: bind.NewEvent[resourceStopArgs](r, "resource_stop",
			"A resource stops or reloads; it hears it first itself, and cannot wait in it.", false),
	}
	e.signIn = declareSignInEvents(r)
	e.player, e.combat = declarePlayerEvents(r), declareCombatEvents(r)
	e.bans, e.addressChange = declareBanEvents(r), declareAddressEvent(r)
	e.dialogClose = declareDialogEvents(r)
	e.killFeed = declareFeedEvent(r)
	e.colshape = declareColshapeEvents(r)
	e.playerAction = declareActionEvents(r)
	e.names = r.EventNames()
	return e
}

// subscription is a handler of an event: what mp.on returns.
type subscription struct {
	inst  *instance
	event string
	fn    bind.Function
	run   bind.Run // how it is called
	ended bool
}

type onArgs struct {
	Event   string        `lua:"event" range:"1..63" doc:"The event's name; one of mp.emit has a colon: \"bank:paid\"."`
	Handler bind.Function `lua:"handler" doc:"What runs at each event."`
}

type emitArgs struct {
	Name string `lua:"name" range:"3..63" doc:"The resource's own name, a colon and a word: \"bank:paid\"."`
	Args []any  `lua:"args,rest" doc:"Plain values, values and handles; they are copied."`
}

func (rt *Runtime) declareEventFunctions(r *bind.Registry) {
	r.Module("mp", "").Add(
		bind.Func("on", "Runs a function at each event of a name.", rt.on,
			bind.Returns("The subscription; :off() ends it."),
			bind.Example(`mp.on("player_join", function(player) player:message("Welcome") end)`)),
		bind.Func("emit", "Calls every handler of an event of the resource's own, in all resources, in the order of subscription.", rt.emit,
			bind.Returns("False if a handler returned false, else true."),
			bind.Example(`mp.emit(mp.resource.name .. ":paid", 100)`)),
	)
	bind.NewHandle(r, bind.HandleSpec[*subscription]{
		Name: "Subscription", Type: "subscription", Doc: "A handler of an event.", Gone: "this subscription has ended", NoType: true,
		Valid:  func(s *subscription) bool { return !s.ended },
		String: func(s *subscription) string { return s.event },
	}).Add(
		bind.Method("off", "Ends it: the handler is not called any more.", func(c *bind.Call, s *subscription, _ bind.None) (bind.None, error) {
			rt.unsubscribe(s)
			return bind.None{}, nil
		}),
	)
}

func (rt *Runtime) on(c *bind.Call, a onArgs) (*subscription, error) {
	if !strings.Contains(a.Event, ":") && !slices.Contains(rt.events.names, a.Event) {
		if name, ok := nearest.Name(a.Event, rt.events.names); ok {
			return nil, fmt.Errorf("no event is called %q; did you mean %q?", a.Event, name)
		}
		return nil, fmt.Errorf("no event is called %q", a.Event)
	}
	in := instanceOf(c)
	if err := in.listen(); err != nil {
		return nil, err
	}
	s := &subscription{inst: in, event: a.Event, fn: a.Handler, run: bind.Run{Event: "event " + a.Event, Done: rt.reporter(in)}}
	rt.setHandlers(a.Event, append(rt.handlers[a.Event], s))
	return s, nil
}

// setHandlers changes who hears an event.
func (rt *Runtime) setHandlers(event string, list []*subscription) {
	if len(list) == 0 {
		delete(rt.handlers, event)
	} else {
		rt.handlers[event] = list
	}
	if heard := rt.heard[event]; heard != nil {
		heard.Store(len(list) > 0)
	}
}

// Listens says whether a script hears an event, so that frames and shots that nobody asks about never come to Lua. It may be
// called at any time, from any goroutine. What is no event of mp.on, such as a view's, is always heard.
func (rt *Runtime) Listens(event string) bool {
	heard := rt.heard[event]
	return heard == nil || heard.Load()
}

// listen counts one more handler of the resource, of whatever it listens to.
func (in *instance) listen() error {
	if in.handlers >= maxSubscriptions {
		return fmt.Errorf("a resource has at most %d handlers: end those that are not needed with :off()", maxSubscriptions)
	}
	in.handlers++
	return nil
}

func (rt *Runtime) unsubscribe(s *subscription) {
	s.ended = true
	s.inst.handlers--
	rt.setHandlers(s.event, slices.DeleteFunc(slices.Clone(rt.handlers[s.event]), func(o *subscription) bool { return o == s }))
	s.inst.env.Drop(s)
}

func (rt *Runtime) emit(c *bind.Call, a emitArgs) (bool, error) {
	own := instanceOf(c).name()
	owner, what, ok := strings.Cut(a.Name, ":")
	if !ok || owner != own || what == "" {
		return false, fmt.Errorf("%q: a resource emits under its own name, such as %q", a.Name, own+":paid")
	}
	if rt.emitting >= maxEmitDepth {
		return false, fmt.Errorf("%q is emitted %d deep: a handler of it emits it again", a.Name, maxEmitDepth)
	}
	rt.emitting++
	defer func() { rt.emitting-- }()
	cancelled, _ := rt.fire(a.Name, a.Args, true)
	return !cancelled, nil
}

// fire runs the handlers of an event in the order of subscription. After one that cancels the others are not called;
// second is what it returned behind its false.
func (rt *Runtime) fire(event string, args []any, cancellable bool) (cancelled bool, second any) {
	for _, s := range rt.handlers[event] {
		if s.ended {
			continue
		}
		res, finished, err := s.fn.Call(s.run, args...)
		if cancellable && finished && err == nil && res.False() {
			second, _ = res.Raw(1).Plain()
			return true, second
		}
	}
	return false, nil
}

// fireIn runs one resource's handlers of an event.
func (rt *Runtime) fireIn(in *instance, event string, args []any, noWait string) {
	for _, s := range rt.handlers[event] {
		if s.inst == in && !s.ended {
			run := s.run
			run.NoWait = noWait
			s.fn.Call(run, args...)
		}
	}
}

// Attempt is what player_connect gets: the player has no handle yet.
type Attempt struct {
	Name      string `lua:"name" doc:"The wished name."`
	Address   string `lua:"address" doc:"IP address and port."`
	Serial    string `lua:"serial" doc:"What the client says of its installation: 64 hex digits or empty."`
	Locale    string `lua:"locale" doc:"Such as en or pt-br; may be empty."`
	Reconnect bool   `lua:"reconnect" doc:"Whether an older connection of the player is replaced."`
}

// PlayerConnect asks the scripts whether somebody may join. A handler that fails lets him in, unless failClosed.
func (rt *Runtime) PlayerConnect(a Attempt, failClosed bool) (refused bool, text string) {
	args := rt.events.playerConnect.Args(connectArgs{a})
	return rt.keepOut(rt.events.playerConnect.Name(), failClosed, func(*instance) []any { return args })
}

// keepOut runs the handlers of an event that may keep somebody out, until one does: it returns false and a text, or it fails and
// that refuses.
func (rt *Runtime) keepOut(event string, failClosed bool, args func(in *instance) []any) (refused bool, text string) {
	for _, s := range rt.handlers[event] {
		if s.ended {
			continue
		}
		res, finished, err := s.fn.Call(s.run, args(s.inst)...)
		switch {
		case err != nil && failClosed:
			return true, "The server cannot let you in now."
		case finished && err == nil && res.False():
			second, _ := res.Raw(1).Plain()
			text, _ := second.(string)
			return true, text
		}
	}
	return false, ""
}

// Dispatch runs the handlers of an event of the world; cancelled says whether one of them returned false.
func (rt *Runtime) Dispatch(e world.Event) (cancelled bool) {
	switch e := e.(type) {
	case world.PlayerSignIn, world.PlayerSignInFailed:
		rt.dispatchSignIn(e)
	case world.PlayerJoin:
		rt.endSignIn(e.Player)
		rt.fire(e.LuaName(), rt.events.playerJoin.Args(playerArgs{e.Player}), false)
	case world.PlayerLeave:
		rt.endSignIn(e.Player)
		rt.fire(e.LuaName(), rt.events.playerLeave.Args(leaveArgs{e.Player, e.Reason.String(), e.Text, e.Joined}), false)
		rt.endsOfLeave(e.Player)
	case world.PlayerChat:
		return rt.dispatchChat(e)
	case world.PlayerCommand:
		rt.runCommand(e.Player, e.Text)
	case world.ViewEvent:
		rt.dispatchView(e)
	case world.ColshapeEvent:
		rt.dispatchColshape(e)
	case world.ColshapeGone:
		rt.drop(e.Colshape)
	case world.DialogAnswered:
		rt.judgeDialog(e.Dialog)
	case world.DialogDone:
		rt.dialogDone(e.Dialog)
	case world.MenuSelected:
		rt.menuSelected(e.Item, e.Revision)
	case world.MenuChanged:
		rt.menuChanged(e.Item)
	case world.MenuHighlighted:
		rt.menuHighlighted(e.Item)
	case world.MenuDone:
		rt.menuDone(e.Menu)
	case world.OfferDone:
		rt.offerDone(e.Offer)
	case world.ActionInput:
		rt.actionInput(e)
	case world.ActionHeld:
		rt.actionHeld(e)
	case world.ActionGone:
		rt.actionGone(e)
	case world.ElementDone:
		rt.elementDone(e.Element)
	case world.PlayerAddressChange:
		rt.dispatchAddress(e)
	case bans.Added, bans.Removed:
		rt.dispatchBan(e)
	case world.KillFeed:
		return rt.dispatchKill(e)
	default:
		if len(rt.handlers[e.LuaName()]) > 0 {
			cancelled = rt.dispatchPlayer(e) || rt.dispatchCombat(e)
		}
	}
	if e, ok := e.(world.FireEnd); ok {
		e.Fire.Forget()
		rt.drop(e.Fire)
	}
	return cancelled
}

// Forget drops what the states hold of a player whose player_leave is over.
func (rt *Runtime) Forget(p *world.Player) {
	for _, thing := range []any{p, skillsOf{p}, statsOf{p}, platformKeys{p: p}, hudOf{p}, listEntryOf{p}, nametagOf{p}} {
		rt.drop(thing)
	}
	rt.forgetActions(p)
	for _, c := range rt.commands {
		c.forget(p)
	}
}
