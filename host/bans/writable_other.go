//go:build !unix

package bans

import (
	"errors"
	"io/fs"
	"os"
)

// Writable says whether the file could be written now, without writing it. Where there is none yet, that is not known.
func (l *List) Writable() error {
	f, err := os.OpenFile(l.path, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}
