package scriptapi

import "strings"

// escape makes foreign text safe inside a line with markup: each { is doubled (page Chat, HUD and dialogs).
func escape(text string) string { return strings.ReplaceAll(text, "{", "{{") }

// strip removes markup: colors, their end and keys go, {{ becomes {.
func strip(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '{' {
			b.WriteByte(text[i])
			i++
			continue
		}
		n := markupLen(text[i:])
		switch {
		case strings.HasPrefix(text[i:], "{{"):
			b.WriteByte('{')
			i += 2
		case n > 0:
			i += n
		default:
			b.WriteByte('{')
			i++
		}
	}
	return b.String()
}

// markupLen is the length of the markup that a text begins with; 0 where it begins with none.
func markupLen(text string) int {
	end := strings.IndexByte(text, '}')
	if end < 0 {
		return 0
	}
	inside := text[1:end]
	switch {
	case inside == "/":
		return end + 1
	case len(inside) == 6 && strings.Trim(inside, "0123456789abcdefABCDEF") == "":
		return end + 1
	case strings.HasPrefix(inside, "key:") && len(inside) > 4 && strings.Trim(inside[4:], "0123456789") == "":
		return end + 1
	}
	return 0
}
