// Package resources turns folders into running resources: it reads each folder's manifest, scripts and client files into
// a [Bundle], starts bundles as numbered generations, reloads them when their files change, and stops them (page Resource
// files and views, page Resources and views).
//
// It knows neither Lua nor the game. What runs a resource is a [Runner], what takes its client files to the players a
// [Publisher]; both are called on the script loop, to which [Config.Post] leads. The [Manager] owns one goroutine that does
// all the rest, one operation after the other, so that a reload has read, hashed and compiled everything before the script
// loop hears of it.
package resources

import (
	"fmt"

	"darqline/resources/strict"
)

// Limits of the given page and of this one.
const (
	MaxClientFiles = 64
	MaxClientFile  = 4 << 20   // bytes of one client file
	MaxClientTotal = 16 << 20  // bytes of all client files of a resource
	MaxScript      = 256 << 10 // bytes of one Lua file
	MaxScripts     = 1024      // files of Lua in a resource
)

// ManifestName is the file that makes a folder a resource.
const ManifestName = "resource.toml"

// Fault is one thing that is wrong in one file of a resource: "shop/resource.toml:4: unknown key ...".
type Fault = strict.Fault

// Faults is everything that is wrong; it is an error.
type Faults = strict.Faults

// ClientFile is one file for the players, read once: Body is what was hashed and what is served. It is never changed.
type ClientFile struct {
	Path string // by the rules of page Resource files and views
	Body []byte
	Hash [32]byte // SHA-256
}

// Bundle is all of a resource as it was read from its folder at one moment. It is never changed.
type Bundle struct {
	Name        string
	Dir         string // absolute; "" for a built-in resource
	Description string
	Version     string
	Entry       string   // a key of Scripts
	Requires    []string // resources that are started first
	ClientFiles []ClientFile
	Scripts     map[string][]byte // every Lua file by its path ("main.lua", "lib/util.lua"), without BOM and #! line
	Settings    map[string]any    // bool, int64, float64 or string; defaults filled in
	Maps        *Maps             // nil: the resource has no maps
	Digest      [32]byte          // of every byte above; equal digests mean that nothing changed

	reading reading
}

// Maps is the [maps] table of a manifest (page Map editing).
type Maps struct {
	Dir      string   // in the resource's folder
	Autoload []string // names without .json
	Editable bool
	Shared   bool
}

// Generation is one start of a resource.
type Generation struct {
	Bundle  *Bundle
	Number  uint32 // from one counter of the whole server, beginning at 1
	Program any    // what Runner.Compile gave
}

// StopReason is why a generation ends.
type StopReason uint8

const (
	StopStop   StopReason = iota // it was stopped, failed, lost its folder, or the server ends
	StopReload                   // the next generation follows at once
)

// String gives the word that resource_stop carries.
func (r StopReason) String() string {
	if r == StopReload {
		return "reload"
	}
	return "stop"
}

// Change is what the other resources hear of a resource.
type Change uint8

const (
	ResourceStarted   Change = iota // event resource_start
	ResourceStopping                // event resource_stop, "stop"
	ResourceReloading               // event resource_stop, "reload"
)

// Runner is the script side. Start, Stop and Changed are called on the script loop only, Compile anywhere.
type Runner interface {
	// Compile checks every script of b. Its error may be Faults.
	Compile(b *Bundle) (program any, err error)
	// Start runs the entry of g, to its end or its first wait, and then its own resource_start. State is what Stop of the
	// generation before gave, nil at a start that is no reload; it may be handed in again if Start fails, so it is
	// copied and not changed. After an error nothing of g is left.
	Start(g *Generation, state any) error
	// Stop runs the resource's own resource_stop and removes all that g made. What it gives is mp.state.
	Stop(g *Generation, reason StopReason) (state any)
	// Changed tells every running resource but the subject itself.
	Changed(subject string, change Change)
}

// Publisher takes to the players what leaves the server: the files over HTTP first, then ResourceFiles and ResourceRemove.
// It is called on the script loop, for every generation, also for those without client files.
type Publisher interface {
	Publish(g *Generation)
	Retract(name string, generation uint32)
}

// State is where a resource is in its life.
type State uint8

const (
	Stopped State = iota
	Starting
	Running
	Failed // it could not be started, or died; a change of its files tries again
)

// String gives the word that mp.resources and the console show.
func (s State) String() string {
	switch s {
	case Stopped:
		return "stopped"
	case Starting:
		return "starting"
	case Running:
		return "running"
	case Failed:
		return "failed"
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// Status is what is known of one resource.
type Status struct {
	Name        string
	State       State
	Generation  uint32 // of the running generation, or of the last one; 0 before the first start
	Error       error  // why it failed, or why its last reload was refused while the old generation runs on
	Description string
	Version     string
	Dir         string // "" for a built-in resource
}
