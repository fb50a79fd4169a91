package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
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
commands: "help" lists them.`,
	setup: func(fs *flag.FlagSet) runner {
		var o serveOptions
		fs.IntVar(&o.port, "port", 0, "listen on `PORT`, UDP and TCP, whatever server.toml says")
		fs.StringVar(&o.config, "config", "", "read this `FILE` instead of server.toml in the folder")
		fs.StringVar(&o.logFormat, "log-format", "text", "write the log as `text|json`")
		fs.BoolVar(&o.noWatch, "no-watch", false, "do not reload when files change; the console's reload still works")
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
	if len(args) > 1 {
		return fmt.Errorf("one folder at most, not %q: %w", args, errUsage)
	}
	dir := "."
	if len(args) == 1 {
		dir = args[0]
	}
	cfg, err := o.read(dir)
	if err != nil {
		return err
	}
	logger, err := newLogger(e, o.logFormat, o.debug)
	if err != nil {
		return err
	}
	mode := watch.Watch
	switch {
	case o.noWatch:
		mode = watch.Off
	case o.poll:
		mode = watch.Poll
	}
	h, err := host.New(cfg, host.Options{
		Logger: logger, Watch: mode, Builtin: templates.Hello, TellLocal: mode != watch.Off,
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
	case <-h.Listening():
	}
	select {
	case err := <-ended:
		return err
	case <-h.Resources().Started():
	}
	banner(e, h, cfg, dir)
	if mode != watch.Off {
		go o.follow(ctx, h, dir, logger)
	}
	go console{h, e, quit}.run(ctx)
	err = <-ended
	fmt.Fprintln(e.out, "The server has stopped.")
	return err
}

// read finds the configuration of a folder and puts the flags over it.
func (o serveOptions) read(dir string) (host.Config, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return host.Config{}, fmt.Errorf("the folder cannot be read: %w", err)
	}
	if !info.IsDir() {
		return host.Config{}, fmt.Errorf("%s is a file; name the folder that it is in", dir)
	}
	path := o.path(dir)
	cfg := host.Defaults()
	cfg.Dir = dir
	if _, err := os.Stat(path); err == nil || o.config != "" {
		if cfg, err = host.ReadConfig(path); err != nil {
			return cfg, err
		}
	}
	if o.config != "" {
		cfg.Dir = dir
	}
	if o.port < 0 || o.port > 65535 {
		return cfg, fmt.Errorf("--port %d: a port is a number from 1 to 65535", o.port)
	}
	if o.port != 0 {
		cfg.Server.Port, cfg.FilesPort = o.port, 0
	}
	return cfg, nil
}

// path is where the configuration of a folder is read from.
func (o serveOptions) path(dir string) string {
	if o.config != "" {
		return o.config
	}
	return filepath.Join(dir, "server.toml")
}

// follow takes over the live keys when the configuration's file changes. A file with a fault changes nothing.
func (o serveOptions) follow(ctx context.Context, h *host.Host, dir string, log *slog.Logger) {
	last, _ := os.ReadFile(o.path(dir))
	for tick := time.NewTicker(time.Second); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		data, err := os.ReadFile(o.path(dir))
		if err != nil || bytes.Equal(data, last) {
			continue
		}
		last = data
		cfg, err := o.read(dir)
		if err != nil {
			log.Error(err.Error())
			log.Warn("the configuration has not changed: correct the file and save it again")
			continue
		}
		h.Reconfigure(cfg)
		log.Info("the live keys of the configuration are taken over", "file", o.path(dir))
	}
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
	return nil, fmt.Errorf("--log-format %q: it is text or json", format)
}

// banner says what a newcomer wants to know: where the server listens, what runs, and how to join.
func banner(e *env, h *host.Host, cfg host.Config, dir string) {
	port := h.Addr().Port()
	fmt.Fprintf(e.out, "\n%s is open.\n\n", cfg.Server.Name)
	fmt.Fprintf(e.out, "  game      UDP port %d\n", port)
	fmt.Fprintf(e.out, "  files     TCP port %d\n", h.FilesAddr().Port())
	var running []string
	builtin := false
	for _, s := range h.Resources().List() {
		if s.State == resources.Running {
			running = append(running, s.Name)
			builtin = builtin || s.Dir == ""
		}
	}
	names := "none"
	if len(running) > 0 {
		names = strings.Join(running, ", ")
	}
	fmt.Fprintf(e.out, "  resources %s\n", names)
	fmt.Fprintf(e.out, "  join      darqline play %s\n", joinAddress(port))
	if builtin {
		fmt.Fprintf(e.out, "\nThere is no resource in %s yet: the built-in one says hello.\n"+
			"\"darqline new my_gamemode\" there makes one of your own.\n", filepath.Join(dir, cfg.Server.ResourcesDir))
	}
	fmt.Fprint(e.out, "\nSave a file and it runs. \"help\" lists what this terminal takes; Ctrl-C stops the server.\n\n")
}

func joinAddress(port uint16) string {
	return fmt.Sprintf("127.0.0.1:%d", port)
}
