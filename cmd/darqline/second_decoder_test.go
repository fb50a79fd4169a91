package main

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"darqline/fixtures"
	"darqline/protocol"
)

var (
	decoderSeed    = flag.Uint64("decoder.seed", 1, "of the changed packets in TestSecondDecoder")
	decoderChanges = flag.Int("decoder.changes", 4000, "how many packets TestSecondDecoder shows to both decoders")
)

// TestSecondDecoder shows golden packets with a changed field to both decoders, who must agree on each: what only one refuses
// is a rule that the pages do not have, or that the code does not.
func TestSecondDecoder(t *testing.T) {
	t.Parallel()
	interpreter := python(t)
	random := rand.New(rand.NewPCG(*decoderSeed, 0))
	golden := fixtures.Packets()
	var questions strings.Builder
	var verdicts []error
	for range *decoderChanges {
		g := golden[random.IntN(len(golden))]
		if g.Row.Direction == protocol.BothDirections {
			continue // the server query has a codec of its own
		}
		b := bytes.Clone(g.Data)
		for range 1 + random.IntN(2) {
			change(random, b, g.Row.Direction)
		}
		_, _, err := protocol.Decode(b, g.Row.Direction)
		verdicts = append(verdicts, err)
		way := "c2s"
		if g.Row.Direction == protocol.ServerToClient {
			way = "s2c"
		}
		fmt.Fprintf(&questions, "%s %x\n", way, b)
	}
	asked := strings.Split(questions.String(), "\n")
	second := exec.CommandContext(t.Context(), interpreter, "-B", filepath.Join(secondClient, "verdicts.py"))
	second.Stdin = strings.NewReader(questions.String())
	out, err := second.CombinedOutput()
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(answers) != len(verdicts) {
		t.Fatalf("%v, %d answers, want %d\n%.2000s", err, len(answers), len(verdicts), out)
	}
	refused := 0
	for i, answer := range answers {
		if (answer == "taken") != (verdicts[i] == nil) {
			t.Errorf("%s\nthis program: %v\nthe second client: %s", asked[i], verdicts[i], answer)
		}
		if verdicts[i] != nil {
			refused++
		}
	}
	t.Logf("%d packets, %d refused by both", len(answers), refused)
}

// change gives one field of a packet, or a part of it, a value that may be right or wrong.
func change(random *rand.Rand, b []byte, dir protocol.Direction) {
	fields, _ := protocol.List(b, dir)
	if len(fields) < 2 {
		return
	}
	field := fields[1+random.IntN(len(fields)-1)]
	width := 1
	for _, w := range []int{8, 4, 2} {
		if field.Size > 0 && field.Size%w == 0 {
			width = w
			break
		}
	}
	if field.Size < width {
		return
	}
	at := field.Offset + width*random.IntN(field.Size/width)
	integers := []uint64{0, 1, 2, 3, 5, 8, 16, 32, 64, 69, 128, 255, 500, 611, 65535, 1<<32 - 1, random.Uint64(), uint64(random.IntN(256))}
	floats := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 100, 360, 20000, 20001, 1e9, math.NaN(), math.Inf(1)}
	value, float := integers[random.IntN(len(integers))], floats[random.IntN(len(floats))]
	switch isFloat := random.IntN(2) == 0; {
	case isFloat && width == 8:
		value = math.Float64bits(float)
	case isFloat && width == 4:
		value = uint64(math.Float32bits(float32(float)))
	}
	for k := range width {
		b[at+k] = byte(value >> (8 * k))
	}
}
