package resources

import (
	"maps"
	"math"
	"slices"

	"darqline/resources/strict"
)

// exact is the largest integer that Lua's numbers hold without loss.
const exact = 1 << 53

// setting is one [settings.NAME] of a manifest.
type setting struct {
	kind            string
	fallback        strict.Found
	lowest, highest strict.Found
	help            string

	lo, hi float64 // of the number, or of a string's characters
}

func (s *setting) table() strict.Table {
	s.lo, s.hi = math.Inf(-1), math.Inf(1)
	return strict.Table{
		strict.Key("type", strict.Choice(&s.kind, "boolean", "integer", "number", "string"), "what it is").Required(),
		strict.Key("default", strict.Later(&s.fallback), "without it the host must set a value"),
		strict.Key("min", strict.Later(&s.lowest), "least value; of a string its characters"),
		strict.Key("max", strict.Later(&s.highest), "greatest value; of a string its characters"),
		strict.Key("help", strict.String(&s.help), "one sentence for the host"),
	}
}

// check judges min, max and default by the type. It also remembers the range, so it comes before value.
func (s *setting) check() (faults Faults) {
	for _, limit := range []struct {
		found strict.Found
		into  *float64
	}{{s.lowest, &s.lo}, {s.highest, &s.hi}} {
		if limit.found.Set() {
			faults = append(faults, s.limit(limit.found, limit.into)...)
		}
	}
	if faults == nil && s.lo > s.hi {
		faults = append(faults, s.lowest.Fault("min is above max"))
	}
	if faults == nil && s.fallback.Set() {
		_, faults = s.value(s.fallback)
	}
	return faults
}

func (s *setting) limit(found strict.Found, into *float64) Faults {
	switch s.kind {
	case "boolean":
		return Faults{found.Fault("a boolean has no min and no max")}
	case "number":
		return found.Read(strict.Number(into, -math.MaxFloat64, math.MaxFloat64))
	}
	var i, least int64 = 0, -exact
	if s.kind == "string" {
		least = 0
	}
	faults := found.Read(strict.Integer(&i, least, exact))
	*into = float64(i)
	return faults
}

// value judges a value of the setting and gives it as Lua gets it: bool, int64, float64 or string.
func (s *setting) value(found strict.Found) (any, Faults) {
	switch s.kind {
	case "boolean":
		var b bool
		faults := found.Read(strict.Boolean(&b))
		return b, faults
	case "integer":
		var i int64
		faults := found.Read(strict.Integer(&i, int64(max(s.lo, -exact)), int64(min(s.hi, exact))))
		return i, faults
	case "number":
		var f float64
		faults := found.Read(strict.Number(&f, s.lo, s.hi))
		return f, faults
	default:
		var t string
		faults := found.Read(strict.String(&t, strict.Characters(int(max(s.lo, 0)), int(min(s.hi, exact)))))
		return t, faults
	}
}

// settle checks every declared setting and gives its value: what the host has set, else the default.
func settle(declared map[string]setting, resource string, file *strict.File, set map[string]strict.Found) (map[string]any, Faults) {
	values, faults := map[string]any{}, Faults(nil)
	names := slices.Sorted(maps.Keys(declared))
	for _, name := range names {
		s := declared[name]
		if s.kind == "" {
			continue // a fault that the table has found
		}
		if wrong := s.check(); wrong != nil {
			faults = append(faults, wrong...)
			continue
		}
		found := s.fallback
		if host, ok := set[name]; ok {
			found = host
		}
		if !found.Set() {
			faults = append(faults, file.Fault("settings."+name,
				"setting %q has no default, so the host must set it: %s = ... under [resources.%s] in server.toml", name, name, resource))
			continue
		}
		value, wrong := s.value(found)
		values[name] = value
		faults = append(faults, wrong...)
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if _, ok := declared[name]; !ok {
			faults = append(faults, set[name].Fault("resource %q has no setting %q%s", resource, name, strict.Meant(name, names)))
		}
	}
	return values, faults
}
