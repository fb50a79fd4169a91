package dissector_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"darqline/protocol"
	"darqline/protocol/dissector"
)

func write(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := dissector.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWrite has every packet that is built, in both directions where it goes
// both ways, and is the same each time.
func TestWrite(t *testing.T) {
	lua := write(t)
	for _, r := range protocol.Table() {
		want := fmt.Sprintf("\npacket(0x%02X, %q, TO_", uint8(r.ID), r.Name)
		if r.New != nil && strings.Count(lua, want) != 1 {
			t.Errorf("%s is not there once", r.Name)
		}
	}
	if !strings.Contains(lua, `packet("answer", `) {
		t.Error("no answer of the server query")
	}
	if strings.Contains(lua, "@") {
		t.Error("a mark is left")
	}
	if again := write(t); again != lua {
		t.Error("another one comes out the second time")
	}
}

var declared = regexp.MustCompile(`\b(number|str|text|raw|piece|bytes|vec3|quat|rgba|struct|list)\(((?:"\w+"|\d), )?"([a-z0-9_.]+)"`)

// TestNames has one type for each name of a field, as Wireshark wants it, and
// one name for each id.
func TestNames(t *testing.T) {
	types := map[string]string{}
	for _, m := range declared.FindAllStringSubmatch(write(t), -1) {
		kind, name := m[1]+m[2], m[3]
		if m[1] != "number" {
			kind = m[1]
		}
		if old, ok := types[name]; ok && old != kind {
			t.Errorf("%s is %s and %s", name, old, kind)
		}
		types[name] = kind
	}
	for name, kind := range map[string]string{
		"player_id": `number"u16", `, "player_token": `number"u32", `, "view_id": `number"u32", `, "vehicle_id": `number"u32", `,
		"frame.position": "vec3", "player_list_entry.entries.name": "str", "player_list_entry.entries.columns.width": `number"u8", `,
	} {
		if types[name] != kind {
			t.Errorf("%s is %q, want %q", name, types[name], kind)
		}
	}
}
