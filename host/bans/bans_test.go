package bans

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
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
		list, err := OfPlayer(tt.account, tt.serial, netip.MustParseAddr("2001:db8::5"), tt.kinds...)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%+v: %v", tt, err)
			}
			continue
		}
		var got []Kind
		for _, b := range list {
			if _, err := b.checked(); err != nil {
				t.Errorf("%+v: %v", b, err)
			}
			got = append(got, b.Kind)
		}
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %v, %v", tt, got, err)
		}
	}
}
