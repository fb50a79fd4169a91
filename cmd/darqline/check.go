package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"darqline/host"
	"darqline/resources"
	"darqline/resources/pages"
	"darqline/scriptapi"
)

var checkCommand = command{
	name:    "check",
	args:    "[dir]",
	summary: "find what is wrong without starting anything",
	help: `Reads the configuration, every manifest, every Lua file and every view page of a
server's folder, and prints one "file:line: fault" a line. The exit status is 1 if
there is a fault.`,
	setup: func(fs *flag.FlagSet) runner {
		config := fs.String("config", "", "read this `FILE` instead of server.toml in the folder")
		return func(_ context.Context, e *env, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("one folder at most, not %q: %w", args, errUsage)
			}
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return check(e, dir, *config)
		}
	},
}

// check prints all faults of a folder.
func check(e *env, dir, config string) error {
	var faults resources.Faults
	o := serveOptions{config: config}
	cfg, err := o.read(dir)
	if err != nil && !errors.As(err, &faults) {
		return err
	}
	bundles, more, err := resources.Check(host.ResourcesConfig(cfg), nil)
	if err != nil {
		return err
	}
	faults = append(faults, more...)
	for _, b := range bundles {
		faults = append(faults, scriptapi.Check(b)...)
		faults = append(faults, pages.Check(b)...)
	}
	for _, fault := range faults {
		fmt.Fprintln(e.out, fault)
	}
	if len(faults) > 0 {
		return errSilent
	}
	if isTerminal(e.out) {
		fmt.Fprintf(e.out, "%d resources, nothing wrong.\n", len(bundles))
	}
	return nil
}

// isTerminal tells a person from a pipe.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
