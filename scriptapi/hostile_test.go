package scriptapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"darqline/scriptapi/sandbox"
)

// hostile is a script that a naive sandbox does not survive. It runs in the resource "hostile", beside another one with a timer and
// a player who chats, in a process of its own.
type hostile struct {
	name  string            // the row's number first
	code  string            // runs in a handler
	entry string            // or is main.lua, or a part of files
	files map[string]string // further files
	play  func(s *stage)    // what happens afterwards; nil: two seconds pass

	want    string // part of an error in the log, which names file and line; empty: there is none
	says    string // part of what it prints
	refused string // part of the error that keeps it from starting
	heap    int    // MB by which the heap may grow at its highest; 0: what a stopped handler may take
}

const (
	stopped  = "stopped: "
	overHeap = 160 // MB: 64 and what is allocated until that is seen
	maxRSS   = 400 // MB of the whole process, at which the parent kills it
	maxCPU   = 20 * time.Second
)

// outcome is what the child tells of itself.
type outcome struct {
	Wall, CPU time.Duration
	Heap      int64 // bytes above the start, at the highest
	Log       string
}

// slow is how much more time and memory the race detector wants.
func slow() int {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-race" && s.Value == "true" {
				return 10
			}
		}
	}
	return 1
}

const hostileEnv = "DARQLINE_HOSTILE"

// TestHostileLua runs each script in a child that is watched: memory and processor time by the parent, who kills it at a bound,
// and the outcome by the child itself.
func TestHostileLua(t *testing.T) {
	if underRace {
		t.Skip("memory and time are measured without the race detector: .ci/checks runs it once more without")
	}
	if name, ok := os.LookupEnv(hostileEnv); ok {
		for _, h := range hostileScripts() {
			if h.name == name {
				h.run(t)
				return
			}
		}
		t.Fatalf("no script is called %q", name)
	}
	if testing.Short() {
		t.Skip("each script needs a process of its own")
	}
	for _, h := range hostileScripts() {
		t.Run(h.name, func(t *testing.T) {
			out, rss, err := watched(t, "TestHostileLua", h.name, maxCPU)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			var o outcome
			_, report, _ := strings.Cut(string(out), "OUTCOME ")
			if err := json.NewDecoder(strings.NewReader(report)).Decode(&o); err != nil {
				t.Fatalf("it told no outcome: %v\n%s", err, out)
			}
			t.Logf("%4d ms, %4d ms of processors, +%d MB of heap, %d MB in all: %.160s", o.Wall.Milliseconds(), o.CPU.Milliseconds(), o.Heap>>20, rss, o.Log)
		})
	}
}

// watched runs a test of this binary in a child and kills it when it takes too much.
func watched(t *testing.T, test, name string, most time.Duration) (out []byte, rss int, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+test+"$", "-test.count=1")
	cmd.Env = append(os.Environ(), hostileEnv+"="+name)
	var buf bytes.Buffer
	cmd.Stdout, cmd.Stderr = &buf, &buf
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	var watch sync.WaitGroup
	var why atomic.Pointer[string]
	ended := make(chan struct{})
	watch.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(2 * time.Millisecond):
			}
			now, cpu, ok := usage(cmd.Process.Pid)
			if !ok {
				continue
			}
			rss = max(rss, now)
			text := ""
			switch {
			case now > maxRSS*slow():
				text = fmt.Sprintf("killed at %d MB", now)
			case cpu > most*time.Duration(slow()):
				text = fmt.Sprintf("killed after %v of processor time", cpu)
			default:
				continue
			}
			why.Store(&text)
			cmd.Process.Kill()
			return
		}
	})
	err = cmd.Wait()
	close(ended)
	watch.Wait()
	if text := why.Load(); text != nil {
		err = fmt.Errorf("%s", *text)
	}
	return buf.Bytes(), rss, err
}

// usage reads a process's memory in MB and processor time where the system has /proc.
func usage(pid int) (rss int, cpu time.Duration, ok bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, false
	}
	if m := residentSet.FindSubmatch(status); m != nil {
		kb, _ := strconv.Atoi(string(m[1]))
		rss = kb >> 10
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return rss, 0, true
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return rss, time.Duration(user+system) * 10 * time.Millisecond, true
}

var residentSet = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// The watcher kills what takes memory or time without an end.
func TestHostileWatcher(t *testing.T) {
	switch os.Getenv(hostileEnv) {
	case "memory":
		for hog := [][]byte(nil); ; {
			hog = append(hog, bytes.Repeat([]byte{1}, 10<<20))
			runtime.KeepAlive(hog)
		}
	case "time":
		for spins := new(atomic.Int64); ; {
			spins.Add(1)
		}
	}
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("there is no /proc")
	}
	if _, rss, err := watched(t, "TestHostileWatcher", "memory", maxCPU); err == nil || !strings.Contains(err.Error(), "MB") {
		t.Errorf("a hog ended with %d MB and %v", rss, err)
	}
	if _, _, err := watched(t, "TestHostileWatcher", "time", time.Second/4); err == nil || !strings.Contains(err.Error(), "processor time") {
		t.Errorf("an endless loop ended with %v", err)
	}
}

// alive is the neighbour: its timer and its command go on, whatever the other resource does.
const alive = `local beats = 0 mp.every(50, function() beats = beats + 1 end)
mp.command("beats", { states = { "pre_spawn" } }, function(p) p:message(beats .. " beats") end)`

// faultLine is how an error in the log begins.
var faultLine = regexp.MustCompile(`(?m)^ERROR hostile/[\w/]+\.lua:\d+: `)

// run is the child's part.
func (h hostile) run(t *testing.T) {
	if slow() > 1 && h.want != stopped { // what is right takes longer under the race detector
		sandbox.HandlerLimits.Time, sandbox.EntryLimits.Time = time.Minute, time.Minute
	}
	sandbox.MaxHeap = 200 << 20
	s := newStage(t)
	s.start("neighbour", alive)
	alice := s.join("Alice")
	main := h.entry
	if main == "" {
		main = "mp.command('alive', { states = { 'pre_spawn' } }, function(p) p:message('alive') end) mp.after(0, function() " + h.code + "\nend)"
	}
	files := map[string]string{"main.lua": main, "shop.html": ""}
	for path, text := range h.files {
		files[path] = text
	}
	s.now += 25 * time.Millisecond // between two beats
	s.settle()
	begin := s.now
	m := measure()
	err := s.load(bundle("hostile", files), nil)
	if err != nil {
		s.lines = append(s.lines, "ERROR "+err.Error())
	}
	if s.settle(); h.play != nil {
		h.play(s)
	} else {
		s.advance(2 * time.Second)
	}
	o := m.end(s)
	h.judge(t, o, err)
	o.Log = clip(o.Log, 1000)
	report, _ := json.Marshal(o)
	fmt.Printf("OUTCOME %s\n", report)
	s.lines = nil

	beats := int((s.now - begin + 25*time.Millisecond) / (50 * time.Millisecond))
	alice.sent = nil
	alice.command("beats")
	alice.want("the neighbour", fmt.Sprintf("%d beats", beats))
	alice.chat("hello")
	alice.want("the chat", "Alice: hello")
	if h.entry == "" && err == nil && s.live["hostile"] != nil {
		alice.command("alive")
		alice.want("the resource", "alive")
	}
}

// judge compares an outcome with the right one.
func (h hostile) judge(t *testing.T, o outcome, err error) {
	if h.refused != "" {
		if err == nil || !strings.Contains(err.Error(), h.refused) || !strings.Contains(err.Error(), "hostile/") {
			t.Errorf("it started: %v, want %q with its file", err, h.refused)
		}
	} else if h.want == "" && strings.Contains(o.Log, "ERROR") || h.want != "" && (!strings.Contains(o.Log, h.want) || !faultLine.MatchString(o.Log)) {
		t.Errorf("the log has\n%.2000s\nwant %q at a file and line", o.Log, h.want)
	}
	if !strings.Contains(o.Log, h.says) {
		t.Errorf("it says\n%.2000s\nwant %q", o.Log, h.says)
	}
	if goPanic.MatchString(o.Log) {
		t.Errorf("a Go panic in\n%.5000s", o.Log)
	}
	if limit := max(h.heap, overHeap); int(o.Heap>>20) > limit {
		t.Errorf("the heap grew by %d MB, at most %d are right", o.Heap>>20, limit)
	}
}

// meter watches time and heap of the child from within.
type meter struct {
	start time.Time
	cpu   time.Duration
	heap  int64
	peak  atomic.Int64
	quit  chan struct{}
	done  sync.WaitGroup
}

func measure() *meter {
	runtime.GC()
	m := &meter{start: time.Now(), cpu: cpuTime(), heap: heapSize(), quit: make(chan struct{})}
	m.done.Go(func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.peak.Store(max(m.peak.Load(), heapSize()))
			case <-m.quit:
				return
			}
		}
	})
	return m
}

func (m *meter) end(s *stage) outcome {
	o := outcome{Wall: time.Since(m.start), CPU: cpuTime() - m.cpu, Log: strings.Join(s.lines, "\n")}
	close(m.quit)
	m.done.Wait()
	o.Heap = max(m.peak.Load(), heapSize()) - m.heap
	return o
}

// cpuTime is the processor time of this process; 0 where it is not known.
func cpuTime() time.Duration {
	_, cpu, _ := usage(os.Getpid())
	return cpu
}

// heapSize is bytes in objects and stacks.
func heapSize() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() + samples[1].Value.Uint64())
}
