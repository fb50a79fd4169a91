// Package scriptapi is what Lua sees of the server: one file of declarations a topic, made on package bind, and the life
// of a resource's scripts, run by package sandbox. It knows no sockets and no files; resources hands it what they hold.
//
// Everything here runs on the script loop, one thing at a time, but Compile, which may run anywhere.
package scriptapi

import (
	"log/slog"
	"sync/atomic"
	"time"

	"darqline/host/bans"
	"darqline/host/world"
	"darqline/resources"
	"darqline/scriptapi/bind"
	"darqline/scriptapi/sandbox"
)

// Config is what the scripts' side needs.
type Config struct {
	World     *world.World
	Now       func() time.Duration
	Post      func(func()) error // onto the script loop
	Logger    *slog.Logger
	Permitted func(resource, permission string) bool // what the host has allowed in [permissions.resources]
	Server    Server
	Bans      *bans.List
	Extend    func(*Extensions) // functions of an embedding program
}

// Extensions lets an embedding program add to what Lua sees, by the same registry that the server itself uses: from a
// declaration come checks, error texts and editor stubs.
type Extensions struct{ Registry *bind.Registry }

// Manager is what scripts may ask of the resources.
type Manager interface {
	List() []resources.Status
	Get(name string) (resources.Status, bool)
	Start(name string) *resources.Operation
	Stop(name string) *resources.Operation
	Reload(name string) *resources.Operation
	Died(name string, generation uint32, cause error) *resources.Operation
}

// Runtime runs the scripts of all resources. It is the resources.Runner of a server.
type Runtime struct {
	cfg       Config
	log       *slog.Logger
	registry  *bind.Registry
	events    *events
	scheduler *sandbox.Scheduler
	manager   Manager

	instances     []*instance // in the order of their starts
	handlers      map[string][]*subscription
	heard         map[string]*atomic.Bool // of each declared event, whether it has handlers
	commands      map[string]*commandHandle
	actions       []*action       // of all resources
	signingIn     []*world.Player // whose player_sign_in has been told
	signInUnheard bool            // the last player_sign_in had no handler, and that was said
	timers        timers
	faults        faults
	emitting      int
	runDepth      int
}

var _ resources.Runner = (*Runtime)(nil)

// New makes a runtime without resources.
func New(cfg Config) *Runtime {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	rt := &Runtime{
		cfg: cfg, log: cfg.Logger, handlers: make(map[string][]*subscription),
		commands: make(map[string]*commandHandle), faults: faults{log: cfg.Logger}, heard: make(map[string]*atomic.Bool),
	}
	rt.registry = rt.declare()
	if cfg.Extend != nil {
		cfg.Extend(&Extensions{rt.registry})
	}
	for _, name := range rt.registry.EventNames() {
		rt.heard[name] = new(atomic.Bool)
	}
	return rt
}

// SetResources tells the runtime who leads the resources; it is called once, before anything runs.
func (rt *Runtime) SetResources(m Manager) { rt.manager = m }

// Close ends every state. It is called when the script loop has ended.
func (rt *Runtime) Close() {
	if rt.scheduler != nil {
		rt.scheduler.Close()
	}
}

// declare registers all of mp, topic by topic.
func (rt *Runtime) declare() *bind.Registry {
	r := bind.New()
	declareNames(r)
	r.Module("mp", "Everything of the server.")
	rt.events = declareEvents(r)
	rt.declareEventFunctions(r)
	rt.declareTimers(r)
	rt.declarePlayers(r)
	rt.declareFigures(r)
	rt.declareCombat(r)
	rt.declareDamage(r)
	rt.declareChat(r)
	rt.declareCommands(r)
	rt.declareList(r)
	rt.declareNametags(r)
	rt.declareColshapes(r)
	rt.declareDialogs(r)
	rt.declareFeed(r)
	declareHooks(r)
	rt.declareMenus(r)
	rt.declareOffers(r)
	rt.declareActions(r)
	rt.declareKeys(r)
	rt.declareViews(r)
	rt.declareResources(r)
	rt.declareJSON(r)
	rt.declareLog(r)
	rt.declareServer(r)
	rt.declareBans(r)
	return r
}

// RunTimers fires what is due and says when to come again.
func (rt *Runtime) RunTimers(now time.Duration) (next time.Duration, ok bool) {
	next, ok = rt.timers.run(now)
	if at, more := rt.faults.flush(now); more && (!ok || at < next) {
		next, ok = at, true
	}
	for _, in := range rt.instances { // as many as resources run
		if at, more := in.output.flush(now, in); more && (!ok || at < next) {
			next, ok = at, true
		}
	}
	return next, ok
}

// begin takes the world's permit for one operation. Lua never runs while it is held.
func (rt *Runtime) begin() world.Tx { return rt.cfg.World.Begin() }
