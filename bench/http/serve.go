package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"

	"darqline/host/files"
)

func body(size int) []byte { return bytes.Repeat([]byte("<p>darqline</p>\n"), size/16) }

// serve is one of the Go servers; it prints its address and serves until it is killed.
func serve(name string) error {
	listen, run := files.Listen, serveFiles
	switch name {
	case "darqline":
	case "net/http":
		listen = func(addr string) (net.Listener, error) { return net.Listen("tcp", addr) }
		run = serveNetHTTP
	default:
		return fmt.Errorf("there is no server %q", name)
	}
	l, err := listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	return run(l)
}

func serveFiles(l net.Listener) error {
	var fs []files.File
	for _, size := range sizes {
		fs = append(fs, files.File{Path: fmt.Sprintf("%d.html", size), Body: body(size)})
	}
	s := files.New(files.Config{})
	s.Publish("bench", 1, fs)
	return s.Serve(context.Background(), l)
}

// serveNetHTTP is what one would write without a server of one's own: a handler that writes from memory.
func serveNetHTTP(l net.Listener) error {
	bodies := map[string][]byte{}
	for _, size := range sizes {
		bodies[fmt.Sprintf("/bench/%d.html", size)] = body(size)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, ok := bodies[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(len(b)))
		h.Set("Accept-Ranges", "bytes")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		w.Write(b)
	})}
	s.SetKeepAlivesEnabled(false)
	return s.Serve(l)
}
