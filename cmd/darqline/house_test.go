package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// floors are the rooms from the ground up (docs/architecture.md): a room imports itself, the rooms inside of it, and rooms
// on lower floors.
var floors = [][]string{
	{"protocol/wire", "protocol/lane", "host/limit", "resources/nearest", "scriptapi/sandbox/number", "scriptapi/sandbox/pattern",
		"host/internal/wholefile"},
	{"protocol", "host/udp"},
	{"protocol/pacer", "protocol/internal", "resources/strict", "resources/watch", "host/bans"},
	{"resources", "client", "fixtures"},
	{"resources/pages", "client/play", "host/world"},
	{"scriptapi/sandbox"},
	{"scriptapi/bind"},
	{"scriptapi"},
	{"host/files", "host/session", "host/auth"},
	{"host"},
	{"host/internal"},
	{"cmd/darqline", "bench"},
}

// room finds the room of a package, the longest that fits, and its floor.
func room(pkg string) (name string, floor int) {
	for i, rooms := range floors {
		for _, r := range rooms {
			if (pkg == r || strings.HasPrefix(pkg, r+"/")) && len(r) > len(name) {
				name, floor = r, i
			}
		}
	}
	return name, floor
}

// Packages that are alone in knowing a library, so that another one can take its place.
var alone = map[string][]string{
	"github.com/yuin/gopher-lua":     {"scriptapi/sandbox", "scriptapi/bind"},
	"github.com/fsnotify/fsnotify":   {"resources/watch"},
	"github.com/BurntSushi/toml":     {"resources/strict"},
	"github.com/coder/websocket":     {"client/play"},
	"golang.org/x/net/html":          {"resources/pages"},
	"github.com/chromedp/chromedp":   {},
	"golang.org/x/text/unicode/norm": {"host/session"},
	"github.com/go-jose/go-jose/v4":  {"host/auth", "fixtures/issuer"},
}

func TestRoomsImportOnlyWhatIsBelow(t *testing.T) {
	root := filepath.Join("..", "..")
	documented := make(map[string]bool)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (strings.HasPrefix(name, ".") && path != root || name == "testdata" || name == "peers" || name == "bin") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(rel))
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		documented[pkg] = documented[pkg] || file.Doc != nil
		home, floor := room(pkg)
		if home == "" {
			t.Errorf("%s is in no room: give it a floor here and in docs/architecture.md", pkg)
		}
		for _, imp := range file.Imports {
			target, _ := strconv.Unquote(imp.Path.Value)
			for library, homes := range alone {
				if target == library || strings.HasPrefix(target, library+"/") {
					allowed := false
					for _, h := range homes {
						allowed = allowed || pkg == h || strings.HasPrefix(pkg, h+"/")
					}
					if !allowed {
						t.Errorf("%s imports %s, which only %v may", rel, target, homes)
					}
				}
			}
			inside, ok := strings.CutPrefix(target, "darqline/")
			if !ok {
				continue
			}
			other, below := room(inside)
			if other != home && below >= floor {
				t.Errorf("%s is on floor %d and imports %s of floor %d", rel, floor, inside, below)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("package %s has no doc comment", pkg)
		}
	}
}
