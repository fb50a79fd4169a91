package bind

import (
	lua "github.com/yuin/gopher-lua"

	"darqline/scriptapi/sandbox"
	"darqline/scriptapi/sandbox/lint"
)

// Catalogue lists every name that a script can use, for the linter: what a new state has, and what the registry declares.
func (r *Registry) Catalogue() lint.Catalogue {
	sched := sandbox.NewScheduler(sandbox.Config{Post: func(func()) error { return nil }})
	defer sched.Close()
	e := r.Open(sched.NewState(sandbox.StateConfig{Name: "catalogue"}))
	g := e.state.Lua().G.Global
	c := lint.Catalogue{Globals: lint.Members{}, Events: r.EventNames()}
	for k, v := range pairs(g) {
		name := k.String()
		if t, ok := v.(*lua.LTable); ok && t != g {
			c.Globals[name] = r.tableMembers(name, t)
		} else {
			c.Globals[name] = nil
		}
	}
	return c
}

// tableMembers lists a library's or a module's names; nil if it answers others too.
func (r *Registry) tableMembers(path string, t *lua.LTable) lint.Members {
	members := lint.Members{}
	for k, v := range pairs(t) {
		name := k.String()
		if inner, ok := v.(*lua.LTable); ok {
			members[name] = r.tableMembers(path+"."+name, inner)
		} else {
			members[name] = nil
		}
	}
	for _, m := range r.modules {
		if m.Name != path {
			continue
		}
		if m.index != nil {
			return nil
		}
		for name := range m.members {
			members[name] = nil
		}
	}
	return members
}

// Members lists the properties and methods of a type of handles, by its Type, sorted.
func (r *Registry) Members(handle string) []string {
	for _, h := range r.handles {
		if h.spec.Type == handle {
			return names(h.members)
		}
	}
	return nil
}
