package main

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"darqline/protocol"
	"darqline/protocol/wire"
)

var dumpCommand = command{
	name:    "dump",
	args:    "FILE|HEX ...",
	summary: "print a packet field by field, or why it is refused",
	help: `Prints one packet: its name, direction, lane, token and event, then each field with its
offset, type and value. A packet that is refused is printed up to where its fields can
be told apart, and the last line says at which byte, in which field and by which rule,
or that the rule is about the packet as a whole; the exit status is then 1.

The packet is a file, "-" for standard input, or hex digits in any number of arguments;
spaces, colons, commas and 0x between them do not matter. A file has the bytes of one
datagram, or them in hex:

  darqline dump view_data.bin
  darqline dump 0f:e9030000
  darqline dump 0x0F 0xE9 0x03 0x00 0x00
  tshark -r run.pcapng -T fields -e udp.payload | tail -n 1 | darqline dump -

A packet's id tells its direction. With --direction it is also refused where it came
the other way; a server query (0xFF) goes both ways.`,
	setup: func(fs *flag.FlagSet) runner {
		direction := directionFlag(fs, "refuse a packet that does not go `c2s|s2c`, client to server or server to client")
		return func(_ context.Context, e *env, args []string) error {
			way, err := parseWay(*direction)
			if err != nil {
				return err
			}
			b, err := packetArgument(e.in, args)
			if err != nil {
				return err
			}
			return dump(e.out, b, way)
		}
	},
}

// way is the value of --direction.
type way struct {
	dir protocol.Direction
	set bool
}

func directionFlag(fs *flag.FlagSet, text string) *string {
	return fs.String("direction", "", text)
}

func parseWay(s string) (way, error) {
	switch s {
	case "":
		return way{}, nil
	case "c2s":
		return way{protocol.ClientToServer, true}, nil
	case "s2c":
		return way{protocol.ServerToClient, true}, nil
	}
	return way{}, fmt.Errorf("--direction must be c2s (client to server) or s2c, not %q: %w", s, errUsage)
}

// packetArgument reads the datagram that a call names.
func packetArgument(in io.Reader, args []string) ([]byte, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("name a file or write the packet in hex: %w", errUsage)
	}
	if len(args) == 1 && args[0] == "-" {
		return readDatagram(in, "standard input")
	}
	if len(args) == 1 {
		f, err := os.Open(args[0])
		if err == nil {
			defer f.Close()
			return readDatagram(f, args[0])
		}
		if !errors.Is(err, os.ErrNotExist) && isNotHex(args[0]) {
			return nil, err
		}
	}
	b, err := fromHex(strings.Join(args, " "))
	if err == nil {
		return b, nil
	}
	if len(args) == 1 {
		return nil, fmt.Errorf("%q is neither a file nor hex: %w", args[0], err)
	}
	for _, arg := range args {
		if _, missing := os.Stat(arg); missing == nil {
			return nil, fmt.Errorf("it prints one packet, and %s is a file: name it alone", arg)
		}
	}
	return nil, err
}

// readDatagram reads a datagram, as it is or in hex, and no more than shows that
// it is too long.
func readDatagram(in io.Reader, name string) ([]byte, error) {
	const most = 65507                                 // of any UDP datagram
	b, err := io.ReadAll(io.LimitReader(in, 5*most+1)) // five for a byte: "0x0F "
	if err != nil {
		return nil, err
	}
	if text, err := fromHex(string(b)); err == nil && len(text) > 0 { // no packet is hex digits alone
		b = text
	}
	if len(b) > most {
		return nil, fmt.Errorf("%s has more than %d bytes, the most that a datagram can have", name, most)
	}
	return b, nil
}

var separators = strings.NewReplacer("0x", "", "0X", "", " ", "", "\t", "", "\r", "", "\n", "", ":", "", ",", "")

func fromHex(text string) ([]byte, error) {
	digits := separators.Replace(text)
	if len(digits)%2 == 1 {
		return nil, fmt.Errorf("%d hex digits, a byte has two", len(digits))
	}
	b, err := hex.DecodeString(digits)
	var wrong hex.InvalidByteError
	if errors.As(err, &wrong) {
		return nil, fmt.Errorf("%q is no hex digit", rune(wrong))
	}
	return b, err
}

func isNotHex(text string) bool {
	_, err := fromHex(text)
	return err != nil
}

// dump prints a packet; the error is why it is refused.
func dump(out io.Writer, b []byte, w way) error {
	if len(b) == 0 {
		return errors.New("refused: an empty datagram")
	}
	r, ok := protocol.Lookup(protocol.ID(b[0]))
	if !ok {
		return fmt.Errorf("refused: unknown packet_id 0x%02X at byte 0", b[0])
	}
	own := r.Direction
	if own == protocol.BothDirections {
		own = queryDirection(b)
	}
	h, _, err := protocol.Peek(b, own)
	fmt.Fprintf(out, "%s (0x%02X), %v, %v, %s", r.Name, uint8(r.ID), r.Direction, r.Lane, count(len(b), "byte"))
	if err == nil && r.HasToken() {
		fmt.Fprintf(out, ", token 0x%016X", h.Token)
	}
	if err == nil && r.HasEvent() {
		fmt.Fprintf(out, ", event %d", h.Event)
	}
	fmt.Fprintln(out)
	fields, err := protocol.List(b, own)
	fmt.Fprint(out, protocol.FormatFields(fields))
	if w.set && w.dir != own {
		return fmt.Errorf("refused: packet_id at byte 0: %s does not go %v", r.Name, w.dir)
	}
	var drop *protocol.DropError
	if errors.As(err, &drop) && drop.Fault == protocol.FaultUnbuilt {
		return fmt.Errorf("%s: its layout is not known to this program", r.Name)
	}
	var fault *wire.Error
	if errors.As(err, &fault) && fault.Field == "" {
		return fmt.Errorf("refused: %w (a rule about the packet as a whole)", err)
	}
	if err != nil {
		return fmt.Errorf("refused: %w", err)
	}
	return nil
}

// queryDirection tells a query from its answer, which have one id, by the
// letter that their magics differ in.
func queryDirection(b []byte) protocol.Direction {
	if len(b) > 4 && b[4] == 'S' {
		return protocol.ServerToClient
	}
	return protocol.ClientToServer
}
