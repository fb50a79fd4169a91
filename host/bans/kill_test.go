package bans

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"darqline/host/internal/wholefile"
)

// killed is the environment's name of the list that a child process works on until it is killed.
const killed = "DARQLINE_BANS_KILLED"

// kills is how often the child is killed: go test ./host/bans -run TestKilled -kills 5000
var kills = flag.Int("kills", 100, "how often TestKilled kills")

func TestMain(m *testing.M) {
	if path := os.Getenv(killed); path != "" {
		banUntilKilled(path)
		return
	}
	os.Exit(m.Run())
}

// banUntilKilled makes and lifts bans, and says each before it begins and when it is done.
func banUntilKilled(path string) {
	list, err := Open(path, Options{NameKey: strings.ToLower})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	for {
		added, err := list.Add(Ban{Kind: Name, Value: "Tommy", Text: "Out"}, Ban{Kind: Host, Value: "203.0.113.5"})
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		id := added[0].ID
		fmt.Println("banned", id)
		if old := id - 50; old > 0 {
			fmt.Println("lifting", old)
			if _, err := list.Remove(old); err != nil {
				fmt.Println("error", err)
				os.Exit(1)
			}
			fmt.Println("lifted", old)
		}
	}
}

// TestKilled kills a process at random instants while it writes: the file is whole, what was reported is on the disk, and
// what was left beside it is removed at the next start.
func TestKilled(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bans.json")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	holds, writes, left := make(map[string]bool), 0, 0
	for n := range *kills {
		out := runAndKill(t, self, path, time.Duration(random.IntN(20_000))*time.Microsecond)
		var open string // what may or may not have been lifted
		for line := range strings.Lines(out) {
			if !strings.HasSuffix(line, "\n") {
				continue
			}
			word, id, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch word {
			case "banned":
				holds[id], writes = true, writes+1
			case "lifting":
				delete(holds, id)
				open = id
			case "lifted":
				holds[id], open, writes = false, "", writes+1
			default:
				t.Fatalf("kill %d: %s", n, line)
			}
		}
		left += checkFolder(t, path, 1)
		checkHolds(t, n, path, holds, open)
		checkFolder(t, path, 0)
	}
	t.Logf("%d kills in %d writes; %d temporary files were left and removed", *kills, writes, left)
}

// runAndKill lets the child work, kills it some time after its first report, and gives all its reports.
func runAndKill(t *testing.T, self, path string, after time.Duration) string {
	t.Helper()
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), killed+"="+path)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(pipe)
	first, err := r.ReadString('\n')
	if err != nil {
		t.Errorf("the child has ended by itself: %v", err)
	}
	time.Sleep(after)
	cmd.Process.Kill()
	rest, _ := io.ReadAll(r)
	cmd.Wait() // says that it was killed
	return first + string(rest)
}

// checkFolder holds that at most so many temporary files are beside the list, and counts them.
func checkFolder(t *testing.T, path string, most int) int {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		if e.Name() != filepath.Base(path) {
			names = append(names, e.Name())
		}
	}
	if len(names) > most || len(names) == 1 && names[0] != filepath.Base(wholefile.Temporary(path)) {
		t.Fatalf("beside the list: %q", names)
	}
	return len(names)
}

// checkHolds starts anew and compares with what was reported.
func checkHolds(t *testing.T, n int, path string, holds map[string]bool, open string) {
	t.Helper()
	list, err := Open(path, Options{NameKey: strings.ToLower})
	if err != nil {
		t.Fatalf("kill %d: %v", n, err)
	}
	there := make(map[string]int)
	for _, b := range list.All() {
		there[fmt.Sprint(b.ID)]++
	}
	for id, reported := range holds {
		if got := there[id]; reported && got != 2 || !reported && got != 0 {
			t.Fatalf("kill %d: the ban %s is there %d times; that it holds was reported as %v", n, id, got, reported)
		}
	}
	for id := range there { // one may be done and not reported yet
		holds[id] = true
	}
	if open != "" && there[open] == 0 {
		holds[open] = false
	}
}
