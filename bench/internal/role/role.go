// Package role is what the programs that measure have in common: they run their parts as processes of their own, so that
// each part's figures are its own, and read Linux's figures of a process.
package role

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"darqline/host/udp"
)

// Child is this program in another role.
type Child struct {
	in    io.WriteCloser
	lines *bufio.Scanner
	cmd   *exec.Cmd
}

// Start starts this program with the arguments. It is interrupted when the context ends; what it says of faults goes where this
// process' own does.
func Start(ctx context.Context, args ...string) (*Child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &Child{in, bufio.NewScanner(out), cmd}, nil
}

// Line is the next one that it writes; "" at the end.
func (c *Child) Line() string {
	c.lines.Scan()
	return c.lines.Text()
}

// End ends its input, at which it ends, and waits for that.
func (c *Child) End() {
	c.in.Close()
	c.cmd.Wait()
}

// Ask writes a line to it and gives its answer.
func (c *Child) Ask(line string) string {
	fmt.Fprintln(c.in, line)
	return c.Line()
}

// stat reads this process' own figures.
func stat() []string {
	data, _ := os.ReadFile("/proc/self/stat")
	_, rest, _ := strings.Cut(string(data), ") ")
	return strings.Fields(rest)
}

// CPU is the time that this process has used.
func CPU() time.Duration {
	f := stat()
	if len(f) < 22 {
		return 0
	}
	user, _ := strconv.ParseInt(f[11], 10, 64)
	system, _ := strconv.ParseInt(f[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// Resident is this process' memory in MiB.
func Resident() float64 {
	f := stat()
	if len(f) < 22 {
		return 0
	}
	pages, _ := strconv.ParseFloat(f[21], 64)
	return pages * float64(os.Getpagesize()) / (1 << 20)
}

// Descriptors are those that this process has open.
func Descriptors() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

// FreePort is a number that is free for UDP.
func FreePort() (int, error) {
	c, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer c.Close()
	return int(c.LocalAddr().Port()), nil
}
