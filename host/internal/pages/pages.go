// Package pages makes the reference pages of the Lua side and of the configuration.
package pages

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"darqline/host"
	"darqline/scriptapi"
)

// The marks between which docs/hosts.md is generated.
const (
	begin = "<!-- generated: the keys of server.toml -->\n"
	end   = "<!-- end -->\n"
)

// Files gives every generated page below the docs folder, by path. hosts is docs/hosts.md as it is.
func Files(hosts string) (map[string]string, error) {
	files := make(map[string]string)
	for name, text := range scriptapi.Docs() {
		files[filepath.Join("lua", name)] = text
	}
	head, rest, ok := strings.Cut(hosts, begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return nil, fmt.Errorf("docs/hosts.md has no marks for the generated table")
	}
	var table bytes.Buffer
	if err := host.WriteReference(&table); err != nil {
		return nil, err
	}
	files["hosts.md"] = head + begin + table.String() + end + tail
	return files, nil
}

// Write brings the pages of a docs folder up to date; a Lua page that nothing declares any more is removed.
func Write(docs string) error {
	hosts, err := os.ReadFile(filepath.Join(docs, "hosts.md"))
	if err != nil {
		return err
	}
	files, err := Files(string(hosts))
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(docs, "lua", "*.md"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if name := filepath.Join("lua", filepath.Base(path)); files[name] == "" && filepath.Base(path) != "differences.md" {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for name, text := range files {
		path := filepath.Join(docs, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
