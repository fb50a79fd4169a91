package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"darqline/protocol"
)

func TestManifestInPartsThenDownload(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		files := make(map[string]string)
		for i := range 64 {
			files[fmt.Sprintf("f%02d.js", i)] = fmt.Sprint("content ", i)
		}
		entries := st.serve("shop", files)
		st.connect()
		for i := range 9 { // the last part is missing
			st.lane(&protocol.ResourceFiles{Name: "shop", Generation: 5, Total: 64, First: uint8(7 * i), Entries: entries[7*i : 7*i+7]})
		}
		if got := st.take(); len(got) != 0 || len(st.web.take()) != 0 {
			t.Fatalf("an incomplete manifest was used: %v", got)
		}
		st.lane(&protocol.ResourceFiles{Name: "shop", Generation: 5, Total: 64, First: 63, Entries: entries[63:]})
		got := st.take("resource")
		if got[0] != "resource shop/5 announced" || got[len(got)-1] != "resource shop/5 ready" {
			t.Errorf("heard %v", got)
		}
		asked := st.web.take()
		if len(asked) != 64 || st.web.most != 2 {
			t.Errorf("%d requests, %d at once", len(asked), st.web.most)
		}
		for _, to := range st.web.to {
			if to != netip.MustParseAddrPort("203.0.113.7:7788") {
				t.Fatalf("asked %v", to)
			}
		}
	})
}

func TestPartsOutOfOrderAreIgnored(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"a.js": "A", "b.js": "B", "c.js": "C"})
		st.connect()
		part := func(first, total uint8, generation uint32, e ...protocol.FileEntry) {
			st.lane(&protocol.ResourceFiles{Name: "a", Generation: generation, Total: total, First: first, Entries: e})
		}
		wrong := protocol.FileEntry{Path: "wrong.js", Size: 1}
		part(1, 3, 2, entries[1])  // begins in the middle
		part(0, 3, 2, entries[0])  //
		part(2, 3, 2, entries[2])  // ahead
		part(0, 3, 2, entries[0])  // again
		part(1, 2, 2, wrong)       // of another total
		part(1, 3, 1, wrong)       // of an older generation
		part(0, 1, 1, entries[0])  // a whole older one
		equal(t, st.take())        //
		part(1, 3, 2, entries[1])  //
		part(2, 3, 2, entries[2])  //
		part(2, 3, 2, entries[2])  // past the end
		part(0, 3, 2, entries...)  // all of it again
		got := st.take("resource") //
		if got[len(got)-1] != "resource a/2 ready" || slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "removed") }) {
			t.Errorf("heard %v", got)
		}
		if asked := st.web.take(); len(asked) != 3 {
			t.Errorf("asked %v", asked)
		}
	})
}

func TestBadManifestsAreRefusedWhole(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"a.js": "A"})
		st.connect()
		st.manifest("twice", 1, []protocol.FileEntry{entries[0], entries[0]})
		large := make([]protocol.FileEntry, 5)
		for i := range large {
			large[i] = protocol.FileEntry{Path: fmt.Sprintf("%d.js", i), Size: protocol.MaxClientFile}
		}
		st.manifest("large", 2, large)
		equal(t, st.take("resource"), "resource twice/1 announced", "resource twice/1 failed integrity",
			"resource large/2 announced", "resource large/2 failed integrity")
		if asked := st.web.take(); len(asked) != 0 {
			t.Errorf("asked %v", asked)
		}
	})
}

func TestMoreThanTheCacheHoldsFails(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		a := st.serve("a", map[string]string{"a.js": strings.Repeat("a", 600)})
		b := st.serve("b", map[string]string{"b.js": strings.Repeat("b", 600)})
		st.connect()
		st.manifest("a", 1, a)
		st.manifest("b", 2, b)
		if got := st.take("resource b"); got[len(got)-1] != "resource b/2 failed download" {
			t.Errorf("heard %v", got)
		}
		st.lane(&protocol.ResourceRemove{Name: "a", Generation: 1})
		st.manifest("b", 3, b)
		if got := st.take("resource b"); got[len(got)-1] != "resource b/3 ready" {
			t.Errorf("heard %v", got)
		}
	}, func(c *Config) { c.CacheLimit = 1000 })
}

func TestCachedFilesAreNotDownloaded(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"a.js": "A", "b.js": "B"})
		st.connect()
		st.manifest("a", 1, entries)
		if asked := st.web.take(); len(asked) != 2 {
			t.Fatalf("asked %v", asked)
		}
		st.stop()
		st.connect() // a later session
		st.take()
		st.manifest("a", 9, entries)
		st.manifest("other", 10, entries) // cached by hash, whatever the resource
		equal(t, st.take(), "resource a/9 announced", "resource a/9 ready", "resource other/10 announced", "resource other/10 ready")
		equal(t, st.web.take())
	})
}

func TestResumeInALaterSession(t *testing.T) {
	body := testBody(300 << 10)
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"a.js": string(body)})
		b := blobOf(body)
		if err := os.WriteFile(st.client.cache.path(b)+partSuffix, body[:100<<10], 0o600); err != nil {
			t.Fatal(err)
		}
		st.connect()
		st.manifest("a", 1, entries)
		equal(t, st.web.take(), "/a/a.js bytes=102400-")
		if got, err := st.client.cache.load(b); err != nil || !bytes.Equal(got, body) {
			t.Errorf("joined: %v", err)
		}
	})
}

func TestWithoutFilesNothingIsDownloaded(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"a.html": "A"})
		st.connect()
		st.manifest("a", 1, entries)
		st.lane(&protocol.ViewOpen{ViewID: 7, Name: "a", Generation: 1, Entry: "a.html"})
		equal(t, st.take("resource", "view"), "resource a/1 announced")
		equal(t, st.statuses(), "7 no_browser")
		equal(t, st.web.take())
	}, func(c *Config) { c.NoFiles = true })
}

func TestAFileThatAnotherClientFetchedMeanwhileIsTaken(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"1.js": "1", "2.js": "2", "3.js": "3"})
		st.web.hold = make(chan struct{})
		st.connect()
		st.manifest("a", 1, entries)
		if err := os.WriteFile(st.client.cache.path(blobOf([]byte("3"))), []byte("3"), 0o600); err != nil {
			t.Fatal(err)
		}
		close(st.web.hold)
		equal(t, st.take("resource a/1 ready"), "resource a/1 ready")
		if asked := st.web.take(); len(asked) != 2 {
			t.Errorf("asked %v", asked)
		}
	})
}

func TestProgressIsTold(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		body := testBody(1000)
		st.stream = (&streams{serve: func(c net.Conn, r *http.Request) {
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
			for i := 0; i < 1000; i += 250 {
				time.Sleep(1030 * time.Millisecond) // between two times at which progress is told
				c.Write(body[i : i+250])
			}
		}}).DialStream
		b := blobOf(body)
		st.manifest("a", 1, []protocol.FileEntry{{Path: "a.js", Size: 1000, SHA256: b.hash}})
		st.alive(10 * time.Second)
		equal(t, st.take("resource"), "resource a/1 announced", "resource a/1 downloading 0/1000",
			"resource a/1 downloading 250/1000", "resource a/1 downloading 500/1000", "resource a/1 downloading 750/1000",
			"resource a/1 ready")
	})
}

func TestDownloadsAreAbortedAtOnce(t *testing.T) {
	for _, tt := range []struct {
		name  string
		end   func(st *stage)
		asked []string // afterwards
	}{
		{"at the end of the session", func(st *stage) { st.send(&protocol.KickNotify{Nonce: st.nonce, Reason: protocol.ReasonKicked}) }, nil},
		{"when the client leaves", func(st *stage) { st.cancel() }, nil},
		{"on the removal of the resource", func(st *stage) { st.lane(&protocol.ResourceRemove{Name: "a", Generation: 1}) }, nil},
		{"on the first part of a new generation", func(st *stage) {
			st.lane(&protocol.ResourceFiles{Name: "a", Generation: 2, Total: 2, Entries: []protocol.FileEntry{{Path: "a.js"}}})
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, st *stage) {
				entries := st.serve("a", map[string]string{"a.js": "A", "b.js": "B", "c.js": "C"})
				st.web.hold = make(chan struct{})
				st.connect()
				st.manifest("a", 1, entries)
				if asked := st.web.take(); len(asked) != 2 {
					t.Fatalf("asked %v", asked)
				}
				begun := time.Now()
				tt.end(st)
				synctest.Wait()
				if st.web.aborts != 2 || time.Since(begun) != 0 {
					t.Errorf("%d aborted after %v", st.web.aborts, time.Since(begun))
				}
				time.Sleep(2 * time.Second)
				equal(t, st.web.take(), tt.asked...)
			})
		})
	}
}

func TestTheEndOfTheSessionLetsTheCacheGo(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"a.js": "A", "b.js": "B"})
		st.connect()
		st.manifest("a", 1, entries)
		st.manifest("b", 2, entries)
		st.lane(&protocol.ResourceRemove{Name: "b", Generation: 2})
		if n := len(st.client.cache.pinned); n != 2 {
			t.Errorf("%d files are pinned", n)
		}
		st.stop()
		if n := len(st.client.cache.pinned); n != 0 {
			t.Errorf("%d files are pinned", n)
		}
	})
}

func TestRemovalOfAnotherGenerationIsIgnored(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"a.js": "A"})
		st.connect()
		st.manifest("a", 5, entries)
		st.take()
		st.lane(&protocol.ResourceRemove{Name: "a", Generation: 4})
		st.lane(&protocol.ResourceRemove{Name: "b", Generation: 5})
		equal(t, st.take())
		st.lane(&protocol.ResourceRemove{Name: "a", Generation: 5})
		equal(t, st.take(), "resource a/5 removed")
	})
}

// Row 4 of what went wrong elsewhere: several reloads close together, while the client still downloads.
func TestFiveReloadsInASecondEndOnTheLast(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		st.serve("a", nil)
		st.web.hold = make(chan struct{})
		for g := uint32(1); g <= 5; g++ {
			if g > 1 {
				st.lane(&protocol.ResourceRemove{Name: "a", Generation: g - 1})
			}
			st.manifest("a", g, st.serve("a", map[string]string{"same.css": "same", "a.html": fmt.Sprint("page ", g)}))
			st.lane(&protocol.ViewOpen{ViewID: g, Name: "a", Generation: g, Entry: "a.html"})
			time.Sleep(200 * time.Millisecond)
		}
		close(st.web.hold)
		got := st.take("view", "resource a/5 ready")
		equal(t, got, "resource a/5 ready", "view 5 opened a/5 a.html")
		if body, _, err := st.opened().Open("a.html"); string(body) != "page 5" {
			t.Errorf("page %q %v", body, err)
		}
	})
}

func TestIntegrityFailureOfAWholeDownload(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"a.js": "A"})
		st.web.set("/a/a.js", []byte("B"))
		st.connect()
		st.manifest("a", 1, entries)
		got := st.take("resource")
		if got[len(got)-1] != "resource a/1 failed integrity" {
			t.Errorf("heard %v", got)
		}
		equal(t, st.web.take(), "/a/a.js")
		// A new generation begins anew.
		st.web.set("/a/a.js", []byte("A"))
		st.manifest("a", 2, entries)
		if got = st.take("resource a/2"); got[len(got)-1] != "resource a/2 ready" {
			t.Errorf("heard %v", got)
		}
	})
}

func TestAResumedFileThatIsWrongIsDownloadedAnew(t *testing.T) {
	body := testBody(1000)
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"a.js": string(body)})
		part := st.client.cache.path(blobOf(body)) + partSuffix
		if err := os.WriteFile(part, bytes.Repeat([]byte("x"), 400), 0o600); err != nil {
			t.Fatal(err)
		}
		st.connect()
		st.manifest("a", 1, entries)
		equal(t, st.web.take(), "/a/a.js bytes=400-")
		st.alive(2 * time.Second)
		equal(t, st.web.take(), "/a/a.js")
		if got := st.take("resource a/1 ready"); len(got) != 1 {
			t.Error("not ready")
		}
	})
}

func TestAFullDiskFailsTheResourceAndTheClientLives(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.client.cache.write = func(*os.File, []byte) (int, error) { return 0, syscall.ENOSPC }
		entries := st.serve("a", map[string]string{"a.js": "A", "b.js": "B", "c.js": "C"})
		st.connect()
		st.manifest("a", 1, entries)
		got := st.take("resource")
		if got[len(got)-1] != "resource a/1 failed download" {
			t.Errorf("heard %v", got)
		}
		st.web.take()
		st.alive(time.Minute)
		equal(t, st.web.take()) // no loop
		if !st.running() {
			t.Error("the client ended")
		}
	})
}

func TestNoServerToDownloadFromFailsAfterEightAttempts(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		n := &streams{dial: func(context.Context) error { return errors.New("refused") }}
		st.stream = n.DialStream
		st.connect()
		st.manifest("a", 1, []protocol.FileEntry{{Path: "a.js", Size: 1}})
		st.alive(3 * time.Minute)
		got := st.take("resource")
		if got[len(got)-1] != "resource a/1 failed download" || n.dials.Load() != 8 {
			t.Errorf("%d attempts, heard %v", n.dials.Load(), got)
		}
	})
}

func TestNothingIsDownloadedBeforeTheSession(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"a.js": "A"})
		st.start()
		st.manifest("a", 1, entries)
		equal(t, st.web.take())
		equal(t, st.take())
	})
}

func TestANewSessionReplacesTheEndpoint(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		entries := st.serve("a", map[string]string{"a.js": "A"})
		st.web.hold = make(chan struct{})
		st.connect()
		st.manifest("a", 1, entries)
		time.Sleep(3 * time.Second)
		h := last(received[*protocol.ClientHello](st))
		st.send(&protocol.ConnectReject{Nonce: h.Nonce, Reason: protocol.ReasonResume})
		synctest.Wait()
		if st.web.aborts != 1 {
			t.Error("the download goes on")
		}
		st.nonce = one[*protocol.ClientHello](st).Nonce
		st.send(st.hello(func(p *protocol.ServerHello) { p.ClientFilesPort = 9999; p.Token = 5 }))
		close(st.web.hold)
		st.event = 0
		st.manifest("a", 1, entries)
		synctest.Wait()
		if to := st.web.to; len(to) != 2 || to[1].Port() != 9999 {
			t.Errorf("asked %v", to)
		}
	})
}

func TestTooManyResources(t *testing.T) {
	bubble(t, func(t *testing.T, st *stage) {
		st.connect()
		for i := range maxResources + 1 {
			st.lane(&protocol.ResourceFiles{Name: fmt.Sprint("r", i), Generation: 1, Total: 2, Entries: []protocol.FileEntry{{Path: "a.js"}}})
			if i%100 == 0 {
				st.receive()
			}
		}
		n := make(chan int, 1)
		st.client.do(func(s *session) { n <- len(s.library.starts) })
		if got := <-n; got != maxResources {
			t.Errorf("%d resources", got)
		}
	})
}
