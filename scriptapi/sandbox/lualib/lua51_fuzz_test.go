package lualib

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// peer is a process of lua5.1 that answers cases, a line each.
type peer struct {
	sync.Mutex
	to   io.Writer
	from *bufio.Reader
}

// newPeer starts it; it ends with the test.
func newPeer(t testing.TB) *peer {
	lua51, err := exec.LookPath("lua5.1")
	if err != nil {
		t.Skip("SKIPPED: lua5.1 is not installed, so nothing was compared with it")
	}
	const loop = `for line in io.lines() do local f, e = loadstring("return " .. line) if f then print(show(pcall(f))) else print("error") end io.flush() end`
	cmd := exec.Command(lua51, "-e", prelude+loop)
	to, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		to.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	return &peer{to: to, from: bufio.NewReader(from)}
}

// agree compares one case, an expression without a line break, with lua5.1.
func (p *peer) agree(t *testing.T, expression string) {
	t.Helper()
	p.Lock()
	defer p.Unlock()
	fmt.Fprintln(p.to, expression)
	want, err := p.from.ReadString('\n')
	if err != nil {
		t.Fatalf("lua5.1: %v", err)
	}
	m := newMachine(t)
	var got []string
	m.print(&got)
	if _, err := m.run(prelude + "print(show(pcall(function() return " + expression + " end)))"); err != nil {
		got = []string{"error"}
	}
	if strings.Join(got, "\n")+"\n" != want {
		t.Fatalf("%s\n got %q\nwant %q", expression, got, want)
	}
}

// A pattern finds, matches and replaces what it does in lua5.1. There a zero byte ends a pattern, a % that ends a replacement is one, and what takes exponential time is
// not asked.
func FuzzPatternAgainstLua51(f *testing.F) {
	m := newMaker(10)
	for range 100 {
		f.Add(m.subject(), m.pattern(), m.pick("", "<%1>", "%0%0", "x"))
	}
	p := newPeer(f)
	f.Fuzz(func(t *testing.T, src, pat, by string) {
		if len(src) > 30 || len(pat) > 16 || len(by) > 16 || strings.HasSuffix(by, "%") || strings.Contains(pat+by, "\x00") || strings.Count(pat, "*")+strings.Count(pat, "-")+strings.Count(pat, "+") > 4 {
			return
		}
		s, p1, b := literal(src), literal(pat), literal(by)
		p.agree(t, fmt.Sprintf("string.find(%s, %s)", s, p1))
		p.agree(t, fmt.Sprintf("string.match(%s, %s, 2)", s, p1))
		p.agree(t, fmt.Sprintf("string.gsub(%s, %s, %s)", s, p1, b))
	})
}

// string.format gives what it gives in lua5.1, where C defines it.
func FuzzFormatAgainstLua51(f *testing.F) {
	f.Add(uint64(1))
	p := newPeer(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		m := newMaker(seed)
		for range 20 {
			p.agree(t, m.format())
		}
	})
}
