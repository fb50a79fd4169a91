package scriptapi

import (
	"errors"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

type barArgs struct {
	For         *world.Player       `lua:"for_player,optional" made:"only" doc:"Only his, and it goes with him; else all share it, those who join later too."`
	Visible     bool                `lua:"visible" default:"true" doc:"Whether it shows; its place is kept."`
	Text        string              `lua:"text" range:"0..63" default:"" doc:"What is done."`
	Duration    float64             `lua:"duration" range:"0..3600000" default:"0" doc:"Of the whole, in ms, 200 or more. 0: it stands at value, or runs without end while that is 0."`
	Style       protocol.GaugeStyle `lua:"style" enum:"bar|ring" default:"bar" doc:"How it looks."`
	Running     bool                `lua:"running" default:"true" doc:"Whether it fills."`
	Value       float64             `lua:"value" range:"0..1" default:"0" doc:"How full it is."`
	Hold        bool                `lua:"hold" default:"false" doc:"Whether the player stands still."`
	Cancellable bool                `lua:"cancellable" default:"false" doc:"Whether his key cancels it; not of one that is shared."`
	WhileDead   bool                `lua:"while_dead" default:"false" doc:"Whether it outlives his death."`
	Color       *bind.RGBA          `lua:"color" doc:"Its color; the theme's without it."`
}

func (a *barArgs) player() **world.Player { return &a.For }
func (a *barArgs) number() *float64       { return &a.Value }
func (a *barArgs) follow(l world.Look)    { a.Value = l.(world.Progress).Value }
func (a *barArgs) face() world.Face {
	return world.Face{Hidden: !a.Visible, Look: world.Progress{Text: a.Text, Style: a.Style, Duration: wholeMS(a.Duration), Value: a.Value,
		Running: a.Running, Hold: a.Hold, Cancellable: a.Cancellable, WhileDead: a.WhileDead, Color: wireColor(a.Color)}}
}

func (a *barArgs) given(*barArgs) error {
	if a.Duration > 0 && a.Duration < 200 {
		return errors.New("key \"duration\": 0 or 200..3600000 ms expected, got " + number(a.Duration))
	}
	return nil
}

func (rt *Runtime) barMethods() []bind.HandleMember[element[barArgs]] {
	return []bind.HandleMember[element[barArgs]]{
		bind.Method("cancel", "Takes it off all screens, as its end does.", func(_ *bind.Call, e element[barArgs], _ bind.None) (bind.None, error) {
			return rt.with(func(tx world.Tx) error { tx.RemoveElement(e.Element); return nil })
		}),
	}
}

// countdownReasons are why a countdown may not reach zero.
var countdownReasons = []string{"closed", "leave", "stop"}

func (rt *Runtime) countdownMethods() []bind.HandleMember[element[countdownArgs]] {
	run := func(running bool) func(*bind.Call, element[countdownArgs], bind.None) (bind.None, error) {
		return func(_ *bind.Call, e element[countdownArgs], _ bind.None) (bind.None, error) {
			next := *argsOf(rt, e)
			next.Running = running
			return bind.None{}, changeElement(rt, e, &next)
		}
	}
	return []bind.HandleMember[element[countdownArgs]]{
		bind.Method("pause", "Stops the clock.", run(false)),
		bind.Method("resume", "Lets the clock go on.", run(true)),
		bind.Method("wait", "Waits until it is at zero, by the server's clock.",
			func(c *bind.Call, e element[countdownArgs], _ bind.None) (bool, error) { return waitElement(rt, c, e) },
			bind.Waits(), bind.Late(), bind.Reasons(countdownReasons...), bind.Returns("true at zero."),
			bind.Example(`local clock = mp.ui.countdown{ time = 60000, label = "Doors close" }
if clock:wait() then mp.chat.broadcast("The doors are closed") end`)),
	}
}

// progressWaitArgs are a bar that is waited for.
type progressWaitArgs struct {
	Text        string              `lua:"text" range:"0..63" default:"" doc:"What is done."`
	Duration    float64             `lua:"duration" range:"200..3600000" doc:"How long it takes, in ms."`
	Style       protocol.GaugeStyle `lua:"style" enum:"bar|ring" default:"bar" doc:"How it looks."`
	Value       float64             `lua:"value" range:"0..1" default:"0" doc:"How full it begins."`
	Hold        bool                `lua:"hold" default:"false" doc:"Whether he stands still."`
	Cancellable bool                `lua:"cancellable" default:"false" doc:"Whether his key cancels it."`
	WhileDead   bool                `lua:"while_dead" default:"false" doc:"Whether it outlives his death."`
	Color       *bind.RGBA          `lua:"color" doc:"Its color; the theme's without it."`
	Animation   *animateArgs        `lua:"animation" doc:"What he plays meanwhile, as for player:animate."`
}

// progressReasons are why a bar that is waited for may not fill.
var progressReasons = []string{"death", "leave", "stop"}

func (rt *Runtime) declareProgress(h *bind.Handle[*world.Player]) {
	h.Add(bind.Method("progress", "Shows him a bar that fills, and waits. Only the server's clock ends it.", rt.progress, bind.Keyed(), bind.Waits(),
		bind.Returns("true at the end, false when he has cancelled by his key."), bind.Reasons(progressReasons...),
		bind.Example(`if player:progress{ text = "Picking the lock", duration = 8000, cancellable = true, hold = true } then
  player:notify("It is open", "success")
end`)))
}

// waitedBar is a bar that one handler waits for.
type waitedBar struct{ wake func(barEnd) }

type barEnd struct {
	reason world.EndReason
	err    error
}

func (b *waitedBar) done(_ *Runtime, reason world.EndReason) { b.wake(barEnd{reason: reason}) }

func (rt *Runtime) progress(c *bind.Call, p *world.Player, a progressWaitArgs) (bool, error) {
	spec := world.ElementSpec{For: p, By: instanceOf(c).name(), Face: world.Face{Look: world.Progress{Text: a.Text, Style: a.Style,
		Duration: wholeMS(a.Duration), Value: a.Value, Running: true, Hold: a.Hold, Cancellable: a.Cancellable, WhileDead: a.WhileDead, Color: wireColor(a.Color)}}}
	if a.Animation != nil {
		play := a.Animation.animation()
		spec.Animation = &play
	}
	end := bind.Ask(c, barEnd{reason: world.EndStop}, func(wake func(barEnd)) {
		spec.Owner = &waitedBar{wake}
		tx := rt.begin()
		e, told, err := tx.CreateElement(spec)
		reason := world.EndLeave
		if err == nil {
			reason = tx.ElementEnd(e)
		}
		tx.End()
		if err != nil || !told {
			wake(barEnd{reason, err})
		}
	})
	switch {
	case end.err != nil:
		return false, end.err
	case end.reason == world.EndFinished, end.reason == world.EndCancel:
		return end.reason == world.EndFinished, nil
	}
	return false, bind.Because(string(end.reason))
}

type notifyArgs struct {
	Text string               `lua:"text" range:"1..400" doc:"Up to 6 lines."`
	Kind protocol.MessageKind `lua:"kind" enum:"plain|info|success|warning|error" default:"plain" doc:"How it looks."`
}

// declareNotify declares the short form of player:notification.
func (rt *Runtime) declareNotify(h *bind.Handle[*world.Player]) {
	h.Add(bind.Method("notify", "Shows him a short message for 5 s.", func(c *bind.Call, p *world.Player, a notifyArgs) (bind.None, error) {
		n := notificationArgs{Visible: true, Text: a.Text, Kind: a.Kind, Duration: 5000}
		return rt.with(func(tx world.Tx) error {
			_, _, err := tx.CreateElement(world.ElementSpec{Face: n.face(), For: p, By: instanceOf(c).name()})
			return err
		})
	}, bind.Example(`player:notify("You bought a {FFB000}Colt 45", "success")`)))
}
