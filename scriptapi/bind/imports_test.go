package bind

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// gopher-lua is imported by the sandbox and by this package, and by nothing else: the rest of the program speaks Go values.
func TestWhoImportsLua(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		if strings.HasPrefix(rel, "scriptapi/sandbox/") || strings.HasPrefix(rel, "scriptapi/bind/") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return nil // its own package's build says so
		}
		for _, imp := range f.Imports {
			if name, _ := strconv.Unquote(imp.Path.Value); strings.HasPrefix(name, "github.com/yuin/gopher-lua") {
				t.Errorf("%s imports %s", rel, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
