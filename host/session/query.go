package session

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"darqline/host/limit"
	"darqline/protocol"
)

// QueryConfig is what the server query tells, and how often (page Connection, Server query). The zero value answers
// nothing.
type QueryConfig struct {
	Enabled   bool           // query.enabled
	Players   bool           // query.players: the list has players
	Challenge QueryChallenge // query.challenge
	PerHost   int            // query.per_host, requests a second
	Answers   int            // query.answers, a second in all

	Mode, Language, Website string                // server.mode, .language, .website; up to 63 bytes each
	Rules                   []protocol.ServerRule // query.rules, sorted by key; up to 64
}

// QueryChallenge says when an asker has to prove his address.
type QueryChallenge string

const (
	ChallengeLoad   QueryChallenge = "load"
	ChallengeAlways QueryChallenge = "always"
	ChallengeNever  QueryChallenge = "never"
)

// Limits of the query that are no configuration.
const (
	queryBurst      = 3    // seconds' worth of query.per_host at once
	queryChallenges = 5000 // a second in all
	queryLoad       = 500  // answers without a cookie in the last second: more are load
	snapshotEvery   = time.Second
)

// query answers who asks about the server. All that it keeps is of fixed size but the snapshot, and an answer allocates
// nothing: what is asked for is copied from the snapshot.
type query struct {
	ask      protocol.ServerQuery
	answer   protocol.ServerQueryAnswer
	cookie   [1]protocol.QueryField
	cookies  queryCookies
	snapshot querySnapshot

	open, proven, challenges limit.Bucket // answers without a cookie, with one, and challenges
	lately                   lately       // answers without a cookie
}

// queried answers a request with at most one datagram, never longer than the request, or with silence.
func (s *Sessions) queried(now time.Duration, from netip.AddrPort, b []byte) {
	q, cfg := &s.query, &s.cfg.Query
	if !cfg.Enabled || len(b) < protocol.MinQuery {
		return
	}
	if _, err := s.codec.DecodeInto(b[:protocol.MinQuery], protocol.ClientToServer, &q.ask); err != nil { // padding is not looked at
		return
	}
	proven := q.ask.Cookie != 0 && q.cookies.valid(now, &s.cookies, from, q.ask.Cookie)
	host, rate := s.hosts.of(hostOf(from)), float64(cfg.PerHost)
	mine, all := &host.queries, &q.open
	if proven { // budgets of its own, which no spoofed source can use up
		mine, all = &host.provenQueries, &q.proven
	}
	if !mine.Take(now, rate, queryBurst*rate, 1) {
		return
	}
	if !proven && q.suspicious(now, cfg.Challenge) {
		if q.challenges.Take(now, queryChallenges, queryChallenges, 1) {
			s.stats.QueryChallenges++
			q.cookie[0] = protocol.CookieField(q.cookies.issue(now, &s.cookies, from))
			s.sendAnswer(from, len(b), protocol.QueryChallenge, 0, 0, q.cookie[:])
		}
		return
	}
	if !all.Take(now, float64(cfg.Answers), float64(cfg.Answers), 1) {
		return
	}
	if !proven {
		q.lately.add(now)
	}
	s.stats.Queries++
	if now >= q.snapshot.due {
		s.takeSnapshot(now)
	}
	shot, first := &q.snapshot, q.ask.First
	switch q.ask.Kind {
	case protocol.QueryPing:
		s.sendAnswer(from, len(b), q.ask.Kind, 0, 0, shot.info[:1])
	case protocol.QueryInfo:
		s.sendAnswer(from, len(b), q.ask.Kind, 0, 0, shot.info)
	case protocol.QueryPlayers:
		s.sendAnswer(from, len(b), q.ask.Kind, len(shot.players), first, shot.players)
	case protocol.QueryRules:
		s.sendAnswer(from, len(b), q.ask.Kind, len(shot.rules), first, shot.rules)
	}
}

// suspicious says whether a request without a right cookie gets a challenge alone.
func (q *query) suspicious(now time.Duration, when QueryChallenge) bool {
	return when == ChallengeAlways || when == ChallengeLoad && q.lately.over(now)
}

// sendAnswer sends the fields from first on that an answer of room bytes has place for.
func (s *Sessions) sendAnswer(to netip.AddrPort, room int, kind protocol.QueryKind, total int, first uint16, fields []protocol.QueryField) {
	a := &s.query.answer
	a.Kind, a.RequestID, a.Total, a.First, a.Body = kind, s.query.ask.RequestID, uint16(total), first, a.Body[:0]
	a.Fit(room, fields[min(int(first), len(fields)):]...)
	s.send(to, protocol.Header{}, a)
}

// lately knows whether more than queryLoad of something happened in the last second.
type lately struct {
	at [queryLoad + 1]time.Duration // of the newest ones, plus a second
	n  int                          // the oldest of them
}

func (l *lately) add(now time.Duration) {
	l.at[l.n] = now + time.Second
	l.n = (l.n + 1) % len(l.at)
}

func (l *lately) over(now time.Duration) bool { return l.at[l.n] > now }

// querySnapshot is what is told until the next one, as the fields of answers.
type querySnapshot struct {
	due                  time.Duration // of the next one
	info, players, rules []protocol.QueryField
}

// fill takes what there is to tell. Players come by id, rules by key.
func (shot *querySnapshot) fill(info *protocol.ServerInfo, players []protocol.ListedPlayer, rules []protocol.ServerRule) {
	shot.info = info.Fields()
	shot.players, shot.rules = shot.players[:0], shot.rules[:0]
	for _, p := range players {
		shot.players = append(shot.players, p.Field())
	}
	for _, r := range rules {
		shot.rules = append(shot.rules, r.Field())
	}
}

// takeSnapshot makes the snapshot that is told for the next second.
func (s *Sessions) takeSnapshot(now time.Duration) {
	cfg := &s.cfg.Query
	var players []protocol.ListedPlayer
	for _, c := range s.conns {
		if c.state != Joined {
			continue
		}
		ping := uint16(0xFFFF) // none yet, as in ServerKeepalive
		if c.probes.measured {
			ping = uint16(min(c.probes.ping/time.Millisecond, 0xFFFE))
		}
		players = append(players, protocol.ListedPlayer{
			PlayerID: c.id, Ping: ping, Seconds: uint32((now - c.since) / time.Second), Name: c.name})
	}
	info := protocol.ServerInfo{
		Version: protocol.Version, Flags: s.queryFlags(), Players: uint16(len(players)), MaxPlayers: uint16(s.cfg.MaxPlayers),
		Name: s.cfg.ServerName, Mode: cfg.Mode, Language: cfg.Language, Website: cfg.Website,
		BootID: s.bootID, Uptime: uint32(now / time.Second),
	}
	if !cfg.Players {
		players = nil
	}
	slices.SortFunc(players, func(a, b protocol.ListedPlayer) int { return cmp.Compare(a.PlayerID, b.PlayerID) })
	s.query.snapshot.fill(&info, players, cfg.Rules)
	s.query.snapshot.due = now + snapshotEvery
}

// queryFlags are the flags of tag 2.
func (s *Sessions) queryFlags() (flags protocol.QueryFlags) {
	if s.cfg.Password != "" {
		flags |= protocol.QueryPassword
	}
	if s.cfg.SignIn != nil && s.cfg.SignIn() {
		flags |= protocol.QuerySignIn
	}
	if s.closing {
		flags |= protocol.QueryClosing
	}
	return flags
}
