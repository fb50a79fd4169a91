package lualib

import (
	"fmt"
	"strconv"
	"time"
)

// strftime formats at by the conversions of C's strftime in the C locale. bad is
// the first conversion that there is not.
func strftime(format string, at time.Time) (text, bad string) {
	out := make([]byte, 0, 2*len(format)+32)
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			out = append(out, format[i])
			continue
		}
		i++
		if i == len(format) {
			return "", "%"
		}
		var ok bool
		if out, ok = convert(out, format[i], at); !ok {
			return "", format[i-1 : i+1]
		}
	}
	return string(out), ""
}

// layouts are the conversions that Go's time package has too.
var layouts = map[byte]string{
	'a': "Mon", 'A': "Monday", 'b': "Jan", 'h': "Jan", 'B': "January",
	'c': "Mon Jan _2 15:04:05 2006", 'd': "02", 'D': "01/02/06", 'e': "_2", 'F': "2006-01-02",
	'H': "15", 'I': "03", 'm': "01", 'M': "04", 'p': "PM", 'r': "03:04:05 PM", 'R': "15:04",
	'S': "05", 'T': "15:04:05", 'x': "01/02/06", 'X': "15:04:05", 'y': "06", 'Y': "2006",
	'z': "-0700", 'Z': "MST",
}

func convert(out []byte, c byte, at time.Time) ([]byte, bool) {
	if layout, ok := layouts[c]; ok {
		return at.AppendFormat(out, layout), true
	}
	sunday := int(at.Weekday())
	monday := (sunday + 6) % 7
	day := at.YearDay() - 1
	switch c {
	case '%':
		return append(out, '%'), true
	case 'n':
		return append(out, '\n'), true
	case 't':
		return append(out, '\t'), true
	case 'C':
		return fmt.Appendf(out, "%02d", at.Year()/100), true
	case 'G':
		year, _ := at.ISOWeek()
		return strconv.AppendInt(out, int64(year), 10), true
	case 'g':
		year, _ := at.ISOWeek()
		return fmt.Appendf(out, "%02d", year%100), true
	case 'V':
		_, week := at.ISOWeek()
		return fmt.Appendf(out, "%02d", week), true
	case 'j':
		return fmt.Appendf(out, "%03d", day+1), true
	case 's':
		return strconv.AppendInt(out, at.Unix(), 10), true
	case 'u':
		return strconv.AppendInt(out, int64(monday+1), 10), true
	case 'w':
		return strconv.AppendInt(out, int64(sunday), 10), true
	case 'U':
		return fmt.Appendf(out, "%02d", (day+7-sunday)/7), true
	case 'W':
		return fmt.Appendf(out, "%02d", (day+7-monday)/7), true
	}
	return out, false
}
