package pcap_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"net/netip"
	"testing"
	"time"

	"darqline/protocol/pcap"
)

// TestDatagram holds the bytes of a capture of two datagrams, one of each family.
func TestDatagram(t *testing.T) {
	var b bytes.Buffer
	w := pcap.NewWriter(&b)
	at := time.Unix(1, 5000)
	w.Datagram(at, netip.MustParseAddrPort("192.0.2.1:50000"), netip.MustParseAddrPort("[::ffff:192.0.2.2]:7777"), []byte("hi"))
	w.Datagram(at, netip.MustParseAddrPort("[2001:db8::1]:7777"), netip.MustParseAddrPort("[2001:db8::2]:50000"), nil)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	const file = "d4c3b2a1" + "02000400" + "0000000000000000" + "ffff0000" + "65000000"
	const when = "01000000" + "05000000"
	const v4 = "1e0000001e000000" + "4500001e000000004011" + "f6cb" + "c0000201" + "c0000202" + "c3501e61000a0000" + "6869"
	const v6 = "3000000030000000" + "60000000" + "00081140" + "20010db8000000000000000000000001" + "20010db8000000000000000000000002" + "1e61c35000080000"
	if got, want := hex.EncodeToString(b.Bytes()), file+when+v4+when+v6; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestFlushTellsOfEarlierErrors(t *testing.T) {
	w := pcap.NewWriter(full{})
	for range 100 {
		w.Datagram(time.Time{}, netip.MustParseAddrPort("192.0.2.1:1"), netip.MustParseAddrPort("192.0.2.2:2"), make([]byte, 1200))
	}
	if err := w.Flush(); err == nil {
		t.Error("no error")
	}
}
