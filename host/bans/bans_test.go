package bans

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestOfPlayer(t *testing.T) {
	tests := []struct {
		account, serial string
		kinds           []Kind
		want            []Kind
		err             string
	}{
		{want: []Kind{Host}},
		{serial: serial, want: []Kind{Serial, Host}},
		{account: "forum:4711", serial: serial, want: []Kind{Account}},
		{account: "forum:4711", serial: serial, kinds: []Kind{Host, Account}, want: []Kind{Host, Account}},
		{serial: serial, kinds: []Kind{Host, Account}, err: "by[2]: he has no account"},
		{kinds: []Kind{Serial}, err: "by[1]: he has no serial"},
	}
	for _, tt := range tests {
		list, err := OfPlayer("Tommy", tt.account, tt.serial, netip.MustParseAddr("2001:db8::5"), tt.kinds...)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%+v: %v", tt, err)
			}
			continue
		}
		var got []Kind
		for _, b := range list {
			if _, err := b.checked(); err != nil || b.Player != "Tommy" {
				t.Errorf("%+v: %v", b, err)
			}
			got = append(got, b.Kind)
		}
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %v, %v", tt, got, err)
		}
	}
}

// A ban by hand may end later than a time.Duration holds.
func TestLeft(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 500_000_000, time.UTC)
	for expires, want := range map[string]uint32{
		"2026-11-30T12:00:01Z": 1, "2026-11-30T12:00:02Z": 2, "2026-11-30T11:00:00Z": 0,
		"2400-01-01T00:00:00Z": Forever - 1, "9999-12-31T23:59:59Z": Forever - 1,
	} {
		at, err := time.Parse(time.RFC3339, expires)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Ban{Expires: at}).Left(now); got != want {
			t.Errorf("until %s: %d s, want %d", expires, got, want)
		}
	}
	if got := (Ban{}).Left(now); got != Forever {
		t.Errorf("without an end: %d", got)
	}
}
