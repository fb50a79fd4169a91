package host

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"darqline/protocol"
	"darqline/scriptapi"
)

// ErrRestart is what Run returns after a Closing with Restart: the server ended in order, and wants to be started again.
var ErrRestart = errors.New("the server wants to be started again")

// Closing ends a server from inside.
type Closing struct {
	Text    string // for the players, up to 127 bytes; may be empty
	Seconds uint32 // until it should be back; 0: nothing is told
	Restart bool   // Run returns ErrRestart
}

// Close ends the server in order, as the end of Run's context does, and returns at once; only the first call counts.
func (h *Host) Close(c Closing) {
	select {
	case h.closing <- c:
	default:
	}
}

// server is what scripts see of the host.
type server struct{ h *Host }

// Facts is what scripts are told of the server.
func (s server) Facts() scriptapi.ServerFacts {
	cfg := s.h.live.Load()
	return scriptapi.ServerFacts{Name: cfg.Server.Name, Mode: cfg.Server.Mode, Language: cfg.Server.Language,
		Website: cfg.Server.Website, MaxPlayers: cfg.Server.MaxPlayers, Port: cfg.Server.Port, FilesPort: cfg.filesPort(),
		Version: s.h.opt.Version, BootID: s.h.sessions.BootID(), Rules: cfg.Query.Rules}
}

// Stats counts what came and went.
func (s server) Stats() scriptapi.ServerStats {
	st := s.h.sessions.Stats()
	out := scriptapi.ServerStats{Players: st.Players, Unconfirmed: st.Unconfirmed, PacketsIn: st.PacketsIn, PacketsOut: st.PacketsOut,
		BytesIn: st.BytesIn, BytesOut: st.BytesOut, Malformed: st.Malformed, Moved: st.Moved, Challenges: st.Challenges,
		Rejected: make(map[string]uint64, len(st.Rejected)), TickMS: float64(s.h.LongestTurn().Round(10*time.Microsecond)) / float64(time.Millisecond)}
	for reason, n := range st.Rejected {
		out.Rejected[reason.String()] = n
	}
	return out
}

// Close ends the process in order.
func (s server) Close(text string, seconds uint32, restart bool) {
	s.h.Close(Closing{Text: text, Seconds: seconds, Restart: restart})
}

// SetText sets a text over what server.toml says.
func (s server) SetText(which scriptapi.ServerText, text string) error {
	if which != scriptapi.ServerPassword {
		if err := protocol.PlainText(text, 63); err != nil {
			return err
		}
	}
	s.h.scripted.mu.Lock()
	defer s.h.scripted.mu.Unlock()
	s.h.scripted.texts[which] = text
	s.h.use(s.h.scripted.over())
	return nil
}

// SetRule sets a rule of the query over what server.toml says; nil removes it.
func (s server) SetRule(key string, value *string) error {
	if err := ruleKey(key); err != nil {
		return err
	}
	if value != nil {
		if err := protocol.PlainText(*value, maxRuleValue); err != nil {
			return err
		}
	}
	s.h.scripted.mu.Lock()
	defer s.h.scripted.mu.Unlock()
	rules := s.h.live.Load().Query.Rules
	if _, known := rules[key]; value != nil && !known && len(rules) >= maxRules {
		return fmt.Errorf("there are %d rules already, which is all that lists are told", maxRules)
	}
	s.h.scripted.rules[key] = value
	s.h.use(s.h.scripted.over())
	return nil
}

// scripted is what scripts have set of the server. It stands over what server.toml says until the server ends, or the
// file says something else than before: who saves a key means it.
type scripted struct {
	mu    sync.Mutex
	file  *Config // as it was read last, with what needs a restart as the server started with it
	texts map[scriptapi.ServerText]string
	rules map[string]*string // nil: removed
}

func newScripted(file *Config) scripted {
	return scripted{file: file, texts: make(map[scriptapi.ServerText]string), rules: make(map[string]*string)}
}

// read takes over what the file says now.
func (s *scripted) read(file *Config) {
	maps.DeleteFunc(s.texts, func(which scriptapi.ServerText, _ string) bool { return *s.file.text(which) != *file.text(which) })
	maps.DeleteFunc(s.rules, func(key string, _ *string) bool {
		was, had := s.file.Query.Rules[key]
		is, has := file.Query.Rules[key]
		return was != is || had != has
	})
	s.file = file
}

// over is what the file says with what scripts have set. Of more rules than there may be the file's come first.
func (s *scripted) over() *Config {
	c := *s.file
	for which, text := range s.texts {
		*c.text(which) = text
	}
	rules := make(map[string]string, len(c.Query.Rules))
	maps.Copy(rules, c.Query.Rules)
	for key, value := range s.rules {
		if value == nil {
			delete(rules, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.rules)) {
		value := s.rules[key]
		if _, known := rules[key]; value != nil && (known || len(rules) < maxRules) {
			rules[key] = *value
		}
	}
	c.Query.Rules = rules
	return &c
}

// text is where a configuration has a text that scripts may set.
func (c *Config) text(which scriptapi.ServerText) *string {
	switch which {
	case scriptapi.ServerMode:
		return &c.Server.Mode
	case scriptapi.ServerLanguage:
		return &c.Server.Language
	case scriptapi.ServerWebsite:
		return &c.Server.Website
	case scriptapi.ServerPassword:
		return &c.Server.Password
	}
	return &c.Server.Name
}

// tellChanges says in the log what of a new configuration has to wait for a restart, and what in it is hardly meant.
func (h *Host) tellChanges(next *Config) {
	if keys := next.table().NeedRestart(h.started.table()); len(keys) > 0 {
		h.log.Warn("these keys differ from what the server runs with, and need a restart: " + strings.Join(keys, ", "))
	}
	h.warn(next)
}

// warn logs what the log has not said yet of the configuration before.
func (h *Host) warn(cfg *Config) {
	list := cfg.warnings()
	for _, w := range list {
		if !slices.Contains(h.warned, w) {
			h.log.Warn(w)
		}
	}
	h.warned = list
}
