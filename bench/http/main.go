// Command http measures host/files beside nginx and net/http: requests a second with one request a connection, in rounds
// that run every server once, server and load on a core of their own. It prints a Markdown table of medians; ratios are taken
// inside a round. Where the load's core is the limit, requests a second come out alike and the CPU column tells the servers apart.
//
//	go run ./bench/http --rounds 5
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

var sizes = []int{4 << 10, 256 << 10, 4 << 20}

func main() {
	rounds := flag.Int("rounds", 5, "rounds; each runs every server with every size once")
	length := flag.Duration("time", time.Second, "length of one run")
	only := flag.String("servers", "nginx,net/http,darqline", "servers to compare, with commas")
	role := flag.String("role", "", "internal: serve or load")
	name := flag.String("server", "", "internal: the server to be")
	target := flag.String("target", "", "internal: the address and path to load")
	size := flag.Int("size", 0, "internal: the body's size")
	flag.Parse()
	var err error
	switch *role {
	case "serve":
		err = serve(*name)
	case "load":
		err = load(*target, *size, *length)
	default:
		err = compare(*rounds, *length, strings.Split(*only, ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/http:", err)
		os.Exit(1)
	}
}

var errStarved = errors.New("no answer was complete in time: the machine is too busy for this, or --time too short")

// run is what one server did in one run.
type run struct {
	perSecond float64
	cpu       time.Duration // of the server, a request; 0 where it is not known
}

func compare(rounds int, length time.Duration, names []string) error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	var servers []*server
	for _, name := range names {
		s, err := start(ctx, name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "SKIPPED: %s does not run here: %v\n", name, err)
			continue
		}
		defer s.stop()
		servers = append(servers, s)
	}
	runs := map[string]map[int][]run{}
	for round := range rounds {
		for _, size := range sizes {
			for i := range servers {
				s := servers[(i+round)%len(servers)]
				r, err := s.measure(ctx, size, length)
				for again := 0; errors.Is(err, errStarved) && again < 3; again++ {
					fmt.Fprintf(os.Stderr, "%s, %d bytes: %v: once more\n", s.name, size, err)
					r, err = s.measure(ctx, size, length)
				}
				if err != nil {
					return fmt.Errorf("%s, %d bytes: %w", s.name, size, err)
				}
				if runs[s.name] == nil {
					runs[s.name] = map[int][]run{}
				}
				runs[s.name][size] = append(runs[s.name][size], r)
			}
		}
		fmt.Fprintf(os.Stderr, "round %d of %d done\n", round+1, rounds)
	}
	print(servers, runs)
	return nil
}

func print(servers []*server, runs map[string]map[int][]run) {
	fmt.Println("| body | server | requests/s | GB/s | server's CPU a request | darqline beside it: requests/s | requests a CPU second |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, size := range sizes {
		for _, s := range servers {
			all := runs[s.name][size]
			rate := median(all, func(_ int, r run) float64 { return r.perSecond })
			cpu := median(all, func(_ int, r run) float64 { return float64(r.cpu.Microseconds()) })
			rateRatio, cpuRatio := "-", "-"
			if ours := runs["darqline"][size]; ours != nil && s.name != "darqline" {
				rateRatio = fmt.Sprintf("%.2f", median(all, func(i int, r run) float64 { return ours[i].perSecond / r.perSecond }))
				cpuRatio = fmt.Sprintf("%.2f", median(all, func(i int, r run) float64 { return float64(r.cpu) / float64(ours[i].cpu) }))
			}
			fmt.Printf("| %d KiB | %s | %.0f | %.2f | %.0f us | %s | %s |\n", size>>10, s.name, rate, rate*float64(size)/1e9, cpu, rateRatio, cpuRatio)
		}
	}
}

func median(all []run, of func(round int, r run) float64) float64 {
	values := make([]float64, len(all))
	for i, r := range all {
		values[i] = of(i, r)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// server is a process under test.
type server struct {
	name   string
	addr   string
	path   func(size int) string
	cmd    *exec.Cmd
	folder string // of nginx
}

func start(ctx context.Context, name string) (*server, error) {
	s := &server{name: name, path: func(size int) string { return fmt.Sprintf("/bench/%d.html", size) }}
	if name == "nginx" {
		return s, s.startNginx(ctx)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s.cmd = pinned(ctx, 0, self, "-role", "serve", "-server", name)
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	s.addr = strings.TrimSpace(line)
	return s, err
}

func (s *server) startNginx(ctx context.Context) error {
	binary, err := exec.LookPath("nginx")
	if err != nil {
		return err
	}
	if s.folder, err = os.MkdirTemp("", "bench-http-"); err != nil {
		return err
	}
	for _, size := range sizes {
		file := filepath.Join(s.folder, s.path(size))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, body(size), 0o644); err != nil {
			return err
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.addr = free.Addr().String()
	free.Close()
	config := filepath.Join(s.folder, "nginx.conf")
	if err := os.WriteFile(config, []byte(strings.NewReplacer("FOLDER", s.folder, "ADDR", s.addr).Replace(nginxConfig)), 0o644); err != nil {
		return err
	}
	s.cmd = pinned(ctx, 0, binary, "-p", s.folder, "-c", config, "-e", "stderr")
	s.cmd.Stderr = os.Stderr
	if err := s.cmd.Start(); err != nil {
		return err
	}
	for range 50 {
		if c, err := net.Dial("tcp", s.addr); err == nil {
			return c.Close()
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("nginx does not listen on %s", s.addr)
}

const nginxConfig = `
daemon off;
master_process off;
worker_processes 1;
pid FOLDER/pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
	access_log off;
	sendfile on;
	open_file_cache max=100;
	keepalive_timeout 0;
	client_body_temp_path FOLDER/t1;
	proxy_temp_path FOLDER/t2;
	fastcgi_temp_path FOLDER/t3;
	uwsgi_temp_path FOLDER/t4;
	scgi_temp_path FOLDER/t5;
	server { listen ADDR backlog=1024; root FOLDER; }
}
`

func (s *server) stop() {
	if s.cmd != nil && s.cmd.Process != nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
	if s.folder != "" {
		os.RemoveAll(s.folder)
	}
}

func (s *server) measure(ctx context.Context, size int, length time.Duration) (run, error) {
	self, err := os.Executable()
	if err != nil {
		return run{}, err
	}
	before := cpuTime(s.cmd.Process.Pid)
	cmd := pinned(ctx, 1, self, "-role", "load", "-target", s.addr+s.path(size), "-size", strconv.Itoa(size), "-time", length.String())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return run{}, err
	}
	used := cpuTime(s.cmd.Process.Pid) - before
	var requests int
	var took time.Duration
	if _, err := fmt.Sscan(string(out), &requests, (*int64)(&took)); err != nil {
		return run{}, err
	}
	if requests == 0 {
		return run{}, errStarved
	}
	return run{float64(requests) / took.Seconds(), used / time.Duration(requests)}, nil
}

// pinned runs a program on one core where the machine has more than one and taskset.
func pinned(ctx context.Context, core int, program string, args ...string) *exec.Cmd {
	if _, err := exec.LookPath("taskset"); err != nil || runtime.NumCPU() < 2 {
		fmt.Fprintln(os.Stderr, "not pinned to a core: taskset or a second core is missing")
		return exec.CommandContext(ctx, program, args...)
	}
	return exec.CommandContext(ctx, "taskset", append([]string{"-c", strconv.Itoa(core), program}, args...)...)
}

// cpuTime is what the process has used so far by Linux's count, 0 elsewhere.
func cpuTime(pid int) time.Duration {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	var total time.Duration
	for _, file := range threads {
		text, _ := os.ReadFile(file)
		var on int64
		fmt.Sscan(string(text), &on)
		total += time.Duration(on)
	}
	return total
}
