package scriptapi

import (
	"fmt"
	"time"

	"darqline/scriptapi/bind"
)

type waitArgs struct {
	Milliseconds float64 `lua:"ms" range:"0..2592000000" doc:"How long, in ms, up to 30 days."`
}

type timerArgs struct {
	Milliseconds float64       `lua:"ms" range:"0..2592000000" doc:"How long, in ms, up to 30 days."`
	Callback     bind.Function `lua:"callback" doc:"What runs then."`
}

type everyArgs struct {
	Milliseconds float64       `lua:"ms" range:"10..2592000000" doc:"How often, in ms: 10 or more, up to 30 days."`
	Callback     bind.Function `lua:"callback" doc:"What runs each time."`
}

func (rt *Runtime) declareTimers(r *bind.Registry) {
	r.Module("mp", "").Add(
		bind.Func("wait", "Waits. Everything else goes on meanwhile; afterwards the world has moved on.", rt.wait, bind.Waits(),
			bind.Example(`mp.wait(1000)`)),
		bind.Func("after", "Runs a function once, later.", func(c *bind.Call, a timerArgs) (*timer, error) {
			return rt.startTimer(c, a.Callback, a.Milliseconds, false)
		}, bind.Returns("The timer; :off() ends it."), bind.Example(`mp.after(5000, function() mp.chat.broadcast("Go!") end)`)),
		bind.Func("every", "Runs a function again and again. A slow server skips turns instead of catching up.", func(c *bind.Call, a everyArgs) (*timer, error) {
			return rt.startTimer(c, a.Callback, a.Milliseconds, true)
		}, bind.Returns("The timer; :off() ends it."), bind.Example(`local clock = mp.every(60000, function() print("a minute") end)
clock:off()`)),
	)
	bind.NewHandle(r, bind.HandleSpec[*timer]{
		Name: "Timer", Type: "timer", Doc: "A function that runs later.", Gone: "this timer has ended", NoType: true,
		Valid: func(t *timer) bool { return !t.ended },
	}).Add(
		bind.Method("off", "Ends it: the function is not called any more.", func(c *bind.Call, t *timer, _ bind.None) (bind.None, error) {
			rt.timers.stop(t)
			t.inst.env.Drop(t)
			return bind.None{}, nil
		}),
	)
}

// longest is the longest time that a script may name, in ms: 30 days.
const longest = 30 * 24 * 3600 * 1000

func ms(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }

func (rt *Runtime) room(in *instance) error {
	if in.timerCount >= maxTimers {
		return fmt.Errorf("a resource has at most %d timers and waits at once", maxTimers)
	}
	return nil
}

func (rt *Runtime) wait(c *bind.Call, a waitArgs) (bind.None, error) {
	in := instanceOf(c)
	if err := rt.room(in); err != nil {
		return bind.None{}, err
	}
	var tm *timer
	defer func() {
		if tm != nil {
			rt.timers.stop(tm)
		}
	}()
	bind.Await(c, func(wake func(bool)) {
		tm = rt.timers.add(in, rt.cfg.Now()+ms(a.Milliseconds), 0, func() { wake(true) })
	})
	return bind.None{}, nil
}

func (rt *Runtime) startTimer(c *bind.Call, fn bind.Function, after float64, again bool) (*timer, error) {
	in := instanceOf(c)
	if err := rt.room(in); err != nil {
		return nil, err
	}
	file, line := c.Where()
	event := fmt.Sprintf("timer of %s:%d", file, line)
	every := time.Duration(0)
	if again {
		every = ms(after)
	}
	var tm *timer
	tm = rt.timers.add(in, rt.cfg.Now()+ms(after), every, func() {
		fn.Call(bind.Run{Event: event, Done: rt.reporter(in)})
		if tm.every == 0 && !tm.ended { // not before: it may end itself
			tm.ended = true
			in.env.Drop(tm)
		}
	})
	return tm, nil
}
