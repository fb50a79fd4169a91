package resources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"darqline/resources/strict"
)

// order gives what a start list names, and what it names that does not exist. "*" is everything that it does not name.
func order(list, known []string) (names, missing []string) {
	for _, name := range list {
		switch {
		case name == "*":
			for _, other := range known {
				if !slices.Contains(list, other) && !slices.Contains(names, other) {
					names = append(names, other)
				}
			}
		case !slices.Contains(known, name):
			missing = append(missing, name)
		case !slices.Contains(names, name):
			names = append(names, name)
		}
	}
	return names, missing
}

// startAll starts what the start list says. What it names and is not there is started when it comes.
func (m *Manager) startAll(ctx context.Context) {
	m.rescan()
	names, missing := order(m.c.Start, m.names())
	for _, name := range names {
		m.resources[name].wanted = true
	}
	for _, name := range missing {
		m.tell(Notice{Kind: NoticeFailed, Resource: name, Err: errors.New(noSuch(name, m.names()))})
	}
	for _, name := range names {
		// It may run already, or have failed, because another one requires it.
		if r := m.resources[name]; ctx.Err() == nil && r.state == Stopped {
			_ = m.start(r)
		}
	}
}

func noSuch(name string, known []string) string {
	return fmt.Sprintf("server.start names %q, but there is no such resource%s", name, strict.Meant(name, known))
}

// stopAll stops what runs: what requires a resource before that resource, else the last started first.
func (m *Manager) stopAll() {
	running := slices.DeleteFunc(slices.Collect(maps.Values(m.resources)), func(r *resource) bool { return r.current == nil })
	slices.SortFunc(running, func(a, b *resource) int { return cmp.Compare(b.first, a.first) })
	visited := map[*resource]bool{}
	var visit func(*resource)
	visit = func(r *resource) {
		if visited[r] {
			return
		}
		visited[r] = true
		for _, other := range running {
			if slices.Contains(other.requires, r.folder.name) {
				visit(other)
			}
		}
		if err := m.halt(r); err != nil {
			m.c.Logger.Error("not stopped", "resource", r.folder.name, "error", err)
			return
		}
		m.tell(Notice{Kind: NoticeStopped, Resource: r.folder.name, Generation: r.number})
	}
	for _, r := range running {
		visit(r)
	}
}

// circle gives the circle of requirements that a resource is part of or leads into: "bank -> shop -> bank".
func (m *Manager) circle(name string) string {
	return circle(name, func(name string) []string {
		if r := m.resources[name]; r != nil {
			return r.requires
		}
		return nil
	})
}

func circle(name string, requires func(string) []string) string {
	var path []string
	done := map[string]bool{}
	var visit func(string) string
	visit = func(name string) string {
		if i := slices.Index(path, name); i >= 0 {
			return strings.Join(append(slices.Clone(path[i:]), name), " -> ")
		}
		if done[name] {
			return ""
		}
		path = append(path, name)
		for _, next := range requires(name) {
			if found := visit(next); found != "" {
				return found
			}
		}
		path, done[name] = path[:len(path)-1], true
		return ""
	}
	return visit(name)
}
