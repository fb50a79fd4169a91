package main

import (
	"context"
	"flag"
	"fmt"
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
	return nil
}
