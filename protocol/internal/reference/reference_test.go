package reference

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darqline/protocol"
)

const dir = "../../../docs/protocol"

// TestPages fails when make docs would change a page.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	var all strings.Builder
	for _, path := range pages {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		filled, err := Fill(string(page))
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if filled != string(page) {
			t.Errorf("%s is not what the code says; run make docs", filepath.Base(path))
		}
		all.Write(page)
	}
	for _, r := range protocol.Table() {
		for _, b := range blocks(&r) {
			if !strings.Contains(all.String(), "<!-- packet "+b.name+" -->") {
				t.Errorf("%s is built and on no page", b.name)
			}
		}
	}
}

// TestLinks follows the links of the packet table and of the examples.
func TestLinks(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range protocol.Table() {
		if r.New == nil {
			continue
		}
		for _, b := range blocks(&r) {
			for _, part := range strings.Split(b.text(), "](")[1:] {
				link := part[:strings.IndexByte(part, ')')]
				if _, err := os.Stat(filepath.Join(dir, link)); err != nil {
					t.Error(err)
				}
			}
		}
		file := files[r.Page]
		page, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		heading := "## " + r.Name + " (" + hex(r.ID) + ")"
		if !strings.Contains(string(page), heading+"\n") {
			t.Errorf("%s has no heading %q", file, heading)
		}
		anchor := file + "#" + strings.ReplaceAll(strings.ToLower(r.Name), " ", "-") + "-" + strings.ToLower(hex(r.ID))
		if !strings.Contains(string(readme), anchor) {
			t.Errorf("README.md does not link %s", anchor)
		}
	}
}

func hex(id protocol.ID) string {
	const digits = "0123456789ABCDEF"
	return "0x" + string([]byte{digits[id>>4], digits[id&15]})
}

func TestFill(t *testing.T) {
	page, err := Fill("before\n<!-- packet ServerAck -->\nold\n<!-- end -->\nafter\n<!-- a remark -->\n")
	if err != nil || !strings.HasPrefix(page, "before\n<!-- packet ServerAck -->\nServer → Client, off the lane, 5 bytes.") ||
		strings.Contains(page, "old") || !strings.HasSuffix(page, "<!-- end -->\nafter\n<!-- a remark -->\n") {
		t.Errorf("%q, %v", page, err)
	}
	for mark, want := range map[string]string{
		"packet Nothing":   `no packet "Nothing" is built`,
		"packet PlayerSky": `no packet "PlayerSky" is built`,
		"pakcet ServerAck": `nothing is generated for the mark "pakcet"`,
	} {
		if _, err := Fill("<!-- " + mark + " -->\n<!-- end -->"); err == nil || err.Error() != want {
			t.Errorf("%s: %v", mark, err)
		}
	}
}
