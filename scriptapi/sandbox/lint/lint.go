// Package lint finds what is wrong in the Lua files of a resource without
// running them: syntax errors, globals that nothing sets, members that mp and the
// libraries do not have, events that there are not. Every name is resolved in its
// scope; what cannot be known before it runs is never a fault.
package lint

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/parse"

	"darqline/resources/strict"
	"darqline/scriptapi/sandbox"
)

// File is one Lua file of a resource, as its bundle has it: without a byte order
// mark and a first line that begins with #.
type File struct {
	Path   string // as faults show it, with the resource in front: "shop/lib/util.lua"
	Source []byte
}

// Members are the names in a table, each with the names in that one. A member
// that is nil is no table or one whose members nobody knows; those of an empty
// one are known: it has none.
type Members map[string]Members

// Catalogue is what scripts can use.
type Catalogue struct {
	Globals Members  // "mp", "string", "print" ...
	Events  []string // the names that mp.on takes
}

// Check looks through all Lua files of one resource; a global that one of them
// sets is known in the others. Faults go wrong when the script runs, hints are
// what its author may not have meant. Both are in the order of files and lines.
func Check(files []File, c Catalogue) (faults, hints strict.Faults) {
	s := newSurvey(c)
	for _, f := range files {
		s.modules = append(s.modules, module(f.Path))
	}
	for _, f := range files {
		if _, err := sandbox.Compile(f.Path, f.Source); err != nil {
			s.faults = append(s.faults, syntaxFault(f.Path, err))
			s.broken = true
			continue
		}
		tree, err := parse.Parse(bytes.NewReader(f.Source), f.Path)
		if err != nil {
			s.faults = append(s.faults, syntaxFault(f.Path, err))
			continue
		}
		w := walker{survey: s, file: f.Path, scope: &scope{}}
		w.block(tree)
	}
	s.judge()
	return tidy(s.faults), tidy(s.hints)
}

// module is what require calls a file: "lib.util" for "shop/lib/util.lua".
func module(path string) string {
	if _, inside, ok := strings.Cut(path, "/"); ok {
		path = inside
	}
	return strings.ReplaceAll(strings.TrimSuffix(path, ".lua"), "/", ".")
}

func syntaxFault(path string, err error) strict.Fault {
	var syntax *sandbox.SyntaxError
	if errors.As(err, &syntax) {
		return strict.Fault{File: path, Line: syntax.Line, Text: syntax.Text}
	}
	return strict.Fault{File: path, Text: err.Error()}
}

// tidy sorts faults and leaves one of those that say the same of one line.
func tidy(fs strict.Faults) strict.Faults {
	fs.Sort()
	return slices.Compact(fs)
}

func (m Members) names() []string { return slices.Sorted(maps.Keys(m)) }

// root is the first name of a path.
func root(path string) string {
	name, _, _ := strings.Cut(path, ".")
	return name
}
