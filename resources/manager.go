package resources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync/atomic"
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
	Post      func(func()) error // runs a function on the script loop; what it takes it does run, an error means that it did not take it
	Watch     watch.Mode         // "" is watch.Watch
	Logger    *slog.Logger       // optional
	Notice    func(Notice)       // what happened, for people who look on; called by New and by the goroutine of Run; optional

	notify func() (watch.Notifier, error) // for tests
}

// resource is one known resource. Only the manager's goroutine touches it.
type resource struct {
	folder      folder
	gone        bool      // its folder is
	missing     time.Time // since when its folder is not there, but not yet given up
	wanted      bool      // it is to run: started and not stopped, or named in Config.Start
	state       State
	current     *Generation // nil unless it runs
	number      uint32      // of the last generation
	first       uint32      // generation of its last start that was no reload
	seen        [32]byte    // digest of the last bytes that were tried
	empty       []string    // files that were empty then
	kept        any         // mp.state of a reload whose start failed
	err         error
	requires    []string // as last read, as the next two
	description string
	version     string
}

// Manager knows every resource and leads it through its life.
type Manager struct {
	c       Config
	queue   queue
	started chan struct{}
	status  atomic.Pointer[[]Status] // by name

	// The rest is the goroutine's that runs Run, and New's before it.
	resources  map[string]*resource
	builtin    []folder
	ignored    map[string]string // why a folder is no resource, by its name
	generation uint32
	again      *time.Timer // fires when the resources in second are to be looked at once more
	second     map[string]bool
}

// New reads every folder and starts none. Its error is about Dir itself; what is wrong with one resource is in List.
func New(c Config) (*Manager, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	c.Dir = dir
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	m := &Manager{
		c:         c,
		queue:     queue{wake: make(chan struct{}, 1)},
		started:   make(chan struct{}),
		resources: map[string]*resource{},
		ignored:   map[string]string{},
		again:     time.NewTimer(time.Hour),
		second:    map[string]bool{},
	}
	m.again.Stop()
	folders, ignored, err := scan(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder of resources %w", plain(err))
	}
	if len(folders) == 0 {
		if m.builtin, err = scanBuiltin(c.Builtin); err != nil {
			return nil, err
		}
		folders = m.builtin
	}
	m.ignore(ignored)
	for _, f := range folders {
		r := &resource{folder: f}
		m.resources[f.name] = r
		if _, err := m.read(r); err != nil {
			r.err = err
		}
	}
	m.show()
	return m, nil
}

// Run watches the folder, starts the resources of Config.Start in order, serves operations until ctx ends, then stops what
// runs: what requires a resource before that resource, else the last started first. The script loop must run until Run has returned.
func (m *Manager) Run(ctx context.Context) error {
	watcher := watch.New(watch.Config{Dir: m.c.Dir, Mode: m.c.Watch, Logger: m.c.Logger, Notify: m.c.notify})
	m.sayMode(watcher.Open())
	watching, end := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		watcher.Run(watching)
	}()
	defer func() {
		end()
		<-ended
	}()
	m.startAll(ctx)
	close(m.started)
	for {
		select {
		case <-ctx.Done():
			m.queue.close()
			m.stopAll()
			return nil
		case <-m.queue.wake:
			for r, ok := m.queue.pop(); ok && ctx.Err() == nil; r, ok = m.queue.pop() {
				r.operation.end(m.guard(func() error { return m.serve(r) }))
			}
		case batch := <-watcher.Batches():
			_ = m.guard(func() error { m.changed(batch); return nil })
		case <-m.again.C:
			names := slices.Sorted(maps.Keys(m.second))
			m.second = map[string]bool{}
			_ = m.guard(func() error { m.changed(watch.Batch{Names: names}); return nil })
		}
	}
}

// sayMode tells how changes of files are found, because no other sign shows that a reload will not come by itself.
func (m *Manager) sayMode(mode watch.Mode) {
	text := "resources reload by themselves when their files change"
	if mode == watch.Off {
		text = "resources do not reload by themselves; \"reload NAME\" does it"
	}
	m.c.Logger.Info(text, "watch", mode, "dir", m.c.Dir)
}

// Started is closed when Run has tried to start everything of Config.Start.
func (m *Manager) Started() <-chan struct{} { return m.started }

// Start starts a resource, what it requires first. It reads the folder anew, so it finds one that nobody has seen yet.
func (m *Manager) Start(name string) *Operation {
	return m.queue.push(request{kind: start, name: name})
}

// Stop stops a resource.
func (m *Manager) Stop(name string) *Operation { return m.queue.push(request{kind: stop, name: name}) }

// Reload reads the folder of a running resource anew and swaps its generation, also when no byte has changed. It tries a
// failed one again.
func (m *Manager) Reload(name string) *Operation {
	return m.queue.push(request{kind: reload, name: name})
}

// Died tells that a generation has come to its end by itself, its budget spent, say. What is left of it goes, as at a stop.
func (m *Manager) Died(name string, generation uint32, cause error) *Operation {
	return m.queue.push(request{kind: died, name: name, generation: generation, cause: cause})
}

// List gives every known resource by name.
func (m *Manager) List() []Status { return slices.Clone(*m.status.Load()) }

// Get gives one resource.
func (m *Manager) Get(name string) (Status, bool) {
	for _, s := range *m.status.Load() {
		if s.Name == name {
			return s, true
		}
	}
	return Status{}, false
}

// show makes the state of all resources visible to others.
func (m *Manager) show() {
	list := make([]Status, 0, len(m.resources))
	for _, name := range m.names() {
		r := m.resources[name]
		list = append(list, Status{
			Name: name, State: r.state, Generation: r.number, Error: r.err,
			Description: r.description, Version: r.version, Dir: r.folder.dir,
		})
	}
	m.status.Store(&list)
}

func (m *Manager) names() []string { return slices.Sorted(maps.Keys(m.resources)) }

// errFault is the error of what a fault of the server itself has cut off.
var errFault = errors.New("a fault of the server itself has cut this off; the log has it: please report it")

// guard keeps a panic in the work on one resource from ending all.
func (m *Manager) guard(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			m.c.Logger.Error("a fault of the server itself in its work on a resource", "panic", p, "stack", string(debug.Stack()))
			err = errFault
		}
	}()
	return work()
}

// serve does one operation.
func (m *Manager) serve(q request) error {
	before := m.resources[q.name]
	ran := before != nil && before.state == Running
	m.rescan() // may have started it, where its folder has come back
	defer m.show()
	r := m.resources[q.name]
	if r == nil {
		return m.unknown(q.name)
	}
	switch q.kind {
	case start:
		if r.state == Running && !ran {
			return nil
		} else if r.state == Running {
			return fmt.Errorf("resource %q runs already; \"reload %s\" begins it anew", q.name, q.name)
		}
		r.wanted = true
		return m.start(r)
	case stop:
		return m.stop(r)
	case reload:
		switch r.state {
		case Running:
			return m.reload(r, true)
		case Failed:
			return m.start(r)
		}
		return fmt.Errorf("resource %q does not run; \"start %s\" starts it", q.name, q.name)
	default:
		return m.died(r, q.generation, q.cause)
	}
}

func (m *Manager) unknown(name string) error {
	if reason, ok := m.ignored[name]; ok {
		return Faults{{File: name, Text: reason}}
	}
	return fmt.Errorf("there is no resource %q%s", name, strict.Meant(name, m.names()))
}
