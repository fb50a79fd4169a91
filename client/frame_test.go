package client

import (
	"testing"

	"darqline/protocol"
)

// frameReceiver is a connected client without a socket that gets a newer frame of a player in view each time it is called.
func frameReceiver(tb testing.TB) func() {
	c, err := New(Config{Server: serverAddress, Name: "Carl", CacheDir: tb.TempDir()})
	if err != nil {
		tb.Fatal(err)
	}
	cn := newConnection(c)
	cn.ctx = tb.Context()
	cn.session = newSession(cn, &protocol.ServerHello{Token: 1})
	cn.session.apply(0, playerSpawned(1, 1))
	p := &protocol.RemotePlayerSync{PlayerID: 1, PlayerToken: 1}
	var codec protocol.Codec
	buf := make([]byte, 0, protocol.MaxPacket)
	return func() {
		p.Seq++
		b, err := codec.Append(buf, protocol.Header{}, p)
		if err != nil {
			tb.Fatal(err)
		}
		cn.receive(cn.now(), b)
	}
}

func TestReceivingAFrameCostsNoAllocation(t *testing.T) {
	receive := frameReceiver(t)
	if n := testing.AllocsPerRun(1000, receive); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkReceiveFrame(b *testing.B) {
	receive := frameReceiver(b)
	b.ReportAllocs()
	for b.Loop() {
		receive()
	}
}
