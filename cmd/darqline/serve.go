package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"time"

	"darqline/cmd/darqline/templates"
	"darqline/host"
	"darqline/resources"
	"darqline/resources/watch"
)

var serveCommand = command{
	name:    "serve",
	args:    "[dir]",
	summary: "run a server in a folder",
	help: `Runs a server in a folder, the present one unless another is named.

The folder may have a server.toml; every key of it has a default. Resources are
the folders in resources/ that have a resource.toml. In an empty folder the
server runs on a built-in resource that says hello.

While it runs, a saved file reloads its resource, and this terminal takes
commands: "help" lists them. Ctrl-C stops the server in order, a second Ctrl-C
at once.`,
	setup: func(fs *flag.FlagSet) runner {
		var o serveOptions
		fs.IntVar(&o.port, "port", 0, "listen on `PORT`, UDP and TCP, whatever server.toml says")
		fs.StringVar(&o.config, "config", "", "read this `FILE` instead of server.toml in the folder")
		fs.StringVar(&o.logFormat, "log-format", "text", "write the log as `text|json`")
		fs.BoolVar(&o.noWatch, "no-watch", false, "do not reload resources when their files change; the console's reload still works")
		fs.BoolVar(&o.poll, "poll", false, "look for changes once a second, for network and container file systems")
		fs.BoolVar(&o.debug, "debug", false, "log debug lines too")
		return func(ctx context.Context, e *env, args []string) error { return serve(ctx, e, o, args) }
	},
}

type serveOptions struct {
	port                 int
	config, logFormat    string
	noWatch, poll, debug bool
}

// serve runs a server until it is told to quit.
func serve(ctx context.Context, e *env, o serveOptions, args []string) error {
	dir, err := folderArgument(args)
	if err != nil {
		return err
	}
	logger, err := newLogger(e, o.logFormat, o.debug)
	if err != nil {
		return err
	}
	cfg, err := o.read(dir)
	if err != nil {
		return err
	}
	read := configContents(configPath(dir, o.config), cfg)
	if server, ok := meantFolder(dir); ok {
		logger.Warn("resources are looked for in the folder resources of the server's folder, which seems to be another one",
			"serve", server)
	}
	if runtime.GOMAXPROCS(0) == 1 { // on one core a script that computes must not hold up the frames: the system shares it better
		runtime.GOMAXPROCS(2)
	}
	mode := o.mode()
	h, err := host.New(cfg, host.Options{
		Logger: logger, Watch: mode, Version: version(), Builtin: templates.Hello, TellLocal: mode != watch.Off,
	})
	if err != nil {
		return err
	}
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	select {
	case err := <-ended:
		return err
	case <-h.Resources().Started():
	}
	if ctx.Err() == nil {
		banner(e, h, cfg, mode)
		go o.follow(ctx, h, dir, cfg, read, logger)
		go console{h, e, quit}.run(ctx)
	}
	switch err = <-ended; {
	case errors.Is(err, host.ErrRestart):
		fmt.Fprintln(e.out, "The server has stopped, to be started again.")
	default:
		fmt.Fprintln(e.out, "The server has stopped.")
	}
	return err
}

func (o serveOptions) mode() watch.Mode {
	switch {
	case o.noWatch:
		return watch.Off
	case o.poll:
		return watch.Poll
	}
	return watch.Watch
}

// read finds the configuration of a folder and puts the flags over it.
func (o serveOptions) read(dir string) (host.Config, error) {
	if o.port < 0 || o.port > 65535 {
		return host.Config{}, fmt.Errorf("--port must be 1..65535, not %d: %w", o.port, errUsage)
	}
	cfg, err := readConfig(dir, o.config)
	if o.port != 0 {
		cfg.Server.Port, cfg.FilesPort = o.port, 0
	}
	return cfg, err
}

// followEvery is how often the files of the configuration are looked at, saveTime how long a save may take.
const (
	followEvery = time.Second
	saveTime    = 100 * time.Millisecond
)

// follow takes over the live keys when the configuration's files change from what was read last. One with a fault
// changes nothing.
func (o serveOptions) follow(ctx context.Context, h *host.Host, dir string, cfg host.Config, last string, log *slog.Logger) {
	path := configPath(dir, o.config)
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		data := configContents(path, cfg)
		if data == "" || data == last {
			continue
		}
		if time.Sleep(saveTime); configContents(path, cfg) != data {
			continue // it is being saved
		}
		last = data
		next, err := o.read(dir)
		if err == nil {
			err = h.Reconfigure(next)
		}
		if err != nil {
			log.Error(err.Error())
			log.Warn("the configuration has not changed: correct the file and save it again")
			continue
		}
		cfg = next
		last = configContents(path, cfg)
		log.Info("the live keys of the configuration are taken over", "file", path)
	}
}

// configContents is what the files of a configuration hold; "" where there is no server.toml.
func configContents(path string, cfg host.Config) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	password, _ := os.ReadFile(cfg.PasswordPath())
	return string(data) + "\x00" + string(password)
}

func newLogger(e *env, format string, debug bool) (*slog.Logger, error) {
	level := slog.LevelInfo
	if debug {
		level = slog.LevelDebug
	}
	switch format {
	case "json":
		return slog.New(slog.NewJSONHandler(e.err, &slog.HandlerOptions{Level: level})), nil
	case "text":
		return slog.New(newTextHandler(e.err, level)), nil
	}
	return nil, fmt.Errorf("--log-format must be text or json, not %q: %w", format, errUsage)
}

// banner says what a newcomer wants to know: where the server listens, what runs, and how to join.
func banner(e *env, h *host.Host, cfg host.Config, mode watch.Mode) {
	port := h.Addr().Port()
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s is open.\n\n", cfg.Server.Name)
	fmt.Fprintf(&b, "  game       UDP port %d\n", port)
	fmt.Fprintf(&b, "  files      TCP port %d\n", h.FilesAddr().Port())
	var running, failed []string
	builtin := false
	for _, s := range h.Resources().List() {
		switch s.State {
		case resources.Running:
			running = append(running, s.Name)
			builtin = builtin || s.Dir == ""
		case resources.Failed:
			failed = append(failed, s.Name)
		}
	}
	fmt.Fprintf(&b, "  resources  %s\n", listed(running))
	if len(failed) > 0 {
		fmt.Fprintf(&b, "  failed     %s: the log says why\n", listed(failed))
	}
	fmt.Fprintf(&b, "  join       darqline play 127.0.0.1:%d\n", port)
	if builtin {
		fmt.Fprintf(&b, "\nThere is no resource in %s yet: the built-in one says hello.\n"+
			"Make one of your own with \"darqline new NAME%s\", then type \"start NAME\" here.\n",
			host.ResourcesConfig(cfg).Dir, dirFlag(cfg.Dir))
	}
	if mode != watch.Off {
		fmt.Fprint(&b, "\nSave a file and its resource reloads.")
	} else {
		fmt.Fprint(&b, "\nSaved files are not noticed: \"reload NAME\" takes them over.")
	}
	fmt.Fprint(&b, " \"help\" lists what this terminal takes; Ctrl-C stops the server.\n\n")
	fmt.Fprint(e.out, b.String())
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// dirFlag is what new needs to work on the same folder as serve.
func dirFlag(dir string) string {
	if dir == "." {
		return ""
	}
	return " --dir " + dir
}
