//go:build unix

package client

import (
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes the file for this process alone, until it is closed; false: another client has it.
func tryLock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}

// closeBeforeRename: here a file can be renamed or deleted while it is open, and so while it is still locked.
const closeBeforeRename = false
