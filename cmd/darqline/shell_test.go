package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// shell is a running program and what it has written so far.
type shell struct {
	t       *testing.T
	command *exec.Cmd
	in      io.WriteCloser
	ended   chan struct{}

	mu      sync.Mutex
	written []string
	read    int // lines that a wait has passed
}

// open starts the program. The test ends it.
func open(t *testing.T, dir string, args ...string) *shell {
	t.Helper()
	return attach(t, program(t, dir, args...))
}

// attach starts a command whose output waits can be put to.
func attach(t *testing.T, c *exec.Cmd) *shell {
	t.Helper()
	s := &shell{t: t, command: c, ended: make(chan struct{})}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stdout, c.Stderr = write, write
	if s.in, err = c.StdinPipe(); err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	write.Close()
	go func() {
		defer close(s.ended)
		defer read.Close()
		for lines := bufio.NewScanner(read); lines.Scan(); {
			s.mu.Lock()
			s.written = append(s.written, lines.Text())
			s.mu.Unlock()
		}
	}()
	t.Cleanup(s.end)
	return s
}

// end interrupts the program and waits for it.
func (s *shell) end() {
	s.in.Close()
	if runtime.GOOS == "windows" || s.command.Process.Signal(os.Interrupt) != nil {
		s.command.Process.Kill()
	}
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		s.t.Error("the program does not end after an interrupt")
		s.command.Process.Kill()
		<-s.ended
	}
	s.command.Wait()
	if s.t.Failed() {
		s.t.Logf("%s\n%s", s.command, strings.Join(s.lines(), "\n"))
	}
}

// lines are all that it has written.
func (s *shell) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.written)
}

// line types one.
func (s *shell) line(text string) {
	s.t.Helper()
	if _, err := fmt.Fprintln(s.in, text); err != nil {
		s.t.Fatal(err)
	}
}

// wait gives the first line after those of the waits before that holds the text.
func (s *shell) wait(text string) string {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		for s.read < len(s.written) {
			line := s.written[s.read]
			s.read++
			if strings.Contains(line, text) {
				s.mu.Unlock()
				return line
			}
		}
		s.mu.Unlock()
	}
	s.t.Fatalf("the terminal never shows %q", text)
	return ""
}
