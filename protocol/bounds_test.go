package protocol_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/internal/samples"
	"darqline/protocol/wire"
)

// TestBounds sets every field of every fixture to each of its bounds and one beyond, as the layout tells them: at the
// bound the field is no reason to refuse the packet, beyond it is the first. What decodes encodes to the same bytes.
func TestBounds(t *testing.T) {
	var fields, within, whole, beyond int
	for _, s := range samples.All() {
		golden, dir := s.Bytes(), direction(s.Header.ID)
		if _, ok := s.Packet.(*protocol.ServerQueryAnswer); ok {
			dir = protocol.ServerToClient
		} else if s.Header.ID == protocol.IDServerQuery {
			dir = protocol.ClientToServer
		}
		list, err := protocol.List(golden, dir)
		if err != nil {
			t.Fatal(s.File, err)
		}
		for _, f := range list[1:] { // not packet_id
			values := boundsOf(f, golden[f.Offset:f.Offset+f.Size])
			if len(values) > 0 {
				fields++
			}
			for _, v := range values {
				b := slices.Concat(golden[:f.Offset], v.bytes, golden[f.Offset+f.Size:])
				lengthen(b, list, len(golden))
				h, p, err := protocol.Decode(b, dir)
				if err == nil && !v.ok && bytes.Equal(b, golden) {
					continue // it is what a removal has
				}
				switch refused, otherwise := refusesIt(err, f); {
				case refused == v.ok && !otherwise:
					t.Errorf("%s: %s (%s) = %x: %v", s.File, f.Name, f.Note, v.bytes, err)
				case !v.ok:
					beyond++
				case err == nil:
					whole++
					if again, err := protocol.Append(nil, h, p); err != nil || !bytes.Equal(again, b) {
						t.Errorf("%s: %s = %x encodes to other bytes, %v", s.File, f.Name, v.bytes, err)
					}
					fallthrough
				default: // a rule between fields, or the size of the packet, does not allow it alone
					within++
				}
			}
		}
	}
	t.Logf("%d fields of %d packets: %d values at a bound, of which %d are a packet; %d beyond", fields, len(samples.All()), within, whole, beyond)
	if fields < 3700 || whole < 7000 || beyond < 8000 {
		t.Error("fewer than there were")
	}
}

// refusesIt says whether the value of f is why a packet is refused; otherwise where it would be with any other value, too.
func refusesIt(err error, f protocol.FieldValue) (refused, otherwise bool) {
	var fault *wire.Error
	var drop *protocol.DropError
	switch {
	case errors.As(err, &drop):
		return true, drop.Fault == protocol.FaultLength
	case !errors.As(err, &fault) || fault.Field == "", fault.Reason == "the packet ends here": // because a length or a count is larger
		return false, false
	case strings.HasSuffix(fault.Reason, " follow"), strings.HasSuffix(fault.Reason, "where the thing is removed"):
		return true, true
	}
	return fault.Offset >= f.Offset && fault.Offset < f.Offset+f.Size || strings.HasPrefix(f.Name, fault.Field+"["), false
}

// lengthen writes the length of a packet that a change made longer or shorter, where it has one: what follows to its end.
func lengthen(b []byte, fields []protocol.FieldValue, before int) {
	for _, f := range fields {
		if name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]; name != "len" && name != "size" || f.Type != "u16" || len(b) == before {
			continue
		}
		if int(binary.LittleEndian.Uint16(b[f.Offset:])) == before-f.Offset-2 {
			binary.LittleEndian.PutUint16(b[f.Offset:], uint16(len(b)-f.Offset-2))
		}
	}
}

// A boundary is a value at a bound of a field, or one beyond.
type boundary struct {
	bytes []byte
	ok    bool
}

var numbers = regexp.MustCompile(`^[0-9., ]+$`)

// boundsOf are those that a field's type and note have. now is what stands there.
func boundsOf(f protocol.FieldValue, now []byte) (list []boundary) {
	f.Note = strings.TrimSuffix(f.Note, ", the rest zeros")
	add := func(ok bool, values ...any) {
		for _, v := range values {
			b, err := binary.Append(nil, binary.LittleEndian, v)
			if err != nil {
				panic(err)
			}
			list = append(list, boundary{b, ok})
		}
	}
	switch kind, _, several := strings.Cut(f.Type, "["); {
	case strings.HasPrefix(f.Note, "any"): // the padding of a query
	case f.Note == "zeros" || strings.HasPrefix(f.Name, "rest of ") || strings.Contains(f.Note, "rest zeros") && several && now[len(now)-1] == 0:
		list = append(list, boundary{append(bytes.Clone(now[:len(now)-1]), 1), false})
	case several && kind == "u8" && numbers.MatchString(f.Note):
		for i := range now {
			for _, v := range integerBounds(f.Note, kind) {
				b := bytes.Clone(now)
				b[i] = v.value.(uint8)
				list = append(list, boundary{b, v.ok})
			}
		}
	case several && kind == "u8":
		list = textBounds(f, now)
	case several:
	case kind == "bool":
		add(true, uint8(0), uint8(1))
		add(false, uint8(2), uint8(255))
	case kind == "rgba":
		add(true, uint32(0), uint32(math.MaxUint32))
		if f.Note != "" { // alpha 0 is the theme's color
			add(false, uint32(1), uint32(1<<16))
		}
	case kind == "f32":
		for _, v := range floatBounds(f.Note) {
			add(v.ok, float32(v.value))
		}
	case kind == "f64":
		add(true, math.MaxFloat64, -math.MaxFloat64)
		add(false, math.Inf(1), math.Inf(-1), math.NaN())
	case kind == "vec3" || kind == "quat":
		list = axisBounds(f.Note, now)
	case kind == "str8" || kind == "str16":
		note, prefix := strings.TrimSuffix(f.Note, " bytes"), map[string]string{"str8": "u8", "str16": "u16"}[kind]
		for _, v := range integerBounds(note[strings.LastIndexByte(note, ' ')+1:], prefix) {
			add(v.ok, v.value)
			last := &list[len(list)-1]
			last.bytes = append(last.bytes, bytes.Repeat([]byte("a"), int(reflect.ValueOf(v.value).Uint()))...)
		}
	default:
		for _, v := range integerBounds(f.Note, kind) {
			add(v.ok, v.value)
		}
	}
	return list
}

type integerBound struct {
	value any // of the field's size
	ok    bool
}

// integerBounds reads "3..9", "1, 4..7", "0, or 5..9", "not 0", "bits 0..3", "each within ±9"; without a note everything is within.
func integerBounds(note, kind string) (list []integerBound) {
	size, err := strconv.Atoi(kind[1:])
	if err != nil {
		panic(kind)
	}
	least, most := int64(0), int64(math.MaxInt64) // of u64 the upper half is left out
	if kind[0] == 'i' {
		least, most = -1<<(size-1), 1<<(size-1)-1
	} else if size < 64 {
		most = 1<<size - 1
	}
	type span struct{ lo, hi int64 }
	var spans []span
	switch {
	case note == "not 0":
		spans = []span{{1, most}}
	case strings.HasPrefix(note, "bit"):
		var last int
		if _, err := fmt.Sscanf(note, "bits 0..%d", &last); err != nil {
			last = 0
		}
		spans = []span{{0, 1<<(last+1) - 1}}
	case strings.HasPrefix(note, "each within ±"):
		n, _ := strconv.ParseInt(strings.TrimPrefix(note, "each within ±"), 10, 64)
		spans = []span{{-n, n}}
	default:
		for part := range strings.SplitSeq(strings.ReplaceAll(note, "or ", ""), ", ") {
			from, to, two := strings.Cut(part, "..")
			if !two {
				to = from
			}
			lo, err1 := strconv.ParseInt(from, 10, 64)
			hi, err2 := strconv.ParseInt(to, 10, 64)
			if err1 != nil || err2 != nil {
				spans = []span{{least, most}}
				break
			}
			spans = append(spans, span{lo, hi})
		}
	}
	has := func(v int64) bool {
		return slices.ContainsFunc(spans, func(s span) bool { return v >= s.lo && v <= s.hi })
	}
	for _, s := range spans {
		for _, v := range []int64{s.lo, s.hi, s.lo - 1, s.hi + 1} {
			if v < least || v > most || v == math.MinInt64 {
				continue
			}
			var value any
			switch size {
			case 8:
				value = uint8(v)
			case 16:
				value = uint16(v)
			case 32:
				value = uint32(v)
			default:
				value = uint64(v)
			}
			list = append(list, integerBound{value, has(v)})
		}
	}
	return list
}

type floatBound struct {
	value float32
	ok    bool
}

// floatBounds reads "0..1", "0, or 10..120", "0..360, not 360", "above 0, up to 100"; without a note every finite number is within.
func floatBounds(note string) []floatBound {
	inf := float32(math.Inf(1))
	next := func(v float32) float32 { return math.Nextafter32(v, inf) }
	last := func(v float32) float32 { return math.Nextafter32(v, -inf) }
	list := []floatBound{{inf, false}, {-inf, false}, {float32(math.NaN()), false}}
	var lo, hi float32
	switch {
	case note == "":
		return append(list, floatBound{math.MaxFloat32, true}, floatBound{-math.MaxFloat32, true})
	case strings.HasSuffix(note, ", not 360"):
		return append(list, floatBound{0, true}, floatBound{last(0), false}, floatBound{last(360), true}, floatBound{360, false})
	case scans(note, "above %g, up to %g", &lo, &hi):
		return append(list, floatBound{lo, false}, floatBound{next(lo), true}, floatBound{hi, true}, floatBound{next(hi), false})
	case strings.HasPrefix(note, "0, or "):
		list, note = append(list, floatBound{0, true}), strings.TrimPrefix(note, "0, or ")
	}
	from, to, _ := strings.Cut(note, "..")
	if !scans(from, "%g", &lo) || !scans(to, "%g", &hi) {
		panic(note)
	}
	return append(list, floatBound{lo, true}, floatBound{last(lo), false}, floatBound{hi, true}, floatBound{next(hi), false})
}

func scans(s, format string, into ...any) bool {
	n, err := fmt.Sscanf(s, format, into...)
	return err == nil && n == len(into)
}

// axisBounds sets one axis after the other, or for one of unit length all of them.
func axisBounds(note string, now []byte) (list []boundary) {
	add := func(ok bool, axes ...float32) {
		b, _ := binary.Append(nil, binary.LittleEndian, axes)
		list = append(list, boundary{b, ok})
	}
	n := len(now) / 4
	if note == "unit length" {
		for _, v := range []floatBound{{1, true}, {-1, true}, {0.9901, true}, {1.0099, true}, {0.9899, false}, {1.0101, false}, {float32(math.NaN()), false}, {float32(math.Inf(1)), false}} {
			for i := range n {
				axes := make([]float32, n)
				axes[i] = v.value
				add(v.ok, axes...)
			}
		}
		return list
	}
	if limit, ok := strings.CutPrefix(note, "each within ±"); ok {
		note = "-" + limit + ".." + limit
	} else {
		note = ""
	}
	for i := range n {
		for _, v := range floatBounds(note) {
			axes := make([]float32, n)
			axes[i] = v.value
			add(v.ok, axes...)
		}
	}
	return list
}

// textBounds are for a text that ends with NUL in a field of fixed size: one byte that is no character, and, by its
// alphabet, the longest text and one that is longer.
func textBounds(f protocol.FieldValue, now []byte) (list []boundary) {
	switch f.Note {
	case "", "the rest zeros": // bytes of any value
		return nil
	case "\"DQRQ\"", "\"DQRS\"":
		return []boundary{{[]byte("DQRX"), false}}
	}
	if strings.HasPrefix(f.Note, "plain, with") || strings.HasPrefix(f.Note, "lines") || strings.Contains(f.Note, "base64url") || now[len(now)-1] != 0 {
		return []boundary{{bytes.Repeat([]byte{0xFF}, len(now)), false}} // its length stands before it
	}
	longer := bytes.Repeat([]byte("a"), len(now))
	longest := append(longer[:len(now)-1:len(now)-1], 0)
	list = append(list, boundary{longer, false}, boundary{append([]byte{0xFF}, now[1:]...), false})
	if f.Note == "plain" || f.Note == "line" || strings.HasPrefix(f.Note, "[a-z0-9") || strings.HasPrefix(f.Note, "a resource's name") {
		list = append(list, boundary{longest, true})
	}
	return list
}
