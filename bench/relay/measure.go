package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"darqline/client/bots"
)

// variant is one thing that is measured.
type variant struct {
	mode     string // gso, sendmmsg, plain; bare: a bare relay
	players  int
	streamed int
	rate     int // frames a second; fewer than 25 where the server could not keep up, and the CPU counts for 25
	side     int // metres of the square that they are spread over; 0: all in one place
	ramp     int // joins a second; 0: as usual
	burn     bool
}

func (v variant) String() string {
	text := fmt.Sprintf("%d players, %s", v.players, v.mode)
	if v.side > 0 {
		text += fmt.Sprintf(", %d m", v.side)
	}
	if v.burn {
		text += ", burning script"
	}
	return text
}

// fullRate is what players send.
const fullRate = 25

// result is what one measure gave.
type result struct {
	cpu    float64 // seconds a second of the server's, for all frames that all players send at fullRate
	used   float64 // as it was measured
	botCPU float64
	bots.Report
	log string // the server's warnings
}

// served is the share of the frames that arrived.
func (r result) served() float64 {
	return float64(r.FramesReceived) / float64(max(r.FramesExpected, 1))
}

func (r result) String() string {
	return fmt.Sprintf("server %.3f CPU s/s, %.3f for all frames, players %.3f, %.2f %% served, %.0f frames/s, p50 %.2f p99 %.2f ms, ends %v",
		r.used, r.cpu, r.botCPU, 100*r.served(), r.FramesRate, r.RelayP50, r.RelayP99, r.Reasons)
}

// process is a role of this program.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
	err bytes.Buffer
}

// start runs a role on one core.
func start(ctx context.Context, core int, args ...string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if _, err := exec.LookPath("taskset"); err != nil || runtime.NumCPU() < 2 {
		return nil, errors.New("taskset and a second core are needed")
	}
	p := &process{cmd: exec.CommandContext(ctx, "taskset", append([]string{"-c", strconv.Itoa(core), self}, args...)...)}
	p.cmd.Env = append(os.Environ(), "GOMAXPROCS=2") // a script that computes must not have the only one
	p.cmd.Stderr = &p.err
	p.in, err = p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	return p, p.cmd.Start()
}

// line is the next one that the process writes.
func (p *process) line() (string, error) {
	if p.out.Scan() {
		return p.out.Text(), nil
	}
	return "", fmt.Errorf("it ended: %s", strings.TrimSpace(p.err.String()))
}

// stop ends its input and waits a little.
func (p *process) stop() {
	p.in.Close()
	late := time.AfterFunc(5*time.Second, func() { p.cmd.Process.Kill() })
	defer late.Stop()
	p.cmd.Wait()
}

// measure starts a server and its players, and takes both processes' CPU time over the players' own measure.
func (v variant) measure(ctx context.Context, length time.Duration) (r result, err error) {
	role, players, mode := "serve", "bots", v.mode
	if v.mode == "bare" {
		role, players, mode = "bare", "feed", "gso"
	}
	ramp := v.ramp
	if ramp == 0 {
		ramp = given.ramp
	}
	flags := func(role string) []string {
		return []string{"-role", role, "-mode", mode, "-players", fmt.Sprint(v.players), "-streamed", fmt.Sprint(v.streamed),
			"-side", fmt.Sprint(v.side), "-rate", fmt.Sprint(v.rate), "-length", length.String(), "-profile", given.profile, "-ramp", fmt.Sprint(ramp)}
	}
	server, err := start(ctx, 0, flags(role)...)
	if err != nil {
		return r, err
	}
	defer func() {
		server.stop()
		r.log = server.err.String()
	}()
	address, err := server.line()
	if err != nil {
		return r, fmt.Errorf("the server does not run: %w", err)
	}
	crowd, err := start(ctx, 1, append(flags(players), "-target", address)...)
	if err != nil {
		return r, err
	}
	defer crowd.stop()
	return r, v.watch(server, crowd, length, &r)
}

// watch follows what the players say.
func (v variant) watch(server, crowd *process, length time.Duration, r *result) error {
	for {
		line, err := crowd.line()
		switch {
		case err != nil:
			return fmt.Errorf("the players do not run: %w", err)
		case strings.Contains(line, " are in") && v.burn:
			fmt.Fprintln(server.in, "burn")
		case strings.HasPrefix(line, "measuring"):
			before, theirs, at := cpuTime(server), cpuTime(crowd), time.Now()
			time.Sleep(length)
			spent := time.Since(at).Seconds()
			r.used = (cpuTime(server) - before).Seconds() / spent
			r.botCPU = (cpuTime(crowd) - theirs).Seconds() / spent
		case strings.HasPrefix(line, "{"):
			if err := json.Unmarshal([]byte(line), &r.Report); err != nil {
				return err
			}
			r.cpu = r.used * fullRate * float64(v.players) * r.Seconds / float64(max(r.FramesSent, 1))
			if s := r.served(); s < 0.99 && s > 0 { // what all frames would take
				r.cpu /= s
			}
			return nil
		}
	}
}

// cpuTime is what the process has used so far by Linux's count.
func cpuTime(p *process) (total time.Duration) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	for _, file := range threads {
		text, _ := os.ReadFile(file)
		var on int64
		fmt.Sscan(string(text), &on)
		total += time.Duration(on)
	}
	return total
}
