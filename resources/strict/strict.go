// Package strict reads TOML files against a declaration of every key that they may have, and reports all that is wrong
// with them at once: each fault with its file, its line and the nearest valid name.
//
// The declaration is a [Table] of rows. A row names a key as the file does ("server.port"), says where its value goes and
// what it may be, and what it means; the value that stands there before the file is read is the default. From the same
// rows come the checks, the error texts and the reference page ([Table.Rows], [Table.Markdown]):
//
//	table := strict.Table{
//		strict.Key("server.name", strict.String(&c.Name, strict.Bytes(1, 63)), "shown in server lists").Live(),
//		strict.Key("server.port", strict.Integer(&c.Port, 1, 65535), "UDP port"),
//		strict.Key("auth.providers", strict.Tables(&c.Providers, 0, 4, func(p *Provider) strict.Table { ... }), "..."),
//	}
//	file, faults := table.Read("server.toml", data)
//
// Names are exact: TOML knows no letter case folding, so "Files" is an unknown key beside "files", and both together are
// refused. A file that has a fault is refused whole; its targets are then half filled and not to be used.
package strict

import (
	"fmt"
	"strings"
)

// Table declares the keys of a file, or of a table in it, in the order of its reference page.
type Table []Row

// Row declares one key.
type Row struct {
	name     string
	value    Value
	meaning  string
	live     bool
	required bool
	unused   bool
	fallback string
}

// Key begins a row: the dotted name of the key, what its value is and one sentence about it. Every part of the name but
// the last is a table; keys that are tables by themselves are made by [Group], [ByName] and [Tables].
func Key(name string, value Value, meaning string) Row {
	return Row{name: name, value: value, meaning: meaning}
}

// Live marks a key that is taken over without a restart when the file changes.
func (r Row) Live() Row { r.live = true; return r }

// Unused marks a key that is read and checked, and that nothing uses yet.
func (r Row) Unused() Row { r.unused = true; return r }

// Required marks a key that has no default.
func (r Row) Required() Row { r.required = true; return r }

// Default is what the reference page says of the default where the target's value does not say it: "server.port".
func (r Row) Default(text string) Row { r.fallback = text; return r }

// Read fills the targets of t with what data says, and gives all faults; file is the name that they carry.
// The File is there, for the checks across keys, even when there are faults, but for faults of syntax.
func (t Table) Read(file string, data []byte) (*File, Faults) {
	root, faults := parse(file, data)
	if faults != nil {
		return nil, faults
	}
	r := &reader{file: file}
	t.group().read(r, root, "")
	r.faults.Sort()
	return &File{name: file, root: root}, r.faults
}

// File knows where the keys of a file stand, for faults that the rows cannot find: of two keys together, of other files.
type File struct {
	name string
	root *node
}

// Has reports whether the file has the key; "auth.providers[1].issuer" is in the second table of a list.
func (f *File) Has(key string) bool {
	_, ok := f.find(key)
	return ok
}

// Line is the line of the key, or of the innermost table around it that the file has, or 1.
func (f *File) Line(key string) int {
	n, _ := f.find(key)
	return n.line
}

// Fault makes a fault at the key.
func (f *File) Fault(key, format string, args ...any) Fault {
	return Fault{f.name, f.Line(key), fmt.Sprintf(format, args...)}
}

func (f *File) find(key string) (*node, bool) {
	n := f.root
	for key != "" {
		name, rest, _ := strings.Cut(key, ".")
		name, index, isItem := strings.Cut(name, "[")
		child, ok := n.keys[name]
		if !ok {
			return n, false
		}
		n, key = child, rest
		if !isItem {
			continue
		}
		var i int
		if _, err := fmt.Sscanf(index, "%d]", &i); err != nil || i < 0 || i >= len(n.items) {
			return n, false
		}
		n = n.items[i]
	}
	return n, true
}

// reader is one reading of one file.
type reader struct {
	file   string
	faults Faults
}

func (r *reader) fault(line int, format string, args ...any) {
	r.faults = append(r.faults, Fault{r.file, line, fmt.Sprintf(format, args...)})
}
