package udp

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"testing"
	"time"
)

// The benchmarks that receive have their datagrams from a child process, the test binary itself, so that their own CPU time
// is only that of receiving.

const senderEnv = "UDP_BENCHMARK_SENDER"

// order is what the sender is told, a line of JSON; it answers with the number of datagrams it sent.
type order struct {
	From    netip.AddrPort // zero for any
	To      []netip.AddrPort
	Each    int           // datagrams to each in a burst
	Every   time.Duration // from one burst to the next; 0 sends as fast as it can
	For     time.Duration
	Singles bool // as from many clients, not merged
}

// frameBytes is the size of a player's frame.
const frameBytes = 61

func runSender() {
	orders := json.NewDecoder(os.Stdin)
	for {
		var o order
		if orders.Decode(&o) != nil {
			return
		}
		fmt.Println(o.send())
	}
}

func (o order) send() (sent int) {
	if !o.From.IsValid() {
		o.From = netip.MustParseAddrPort("127.0.0.1:0")
	}
	c, err := ListenWith(o.From.String(), Options{NoSegmentation: o.Singles})
	if err != nil {
		return 0
	}
	defer c.Close()
	batch := make([]Message, len(o.To))
	for i, to := range o.To {
		batch[i] = Message{Addr: to, Data: make([]byte, o.Each*frameBytes), Segment: frameBytes}
	}
	start := time.Now()
	for next := start; next.Sub(start) < o.For; {
		if _, err := c.WriteBatch(batch); err != nil {
			return sent
		}
		sent += o.Each * len(o.To)
		next = next.Add(o.Every)
		if o.Every == 0 {
			next = time.Now()
		}
		time.Sleep(time.Until(next))
	}
	return sent
}

// startSender starts the child; what is returned sends and comes back when all is sent.
func startSender(b *testing.B) func(order) (sent int) {
	b.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), senderEnv+"=1")
	child.Stderr = os.Stderr
	in, err := child.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := child.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		child.Wait()
	})
	return func(o order) (sent int) {
		if err := json.NewEncoder(in).Encode(o); err != nil {
			b.Fatal(err)
		}
		if _, err := fmt.Fscan(out, &sent); err != nil {
			b.Fatal(err)
		}
		return sent
	}
}
