package protocol_test

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"darqline/protocol"
)

func TestFields(t *testing.T) {
	fields := []protocol.ViewField{
		{Name: "gift", Type: protocol.FieldBoolean, Bool: true},
		{Name: "no", Type: protocol.FieldBoolean},
		{Name: "amount", Type: protocol.FieldNumber, Number: -1.5},
		{Name: strings.Repeat("n", 31), Type: protocol.FieldString, String: strings.Repeat("я", 127) + "x"},
		{Name: "empty", Type: protocol.FieldString},
		{Name: "separators", Type: protocol.FieldString, String: "a\u2028b\u2029c"}, // the page refuses Cc and Cf alone
	}
	count, raw, err := protocol.BuildFields(fields)
	if err != nil || count != 6 || len(raw) != protocol.ActionFieldsSize {
		t.Fatalf("%d fields in %d bytes, %v", count, len(raw), err)
	}
	if want := []byte("\x04gift\x00\x01\x02no\x00\x00\x06amount\x01\x00\x00\x00\x00\x00\x00\xF8\xBF\x1F"); !bytes.HasPrefix(raw, want) {
		t.Errorf("%x", raw[:40])
	}
	got, err := protocol.ParseFields(count, raw)
	if err != nil || !reflect.DeepEqual(got, fields) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := protocol.ParseFields(0, make([]byte, 1024)); err != nil || got != nil {
		t.Errorf("no fields: %v, %v", got, err)
	}
	if _, _, err := protocol.BuildFields(nil); err != nil {
		t.Error(err)
	}
}

func TestParseFieldsRefuses(t *testing.T) {
	number := func(v float64) string {
		b := math.Float64bits(v)
		s := ""
		for range 8 {
			s += string([]byte{byte(b)})
			b >>= 8
		}
		return s
	}
	for _, tc := range []struct {
		count uint8
		raw   string
		want  string
	}{
		{17, "", "17 fields, at most 16"},
		{1, "", "field 0: the bytes end inside it"},
		{1, "\x04gif", "the bytes end inside it"},
		{1, "\x04gift", "the bytes end inside it"},
		{1, "\x04gift\x00", "the bytes end inside it"},
		{1, "\x04gift\x01\x00\x00", "the bytes end inside it"},
		{1, "\x04gift\x02\x05abc", "the bytes end inside it"},
		{1, "\x04gift\x02", "the bytes end inside it"},
		{1, "\x00\x00\x00", "a name has 1..31 bytes"},
		{1, "\x20" + strings.Repeat("n", 32) + "\x00\x00", "a name has 1..31 bytes"},
		{1, "\x04Gift\x00\x00", "'G' in the name"},
		{1, "\x04gift\x03\x00", `"gift": type 3 is not known`},
		{1, "\x04gift\x00\x02", `"gift": a boolean is 0 or 1, not 2`},
		{1, "\x04gift\x01" + number(math.NaN()), `"gift": NaN is not a finite number`},
		{1, "\x04gift\x01" + number(math.Inf(-1)), `"gift": -Inf is not a finite number`},
		{1, "\x04gift\x02\x01\xFF", `"gift": not UTF-8`},
		{1, "\x04gift\x02\x01\n", `"gift": control or format character U+000A`},
		{1, "\x04gift\x02\x03\u200B", `"gift": control or format character U+200B`},
		{2, "\x01a\x00\x00\x01a\x00\x01", `field 1: "a" is given twice`},
		{1, "\x01a\x00\x00\x01", "followed by nonzero bytes"},
		{0, "\x00\x01", "followed by nonzero bytes"},
	} {
		if got, err := protocol.ParseFields(tc.count, []byte(tc.raw)); err == nil || !strings.Contains(err.Error(), tc.want) || got != nil {
			t.Errorf("%d, %q: %v, %v, want %s", tc.count, tc.raw, got, err, tc.want)
		}
	}
}

func TestBuildFieldsRefuses(t *testing.T) {
	many := make([]protocol.ViewField, 17)
	var large []protocol.ViewField
	for i := range 4 {
		large = append(large, protocol.ViewField{Name: fmt.Sprint("f", i), Type: protocol.FieldString, String: strings.Repeat("x", 252)})
	}
	one := func(f protocol.ViewField) []protocol.ViewField { return []protocol.ViewField{f} }
	for _, tc := range []struct {
		fields []protocol.ViewField
		want   string
	}{
		{many, "17 fields, at most 16"},
		{large, "the fields have 1028 bytes, at most 1024 fit"},
		{one(protocol.ViewField{}), "a name has 1..31 bytes"},
		{one(protocol.ViewField{Name: "a", Type: 3}), "type 3 is not known"},
		{one(protocol.ViewField{Name: "a", Type: protocol.FieldNumber, Number: math.Inf(1)}), "+Inf is not a finite number"},
		{one(protocol.ViewField{Name: "a", Type: protocol.FieldString, String: strings.Repeat("x", 256)}), "256 bytes, at most 255 fit"},
		{one(protocol.ViewField{Name: "a", Type: protocol.FieldString, String: "\r"}), "U+000D"},
		{[]protocol.ViewField{{Name: "a"}, {Name: "b"}, {Name: "a"}}, `field 2: "a" is given twice`},
	} {
		if _, raw, err := protocol.BuildFields(tc.fields); err == nil || !strings.Contains(err.Error(), tc.want) || raw != nil {
			t.Errorf("%v, want %s", err, tc.want)
		}
	}
	for i := range large {
		large[i].String = large[i].String[1:]
	}
	if _, _, err := protocol.BuildFields(large); err != nil {
		t.Errorf("1024 bytes: %v", err)
	}
}
