package client

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func mustAddr(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

// put writes a file into a cache, last used at some age.
func put(t *testing.T, c *cache, body []byte, age time.Duration) blob {
	t.Helper()
	b := blobOf(body)
	writeOld(t, c.path(b), body, age)
	return b
}

func writeOld(t *testing.T, path string, body []byte, age time.Duration) {
	t.Helper()
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	when := time.Now().Add(-age)
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestTrimDeletesWhatWasNotUsedForLongest(t *testing.T) {
	c := newCache(t.TempDir(), 1000)
	pinned := put(t, c, testBody(301), 9*time.Hour)
	oldest := put(t, c, testBody(302), 8*time.Hour)
	used := put(t, c, testBody(303), 7*time.Hour)
	second := put(t, c, testBody(304), 6*time.Hour)
	newest := put(t, c, testBody(305), time.Minute)
	c.pin(pinned)
	if _, err := c.load(used); err != nil {
		t.Fatal(err)
	}
	stranger := filepath.Join(c.dir, "notes.txt")
	writeOld(t, stranger, testBody(5000), 100*time.Hour)
	oldPart := c.path(blob{hash: [32]byte{1}}) + partSuffix
	writeOld(t, oldPart, testBody(10), 10*time.Hour)
	newPart := c.path(blob{hash: [32]byte{2}}) + partSuffix
	writeOld(t, newPart, testBody(10), 0)
	c.trim()
	for path, want := range map[string]bool{
		c.path(pinned): true, c.path(oldest): false, c.path(used): true, c.path(second): false, c.path(newest): true,
		stranger: true, oldPart: false, newPart: true,
	} {
		if exists(path) != want {
			t.Errorf("%s: there %v, expected %v", filepath.Base(path), !want, want)
		}
	}
	c.unpin(pinned)
	c.limit = 500
	c.trim()
	if c.has(pinned) {
		t.Error("kept although no manifest lists it")
	}
	c.limit = 0
	c.trim()
	if list, err := os.ReadDir(c.dir); err != nil || len(list) != 2 || !exists(newPart) || !exists(stranger) {
		t.Errorf("left: %v %v", list, err)
	}
}

func TestTheCacheIsTrimmedAsItGrows(t *testing.T) {
	c := newCache(t.TempDir(), 10_000)
	put(t, c, testBody(9000), 5*time.Hour)
	network := &streams{}
	for i := range 20 {
		body := testBody(900 + i)
		network.serve = func(conn net.Conn, r *http.Request) { serveFile(conn, r, body) }
		f := &fetcher{network: network, cache: c}
		var received atomic.Int64
		if out := f.fetch(t.Context(), mustAddr("127.0.0.1:1"), "/a/b.js", blobOf(body), &received); out.result != fetched {
			t.Fatal(out.err)
		}
	}
	var total int64
	list, err := os.ReadDir(c.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		info, _ := e.Info()
		total += info.Size()
	}
	if total > 10_000 {
		t.Errorf("%d bytes", total)
	}
}

func TestLoadChecksTheHash(t *testing.T) {
	c := newCache(t.TempDir(), DefaultCacheLimit)
	b := put(t, c, testBody(100), 0)
	if _, err := c.load(b); err != nil {
		t.Fatal(err)
	}
	body := testBody(100)
	body[50] ^= 1
	put2 := c.path(b)
	writeOld(t, put2, body, 0)
	if _, err := c.load(b); err == nil || exists(put2) {
		t.Errorf("a damaged file: %v, still there %v", err, exists(put2))
	}
	if err := os.Symlink(strings.Repeat("x", 100), put2); err == nil && c.has(b) { // a link's size is its text's
		t.Error("a link was taken for a file")
	}
}

// Nothing of the server's becomes a path: names are hashes.
func TestCacheNamesAreHashes(t *testing.T) {
	body := testBody(64)
	c := newCache(t.TempDir(), DefaultCacheLimit)
	network := &streams{serve: func(conn net.Conn, r *http.Request) { serveFile(conn, r, body) }}
	f := &fetcher{network: network, cache: c}
	var received atomic.Int64
	f.fetch(t.Context(), mustAddr("127.0.0.1:1"), "/evil/x.js", blobOf(body), &received)
	list, err := os.ReadDir(c.dir)
	if err != nil || len(list) != 1 || list[0].Name() != fmt.Sprintf("%x", blobOf(body).hash) {
		t.Errorf("%v %v", list, err)
	}
}

// Many clients with one cache folder fetch the same files at the same time; half of the answers break off.
func TestClientsShareACache(t *testing.T) {
	dir := t.TempDir()
	bodies := [][]byte{testBody(200_000), testBody(50_000), testBody(100)}
	var n atomic.Int32
	network := &streams{serve: func(conn net.Conn, r *http.Request) {
		var i int
		fmt.Sscanf(r.RequestURI, "/a/%d.js", &i)
		if n.Add(1)%2 == 0 {
			conn = &shortConn{Conn: conn, left: len(bodies[i]) / 2}
		}
		serveFile(conn, r, bodies[i])
	}}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c := newCache(dir, DefaultCacheLimit) // as in a process of its own
			f := &fetcher{network: network, cache: c}
			var received atomic.Int64
			for i, body := range bodies {
				for out := (outcome{}); ; {
					out = f.fetch(t.Context(), mustAddr("127.0.0.1:1"), fmt.Sprintf("/a/%d.js", i), blobOf(body), &received)
					if out.result == fetched {
						break
					}
					if out.result != transient {
						t.Errorf("%d: %v", out.result, out.err)
						return
					}
				}
				if got, err := c.load(blobOf(body)); err != nil || !bytes.Equal(got, body) {
					t.Errorf("the cache is damaged: %v", err)
				}
			}
		})
	}
	wg.Wait()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(list, func(e os.DirEntry) bool { return strings.Count(e.Name(), ".") > 1 }) {
		t.Errorf("private parts are left: %v", list)
	}
}

// shortConn breaks after some bytes.
type shortConn struct {
	net.Conn
	left int
}

func (c *shortConn) Write(b []byte) (int, error) {
	if len(b) > c.left {
		n, _ := c.Conn.Write(b[:c.left])
		c.Conn.Close()
		return n, net.ErrClosed
	}
	c.left -= len(b)
	return c.Conn.Write(b)
}

func TestReadOnlyCacheServesWhatItHas(t *testing.T) {
	c := newCache(t.TempDir(), DefaultCacheLimit)
	b := put(t, c, testBody(100), time.Hour)
	if err := os.Chmod(c.dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(c.dir, 0o700)
	if _, err := c.load(b); err != nil {
		t.Error(err)
	}
}
