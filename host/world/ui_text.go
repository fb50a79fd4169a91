package world

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"darqline/protocol"
)

// line says what is wrong with a text of one line of up to most bytes. The error names the field as Lua calls it.
func line(field, text string, most int) error { return lines(field, text, most, 1) }

// lines is line for a text of up to count lines.
func lines(field, text string, most, count int) error {
	err := textFault(text, most, count)
	if err != nil && field != "" {
		return fmt.Errorf("field %q: %w", field, err)
	}
	return err
}

func textFault(text string, most, count int) error {
	if len(text) > most {
		return fmt.Errorf("%s bytes, at most %s", grouped(len(text)), grouped(most))
	}
	if count > 1 {
		if n := strings.Count(text, "\n") + 1; n > count {
			return fmt.Errorf("%d lines, at most %d", n, count)
		}
		text = strings.ReplaceAll(text, "\n", " ")
	}
	return protocol.PlainText(text, most)
}

// grouped writes a number for people: 1,420.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// cutAt is the largest number of bytes up to most that splits neither a character nor a piece of markup.
func cutAt(text string, most int) int {
	if len(text) <= most {
		return len(text)
	}
	n := 0
	for n < len(text) {
		step := 0
		if text[n] == '{' {
			step = markupSize(text[n:])
		}
		if step == 0 {
			_, step = utf8.DecodeRuneInString(text[n:])
		}
		if n+step > most {
			break
		}
		n += step
	}
	return n
}

// longestMarkup bounds what is taken for a piece of markup: {key:N} with any N that there can be.
const longestMarkup = 15

// markupSize is the length of the piece of markup that may begin a text; a piece that is none is kept together all the same.
func markupSize(text string) int {
	if strings.HasPrefix(text, "{{") {
		return 2
	}
	if end := strings.IndexByte(text[:min(len(text), longestMarkup)], '}'); end > 0 {
		return end + 1
	}
	return 0
}
