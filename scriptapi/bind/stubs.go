package bind

import (
	"fmt"
	"strings"
)

// Stubs returns the definitions for lua-language-server: one file that an editor reads and nobody runs.
func (r *Registry) Stubs() string {
	r.compile()
	s := &stubs{r: r}
	s.line("---@meta _")
	s.line("-- What the server gives to every resource. Made from its declarations; do not edit.")
	s.values()
	for _, e := range s.r.sortedEnums() {
		s.line("")
		s.line("---@alias %s %s|integer", e.name, strings.Join(e.quoted(), "|"))
	}
	for _, m := range r.sortedModules() {
		s.module(m)
	}
	for _, h := range r.sortedHandles() {
		s.handle(h)
	}
	return s.text.String()
}

type stubs struct {
	r    *Registry
	text strings.Builder
}

func (s *stubs) line(format string, args ...any) {
	if len(args) == 0 {
		s.text.WriteString(format)
	} else {
		fmt.Fprintf(&s.text, format, args...)
	}
	s.text.WriteByte('\n')
}

// values describes what vec2, vec3 and rgba return.
func (s *stubs) values() {
	s.line("")
	for _, name := range []string{"vec2", "vec3"} {
		s.line("---@class %s", name)
		for _, field := range strings.Fields(map[string]string{"vec2": "x y", "vec3": "x y z"}[name]) {
			s.line("---@field %s number", field)
		}
		s.line("---@operator add(%[1]s): %[1]s", name)
		s.line("---@operator sub(%[1]s): %[1]s", name)
		s.line("---@operator mul(number): %s", name)
		s.line("---@operator div(number): %s", name)
		s.line("---@operator unm: %s", name)
		s.line("---@field length fun(self: %s): number", name)
		s.line("---@field distance fun(self: %[1]s, other: %[1]s): number", name)
		s.line("")
	}
	s.line("---@class rgba")
	for _, field := range []string{"r", "g", "b", "a"} {
		s.line("---@field %s integer", field)
	}
}

func (s *stubs) doc(mb *member) {
	s.line("---%s", mb.doc)
	if mb.permission != "" {
		s.line("---Needs the permission `%s`.", mb.permission)
	}
	if mb.waits {
		s.line("---Waits.")
	}
}

func (s *stubs) module(m *Module) {
	if m.Name != "" {
		for _, name := range names(m.members) {
			s.options(m.members[name])
		}
		s.line("")
		s.line("---%s", m.Doc)
		s.line("---@class %s", m.Name)
		for _, name := range names(m.members) {
			if mb := m.members[name]; mb.call == nil {
				s.field(mb)
			}
		}
		if m.index != nil {
			s.line("---@field [string] any")
		}
		s.line("%s = {}", m.Name)
	}
	for _, name := range names(m.members) {
		if mb := m.members[name]; mb.call != nil {
			s.function(mb, mb.full)
		}
	}
}

func (s *stubs) handle(h *handleType) {
	for _, name := range names(h.members) {
		s.options(h.members[name])
	}
	s.line("")
	s.line("---%s", h.spec.Doc)
	s.line("---@class %s", h.spec.Name)
	s.line("---@field valid boolean Whether it is still there; never an error. Read only.")
	if !h.spec.NoType {
		s.line("---@field type %q Read only.", h.spec.Type)
	}
	if h.spec.Data {
		s.line("---@field data table A table of the resource's own that goes with it.")
	}
	for _, name := range names(h.members) {
		if mb := h.members[name]; mb.call == nil {
			s.field(mb)
		}
	}
	s.line("local %s = {}", h.spec.Name)
	for _, name := range names(h.members) {
		if mb := h.members[name]; mb.call != nil {
			s.function(mb, h.spec.Name+":"+mb.name)
		}
	}
}

func (s *stubs) field(mb *member) {
	doc := mb.doc
	if !mb.settable {
		doc += " Read only."
	}
	types := mb.resultType()
	if mb.in != mb.out {
		types += "|" + mb.in.lua // what it is set to
	}
	s.line("---@field %s %s %s", mb.name, types, doc)
}

// options makes a class of each argument that is a table with declared keys, so that the editor shows them.
func (s *stubs) options(mb *member) {
	class := func(name string, fields []*param) {
		s.line("")
		s.line("---@class %s", name)
		for _, p := range fields {
			s.line("---@field %s%s %s %s", p.name, mark(p), p.kind.lua, p.doc)
		}
	}
	if mb.keyed {
		class(optionsName(mb, ""), mb.params)
		return
	}
	for _, p := range mb.params {
		if p.kind.fields != nil {
			class(optionsName(mb, p.name), p.kind.fields)
		}
	}
}

func optionsName(mb *member, param string) string {
	name := strings.ReplaceAll(mb.full, ":", ".")
	if param == "" {
		param = "options"
	}
	return name + "." + param
}

func mark(p *param) string {
	if p.optional {
		return "?"
	}
	return ""
}

func (s *stubs) function(mb *member, name string) {
	s.line("")
	s.doc(mb)
	var list []string
	switch {
	case mb.keyed:
		s.line("---@param options %s", optionsName(mb, ""))
		list = []string{"options"}
	default:
		for _, p := range mb.params {
			switch {
			case p.rest:
				s.line("---@param ... %s %s", p.kind.lua, p.doc)
				list = append(list, "...")
				continue
			case p.kind.fields != nil:
				s.line("---@param %s%s %s %s", p.name, mark(p), optionsName(mb, p.name), p.doc)
			default:
				s.line("---@param %s%s %s %s", p.name, mark(p), p.kind.lua, p.doc)
			}
			list = append(list, p.name)
		}
	}
	for _, r := range mb.resultTypes() {
		if mb.resultDoc != "" {
			r += " # " + mb.resultDoc
		}
		s.line("---@return %s", r)
	}
	if len(mb.reasons) > 0 {
		s.line("---@return string? reason # Why there is none: %s.", quotedList(mb.reasons))
	}
	if mb.full == "mp.on" {
		s.overloads(mb)
	}
	s.line("function %s(%s) end", name, strings.Join(list, ", "))
}

// overloads types the handler of each event.
func (s *stubs) overloads(mb *member) {
	result := ""
	if types := mb.resultTypes(); len(types) > 0 {
		result = ": " + types[0]
	}
	for _, e := range s.r.sortedEvents() {
		s.line("---@overload fun(name: %q, handler: %s)%s", e.name, e.signature(), result)
	}
}

// signature is the type of an event's handler.
func (e *event) signature() string {
	var args []string
	for _, p := range e.params {
		args = append(args, p.name+mark(p)+": "+p.kind.lua)
	}
	text := "fun(" + strings.Join(args, ", ") + ")"
	if e.cancel {
		text += ": boolean?"
	}
	return text
}

// resultType is the type of a property or of a single result.
func (mb *member) resultType() string {
	text := mb.out.lua
	if mb.maybeNil() {
		text = paren(text) + "?"
	}
	return text
}

// resultTypes are the types of all results.
func (mb *member) resultTypes() []string {
	switch {
	case mb.out == nil:
		return nil
	case mb.tuple:
		var types []string
		for _, p := range mb.out.fields {
			types = append(types, p.kind.lua+mark(p)+" "+p.name)
		}
		return types
	case len(mb.reasons) > 0 && !mb.maybeNil():
		return []string{paren(mb.out.lua) + "?"}
	}
	return []string{mb.resultType()}
}

func quotedList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	return strings.Join(quoted, ", ")
}
