package udp

import (
	"encoding/binary"
	"net"
	"net/netip"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sockaddr is room for the kernel's form of an address of either family.
type sockaddr = unix.RawSockaddrInet6

// zones translates IPv6 zones between interface numbers and names, and remembers: an address with a zone costs an allocation
// only when its zone is new. The kernel's numbers are those of its interfaces, so both maps stay small.
type zones struct {
	names   map[uint32]netip.Addr // an address that has the zone, which keeps its name interned
	numbers map[string]uint32
}

// decode reads what the kernel wrote; IPv4-mapped addresses come out as IPv4.
func (z *zones) decode(from *sockaddr) netip.AddrPort {
	port := binary.BigEndian.Uint16((*[2]byte)(unsafe.Pointer(&from.Port))[:])
	if from.Family == unix.AF_INET {
		four := (*unix.RawSockaddrInet4)(unsafe.Pointer(from))
		return netip.AddrPortFrom(netip.AddrFrom4(four.Addr), port)
	}
	ip := netip.AddrFrom16(from.Addr).Unmap()
	if from.Scope_id != 0 && ip.Is6() {
		ip = ip.WithZone(z.name(from.Scope_id))
	}
	return netip.AddrPortFrom(ip, port)
}

func (z *zones) name(number uint32) string {
	known, ok := z.names[number]
	if !ok {
		name := strconv.FormatUint(uint64(number), 10)
		if card, err := net.InterfaceByIndex(int(number)); err == nil {
			name = card.Name
		}
		if z.names == nil {
			z.names = map[uint32]netip.Addr{}
		}
		known = netip.IPv6LinkLocalAllNodes().WithZone(name)
		z.names[number] = known
	}
	return known.Zone()
}

// encode writes an address for a socket of IPv6 (which takes IPv4 mapped) or of IPv4, and returns the length, 0 for an
// address that the socket cannot reach.
func (z *zones) encode(to *sockaddr, a netip.AddrPort, six bool) uint32 {
	binary.BigEndian.PutUint16((*[2]byte)(unsafe.Pointer(&to.Port))[:], a.Port())
	ip := a.Addr()
	switch {
	case !ip.IsValid():
		return 0
	case six:
		to.Family, to.Addr, to.Scope_id = unix.AF_INET6, ip.As16(), 0
		if ip.Zone() != "" {
			to.Scope_id = z.number(ip.Zone())
		}
		return unix.SizeofSockaddrInet6
	}
	if ip = ip.Unmap(); !ip.Is4() {
		return 0
	}
	four := (*unix.RawSockaddrInet4)(unsafe.Pointer(to))
	four.Family, four.Addr = unix.AF_INET, ip.As4()
	return unix.SizeofSockaddrInet4
}

// maxZones bounds what callers may make us remember.
const maxZones = 64

func (z *zones) number(name string) uint32 {
	number, ok := z.numbers[name]
	if !ok {
		if card, err := net.InterfaceByName(name); err == nil {
			number = uint32(card.Index)
		} else if n, err := strconv.ParseUint(name, 10, 32); err == nil {
			number = uint32(n)
		}
		if len(z.numbers) < maxZones {
			if z.numbers == nil {
				z.numbers = map[string]uint32{}
			}
			z.numbers[name] = number
		}
	}
	return number
}
