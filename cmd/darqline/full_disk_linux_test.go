package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"darqline/client"
)

// guard is a resource that bans by command and says what came of it.
const guard = `
mp.command("out", { "name:string", states = { "pre_spawn", "alive" } }, function(player, args)
  local ok, ban = pcall(mp.server.ban, { name = args.name })
  mp.chat.broadcast(ok and "banned " .. ban.value or ban)
end)`

// fullDisk is a server whose bans and log are on a disk of 1 MiB, and a player.
type fullDisk struct {
	t      *testing.T
	disk   string
	server *shell
	player *client.Client
	client.NopHandler

	mu    sync.Mutex
	lines []string
}

func (d *fullDisk) Connected(client.Session)    { d.heard("connected") }
func (d *fullDisk) Chat(m client.Chat)          { d.heard(m.Text) }
func (d *fullDisk) Message(m client.Message)    { d.heard(m.Text) }
func (d *fullDisk) heard(line string)           { d.mu.Lock(); d.lines = append(d.lines, line); d.mu.Unlock() }
func (d *fullDisk) file(name string) string     { return filepath.Join(d.disk, name) }
func (d *fullDisk) command(text string)         { d.do(d.player.Command(text)) }
func (d *fullDisk) read(name string) (s string) { b, _ := os.ReadFile(d.file(name)); return string(b) }

func (d *fullDisk) do(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// hears waits for a line that the player reads, and forgets those before it.
func (d *fullDisk) hears(part string) {
	d.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		d.mu.Lock()
		for i, line := range d.lines {
			if strings.Contains(line, part) {
				d.lines = d.lines[i+1:]
				d.mu.Unlock()
				return
			}
		}
		d.mu.Unlock()
	}
	d.t.Fatalf("he does not read %q; he has read %q", part, d.lines)
}

// join brings the player in; his client asks until the server is there.
func (d *fullDisk) join(port int) {
	d.t.Helper()
	var err error
	d.player, err = client.New(client.Config{Server: fmt.Sprintf("127.0.0.1:%d", port), Name: "Nova", CacheDir: d.t.TempDir(), Handler: d})
	d.do(err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.player.Run(ctx) }()
	d.t.Cleanup(func() { cancel(); <-ended })
	d.hears("connected")
}

// fill writes until nothing more fits.
func (d *fullDisk) fill() {
	d.t.Helper()
	f, err := os.Create(d.file("filler"))
	d.do(err)
	defer f.Close()
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else {
			d.do(err)
		}
	}
}

func openFullDisk(t *testing.T) *fullDisk {
	t.Helper()
	d := &fullDisk{t: t, disk: t.TempDir()}
	if err := syscall.Mount("darqline-test", d.disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("a disk of 1 MiB needs the right to mount one: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.disk, 0); err != nil {
			t.Error(err)
		}
	})
	dir := t.TempDir()
	resource := filepath.Join(dir, "resources", "guard")
	d.do(os.MkdirAll(resource, 0o755))
	for path, text := range map[string]string{
		filepath.Join(resource, "resource.toml"): "", filepath.Join(resource, "main.lua"): guard,
		filepath.Join(dir, "server.toml"): fmt.Sprintf("bans.file = %q\npermissions.resources.guard = [\"bans\"]\n", d.file("bans.json")),
	} {
		d.do(os.WriteFile(path, []byte(text), 0o644))
	}
	port := freePort(t)
	c := program(t, dir, "serve", "--port", fmt.Sprint(port), "--no-watch")
	c.Path, c.Args = "/bin/sh", append([]string{"sh", "-c", `exec "$0" "$@" 2>>` + d.file("log"), binary}, c.Args[1:]...)
	d.server = attach(t, c)
	d.server.wait("My server is open.")
	d.join(port)
	return d
}

// TestFullDisk fills the disk of bans and log while somebody plays: scripts and console are told that nobody was banned, the
// list is as it was, the game goes on, and so do bans once there is room.
func TestFullDisk(t *testing.T) {
	d := openFullDisk(t)
	d.command("out First")
	d.hears("banned First")
	before := d.read("bans.json")

	d.fill()
	logged := len(d.read("log"))
	for i := range 8 {
		d.command(fmt.Sprint("out Second", i))
		d.hears(d.file("bans.json") + " cannot be written and is as it was")
		time.Sleep(250 * time.Millisecond) // as many commands as a player may use
	}
	d.server.line("ban name Third for 2h")
	d.server.wait("Nobody was banned: " + d.file("bans.json") + " cannot be written and is as it was")
	d.server.line("unban 1")
	d.server.wait("Nothing was lifted: ")
	d.do(d.player.Chat("Still here"))
	d.hears("Still here")
	d.server.line("bans")
	d.server.wait("  1  name  First")
	if now := d.read("bans.json"); now != before {
		t.Errorf("the file is now\n%s", now)
	}
	if size := len(d.read("log")); size > logged+4096 { // what was left of its last page
		t.Errorf("the log has grown by %d bytes on a full disk", size-logged)
	}
	list, err := os.ReadDir(d.disk)
	if d.do(err); len(list) != 3 {
		t.Errorf("on the disk: %v", list)
	}

	d.do(os.Remove(d.file("filler")))
	d.command("out Second")
	d.hears("banned Second")
	d.server.line("bans")
	d.server.wait("  2  name  Second")
	d.server.line("quit")
	d.server.wait("The server has stopped.")
}

// TestLogThatCannotBeWritten has the log, and all that the terminal shows, go to a disk that is always full: the game goes on.
func TestLogThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full: ", err)
	}
	defer full.Close()
	port := freePort(t)
	c := program(t, t.TempDir(), "serve", "--port", fmt.Sprint(port), "--no-watch")
	c.Stdout, c.Stderr = full, full
	in, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	d := &fullDisk{t: t}
	d.join(port)
	for i := range 3 {
		line := fmt.Sprint("Line ", i)
		d.do(d.player.Chat(line))
		d.hears(line)
	}
	io.WriteString(in, "quit\n")
	if err := c.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}
