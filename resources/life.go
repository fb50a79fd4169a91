package resources

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"darqline/resources/strict"
)

// read reads the folder of r anew and compiles nothing.
func (m *Manager) read(r *resource) (*Bundle, error) {
	if r.gone {
		return nil, errors.New("its folder is gone")
	}
	var set map[string]strict.Found
	if m.c.Settings != nil {
		set = m.c.Settings(r.folder.name)
	}
	b, faults := r.folder.load(set)
	r.requires, r.description, r.version = b.Requires, b.Description, b.Version
	return b, faults.Err()
}

// prepare makes a read bundle ready to run: what it requires runs, its scripts are compiled.
func (m *Manager) prepare(r *resource, b *Bundle) (program any, err error) {
	if err := m.require(r, b); err != nil {
		return nil, err
	}
	return compile(m.c.Runner.Compile, b)
}

// compile keeps a panic of the compiler from taking the server down.
func compile(with func(*Bundle) (any, error), b *Bundle) (program any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("compiling resource %q: %v", b.Name, p)
		}
	}()
	return with(b)
}

// require starts what a bundle requires and does not run yet.
func (m *Manager) require(r *resource, b *Bundle) error {
	at := Fault{File: b.Name + "/" + ManifestName, Line: b.reading.requires}
	if circle := m.circle(b.Name); circle != "" {
		at.Text = "the resources require each other: " + circle
		return Faults{at}
	}
	for _, name := range b.Requires {
		needed := m.resources[name]
		if needed == nil || needed.gone {
			at.Text = fmt.Sprintf("requires %q, but there is no such resource%s", name, strict.Meant(name, m.names()))
			return Faults{at}
		}
		if needed.state == Running {
			continue
		}
		needed.wanted = true
		// One that has failed is not tried for each that requires it: its own fault has been said.
		if needed.state == Failed || m.start(needed) != nil {
			at.Text = fmt.Sprintf("requires %q, which has failed; this one starts when that one does", name)
			return Faults{at}
		}
	}
	return nil
}

// start reads, compiles and starts a resource that does not run.
func (m *Manager) start(r *resource) error {
	began := time.Now()
	r.state = Starting
	m.show()
	b, err := m.read(r)
	if b != nil {
		r.seen, r.empty = b.Digest, b.reading.empty
	}
	var program any
	if err == nil {
		program, err = m.prepare(r, b)
	}
	if err != nil {
		m.fail(r, err)
		return err
	}
	g := &Generation{Bundle: b, Number: m.next(), Program: program}
	pause, err := m.onLoop(func() error { return m.launch(g, r.kept) })
	r.number = g.Number
	if err != nil {
		m.fail(r, err)
		return err
	}
	r.first = g.Number
	m.runs(r, g, NoticeStarted, began, pause)
	m.retry(b.Name)
	return nil
}

// reload prepares the next generation of a running resource and swaps it in. If it cannot be prepared the old one runs on.
// Without force a change that leaves every byte equal is none.
func (m *Manager) reload(r *resource, force bool) error {
	began := time.Now()
	b, err := m.read(r)
	if !force && b != nil && (b.Digest == r.seen || m.justEmptied(r, b)) {
		return nil
	}
	if b != nil {
		r.seen, r.empty = b.Digest, b.reading.empty
	}
	if !force && err == nil && b.Digest == r.current.Bundle.Digest {
		r.err = nil
		m.show()
		m.tell(Notice{Kind: NoticeMended, Resource: r.folder.name, Generation: r.number})
		return nil
	}
	var program any
	if err == nil {
		program, err = m.prepare(r, b)
	}
	if err != nil {
		m.keep(r, err, began)
		return err
	}
	old, g := r.current, &Generation{Bundle: b, Number: m.next(), Program: program}
	var state any
	pause, err := m.onLoop(func() error {
		state = m.end(old, StopReload)
		return m.launch(g, state)
	})
	if errors.As(err, &refusal{}) {
		r.seen = [32]byte{}
		m.lookAgain(b.Name)
		m.keep(r, err, began)
		return err
	}
	r.number = g.Number
	if err != nil {
		r.kept = state
		m.fail(r, err)
		return err
	}
	m.runs(r, g, NoticeReloaded, began, pause)
	return nil
}

// justEmptied finds a file that has become empty, as it is for a moment while an editor truncates and writes it. The
// first time it asks for a second look.
func (m *Manager) justEmptied(r *resource, b *Bundle) bool {
	emptied := slices.ContainsFunc(b.reading.empty, func(name string) bool { return !slices.Contains(r.empty, name) })
	r.empty = b.reading.empty
	if emptied {
		m.lookAgain(b.Name)
	}
	return emptied
}

// stop ends a resource because somebody asked for it.
func (m *Manager) stop(r *resource) error {
	running := r.state == Running
	if !running && !r.wanted && r.state != Failed {
		return fmt.Errorf("resource %q does not run", r.folder.name)
	}
	if err := m.halt(r); err != nil {
		return err
	}
	r.wanted, r.err = false, nil
	if r.gone {
		delete(m.resources, r.folder.name)
	}
	m.show()
	m.tell(Notice{Kind: NoticeStopped, Resource: r.folder.name, Generation: r.number})
	return nil
}

// halt ends what runs of r and makes it stopped. After an error it still runs.
func (m *Manager) halt(r *resource) error {
	if g := r.current; g != nil {
		_, err := m.onLoop(func() error {
			m.end(g, StopStop)
			return nil
		})
		if err != nil {
			return err
		}
	}
	r.state, r.current, r.kept = Stopped, nil, nil
	m.show()
	return nil
}

// died takes the end of a generation that ended by itself.
func (m *Manager) died(r *resource, generation uint32, cause error) error {
	if r.current == nil || r.current.Number != generation {
		return nil // it has been replaced already
	}
	if err := m.halt(r); err != nil {
		return err
	}
	m.fail(r, cause)
	return nil
}

// end and launch are the two halves of a swap, on the script loop.
func (m *Manager) end(g *Generation, reason StopReason) (state any) {
	state = m.c.Runner.Stop(g, reason)
	change := ResourceStopping
	if reason == StopReload {
		change = ResourceReloading
	}
	m.c.Runner.Changed(g.Bundle.Name, change)
	m.c.Publisher.Retract(g.Bundle.Name, g.Number)
	return state
}

func (m *Manager) launch(g *Generation, state any) error {
	started := false
	defer func() { // also where it panics
		if !started {
			m.c.Publisher.Retract(g.Bundle.Name, g.Number)
		}
	}()
	m.c.Publisher.Publish(g)
	if err := m.c.Runner.Start(g, state); err != nil {
		return err
	}
	started = true
	m.c.Runner.Changed(g.Bundle.Name, ResourceStarted)
	return nil
}

// refusal is the error of work that the script loop has not taken: nothing has happened.
type refusal struct{ error }

// patience is how long a full script loop is asked again.
const patience = time.Second

// onLoop runs f on the script loop and gives how long the loop was busy with it.
func (m *Manager) onLoop(f func() error) (pause time.Duration, err error) {
	done := make(chan struct{})
	work := func() {
		defer close(done)
		began := time.Now()
		err = errFault // where f panics: the loop goes on behind it
		err = f()
		pause = time.Since(began)
	}
	posted := m.c.Post(work)
	for began := time.Now(); posted != nil && time.Since(began) < patience; posted = m.c.Post(work) {
		time.Sleep(patience / 100)
	}
	if posted != nil {
		return 0, refusal{fmt.Errorf("the script loop takes no more work: %w", posted)}
	}
	<-done
	return pause, err
}

// next gives the number of the next generation.
func (m *Manager) next() uint32 {
	m.generation++
	return m.generation
}

func (m *Manager) runs(r *resource, g *Generation, kind NoticeKind, began time.Time, pause time.Duration) {
	r.state, r.current, r.err, r.kept = Running, g, nil, nil
	m.show()
	m.tell(Notice{Kind: kind, Resource: r.folder.name, Generation: g.Number, Took: time.Since(began), Pause: pause})
}

// keep takes a reload that cannot be: the old generation runs on.
func (m *Manager) keep(r *resource, err error, began time.Time) {
	r.err = err
	m.show()
	m.tell(Notice{Kind: NoticeKept, Resource: r.folder.name, Generation: r.number, Err: err, Took: time.Since(began)})
}

func (m *Manager) fail(r *resource, err error) {
	r.state, r.current, r.err = Failed, nil, err
	m.show()
	m.tell(Notice{Kind: NoticeFailed, Resource: r.folder.name, Generation: r.number, Err: err})
}

// retry starts what has failed and requires a resource that now runs.
func (m *Manager) retry(name string) {
	for _, other := range m.names() {
		if r := m.resources[other]; r != nil && r.state == Failed && r.wanted && slices.Contains(r.requires, name) {
			_ = m.start(r)
		}
	}
}
