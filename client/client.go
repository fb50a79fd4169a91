// Package client is the reference client of DarqlineMP: the client's half of the pages Connection, Player, Combat,
// Chat, HUD and dialogs, and Resource files and views. It connects and stays connected, runs the reliable event lane both ways, downloads and checks
// client files, assembles views, keeps the player list, is a player itself and mirrors the others. It renders nothing and
// knows no physics: a Handler is told what happens, and methods of Client say what the player does and what that hits.
package client

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"darqline/protocol"
	"darqline/protocol/lane"
)

// Config says who connects where.
type Config struct {
	Server   string            // "host:port"
	Name     string            // wished name, 1..47 bytes; the server has rules of its own
	Password string            // of the server; "" for none
	Locale   string            // such as "en" or "pt-br"; may be empty
	Serial   [sha256.Size]byte // of the installation, see Serial; zeros are allowed

	CacheDir   string // of client files; "": darqline/files in the user's cache folder
	CacheLimit int64  // bytes that the cache is kept below; 0: DefaultCacheLimit

	NoSpawn   bool         // the first spawn is not asked for, as for tools that only watch
	NoFiles   bool         // client files are not downloaded, as for bots; implies NoBrowser
	NoBrowser bool         // there is nothing that could show a page: views fail at once with "no browser"
	Keys      KeyBindings  // the player's keys for actions; nil: they last as long as the client
	Resend    lane.Resend  // the lane's sender; the default recovers faster than the given rule alone
	Network   Network      // nil: the real one
	Logger    *slog.Logger // nil: silent
	Handler   Handler      // nil: nobody listens
}

// Client connects to one server. Its methods may be called from any goroutine and never wait for the network or the disk.
type Client struct {
	config  Config
	handler Handler
	network Network
	cache   *cache
	log     *slog.Logger
	current atomic.Pointer[connection] // nil outside Run
	shared  atomic.Pointer[shared]     // nil without a session
}

// Errors of the methods of Client.
var (
	ErrNotConnected = errors.New("not connected")
	ErrBusy         = errors.New("too much waits to be sent: the server does not answer")
	ErrRunning      = errors.New("this client is running already")
)

// New checks the configuration. It opens nothing; Run does.
func New(c Config) (*Client, error) {
	if c.Server == "" {
		return nil, errors.New("client: Config.Server is empty; expected host:port")
	}
	if c.CacheDir == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("client: Config.CacheDir is empty and the user has no cache folder: %w", err)
		}
		c.CacheDir = filepath.Join(dir, "darqline", "files")
	}
	if c.CacheLimit == 0 {
		c.CacheLimit = DefaultCacheLimit
	}
	if c.CacheLimit < 0 {
		return nil, fmt.Errorf("client: Config.CacheLimit is %d, expected a number of bytes, or 0 for the default", c.CacheLimit)
	}
	c.NoBrowser = c.NoBrowser || c.NoFiles
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Handler == nil {
		c.Handler = NopHandler{}
	}
	if c.Keys == nil {
		c.Keys = new(memoryKeys)
	}
	if c.Network == nil {
		c.Network = &realNetwork{}
	}
	hello := &protocol.ClientHello{Version: protocol.Version, Nonce: 1, Name: c.Name, Locale: c.Locale}
	if _, err := protocol.Append(nil, protocol.Header{ID: hello.ID()}, hello); err != nil {
		return nil, fmt.Errorf("client: Config.Name or Config.Locale cannot be sent: %w", err)
	}
	return &Client{
		config:  c,
		handler: c.Handler,
		network: c.Network,
		cache:   newCache(c.CacheDir, c.CacheLimit),
		log:     c.Logger,
	}, nil
}

// Serial makes Config.Serial from an id of this installation and the server's address, so that two servers cannot compare
// their players.
func Serial(installation []byte, server string) [sha256.Size]byte {
	return sha256.Sum256(append(append([]byte{}, installation...), server...))
}

// Run connects and plays until the session ends; it returns when every goroutine of it has ended. Nil: ctx ended and the
// server was told goodbye. Otherwise the error says why, mostly as an *EndError. A client runs once at a time.
func (c *Client) Run(ctx context.Context) error {
	cn := newConnection(c)
	if !c.current.CompareAndSwap(nil, cn) {
		return ErrRunning
	}
	defer c.current.Store(nil)
	return cn.run(ctx)
}

// Chat sends a line to all. What cannot be sent, such as control characters, more than 512 bytes or a line that begins with
// a slash, is an error.
func (c *Client) Chat(text string) error { return c.say(protocol.ChannelAll, text) }

// TeamChat sends a line to the player's own group.
func (c *Client) TeamChat(text string) error { return c.say(protocol.ChannelTeam, text) }

func (c *Client) say(channel protocol.Channel, text string) error {
	if strings.HasPrefix(text, "/") {
		return errors.New("client: a line that begins with a slash is a command")
	}
	return c.speak(&protocol.ClientChat{Channel: channel, Text: text})
}

// Command sends a command, without its slash.
func (c *Client) Command(text string) error {
	return c.speak(&protocol.ClientCommand{Text: text})
}

// speak sends what the player says, which a server hears only after the sign-in.
func (c *Client) speak(p protocol.Packet) error {
	if c.Self().State == PreAuth {
		return ErrSignInFirst
	}
	return c.send(p, true)
}

// ViewLoaded says that the page of a view is there and has run. Once for each view; more are ignored.
func (c *Client) ViewLoaded(id uint32) error {
	return c.do(func(s *session) { s.views.loaded(id) })
}

// ViewFailed closes a view whose page could not be shown, and tells the server why. status is one of the failures.
func (c *Client) ViewFailed(id uint32, status protocol.ViewStatusCode) error {
	if status == protocol.ViewLoaded || !status.Known() {
		return fmt.Errorf("client: ViewFailed wants one of the failures, not %v", status)
	}
	return c.do(func(s *session) { s.views.fail(id, status) })
}

// ViewAction sends an action of a view's page. revision is that of the last snapshot the page received, 0 without one.
// It is ignored if the view is no longer open or its page was not reported as loaded.
func (c *Client) ViewAction(id, revision uint32, action string, fields []protocol.ViewField) error {
	count, raw, err := protocol.BuildFields(fields)
	if err != nil {
		return fmt.Errorf("action %q: %w", action, err)
	}
	p := &protocol.ViewAction{ViewID: id, Revision: revision, Action: action, Count: count, Fields: raw}
	if err := encodable(p); err != nil {
		return err
	}
	return c.do(func(s *session) { s.views.action(p) })
}

// send puts a packet on the lane; a droppable one is refused while the server does not keep up.
func (c *Client) send(p protocol.Packet, droppable bool) error {
	if err := encodable(p); err != nil {
		return err
	}
	return c.do(func(s *session) { s.push(p, droppable) })
}

// encodable refuses on the caller's side what the codec would refuse later.
func encodable(p protocol.Packet) error {
	_, err := protocol.Append(nil, protocol.Header{ID: p.ID(), Token: 1, Event: 1}, p)
	return err
}

// do runs f on the loop if there is a session. It does not wait for it.
func (c *Client) do(f func(*session)) error {
	cn := c.current.Load()
	if cn == nil || !cn.connected.Load() {
		return ErrNotConnected
	}
	select {
	case cn.calls <- f:
		return nil
	default:
		return ErrBusy
	}
}
