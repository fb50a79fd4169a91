package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
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
there is a fault.

A line "file:line: hint: ..." is about what its author may not have meant; hints
alone leave the exit status 0.`,
	setup: func(fs *flag.FlagSet) runner {
		config := fs.String("config", "", "read this `FILE` instead of server.toml in the folder")
		return func(_ context.Context, e *env, args []string) error {
			dir, err := folderArgument(args)
			if err != nil {
				return err
			}
			return check(e, dir, *config)
		}
	},
}

// check prints all faults of a folder.
func check(e *env, dir, config string) error {
	var faults, found, hints resources.Faults
	cfg, err := readConfig(dir, config)
	if err != nil && !errors.As(err, &faults) {
		return err
	}
	bundles, wrong, err := resources.Check(host.ResourcesConfig(cfg), nil)
	if err != nil {
		return err
	}
	found = wrong
	names := make([]string, len(bundles))
	for i, b := range bundles {
		names[i] = b.Name
		wrong, meant := scriptapi.Check(b)
		found = append(append(found, wrong...), pages.Check(b)...)
		hints = append(hints, meant...)
	}
	var unknown resources.Faults
	if errors.As(cfg.CheckNames(names), &unknown) {
		faults = append(faults, unknown...)
		faults.Sort()
	}
	found.Sort()
	faults = append(faults, found...) // the configuration first
	for _, fault := range faults {
		fmt.Fprintln(e.out, fault)
	}
	for _, hint := range hints {
		hint.Text = "hint: " + hint.Text
		fmt.Fprintln(e.out, hint)
	}
	if terminal(e.out) {
		fmt.Fprintf(e.out, "%s, %s.\n", count(len(bundles), "resource"), count(len(faults), "fault"))
	}
	if len(faults) > 0 {
		return errSilent
	}
	return nil
}

// terminal tells a person from a pipe.
func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
