package pages

import (
	"os"
	"path/filepath"
	"testing"
)

// The pages in docs are what the code says now: "make docs" writes them again.
func TestGeneratingAgainChangesNothing(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	hosts, err := os.ReadFile(filepath.Join(docs, "hosts.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := Files(string(hosts))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil {
			t.Errorf("%v: run \"make docs\"", err)
		} else if string(got) != want {
			t.Errorf("docs/%s is not what the code says: run \"make docs\"", name)
		}
	}
}
