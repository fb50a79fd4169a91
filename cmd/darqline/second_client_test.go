package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// go test ./cmd/darqline -run TestSecondClient$ -seconds 600 plays for ten minutes.
var secondClientPlays = flag.Int("seconds", 20, "how long TestSecondClient plays")

// secondClient is the client in Python that was written from the protocol's pages alone.
const secondClient = "../../fixtures/conformance"

// python finds an interpreter that is new enough, or skips loudly.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "python"} {
		if exec.CommandContext(t.Context(), name, "-c", "import sys; sys.exit(sys.version_info < (3, 9))").Run() == nil {
			return name
		}
	}
	t.Skip("SKIPPED: there is no Python 3.9 on this machine, so no second implementation checks the protocol; install python3")
	return ""
}

// TestSecondClientPages: the pages, the golden packets and the packets to refuse agree, for who knows the pages alone.
func TestSecondClientPages(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), python(t), "-B", filepath.Join(secondClient, "check_pages.py")).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSecondClient lets two of its players join, download, buy, walk, chat, move and query while every tenth packet is lost.
func TestSecondClient(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 25 s")
	}
	t.Parallel()
	interpreter := python(t)
	dir, port := t.TempDir(), freePort(t)
	if err := os.CopyFS(filepath.Join(dir, "resources"), os.DirFS("../../fixtures/demo/resources")); err != nil {
		t.Fatal(err)
	}
	config := "[server]\nname = \"Second client\"\npassword = \"grove street\"\nstart = [\"bank\", \"*\"]\n" +
		"[query]\nchallenge = \"always\"\n"
	if err := os.WriteFile(filepath.Join(dir, "server.toml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	server := open(t, dir, "serve", "--port", fmt.Sprint(port), "--no-watch")
	server.wait("Second client is open.")
	play := exec.CommandContext(t.Context(), interpreter, "-B", filepath.Join(secondClient, "play.py"),
		fmt.Sprintf("127.0.0.1:%d", port), "--seconds", fmt.Sprint(*secondClientPlays), "--loss", "0.1", "--chat", "4", "--password", "grove street",
		"--ping", "5000") // how fast this machine is, is no matter here
	out, err := play.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var report struct {
		Faults  []string
		Players []struct {
			Name                          string
			Moves, Bought, Spawned, Views int
			FilesRight                    int            `json:"files_right"`
			ChatHeard                     map[string]int `json:"chat_heard"`
		}
		Query struct {
			Challenged int
			Info       struct{ Players int }
		}
		Resumed int
	}
	if bad := json.Unmarshal([]byte(lines[len(lines)-1]), &report); bad != nil || err != nil {
		t.Fatalf("%v, %v\n%s", err, bad, out)
	}
	if len(report.Faults) > 0 || len(report.Players) != 2 || report.Resumed == 0 ||
		report.Query.Challenged == 0 || report.Query.Info.Players != 2 {
		t.Errorf("the report has faults:\n%s", out)
	}
	for _, p := range report.Players {
		if p.Moves == 0 || p.Bought == 0 || p.Spawned == 0 || p.Views == 0 || p.FilesRight == 0 || len(p.ChatHeard) != 2 {
			t.Errorf("%s did not do it all: %+v", p.Name, p)
		}
	}
	server.wait("left player=0 name=Python_0 reason=quit")
}

// TestSecondClientSignsIn gives the server a JWT for another connection, which it refuses, and then the right one.
func TestSecondClientSignsIn(t *testing.T) {
	t.Parallel()
	interpreter := python(t)
	dir, port, provider := t.TempDir(), freePort(t), fmt.Sprint(freePort(t))
	if err := os.CopyFS(dir, os.DirFS("../../fixtures/signin")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "server.toml")
	config, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	config = bytes.ReplaceAll(config, []byte("127.0.0.1:9000"), []byte("127.0.0.1:"+provider))
	if err := os.WriteFile(path, config, 0o644); err != nil {
		t.Fatal(err)
	}
	open(t, dir, "issuer", "--port", provider).wait("Ctrl-C ends it")
	server := open(t, dir, "serve", "--port", fmt.Sprint(port), "--no-watch")
	server.wait("Members only is open.")
	out, err := exec.CommandContext(t.Context(), interpreter, "-B", filepath.Join(secondClient, "sign_in.py"),
		fmt.Sprintf("127.0.0.1:%d", port), "--user", "carl", "--loss", "0.1").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server.wait("sign-in failed player=0 name=Python reason=nonce")
	server.wait("signed in player=0 name=Python account=demo:carl")
}
