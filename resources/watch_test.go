package resources

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"darqline/resources/watch"
)

// must runs the steps of a save, in order.
func must(t *testing.T, steps ...error) {
	t.Helper()
	if err := errors.Join(steps...); err != nil {
		t.Fatal(err)
	}
}

const finalText = "final"

// saves are the ways in which editors and tools save a file.
var saves = map[string]func(t *testing.T, at string){
	"truncate": func(t *testing.T, at string) { must(t, os.Truncate(at, 0), os.WriteFile(at, []byte(finalText), 0o644)) },
	"vim": func(t *testing.T, at string) {
		dir := filepath.Dir(at)
		probe, swap := filepath.Join(dir, "4913"), filepath.Join(dir, ".main.lua.swp")
		must(t, os.WriteFile(swap, []byte("b0VIM"), 0o600), os.WriteFile(probe, nil, 0o644), os.Remove(probe),
			os.Rename(at, at+"~"), os.WriteFile(at, []byte(finalText), 0o644), os.Remove(at+"~"), os.Remove(swap))
	},
	"emacs": func(t *testing.T, at string) {
		dir := filepath.Dir(at)
		auto, lock := filepath.Join(dir, "#main.lua#"), filepath.Join(dir, ".#main.lua")
		_ = os.Symlink("somebody@somewhere.1", lock)
		must(t, os.WriteFile(auto, []byte(finalText), 0o644), os.Rename(at, at+"~"), os.WriteFile(at, []byte(finalText), 0o644), os.Remove(auto))
		_ = os.Remove(lock)
	},
	"vscode": func(t *testing.T, at string) {
		f, err := os.OpenFile(at, os.O_WRONLY|os.O_TRUNC, 0)
		must(t, err)
		_, err = f.WriteString(finalText)
		must(t, err, f.Sync(), f.Close())
	},
	"jetbrains": func(t *testing.T, at string) {
		must(t, os.WriteFile(at+"___jb_tmp___", []byte(finalText), 0o644), os.Rename(at, at+"___jb_old___"),
			os.Rename(at+"___jb_tmp___", at), os.Remove(at+"___jb_old___"))
	},
	"sed": func(t *testing.T, at string) {
		temp := filepath.Join(filepath.Dir(at), "sedAbCdEf")
		must(t, os.WriteFile(temp, []byte(finalText), 0o600), os.Rename(temp, at))
	},
	"cp": func(t *testing.T, at string) {
		data, err := os.ReadFile(outside(t))
		must(t, err, os.WriteFile(at, data, 0o644))
	},
	"mv": func(t *testing.T, at string) { must(t, os.Rename(outside(t), at)) },
	"git-older": func(t *testing.T, at string) {
		old := time.Now().Add(-1000 * time.Hour)
		must(t, os.Remove(at), os.WriteFile(at, []byte(finalText), 0o644), os.Chtimes(at, old, old))
	},
	"many": func(t *testing.T, at string) {
		for range 50 {
			must(t, os.WriteFile(at, []byte(finalText), 0o644))
		}
	},
}

func outside(t *testing.T) string {
	at := filepath.Join(t.TempDir(), "main.lua")
	must(t, os.WriteFile(at, []byte(finalText), 0o644))
	return at
}

// TestSaves saves each main.lua in another way. Each is one reload with the final bytes.
func TestSaves(t *testing.T) {
	for _, mode := range []watch.Mode{watch.Watch, watch.Poll} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{})
			for name := range saves {
				w.write(name+"/resource.toml", "")
				w.write(name+"/main.lua", "first")
				w.write(name+"/lib.lua", "")
			}
			w.config.Watch = mode
			w.run()
			for range saves {
				w.wait(NoticeStarted)
			}
			w.happened()
			for name, save := range saves {
				save(t, w.path(name+"/main.lua"))
				if mode == watch.Watch {
					w.wait(NoticeReloaded)
				}
			}
			if mode == watch.Poll {
				for range saves {
					w.wait(NoticeReloaded)
				}
			}
			w.still()
			got := w.happened()
			for name := range saves {
				if strings.Count(got, "start "+name+" ") != 1 || strings.Count(got, "stop "+name+" ") != 1 {
					t.Errorf("%s is not one reload", name)
				}
			}
			if strings.Count(got, "\""+finalText+"\"") != len(saves) {
				t.Errorf("not all have the final bytes:\n%s", got)
			}
		})
	}
}

// TestEmptyForAMoment holds that the 0 bytes between truncating and writing are not acted upon, but those of a file that
// stays empty are.
func TestEmptyForAMoment(t *testing.T) {
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "first"})
	w.config.Post = func(f func()) error { f(); return nil }
	m, err := New(w.config)
	must(t, err)
	m.startAll(t.Context())
	w.happened()
	shop := watch.Batch{Names: []string{"shop"}}

	w.write("shop/main.lua", "")
	m.changed(shop)
	expect(t, "at 0 bytes", w.happened(), "")
	if !m.second["shop"] {
		t.Error("no second look is asked for")
	}
	w.write("shop/main.lua", "written")
	m.changed(shop)
	if got := w.happened(); !strings.Contains(got, `start shop 2 "written"`) {
		t.Errorf("got %s", got)
	}
	w.write("shop/main.lua", "")
	m.changed(shop)
	expect(t, "at 0 bytes", w.happened(), "")
	m.changed(shop)
	if got := w.happened(); !strings.Contains(got, `start shop 3 ""`) {
		t.Errorf("got %s", got)
	}
}

// TestNoReload changes what is no change.
func TestNoReload(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "first", "shop/maps/a.json": "", ".git/x": "", "shop/.vscode/x.lua": ""})
	w.config.Watch = watch.Watch
	w.run()
	w.wait(NoticeStarted)
	w.write("shop/main.lua", "first")
	w.write("shop/main.lua~", "x")
	w.write("shop/.main.lua.swp", "x")
	w.write("shop/.vscode/x.lua", "x")
	w.write(".git/x", "x")
	w.write("shop/README.md", "x")
	w.write("shop/maps/a.json", "{}")
	must(t, os.Chtimes(w.path("shop/main.lua"), time.Now(), time.Now()), os.Chmod(w.path("shop/main.lua"), 0o600))
	w.still()
}

func TestFailedStartIsTriedAgain(t *testing.T) {
	for name, text := range map[string]string{"while it compiles": "typo", "while it starts": "error", "no entry": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"shop/resource.toml": "", "shop/main.lua": text}
			if text == "" {
				delete(files, "shop/main.lua")
			}
			w := newWorld(t, files)
			w.config.Watch = watch.Watch
			w.run()
			w.wait(NoticeFailed)
			w.write("shop/README.md", "changes nothing")
			w.still()
			w.write("shop/main.lua", "mended")
			w.wait(NoticeStarted)
			w.still()
		})
	}
}

// TestFolders lets folders come and go, by the watcher and by polling.
func TestFolders(t *testing.T) {
	for _, mode := range []watch.Mode{watch.Watch, watch.Poll} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "shop", "shop/views/sub/x.lua": ""})
			w.config.Watch = mode
			w.run()
			w.wait(NoticeStarted)
			w.happened()

			away := filepath.Join(filepath.Dir(w.dir), "away")
			must(t, os.Rename(w.path("shop"), away))
			n := <-w.notices // and no fault of files that are not there
			expect(t, "why", n.Err.Error(), "its folder is gone; it starts again when the folder comes back")
			w.still()
			expect(t, "gone", w.happened(), "stop shop 1 stop\nchanged shop 1\nretract shop 1")
			expect(t, "start without a folder", w.do(w.manager.Start("shop")), "its folder is gone")
			w.wait(NoticeFailed)

			must(t, os.Rename(away, w.path("shop")))
			w.wait(NoticeStarted)
			w.write("shop/views/sub/x.lua", "watched after all")
			w.wait(NoticeReloaded)
			w.still()

			must(t, os.RemoveAll(w.path("shop")))
			w.wait(NoticeStopped)
			w.still()

			must(t, os.RemoveAll(w.dir))
			w.still()
			w.write("shop/main.lua", "new")
			w.write("shop/resource.toml", "")
			w.wait(NoticeStarted)
			w.write("shop/main.lua", "newer")
			w.wait(NoticeReloaded)
			w.still()
		})
	}
}

// TestNewResource unpacks a whole resource with nested folders; it becomes known, complete, and is not started.
func TestNewResource(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": ""})
	w.config.Watch = watch.Watch
	w.run()
	w.wait(NoticeStarted)
	archive := filepath.Join(t.TempDir(), "bank.zip")
	pack(t, archive, map[string]string{"bank/resource.toml": "description = \"A bank\"\n[client]\nfiles = [\"views/sub/a.css\"]",
		"bank/main.lua": "bank", "bank/views/sub/a.css": "x", "bank/views/sub/deeper/b.lua": "old"})
	unpack(t, archive, w.dir)
	if n := w.wait(NoticeFound); n.Resource != "bank" {
		t.Errorf("found %+v", n)
	}
	w.still()
	// A machine that stands still in the middle of unpacking shows it half done first.
	for late := time.After(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if s, _ := w.manager.Get("bank"); s.Error == nil && s.State == Stopped && s.Description == "A bank" {
			break
		}
		select {
		case <-late:
			t.Fatalf("bank never appears whole: %+v", w.manager.List())
		default:
		}
	}
	expect(t, "start", w.do(w.manager.Start("bank")), "")
	w.wait(NoticeStarted)
	w.write("bank/views/sub/deeper/b.lua", "new")
	if n := w.wait(NoticeReloaded); n.Resource != "bank" {
		t.Errorf("reloaded %+v", n)
	}
	must(t, os.Rename(w.path("bank/views"), w.path("bank/pages")))
	if n := w.wait(NoticeKept); !strings.Contains(n.Err.Error(), `"views/sub/a.css" does not exist`) {
		t.Errorf("kept %+v", n)
	}
	w.write("bank/resource.toml", "[client]\nfiles = [\"pages/sub/a.css\"]")
	w.wait(NoticeReloaded)
	w.write("bank/pages/sub/a.css", "y")
	w.wait(NoticeReloaded)
	w.still()
}

// TestRenamedFolder holds that the watches of a folder that moved do not go on under its old name.
func TestRenamedFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "", "shop/lib/deep/x.lua": ""})
	w.config.Watch = watch.Watch
	w.run()
	w.wait(NoticeStarted)
	must(t, os.Rename(w.path("shop"), w.path("store")))
	w.wait(NoticeStopped)
	expect(t, "start", w.do(w.manager.Start("store")), "")
	w.write("store/lib/deep/x.lua", "new")
	if n := w.wait(NoticeReloaded); n.Resource != "store" {
		t.Errorf("reloaded %+v", n)
	}
	w.still()
}

// TestTypoUndone goes back to the bytes that run: that is no reload, but the fault is over.
func TestTypoUndone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "first"})
	w.config.Watch = watch.Watch
	w.run()
	w.wait(NoticeStarted)
	w.happened()
	w.write("shop/main.lua", "typo")
	w.wait(NoticeKept)
	w.write("shop/main.lua", "first")
	w.wait(NoticeMended)
	if s, _ := w.manager.Get("shop"); s.Error != nil || s.State != Running {
		t.Errorf("got %+v", s)
	}
	w.still()
	expect(t, "calls", w.happened(), "")
}

func pack(t *testing.T, archive string, files map[string]string) {
	f, err := os.Create(archive)
	must(t, err)
	z := zip.NewWriter(f)
	for name, text := range files {
		part, err := z.Create(name)
		must(t, err)
		_, err = io.WriteString(part, text)
		must(t, err)
	}
	must(t, z.Close(), f.Close())
}

func unpack(t *testing.T, archive, dir string) {
	z, err := zip.OpenReader(archive)
	must(t, err)
	defer z.Close()
	for _, f := range z.File {
		at := filepath.Join(dir, filepath.FromSlash(f.Name))
		must(t, os.MkdirAll(filepath.Dir(at), 0o755))
		r, err := f.Open()
		must(t, err)
		data, err := io.ReadAll(r)
		must(t, err, r.Close(), os.WriteFile(at, data, 0o644))
	}
}

// TestRealTools runs what of sed, cp, git and mv this machine has.
func TestRealTools(t *testing.T) {
	for name, line := range map[string][]string{
		"sed": {"sed", "-i", "s/first/final/", "main.lua"},
		"cp":  {"cp", "../../source.lua", "main.lua"},
		"git": {"git", "-C", "..", "checkout", "-q", "-f", "final"},
		"mv":  {"mv", "../../source.lua", "main.lua"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(line[0]); err != nil {
				t.Skip(err)
			}
			w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "first"})
			must(t, os.WriteFile(filepath.Join(filepath.Dir(w.dir), "source.lua"), []byte("final"), 0o644))
			run := func(args ...string) {
				t.Helper()
				command := exec.Command(args[0], args[1:]...)
				command.Dir = w.path("shop")
				command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
				if out, err := command.CombinedOutput(); err != nil {
					t.Skipf("%v: %v: %s", args, err, out)
				}
			}
			if name == "git" {
				git := []string{"git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", ".."}
				run(append(git, "init", "-q", "-b", "first")...)
				run(append(git, "add", ".")...)
				run(append(git, "commit", "-q", "-m", "first")...)
				run(append(git, "checkout", "-q", "-b", "final")...)
				w.write("shop/main.lua", "final")
				run(append(git, "commit", "-q", "-a", "-m", "final")...)
				run(append(git, "checkout", "-q", "first")...)
			}
			w.config.Watch = watch.Watch
			w.run()
			w.wait(NoticeStarted)
			w.happened()
			run(line...)
			w.wait(NoticeReloaded)
			w.still()
			expect(t, name, w.happened(), "stop shop 1 reload\nchanged shop 2\nretract shop 1\npublish shop 2\nstart shop 2 \"final\" state of 1\nchanged shop 0")
		})
	}
}

// TestLinkedFolder holds that a folder which is a link is followed and watched, also when it comes to point elsewhere.
func TestLinkedFolder(t *testing.T) {
	for _, mode := range []watch.Mode{watch.Watch, watch.Poll} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"../one/resource.toml": "", "../one/main.lua": "one", "../two/resource.toml": "", "../two/main.lua": "two"})
			if err := os.Symlink(w.path("../one"), w.path("shop")); err != nil {
				t.Skip("no symbolic links here: ", err)
			}
			w.config.Watch = mode
			w.run()
			w.wait(NoticeStarted)
			w.write("../one/main.lua", "ONE")
			w.wait(NoticeReloaded)
			must(t, os.Symlink(w.path("../two"), w.path(".next")), os.Rename(w.path(".next"), w.path("shop")))
			w.wait(NoticeReloaded)
			w.write("../two/main.lua", "TWO")
			w.wait(NoticeReloaded)
			w.still()
			if got := w.happened(); !strings.HasSuffix(got, "start shop 4 \"TWO\" state of 3\nchanged shop 0") {
				t.Error(got)
			}
		})
	}
}

// deaf is a notifier that reports nothing but what a test makes it report.
type deaf struct {
	events chan fsnotify.Event
	faults chan error

	mu   sync.Mutex
	room int // folders that it will still watch
}

func newDeaf(room int) *deaf {
	return &deaf{events: make(chan fsnotify.Event), faults: make(chan error), room: room}
}

func (d *deaf) Add(string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.room--; d.room < 0 {
		return errors.New("no space left on device")
	}
	return nil
}

func (d *deaf) Remove(string) error           { return nil }
func (d *deaf) Events() <-chan fsnotify.Event { return d.events }
func (d *deaf) Errors() <-chan error          { return d.faults }
func (d *deaf) Close() error                  { return nil }

func TestOverflowLooksAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "", "bank/resource.toml": "", "bank/main.lua": ""})
	d := newDeaf(1000)
	w.config.Watch, w.config.notify = watch.Watch, func() (watch.Notifier, error) { return d, nil }
	w.run()
	w.wait(NoticeStarted)
	w.wait(NoticeStarted)
	w.write("shop/main.lua", "new")
	w.write("new/resource.toml", "")
	w.still()
	d.faults <- fsnotify.ErrEventOverflow
	if n := w.wait(NoticeFound); n.Resource != "new" {
		t.Errorf("found %+v", n)
	}
	if n := w.wait(NoticeReloaded); n.Resource != "shop" {
		t.Errorf("reloaded %+v", n)
	}
	w.still()
	if got := w.happened(); strings.Count(got, "stop shop ") != 1 || !strings.Contains(got, `start shop 3 "new"`) || strings.Contains(got, "stop bank ") {
		t.Error(got)
	}
}

// TestTwentyThousandFiles saves twenty resources of a thousand files each at once, with more events than the system's queue
// holds: each is one reload, with the final bytes.
func TestTwentyThousandFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 40,000 files")
	}
	const many, each = 20, 1000
	w := newWorld(t, map[string]string{})
	fill := func(text string) {
		for i := range many {
			for k := range each - 2 {
				at := w.path(fmt.Sprintf("r%02d/data/%02d/%03d.txt", i, k/100, k))
				must(t, os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644))
			}
			w.write(fmt.Sprintf("r%02d/resource.toml", i), "")
			w.write(fmt.Sprintf("r%02d/main.lua", i), text)
		}
	}
	fill("first")
	w.config.Watch = watch.Watch
	w.run()
	for range many {
		w.wait(NoticeStarted)
	}
	w.happened()
	fill("final")
	for range many {
		w.wait(NoticeReloaded)
	}
	w.still()
	got := w.happened()
	for i := range many {
		name := fmt.Sprintf("r%02d", i)
		if strings.Count(got, "stop "+name+" ") != 1 || strings.Count(got, "start "+name+" ") != 1 {
			t.Errorf("%s is not one reload", name)
		}
	}
	if n := strings.Count(got, `"final"`); n != many {
		t.Errorf("%d have the final bytes", n)
	}
}

func TestNoWatchesLeft(t *testing.T) {
	for name, notify := range map[string]func() (watch.Notifier, error){
		"no notifier": func() (watch.Notifier, error) { return nil, errors.New("too many open files") },
		"no watches":  func() (watch.Notifier, error) { return newDeaf(2), nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "", "bank/resource.toml": "", "bank/main.lua": ""})
			w.config.Watch, w.config.notify = watch.Watch, notify
			w.run()
			w.wait(NoticeStarted)
			w.wait(NoticeStarted)
			w.write("shop/main.lua", "new")
			w.wait(NoticeReloaded)
			w.still()
			if got := w.happened(); strings.Count(got, "stop ") != 1 || !strings.Contains(got, `start shop 3 "new"`) {
				t.Error(got)
			}
		})
	}
}

// TestReloadFindsAnything holds that a reload by hand needs no watcher.
func TestReloadFindsAnything(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"shop/resource.toml": "", "shop/main.lua": "old"}).run()
	w.wait(NoticeStarted)
	w.write("shop/main.lua", "new")
	w.write("bank/resource.toml", "")
	w.write("bank/main.lua", "bank")
	w.still()
	w.happened()
	expect(t, "reload", w.do(w.manager.Reload("shop")), "")
	expect(t, "start", w.do(w.manager.Start("bank")), "")
	if got := w.happened(); !strings.Contains(got, `start shop 2 "new"`) || !strings.Contains(got, `start bank 3 "bank"`) {
		t.Error(got)
	}
}
