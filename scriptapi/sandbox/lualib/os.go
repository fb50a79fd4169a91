package lualib

import (
	"math"
	"time"

	lua "github.com/yuin/gopher-lua"
)

func (l *library) openOS(L *lua.LState) {
	L.SetGlobal("os", module(L, map[string]lua.LGFunction{
		"clock": l.osClock, "date": l.osDate, "time": l.osTime,
	}))
}

func (l *library) osClock(L *lua.LState) int {
	L.Push(lua.LNumber(l.running().Seconds()))
	return 1
}

// osTime is the Unix time in seconds, now or of a table as os.date "*t" gives it.
func (l *library) osTime(L *lua.LState) int {
	if L.Get(1) == lua.LNil {
		L.Push(lua.LNumber(l.now().Unix()))
		return 1
	}
	t := args{L, "time"}.table(1)
	field := func(name string, otherwise int) int {
		switch v := t.RawGetString(name).(type) {
		case lua.LNumber:
			if math.Abs(float64(v)) <= 1e9 {
				return int(v)
			}
			fail(L, "field '%s' in date table is out of range", name)
		case *lua.LNilType:
			if otherwise < 0 {
				fail(L, "field '%s' missing in date table", name)
			}
		default:
			fail(L, "field '%s' in date table is a %s, not a number", name, v.Type())
		}
		return otherwise
	}
	second, minute, hour := field("sec", 0), field("min", 0), field("hour", 12)
	day, month, year := field("day", -1), field("month", -1), field("year", -1)
	at := time.Date(year, time.Month(month), day, hour, minute, second, 0, l.now().Location())
	L.Push(lua.LNumber(at.Unix()))
	return 1
}

// maxTime is the last second of the year 9999.
const maxTime = 253402300799

// osDate formats a time: "*t" gives a table, a leading "!" takes UTC, the rest
// are the conversions of C's strftime in the C locale.
func (l *library) osDate(L *lua.LState) int {
	a := args{L, "date"}
	format := a.optStr(1, "%c")
	at := l.now()
	if L.Get(2) != lua.LNil {
		seconds := a.num(2)
		if !(math.Abs(seconds) <= maxTime) {
			a.fault(2, "time out of range: the year must be at most 9999")
		}
		at = time.Unix(int64(seconds), 0).In(at.Location())
	}
	if format != "" && format[0] == '!' {
		format, at = format[1:], at.UTC()
	}
	if len(format) >= 2 && format[:2] == "*t" {
		L.Push(dateTable(L, at))
		return 1
	}
	l.pay(len(format) * 16)
	text, bad := strftime(format, at)
	if bad != "" {
		a.fault(1, "invalid conversion specifier '%s'", bad)
	}
	if len(text) > MaxString {
		fail(L, "string too long: 'date' would make %d bytes, the limit is %d", len(text), MaxString)
	}
	L.Push(lua.LString(text))
	return 1
}

func dateTable(L *lua.LState, at time.Time) *lua.LTable {
	t := L.CreateTable(0, 9)
	for name, n := range map[string]int{
		"year": at.Year(), "month": int(at.Month()), "day": at.Day(), "hour": at.Hour(), "min": at.Minute(),
		"sec": at.Second(), "wday": int(at.Weekday()) + 1, "yday": at.YearDay(),
	} {
		t.RawSetString(name, lua.LNumber(n))
	}
	t.RawSetString("isdst", lua.LBool(at.IsDST()))
	return t
}
