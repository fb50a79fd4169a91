package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"darqline/client/play"
	"darqline/cmd/darqline/templates"
	"darqline/protocol"
	"darqline/scriptapi"
)

var newCommand = command{
	name:    "new",
	args:    "NAME",
	summary: "make a resource to begin with",
	help: `Makes a resource: resource.toml, main.lua and a view, ready to run, in resources/NAME
of the present folder. Beside them go editor stubs and settings, so that an editor
with the Lua language server completes and checks all of "mp".

A server that is started afterwards runs it. One that runs already finds it and waits
for "start NAME" on its console.`,
	setup: func(fs *flag.FlagSet) runner {
		dir := fs.String("dir", ".", "the server's `FOLDER`")
		return func(_ context.Context, e *env, args []string) error {
			switch len(args) {
			case 0:
				return fmt.Errorf("name the resource: %w", errUsage)
			case 1:
				return makeResource(e, *dir, args[0])
			}
			return fmt.Errorf("one name, not %q: %w", args, errUsage)
		}
	},
}

// makeResource writes the templates under a name that nothing has yet.
func makeResource(e *env, dir, name string) error {
	if err := protocol.ValidResourceName(name); err != nil {
		return err
	}
	cfg, err := readConfig(dir, "")
	if err != nil {
		return err
	}
	target := filepath.Join(dir, cfg.Server.ResourcesDir, name)
	if filepath.IsAbs(cfg.Server.ResourcesDir) {
		target = filepath.Join(cfg.Server.ResourcesDir, name)
	}
	if _, err := os.Stat(target); err == nil {
		return fmt.Errorf("%s is there already: choose another name, or remove it first", target)
	}
	// All is written beside its place and moved there whole, so that a running server never sees half of it.
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	building, err := os.MkdirTemp(filepath.Dir(target), ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(building)
	if err := writeTemplates(building, name); err != nil {
		return err
	}
	if err := os.Chmod(building, 0o755); err != nil {
		return err
	}
	if err := os.Rename(building, target); err != nil {
		return err
	}
	if err := writeStubs(dir); err != nil {
		return err
	}
	fmt.Fprintf(e.out, "Made %s:\n", target)
	entries, err := os.ReadDir(target)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		fmt.Fprintf(e.out, "  %s\n", entry.Name())
	}
	serve := "darqline serve"
	if dir != "." {
		serve += " " + dir
	}
	fmt.Fprintf(e.out, "\nRun %q and, in a second terminal, \"darqline play\". Then save a file.\n"+
		"In a server that runs already, type \"start %s\".\n", serve, name)
	return nil
}

func writeTemplates(target, name string) error {
	root, err := fs.Sub(templates.New, "new")
	if err != nil {
		return err
	}
	return fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(filepath.Join(target, path), 0o755))
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		t, err := template.New(path).Parse(string(text))
		if err != nil {
			return err
		}
		var b strings.Builder
		if err := t.Execute(&b, map[string]string{"Name": name}); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(target, path), []byte(b.String()), 0o644)
	})
}

var stubsCommand = command{
	name:    "stubs",
	args:    "DIR",
	summary: "write editor stubs for Lua and for views",
	help: `Writes what editors need to know about this server's API: .darqline/mp.lua for the
Lua language server, .darqline/darqline.d.ts for the pages of views, and .luarc.json
with the settings that make the editor find them. An existing .luarc.json is kept.`,
	setup: func(*flag.FlagSet) runner {
		return func(_ context.Context, e *env, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name the server's folder: %w", errUsage)
			}
			if err := needFolder(args[0]); err != nil {
				return err
			}
			if err := writeStubs(args[0]); err != nil {
				return err
			}
			fmt.Fprintf(e.out, "Wrote the stubs to %s.\n", filepath.Join(args[0], stubsFolder))
			return nil
		}
	},
}

// stubsFolder begins with a dot, so that the watcher and most tools leave it alone.
const stubsFolder = ".darqline"

const luaSettings = `{
  "runtime.version": "Lua 5.1",
  "workspace.library": [".darqline"],
  "workspace.ignoreDir": [".git"],
  "diagnostics.globals": ["mp"]
}
`

func writeStubs(dir string) error {
	folder := filepath.Join(dir, stubsFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "mp.lua"), []byte(scriptapi.Stubs()), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "darqline.d.ts"), []byte(play.Types), 0o644); err != nil {
		return err
	}
	settings := filepath.Join(dir, ".luarc.json")
	if _, err := os.Stat(settings); err == nil {
		return nil
	}
	return os.WriteFile(settings, []byte(luaSettings), 0o644)
}
