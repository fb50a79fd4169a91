package scriptapi

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"darqline/host/world"
	"darqline/resources"
	"darqline/scriptapi/bind"
	"darqline/scriptapi/sandbox"
	"darqline/scriptapi/sandbox/luajson"
)

// instance is one running generation of a resource.
type instance struct {
	rt      *Runtime
	gen     *resources.Generation
	state   *sandbox.State
	env     *bind.Env
	json    *luajson.Values
	exports map[string]bind.Function
	output  output

	definitions map[string]*viewDefinition
	handlers    int // of events and views
	timerCount  int
	commands    int
	spent       []time.Duration // when its last handlers used up their budgets
	started     bool            // its entry has run, to its end or its first wait
	stopping    bool
}

func (in *instance) name() string { return in.gen.Bundle.Name }

// program is a bundle's scripts, compiled.
type program map[string]*sandbox.Program

// Compile checks every script of a bundle. Its faults name files as "shop/main.lua"; inside of the scripts they are
// "main.lua", as in any Lua.
func (rt *Runtime) Compile(b *resources.Bundle) (any, error) {
	p := make(program, len(b.Scripts))
	var faults resources.Faults
	for path, source := range b.Scripts {
		file := b.Name + "/" + path
		compiled, err := sandbox.Compile(path, source)
		var syntax *sandbox.SyntaxError
		switch {
		case err == nil:
			p[path] = compiled
		case errors.As(err, &syntax):
			faults = append(faults, resources.Fault{File: file, Line: syntax.Line, Text: syntax.Text})
		default:
			faults = append(faults, resources.Fault{File: file, Text: err.Error()})
		}
	}
	faults.Sort()
	return p, faults.Err()
}

// Start makes the Lua state of a generation and runs its entry, to its end or its first wait.
func (rt *Runtime) Start(g *resources.Generation, state any) error {
	compiled, _ := g.Program.(program)
	in := &instance{
		rt: rt, gen: g, exports: make(map[string]bind.Function), definitions: make(map[string]*viewDefinition),
	}
	if rt.scheduler == nil { // not before there is something to run: New starts nothing
		rt.scheduler = sandbox.NewScheduler(sandbox.Config{Post: rt.cfg.Post, Logger: rt.log})
	}
	in.state = rt.scheduler.NewState(sandbox.StateConfig{
		Name: g.Bundle.Name, Owner: in,
		Require: func(module string) (*sandbox.Program, error) { return compiled.find(g.Bundle.Name, module) },
	})
	in.env = rt.registry.Open(in.state)
	in.json = luajson.New(in.state.Lua())
	in.env.SetTable("state", state)
	rt.instances = append(rt.instances, in)
	_, finished, err := in.env.RunProgram(compiled[g.Bundle.Entry], bind.Run{
		Event: "entry", Limits: sandbox.EntryLimits,
		Done: func(_ bind.Results, err error) {
			// an error before that is the caller's to tell
			if err != nil && in.started && !in.stopping && slices.Contains(rt.instances, in) {
				rt.report(in, err)
			}
		},
	})
	in.started = true
	if finished && err != nil {
		rt.closeViews(in, world.CloseStop)
		rt.remove(in)
		return err
	}
	rt.fireIn(in, rt.events.resourceStart.Name(), rt.events.resourceStart.Args(resourceArgs{resourceRef{in.name()}}), "")
	rt.catchUpSignIn(in)
	return nil
}

// find is what require looks for: "lib.util" is lib/util.lua of the same resource.
func (p program) find(resource, module string) (*sandbox.Program, error) {
	path := strings.ReplaceAll(module, ".", "/")
	for _, file := range []string{path + ".lua", path + "/init.lua"} {
		if found, ok := p[file]; ok {
			return found, nil
		}
	}
	return nil, fmt.Errorf("%s/%s.lua is not there; require finds files of the same resource", resource, path)
}

// Stop runs a generation's own resource_stop and removes all that it made. It returns mp.state, copied.
func (rt *Runtime) Stop(g *resources.Generation, reason resources.StopReason) any {
	i := slices.IndexFunc(rt.instances, func(in *instance) bool { return in.gen == g })
	if i < 0 {
		return nil
	}
	in := rt.instances[i]
	in.stopping = true
	rt.fireIn(in, rt.events.resourceStop.Name(), rt.events.resourceStop.Args(
		resourceStopArgs{resourceRef{in.name()}, reason.String()}), "resource_stop")
	why := world.CloseStop
	if reason == resources.StopReload {
		why = world.CloseReload
	}
	rt.closeViews(in, why)
	var kept any
	if reason == resources.StopReload {
		kept = in.env.Table("state").PlainOnly(func(path, what string) {
			rt.log.Warn("mp.state"+path+" is "+what+" and does not survive the reload",
				"resource", in.name(), "generation", g.Number)
		})
	}
	rt.remove(in)
	return kept
}

// Changed tells the other resources of a start or a stop.
func (rt *Runtime) Changed(subject string, change resources.Change) {
	ref := resourceRef{subject}
	for _, in := range slices.Clone(rt.instances) {
		if in.name() == subject {
			continue
		}
		switch change {
		case resources.ResourceStarted:
			rt.fireIn(in, rt.events.resourceStart.Name(), rt.events.resourceStart.Args(resourceArgs{ref}), "")
		case resources.ResourceStopping:
			rt.fireIn(in, rt.events.resourceStop.Name(), rt.events.resourceStop.Args(resourceStopArgs{ref, "stop"}), "")
		case resources.ResourceReloading:
			rt.fireIn(in, rt.events.resourceStop.Name(), rt.events.resourceStop.Args(resourceStopArgs{ref, "reload"}), "")
		}
	}
}

// closeViews ends the views of an instance that stops, and lets it hear of it: afterwards there is nobody left to hear.
func (rt *Runtime) closeViews(in *instance, why world.CloseReason) {
	in.stopping = true
	tx := rt.begin()
	closed := tx.CloseViewsOf(in.gen.Number, why)
	tx.End()
	for _, v := range closed {
		rt.dispatchView(world.ViewEvent{View: v, Kind: world.ViewDidClose, Reason: string(why)})
	}
}

// remove takes away all that an instance made.
func (rt *Runtime) remove(in *instance) {
	in.stopping = true
	for name, list := range rt.handlers {
		rt.setHandlers(name, slices.DeleteFunc(slices.Clone(list), func(s *subscription) bool {
			if s.inst == in {
				s.ended = true
			}
			return s.inst == in
		}))
	}
	rt.timers.stopAll(in)
	tx := rt.begin()
	tx.ResourceEnded(in.name())
	tx.End()
	for name, c := range rt.commands {
		if c.inst == in {
			delete(rt.commands, name)
		}
	}
	in.state.Close()
	rt.instances = slices.DeleteFunc(rt.instances, func(other *instance) bool { return other == in })
}

// instance finds the running generation of a resource.
func (rt *Runtime) instance(name string) *instance {
	for _, in := range rt.instances {
		if in.name() == name {
			return in
		}
	}
	return nil
}

// instanceOf is the resource that calls.
func instanceOf(c *bind.Call) *instance { return c.Owner().(*instance) }

// A resource is stopped as a whole where so many of its handlers use up their budgets within a time: each has held up everything else
// for as long as a handler may.
const (
	maxSpent    = 20
	spentWithin = 10 * time.Second
)

// spend notes a handler that used up its budget.
func (rt *Runtime) spend(in *instance, now time.Duration) {
	in.spent = slices.DeleteFunc(append(in.spent, now), func(at time.Duration) bool { return at < now-spentWithin })
	if len(in.spent) < maxSpent || in.stopping {
		return
	}
	cause := fmt.Errorf("%d of its handlers ran for too long or took too much within %d s", maxSpent, spentWithin/time.Second)
	rt.log.Error(fmt.Sprintf("%s is stopped: %v", in.name(), cause), "resource", in.name(), "generation", in.gen.Number)
	rt.timers.stopAll(in)
	in.state.Close() // now; the manager removes it after what waits already
	rt.manager.Died(in.name(), in.gen.Number, cause)
}

// report logs an error of a handler.
func (rt *Runtime) report(in *instance, err error) {
	now := rt.cfg.Now()
	var e *sandbox.ScriptError
	if errors.As(err, &e) && e.Spent {
		defer rt.spend(in, now)
	}
	rt.faults.report(now, in.gen.Number, err, func() bool { return in.output.faultRoom(now, in) })
}

// reporter is Done of a handler whose error concerns nobody but the log.
func (rt *Runtime) reporter(in *instance) func(bind.Results, error) {
	return func(_ bind.Results, err error) {
		if err != nil && !errors.Is(err, sandbox.ErrClosed) {
			rt.report(in, err)
		}
	}
}
