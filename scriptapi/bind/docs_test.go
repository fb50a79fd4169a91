package bind

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"darqline/scriptapi/sandbox"
)

var update = flag.Bool("update", false, "write testdata anew")

// The reference and the stubs of the tests' registry, as files to read.
func TestGolden(t *testing.T) {
	r := newRegistry(&world{})
	files := r.Docs()
	files["stubs.lua"] = r.Stubs()
	for name, got := range files {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs; look at it after: go test ./scriptapi/bind -run Golden -update\n%s", path, got)
		}
	}
	if entries, _ := os.ReadDir("testdata"); len(entries) != len(files) {
		t.Errorf("testdata has %d files, the registry makes %d", len(entries), len(files))
	}
	if again := newRegistry(&world{}).Stubs(); again != files["stubs.lua"] {
		t.Error("made twice, the stubs differ")
	}
}

// The stubs are Lua, and every example compiles.
func TestStubsCompile(t *testing.T) {
	r := newRegistry(&world{})
	if _, err := sandbox.Compile("stubs.lua", []byte(r.Stubs())); err != nil {
		t.Error(err)
	}
	for name, examples := range r.Examples() {
		for _, e := range examples {
			if _, err := sandbox.Compile(name, []byte(e)); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestCatalogue(t *testing.T) {
	c := newRegistry(&world{}).Catalogue()
	mp := c.Globals["mp"]
	_, send := mp["chat"]["send"]
	_, format := c.Globals["string"]["format"]
	_, on := mp["on"]
	if !send || !format || !on || mp["exports"] != nil || len(c.Events) != 1 {
		t.Errorf("%v", c)
	}
}
