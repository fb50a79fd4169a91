package wholefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// entries are the names in a folder.
func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteMakesAndReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "list.json")
	for _, content := range []string{"first", "", strings.Repeat("second ", 10_000)} {
		if err := Write(System{}, path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	if names := entries(t, dir); len(names) != 1 {
		t.Errorf("in the folder: %q", names)
	}
}

// recorder writes down what is asked of the system, in order.
type recorder struct {
	FS
	calls []string
}

type recorded struct {
	File
	r    *recorder
	name string
}

func (r *recorder) did(call, name string) { r.calls = append(r.calls, call+" "+filepath.Base(name)) }

func (r *recorder) Open(name string, flag int, mode fs.FileMode) (File, error) {
	r.did("open", name)
	f, err := r.FS.Open(name, flag, mode)
	return recorded{f, r, name}, err
}

func (r *recorder) Rename(from, to string) error {
	r.did("rename to", to)
	return r.FS.Rename(from, to)
}

func (f recorded) Write(b []byte) (int, error) { f.r.did("write", f.name); return f.File.Write(b) }
func (f recorded) Sync() error                 { f.r.did("sync", f.name); return f.File.Sync() }
func (f recorded) Close() error                { f.r.did("close", f.name); return f.File.Close() }

func TestWriteReachesTheDiskInOrder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a folder is not synced here")
	}
	path := filepath.Join(t.TempDir(), "list.json")
	r := &recorder{FS: System{}}
	if err := Write(r, path, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	const temp = ".list.json.tmp"
	dir := filepath.Base(filepath.Dir(path))
	want := []string{"open " + temp, "write " + temp, "sync " + temp, "close " + temp, "rename to list.json", "open " + dir, "sync " + dir, "close " + dir}
	if !slices.Equal(r.calls, want) {
		t.Errorf("%q", r.calls)
	}
}

func TestWriteKeepsPermissionsAndLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions and links are others here")
	}
	dir := t.TempDir()
	path, link := filepath.Join(dir, "list.json"), filepath.Join(t.TempDir(), "link.json")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o666); err != nil { // whatever the umask
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := Write(System{}, link, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o666 {
		t.Errorf("the file's mode is now %v", info.Mode())
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link has become a file")
	}
	if got, _ := os.ReadFile(path); string(got) != "new" {
		t.Errorf("the file says %q", got)
	}
}

func TestWriteTakesALeftOver(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "list.json")
	leave := func() {
		if err := os.WriteFile(Temporary(path), []byte("half of a li"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	leave()
	if err := Write(System{}, path, []byte("whole"), 0o600); err != nil {
		t.Fatal(err)
	}
	leave()
	for range 2 {
		if err := Clean(System{}, path); err != nil {
			t.Fatal(err)
		}
	}
	if names := entries(t, dir); len(names) != 1 || names[0] != "list.json" {
		t.Errorf("in the folder: %q", names)
	}
}

// TestWriteFails lets each call of each kind fail: the file is the old one, whole, and nothing is left beside it.
func TestWriteFails(t *testing.T) {
	const before, after = "the old content", "the new content, which is longer"
	for _, fault := range []error{syscall.ENOSPC, syscall.EIO} {
		for _, op := range []string{"open", "write", "short", "chmod", "sync", "close", "rename", "remove"} {
			for nth := 1; ; nth++ {
				dir := t.TempDir()
				path := filepath.Join(dir, "list.json")
				if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
					t.Fatal(err)
				}
				sys := &Faults{FS: System{}}
				sys.Fail(op, nth, fault)
				err := Write(sys, path, []byte(after), 0o600)
				if sys.Calls(op) < nth { // there is no such call
					if err != nil || nth == 1 {
						t.Fatalf("%s was called %d times: %v", op, sys.Calls(op), err)
					}
					break
				}
				t.Run(fmt.Sprintf("%s/%d/%v", op, nth, fault), func(t *testing.T) {
					checkFailed(t, path, err, fault, before, after)
				})
			}
		}
	}
}

func checkFailed(t *testing.T, path string, err, fault error, before, after string) {
	var failed *Error
	if !errors.As(err, &failed) || !errors.Is(err, fault) {
		t.Fatalf("%v", err)
	}
	for _, part := range []string{path, "; "} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	want := before
	if failed.Replaced {
		want = after
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, []byte(want)) {
		t.Errorf("the file says %q, Replaced %v", got, failed.Replaced)
	}
	if names := entries(t, filepath.Dir(path)); len(names) != 1 {
		t.Errorf("in the folder: %q", names)
	}
}

func TestWriteWithoutFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "list.json")
	err := Write(System{}, path, nil, 0o600)
	if err == nil || !strings.Contains(err.Error(), "make its folder") {
		t.Errorf("%v", err)
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20, 16 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "list.json")
			data := bytes.Repeat([]byte("x"), size)
			for b.Loop() {
				if err := Write(System{}, path, data, 0o600); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
