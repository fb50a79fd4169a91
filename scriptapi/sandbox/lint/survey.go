package lint

import (
	"fmt"
	"slices"

	"darqline/resources/nearest"
	"darqline/resources/strict"
)

// survey is what the walks over all files of a resource found. What it means is
// judged at the end, when it is known which globals the resource itself sets.
type survey struct {
	Catalogue
	faults, hints strict.Faults
	modules       []string // what require finds
	reads         []use
	members       []use
	sets          map[string]*use // globals, by the first place that sets them
	added         map[string]bool // members that the resource adds: "string.trim"
	dynamic       bool            // _G is used by keys that only the run knows
	broken        bool            // a file could not be read, so its globals are unknown
}

// use is a name at a place.
type use struct {
	file     string
	line     int
	path     string   // "print", "mp.players"
	known    []string // names that could have been meant
	inside   bool     // a function
	suspects []string // for a member: what it could have been
	colon    string   // for a table: what of it was called with a colon
}

func newSurvey(c Catalogue) *survey {
	return &survey{Catalogue: c, sets: map[string]*use{}, added: map[string]bool{}}
}

func (s *survey) fault(u use, format string, v ...any) {
	s.faults = append(s.faults, strict.Fault{File: u.file, Line: u.line, Text: fmt.Sprintf(format, v...)})
}

func (s *survey) judge() {
	globals := s.Globals.names()
	for name := range s.sets {
		globals = append(globals, name)
	}
	slices.Sort(globals)
	if !s.dynamic && !s.broken {
		for _, u := range s.reads {
			s.judgeGlobal(u, globals)
		}
	}
	for _, u := range s.members {
		if s.sets[root(u.path)] == nil && !s.added[u.path] {
			s.judgeMember(u)
		}
	}
	for name, u := range s.sets {
		if _, known := s.Globals[name]; u.inside && !known {
			s.hints = append(s.hints, strict.Fault{File: u.file, Line: u.line, Text: fmt.Sprintf(
				"%q becomes a global of the whole resource; write \"local %s\" if it is not meant to be one", name, name)})
		}
	}
}

func (s *survey) judgeGlobal(u use, globals []string) {
	if _, known := s.Globals[u.path]; known || s.sets[u.path] != nil {
		return
	}
	if advice, ok := absent[u.path]; ok {
		s.fault(u, "there is no %s here: %s", u.path, advice)
		return
	}
	text := fmt.Sprintf("global %q is never set", u.path)
	if name, ok := nearest.Name(u.path, append(u.known, globals...)); ok {
		text += fmt.Sprintf("; did you mean %q?", name)
	}
	s.fault(u, "%s", text)
}

func (s *survey) judgeMember(u use) {
	if u.colon != "" {
		s.fault(u, "%s.%s takes no %s as its first argument; write %[1]s.%[2]s(...) with a dot", u.path, u.colon, u.path)
		return
	}
	if advice, ok := absent[u.path]; ok {
		s.fault(u, "there is no %s here: %s", u.path, advice)
		return
	}
	i := len(u.path)
	for u.path[i-1] != '.' {
		i--
	}
	table, name := u.path[:i-1], u.path[i:]
	s.fault(u, "%s has no %q%s", table, name, strict.Meant(name, u.suspects))
}
