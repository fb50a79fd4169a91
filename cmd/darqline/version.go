package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"

	"darqline/protocol"
)

var versionCommand = command{
	name:    "version",
	summary: "print the version of the program and of the protocol",
	help:    "Prints the version of the program, the protocol's revision, and what it was built with.",
	setup: func(*flag.FlagSet) runner {
		return func(_ context.Context, e *env, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("it takes no arguments, not %q: %w", args, errUsage)
			}
			fmt.Fprintf(e.out, "darqline %s (protocol %d, %s, %s/%s)\n", version(), protocol.Version,
				runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		}
	},
}

// version is the module's, where it was built from one, else "dev".
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
