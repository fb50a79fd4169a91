package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	_ "embed"
)

//go:embed enet/peer.c
var enetSource []byte

// enet carries the workload over an ENet reliable channel: both ends are a small C program, compiled on first use.
type enet struct {
	build func() (program string, err error)
}

func newENet() *enet { return &enet{build: sync.OnceValues(buildENet)} }

func buildENet() (string, error) {
	dir, err := os.MkdirTemp("", "peers-enet")
	if err != nil {
		return "", err
	}
	source, program := filepath.Join(dir, "peer.c"), filepath.Join(dir, "peer")
	if err := os.WriteFile(source, enetSource, 0o600); err != nil {
		return "", err
	}
	out, err := exec.Command("cc", "-O2", "-Wall", "-o", program, source, "-lenet", "-lm").CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "\nENET IS NOT MEASURED: its program does not compile (%v). Install a C compiler and libenet-dev.\n%s\n", err, out)
		return "", fmt.Errorf("%w: no C compiler or no libenet-dev", errSkip)
	}
	return program, nil
}

func (e *enet) run(ctx context.Context, w workload, dial func(int) (int, error)) ([]arrival, error) {
	program, err := e.build()
	if err != nil {
		return nil, err
	}
	server := exec.CommandContext(ctx, program, "receive")
	server.Stderr = os.Stderr
	pipe, err := server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := server.Start(); err != nil {
		return nil, err
	}
	defer func() {
		server.Process.Kill() // our own child; already gone when all went well
		server.Wait()
	}()
	lines := bufio.NewReader(pipe)
	var port int
	if _, err := fmt.Fscanln(lines, &port); err != nil {
		return nil, fmt.Errorf("the server did not tell its port: %w", err)
	}
	proxy, err := dial(port)
	if err != nil {
		return nil, err
	}
	client := exec.CommandContext(ctx, program, "send", fmt.Sprint(proxy), fmt.Sprint(w.size))
	client.Stderr = os.Stderr
	schedule, err := client.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := client.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer schedule.Close()
		out := bufio.NewWriter(schedule)
		for _, at := range w.schedule() {
			fmt.Fprintln(out, at.Nanoseconds())
		}
		out.Flush()
	}()
	arrivals, err := readArrivals(lines)
	if werr := client.Wait(); err == nil && werr != nil {
		err = fmt.Errorf("the client ended: %w", werr)
	}
	return arrivals, err
}

// readArrivals reads a line "sent delay" in ns for each event until the server ends.
func readArrivals(lines io.Reader) (arrivals []arrival, err error) {
	for {
		var sent, delay time.Duration
		switch _, err := fmt.Fscanln(lines, &sent, &delay); err {
		case nil:
			arrivals = append(arrivals, arrival{sent, delay})
		case io.EOF:
			return arrivals, nil
		default:
			return nil, err
		}
	}
}
