package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darqline/protocol/internal/samples"
)

// TestRun generates into an empty folder, where an old fixture and a page with
// a mark stand.
func TestRun(t *testing.T) {
	t.Chdir(t.TempDir())
	old := filepath.Join("fixtures", "protocol", "gone.bin")
	page := filepath.Join("docs", "protocol", "page.md")
	for _, path := range []string{old, page} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("<!-- packet ServerAck -->\n<!-- end -->\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, what := range []string{"fixtures", "docs"} {
		if err := run([]string{what}); err != nil {
			t.Fatal(err)
		}
	}
	valid, _ := filepath.Glob(filepath.Join("fixtures", "protocol", "*.*"))
	invalid, _ := filepath.Glob(filepath.Join("fixtures", "protocol", "invalid", "*"))
	if got, want := len(valid)+len(invalid), len(samples.Files()); got != want {
		t.Errorf("%d files instead of %d", got, want)
	}
	if b, _ := os.ReadFile(page); !strings.Contains(string(b), "server_ack.bin") {
		t.Errorf("the page is\n%s", b)
	}

	if err := os.WriteFile(page, []byte("<!-- packet ServerAxe -->\n<!-- end -->\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"docs"}); err == nil || !strings.Contains(err.Error(), "page.md: no packet \"ServerAxe\" is built") {
		t.Errorf("a wrong mark: %v", err)
	}
	if err := run(nil); err == nil || !strings.HasPrefix(err.Error(), "usage:") {
		t.Errorf("no argument: %v", err)
	}
}
