package client

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"darqline/protocol"
)

// FuzzSession feeds datagrams and steps of time to a connected client: whatever a server or someone in between sends,
// the client does not panic, does not hang and keeps to what it may send.
func FuzzSession(f *testing.F) {
	seed := func(packets ...protocol.Packet) {
		var script []byte
		for i, p := range packets {
			b, err := protocol.Append(nil, protocol.Header{Event: uint32(i + 1)}, p)
			if err != nil {
				f.Fatal(err)
			}
			script = append(binary.LittleEndian.AppendUint16(script, uint16(len(b))), b...)
		}
		f.Add(script)
	}
	file := protocol.FileEntry{Path: "a.html"}
	seed(&protocol.ResourceFiles{Name: "a", Generation: 1, Total: 1, Entries: []protocol.FileEntry{file}},
		&protocol.ViewOpen{ViewID: 1, Name: "a", Generation: 1, Entry: "a.html"},
		&protocol.ViewData{ViewID: 1, Topic: "t", Parts: 2, Data: []byte("[1")},
		&protocol.ViewData{ViewID: 1, Topic: "t", Part: 1, Parts: 2, Data: []byte("]")},
		&protocol.ViewClose{ViewID: 1},
		&protocol.ResourceRemove{Name: "a", Generation: 1})
	seed(&protocol.PlayerListEntry{Entries: []protocol.ListEntry{{Op: protocol.ListWhole, PlayerID: 1, PlayerToken: 1, Name: "a"}}},
		&protocol.PlayerLeave{PlayerID: 1, PlayerToken: 1}, &protocol.AuthAccepted{Account: "a:b"},
		&protocol.ChatMessage{PlayerID: 1, PlayerToken: 1, Name: "a", Text: "b"}, &protocol.ServerMessage{Text: "x"})
	seed(&protocol.ServerKeepalive{Seq: 1, Ping: 5}, &protocol.ServerAck{Ack: 1}, &protocol.RemotePlayerSync{PlayerID: 1, PlayerToken: 1, Seq: 1})
	seed(&protocol.ConnectChallenge{Nonce: 1}, &protocol.KickNotify{Nonce: 1, Reason: protocol.ReasonKicked},
		&protocol.ConnectReject{Nonce: 1, Reason: protocol.ReasonFull})
	fixtures, _ := filepath.Glob("../fixtures/protocol/*.bin")
	for _, name := range fixtures {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(append(binary.LittleEndian.AppendUint16(nil, uint16(len(b))), b...))
		}
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		synctest.Test(t, func(t *testing.T) {
			st := newStage(t)
			st.connect()
			defer st.stop()
			for len(script) >= 2 {
				n := int(binary.LittleEndian.Uint16(script))
				script = script[2:]
				if n > 2000 { // a step of time
					time.Sleep(time.Duration(n) * time.Millisecond)
					continue
				}
				n = min(n, len(script))
				st.sockets[len(st.sockets)-1].toClient <- script[:n:n]
				script = script[n:]
				synctest.Wait()
			}
			st.receive() // all of it decodes
		})
	})
}

// FuzzSignIn: an assertion is refused in words or comes whole, in parts that every server takes.
func FuzzSignIn(f *testing.F) {
	for _, seed := range []string{"", "a.b.c", "..", "a.b", strings.Repeat("x", 1023) + "..y", strings.Repeat("-_9", 2730) + ".."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, jwt string) {
		parts, err := assertionParts(jwt)
		if (err == nil) != (len(parts) > 0) {
			t.Fatalf("%d parts, %v", len(parts), err)
		}
		var whole []byte
		for i, p := range parts {
			if int(p.Part) != i || int(p.Parts) != len(parts) || p.Check() != nil {
				t.Fatalf("part %d is %+v", i, p)
			}
			whole = append(whole, p.Data...)
		}
		if err == nil && string(whole) != jwt {
			t.Fatalf("%q came as %q", jwt, whole)
		}
	})
}
