package main

import (
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/protocol"
)

// fullStatus has something at every place, and what a hostile server would like to have on a terminal.
var fullStatus = client.ServerStatus{
	Address: netip.MustParseAddrPort("[2001:db8::1]:7777"), Ping: 23456 * time.Microsecond,
	ServerInfo: protocol.ServerInfo{Version: protocol.Version + 1, Flags: protocol.QueryPassword | protocol.QuerySignIn | protocol.QueryClosing, Players: 2,
		MaxPlayers: 100, Name: "Grove\x1b[2J Street", Mode: "Free\u202eroam", Language: "en, русский", Website: "https://example.org", BootID: 0xB007, Uptime: 93792},
	List:  []protocol.ListedPlayer{{PlayerID: 0, Ping: 31, Seconds: 4329, Name: "Nova"}, {PlayerID: 4, Ping: 0xFFFF, Seconds: 3, Name: "T\ro\nm"}},
	Rules: []protocol.ServerRule{{Key: "discord", Value: "https://example.org/d"}, {Key: "\x07bell", Value: "\u0085"}},
}

func TestStatusForPeople(t *testing.T) {
	const want = `Grove?[2J Street
  address   [2001:db8::1]:7777
  players   2 of 100
  ping      23.5 ms
  revision  the server speaks 147, this program 146: one of the two needs an update to join
  mode      Free?roam
  language  en, русский
  website   https://example.org
  asks for  a password and a sign-in
  state     closing
  runs for  26h3m12s

  id  name   ping   time
  0   Nova   31 ms  1h12m9s
  4   T?o?m  -      3s

  rule     value
  discord  https://example.org/d
  ?bell    ?

  A part of the lists was lost on the way.
`
	var b strings.Builder
	if err := writeStatus(&b, &fullStatus); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestStatusForScripts holds the keys: one may come, none may change.
func TestStatusForScripts(t *testing.T) {
	const want = `{"address":"[2001:db8::1]:7777","ping_ms":23.456,"revision":147,"compatible":false,"name":"Grove\u001b[2J Street",` +
		`"mode":"Free\u202eroam","language":"en, русский","website":"https://example.org","password":true,"sign_in":true,"closing":true,` +
		`"players":2,"max_players":100,"uptime":93792,"boot_id":"000000000000b007",` +
		`"list":[{"id":0,"name":"Nova","ping_ms":31,"connected":4329},{"id":4,"name":"T\ro\nm","ping_ms":null,"connected":3}],` +
		`"rules":{"\u0007bell":"\u0085","discord":"https://example.org/d"},"complete":false}`
	got, err := json.Marshal(statusJSON(&fullStatus))
	if err != nil {
		t.Fatal(err)
	}
	unescaped := strings.NewReplacer("\u202e", `\u202e`, "\u0085", `\u0085`).Replace(string(got))
	if unescaped != want {
		t.Errorf("got\n%s\nwant\n%s", unescaped, want)
	}
	if empty, _ := json.Marshal(statusJSON(&client.ServerStatus{})); !strings.Contains(string(empty), `"list":[],"rules":{}`) {
		t.Errorf("an empty list is %s", empty)
	}
}
