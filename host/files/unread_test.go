package files

import (
	"io"
	"net"
	"testing"
	"time"
)

// The rules about slow readers stand on what the kernel says that the peer has not taken yet.
func TestUnreadOnRealSockets(t *testing.T) {
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	near, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	if left, known := unread(near); !known {
		t.Skip("this system does not tell it")
	} else if left != 0 {
		t.Errorf("%d bytes are unread before one was written", left)
	}
	near.SetWriteDeadline(time.Now().Add(time.Second / 5))
	sent, _ := near.Write(make([]byte, 64<<20)) // more than any buffers hold
	if left, _ := unread(near); left <= 0 || left > sent {
		t.Fatalf("%d of %d bytes are unread", left, sent)
	}
	if _, err := io.ReadFull(far, make([]byte, sent)); err != nil {
		t.Fatal(err)
	}
	for left := -1; left != 0; left, _ = unread(near) { // the last acknowledgement may be on its way
		time.Sleep(time.Millisecond)
	}
}
