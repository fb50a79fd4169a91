package client

import (
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes the file for this handle alone, until it is closed; false: another client has it. The locked byte
// lies past any content, because a locked range cannot be read by others.
func tryLock(f *os.File) bool {
	at := &windows.Overlapped{OffsetHigh: math.MaxInt32}
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, at) == nil
}

// closeBeforeRename: an open file can be neither renamed nor deleted here.
const closeBeforeRename = true
