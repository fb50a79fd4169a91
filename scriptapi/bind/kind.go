package bind

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"

	"darqline/resources/nearest"
)

type lvalue = lua.LValue

// kind is a type of argument or result: how Lua calls it, how it is read and how it is made.
type kind struct {
	lua    string // in the stubs: "string", "integer", "Player", "\"a\"|\"b\""
	want   string // in errors: "a string of at most 127 bytes"
	decode func(c *Call, v lvalue, dst reflect.Value) error
	encode func(e *Env, v reflect.Value) lvalue
	fields []*param // of a struct
	item   *kind    // of a list
	enum   *enum    // of a type with names
	handle bool     // of a declared handle, which is never nil unless OrNil says so
}

// mismatch is a value that is not what was expected.
type mismatch struct {
	path    string // within the argument: ".price", "[3]"
	want    string
	got     string
	unknown string // of a name that there is not: the whole text
}

func (m *mismatch) Error() string {
	if m.unknown != "" {
		return m.unknown
	}
	return fmt.Sprintf("%s expected, got %s", m.want, m.got)
}

func within(path string, err error) error {
	var m *mismatch
	if errors.As(err, &m) {
		return &mismatch{path + m.path, m.want, m.got, m.unknown}
	}
	return err
}

func (k *kind) mismatch(v lvalue) error { return &mismatch{want: k.want, got: describe(v)} }

// outside is mismatch where a number is wanted: "integer 0..6 expected, got 9".
func (k *kind) outside(v lvalue) error {
	_, want, _ := strings.Cut(k.want, " ") // without its article
	got := describe(v)
	if n, ok := v.(lua.LNumber); ok {
		got = num(float64(n))
	}
	return &mismatch{want: want, got: got}
}

// describe words a value for an error: its type and, where it is short, what it is.
func describe(v lvalue) string {
	switch v := v.(type) {
	case *lua.LNilType:
		return "nil"
	case lua.LNumber:
		return "number " + num(float64(v))
	case lua.LString:
		if len(v) > 24 {
			return fmt.Sprintf("a string of %d bytes", len(v))
		}
		return "string " + strconv.Quote(string(v))
	case lua.LBool:
		return v.String()
	case *lua.LUserData:
		switch v := v.Value.(type) {
		case *handle:
			return article(v.typ.spec.Name)
		case fmt.Stringer:
			return v.String()
		}
		return "userdata"
	}
	return "a " + v.Type().String()
}

// limits are the two ends of a range tag.
type limits struct {
	min, max       float64
	hasMin, hasMax bool
}

func parseRange(text, full string) limits {
	if text == "" {
		return limits{}
	}
	lo, hi, ok := strings.Cut(text, "..")
	if !ok {
		panic(fmt.Sprintf("bind: %s: range %q is not MIN..MAX", full, text))
	}
	var l limits
	parse := func(s string, to *float64, has *bool) {
		if s == "" {
			return
		}
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic(fmt.Sprintf("bind: %s: range %q: %v", full, text, err))
		}
		*to, *has = f, true
	}
	parse(lo, &l.min, &l.hasMin)
	parse(hi, &l.max, &l.hasMax)
	return l
}

func (l limits) holds(f float64) bool {
	return (!l.hasMin || f >= l.min) && (!l.hasMax || f <= l.max)
}

// words gives "of 1..127 bytes", "of at most 127 bytes"; unit may be empty.
func (l limits) words(of, unit string) string {
	if unit != "" {
		unit = " " + unit
	}
	switch {
	case l.hasMin && l.hasMax && l.min == 0 && unit != "":
		return fmt.Sprintf(" %sat most %s%s", of, num(l.max), unit)
	case l.hasMin && l.hasMax:
		return fmt.Sprintf(" %s%s..%s%s", of, num(l.min), num(l.max), unit)
	case l.hasMin:
		return fmt.Sprintf(" %sat least %s%s", of, num(l.min), unit)
	case l.hasMax:
		return fmt.Sprintf(" %sat most %s%s", of, num(l.max), unit)
	}
	return ""
}

// kindOf finds the kind of a Go type with the tags of its field.
func (r *Registry) kindOf(t reflect.Type, tag reflect.StructTag, full string) *kind {
	if h := r.byGo[t]; h != nil {
		return handleKind(h, tag)
	}
	if e := r.enums[t]; e != nil {
		return e.kind
	}
	if k, ok := reflect.Zero(t).Interface().(kinder); ok && t.Kind() == reflect.Struct {
		return k.kindIn(r, full)
	}
	switch t {
	case reflect.TypeFor[Vec2]():
		return valueKind("vec2", func(e *Env, v Vec2) lvalue { return e.vec2(v) }, nil)
	case reflect.TypeFor[Vec3]():
		return vec3Kind(parseRange(tag.Get("range"), full))
	case reflect.TypeFor[RGBA]():
		return colorKind()
	case reflect.TypeFor[Function]():
		return functionKind()
	case reflect.TypeFor[Raw]():
		return rawKind()
	case reflect.TypeFor[any]():
		return plainKind()
	case reflect.TypeFor[Proxy]():
		return &kind{lua: "table", want: "a table", decode: refuse(full), encode: func(e *Env, v reflect.Value) lvalue {
			return e.proxy(v.Interface().(Proxy))
		}}
	case reflect.TypeFor[Native]():
		return &kind{lua: "function", want: "a function", decode: refuse(full), encode: func(e *Env, v reflect.Value) lvalue {
			return e.native(v.Interface().(Native))
		}}
	}
	switch t.Kind() {
	case reflect.Bool:
		return boolKind()
	case reflect.String:
		return stringKind(tag, full)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if words := tag.Get("enum"); words != "" {
			return enumKind(strings.Split(words, "|"), true)
		}
		return integerKind(t, parseRange(tag.Get("range"), full))
	case reflect.Float64, reflect.Float32:
		return numberKind(parseRange(tag.Get("range"), full))
	case reflect.Pointer:
		return optionalKind(r.kindOf(t.Elem(), tag, full), t)
	case reflect.Slice:
		return listKind(r.kindOf(t.Elem(), tag, full), t)
	case reflect.Map:
		if t.Key().Kind() == reflect.String {
			return mapKind(r.kindOf(t.Elem(), tag, full), t)
		}
	case reflect.Struct:
		return structKind(r.params(t, full), t)
	}
	panic(fmt.Sprintf("bind: %s: no Lua type for %s (is its handle declared?)", full, t))
}

func refuse(full string) func(*Call, lvalue, reflect.Value) error {
	return func(*Call, lvalue, reflect.Value) error {
		panic("bind: " + full + ": a result type is no argument type")
	}
}

func boolKind() *kind {
	k := &kind{lua: "boolean", want: "a boolean"}
	k.decode = func(_ *Call, v lvalue, dst reflect.Value) error {
		b, ok := v.(lua.LBool)
		if !ok {
			return k.mismatch(v)
		}
		dst.SetBool(bool(b))
		return nil
	}
	k.encode = func(_ *Env, v reflect.Value) lvalue { return lua.LBool(v.Bool()) }
	return k
}

func stringKind(tag reflect.StructTag, full string) *kind {
	if words := tag.Get("enum"); words != "" {
		return enumKind(strings.Split(words, "|"), false)
	}
	size := parseRange(tag.Get("range"), full)
	k := &kind{lua: "string", want: "a string" + size.words("of ", "bytes")}
	if tag.Get("tostring") != "" {
		k.lua = "any"
	}
	k.decode = func(c *Call, v lvalue, dst reflect.Value) error {
		s, ok := v.(lua.LString)
		if !ok && k.lua == "any" {
			s, ok = lua.LString(c.ToString(v)), true
		}
		switch {
		case !ok, !size.holds(float64(len(s))):
			return k.mismatch(v)
		case !utf8.ValidString(string(s)):
			return &mismatch{want: k.want, got: "a string that is not UTF-8"}
		}
		dst.SetString(string(s))
		return nil
	}
	k.encode = func(_ *Env, v reflect.Value) lvalue { return lua.LString(v.String()) }
	return k
}

// enumKind reads one of the words: as the word itself, or as its index.
func enumKind(words []string, index bool) *kind {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	k := &kind{lua: strings.Join(quoted, "|"), want: "one of " + strings.Join(quoted, ", ")}
	k.decode = func(_ *Call, v lvalue, dst reflect.Value) error {
		s, ok := v.(lua.LString)
		i := slices.Index(words, string(s))
		switch {
		case !ok:
			return k.mismatch(v)
		case i < 0:
			got := describe(v)
			if near, ok := nearest.Name(string(s), words); ok {
				got += fmt.Sprintf(" (did you mean %q?)", near)
			}
			return &mismatch{want: k.want, got: got}
		case !index:
			dst.SetString(string(s))
		case dst.CanInt():
			dst.SetInt(int64(i))
		default:
			dst.SetUint(uint64(i))
		}
		return nil
	}
	k.encode = func(_ *Env, v reflect.Value) lvalue {
		i := 0
		switch {
		case !index:
			return lua.LString(v.String())
		case v.CanInt():
			i = int(v.Int())
		default:
			i = int(v.Uint())
		}
		if i < 0 || i >= len(words) {
			return lua.LNil
		}
		return lua.LString(words[i])
	}
	return k
}

// maxExact is the largest integer up to which a Lua number has all integers.
const maxExact = 1 << 53

func integerKind(t reflect.Type, l limits) *kind {
	k := &kind{lua: "integer", want: "an integer" + l.words("", "")}
	natural := limits{-maxExact, maxExact, true, true}
	switch bits := t.Bits(); {
	case t.Kind() >= reflect.Uint && bits < 64:
		natural = limits{0, math.Exp2(float64(bits)) - 1, true, true}
	case t.Kind() >= reflect.Uint:
		natural.min = 0
	case bits < 64:
		natural = limits{-math.Exp2(float64(bits - 1)), math.Exp2(float64(bits-1)) - 1, true, true}
	}
	if !l.hasMin && !l.hasMax && t.Kind() != reflect.Int && t.Kind() != reflect.Int64 && t.Kind() != reflect.Uint64 {
		k.want = "an integer" + natural.words("", "")
	}
	signed := t.Kind() < reflect.Uint
	k.decode = func(_ *Call, v lvalue, dst reflect.Value) error {
		n, ok := v.(lua.LNumber)
		f := float64(n)
		if !ok || f != math.Trunc(f) || !natural.holds(f) || !l.holds(f) {
			return k.outside(v)
		}
		if signed {
			dst.SetInt(int64(f))
		} else {
			dst.SetUint(uint64(f))
		}
		return nil
	}
	k.encode = func(_ *Env, v reflect.Value) lvalue {
		if signed {
			return lua.LNumber(v.Int())
		}
		return lua.LNumber(v.Uint())
	}
	return k
}

func numberKind(l limits) *kind {
	k := &kind{lua: "number", want: "a finite number"}
	if l.hasMin || l.hasMax {
		k.want = "a number" + l.words("", "")
	}
	k.decode = func(_ *Call, v lvalue, dst reflect.Value) error {
		n, ok := v.(lua.LNumber)
		f := float64(n)
		if !ok || math.IsNaN(f) || math.IsInf(f, 0) || !l.holds(f) {
			return k.outside(v)
		}
		dst.SetFloat(f)
		return nil
	}
	k.encode = func(_ *Env, v reflect.Value) lvalue { return lua.LNumber(v.Float()) }
	return k
}

// article puts "a" or "an" before a name.
func article(name string) string {
	if strings.ContainsRune("AEIOUaeiou", rune(name[0])) || name == "rgba" {
		return "an " + name
	}
	return "a " + name
}

// vec3Kind reads a vec3; a range is that of each of its fields.
func vec3Kind(l limits) *kind {
	holds := func(v *Vec3) bool { return l.holds(v.X) && l.holds(v.Y) && l.holds(v.Z) }
	if !l.hasMin && !l.hasMax {
		holds = nil
	}
	k := valueKind("vec3", func(e *Env, v Vec3) lvalue { return e.vec3(v) }, holds)
	k.want += l.words("with fields ", "")
	return k
}

func valueKind[T any](name string, encode func(*Env, T) lvalue, holds func(*T) bool) *kind {
	k := &kind{lua: name, want: article(name)}
	k.decode = func(_ *Call, v lvalue, dst reflect.Value) error {
		p, ok := unbox[T](v)
		if !ok || holds != nil && !holds(p) {
			return k.mismatch(v)
		}
		*dst.Addr().Interface().(*T) = *p
		return nil
	}
	k.encode = func(e *Env, v reflect.Value) lvalue {
		if v.CanAddr() { // without a copy on the heap
			return encode(e, *v.Addr().Interface().(*T))
		}
		return encode(e, v.Interface().(T))
	}
	return k
}

func optionalKind(of *kind, t reflect.Type) *kind {
	k := *of
	k.handle = false
	k.decode = func(c *Call, v lvalue, dst reflect.Value) error {
		if v == lua.LNil {
			return nil
		}
		p := reflect.New(t.Elem())
		if err := of.decode(c, v, p.Elem()); err != nil {
			return err
		}
		dst.Set(p)
		return nil
	}
	k.encode = func(e *Env, v reflect.Value) lvalue {
		if v.IsNil() {
			return lua.LNil
		}
		return of.encode(e, v.Elem())
	}
	return &k
}
