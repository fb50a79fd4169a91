package bans

import (
	"fmt"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// many is a list of n bans of all kinds, as a file that was kept for years has them.
func many(n int) []Ban {
	list := make([]Ban, n)
	for i := range list {
		b := Ban{ID: i + 1, Created: noon, Text: "Do not come back", By: "admin"}
		ip := netip.AddrFrom4([4]byte{byte(11 + i>>22), byte(i >> 14), byte(i >> 6), byte(i << 2)})
		switch i % 8 {
		case 0:
			b.Kind, b.Value = Range, netip.PrefixFrom(ip, 8+i/8%25).Masked().String()
		case 1, 2:
			b.Kind, b.Value = Serial, fmt.Sprintf("%064x", i)
		case 3:
			b.Kind, b.Value = Name, fmt.Sprint("Player", i)
		case 4:
			b.Kind, b.Value = Account, fmt.Sprint("forum:", i)
		default:
			b.Kind, b.Value = Host, ip.String()
		}
		if i%8 == 0 && 8+i/8%25 < 16 { // not half of the world
			b.Kind, b.Value = Host, ip.String()
		}
		if i%3 == 0 {
			b.Expires = noon.Add(time.Duration(i) * time.Minute)
		}
		list[i] = b
	}
	return list
}

func manyOnDisk(b *testing.B, n int) *List {
	b.Helper()
	now := func() time.Time { return noon }
	list, err := Open(filepath.Join(b.TempDir(), "bans.json"), Options{NameKey: strings.ToLower, Now: now})
	if err != nil {
		b.Fatal(err)
	}
	list.ix = list.indexOf(many(n))
	list.next = n + 1
	if err := list.write(list.next, list.ix.all); err != nil {
		b.Fatal(err)
	}
	return list
}

func BenchmarkMatch(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		list := manyOnDisk(b, n)
		b.Run(fmt.Sprintf("%d bans/miss", n), func(b *testing.B) {
			host, serial := netip.MustParseAddr("198.51.100.7"), serialOf(0xAB)
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := list.Match(host, serial, "somebody", "forum:none"); ok {
					b.Fatal("he is not banned")
				}
			}
		})
		b.Run(fmt.Sprintf("%d bans/hit", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := list.Match(netip.Addr{}, [32]byte{}, "", "forum:84"); !ok {
					b.Fatal("he is banned")
				}
			}
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	for _, n := range []int{0, 1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("%d bans", n), func(b *testing.B) {
			list := manyOnDisk(b, n)
			for b.Loop() {
				if _, err := list.Add(Ban{Kind: Name, Value: "Tommy"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	list := manyOnDisk(b, 100_000)
	for b.Loop() {
		if _, err := Open(list.path, list.opt); err != nil {
			b.Fatal(err)
		}
	}
}
