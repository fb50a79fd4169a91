package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"darqline/client"
	"darqline/host/udp"
	"darqline/protocol"
)

// answerer is a server that answers queries as a test wants it: of one request, any number of datagrams.
type answerer func(q *protocol.ServerQuery) [][]byte

var (
	answererAt = netip.MustParseAddrPort("10.0.0.1:7777")
	askerAt    = netip.MustParseAddr("10.0.0.2")
)

type memoryNetwork struct{ mem *udp.Memory }

func (n memoryNetwork) DialPacket(_ context.Context, server string) (net.Conn, error) {
	return n.mem.DialPacket(askerAt, netip.MustParseAddrPort(server))
}

func (n memoryNetwork) DialStream(context.Context, netip.AddrPort) (net.Conn, error) {
	return nil, errors.New("no streams")
}

// asked runs a test with a server that answers so, and gives what Query says.
func asked(t *testing.T, answer answerer, test func(s *client.ServerStatus, err error, took time.Duration)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		mem := udp.NewMemory(1)
		conn, err := mem.Listen(answererAt)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			ms := []udp.Message{{Data: make([]byte, 0, 2048)}}
			for {
				n, err := conn.ReadBatch(ms)
				if err != nil {
					return
				}
				if n == 0 {
					continue
				}
				_, p, err := protocol.Decode(ms[0].Data, protocol.ClientToServer)
				if err != nil {
					t.Errorf("the asker sent what nobody can read: %v", err)
					return
				}
				for _, b := range answer(p.(*protocol.ServerQuery)) {
					conn.WriteBatch([]udp.Message{{Addr: ms[0].Addr, Data: b}})
				}
			}
		}()
		began := time.Now()
		s, err := client.Query(t.Context(), memoryNetwork{mem}, answererAt.String())
		test(s, err, time.Since(began))
		conn.Close()
	})
}

func encoded(t testing.TB, a *protocol.ServerQueryAnswer) []byte {
	b, err := protocol.Append(nil, protocol.Header{}, a)
	if err != nil {
		t.Error(err)
	}
	return b
}

// honest answers as a server does.
func honest(t testing.TB, info protocol.ServerInfo, players []protocol.ListedPlayer, rules []protocol.ServerRule) answerer {
	return func(q *protocol.ServerQuery) [][]byte {
		a := &protocol.ServerQueryAnswer{Kind: q.Kind, RequestID: q.RequestID}
		switch q.Kind {
		case protocol.QueryPing:
			a.Fit(q.Len(), info.Fields()[0])
		case protocol.QueryInfo:
			a.Fit(q.Len(), info.Fields()...)
		case protocol.QueryPlayers:
			a.Total, a.First = uint16(len(players)), q.First
			for _, p := range players[min(int(q.First), len(players)):] {
				a.Fit(q.Len(), p.Field())
				if a.Len()+60 > q.Len() {
					break
				}
			}
		case protocol.QueryRules:
			a.Total, a.First = uint16(len(rules)), q.First
			for _, r := range rules[min(int(q.First), len(rules)):] {
				a.Fit(q.Len(), r.Field())
			}
		}
		return [][]byte{encoded(t, a)}
	}
}

var anyInfo = protocol.ServerInfo{Version: protocol.Version + 1, Players: 3, MaxPlayers: 1000, Name: "Some server"}

func crowdOf(n int) (list []protocol.ListedPlayer) {
	for i := range n {
		list = append(list, protocol.ListedPlayer{PlayerID: uint16(i), Ping: 20, Name: fmt.Sprintf("Player_with_a_long_name_%04d", i)})
	}
	return list
}

// TestQueryOfAnotherRevision is answered like any other, and a full server's list comes by pages.
func TestQueryOfAnotherRevision(t *testing.T) {
	rules := []protocol.ServerRule{{Key: "a", Value: "1"}, {Key: "b", Value: strings.Repeat("x", 127)}}
	asked(t, honest(t, anyInfo, crowdOf(1000), rules), func(s *client.ServerStatus, err error, _ time.Duration) {
		if err != nil || s.Version != protocol.Version+1 || s.Name != "Some server" || !s.Whole {
			t.Fatalf("%+v, %v", s, err)
		}
		for i, p := range s.List {
			if p != crowdOf(1000)[i] {
				t.Fatalf("%+v stands at %d", p, i)
			}
		}
		if len(s.List) != 1000 || len(s.Rules) != 2 || s.Rules[1] != rules[1] {
			t.Fatalf("%d players, rules %v", len(s.List), s.Rules)
		}
	})
}

// TestQueryProves answers challenges, and does not forget the cookie.
func TestQueryProves(t *testing.T) {
	challenged := 0
	serve := honest(t, anyInfo, crowdOf(100), nil)
	asked(t, func(q *protocol.ServerQuery) [][]byte {
		if q.Cookie != 77 {
			challenged++
			return [][]byte{encoded(t, &protocol.ServerQueryAnswer{Kind: protocol.QueryChallenge, RequestID: q.RequestID, Body: []protocol.QueryField{protocol.CookieField(77)}})}
		}
		return serve(q)
	}, func(s *client.ServerStatus, err error, took time.Duration) {
		if err != nil || len(s.List) != 100 || challenged != 1 || took > time.Second {
			t.Fatalf("%v after %v and %d challenges: %+v", err, took, challenged, s)
		}
	})
}

// TestQueryAsksWithLess where the path drops what is large, or large and zero.
func TestQueryAsksWithLess(t *testing.T) {
	serve := honest(t, anyInfo, crowdOf(5), nil)
	asked(t, func(q *protocol.ServerQuery) [][]byte {
		if q.Len() > 600 || strings.Trim(string(q.Padding), "\x00") == "" {
			return nil
		}
		return serve(q)
	}, func(s *client.ServerStatus, err error, _ time.Duration) {
		if err != nil || len(s.List) != 5 || !s.Whole {
			t.Fatalf("%v: %+v", err, s)
		}
	})
}

// TestQueryTellsWhatIsLost: a server whose lists never come is shown without them.
func TestQueryTellsWhatIsLost(t *testing.T) {
	serve := honest(t, anyInfo, nil, nil)
	asked(t, func(q *protocol.ServerQuery) [][]byte {
		if q.Kind == protocol.QueryPlayers {
			return nil
		}
		return serve(q)
	}, func(s *client.ServerStatus, err error, _ time.Duration) {
		if err != nil || s.Whole || s.Name != "Some server" {
			t.Fatalf("%v: %+v", err, s)
		}
	})
}

// TestQueryOfHostileServers: nothing of what they send reaches the caller but what the page allows, and all ends in time.
func TestQueryOfHostileServers(t *testing.T) {
	serve := honest(t, anyInfo, crowdOf(3), nil)
	instead := func(kind protocol.QueryKind, f func(q *protocol.ServerQuery) [][]byte) answerer {
		return func(q *protocol.ServerQuery) [][]byte {
			if q.Kind == kind {
				return f(q)
			}
			return serve(q)
		}
	}
	answer := func(q *protocol.ServerQuery, total uint16, body ...protocol.QueryField) [][]byte {
		return [][]byte{encoded(t, &protocol.ServerQueryAnswer{Kind: q.Kind, RequestID: q.RequestID, Total: total, Body: body})}
	}
	named := func(name string) protocol.QueryField { return protocol.ListedPlayer{Name: name}.Field() }
	for name, test := range map[string]struct {
		serve  answerer
		want   string // part of the error; "" for none
		whole  bool
		within time.Duration
	}{
		"an escape in its name": {instead(protocol.QueryInfo, func(q *protocol.ServerQuery) [][]byte {
			return answer(q, 0, protocol.QueryField{Tag: protocol.TagName, Value: "\x1b[2J"})
		}), "breaks the rules", false, time.Second},
		"not UTF-8": {instead(protocol.QueryInfo, func(q *protocol.ServerQuery) [][]byte {
			return answer(q, 0, protocol.QueryField{Tag: protocol.TagMode, Value: "\xff"})
		}), "breaks the rules", false, time.Second},
		"a value that is too short": {instead(protocol.QueryInfo, func(q *protocol.ServerQuery) [][]byte {
			return answer(q, 0, protocol.QueryField{Tag: protocol.TagPlayers, Value: "\x01"})
		}), "too short", false, time.Second},
		"an escape in a player's name": {instead(protocol.QueryPlayers, func(q *protocol.ServerQuery) [][]byte {
			return answer(q, 1, named("\x1b]0;x\a"))
		}), "", false, time.Second},
		"a list without an end": {instead(protocol.QueryPlayers, func(q *protocol.ServerQuery) [][]byte {
			return answer(q, 65535, named("again"))
		}), "", false, time.Minute},
		"an empty list of many": {instead(protocol.QueryPlayers, func(q *protocol.ServerQuery) [][]byte { return answer(q, 65535) }), "", false, time.Second},
		"challenges for ever": {func(q *protocol.ServerQuery) [][]byte {
			return [][]byte{encoded(t, &protocol.ServerQueryAnswer{Kind: protocol.QueryChallenge, RequestID: q.RequestID, Body: []protocol.QueryField{protocol.CookieField(uint64(q.RequestID))}})}
		}, "no answer", false, 10 * time.Second},
		"an answer to another request": {func(q *protocol.ServerQuery) [][]byte {
			q.RequestID ^= 1 << 31
			return serve(q)
		}, "no answer", false, 10 * time.Second},
		"noise before each answer": {func(q *protocol.ServerQuery) [][]byte {
			return append([][]byte{{}, {0xFF}, []byte("\xffDQRSnonsense"), make([]byte, 1500)}, serve(q)...)
		}, "", true, time.Second},
		"each answer twice": {func(q *protocol.ServerQuery) [][]byte { return append(serve(q), serve(q)...) }, "", true, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			asked(t, test.serve, func(s *client.ServerStatus, err error, took time.Duration) {
				switch {
				case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
					t.Fatalf("%v: %+v", err, s)
				case err == nil && s.Whole != test.whole, took > test.within:
					t.Fatalf("whole %v after %v: %+v", s.Whole, took, s)
				}
				if s == nil {
					return
				}
				for _, p := range s.List {
					if protocol.PlainText(p.Name, 255) != nil {
						t.Errorf("the caller is given %q", p.Name)
					}
				}
			})
		})
	}
}

func TestQueryEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
		defer cancel()
		began := time.Now()
		_, err := client.Query(ctx, memoryNetwork{udp.NewMemory(1)}, answererAt.String())
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took > 2*time.Second {
			t.Fatalf("%v after %v", err, took)
		}
	})
}
