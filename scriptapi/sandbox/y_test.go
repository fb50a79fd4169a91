package sandbox
import ("testing";"os";"strings";"os/exec")
func TestY(t *testing.T) {
	src, _ := os.ReadFile("/tmp/sbx/min.txt")
	for _, line := range strings.Split(strings.TrimSpace(string(src)), "\n") {
		b := newBench(t)
		p, err := Compile("m.lua", []byte(line))
		if err != nil { t.Log(line, err); continue }
		_, _, err = b.st.Run(Call{Fn: b.st.Program(p)})
		raw, _ := exec.Command("lua5.1", "-e", line).Output()
		want := strings.TrimRight(strings.ReplaceAll(string(raw), "\t", " "), "\n")
		if got := strings.Join(b.printed, "\n"); got != want { t.Logf("%s\n   got %q want %q %v", line, got, want, err) }
		b.sched.Close()
	}
}
