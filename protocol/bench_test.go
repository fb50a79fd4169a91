package protocol_test

import (
	"testing"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
)

// BenchmarkFrame encodes and decodes a RemotePlayerSync, 61 bytes with a frame
// of 50, as a loop does that owns its codec.
func BenchmarkFrame(b *testing.B) {
	roundTrip(b, samples.RemotePlayerSync(), new(protocol.RemotePlayerSync))
}

// roundTrip encodes in and decodes it into out, by one codec.
func roundTrip(b *testing.B, in, out protocol.Packet) {
	var c protocol.Codec
	buf := make([]byte, 0, protocol.MaxPacket)
	b.ReportAllocs()
	for b.Loop() {
		packet, err := c.Append(buf, protocol.Header{}, in)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.DecodeInto(packet, protocol.ServerToClient, out); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFrameEncode and BenchmarkFrameDecode are its halves.
func BenchmarkFrameEncode(b *testing.B) {
	in := samples.RemotePlayerSync()
	var c protocol.Codec
	buf := make([]byte, 0, protocol.MaxPacket)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Append(buf, protocol.Header{}, in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFrameDecode(b *testing.B) {
	packet, err := protocol.Append(nil, protocol.Header{}, samples.RemotePlayerSync())
	if err != nil {
		b.Fatal(err)
	}
	var out protocol.RemotePlayerSync
	var c protocol.Codec
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.DecodeInto(packet, protocol.ServerToClient, &out); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVehicleState encodes and decodes a RemoteVehicleFrame, 88 bytes with
// a state of 75.
func BenchmarkVehicleState(b *testing.B) {
	roundTrip(b, samples.RemoteVehicleFrame(), new(protocol.RemoteVehicleFrame))
}

// BenchmarkViewAction reads a large packet of a client with its fields.
func BenchmarkViewAction(b *testing.B) {
	sample := samples.Named("view_action")
	packet, err := protocol.Append(nil, sample.Header, sample.Packet)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, p, err := protocol.Decode(packet, protocol.ClientToServer)
		if err != nil {
			b.Fatal(err)
		}
		a := p.(*protocol.ViewAction)
		if _, err := protocol.ParseFields(a.Count, a.Fields); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRefuse is what a malformed packet costs, with its error.
func BenchmarkRefuse(b *testing.B) {
	packet := samples.Named("client_hello").Bytes()
	packet[len(packet)-1] = 1
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := protocol.Decode(packet, protocol.ClientToServer); err == nil {
			b.Fatal("it decodes")
		}
	}
}
