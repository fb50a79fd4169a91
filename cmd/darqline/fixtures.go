package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"darqline/fixtures"
	"darqline/protocol"
	"darqline/protocol/pcap"
)

var fixturesCommand = command{
	name:    "fixtures",
	args:    "verify DIR | export DIR | pcap FILE",
	summary: "check another implementation's packets against the golden ones",
	help: `The golden packets are one file of each packet and variant: PACKET.bin is exactly one
datagram, PACKET.txt lists its fields (what your implementation encodes), and
invalid/PACKET.reason.bin is one that every implementation refuses. This program has
them inside.

  fixtures export DIR   writes them all, to read and to test against
  fixtures verify DIR   compares the .bin files in DIR, made by your implementation under
                        the same names, byte for byte. Each difference is a line: the
                        first field that differs with both values, a file that is
                        missing, a file of an unknown name. The exit status is then 1
  fixtures pcap FILE    writes the golden packets as a capture, to look at in Wireshark
                        with "darqline dissector"

A client encodes one direction only: verify --direction c2s asks for no other.`,
	setup: func(flags *flag.FlagSet) runner {
		direction := directionFlag(flags, "verify only the packets that go `c2s|s2c`, client to server or server to client")
		return func(_ context.Context, e *env, args []string) error {
			way, err := parseWay(*direction)
			if err != nil {
				return err
			}
			if len(args) != 2 {
				return fmt.Errorf("say what to do, and where: %w", errUsage)
			}
			switch args[0] {
			case "verify":
				return verify(e, args[1], way)
			case "export":
				return export(e, args[1])
			case "pcap":
				return exportCapture(e, args[1])
			}
			return fmt.Errorf("it can verify, export or pcap, not %q: %w", args[0], errUsage)
		}
	},
}

func verify(e *env, dir string, w way) error {
	if info, err := os.Stat(dir); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	differences, compared, err := fixtures.Verify(os.DirFS(dir), func(r *protocol.Row) bool {
		return !w.set || r.Direction == w.dir || r.Direction == protocol.BothDirections
	})
	if err != nil {
		return err
	}
	for _, d := range differences {
		fmt.Fprintln(e.out, d)
	}
	fmt.Fprintf(e.out, "%s compared, %s.\n", count(compared, "packet"), count(len(differences), "difference"))
	if len(differences) > 0 {
		return errSilent
	}
	return nil
}

// export writes the golden files into a folder and takes nothing away there.
func export(e *env, dir string) error {
	golden := fixtures.Protocol()
	written := 0
	err := fs.WalkDir(golden, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(path))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		content, err := fs.ReadFile(golden, path)
		if err != nil {
			return err
		}
		written++
		return os.WriteFile(to, content, 0o644)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(e.out, "%s in %s.\n", count(written, "file"), dir)
	return nil
}

// Where the packets of an exported capture come from.
var (
	captureClient = netip.MustParseAddrPort("192.0.2.1:50000")
	captureServer = netip.MustParseAddrPort("192.0.2.2:7777")
)

// exportCapture writes the golden packets as if they had been seen on the way,
// one a millisecond.
func exportCapture(e *env, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := pcap.NewWriter(f)
	packets := fixtures.Packets()
	for i, g := range packets {
		from, to := captureClient, captureServer
		if g.Row.Direction == protocol.ServerToClient || g.Row.Direction == protocol.BothDirections && queryDirection(g.Data) == protocol.ServerToClient {
			from, to = to, from
		}
		w.Datagram(time.UnixMilli(int64(i)), from, to, g.Data)
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		return err
	}
	fmt.Fprintf(e.out, "%s in %s.\n", count(len(packets), "packet"), path)
	return nil
}
