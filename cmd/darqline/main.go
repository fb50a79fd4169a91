// Darqline is the server of DarqlineMP, its reference client and the tools of those who write for it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"darqline/host"
	"darqline/resources/nearest"
	"darqline/resources/strict"
)

// command is one word behind darqline.
type command struct {
	name    string
	args    string // behind the flags, for the usage line
	summary string
	help    string
	setup   func(fs *flag.FlagSet) runner // declares the flags
}

// runner does a command's work with the flags that were declared for it.
type runner func(ctx context.Context, e *env, args []string) error

// commands in the order of --help.
func commands() []command {
	return []command{serveCommand, playCommand, queryCommand, botsCommand, newCommand, checkCommand, stubsCommand, issuerCommand, dumpCommand, dissectorCommand, fixturesCommand, versionCommand}
}

// env is the world around a command, so that tests can hand in their own.
type env struct {
	in       io.Reader
	out, err io.Writer
}

// Exit statuses: 1 for what a command found wrong, 2 for a call that it does not understand, 75 (a temporary failure, as
// mail programs have it) for a server that wants to be started again (docs/hosts.md, Stopping).
const (
	exitFault   = 1
	exitUsage   = 2
	exitRestart = 75
)

func main() {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup wants it ignored
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	context.AfterFunc(ctx, stop) // the first signal ends in order, the second at once
	status := run(ctx, &env{os.Stdin, os.Stdout, os.Stderr}, os.Args[1:])
	stop()
	os.Exit(status)
}

// errUsage is a call that was explained already.
var errUsage = errors.New("usage")

// errSilent is a fault that was printed already.
var errSilent = errors.New("fault")

func run(ctx context.Context, e *env, args []string) int {
	if len(args) == 0 || isHelp(args[0]) {
		if len(args) > 1 && args[0] == "help" {
			args = []string{args[1], "--help"}
		} else {
			usage(e.out)
			return 0
		}
	}
	if args[0] == "--version" {
		args[0] = "version"
	}
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
		if c.name != args[0] {
			continue
		}
		err := c.call(ctx, e, args[1:])
		switch {
		case err == nil || errors.Is(err, flag.ErrHelp):
			return 0
		case errors.Is(err, errUsage):
			return exitUsage
		case errors.Is(err, host.ErrRestart):
			return exitRestart
		case !errors.Is(err, errSilent):
			c.report(e.err, err)
		}
		return exitFault
	}
	fmt.Fprintf(e.err, "darqline: unknown command %q", args[0])
	if name, ok := nearest.Name(args[0], names); ok {
		fmt.Fprintf(e.err, "; did you mean %q?", name)
	}
	fmt.Fprintf(e.err, "\nThe commands are %s; \"darqline help\" explains them.\n", strings.Join(names, ", "))
	return exitUsage
}

// report writes an error: faults of files one a line, so that editors and terminals find the places.
func (c command) report(w io.Writer, err error) {
	var faults strict.Faults
	if !errors.As(err, &faults) {
		fmt.Fprintf(w, "darqline %s: %v\n", c.name, err)
		return
	}
	for _, f := range faults {
		fmt.Fprintln(w, f)
	}
	fmt.Fprintf(w, "darqline %s: %s; nothing was started\n", c.name, count(len(faults), "fault"))
}

// count is "1 fault", "2 faults".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func isHelp(arg string) bool {
	return arg == "help" || arg == "-h" || arg == "-help" || arg == "--help"
}

// call parses a command's flags and runs it.
func (c command) call(ctx context.Context, e *env, args []string) error {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	work := c.setup(fs)
	var positional []string
	for { // flags may stand before and behind the arguments
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			c.explain(e.out, fs)
			return err
		}
		if err != nil {
			fmt.Fprintf(e.err, "darqline %s: %s\n", c.name, flagFault(fs, err))
			c.usageLine(e.err)
			return errUsage
		}
		if fs.NArg() == 0 {
			break
		}
		positional = append(positional, fs.Arg(0))
		args = fs.Args()[1:]
	}
	err := work(ctx, e, positional)
	if errors.Is(err, errUsage) {
		if err != errUsage {
			fmt.Fprintf(e.err, "darqline %s: %v\n", c.name, strings.TrimSuffix(err.Error(), ": "+errUsage.Error()))
		}
		c.usageLine(e.err)
		return errUsage
	}
	return err
}

// flagFault words what package flag found, with the flag that was meant.
func flagFault(fs *flag.FlagSet, err error) string {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		var known []string
		fs.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
		text = fmt.Sprintf("there is no flag --%s", strings.TrimPrefix(name, "-"))
		if meant, ok := nearest.Name(strings.TrimPrefix(name, "-"), known); ok {
			text += "; did you mean --" + meant + "?"
		}
	} else if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		text = fmt.Sprintf("--%s needs a value", strings.TrimPrefix(name, "-"))
	} else if rest, ok := strings.CutPrefix(text, "invalid boolean value "); ok {
		_, name, _ := strings.Cut(rest, " for -")
		name, _, _ = strings.Cut(name, ":")
		text = fmt.Sprintf("--%s takes no value", name)
	} else if rest, ok := strings.CutPrefix(text, "invalid value "); ok {
		value, name, _ := strings.Cut(rest, " for flag -")
		name, why, _ := strings.Cut(name, ": ")
		text = fmt.Sprintf("--%s: %s", name, why)
		if why == "parse error" || why == "value out of range" {
			text = fmt.Sprintf("--%s must be a whole number, not %s", name, value)
		}
	}
	return text
}

func (c command) usageLine(w io.Writer) {
	fmt.Fprintf(w, "Usage: %s\n\"darqline %s --help\" says more.\n", c.usage(), c.name)
}

// usage is the shape of a call.
func (c command) usage() string {
	text := "darqline " + c.name
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.setup(fs)
	flags := false
	fs.VisitAll(func(*flag.Flag) { flags = true })
	if flags {
		text += " [flags]"
	}
	if c.args != "" {
		text += " " + c.args
	}
	return text
}

func (c command) explain(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprintf(w, "Usage: %s\n\n%s\n", c.usage(), strings.TrimSpace(c.help))
	first := true
	fs.VisitAll(func(f *flag.Flag) {
		if first {
			fmt.Fprint(w, "\nFlags:\n")
			first = false
		}
		value, text := flag.UnquoteUsage(f)
		name := "--" + f.Name
		if value != "" {
			name += " " + value
		}
		fmt.Fprintf(w, "  %-23s %s", name, text)
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" {
			fmt.Fprintf(w, " (default %s)", f.DefValue)
		}
		fmt.Fprintln(w)
	})
}

func usage(w io.Writer) {
	fmt.Fprint(w, `darqline is the server of DarqlineMP, and what you need to write for it.

Usage: darqline COMMAND [flags] [arguments]

`)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, `
Begin here:
  darqline serve            run a server in this folder (an empty one is fine)
  darqline play             join it from a browser, in a second terminal
  darqline new my_gamemode  make a resource, open it in your editor, save: it runs

"darqline help COMMAND" says what a command does and which flags it has.
`)
}
