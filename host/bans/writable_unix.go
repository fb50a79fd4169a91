//go:build unix

package bans

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Writable says whether the file could be written now, without writing it.
func (l *List) Writable() error {
	path := l.path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	dir := filepath.Dir(path) // it is in the folder that a file is replaced
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return &os.PathError{Op: "write in the folder", Path: dir, Err: err}
	}
	return nil
}
