// Package play is the reference client with a local web page: the world from above with the player in it, chat, players,
// downloads, notices and views in a browser, so that an author sees what a player sees without the game.
//
// The Go side holds the session and everything that the page shows (model); pages are mirrors that connect to /ws, get
// the whole state and then each change, and send back what the player does. Only where the own player walks is the
// page's: it moves him between two drawings and sends 25 frames a second. Frames of others come as the packets of page
// Player, 25 times a second, and the page moves them in between. A view runs in a frame on an origin of its
// resource, http://NAME.localhost:PORT, from the verified files of the open view's generation (page Resource files and
// views).
package play

import (
	"context"
	"log/slog"
	"net"
	"sync"
)

// Config says whom to play as, and where.
type Config struct {
	Server   string   // host:port
	Name     string   // the player's name
	Password string   // the server's
	Locale   string   // "" is "en"
	Serial   [32]byte // of this installation; zero: none
	CacheDir string   // of downloaded client files
	Keys     *KeyFile // the player's keys for actions; nil: they last as long as Run
	Port     int      // of the page; 0: a free one
	Logger   *slog.Logger

	// Ready is called once, when the page can be opened.
	Ready func(url string)
	// Status is called with a sentence each time the session begins or ends; for the terminal.
	Status func(text string)
}

// Run plays until the context ends. When the session ends by itself it says so and tries again. The error is about the
// page's port or a wrong Config; a server that cannot be reached is none.
func Run(ctx context.Context, config Config) error {
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Keys == nil {
		config.Keys, _ = OpenKeys("") // without a path it cannot fail
	}
	m := newModel(config.Server, config.Name)
	return run(ctx, config, m, func() (session, error) { return newClient(config, m) })
}

// run is Run with the sessions that start gives.
func run(ctx context.Context, config Config, m *model, start func() (session, error)) error {
	listeners, err := listen(config.Port)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSeat(m, start)
	web := newServer(ctx, m, s, listeners[0].Addr().(*net.TCPAddr).Port, config.Logger)
	m.origin, m.status = web.origin, config.Status

	if config.Ready != nil { // before anything is said of the session
		config.Ready(web.origin(pageHost) + "/")
	}
	var playing sync.WaitGroup
	playing.Go(func() { s.run(ctx) })
	playing.Go(func() { s.beat(ctx) })
	err = web.serve(listeners)
	cancel()
	playing.Wait()
	return err
}
