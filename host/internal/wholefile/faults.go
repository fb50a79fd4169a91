package wholefile

import (
	"fmt"
	"io/fs"
	"sync"
)

// Faults is a file system for tests: the nth of its calls fails.
type Faults struct {
	FS

	mu    sync.Mutex
	op    string
	nth   int
	err   error
	calls map[string]int
}

// Fail makes the nth call of op from now on, counted from 1, fail with err: "open", "write", "short" (a write that takes
// half and then fails), "chmod", "sync", "close", "rename" or "remove". 0 lets every call of op fail. op "" heals.
func (f *Faults) Fail(op string, nth int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.op, f.nth, f.err, f.calls = op, nth, err, make(map[string]int)
}

// Calls is how often op was called since Fail.
func (f *Faults) Calls(op string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[op]
}

func (f *Faults) fault(op string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls == nil {
		f.calls = make(map[string]int)
	}
	f.calls[op]++
	if f.op == op && (f.nth == 0 || f.nth == f.calls[op]) {
		return fmt.Errorf("%s: %w", op, f.err)
	}
	return nil
}

func (f *Faults) Open(name string, flag int, mode fs.FileMode) (File, error) {
	if err := f.fault("open"); err != nil {
		return nil, err
	}
	file, err := f.FS.Open(name, flag, mode)
	if err != nil {
		return nil, err
	}
	return faultyFile{file, f}, nil
}

func (f *Faults) Rename(from, to string) error {
	if err := f.fault("rename"); err != nil {
		return err
	}
	return f.FS.Rename(from, to)
}

func (f *Faults) Remove(name string) error {
	if err := f.fault("remove"); err != nil {
		return err
	}
	return f.FS.Remove(name)
}

type faultyFile struct {
	File
	f *Faults
}

func (f faultyFile) Write(b []byte) (int, error) {
	if err := f.f.fault("write"); err != nil {
		return 0, err
	}
	if err := f.f.fault("short"); err != nil {
		n, _ := f.File.Write(b[:len(b)/2])
		return n, err
	}
	return f.File.Write(b)
}

func (f faultyFile) Chmod(mode fs.FileMode) error {
	if err := f.f.fault("chmod"); err != nil {
		return err
	}
	return f.File.Chmod(mode)
}

func (f faultyFile) Sync() error {
	if err := f.f.fault("sync"); err != nil {
		return err
	}
	return f.File.Sync()
}

// Close closes the file in any case, as a system does.
func (f faultyFile) Close() error {
	fault := f.f.fault("close")
	if err := f.File.Close(); err != nil {
		return err
	}
	return fault
}
