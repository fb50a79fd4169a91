package bind

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Docs returns the reference: a Markdown page for each topic, by file name. A page has a module, and the handles that it is about.
func (r *Registry) Docs() map[string]string {
	r.compile()
	pages := make(map[string]*page)
	at := func(name string) *page {
		if pages[name] == nil {
			pages[name] = &page{name: name}
		}
		return pages[name]
	}
	for _, m := range r.sortedModules() {
		p := at(r.modulePage(m.Name))
		p.modules = append(p.modules, m)
	}
	for _, h := range r.sortedHandles() {
		p := at(r.handlePage(h))
		p.handles = append(p.handles, h)
	}
	out := make(map[string]string)
	index := "# Lua reference\n\nMade from the server's declarations. Everything but the globals is in the table `mp`.\n\n| page | |\n|---|---|\n"
	for _, name := range names(pages) {
		out[name+".md"] = pages[name].markdown()
		index += fmt.Sprintf("| [%s](%s.md) | %s |\n", name, name, pages[name].summary())
	}
	if len(r.enums) > 0 {
		out["names.md"] = r.namesPage()
		index += "| [names](names.md) | The words of weapons and the like, with their ids |\n"
	}
	out["events.md"] = r.eventsPage()
	index += "| [events](events.md) | Everything that `mp.on` takes |\n"
	out["README.md"] = index
	return out
}

type page struct {
	name    string
	modules []*Module
	handles []*handleType
}

func (r *Registry) modulePage(module string) string {
	switch module {
	case "":
		return "globals"
	case "mp":
		return "mp"
	}
	return strings.ReplaceAll(strings.TrimPrefix(module, "mp."), ".", "_")
}

// handlePage is the page of the module that makes or finds the things, or the handle's own.
func (r *Registry) handlePage(h *handleType) string {
	for _, m := range r.modules {
		if m.Name == "mp."+h.spec.Type+"s" || m.Name == "mp."+h.spec.Type {
			return r.modulePage(m.Name)
		}
	}
	return strings.ReplaceAll(h.spec.Type, " ", "_")
}

func (p *page) summary() string {
	var parts []string
	for _, m := range p.modules {
		parts = append(parts, m.Doc)
	}
	for _, h := range p.handles {
		parts = append(parts, h.spec.Doc)
	}
	return strings.Join(parts, " ")
}

func (p *page) markdown() string {
	var b strings.Builder
	if len(p.modules) > 0 {
		fmt.Fprintf(&b, "# %s\n", p.name)
	}
	for _, m := range p.modules {
		if m.Name != "" && m.Name != "mp."+p.name {
			fmt.Fprintf(&b, "\n`%s`\n", m.Name)
		}
		fmt.Fprintf(&b, "\n%s\n", m.Doc)
		members(&b, m.members)
	}
	for _, h := range p.handles {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "# %s\n\n%s A stale handle's error is `%s`.\n", h.spec.Name, h.spec.Doc, h.spec.Gone)
		builtins := "`valid` tells whether it is still there and is never an error."
		if !h.spec.NoType {
			builtins += fmt.Sprintf(" `type` is `%q`.", h.spec.Type)
		}
		if h.spec.Data {
			builtins += " `data` is a table of the resource's own that goes with it."
		}
		fmt.Fprintf(&b, "\n%s\n", builtins)
		members(&b, h.members)
	}
	return b.String()
}

// members writes the table of the properties, then each function.
func members(b *strings.Builder, ms map[string]*member) {
	head := false
	for _, name := range names(ms) {
		mb := ms[name]
		if mb.call != nil {
			continue
		}
		if !head {
			b.WriteString("\n| property | type | |\n|---|---|---|\n")
			head = true
		}
		doc := mb.doc
		if want := mb.in.want; mb.settable && (mb.in != mb.out || strings.ContainsAny(want, "0123456789")) {
			doc += " Set it to " + want + "."
		}
		if !mb.settable {
			doc += " Read only."
		}
		types := code(mb.resultType())
		if mb.out.enum != nil {
			types = fmt.Sprintf("[%s](names.md#%s)", types, strings.ToLower(mb.out.enum.name))
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", mb.name, types, strings.TrimSpace(doc))
	}
	for _, name := range names(ms) {
		if mb := ms[name]; mb.call != nil {
			function(b, mb)
		}
	}
}

// code quotes a type for a table's cell.
func code(s string) string { return "`" + strings.ReplaceAll(s, "|", "\\|") + "`" }

func function(b *strings.Builder, mb *member) {
	fmt.Fprintf(b, "\n## %s\n\n%s", mb.signature(), mb.doc)
	if mb.waits {
		b.WriteString(" Waits.")
	}
	if mb.permission != "" {
		fmt.Fprintf(b, " Needs the permission `%s` (`permissions.resources` in `server.toml`).", mb.permission)
	}
	b.WriteString("\n")
	params(b, mb.params)
	if types := mb.resultTypes(); len(types) > 0 || mb.resultDoc != "" {
		for i := range types {
			types[i] = "`" + types[i] + "`"
		}
		fmt.Fprintf(b, "\nReturns %s%s", strings.Join(types, ", "), strings.TrimSuffix(": "+mb.resultDoc, ": "))
		if !strings.HasSuffix(mb.resultDoc, ".") {
			b.WriteString(".")
		}
		b.WriteString("\n")
	}
	if len(mb.reasons) > 0 {
		fmt.Fprintf(b, "\nWithout an answer it returns nil and the reason: %s.\n", quotedList(mb.reasons))
	}
	for _, example := range mb.examples {
		fmt.Fprintf(b, "\n```lua\n%s\n```\n", strings.TrimSpace(example))
	}
}

func params(b *strings.Builder, ps []*param) {
	if len(ps) == 0 {
		return
	}
	b.WriteString("\n| argument | | |\n|---|---|---|\n")
	row := func(name string, p *param) {
		doc := p.doc
		switch {
		case p.defText != "":
			doc += fmt.Sprintf(" Without it: `%s`.", p.defText)
		case p.optional:
			doc += " Optional."
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, p.kind.linked(), doc)
	}
	var rows func(prefix string, ps []*param)
	rows = func(prefix string, ps []*param) {
		for _, p := range ps {
			name := prefix + p.name
			switch {
			case p.self:
				continue
			case p.items:
				each := *p
				each.kind = p.kind.item
				row(strings.TrimSuffix(prefix, ".")+"[]", &each)
				continue
			case p.rest:
				name = "..."
			}
			row(name, p)
			rows(name+".", p.kind.fields)
			if p.kind.item != nil {
				rows(name+"[].", p.kind.item.fields)
			}
		}
	}
	rows("", ps)
}

// signature is how a function is written: mp.chat.send(player, text [, kind]).
func (mb *member) signature() string {
	if mb.keyed {
		return mb.full + "{ }"
	}
	text, closing := "", ""
	for i, p := range mb.params {
		name := p.name
		if p.rest {
			name = "..."
		}
		sep := ", "
		if i == 0 {
			sep = ""
		}
		if p.optional && !p.rest {
			if i > 0 {
				text += " "
			}
			text += "[" + sep + name
			closing += "]"
			continue
		}
		text += sep + name
	}
	return mb.full + "(" + text + closing + ")"
}

func (r *Registry) eventsPage() string {
	var b strings.Builder
	b.WriteString("# Events\n\nWhat `mp.on(name, handler)` takes. *c*: a handler that returns `false` cancels it, and the others are not called.\n")
	b.WriteString("\n| event | arguments | | |\n|---|---|---|---|\n")
	for _, e := range r.sortedEvents() {
		var args []string
		for _, p := range e.params {
			args = append(args, p.name+mark(p))
		}
		cancel := ""
		if e.cancel {
			cancel = "*c*"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", e.name, strings.Join(args, ", "), cancel, e.doc)
	}
	for _, e := range r.sortedEvents() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", e.name, e.doc)
		if len(e.params) > 0 {
			b.WriteString("\n| argument | | |\n|---|---|---|\n")
			for _, p := range e.params {
				if p.kind.fields == nil {
					fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.name+mark(p), code(p.kind.lua), p.doc)
					continue
				}
				fmt.Fprintf(&b, "| `%s` | `table` | %s |\n", p.name+mark(p), p.doc)
				for _, f := range p.kind.fields {
					fmt.Fprintf(&b, "| `%s.%s` | %s | %s |\n", p.name, f.name+mark(f), code(f.kind.lua), f.doc)
				}
			}
		}
	}
	return b.String()
}

// Examples returns every example by what it belongs to, for a test that compiles or runs them.
func (r *Registry) Examples() map[string][]string {
	out := make(map[string][]string)
	add := func(ms map[string]*member) {
		for _, mb := range ms {
			if len(mb.examples) > 0 {
				out[mb.full] = mb.examples
			}
		}
	}
	for _, m := range r.modules {
		add(m.members)
	}
	for _, h := range r.handles {
		add(h.members)
	}
	return out
}

// maybeNil tells whether a result may be nil: a handle where OrNil says so, any other pointer.
func (mb *member) maybeNil() bool {
	if mb.out.handle {
		return mb.orNil
	}
	return mb.result.Kind() == reflect.Pointer
}

func (r *Registry) sortedModules() []*Module {
	return slices.SortedFunc(slices.Values(r.modules), func(a, b *Module) int { return cmp.Compare(a.Name, b.Name) })
}

func (r *Registry) sortedHandles() []*handleType {
	return slices.SortedFunc(slices.Values(r.handles), func(a, b *handleType) int { return cmp.Compare(a.spec.Name, b.spec.Name) })
}

func (r *Registry) sortedEvents() []*event {
	return slices.SortedFunc(slices.Values(r.events), func(a, b *event) int { return cmp.Compare(a.name, b.name) })
}
