package host

import (
	"errors"
	"maps"
	"slices"

	"darqline/host/session"
	"darqline/protocol"
	"darqline/resources/strict"
)

// QueryConfig is the table [query]: what launchers and server lists may ask.
type QueryConfig struct {
	Enabled   bool
	Players   bool
	Challenge session.QueryChallenge
	PerHost   int
	Answers   int
	Rules     map[string]string
}

// Limits of the query's rules.
const (
	maxRules     = 64
	maxRuleKey   = 32 // bytes
	maxRuleValue = 127
)

func defaultQuery() QueryConfig {
	return QueryConfig{Enabled: true, Players: true, Challenge: session.ChallengeLoad, PerHost: 10, Answers: 2000}
}

func (c *QueryConfig) table() strict.Table {
	value := strict.Check("one line", func(s string) error { return protocol.PlainText(s, 1<<16) })
	return strict.Table{
		strict.Key("query.enabled", strict.Boolean(&c.Enabled), "server lists and launchers are answered").Live(),
		strict.Key("query.players", strict.Boolean(&c.Players), "they are told who is here; else only how many").Live(),
		strict.Key("query.challenge", strict.Choice(&c.Challenge, session.ChallengeLoad, session.ChallengeAlways, session.ChallengeNever),
			"when who asks has to prove his address first; `load`: over 500 answers a second").Live(),
		strict.Key("query.per_host", strict.Integer(&c.PerHost, 1, 1000), "requests a second of one IP address").Live(),
		strict.Key("query.answers", strict.Integer(&c.Answers, 1, 1000000), "answers a second in all, and as many to who has proven his address").Live(),
		strict.Key("query.rules", strict.ByName(&c.Rules, maxRules, strict.Check("1..32 bytes, one line", ruleKey),
			func(s *string) strict.Value { return strict.String(s, strict.Bytes(0, maxRuleValue), value) }),
			"up to 64 lines of your own for server lists: `rules = { discord = \"https://example.org/d\" }`").Live(),
	}
}

// ruleKey refuses what cannot be the key of a rule.
func ruleKey(s string) error {
	if s == "" {
		return errors.New("a rule's key must not be empty")
	}
	return protocol.PlainText(s, maxRuleKey)
}

// asked is what the session answers queries with.
func (c *Config) asked() session.QueryConfig {
	q := &c.Query
	out := session.QueryConfig{Enabled: q.Enabled, Players: q.Players, Challenge: q.Challenge, PerHost: q.PerHost, Answers: q.Answers,
		Mode: c.Server.Mode, Language: c.Server.Language, Website: c.Server.Website}
	for _, key := range slices.Sorted(maps.Keys(q.Rules)) {
		out.Rules = append(out.Rules, protocol.ServerRule{Key: key, Value: q.Rules[key]})
	}
	return out
}
