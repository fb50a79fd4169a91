package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestScripts plays every testdata/*.txt: what a terminal shows, from the first line to the last.
//
//	$ darqline check .            a call; the lines below are what it writes, exactly
//	$ darqline serve . &          one that stays while the calls after it run; "fg" goes back to it
//	> help                        typed into its terminal, once the lines above have come; ^C, ^C^C, SIGTERM and SIGHUP
//	                              are sent
//	...                           any lines, up to the next one that is given; at a line's end any rest of it
//	[1]                           the exit status, where it is not 0
//	% save FILE PART              writes a file with the text of another part of the script
//	% size FILE BYTES, % link FILE TARGET, % dir NAME, % lock NAME, % take udp|tcp
//	-- FILE --                    begins a file of the folder that all runs in
//
// $PORT is a free port, $DIR the folder. Times of the log are left out.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts: ", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			newScript(t, string(text)).run()
		})
	}
}

type script struct {
	t     *testing.T
	dir   string
	port  string
	lines []string
	parts map[string]string
	now   *process // whose output the lines are
	back  *process // that runs on behind
}

// process is one call of the program.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     chan string
	seen    []string
	skip    bool // "..." stands before the next line
}

var part = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

func newScript(t *testing.T, text string) *script {
	s := &script{t: t, dir: t.TempDir(), port: strconv.Itoa(freePort(t)), parts: map[string]string{}}
	marks := part.FindAllStringSubmatchIndex(text, -1)
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		name := text[m[2]:m[3]]
		s.parts[name] = text[m[1]:end]
		s.save(name, s.parts[name])
	}
	if len(marks) > 0 {
		text = text[:marks[0][0]]
	}
	s.lines = strings.Split(strings.TrimRight(text, "\n"), "\n")
	return s
}

func (s *script) save(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	s.must(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
}

func (s *script) must(errs ...error) {
	s.t.Helper()
	if err := errors.Join(errs...); err != nil {
		s.t.Fatal(err)
	}
}

func (s *script) run() {
	for i, line := range s.lines {
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "% "):
			s.do(strings.Fields(line[2:]))
		case strings.HasPrefix(line, "$ darqline"):
			s.end(i)
			s.start(strings.TrimSpace(strings.TrimPrefix(line, "$ darqline")))
		case line == "fg":
			s.end(i)
			s.now, s.back = s.back, nil
		case s.now == nil:
		case strings.HasPrefix(line, "> "):
			s.typed(line[2:])
		case line == "...":
			s.now.skip = true
		case regexp.MustCompile(`^\[-?\d+\]$`).MatchString(line):
			s.exit(i, strings.Trim(line, "[]"))
		default:
			s.expect(i, line)
		}
	}
	s.end(len(s.lines))
	if s.now, s.back = s.back, nil; s.now != nil {
		s.t.Error("a program still runs at the end of the script: go back to it with fg, and end it")
	}
}

// start begins a call.
func (s *script) start(args string) {
	s.t.Helper()
	args, behind := strings.CutSuffix(args, "&")
	var list []string
	for _, arg := range regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(args, -1) {
		list = append(list, strings.Trim(strings.NewReplacer("$PORT", s.port, "$DIR", s.dir).Replace(arg), `"`))
	}
	p := &process{command: program(s.t, s.dir, list...), out: make(chan string, 1000)}
	read, write, err := os.Pipe() // one for both, so that their order is what a terminal would show
	s.must(err)
	p.command.Stdout, p.command.Stderr = write, write
	p.in, err = p.command.StdinPipe()
	s.must(err, p.command.Start(), write.Close())
	go func() {
		defer close(p.out)
		defer read.Close()
		for lines := bufio.NewScanner(read); lines.Scan(); {
			p.out <- s.plain(lines.Text())
		}
	}()
	s.now = p
	if behind {
		s.back = p
	}
}

var (
	clock = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d `)
	spans = regexp.MustCompile(`(took|pause)=\S+`)
	page  = regexp.MustCompile(`http://localhost:\d+/`)
)

// plain takes out of a line what differs from run to run.
func (s *script) plain(line string) string {
	line = spans.ReplaceAllString(clock.ReplaceAllString(line, ""), "$1=T")
	line = page.ReplaceAllString(line, "http://localhost:PAGE/")
	line = strings.ReplaceAll(strings.ReplaceAll(line, s.dir, "$DIR"), s.port, "$PORT")
	return strings.TrimRight(line, " ")
}

// typed writes a line to the program, or interrupts it.
func (s *script) typed(text string) {
	s.t.Helper()
	signals := map[string]os.Signal{"^C": os.Interrupt, "^C^C": os.Interrupt, "SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP}
	signal := signals[text]
	if signal == nil {
		_, err := fmt.Fprintln(s.now.in, text)
		s.must(err)
		return
	}
	if runtime.GOOS == "windows" {
		s.t.Skip("a test cannot interrupt a program here")
	}
	s.must(s.now.command.Process.Signal(signal))
	if text == "^C^C" { // the system makes one of two that come at once, so the second comes again and again
		p := s.now.command.Process
		go func() {
			for p.Signal(signal) == nil {
				time.Sleep(20 * time.Millisecond)
			}
		}()
	}
}

// next is the program's next line.
func (s *script) next(p *process) (string, bool) {
	select {
	case line, ok := <-p.out:
		if ok {
			p.seen = append(p.seen, line)
		}
		return line, ok
	case <-time.After(time.Minute):
		return "(nothing for a minute)", false
	}
}

func (s *script) expect(at int, want string) {
	s.t.Helper()
	for {
		got, ok := s.next(s.now)
		start, open := strings.CutSuffix(want, "...")
		if ok && (got == want || open && strings.HasPrefix(got, start)) {
			s.now.skip = false
			return
		}
		if !ok || !s.now.skip {
			s.fail(at, fmt.Sprintf("want %s\n got %s", want, got))
		}
	}
}

// exit waits for the end of the program that runs.
func (s *script) exit(at int, status string) {
	s.t.Helper()
	p := s.now
	for {
		line, ok := s.next(p)
		if !ok && line == "" {
			break
		}
		if !ok || !p.skip {
			s.fail(at, "unexpected: "+line)
		}
	}
	p.in.Close()
	err := p.command.Wait()
	if got := strconv.Itoa(p.command.ProcessState.ExitCode()); got != status {
		s.fail(at, fmt.Sprintf("exit status %s (%v), want %s", got, err, status))
	}
	s.now = nil
	if s.back == p {
		s.back = nil
	}
}

// end ends the present call, if it is not one that stays.
func (s *script) end(at int) {
	s.t.Helper()
	if s.now != nil && s.now != s.back {
		s.exit(at, "0")
	}
}

func (s *script) fail(at int, text string) {
	s.t.Helper()
	for waiting := len(s.now.out); waiting > 0; waiting-- {
		s.next(s.now)
	}
	s.t.Fatalf("line %d: %s\nthe program wrote:\n%s", at+1, text, strings.Join(s.now.seen, "\n"))
}

// do changes the folder.
func (s *script) do(words []string) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(words[1]))
	switch words[0] {
	case "save":
		s.save(words[1], s.parts[words[2]])
	case "size":
		size, err := strconv.Atoi(words[2])
		s.must(err)
		s.save(words[1], strings.Repeat("/", size))
	case "link":
		if err := os.Symlink(filepath.FromSlash(words[2]), path); err != nil {
			s.t.Skip("no symbolic links here: ", err)
		}
	case "dir":
		s.must(os.MkdirAll(path, 0o755))
	case "lock":
		if os.Getuid() <= 0 {
			s.t.Skip("this user may read everything")
		}
		s.must(os.Chmod(path, 0))
		s.t.Cleanup(func() { os.Chmod(path, 0o755) })
	case "take":
		s.take(words[1])
	default:
		s.t.Fatalf("unknown: %% %s", words[0])
	}
}

// take occupies the port.
func (s *script) take(network string) {
	s.t.Helper()
	var held io.Closer
	var err error
	if network == "udp" {
		held, err = net.ListenPacket("udp", ":"+s.port)
	} else {
		held, err = net.Listen("tcp", ":"+s.port)
	}
	s.must(err)
	s.t.Cleanup(func() { held.Close() })
}
