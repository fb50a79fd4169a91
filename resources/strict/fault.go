package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"darqline/resources/nearest"
)

// Fault is one thing that is wrong in one file, said to the person who wrote it.
type Fault struct {
	File string // as shown: "shop/resource.toml"
	Line int    // from 1; 0 where the fault is of the whole file
	Text string // what was expected, what came, what to do
}

func (f Fault) String() string {
	switch {
	case f.File == "":
		return f.Text
	case f.Line == 0:
		return f.File + ": " + f.Text
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
}

// Faults is everything that was found wrong. It is an error, one fault a line.
type Faults []Fault

func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// Err is fs as an error, nil where there is no fault.
func (fs Faults) Err() error {
	if len(fs) == 0 {
		return nil
	}
	return fs
}

// Sort puts faults in the order of files and lines, those of one line in the order they were found.
func (fs Faults) Sort() {
	slices.SortStableFunc(fs, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
}

// Meant is the tail of an error text about an unknown name: the nearest of the known ones, or all of them where none is
// near and they are few.
func Meant(got string, among []string) string {
	if name, ok := nearest.Name(got, among); ok {
		return fmt.Sprintf("; did you mean %q?", name)
	}
	if len(among) == 0 || len(among) > 12 {
		return ""
	}
	return "; there is " + words(among, "and")
}

// words lists quoted names as a sentence does: "a", "b" or "c".
func words(names []string, last string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	return strings.Join(quoted[:len(quoted)-1], ", ") + " " + last + " " + quoted[len(quoted)-1]
}
