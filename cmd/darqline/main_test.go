package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// binary is the real program, built once for all tests.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "darqline-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "darqline")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	status := 1
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the program does not build: %v\n%s", err, out)
	} else {
		status = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(status)
}

// program makes a call of the program that leaves nothing behind outside of the test's own folders.
func program(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	c := exec.CommandContext(t.Context(), binary, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home,
		"AppData="+home, "LocalAppData="+home)
	return c
}

// freePort finds a number that is free for UDP and TCP on all addresses.
func freePort(t *testing.T) int {
	t.Helper()
	for range 100 {
		tcp, err := net.Listen("tcp", ":0")
		if err != nil {
			t.Fatal(err)
		}
		port := tcp.Addr().(*net.TCPAddr).Port
		udp, err := net.ListenPacket("udp", fmt.Sprintf(":%d", port))
		tcp.Close()
		if err == nil {
			udp.Close()
			return port
		}
	}
	t.Fatal("no port is free for UDP and TCP")
	return 0
}
