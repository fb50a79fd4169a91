package client

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"

	"darqline/protocol"
)

// Errors of View.Open, beside those of a path that is not in the manifest.
var ErrViewClosed = errors.New("the view is closed")

// View is an open view of a resource: a page and the files that it may load. Its methods may be called from any goroutine.
type View struct {
	ID         uint32
	Resource   string
	Generation uint32
	Entry      string // the page's path
	Input      protocol.ViewInput

	mu       sync.Mutex        // guards what follows
	files    map[string][]byte // checked against the manifest
	closed   bool
	origins  []string
	revision uint32
	latest   []Snapshot // in the order of their last arrival
}

// Snapshot is the newest complete snapshot of a topic.
type Snapshot struct {
	Topic    string
	Revision uint32
	JSON     []byte
}

// Open gives a client file of exactly this view's generation, as the manifest has it, with its Content-Type. The bytes
// must not be changed. After the view has closed it gives ErrViewClosed.
func (v *View) Open(name string) (body []byte, contentType string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return nil, "", ErrViewClosed
	}
	body, ok := v.files[name]
	if !ok {
		return nil, "", fmt.Errorf("%q is not among the client files of %s", name, v.Resource)
	}
	contentType, _ = protocol.ContentType(path.Ext(name)[1:])
	return body, contentType, nil
}

// Origins lists the sites that the page of a sign-in screen may ask besides its own; it is empty for any other view, and
// from the end of the sign-in on: requests to them are then cancelled.
func (v *View) Origins() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.origins)
}

// Latest lists the newest complete snapshot of each topic, for a page that has loaded.
func (v *View) Latest() []Snapshot {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.latest)
}

// Closed says whether the view has ended.
func (v *View) Closed() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.closed
}

func (v *View) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	v.files, v.origins, v.latest = nil, nil, nil
}

// fill gives the view its checked files.
func (v *View) fill(files map[string][]byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.files = files
}

func (v *View) endSignIn() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.origins = nil
}

// keep stores a complete snapshot. It refuses a revision below the view's, which is never lowered, and more topics than
// a view has.
func (v *View) keep(s Snapshot) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if s.Revision < v.revision {
		return fmt.Errorf("revision %d after %d", s.Revision, v.revision)
	}
	rest := slices.DeleteFunc(slices.Clone(v.latest), func(old Snapshot) bool { return old.Topic == s.Topic })
	if len(rest) >= maxTopics {
		return fmt.Errorf("more than %d topics", maxTopics)
	}
	v.revision = s.Revision
	v.latest = append(rest, s)
	return nil
}
