package session

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"darqline/protocol"
)

// crowd fills a server's snapshot as n players would.
func crowd(s *Sessions, n int) {
	players := make([]protocol.ListedPlayer, n)
	for i := range players {
		players[i] = listed(i)
	}
	info := protocol.ServerInfo{Version: protocol.Version, Players: uint16(n), MaxPlayers: 1000, Name: s.cfg.ServerName,
		Mode: s.cfg.Query.Mode, Language: s.cfg.Query.Language, Website: s.cfg.Query.Website, BootID: s.bootID}
	s.query.snapshot.fill(&info, players, s.cfg.Query.Rules)
	s.query.snapshot.due = forever
}

// listed is the player of a crowd at place i. Names are up to 47 bytes long.
func listed(i int) protocol.ListedPlayer {
	return protocol.ListedPlayer{PlayerID: uint16(i), Ping: uint16(i), Seconds: uint32(i), Name: fmt.Sprintf("Player_%0*d", 1+i%40, i)}
}

// FuzzQuery sends any bytes as a query to servers of every size: at most one answer, never longer than the request, that
// reads back and holds what was asked for.
func FuzzQuery(f *testing.F) {
	seeds, err := filepath.Glob("../../fixtures/protocol/query_*.bin")
	if err != nil || len(seeds) == 0 {
		f.Fatal("no golden queries: ", err)
	}
	for _, path := range seeds {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, uint8(len(b)), uint32(0))
		f.Add(b, uint8(1), uint32(40_000))
	}
	var sent [][]byte
	sizes := []int{0, 1, 100, 1000}
	var rigs []*rig
	for _, n := range sizes {
		r := newRig(nil, asking)
		r.s.cfg.Send = func(_ netip.AddrPort, b []byte, _ int) { sent = append(sent, b) }
		crowd(r.s, n)
		rigs = append(rigs, r)
	}
	f.Fuzz(func(t *testing.T, b []byte, size uint8, later uint32) {
		i := int(size) % len(sizes)
		r, n := rigs[i], sizes[i]
		r.now += time.Second + time.Duration(later)*time.Millisecond
		sent = sent[:0]
		r.s.Receive(r.now, alice, b)
		if len(sent) == 0 {
			if _, p, err := protocol.Decode(b, protocol.ClientToServer); err == nil && p.ID() == protocol.IDServerQuery {
				t.Fatalf("no answer to %+v", p)
			}
			return
		}
		if len(sent) > 1 || len(sent[0]) > len(b) {
			t.Fatalf("%d answers, the first of %d bytes, to %d bytes", len(sent), len(sent[0]), len(b))
		}
		if len(b) > 0 && protocol.ID(b[0]) != protocol.IDServerQuery {
			return // a challenge of the handshake
		}
		_, p, err := protocol.Decode(b, protocol.ClientToServer)
		if err != nil {
			t.Fatalf("an answer to what is no query: %v", err)
		}
		checkAnswer(t, p.(*protocol.ServerQuery), sent[0], n)
	})
}

// checkAnswer reads an answer back.
func checkAnswer(t *testing.T, q *protocol.ServerQuery, b []byte, players int) {
	t.Helper()
	_, p, err := protocol.Decode(b, protocol.ServerToClient)
	if err != nil {
		t.Fatal(err)
	}
	a := p.(*protocol.ServerQueryAnswer)
	if a.Kind != q.Kind || a.RequestID != q.RequestID || a.Len() != len(b) {
		t.Fatalf("%+v answers %+v", a, q)
	}
	info, infoErr := a.Info()
	list, listErr := a.Players()
	rules, rulesErr := a.Rules()
	if infoErr != nil || listErr != nil || rulesErr != nil {
		t.Fatal(infoErr, listErr, rulesErr)
	}
	switch q.Kind {
	case protocol.QueryPing, protocol.QueryInfo:
		if info.Version != protocol.Version {
			t.Fatalf("%+v", info)
		}
	case protocol.QueryPlayers:
		if int(a.Total) != players || a.First != q.First {
			t.Fatalf("%d of %d players from %d on: %d", len(list), players, q.First, a.Total)
		}
		if next := int(q.First) + len(list); next < players && a.Len()+2+len(listed(next).Field().Value) <= q.Len() {
			t.Fatalf("player %d is left out of %d bytes of %d", next, a.Len(), q.Len())
		}
		for i, l := range list {
			if l != listed(int(q.First)+i) {
				t.Fatalf("%+v stands at %d", l, int(q.First)+i)
			}
		}
	case protocol.QueryRules:
		if a.Total != 2 || a.First != q.First || len(rules) != max(0, 2-int(q.First)) {
			t.Fatalf("rules from %d on: %v of %d", q.First, rules, a.Total)
		}
	}
}

func BenchmarkQuery(b *testing.B) {
	for _, bench := range []struct {
		name    string
		kind    protocol.QueryKind
		padding int
		cookie  uint64
		mode    QueryChallenge
	}{
		{"ping of 64 bytes", protocol.QueryPing, 44, 0, ChallengeNever},
		{"info of 400 bytes", protocol.QueryInfo, 380, 0, ChallengeNever},
		{"50 of 1,000 players", protocol.QueryPlayers, 1180, 0, ChallengeNever},
		{"rules", protocol.QueryRules, 1180, 0, ChallengeNever},
		{"a wrong cookie's challenge", protocol.QueryInfo, 380, 1, ChallengeAlways},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := newRig(nil, asking)
			r.s.cfg.Send = func(netip.AddrPort, []byte, int) {}
			r.s.cfg.Query.Challenge, r.s.cfg.Query.Answers = bench.mode, 1_000_000_000
			crowd(r.s, 1000)
			q, err := protocol.Append(nil, protocol.Header{}, &protocol.ServerQuery{Kind: bench.kind, Cookie: bench.cookie, Padding: make([]byte, bench.padding)})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r.now += 200 * time.Microsecond
				r.s.Receive(r.now, source(i), q)
			}
		})
	}
}

// BenchmarkQuerySnapshot makes what is told of 1,000 players, once a second while anybody asks.
func BenchmarkQuerySnapshot(b *testing.B) {
	r := newRig(nil, asking)
	crowd(r.s, 1000)
	players := make([]protocol.ListedPlayer, 1000)
	for i := range players {
		players[i] = listed(i)
	}
	info := protocol.ServerInfo{Version: protocol.Version, Name: "Test"}
	b.ReportAllocs()
	for b.Loop() {
		r.s.query.snapshot.fill(&info, players, r.s.cfg.Query.Rules)
	}
}
