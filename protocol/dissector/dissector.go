// Package dissector writes a Wireshark dissector in Lua of all packets, from
// their layouts.
//
// What walks over a packet is dissector.lua, written by hand. What is made here
// is one table of its nodes for each packet, in the place of @PACKETS@.
package dissector

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"darqline/protocol"
	"darqline/protocol/wire"
)

//go:embed dissector.lua
var runtime string

// Write writes the dissector.
func Write(w io.Writer) error {
	g := &generator{ids: ids(), taken: map[string]string{}, structs: map[string]bool{}, tables: map[string]string{}}
	table := protocol.Table()
	for i := range table {
		r := &table[i]
		if r.New == nil {
			continue
		}
		key := fmt.Sprintf("0x%02X", uint8(r.ID))
		if r.Direction == protocol.BothDirections {
			g.packet(key, r, protocol.ClientToServer, snake(r.Name), protocol.Describe(r))
			g.packet(`"answer"`, r, protocol.ServerToClient, snake(r.Name)+"_answer", protocol.DescribeAnswer())
			continue
		}
		g.packet(key, r, r.Direction, snake(r.Name), protocol.Describe(r))
	}
	made := names() + g.words.String() + "\n" + g.shared.String() + g.packets.String()
	_, err := strings.NewReplacer("@VERSION@", fmt.Sprint(protocol.Version), "@PACKETS@\n", made).WriteString(w, runtime)
	return err
}

// names is the table of all packets' names.
func names() string {
	var b strings.Builder
	b.WriteString("local names = {\n")
	for _, r := range protocol.Table() {
		fmt.Fprintf(&b, "\t[0x%02X] = %s,\n", uint8(r.ID), quote(r.Name))
	}
	b.WriteString("}\nlocal words = {}\n")
	return b.String()
}

// A generator collects what packets are made of.
type generator struct {
	ids     map[string]string // ids that have one name in all packets, and their types
	taken   map[string]string // fields by their names, and how they are declared
	structs map[string]bool   // that are in shared
	tables  map[string]string // names of the tables in words by their contents

	words, shared, packets strings.Builder
}

func (g *generator) packet(key string, r *protocol.Row, way protocol.Direction, prefix string, l wire.Layout) {
	to, event := "TO_CLIENT", "nil"
	if way == protocol.ClientToServer {
		to = "TO_SERVER"
	}
	switch {
	case r.HasEvent() && way == protocol.ClientToServer:
		event = fmt.Sprint(protocol.EventOffsetClient)
	case r.HasEvent():
		event = fmt.Sprint(protocol.EventOffsetServer)
	}
	layout := g.layout(l, scope{prefix, kept(l)}, "")
	fmt.Fprintf(&g.packets, "packet(%s, %s, %s, %s, %d, %d, %s, %s)\n", key, quote(r.Name), to, quote(r.Lane.String()), max(r.Min, l.Min()), r.Max, event, layout)
}

// A scope is where a field stands.
type scope struct {
	prefix string          // of the names of fields
	keep   map[string]bool // names of fields that others depend on
}

func (s scope) in(name string) scope { return scope{s.prefix + "." + name, s.keep} }

// kept finds the names of the fields that others depend on.
func kept(l wire.Layout) map[string]bool {
	names := map[string]bool{}
	var walk func(l wire.Layout)
	walk = func(l wire.Layout) {
		for _, f := range l.Fields {
			names[f.By] = true
			if f.Shape() == wire.ShapeStructs {
				names[f.Elements().By] = true
			}
			for _, p := range f.Parts {
				walk(p.Layout)
			}
		}
	}
	walk(l)
	return names
}

// layout is a table of nodes.
func (g *generator) layout(l wire.Layout, s scope, indent string) string {
	if len(l.Fields) == 0 {
		return "{}"
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, f := range l.Fields {
		b.WriteString(indent + "\t" + g.node(f, s, indent+"\t") + ",\n")
	}
	b.WriteString(indent + "}")
	return b.String()
}

// node is one field.
func (g *generator) node(f wire.Field, s scope, indent string) string {
	switch f.Shape() {
	case wire.ShapeUnion:
		return g.union(f, s, indent)
	case wire.ShapeStructs:
		return g.call("list", f, s, elements(f), g.layout(f.Parts[0].Layout, s.in(f.Name), indent))
	case wire.ShapeValues:
		return fmt.Sprintf("list(nil, %s, nil, %s, {%s})", quote(f.Name), elements(f), g.value(f.Element(), s))
	case wire.ShapeStruct:
		if p := f.Parts[0]; p.Title == f.Type {
			return g.call("struct", f, s, g.structure(p))
		}
		return g.call("struct", f, s, g.layout(f.Parts[0].Layout, s.in(f.Name), indent), quote(f.By)) // what fills a tail
	}
	return g.value(f, s)
}

// elements says how many elements a list has, and how many bytes it has for
// them if that is fixed.
func elements(f wire.Field) string {
	how := fmt.Sprintf("count = %d", f.Elements().Number)
	switch e := f.Elements(); {
	case e.Bytes:
		how = "fills = " + quote(e.By)
	case e.By != "":
		how = "by = " + quote(e.By)
	}
	if f.By != "" && f.Min == f.Max {
		how += fmt.Sprintf(", room = %d", f.Max)
	}
	return "{" + how + "}"
}

func (g *generator) union(f wire.Field, s scope, indent string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "union(%s, {\n", quote(f.By))
	for _, p := range f.Parts {
		b.WriteString(indent + "\t" + g.layout(p.Layout, s, indent+"\t") + ",\n")
	}
	b.WriteString(indent + "})")
	return b.String()
}

// structure is the name of a shared structure, which is written once.
func (g *generator) structure(p wire.Part) string {
	if !g.structs[p.Title] {
		g.structs[p.Title] = true
		layout := g.layout(p.Layout, scope{snake(p.Title), kept(p.Layout)}, "") // first, for it may have structures inside
		fmt.Fprintf(&g.shared, "local %s = %s\n", p.Title, layout)
	}
	return p.Title
}

// value is one number, text or run of bytes.
func (g *generator) value(f wire.Field, s scope) string {
	switch {
	case f.Name == "packet_id":
		return `number("u8", "packet_id", "packet_id", nil, nil, names, true)`
	case f.Name == "token":
		return "token()"
	case f.Dim == "" && strings.HasPrefix(f.Type, "str"):
		return g.call("str", f, s, fmt.Sprintf("%d, ", wire.Width(f.Type)))
	case f.Dim == "" && (f.Type == "vec3" || f.Type == "quat" || f.Type == "rgba"):
		return g.call(f.Type, f, s)
	case f.Dim == "":
		return g.number(f, s)
	case f.Name == "padding" && f.Note == "zeros":
		return fmt.Sprintf("zeros(%d)", f.Max)
	case f.Text && f.By != "" && f.Min == f.Max: // room
		return g.call("text", f, s, fmt.Sprint(f.Max), quote(f.By))
	case f.Text && f.By != "":
		return g.call("piece", f, s, quote(f.By))
	case f.By == wire.ToTheEnd:
		return g.call("bytes", f, s, "REST")
	case f.By != "" && f.Min != f.Max:
		return g.call("bytes", f, s, quote(f.By))
	case f.Text && f.Note == "": // of any bytes
		return g.call("raw", f, s, fmt.Sprint(f.Max))
	case f.Text:
		return g.call("text", f, s, fmt.Sprint(f.Max))
	}
	return g.call("bytes", f, s, fmt.Sprint(f.Max))
}

func (g *generator) number(f wire.Field, s scope) string {
	keep, table, hex := "nil", "nil", "nil"
	if s.keep[f.Name] {
		keep = quote(f.Name)
	}
	if f.Word != nil {
		table = g.table(f)
	}
	if strings.HasPrefix(f.Note, "bit") {
		hex = "true"
	}
	return g.call("number", f, s, keep, table, hex)
}

// call writes the call of a node's function: names, description and what else
// it takes. The arguments of str and number begin with their type.
func (g *generator) call(function string, f wire.Field, s scope, more ...string) string {
	first := ""
	switch function {
	case "number":
		first = quote(f.Type) + ", "
	case "str":
		first, more = more[0], more[1:]
	}
	note := "nil"
	if f.Note != "" {
		note = quote(f.Note)
	}
	abbrev := s.prefix + "." + f.Name
	if _, ok := g.ids[f.Name]; ok {
		abbrev, note = f.Name, "nil" // what it may be differs from packet to packet
	}
	abbrev = g.unique(abbrev, fmt.Sprint(function, first, f.Name, note, more))
	args := append([]string{quote(abbrev), quote(f.Name), note}, more...)
	for args[len(args)-1] == "nil" {
		args = args[:len(args)-1]
	}
	return function + "(" + first + strings.Join(args, ", ") + ")"
}

// unique is a name that no field has that is declared in another way, as those
// of the cases of a union may be.
func (g *generator) unique(abbrev, declaration string) string {
	name := abbrev
	for n := 2; ; n++ {
		if old, ok := g.taken[name]; !ok || old == declaration {
			g.taken[name] = declaration
			return name
		}
		name = fmt.Sprintf("%s_%d", abbrev, n)
	}
}

// table is the values of an enum that have a word, written once.
func (g *generator) table(f wire.Field) string {
	var b strings.Builder
	for v := range uint64(256) { // every enum is a u8
		word := f.Word(v)
		if word != "" && !strings.HasSuffix(word, fmt.Sprintf("(%d)", v)) { // which stands for none
			fmt.Fprintf(&b, "[%d] = %s, ", v, quote(word))
		}
	}
	content := strings.TrimSuffix(b.String(), ", ")
	if g.tables[content] == "" {
		name := fmt.Sprintf("words.%s", f.Name)
		for n := 2; strings.Contains(g.words.String(), name+" ="); n++ {
			name = fmt.Sprintf("words.%s_%d", f.Name, n)
		}
		g.tables[content] = name
		fmt.Fprintf(&g.words, "%s = {%s}\n", name, content)
	}
	return g.tables[content]
}

// ids are the names of ids and generations that have one type wherever they
// stand: everything of that name is about one kind of thing.
func ids() map[string]string {
	types := map[string]string{}
	var walk func(l wire.Layout)
	walk = func(l wire.Layout) {
		for _, f := range l.Fields {
			if strings.HasSuffix(f.Name, "_id") || strings.HasSuffix(f.Name, "_token") {
				if old, ok := types[f.Name]; ok && old != f.Type || f.Dim != "" || f.Word != nil {
					types[f.Name] = ""
				} else {
					types[f.Name] = f.Type
				}
			}
			for _, p := range f.Parts {
				walk(p.Layout)
			}
		}
	}
	table := protocol.Table()
	for i := range table {
		walk(protocol.Describe(&table[i]))
	}
	for name, kind := range types {
		if kind == "" {
			delete(types, name)
		}
	}
	return types
}

// snake turns a packet's or structure's name into a filter's: ViewOpen into
// view_open.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == ' ':
			b.WriteByte('_')
			continue
		case r >= 'A' && r <= 'Z' && i > 0 && name[i-1] >= 'a':
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}

// quote writes a string of Lua.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
