package scriptapi

import (
	"context"
	"errors"
	"fmt"

	"darqline/resources"
	"darqline/resources/nearest"
	"darqline/scriptapi/bind"
	"darqline/scriptapi/sandbox"
)

// resourceRef is a resource by name, whatever generation of it runs.
type resourceRef struct{ name string }

type nameArgs struct {
	Name string `lua:"name" range:"1..31" doc:"The resource's name."`
}

type defineExportsArgs struct {
	Functions map[string]bind.Function `lua:"functions" doc:"Name to function."`
}

func (rt *Runtime) declareResources(r *bind.Registry) {
	r.Module("mp", "").Add(
		bind.Get("state", "A table that survives a reload: plain values, values and handles are copied over.",
			func(c *bind.Call) bind.Raw { return c.Env().Table("state") }),
	)
	r.Module("mp.resource", "The resource that asks.").Add(
		bind.Get("name", "Its name.", func(c *bind.Call) string { return instanceOf(c).name() }),
		bind.Get("generation", "The number of this start.", func(c *bind.Call) int { return int(instanceOf(c).gen.Number) }),
		bind.Get("version", "What resource.toml says.", func(c *bind.Call) string { return instanceOf(c).gen.Bundle.Version }),
		bind.Get("path", "Its folder's name.", func(c *bind.Call) string { return instanceOf(c).name() }),
		bind.Get("settings", "What the host has set, defaults filled in.", func(c *bind.Call) map[string]any {
			settings := make(map[string]any)
			for name, v := range instanceOf(c).gen.Bundle.Settings {
				if n, ok := v.(int64); ok {
					v = float64(n)
				}
				settings[name] = v
			}
			return settings
		}),
	)
	r.Module("mp.resources", "All resources.").Add(
		bind.Func("list", "Lists all resources that the server knows.", func(*bind.Call, bind.None) ([]resourceRef, error) {
			var list []resourceRef
			for _, s := range rt.manager.List() {
				list = append(list, resourceRef{s.Name})
			}
			return list, nil
		}),
		bind.Func("get", "Finds a resource by name.", func(_ *bind.Call, a nameArgs) (*resourceRef, error) {
			if _, ok := rt.manager.Get(a.Name); !ok {
				return nil, nil
			}
			return &resourceRef{a.Name}, nil
		}, bind.Returns("The resource, or nil."), bind.Example(`local shop = mp.resources.get("shop")`)),
		rt.operation("start", "Starts a resource and waits until it runs.", func(name string) *resources.Operation { return rt.manager.Start(name) }),
		rt.operation("stop", "Stops a resource and waits until it has ended.", func(name string) *resources.Operation { return rt.manager.Stop(name) }),
		rt.operation("reload", "Reloads a resource and waits until the new generation runs.", func(name string) *resources.Operation { return rt.manager.Reload(name) }),
	)
	r.Module("mp.exports", "Functions that resources offer each other: mp.exports.bank.balance(player).").Add(
		bind.Func("define", "Offers functions to the other resources; their arguments and results are copied.", rt.defineExports,
			bind.Example(`mp.exports.define{ double = function(n) return n * 2 end }`)),
	).Index(func(c *bind.Call, resource string) (any, error) {
		return bind.Proxy{Name: "mp.exports." + resource, Index: func(_ *bind.Call, function string) (any, error) {
			return bind.Native{Name: "mp.exports." + resource + "." + function, Call: func(c *bind.Call, args []any) ([]any, error) {
				return rt.callExport(c, resource, function, args)
			}}, nil
		}}, nil
	})
	status := rt.status
	bind.NewHandle(r, bind.HandleSpec[resourceRef]{
		Name: "Resource", Type: "resource", Doc: "A resource, whatever generation of it runs.", NoType: true,
		String: func(ref resourceRef) string { return ref.name },
	}).Add(
		bind.Prop("name", "Its name.", func(ref resourceRef) string { return ref.name }, nil),
		bind.Prop("state", "stopped, starting, running or failed.", func(ref resourceRef) string { return status(ref).State.String() }, nil),
		bind.Prop("generation", "The number of its present or last start.", func(ref resourceRef) int { return int(status(ref).Generation) }, nil),
		bind.Prop("error", "Why it failed or could not be reloaded; nil if all is well.", func(ref resourceRef) *string {
			err := status(ref).Error
			if err == nil {
				return nil
			}
			text := err.Error()
			return &text
		}, nil),
	)
}

// status is how a resource is now. While it starts, stops or reloads, the script loop knows sooner than the manager.
func (rt *Runtime) status(ref resourceRef) resources.Status {
	s, _ := rt.manager.Get(ref.name)
	switch in := rt.instance(ref.name); {
	case in == nil || in.stopping:
		if s.State == resources.Running {
			s.State = resources.Stopped
		}
	case in.started:
		s.State, s.Generation = resources.Running, in.gen.Number
	default:
		s.State, s.Generation = resources.Starting, in.gen.Number
	}
	return s
}

// operation is start, stop or reload, which need the permission "resources".
func (rt *Runtime) operation(name, doc string, do func(name string) *resources.Operation) bind.Member {
	return bind.Func(name, doc, func(c *bind.Call, a nameArgs) (bool, error) {
		if err := rt.need(c, "resources"); err != nil {
			return false, err
		}
		if a.Name == instanceOf(c).name() && name != "start" { // it ends with its own state: nobody is left to wait
			do(a.Name)
			return true, nil
		}
		err := bind.Ask(c, errors.New("stop"), func(wake func(error)) {
			op := do(a.Name)
			go func() { wake(op.Wait(context.Background())) }()
		})
		if err != nil {
			return false, bind.Because(err.Error())
		}
		return true, nil
	}, bind.Waits(), bind.Needs("resources"), bind.Returns("True, or nil and the reason."))
}

// need refuses what the host has not allowed.
func (rt *Runtime) need(c *bind.Call, permission string) error {
	name := instanceOf(c).name()
	if rt.cfg.Permitted(name, permission) {
		return nil
	}
	return fmt.Errorf("this needs the permission %q: in server.toml, under [permissions.resources], %s = [%q]", permission, name, permission)
}

func (rt *Runtime) defineExports(c *bind.Call, a defineExportsArgs) (bind.None, error) {
	in := instanceOf(c)
	for name, fn := range a.Functions {
		in.exports[name] = fn
	}
	return bind.None{}, nil
}

// exported is what an export gave.
type exported struct {
	results bind.Results
	err     error
}

// callExport calls a function of another resource on what is left of the caller's budget; where it waits, the caller
// waits.
func (rt *Runtime) callExport(c *bind.Call, resource, function string, args []any) ([]any, error) {
	in := rt.instance(resource)
	if in == nil || in.stopping {
		return nil, rt.notRunning(resource)
	}
	fn, ok := in.exports[function]
	if !ok {
		var names []string
		for name := range in.exports {
			names = append(names, name)
		}
		if near, ok := nearest.Name(function, names); ok {
			return nil, fmt.Errorf("resource '%s' exports no %q; did you mean %q?", resource, function, near)
		}
		return nil, fmt.Errorf("resource '%s' exports no %q", resource, function)
	}
	var ended *exported
	var wake func(exported)
	_, _, err := fn.Call(bind.Run{Event: "export " + function, Share: true, Done: func(res bind.Results, err error) {
		out := exported{res, err}
		ended = &out
		if wake != nil {
			wake(out)
		}
	}}, args...)
	if ended == nil && err == nil {
		out := bind.Await(c, func(w func(exported)) { wake = w })
		ended = &out
	}
	switch {
	case ended == nil:
		return nil, err
	case ended.err == nil:
		return ended.results.Plain()
	case in.stopping:
		return nil, fmt.Errorf("resource '%s' is not running (it stopped meanwhile)", resource)
	}
	return nil, withTraceback(ended.err)
}

// notRunning says why there is nobody to call.
func (rt *Runtime) notRunning(resource string) error {
	s, ok := rt.manager.Get(resource)
	switch {
	case ok && s.State == resources.Failed:
		return fmt.Errorf("resource '%s' is not running (it failed)", resource)
	case ok:
		return fmt.Errorf("resource '%s' is not running (it is stopped)", resource) // also between two generations
	}
	var names []string
	for _, s := range rt.manager.List() {
		names = append(names, s.Name)
	}
	if near, ok := nearest.Name(resource, names); ok {
		return fmt.Errorf("there is no resource '%s'; did you mean '%s'?", resource, near)
	}
	return fmt.Errorf("there is no resource '%s'", resource)
}

// withTraceback is an error of another resource with where it happened there.
func withTraceback(err error) error {
	var script *sandbox.ScriptError
	if !errors.As(err, &script) || script.Traceback == "" {
		return err
	}
	return &traced{err, fmt.Sprintf("%v\nin %s:\n%s\nhere:", err, script.Resource, script.Traceback)}
}

// traced is an error with the text of two tracebacks, the second of which Lua adds.
type traced struct {
	error
	text string
}

func (t *traced) Error() string { return t.text }
func (t *traced) Unwrap() error { return t.error }
