package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestBanTerms(t *testing.T) {
	const hour, day = time.Hour, 24 * time.Hour
	tests := []struct {
		text   string
		length time.Duration
		rest   string
		err    string
	}{
		{text: ""},
		{text: "Do not come back", rest: "Do not come back"},
		{text: "for 2h", length: 2 * hour},
		{text: "for 90m  Come back later", length: 90 * time.Minute, rest: "Come back later"},
		{text: "for 1d12h x", length: day + 12*hour, rest: "x"},
		{text: "for 2w", length: 14 * day},
		{text: "for cheating", rest: "for cheating"},
		{text: "for", rest: "for"},
		{text: "forever", rest: "forever"},
		{text: "for 2", err: `"2" is no time`},
		{text: "for 2hours", err: `"2hours" is no time`},
		{text: "for 2H", err: `"2H" is no time`},
		{text: "for 0s", err: "at least 1s"},
		{text: "for 101d 5y", length: 101 * day, rest: "5y"},
		{text: "for 36501d", err: "at most 100 years"},
		{text: "for 36500d1s", err: "at most 100 years"},
		{text: "for 99999999999999999999s", err: "at most 100 years"},
	}
	for _, tt := range tests {
		length, rest, err := banTerms(tt.text)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q: %v, not %q", tt.text, err, tt.err)
			}
		} else if err != nil || length != tt.length || rest != tt.rest {
			t.Errorf("%q: %v, %q, %v", tt.text, length, rest, err)
		}
	}
}

// TestConsoleBans: a player who is banned on the console is told so, now and when he comes back, also after a restart.
func TestConsoleBans(t *testing.T) {
	dir, port := t.TempDir(), freePort(t)
	address := fmt.Sprintf("127.0.0.1:%d", port)
	server := open(t, dir, "serve", "--port", fmt.Sprint(port), "--no-watch")
	server.wait("My server is open.")
	kilo := open(t, dir, "play", address, "--name", "Kilo")
	kilo.wait("as Kilo, player 0")
	server.wait("joined player=0 name=Kilo")
	server.line("ban name Kilo for 2h Good night")
	server.wait("Banned (1): name Kilo, until ")
	kilo.wait(address + " ended the connection: you are banned: Good night (for another ")
	server.line("quit")
	server.wait("The server has stopped.")

	server = open(t, dir, "serve", "--port", fmt.Sprint(port), "--no-watch")
	server.wait("My server is open.")
	again := open(t, dir, "play", address, "--name", "kilo")
	again.wait(address + " refused the connection: you are banned: Good night (for another ")
	server.line("unban 1")
	server.wait("Lifted (1): name Kilo.")
	third := open(t, dir, "play", address, "--name", "Kilo")
	third.wait("as Kilo, player 0")
	server.wait("joined player=0 name=Kilo")
	server.line("ban 0")
	server.wait("Banned (2): serial ")
	server.wait("Banned (2): host 127.0.0.1, for ever.")
	third.wait(address + " ended the connection: you are banned (for ever)")
}
