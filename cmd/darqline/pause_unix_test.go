//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"darqline/client/bots"
)

// TestTheServersOwnPause stops the whole process for a while, as a laptop's sleep, a snapshot of a virtual machine or a
// debugger does: nobody is thrown out for what the server itself has missed. For longer than connection.timeout the
// players give up by themselves, so the long pause has a longer one.
func TestTheServersOwnPause(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 40 s")
	}
	for _, pause := range []struct{ lasts, timeout time.Duration }{{5 * time.Second, 10 * time.Second}, {20 * time.Second, 60 * time.Second}} {
		t.Run(pause.lasts.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			config := fmt.Sprintf("[connection]\ntimeout = %d\n", pause.timeout.Milliseconds())
			if err := os.WriteFile(filepath.Join(dir, "server.toml"), []byte(config), 0o644); err != nil {
				t.Fatal(err)
			}
			port := freePort(t)
			server := open(t, dir, "serve", "--port", fmt.Sprint(port), "--no-watch")
			server.wait("My server is open.")
			players := open(t, dir, "bots", fmt.Sprintf("127.0.0.1:%d", port), "--count", "8", "--json",
				"--duration", (pause.lasts + 12*time.Second).String())
			for range 8 {
				server.wait("joined player=")
			}
			time.Sleep(2 * time.Second)
			if err := server.command.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			time.Sleep(pause.lasts)
			if err := server.command.Process.Signal(syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
			<-players.ended
			var report bots.Report
			lines := players.lines()
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &report); err != nil {
				t.Fatalf("no report: %v\n%s", err, strings.Join(lines, "\n"))
			}
			if report.Disconnects != 0 || report.Players != 8 {
				t.Errorf("%d of 8 players are in, %d were thrown out: %v", report.Players, report.Disconnects, report.Reasons)
			}
			server.line("quit")
			server.wait("The server has stopped.")
			for _, line := range server.lines() {
				if strings.Contains(line, "left player=") && !strings.Contains(line, "reason=quit") {
					t.Error(line)
				}
			}
		})
	}
}
