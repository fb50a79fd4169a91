package protocol_test

import (
	"slices"
	"testing"
	"time"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
)

// A datagram is a sample as it comes.
type datagram struct {
	file   string
	bytes  []byte
	header protocol.Header
	packet protocol.Packet
	dir    protocol.Direction
}

func datagrams() []datagram {
	var all []datagram
	for _, s := range samples.All() {
		all = append(all, datagram{s.File, s.Bytes(), s.Header, s.Packet, direction(s.Header.ID)})
	}
	return all
}

// BenchmarkAll decodes and encodes every fixture once.
func BenchmarkAll(b *testing.B) {
	all := datagrams()
	var c protocol.Codec
	buf := make([]byte, 0, protocol.MaxPacket)
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range all {
			if _, _, err := protocol.Decode(d.bytes, d.dir); err != nil {
				b.Fatal(err)
			}
			if _, err := c.Append(buf, d.header, d.packet); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(2*len(all)*b.N)/b.Elapsed().Seconds(), "packets/s")
}

// BenchmarkDecodeAll decodes every fixture once.
func BenchmarkDecodeAll(b *testing.B) {
	all := datagrams()
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range all {
			if _, _, err := protocol.Decode(d.bytes, d.dir); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(all)*b.N)/b.Elapsed().Seconds(), "packets/s")
}

// BenchmarkSlowest decodes each fixture and reports the one of the largest
// median and the one of the most allocations.
func BenchmarkSlowest(b *testing.B) {
	all := datagrams()
	spent := make([][]time.Duration, len(all))
	const times = 100
	for b.Loop() {
		for i, d := range all {
			start := time.Now()
			for range times {
				if _, _, err := protocol.Decode(d.bytes, d.dir); err != nil {
					b.Fatal(err)
				}
			}
			spent[i] = append(spent[i], time.Since(start)/times)
		}
	}
	slowest, most, median, allocs := "", "", time.Duration(0), 0.0
	for i, d := range all {
		slices.Sort(spent[i])
		if m := spent[i][len(spent[i])/2]; m > median {
			slowest, median = d.file, m
		}
		if n := decodeAllocs(d); n > allocs {
			most, allocs = d.file, n
		}
	}
	b.ReportMetric(0, "ns/op") // of no meaning here
	b.ReportMetric(float64(median.Nanoseconds()), "slowest-ns/decode")
	b.ReportMetric(allocs, "most-allocs/decode")
	b.Logf("slowest is %s, most allocations has %s", slowest, most)
}

func decodeAllocs(d datagram) float64 {
	return testing.AllocsPerRun(10, func() { protocol.Decode(d.bytes, d.dir) })
}
