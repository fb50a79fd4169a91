package protocol_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
	"darqline/protocol/wire"
)

// TestQueryLayout holds both layouts against the specification's line.
func TestQueryLayout(t *testing.T) {
	ask, answer := protocol.ServerQuery{}, protocol.ServerQueryAnswer{}
	got := "ask: " + body(wire.Describe(&ask)) + " | answer: " + body(wire.Describe(&answer)) + ", not longer than the request"
	lines := specification(t)
	if want := lines[len(lines)-1].body; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	r, _ := protocol.Lookup(protocol.IDServerQuery)
	for name, l := range map[string]wire.Layout{"query": protocol.Describe(r), "answer": protocol.DescribeAnswer()} {
		least := map[string]int{"query": protocol.MinQuery, "answer": r.Min}[name]
		if l.Min() != least || l.Max() != r.Max {
			t.Errorf("%s: %d..%d bytes", name, l.Min(), l.Max())
		}
	}
}

// TestQueryLength has a query of every length: 64 to 1,200 bytes, whatever
// stands in the padding.
func TestQueryLength(t *testing.T) {
	whole := bytes.Repeat([]byte{0xA5}, 1201)
	copy(whole, samples.Named("query_info").Bytes())
	for n := range whole {
		_, p, err := protocol.Decode(whole[:n], protocol.ClientToServer)
		if ok := n >= protocol.MinQuery && n <= protocol.MaxPacket; ok != (err == nil) {
			t.Errorf("%d bytes: %v", n, err)
		} else if ok && p.(*protocol.ServerQuery).Len() != n {
			t.Errorf("%d bytes: Len is %d", n, p.(*protocol.ServerQuery).Len())
		}
	}
}

// TestQueryDirection lets a query and an answer go one way each, so that two
// servers can never be set to answer each other.
func TestQueryDirection(t *testing.T) {
	for file, dir := range map[string]protocol.Direction{"query_info": protocol.ClientToServer, "query_info_answer": protocol.ServerToClient} {
		b := samples.Named(file).Bytes()
		if _, _, err := protocol.Decode(b, dir); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if _, p, err := protocol.Decode(b, protocol.ServerToClient-dir); err == nil {
			t.Errorf("%s goes the other way: %+v", file, p)
		}
		if _, _, err := protocol.Decode(b, protocol.BothDirections); err != nil {
			t.Errorf("%s in a capture: %v", file, err)
		}
	}
}

// TestQueryFit leaves out what does not fit, tries what follows, and ends a
// list at its first item that does not.
func TestQueryFit(t *testing.T) {
	field := func(tag protocol.QueryTag, n int) protocol.QueryField {
		return protocol.QueryField{Tag: tag, Value: strings.Repeat("v", n)}
	}
	for _, tc := range []struct {
		room   int
		fields []protocol.QueryField
		want   string // the sizes of what fits
	}{
		{16, []protocol.QueryField{field(protocol.TagVersion, 2)}, ""},
		{20, []protocol.QueryField{field(protocol.TagVersion, 2)}, "2"},
		{30, []protocol.QueryField{field(protocol.TagVersion, 2), field(protocol.TagName, 9), field(protocol.TagMode, 8)}, "2 8"},
		{30, []protocol.QueryField{field(protocol.TagPlayer, 2), field(protocol.TagPlayer, 9), field(protocol.TagPlayer, 2)}, "2"},
		{28, []protocol.QueryField{field(protocol.TagRule, 2), field(protocol.TagRule, 2), field(protocol.TagRule, 2)}, "2 2 2"},
	} {
		var a protocol.ServerQueryAnswer
		a.Fit(tc.room, tc.fields...)
		var got []string
		for _, f := range a.Body {
			got = append(got, string('0'+byte(len(f.Value))))
		}
		if strings.Join(got, " ") != tc.want || a.Len() > tc.room && tc.want != "" {
			t.Errorf("room %d: %v in %d bytes, want %s", tc.room, got, a.Len(), tc.want)
		}
	}
}

func answer(t *testing.T, file string) *protocol.ServerQueryAnswer {
	t.Helper()
	_, p, err := protocol.Decode(samples.Named(file).Bytes(), protocol.ServerToClient)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*protocol.ServerQueryAnswer)
}

// TestQueryValues reads what the samples tell.
func TestQueryValues(t *testing.T) {
	info, err := answer(t, "query_info_answer").Info()
	if want := (protocol.ServerInfo{
		Version: 146, Flags: protocol.QueryPassword | protocol.QueryClosing, Players: 258, MaxPlayers: 1000, Name: "Grove Street – home",
		Mode: "Freeroam", Language: "en, русский", Website: "https://example.org", BootID: 0xB007B007B007B007, Uptime: 86400,
	}); err != nil || info != want {
		t.Errorf("%+v, %v", info, err)
	}
	if info, err := answer(t, "query_ping_answer").Info(); err != nil || info != (protocol.ServerInfo{Version: 146}) {
		t.Errorf("%+v, %v", info, err)
	}
	players, err := answer(t, "query_players_answer").Players()
	if err != nil || len(players) < 40 || players[1] != (protocol.ListedPlayer{PlayerID: 51, Ping: 49, Seconds: 3600, Name: "Player_1"}) {
		t.Errorf("%+v, %v", players, err)
	}
	rules, err := answer(t, "query_rules_answer").Rules()
	if want := []protocol.ServerRule{{Key: "mode", Value: "freeroam"}, {Key: "pvp", Value: "да"}}; err != nil || !reflect.DeepEqual(rules, want) {
		t.Errorf("%+v, %v", rules, err)
	}
	if got := answer(t, "query_challenge").Cookie(); got != 0xC00C1E5EC00C1E5E {
		t.Errorf("%#x", got)
	}
	if got := answer(t, "query_ping_answer").Cookie(); got != 0 {
		t.Errorf("%#x of an answer without one", got)
	}
}

// TestQueryLaterRevision skips tags that are not known and bytes behind the
// known ones.
func TestQueryLaterRevision(t *testing.T) {
	a := answer(t, "query_ping_answer")
	a.Body[0].Value += "\x09\x09"
	a.Body = append(a.Body, protocol.QueryField{Tag: 200, Value: "\x01"})
	if info, err := a.Info(); err != nil || info.Version != 146 {
		t.Errorf("%+v, %v", info, err)
	}
}

// TestQueryValuesRefuse has values that are too short or no text.
func TestQueryValuesRefuse(t *testing.T) {
	for tag, value := range map[protocol.QueryTag]string{
		protocol.TagVersion: "1", protocol.TagFlags: "", protocol.TagBoot: "12345678901", protocol.TagName: "a\nb", protocol.TagMode: "\xFF",
		protocol.TagPlayer: "12345678\x05name", protocol.TagRule: "\x04key",
	} {
		a := &protocol.ServerQueryAnswer{Body: []protocol.QueryField{{Tag: tag, Value: value}}}
		_, info := a.Info()
		_, players := a.Players()
		_, rules := a.Rules()
		if info == nil && players == nil && rules == nil {
			t.Errorf("%v %q is read", tag, value)
		}
	}
}
