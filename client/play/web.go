package play

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"darqline/protocol"
)

//go:embed page
var assets embed.FS

// pageHost is where the page lives. Views live on label.localhost, so that each has an origin of its own; the browser
// resolves both to this machine by itself.
const pageHost = "localhost"

// server serves the page, its socket and the open view's files on the two loopback addresses.
type server struct {
	ctx    context.Context // of the whole of play: sockets end with it
	model  *model
	seat   *seat
	logger *slog.Logger
	port   int
	page   fs.FS
}

func newServer(ctx context.Context, m *model, s *seat, port int, logger *slog.Logger) *server {
	page, err := fs.Sub(assets, "page")
	if err != nil {
		panic(err) // "page" is a valid path
	}
	return &server{ctx: ctx, model: m, seat: s, port: port, page: page, logger: logger}
}

// origin is the origin of a host on this server's port, as a browser writes it.
func (s *server) origin(host string) string {
	if s.port == 80 {
		return "http://" + host
	}
	return "http://" + host + ":" + strconv.Itoa(s.port)
}

// listen opens the port on both loopback addresses: browsers try ::1 first for localhost, and another program there
// would get our page's requests. Port 0 takes a free one. Without IPv6 one address is enough.
func listen(port int) ([]net.Listener, error) {
	first, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("the page cannot be served on port %d: %w; choose another port, or 0 for a free one", port, err)
	}
	second, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(first.Addr().(*net.TCPAddr).Port)))
	if err != nil {
		return []net.Listener{first}, nil
	}
	return []net.Listener{first, second}, nil
}

// serve runs until the context ends and waits for its connections.
func (s *server) serve(listeners []net.Listener) error {
	var sockets sync.WaitGroup // hijacked connections, which Shutdown does not wait for
	web := &http.Server{
		Handler:           s.track(&sockets),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.logger.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { failed <- web.Serve(l) }()
	}
	var err error
	running := len(listeners)
	select {
	case <-s.ctx.Done():
	case err = <-failed:
		running--
	}
	end, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if web.Shutdown(end) != nil {
		web.Close()
	}
	for range running {
		<-failed
	}
	sockets.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

func (s *server) track(sockets *sync.WaitGroup) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sockets.Add(1)
		defer sockets.Done()
		s.ServeHTTP(w, r)
	})
}

// ServeHTTP goes by the Host header. Whatever is not this server's own name is refused, so that no foreign name that
// resolves to this machine (DNS rebinding) reaches the page or a view.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("X-DNS-Prefetch-Control", "off")

	host := "http://" + strings.ToLower(r.Host)
	view, isView := strings.CutSuffix(host, strings.TrimPrefix(s.origin("."+pageHost), "http://"))
	switch {
	case host == s.origin(pageHost):
		s.servePage(w, r)
	case host == s.origin("127.0.0.1"), host == s.origin("[::1]"):
		http.Redirect(w, r, s.origin(pageHost)+"/", http.StatusTemporaryRedirect)
	case isView:
		s.serveView(w, r, strings.TrimPrefix(view, "http://"))
	default:
		http.Error(w, "This is not a name of this server. Open "+s.origin(pageHost)+"/", http.StatusMisdirectedRequest)
	}
}

// readOnly refuses every method but GET and HEAD.
func readOnly(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "Only GET and HEAD.", http.StatusMethodNotAllowed)
	return false
}

func (s *server) servePage(w http.ResponseWriter, r *http.Request) {
	if !readOnly(w, r) {
		return
	}
	if r.URL.Path == "/ws" {
		if r.Header.Get("Origin") != s.origin(pageHost) {
			http.Error(w, "Only the page of this server may connect.", http.StatusForbidden)
			return
		}
		s.serveSocket(w, r)
		return
	}
	header := w.Header()
	header.Set("Content-Security-Policy", s.pagePolicy())
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	body, err := fs.ReadFile(s.page, name)
	if err != nil {
		http.Error(w, "There is no such file.", http.StatusNotFound)
		return
	}
	contentType, _ := protocol.ContentType(strings.TrimPrefix(path.Ext(name), "."))
	write(w, contentType, body)
}

// pagePolicy lets the page load its own files and show views, and nothing else. Trusted types without a policy make
// every way of turning text into HTML throw.
func (s *server) pagePolicy() string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
		"connect-src 'self' " + strings.Replace(s.origin(pageHost), "http", "ws", 1) + "; " +
		"frame-src " + s.origin("*."+pageHost) + "; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
}

func write(w http.ResponseWriter, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body) // a browser that went away is nobody to tell
}
