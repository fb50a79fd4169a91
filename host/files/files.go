// Package files serves the resources' client files over HTTP/1.1 as page Resource files and views says, section Resource
// client files. It is a bare server of one request a connection: no routing, no reading from disk, nothing but the bytes that
// were published. The limits of that section are all kept here: head, rate and total time, connections in all and per address.
package files

import (
	"io"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
)

// File is one client file of a resource. Path is as in the manifest, without the resource's name; Body is never changed
// after Publish.
type File struct {
	Path string
	Body []byte
}

// Config is what a Server needs. Without a Logger it says nothing.
type Config struct {
	Logger *slog.Logger
}

// Server answers requests for published files. Publish and Remove may be called at any time from any goroutine.
type Server struct {
	log       *slog.Logger
	publish   sync.Mutex // held while a new published is made
	published atomic.Pointer[map[string]*resource]
	gate      gate
}

// resource is one generation's files, ready to be sent. It is never changed.
type resource struct {
	generation uint32
	files      map[string]*file
}

// New makes a server with no files.
func New(c Config) *Server {
	s := &Server{log: c.Logger}
	if s.log == nil {
		s.log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	s.published.Store(&map[string]*resource{})
	return s
}

// Publish makes fs the files of a resource, in place of those of an older generation. Answers under way finish with the bytes
// they began with. Nothing changes where a newer generation stands.
func (s *Server) Publish(name string, generation uint32, fs []File) {
	r := &resource{generation, make(map[string]*file, len(fs))}
	for _, f := range fs {
		r.files[f.Path] = prepare(f)
	}
	s.change(name, generation, func(all map[string]*resource) { all[name] = r })
}

// Remove takes the files of a resource away. Nothing changes where a newer generation stands.
func (s *Server) Remove(name string, generation uint32) {
	s.change(name, generation, func(all map[string]*resource) { delete(all, name) })
}

func (s *Server) change(name string, generation uint32, edit func(map[string]*resource)) {
	s.publish.Lock()
	defer s.publish.Unlock()
	all := *s.published.Load()
	if old := all[name]; old != nil && old.generation > generation {
		return
	}
	all = maps.Clone(all)
	edit(all)
	s.published.Store(&all)
}

// find looks up the target of a request, byte for byte: no decoding, no cleaning. A name holds no '?' and no '%', so a target
// with a query is unknown like any other.
func (s *Server) find(target []byte) *file {
	if len(target) == 0 || target[0] != '/' {
		return nil
	}
	for i, b := range target[1:] {
		if b == '/' {
			r := (*s.published.Load())[string(target[1:1+i])]
			if r == nil {
				return nil
			}
			return r.files[string(target[i+2:])]
		}
	}
	return nil
}
