// Package wholefile writes files that are never seen half: who reads one, also after the process was killed or the power
// was cut, finds the old content or the new one.
//
// The new content goes to a temporary file in the same folder, reaches the disk, and then takes the old one's name. The
// temporary file has one fixed name, so that there is at most one of a file; Clean removes what a killed process left.
// A file has one writer: two that write the same one at once are in each other's way, though its content stays whole.
package wholefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// FS is what a write needs of the system. Tests hand in one whose calls fail.
type FS interface {
	Open(name string, flag int, mode fs.FileMode) (File, error)
	Stat(name string) (fs.FileInfo, error)
	Rename(from, to string) error
	Remove(name string) error
}

// File is an open file, or a folder that is to be synced.
type File interface {
	io.Writer
	Chmod(mode fs.FileMode) error
	Sync() error
	Close() error
}

// System is the machine's own file system.
type System struct{}

func (System) Open(name string, flag int, mode fs.FileMode) (File, error) {
	return os.OpenFile(name, flag, mode)
}
func (System) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }
func (System) Rename(from, to string) error          { return os.Rename(from, to) }
func (System) Remove(name string) error              { return os.Remove(name) }

// Error says why a file could not be written, in words for whoever runs the server.
type Error struct {
	Path     string // of the file
	Replaced bool   // the file has its new content, but a power cut might bring the old one back
	Err      error
}

func (e *Error) Error() string {
	if e.Replaced {
		return fmt.Sprintf("%s is written, but the system cannot say that it would outlast a power cut: %v%s", e.Path, e.Err, advice(e.Err))
	}
	return fmt.Sprintf("%s cannot be written and is as it was: %v%s", e.Path, e.Err, advice(e.Err))
}

func (e *Error) Unwrap() error { return e.Err }

// advice is what to do about an error.
func advice(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "; make room on its disk"
	case errors.Is(err, syscall.EIO):
		return "; its disk fails: look at the system's log"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "; let the server write in its folder"
	case errors.Is(err, fs.ErrNotExist):
		return "; make its folder"
	}
	return ""
}

// Write gives a file new content. A file that is there keeps its permissions, a new one gets mode; a symbolic link stays
// one, and what it leads to is written. It returns when the content is on the disk. Its error is an *Error: unless
// Replaced is set there, the file is as it was.
func Write(sys FS, path string, data []byte, mode fs.FileMode) error {
	target := followed(path)
	if info, err := sys.Stat(target); err == nil {
		mode = info.Mode().Perm()
	}
	temp := Temporary(target)
	if err := fill(sys, temp, data, mode); err != nil {
		sys.Remove(temp)
		return &Error{Path: path, Err: err}
	}
	if err := sys.Rename(temp, target); err != nil {
		sys.Remove(temp)
		return &Error{Path: path, Err: err}
	}
	if err := syncFolder(sys, filepath.Dir(target)); err != nil {
		return &Error{Path: path, Replaced: true, Err: err}
	}
	return nil
}

// Temporary is the name of the file that takes a file's new content first.
func Temporary(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
}

// Clean removes the temporary file that a killed process has left. It is called before the first Write.
func Clean(sys FS, path string) error {
	err := sys.Remove(Temporary(followed(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// followed is what a path leads to where it is a symbolic link.
func followed(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// fill makes the temporary file, with its content on the disk.
func fill(sys FS, temp string, data []byte, mode fs.FileMode) error {
	if err := sys.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := sys.Open(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	n, err := f.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err == nil && runtime.GOOS != "windows" {
		err = f.Chmod(mode) // whatever the umask
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncFolder brings a rename to the disk, where the system has that.
func syncFolder(sys FS, dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := sys.Open(dir, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) { // some network file systems
		err = nil
	}
	return errors.Join(err, f.Close())
}
