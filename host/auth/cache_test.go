package auth

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"darqline/host/internal/wholefile"
)

// What was fetched is there after a restart without the provider, for 24 hours since the fetch.
func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	bubble(t, &idServer{set: jwks("rsa", "ec")}, dir, func(c *Checker, log *logs) { wants(t, c, good(nil), "") })
	path := filepath.Join(dir, "jwks-forum.json")
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	again := func(t *testing.T, want string) {
		t.Helper()
		bubble(t, &idServer{answer: unreachable}, dir, func(c *Checker, log *logs) {
			wants(t, c, good(nil), want)
			if refused := log.count("kept keys of a provider are not used"); (want != "") != (refused == 1) {
				t.Errorf("%d lines that they are not used", refused)
			}
		})
	}
	again(t, "")
	fetched := testNow.UTC().Format(time.RFC3339Nano)
	at := func(d time.Duration) string {
		return strings.Replace(string(kept), fetched, testNow.Add(d).UTC().Format(time.RFC3339Nano), 1)
	}
	for name, tc := range map[string]struct{ content, want string }{
		"23 hours old":      {at(-23 * time.Hour), ""},
		"24 hours old":      {at(-24 * time.Hour), Unavailable},
		"from the future":   {at(time.Hour), Unavailable},
		"half":              {string(kept[:len(kept)/2]), Unavailable},
		"empty":             {"", Unavailable},
		"another URL":       {strings.Replace(string(kept), "id.example.org", "evil.example", 1), Unavailable},
		"small key":         {strings.Replace(string(kept), string(kept[strings.Index(string(kept), `{"keys"`):]), jwks("rsa-1024")+"}", 1), Unavailable},
		"no set":            {`{"url":"https://id.example.org/jwks.json","fetched":"` + fetched + `"}`, Unavailable},
		"larger than a set": {string(kept) + strings.Repeat(" ", maxSet+4096), Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			write(t, path, tc.content)
			again(t, tc.want)
		})
	}
	t.Run("expires by the clock that runs on", func(t *testing.T) {
		write(t, path, at(-23*time.Hour))
		bubble(t, &idServer{answer: unreachable}, dir, func(c *Checker, log *logs) {
			time.Sleep(59 * time.Minute)
			wants(t, c, good(nil), "")
			time.Sleep(time.Minute)
			wants(t, c, good(nil), Unavailable)
		})
	})
	t.Run("a temporary file that was left", func(t *testing.T) {
		write(t, path, string(kept))
		write(t, wholefile.Temporary(path), "half")
		again(t, "")
		if _, err := os.Stat(wholefile.Temporary(path)); err == nil {
			t.Error("it is still there")
		}
	})
}

// A full disk costs the cache alone.
func TestCacheOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	for _, op := range []string{"open", "write", "sync", "rename"} {
		synctest.Test(t, func(t *testing.T) {
			disk := &wholefile.Faults{FS: wholefile.System{}}
			disk.Fail(op, 0, errors.New("no space left"))
			log := new(logs)
			c := New(Config{Logger: slog.New(slog.NewTextHandler(log, nil)), Disk: disk, CacheDir: dir, Now: func() time.Time { return testNow },
				HTTP: &http.Client{Transport: &idServer{set: jwks("rsa")}}})
			if err := c.SetProviders([]Provider{byURL()}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			var ended sync.WaitGroup
			ended.Go(func() { c.Run(ctx) })
			synctest.Wait()
			wants(t, c, good(nil), "")
			cancel()
			ended.Wait()
			if log.count("not kept for the next start") != 1 {
				t.Errorf("%s: %s", op, log.String())
			}
			if _, err := os.Stat(filepath.Join(dir, "jwks-forum.json")); err == nil {
				t.Errorf("%s: there is a file", op)
			}
		})
	}
}

// writerOf names, for a child process of TestKilledWhileWriting, the file that it writes until it is killed.
const writerOf = "DARQLINE_TEST_KEYS_FILE"

func writeUntilKilled(path string) {
	s := &source{name: "forum", url: byURL().JWKSURL, log: slog.Default(), wall: time.Now, disk: wholefile.System{}, cache: path}
	for n := 0; ; n++ {
		s.keep([]byte(jwks([]any{"rsa", "ec", "ed"}[:1+n%3]...)))
		if n == 0 {
			fmt.Println("ready")
		}
	}
}

// A process that is killed while it writes leaves the old keys or the new ones, and at most one temporary file, which goes.
func TestKilledWhileWriting(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "jwks-forum.json")
	for round := range 100 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), writerOf+"="+path)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatalf("%q, %v", line, err)
		}
		time.Sleep(rand.N(5 * time.Millisecond)) // somewhere in a write
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		child.Wait()
		s := &source{name: "forum", url: byURL().JWKSURL, log: slog.New(slog.DiscardHandler), wall: time.Now, disk: wholefile.System{}, cache: path}
		s.load()
		if s.keys() == nil {
			t.Fatalf("round %d: no keys after the kill", round)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
			t.Fatalf("round %d: %v, %v", round, files, err)
		}
	}
}
