package client

import (
	"strconv"
	"strings"

	"darqline/protocol"
)

// Segment is a piece of a line with markup.
type Segment struct {
	Text   string        // empty: the key of Action stands here
	Color  protocol.RGBA // alpha 0: the text's own
	Action uint32        // the action whose key is shown, "?" if it has none; 0: Text is shown
}

// ParseMarkup reads the markup of a line or of lines (page Chat, HUD and dialogs, "Markup"). There is no wrong markup: what
// is none is shown as it is written.
func ParseMarkup(text string) []Segment {
	var list []Segment
	var color protocol.RGBA
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			list = append(list, Segment{Text: plain.String(), Color: color})
			plain.Reset()
		}
	}
	for text != "" {
		before, after, found := strings.Cut(text, "{")
		plain.WriteString(before)
		if !found {
			break
		}
		inside, rest, closed := strings.Cut(after, "}")
		switch {
		case strings.HasPrefix(after, "{"):
			plain.WriteByte('{')
			rest = after[1:]
		case closed && inside == "/":
			flush()
			color = protocol.RGBA{}
		case closed && isColor(inside):
			flush()
			v, _ := strconv.ParseUint(inside, 16, 32)
			color = protocol.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
		case closed && isKey(inside):
			if id, err := strconv.ParseUint(inside[len("key:"):], 10, 32); err != nil || id == 0 {
				plain.WriteByte('?') // no action has this number
			} else {
				flush()
				list = append(list, Segment{Color: color, Action: uint32(id)})
			}
		default:
			plain.WriteByte('{')
			rest = after
		}
		text = rest
	}
	flush()
	return list
}

func isColor(s string) bool { return len(s) == 6 && strings.Trim(s, "0123456789abcdefABCDEF") == "" }

func isKey(s string) bool {
	n, ok := strings.CutPrefix(s, "key:")
	return ok && n != "" && strings.Trim(n, "0123456789") == ""
}

// PlainMarkup is the text of a line with markup without its colors; key gives the name of an action's key, "" if it has
// none.
func PlainMarkup(text string, key func(action uint32) string) string {
	var b strings.Builder
	for _, s := range ParseMarkup(text) {
		name := s.Text
		if s.Action != 0 {
			if name = key(s.Action); name == "" {
				name = "?"
			}
		}
		b.WriteString(name)
	}
	return b.String()
}
