package resources

import (
	"context"
	"io/fs"
	"log/slog"
	"time"

	"darqline/resources/strict"
	"darqline/resources/watch"
)

// Config is what a [Manager] needs.
type Config struct {
	Dir       string                                        // the folder of resources; it may be missing and come later
	Builtin   fs.FS                                         // resources that stand in where Dir has none, one a folder; optional
	Start     []string                                      // what Run starts, in this order: names, and "*" for all others by name
	Settings  func(resource string) map[string]strict.Found // what the host has set in [resources.NAME]; optional
	Runner    Runner
	Publisher Publisher
	Post      func(func()) error // runs a function on the script loop; what it has taken it does run
	Watch     watch.Mode
	Logger    *slog.Logger // optional
	Notice    func(Notice) // what happened, for people who watch; called on the manager's goroutine; optional
}

// NoticeKind is what a [Notice] is about.
type NoticeKind uint8

const (
	NoticeStarted  NoticeKind = iota
	NoticeReloaded            // the new generation runs
	NoticeStopped
	NoticeFailed  // a start failed or a generation died: the resource does not run
	NoticeKept    // a reload was refused: the old generation runs on
	NoticeFound   // a folder has become a resource
	NoticeGone    // a resource's folder is gone
	NoticeIgnored // a folder is not a resource; Err says why and what to do
)

// Notice is one thing that happened to a resource.
type Notice struct {
	Kind       NoticeKind
	Resource   string
	Generation uint32
	Err        error         // Faults, or what Runner.Start gave
	Took       time.Duration // reading, compiling and swapping
	Pause      time.Duration // the part of Took that the script loop spent
}

// Operation is a start, stop or reload that was asked for.
type Operation struct {
	done chan struct{}
	err  error
}

// Done is closed when the operation has ended.
func (o *Operation) Done() <-chan struct{} { return o.done }

// Wait waits for the end of the operation and gives its error. It must not be called on the script loop.
func (o *Operation) Wait(ctx context.Context) error {
	select {
	case <-o.done:
		return o.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Manager knows every resource and leads it through its life.
type Manager struct {
	c Config
}

// New reads every folder and starts none. Its error is about Dir itself; what is wrong with a resource is in List.
func New(c Config) (*Manager, error) { return &Manager{c: c}, nil }

// Run watches the folder, starts the resources of Config.Start in order, serves operations until ctx ends, then stops what
// runs, the last started first. The script loop must run until Run has returned.
func (m *Manager) Run(ctx context.Context) error { <-ctx.Done(); return nil }

// Started is closed when Run has tried to start everything of Config.Start.
func (m *Manager) Started() <-chan struct{} { return nil }

// Start starts a resource, what it requires first. It reads the folder anew, so it finds one that nobody has seen yet.
func (m *Manager) Start(name string) *Operation { return nil }

// Stop stops a resource.
func (m *Manager) Stop(name string) *Operation { return nil }

// Reload reads the folder of a running resource and swaps its generation, also when no byte changed; it tries a failed one again.
func (m *Manager) Reload(name string) *Operation { return nil }

// Died tells that a generation has come to an end by itself (its budget is spent, say). It removes what is left of it.
func (m *Manager) Died(name string, generation uint32, err error) {}

// List gives every known resource by name.
func (m *Manager) List() []Status { return nil }

// Get gives one resource.
func (m *Manager) Get(name string) (Status, bool) { return Status{}, false }
