// Package bans keeps the list of who may not join: in memory for the look-up at each hello, and in one readable file that
// outlasts a kill of the process at any moment (page Connection, the key bans.file).
//
// Memory and file never differ: a ban holds when its file is on the disk, and one that cannot be written does not hold at
// all. Whoever edits the file while the server runs has it taken over by Refresh.
package bans

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"darqline/protocol"
)

// Kind is what a ban is about.
type Kind string

// The kinds, with what a Ban's Value is.
const (
	Host    Kind = "host"    // an IPv4 address, or the /64 of an IPv6 host
	Range   Kind = "range"   // a network, such as "203.0.113.0/24"
	Serial  Kind = "serial"  // 64 hex digits: an installation
	Account Kind = "account" // such as "forum:4711"
	Name    Kind = "name"    // a player's name
)

// Kinds are all of them, in the order in which pages list them.
var Kinds = []Kind{Host, Range, Serial, Account, Name}

// Ban is one of the list. Bans that were made together, of one player, share an id.
type Ban struct {
	ID      int
	Kind    Kind
	Value   string
	Player  string    // whom it was made for, by his name then, up to 47 bytes; may be empty. It bans nobody
	Text    string    // what the player reads, up to 127 bytes
	By      string    // who made it, up to 63 bytes
	Created time.Time // whole seconds
	Expires time.Time // whole seconds; zero: never
}

// Bounds of a ban's texts, in bytes.
const (
	MaxText = 127
	MaxBy   = 63
	maxName = 47
)

// Forever is what Left gives for a ban without end (page Connection, ConnectReject).
const Forever = 0xFFFFFFFF

// Left is how many seconds a ban has left, rounded up.
func (b Ban) Left(now time.Time) uint32 {
	if b.Expires.IsZero() {
		return Forever
	}
	left := b.Expires.Sub(now) // at most 292 years
	whole := left / time.Second
	if left%time.Second > 0 {
		whole++
	}
	return uint32(min(max(whole, 0), Forever-1))
}

// expired says whether a ban is over.
func (b Ban) expired(now time.Time) bool { return !b.Expires.IsZero() && !now.Before(b.Expires) }

// longer says whether a ban lasts longer than another.
func (b Ban) longer(other Ban) bool {
	return !other.Expires.IsZero() && (b.Expires.IsZero() || b.Expires.After(other.Expires))
}

// Added and Removed are the events ban_add and ban_remove. A ban that ends by itself is removed, too.
type (
	Added   struct{ Ban Ban }
	Removed struct{ Ban Ban }
)

func (Added) LuaName() string   { return "ban_add" }
func (Removed) LuaName() string { return "ban_remove" }

// checked is a ban with its value in the one form in which the list has it.
func (b Ban) checked() (Ban, error) {
	value, err := checkValue(b.Kind, b.Value)
	if err != nil {
		return b, err
	}
	b.Value = value
	if err := protocol.PlainText(b.Player, maxName); err != nil {
		return b, fmt.Errorf("player: %w", err)
	}
	if err := protocol.PlainText(b.Text, MaxText); err != nil {
		return b, fmt.Errorf("text: %w", err)
	}
	if err := protocol.PlainText(b.By, MaxBy); err != nil {
		return b, fmt.Errorf("by: %w", err)
	}
	b.Created = b.Created.UTC().Truncate(time.Second)
	b.Expires = b.Expires.UTC().Truncate(time.Second)
	return b, nil
}

func checkValue(kind Kind, value string) (string, error) {
	switch kind {
	case Host:
		net, err := parseHost(value)
		if err != nil || net.Addr().Is6() {
			return net.String(), err
		}
		return net.Addr().String(), nil
	case Range:
		net, err := parseRange(value)
		return net.String(), err
	case Serial:
		if raw, err := hex.DecodeString(value); err != nil || len(raw) != 32 {
			return "", fmt.Errorf("serial: %q must be 64 hex digits, as player.serial has them", value)
		}
		return strings.ToLower(value), nil
	case Account:
		provider, subject, ok := strings.Cut(value, ":")
		outside := func(r rune) bool { return r <= ' ' || r > '~' }
		if !ok || provider == "" || subject == "" || len(value) > 95 || strings.ContainsFunc(value, outside) {
			return "", fmt.Errorf("account: %q must be a provider's name, a colon and a subject, such as \"forum:4711\"", value)
		}
		return value, nil
	case Name:
		if err := protocol.PlainText(value, maxName); err != nil {
			return "", fmt.Errorf("name: %w", err)
		}
		if value == "" {
			return "", fmt.Errorf("name: it must not be empty")
		}
		return value, nil
	}
	return "", fmt.Errorf("kind: %q must be one of host, range, serial, account, name", kind)
}

// parseHost reads a host as a network: an IPv6 host counts as its /64, and may be written so.
func parseHost(value string) (netip.Prefix, error) {
	if net, err := netip.ParsePrefix(value); err == nil && net.Bits() == 64 && !net.Addr().Is4In6() {
		return net.Masked(), nil
	}
	ip, err := netip.ParseAddr(value)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("host: %q must be an IP address, such as \"203.0.113.5\"", value)
	}
	ip = ip.Unmap().WithZone("")
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	return netip.PrefixFrom(ip, bits).Masked(), nil
}

// parseRange reads a network that is not so large that a slip bans half of the world. One within a /64 is the /64, since
// more is not known of an IPv6 host.
func parseRange(value string) (netip.Prefix, error) {
	net, err := netip.ParsePrefix(value)
	if err != nil {
		return net, fmt.Errorf("range: %q must be a network, such as \"203.0.113.0/24\"", value)
	}
	if ip := net.Addr(); ip.Is4In6() && net.Bits() >= 96 {
		net = netip.PrefixFrom(ip.Unmap(), net.Bits()-96)
	}
	least, most := 8, 32
	if net.Addr().Is6() {
		least, most = 32, 64
	}
	if net.Bits() < least {
		return net, fmt.Errorf("range: %q is too large: at least /8, and /32 for IPv6", value)
	}
	return netip.PrefixFrom(net.Addr(), min(net.Bits(), most)).Masked(), nil
}

// OfPlayer are the bans of a player, with his name, by what is known of him: an account and a serial may be "". Without kinds it is his account
// if he has one, else his serial and host. A kind that he does not have is an error.
func OfPlayer(name, account, serial string, host netip.Addr, kinds ...Kind) ([]Ban, error) {
	values := map[Kind]string{Account: account, Serial: serial, Host: host.String()}
	switch {
	case len(kinds) > 0:
	case account != "":
		kinds = []Kind{Account}
	case serial != "":
		kinds = []Kind{Serial, Host}
	default:
		kinds = []Kind{Host}
	}
	list := make([]Ban, len(kinds))
	for i, kind := range kinds {
		if values[kind] == "" {
			return nil, fmt.Errorf("by[%d]: he has no %s", i+1, kind)
		}
		list[i] = Ban{Kind: kind, Value: values[kind], Player: name}
	}
	return list, nil
}
