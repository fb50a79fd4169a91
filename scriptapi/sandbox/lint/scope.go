package lint

// scope is a block with its local variables.
type scope struct {
	outer  *scope
	locals map[string]*local
}

// local is a local variable. As long as it is only another name for a table of the
// catalogue (local players = mp.players), path says for which.
type local struct{ path string }

func (s *scope) declare(name, path string) {
	if s.locals == nil {
		s.locals = map[string]*local{}
	}
	s.locals[name] = &local{path}
}

func (s *scope) find(name string) *local {
	for ; s != nil; s = s.outer {
		if l := s.locals[name]; l != nil {
			return l
		}
	}
	return nil
}

// names are those of all locals that can be seen.
func (s *scope) names() (names []string) {
	for ; s != nil; s = s.outer {
		for name := range s.locals {
			names = append(names, name)
		}
	}
	return names
}
