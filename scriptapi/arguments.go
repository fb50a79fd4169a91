package scriptapi

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// commandTypes are what an argument of a command may be (page Chat, HUD and dialogs, Commands).
var commandTypes = []string{"string", "text", "integer", "number", "boolean", "choice", "player", "weapon", "skin", "color",
	"duration", "position"}

// signature is the declared arguments of a command.
type signature []world.Field

// parseSignature reads the list of "name:type" of mp.command.
func parseSignature(list []string) (signature, error) {
	var s signature
	for i, text := range list {
		name, spec, ok := strings.Cut(text, ":")
		if !ok || !validName(name) {
			return nil, fmt.Errorf("arguments[%d] %q: an argument is written \"name:type\", such as \"amount:integer(1..100)\"", i+1, text)
		}
		if spec == "vehicle" || strings.HasPrefix(spec, "vehicle?") || strings.HasPrefix(spec, "vehicle=") {
			return nil, fmt.Errorf("arguments[%d] %q: this server has no vehicles yet; take \"integer(400..611)\" for a model", i+1, text)
		}
		f, err := world.ParseField(name, spec, commandTypes, true)
		if err != nil {
			return nil, fmt.Errorf("arguments[%d]: %w", i+1, err)
		}
		if !f.Ranged && (f.Type == "string" || f.Type == "text") {
			f.Min, f.Max = 1, 256
		}
		if f.Type == "text" && i != len(list)-1 {
			return nil, fmt.Errorf("arguments[%d] %q: text takes the rest of the line, so it stands last", i+1, text)
		}
		if i > 0 && s[i-1].Omittable() && !f.Omittable() {
			return nil, fmt.Errorf("arguments[%d] %q: it must be given, so it stands before %q, which may be left out", i+1, text, s[i-1].Name)
		}
		if err := checkDefault(f); err != nil {
			return nil, fmt.Errorf("arguments[%d] %q: the default: %w", i+1, text, err)
		}
		for _, other := range s {
			if other.Name == name {
				return nil, fmt.Errorf("arguments[%d]: %q stands there twice", i+1, name)
			}
		}
		s = append(s, f)
	}
	return s, nil
}

// checkDefault refuses a default that a call could not give either. Who a player's default is, only a call can tell.
func checkDefault(f world.Field) error {
	if !f.Defaulted || f.Type == "player" {
		return nil
	}
	_, err := defaultOf(f, playerFinder{})
	return err
}

// defaultOf is what an argument is that was left out.
func defaultOf(f world.Field, players playerFinder) (any, error) {
	if f.Type == "string" || f.Type == "text" {
		return f.Default, nil
	}
	words := split(f.Default)
	if len(words) == 0 {
		return nil, fmt.Errorf("%s expected, got nothing", expected(f))
	}
	v, used, err := readArgument(f, words, f.Default, players)
	if err == nil && used < len(words) {
		err = fmt.Errorf("%s expected, got %q", expected(f), f.Default)
	}
	return v, err
}

func validName(s string) bool {
	if s == "" || len(s) > 31 {
		return false
	}
	for _, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return true
}

// usage is the line that shows how a command is called.
func (s signature) usage(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: /%s", name)
	for _, f := range s {
		what := f.Name
		switch {
		case f.Type == "choice":
			what += " " + strings.Join(f.Choices, "|")
		case f.Ranged && (f.Type == "integer" || f.Type == "number"):
			what += " " + bounds(f)
		case f.Type == "position":
			what = "x> <y> <z"
		}
		if f.Omittable() {
			fmt.Fprintf(&b, " [%s]", what)
		} else {
			fmt.Fprintf(&b, " <%s>", what)
		}
	}
	return b.String()
}

func bounds(f world.Field) string {
	return number(f.Min) + ".." + number(f.Max)
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// word is one piece of a command line; end is where the rest begins.
type word struct {
	text       string
	start, end int
}

// split cuts a command line into words; "several words" in quotes are one.
func split(line string) []word {
	var words []word
	for i := 0; i < len(line); {
		if line[i] == ' ' {
			i++
			continue
		}
		start := i
		if line[i] == '"' {
			if end := strings.IndexByte(line[i+1:], '"'); end >= 0 {
				words = append(words, word{line[i+1 : i+1+end], start, i + end + 2})
				i += end + 2
				continue
			}
		}
		for i < len(line) && line[i] != ' ' {
			i++
		}
		words = append(words, word{line[start:i], start, i})
	}
	return words
}

// parse reads the words of a command line by its signature. The error is for the player who typed it.
func (s signature) parse(line string, players playerFinder) (*bind.Table, error) {
	words, args := split(line), &bind.Table{Pairs: make([]bind.Pair, 0, len(s))}
	add := func(name string, v any) { args.Pairs = append(args.Pairs, bind.Pair{Key: name, Value: v}) }
	for _, f := range s {
		if len(words) == 0 {
			if f.Defaulted {
				v, err := defaultOf(f, players)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", f.Name, err)
				}
				add(f.Name, v)
				continue
			}
			if f.Optional {
				continue
			}
			return nil, fmt.Errorf("%s: %s expected, got nothing", f.Name, expected(f))
		}
		v, used, err := readArgument(f, words, line, players)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		add(f.Name, v)
		words = words[used:]
	}
	if len(words) > 0 {
		return nil, fmt.Errorf("too many words: %q is left over", strings.TrimSpace(line[words[0].start:]))
	}
	return args, nil
}

// expected says what an argument may be, for the player.
func expected(f world.Field) string {
	switch f.Type {
	case "integer":
		if f.Ranged {
			return "a whole number " + bounds(f)
		}
		return "a whole number"
	case "number":
		if f.Ranged {
			return "a number " + bounds(f)
		}
		return "a number"
	case "string", "text":
		if f.Ranged {
			return fmt.Sprintf("%s characters", bounds(f))
		}
		return "a text"
	case "boolean":
		return "on or off"
	case "choice":
		return "one of " + strings.Join(f.Choices, ", ")
	case "player":
		return "a player's id or name"
	case "weapon":
		return "a weapon's name or id"
	case "skin":
		return "a skin's id"
	case "color":
		return "a color such as #FFB454"
	case "duration":
		return "a time such as 90s, 10m or 1h30m"
	}
	return "three numbers x y z"
}

// mismatch is an argument that is not what was expected; it is worded only where somebody reads it.
type mismatch struct {
	f   world.Field
	got string
}

func (m mismatch) Error() string { return fmt.Sprintf("%s expected, got %q", expected(m.f), m.got) }

func readArgument(f world.Field, words []word, line string, players playerFinder) (v any, used int, err error) {
	text := words[0].text
	wrong := mismatch{f, text}
	switch f.Type {
	case "text":
		text = strings.TrimSpace(line[words[0].start:])
		if n := float64(utf8.RuneCountInString(text)); n < f.Min || n > f.Max {
			return nil, 0, fmt.Errorf("%s characters expected, got %s", bounds(f), number(n))
		}
		return text, len(words), nil
	case "string":
		if n := float64(utf8.RuneCountInString(text)); n < f.Min || n > f.Max {
			return nil, 0, wrong
		}
		return text, 1, nil
	case "integer", "number":
		n, ok := readNumber(text, f.Type == "integer")
		if !ok || n < f.Min || n > f.Max {
			return nil, 0, wrong
		}
		return n, 1, nil
	case "boolean":
		switch strings.ToLower(text) {
		case "on", "yes", "true", "1":
			return true, 1, nil
		case "off", "no", "false", "0":
			return false, 1, nil
		}
		return nil, 0, wrong
	case "choice":
		c, ok := beginning(text, f.Choices)
		if !ok {
			return nil, 0, wrong
		}
		return c, 1, nil
	case "player":
		p, err := players.find(text)
		return p, 1, err
	case "weapon":
		id, err := findWeapon(text)
		return id, 1, err
	case "skin":
		n, ok := readNumber(text, true)
		if !ok || n < 0 || n > protocol.LastSkin || !protocol.ValidSkin(uint16(n)) {
			return nil, 0, wrong
		}
		return n, 1, nil
	case "color":
		c, ok := readColor(text)
		if !ok {
			return nil, 0, wrong
		}
		return c, 1, nil
	case "duration":
		d, ok := readDuration(text)
		if !ok {
			return nil, 0, wrong
		}
		return float64(d.Milliseconds()), 1, nil
	}
	if len(words) < 3 {
		return nil, 0, wrong
	}
	var xyz [3]float64
	for i := range xyz {
		n, ok := readNumber(words[i].text, false)
		if !ok {
			return nil, 0, mismatch{f, words[i].text}
		}
		xyz[i] = n
	}
	return bind.Vec3{X: xyz[0], Y: xyz[1], Z: xyz[2]}, 3, nil
}

// readNumber reads a finite decimal number; for an integer 1e3 and 0x are refused.
func readNumber(text string, integer bool) (float64, bool) {
	if integer {
		n, err := strconv.ParseInt(text, 10, 54)
		return float64(n), err == nil
	}
	if strings.ContainsAny(text, "xXpP_") {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}

// beginning finds the choice that a text is, or the only one that it begins.
func beginning(text string, choices []string) (string, bool) {
	found, n := "", 0
	for _, c := range choices {
		if strings.EqualFold(c, text) {
			return c, true
		}
		if len(text) > 0 && len(text) <= len(c) && strings.EqualFold(c[:len(text)], text) {
			found, n = c, n+1
		}
	}
	return found, n == 1
}

func readColor(text string) (bind.RGBA, bool) {
	hex, ok := strings.CutPrefix(text, "#")
	if !ok || len(hex) != 6 {
		return bind.RGBA{}, false
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	return bind.RGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 255}, err == nil
}

// longestDuration is ten years: nobody means more.
const longestDuration = 10 * 365 * 24 * time.Hour

// readDuration reads 90s, 10m, 1h30m, 2d: each unit once, the largest first.
func readDuration(text string) (time.Duration, bool) {
	const units = "dhms"
	sizes := [...]time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second}
	var total, n time.Duration
	digits, next := 0, 0
	for i := range len(text) {
		c := text[i]
		if c >= '0' && c <= '9' {
			if n, digits = n*10+time.Duration(c-'0'), digits+1; digits > 6 {
				return 0, false
			}
			continue
		}
		unit := strings.IndexByte(units[next:], c)
		if unit < 0 || digits == 0 {
			return 0, false
		}
		size := sizes[next+unit]
		if next += unit + 1; n > (longestDuration-total)/size {
			return 0, false
		}
		total, n, digits = total+n*size, 0, 0
	}
	return total, digits == 0 && total > 0
}
