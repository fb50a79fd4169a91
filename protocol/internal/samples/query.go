package samples

import (
	"fmt"

	p "darqline/protocol"
)

// query is the asks and answers of the server query.
func query() []Sample {
	const id, secret = 0x51554552, 0xC00C1E5EC00C1E5E
	ask := func(kind p.QueryKind, first uint16, padding int) *p.ServerQuery {
		return &p.ServerQuery{Kind: kind, RequestID: id, Cookie: secret, First: first, Padding: make([]byte, padding)}
	}
	answer := func(kind p.QueryKind, total, first uint16, room int, fields ...p.QueryField) *p.ServerQueryAnswer {
		a := &p.ServerQueryAnswer{Kind: kind, RequestID: id, Total: total, First: first}
		a.Fit(room, fields...)
		return a
	}
	info := p.ServerInfo{
		Version: p.Version, Flags: p.QueryPassword | p.QueryClosing, Players: 258, MaxPlayers: 1000, Name: "Grove Street – home", Mode: "Freeroam", Language: "en, русский",
		Website: "https://example.org", BootID: 0xB007B007B007B007, Uptime: 86400,
	}
	var players []p.QueryField
	for i := range 50 {
		players = append(players, p.ListedPlayer{PlayerID: uint16(50 + i), Ping: uint16(48 + i), Seconds: uint32(3600 * i), Name: fmt.Sprintf("Player_%d", i)}.Field())
	}
	random := ask(p.QueryInfo, 0, 380)
	count(random.Padding, 1)
	random.Cookie = 0
	return []Sample{
		{File: "query_ping", Packet: ask(p.QueryPing, 0, 44)},
		{File: "query_info", Packet: random},
		{File: "query_players", Packet: ask(p.QueryPlayers, 50, 1180)},
		{File: "query_rules", Packet: ask(p.QueryRules, 1, 100)},
		{File: "query_ping_answer", Packet: answer(p.QueryPing, 0, 0, p.MinQuery, info.Fields()[0])},
		{File: "query_info_answer", Packet: answer(p.QueryInfo, 0, 0, 400, info.Fields()...)},
		{File: "query_players_answer", Packet: answer(p.QueryPlayers, 258, 50, 1200, players...)},
		{File: "query_rules_answer", Packet: answer(p.QueryRules, 3, 1, 120,
			p.ServerRule{Key: "mode", Value: "freeroam"}.Field(), p.ServerRule{Key: "pvp", Value: "да"}.Field())},
		{File: "query_challenge", Packet: answer(p.QueryChallenge, 0, 0, p.MinQuery, p.CookieField(secret))},
	}
}
