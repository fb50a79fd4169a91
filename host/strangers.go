package host

import (
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"time"

	"darqline/host/limit"
	"darqline/host/session"
	"darqline/host/world"
	"darqline/protocol"
)

// How many lines of one kind players and strangers can cause: enough for a full server that comes and goes, and 40 MB a day
// at most.
const (
	linesAtOnce    = 1000
	linesPerSecond = 5
	linesSummed    = time.Minute
)

// strangers writes the lines of the log that players and strangers can cause at will: nobody fills the disk by them. What is
// left out is counted, and said. It is the script loop's own.
type strangers struct {
	log   *slog.Logger
	now   func() time.Duration
	kinds map[string]*strangeLine
}

type strangeLine struct {
	bucket limit.Bucket
	lost   int
}

func newStrangers(log *slog.Logger, now func() time.Duration) strangers {
	return strangers{log, now, make(map[string]*strangeLine)}
}

// say writes a line, of which what is the kind.
func (s *strangers) say(what string, args ...any) {
	line := s.kinds[what]
	if line == nil {
		line = new(strangeLine)
		s.kinds[what] = line
	}
	if line.bucket.Take(s.now(), linesPerSecond, linesAtOnce, 1) {
		s.log.Info(what, args...)
	} else {
		line.lost++
	}
}

// sum says what was left out.
func (s *strangers) sum() {
	for _, what := range slices.Sorted(maps.Keys(s.kinds)) {
		if line := s.kinds[what]; line.lost > 0 {
			s.log.Warn("lines were left out of the log, because there were too many", "of", what, "count", line.lost)
			line.lost = 0
		}
	}
}

// refused is an attempt to join that was refused, on its way to the log.
type refused struct {
	name    string
	address netip.AddrPort
	reason  protocol.Reason
	text    string
}

func (refused) LuaName() string { return "" }

// tellRefused hands a refused attempt on to the script loop, which writes the log.
func (h *Host) tellRefused(e *session.Event) {
	h.script.post(item{event: refused{e.Name, e.From, e.Reason, e.Text}}, clientItems)
}

// tellLives logs the edges of players' lives, and whom the sessions have refused.
func (h *Host) tellLives(e world.Event) {
	switch e := e.(type) {
	case refused:
		h.strangers.say("refused", with([]any{"name", e.name, "address", e.address, "reason", e.reason.String()}, "text", e.text)...)
	case world.PlayerSignIn:
		h.strangers.say("signs in", h.whois(e.Player)...)
	case world.PlayerJoin:
		h.strangers.say("joined", h.whois(e.Player)...)
	case world.PlayerLeave:
		what := "left"
		if !e.Joined {
			what = "left while signing in"
		}
		tx := h.world.Begin()
		stayed := tx.Connected(e.Player)
		tx.End()
		about := []any{"player", e.Player.ID, "name", e.Player.Name(), "reason", e.Reason.String()}
		h.strangers.say(what, append(with(about, "text", e.Text), "after", stayed.Round(time.Second))...)
	}
}

// whois is what the log says of somebody who comes.
func (h *Host) whois(p *world.Player) []any {
	tx := h.world.Begin()
	defer tx.End()
	return with([]any{"player", p.ID, "name", p.Name(), "address", tx.Address(p)}, "account", tx.Account(p))
}

// with adds what is there.
func with(args []any, key, value string) []any {
	if value == "" {
		return args
	}
	return append(args, key, value)
}
