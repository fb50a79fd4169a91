package wire

import (
	"testing"
)

func TestSnake(t *testing.T) {
	for in, want := range map[string]string{
		"ViewID": "view_id", "SHA256": "sha256", "ClientFilesPort": "client_files_port", "U8": "u8", "BootID": "boot_id", "HUDPart": "hud_part", "X": "x", "MoveX": "move_x",
	} {
		if got := snake(in); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

// TestDescribe holds the description of every primitive, and that describing
// asks for nothing of the value.
func TestDescribe(t *testing.T) {
	got := Describe(new(everything)).String()
	if got != described {
		t.Errorf("got\n%s\nwant\n%s", got, described)
	}
	l := Describe(new(everything))
	b, _ := encode(full())
	if l.Min() > len(b) || l.Max() < len(b) {
		t.Errorf("%d bytes are outside %d..%d", len(b), l.Min(), l.Max())
	}
}

const described = `[u8  u8]
[u16 u16]
[u32 u32]
[u64 u64]
[i8  i8]
[i16 i16]
[i32 i32]
[i16 ranged]          // -5..5
[u32 optional]        // 0, or 10..20
[u32 id]              // not 0
[u8  kind]            // 0..3
[u8  gaps]            // 1, 3..5, 7
[u32 flags]           // bits 0..16
[bool yes]
[f32 float]
[f32 bounded]         // 0..1.5
[f32 maybe]           // 0, or 2..3
[f64 double]
[f64 percent]         // 0..100
[vec3 place]          // each within ±20000
[i16 offset[3]]       // each within ±100
[i16 free[3]]
[quat rotation]       // unit length
[rgba theme]          // alpha 0: the theme's
[rgba exact]
[u8  sha256[4]]
[u8  text[8]]         // line
[u8  title[8]]        // lines, up to 2
[u8  name[8]]         // [a-z]
[u8  raw[4]]
[u8  raw_bytes[4]]
[u8  joined[8]]       // words
[u8  long_len]        // 0..5
[str16 short]         // plain, 0..5 bytes
[u8  long[long_len]]  // plain
[u16 len]             // 0..4
[u8  data[4]]         // the rest zeros
[u16 skills[3]]       // 0..999
[u8  pairs[4]]
    each, 2 bytes:
    [u8  a]
    [u8  b]  // 0..9
[u8  count]           // 0..2
[u32 cars[2]]         // not 0, the rest zeros
[u8  count]           // 0..3
[u8  entries[6]]      // the rest zeros
    each, 2 bytes:
    [u8  a]
    [u8  b]  // 0..9
[shared shared]
    shared, 1 bytes:
    [u8  x]
[u8  count]           // 0..3
[str8 cells[count]]   // line, 0..3 bytes
[u8  count]           // 0..3
[u8  batch[2*count]]
    each, 2 bytes:
    [u8  a]
    [u8  b]  // 0..9
[u8  op]              // 0..2
[by op]
    op 0: nothing
    op 1, 2 bytes:
    [u16 number]
    op 2, 2..5 bytes:
    [str8 word]  // plain, 1..4 bytes
[u8  padding[2]]      // zeros
[u16 len]             // 2..8
[u8  tail[len]]
    in this order, 2..8 bytes:
    [str8 a]  // line, 0..3 bytes
    [str8 b]  // line, 0..3 bytes
`
