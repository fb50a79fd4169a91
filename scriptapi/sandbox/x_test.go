package sandbox
import ("testing";"os";"strings";"path/filepath";"os/exec";"fmt";"errors";"log/slog")
func TestX(t *testing.T) {
	files, _ := filepath.Glob("/tmp/sbx/fuzz/*.lua")
	bad := 0
	for _, f := range files {
		src, _ := os.ReadFile(f)
		b := newBench(t); b.sched.log = slog.New(slog.NewTextHandler(os.Stderr, nil))
		p, err := Compile("m.lua", src)
		if err != nil { t.Log(f, err); bad++; continue }
		_, _, err = b.st.Run(Call{Fn: b.st.Program(p)})
		got := strings.Join(b.printed, "\n")
		raw, err2 := exec.Command("lua5.1", f).Output()
		want := strings.TrimRight(strings.ReplaceAll(string(raw), "\t", " "), "\n")
		got = strings.TrimRight(got, "\n")
		if got != want || (err == nil) != (err2 == nil) {
			bad++
			if bad < 12 {
			gl, wl := strings.Split(got, "\n"), strings.Split(want, "\n")
			for i := range wl { if i >= len(gl) || gl[i] != wl[i] { g := "<none>"; if i < len(gl) { g = gl[i] }; var se *ScriptError; errors.As(err, &se); if se != nil { t.Log(se.Traceback) }; t.Logf("%s line %d: got %q want %q err %v %v", f, i, g, wl[i], err, err2); break } }
			if len(gl) > len(wl) { t.Log(f, "more", err, err2) }
			}
		}
		b.sched.Close()
	}
	fmt.Println("bad", bad, "of", len(files))
}
