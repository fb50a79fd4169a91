package strict

import (
	"strings"

	"github.com/BurntSushi/toml"
)

// node is one value of a document and where it stands. The library says what a document means but not on which line;
// the scanner below finds the lines, of documents that the library has already accepted.
type node struct {
	line  int
	value any              // a scalar, where keys and items are nil
	keys  map[string]*node // of a table
	order []string         // its keys as they stand in the file
	items []*node          // of a list
}

// key gives the node of a key of the table n, made at line where it is new.
func (n *node) key(name string, line int) *node {
	if n.keys == nil {
		n.keys = map[string]*node{}
	}
	child := n.keys[name]
	if child == nil {
		child = &node{line: line}
		n.keys[name] = child
		n.order = append(n.order, name)
	}
	return child
}

// inner follows the path of a dotted key or a header; in an array of tables that is its newest table.
func (n *node) inner(path []string, line int) *node {
	for _, name := range path {
		n = n.key(name, line).newest()
	}
	return n
}

func (n *node) newest() *node {
	if len(n.items) > 0 {
		return n.items[len(n.items)-1]
	}
	return n
}

type scanner struct {
	text string
	at   int
	line int
}

// scan gives the tree of positions of a document that is valid TOML.
func scan(text string) *node {
	s := &scanner{text: text, line: 1}
	root := &node{line: 1, keys: map[string]*node{}}
	table := root
	for s.blank(); s.at < len(s.text); s.blank() {
		if s.text[s.at] == '[' {
			table = s.header(root)
		} else {
			s.pair(table)
		}
	}
	return root
}

// header reads [a.b] or [[a.b]] and gives the table that it opens.
func (s *scanner) header(root *node) *node {
	s.skip(1)
	array := s.peek() == '['
	if array {
		s.skip(1)
	}
	line := s.line
	path := s.path()
	if len(path) == 0 {
		return root
	}
	s.skip(1)
	if array {
		s.skip(1)
	}
	last := len(path) - 1
	n := root.inner(path[:last], line).key(path[last], line)
	if array {
		n.items = append(n.items, &node{line: line, keys: map[string]*node{}})
		return n.newest()
	}
	n.line = line
	return n.newest()
}

// pair reads key = value into table.
func (s *scanner) pair(table *node) {
	line := s.line
	path := s.path()
	if len(path) == 0 {
		s.skip(1)
		return
	}
	s.skip(1) // =
	s.blank()
	last := len(path) - 1
	s.value(table.inner(path[:last], line).key(path[last], line))
}

// path reads a dotted key up to the = or ] behind it.
func (s *scanner) path() (path []string) {
	for {
		s.blank()
		start := s.at
		switch c := s.peek(); c {
		case '"', '\'':
			s.quoted()
			path = append(path, unquote(s.text[start:s.at]))
		default:
			for s.at < len(s.text) && !strings.ContainsRune(" \t\r\n.=]#\"'", rune(s.text[s.at])) {
				s.at++
			}
			if s.at == start {
				return path
			}
			path = append(path, s.text[start:s.at])
		}
		s.blank()
		if s.peek() != '.' {
			return path
		}
		s.skip(1)
	}
}

// value reads a value; n has the line of its key or, in a list, of its own.
func (s *scanner) value(n *node) {
	switch s.peek() {
	case '"', '\'':
		s.quoted()
	case '[':
		s.skip(1)
		for s.blank(); s.at < len(s.text) && s.peek() != ']'; s.blank() {
			if s.peek() == ',' {
				s.skip(1)
				continue
			}
			item := &node{line: s.line}
			n.items = append(n.items, item)
			s.value(item)
		}
		s.skip(1)
	case '{':
		s.skip(1)
		for s.blank(); s.at < len(s.text) && s.peek() != '}'; s.blank() {
			if s.peek() == ',' {
				s.skip(1)
				continue
			}
			s.pair(n)
		}
		s.skip(1)
	default:
		start := s.at
		for s.at < len(s.text) && !strings.ContainsRune(",]}\r\n#", rune(s.text[s.at])) {
			s.at++
		}
		if s.at == start {
			s.skip(1)
		}
	}
}

// quoted passes a string of any of the four kinds.
func (s *scanner) quoted() {
	q := s.text[s.at : s.at+1]
	if long := q + q + q; strings.HasPrefix(s.text[s.at:], long) {
		s.skip(3)
		for s.at < len(s.text) && !strings.HasPrefix(s.text[s.at:], long) {
			s.character(q)
		}
		s.skip(3)
		for range 2 { // up to two more quotes belong to the text: """a"""""
			if s.at < len(s.text) && s.text[s.at] == q[0] {
				s.at++
			}
		}
		return
	}
	s.skip(1)
	for s.at < len(s.text) && s.text[s.at] != q[0] {
		s.character(q)
	}
	s.skip(1)
}

// character passes one character of a string, or one escape of a string in double quotes.
func (s *scanner) character(quote string) {
	if s.text[s.at] == '\\' && quote == `"` {
		s.skip(1)
	}
	s.skip(1)
}

// blank passes white space, line ends and comments.
func (s *scanner) blank() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.skip(1)
		case '#':
			for s.at < len(s.text) && s.text[s.at] != '\n' {
				s.at++
			}
		default:
			return
		}
	}
}

func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// skip passes n bytes and counts the lines among them.
func (s *scanner) skip(n int) {
	for ; n > 0 && s.at < len(s.text); n-- {
		if s.text[s.at] == '\n' {
			s.line++
		}
		s.at++
	}
}

// unquote gives the name of a quoted key. Escapes are left to the library that knows them.
func unquote(raw string) string {
	if raw[0] == '"' && strings.Contains(raw, `\`) {
		var one map[string]string
		if _, err := toml.Decode("k="+raw, &one); err == nil {
			return one["k"]
		}
	}
	return raw[1 : len(raw)-1]
}

// fill puts the decoded values into the tree of positions.
func (n *node) fill(value any) {
	switch v := value.(type) {
	case map[string]any:
		if n.keys == nil {
			n.keys = map[string]*node{}
		}
		for name, inner := range v {
			n.key(name, n.line).fill(inner)
		}
	case []map[string]any:
		n.list(len(v))
		for i := range v {
			n.items[i].fill(v[i])
		}
	case []any:
		n.list(len(v))
		for i := range v {
			n.items[i].fill(v[i])
		}
	default:
		n.value = v
	}
}

// list makes n a list of so many items, for the case that the scanner saw fewer.
func (n *node) list(length int) {
	for len(n.items) < length {
		n.items = append(n.items, &node{line: n.line})
	}
	if n.items == nil {
		n.items = []*node{}
	}
}
