package protocol_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/wire"
)

// TestFieldNames holds each layout field by field, with type, name and order,
// to testdata/layouts.txt, the blocks of the specification's pages: the packets,
// the structures that they share, and the entries of lists that have a block.
// What a page tells in prose has no block; there the number of things that
// follow is sometimes called n, which is count here, as in every block.
func TestFieldNames(t *testing.T) {
	data, err := os.ReadFile("testdata/layouts.txt")
	if err != nil {
		t.Fatal(err)
	}
	layouts := everyLayout()
	for section := range strings.SplitSeq(string(data), "# ") {
		head, block, _ := strings.Cut(section, "\n")
		if head == "" {
			continue
		}
		l, ok := layouts[head]
		if !ok {
			t.Errorf("%s has no layout", head)
			continue
		}
		delete(layouts, head)
		want := strings.Split(strings.TrimSpace(block), "\n")
		for i, line := range want {
			want[i] = floats(line)
		}
		if got := declarations(l); !slices.Equal(got, want) {
			t.Errorf("%s is\n%s\nwant\n%s", head, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	for head := range layouts {
		if !strings.HasSuffix(head, " entries") { // most are told in prose
			t.Errorf("%s is in no block", head)
		}
	}
}

// everyLayout is those of the packets by the names of their types, of the
// structures in them, and of their lists' entries.
func everyLayout() map[string]wire.Layout {
	all := map[string]wire.Layout{"ServerQueryAnswer": protocol.DescribeAnswer()}
	var structures func(l wire.Layout)
	structures = func(l wire.Layout) {
		for _, f := range l.Fields {
			for _, p := range f.Parts {
				if p.Title == f.Type {
					all[p.Title] = p.Layout
				}
				structures(p.Layout)
			}
		}
	}
	for _, r := range protocol.Table() {
		name, l := reflect.TypeOf(r.New()).Elem().Name(), protocol.Describe(&r)
		all[name] = l
		structures(l)
		for _, f := range l.Fields {
			if f.Name == "entries" && len(f.Parts) == 1 {
				all[name+" entries"] = f.Parts[0].Layout
			}
		}
	}
	return all
}

// declarations writes a layout as the pages do, a field a line.
func declarations(l wire.Layout) []string {
	var lines []string
	for _, f := range l.Fields {
		line := fmt.Sprintf("%s %s", f.Type, f.Name)
		if f.Dim != "" {
			line += fmt.Sprintf("[%s]", f.Dim)
		}
		lines = append(lines, floats(line))
	}
	return lines
}

var threeFloats = regexp.MustCompile(`^vec3 (\w+)(?:\[(\d+)\])?$`)

// floats lets the pages' two spellings of three floats be one.
func floats(line string) string {
	m := threeFloats.FindStringSubmatch(line)
	if m == nil {
		return line
	}
	n := 1
	if m[2] != "" {
		fmt.Sscan(m[2], &n)
	}
	return fmt.Sprintf("f32 %s[%d]", m[1], 3*n)
}
