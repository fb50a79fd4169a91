// Package pcap writes datagrams as a capture file that Wireshark and tcpdump
// read.
package pcap

import (
	"bufio"
	"encoding/binary"
	"io"
	"net/netip"
	"time"
)

// A Writer writes one capture. Its first error is kept for Flush.
type Writer struct {
	w   *bufio.Writer
	buf []byte
}

// The file's header: microseconds, frames of up to 65,535 bytes, each an IP
// packet without a link's header.
const (
	magic     = 0xA1B2C3D4
	snapLen   = 65535
	linkRawIP = 101
)

// NewWriter begins a capture.
func NewWriter(w io.Writer) *Writer {
	p := &Writer{w: bufio.NewWriter(w)}
	p.buf = binary.LittleEndian.AppendUint32(p.buf, magic)
	p.buf = binary.LittleEndian.AppendUint16(p.buf, 2) // version 2.4
	p.buf = binary.LittleEndian.AppendUint16(p.buf, 4)
	p.buf = append(p.buf, make([]byte, 8)...) // UTC, accuracy
	p.buf = binary.LittleEndian.AppendUint32(p.buf, snapLen)
	p.buf = binary.LittleEndian.AppendUint32(p.buf, linkRawIP)
	p.w.Write(p.buf)
	return p
}

const udpHeader = 8

// Datagram adds a UDP datagram. Both addresses are of one family.
func (p *Writer) Datagram(at time.Time, from, to netip.AddrPort, payload []byte) {
	udp := udpHeader + len(payload)
	p.buf = binary.LittleEndian.AppendUint32(p.buf[:0], uint32(at.Unix()))
	p.buf = binary.LittleEndian.AppendUint32(p.buf, uint32(at.Nanosecond()/1000))
	p.buf = append(p.buf, make([]byte, 8)...) // lengths, below
	frame := len(p.buf)
	p.ip(from.Addr().Unmap(), to.Addr().Unmap(), udp)
	p.buf = binary.BigEndian.AppendUint16(p.buf, from.Port())
	p.buf = binary.BigEndian.AppendUint16(p.buf, to.Port())
	p.buf = binary.BigEndian.AppendUint16(p.buf, uint16(udp))
	p.buf = append(p.buf, 0, 0) // no checksum
	p.buf = append(p.buf, payload...)
	binary.LittleEndian.PutUint32(p.buf[8:], uint32(len(p.buf)-frame))
	binary.LittleEndian.PutUint32(p.buf[12:], uint32(len(p.buf)-frame))
	p.w.Write(p.buf)
}

// ip appends the header of an IP packet that carries n bytes of UDP.
func (p *Writer) ip(from, to netip.Addr, n int) {
	const ttl, protocolUDP = 64, 17
	start := len(p.buf)
	if from.Is4() {
		p.buf = append(p.buf, 0x45, 0)
		p.buf = binary.BigEndian.AppendUint16(p.buf, uint16(20+n))
		p.buf = append(p.buf, 0, 0, 0, 0, ttl, protocolUDP, 0, 0) // the checksum follows
	} else {
		p.buf = append(p.buf, 0x60, 0, 0, 0)
		p.buf = binary.BigEndian.AppendUint16(p.buf, uint16(n))
		p.buf = append(p.buf, protocolUDP, ttl)
	}
	p.buf = append(append(p.buf, from.AsSlice()...), to.AsSlice()...)
	if from.Is4() {
		binary.BigEndian.PutUint16(p.buf[start+10:], checksum(p.buf[start:]))
	}
}

// checksum is the ones' complement of the sum of 16-bit words.
func checksum(b []byte) uint16 {
	sum := uint32(0)
	for ; len(b) > 1; b = b[2:] {
		sum += uint32(binary.BigEndian.Uint16(b))
	}
	for sum > 0xFFFF {
		sum = sum>>16 + sum&0xFFFF
	}
	return ^uint16(sum)
}

// Flush writes what is still kept back, and is the first error of all writes.
func (p *Writer) Flush() error { return p.w.Flush() }
