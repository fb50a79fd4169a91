package bans

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"darqline/resources/nearest"
)

// version is that of the file's layout.
const version = 1

// Bounds of the file.
const (
	maxBans  = 250_000
	maxBytes = 256 << 20
)

// never stands in the file where a ban has no end.
const never = "never"

// content is what a file says.
type content struct {
	next int // the next id: one is never given again
	bans []Ban
}

// render writes the file: one ban a line, so that people can read it and versions of it can be compared.
func render(next int, list []*entry) []byte {
	size := 64
	for _, e := range list {
		size += len(e.line) + 6
	}
	b := make([]byte, 0, size)
	b = append(b, "{\n  \"version\": "+strconv.Itoa(version)+",\n  \"next\": "+strconv.Itoa(next)+",\n  \"bans\": ["...)
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n    "...)
		b = append(b, e.line...)
	}
	if len(list) > 0 {
		b = append(b, "\n  "...)
	}
	return append(b, "]\n}\n"...)
}

func newEntry(b Ban) *entry {
	expires := never
	if !b.Expires.IsZero() {
		expires = b.Expires.Format(time.RFC3339)
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	fmt.Fprintf(&line, "{\"id\": %d", b.ID)
	for _, field := range [...][2]string{{"kind", string(b.Kind)}, {"value", b.Value}, {"player", b.Player}, {"text", b.Text}, {"by", b.By},
		{"created", b.Created.Format(time.RFC3339)}, {"expires", expires}} {
		if field[0] == "player" && b.Player == "" {
			continue
		}
		fmt.Fprintf(&line, ", %q: ", field[0])
		enc.Encode(field[1])          // a string: it cannot fail
		line.Truncate(line.Len() - 1) // Encode ends with a line break
	}
	line.WriteByte('}')
	return &entry{b, line.Bytes()}
}

// parse reads a file. What a line leaves out by hand is given: an id, the time of its making, no end. Its error has the
// line and what to do.
func parse(name string, data []byte, now time.Time) (content, error) {
	p := &parser{data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
	c, err := p.file(now)
	if err != nil {
		return content{}, fmt.Errorf("%s:%d: %w; correct the line, or move the file away to begin without bans", name, p.line(), err)
	}
	return c, nil
}

type parser struct {
	data []byte
	dec  *json.Decoder
	at   int64 // of a fault that the decoder does not stand at
}

// line is where the parser is.
func (p *parser) line() int {
	at := p.at
	if at == 0 && p.dec != nil {
		at = p.dec.InputOffset()
	}
	return 1 + bytes.Count(p.data[:min(max(at, 0), int64(len(p.data)))], []byte("\n"))
}

func (p *parser) file(now time.Time) (content, error) {
	if len(bytes.TrimSpace(p.data)) == 0 {
		return content{}, errors.New("the file is empty, where a list of bans should be")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(p.data, &whole); err != nil { // the one that knows where JSON itself is broken
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			p.at = syntax.Offset
		}
		return content{}, fmt.Errorf("this is no JSON: %w", err)
	}
	p.dec = json.NewDecoder(bytes.NewReader(p.data))
	c := content{next: 1}
	var layout int
	err := p.object("a list of bans", map[string]func() error{
		"version": func() error {
			if err := p.value("version", "a whole number", &layout); err != nil {
				return err
			}
			if layout != version {
				return fmt.Errorf("version: this server reads version %d, not %d: it is of another version of the server", version, layout)
			}
			return nil
		},
		"next": func() error { return p.id("next", &c.next) },
		"bans": func() error { return p.list(&c, now) },
	})
	if err != nil {
		return c, err
	}
	if layout == 0 {
		return c, fmt.Errorf("\"version\": %d is missing", version)
	}
	for _, b := range c.bans {
		c.next = max(c.next, b.ID+1)
	}
	for i := range c.bans {
		if c.bans[i].ID == 0 {
			c.bans[i].ID = c.next
			c.next++
		}
	}
	return c, nil
}

// object reads an object, each of its fields by a function.
func (p *parser) object(what string, fields map[string]func() error) error {
	if t, err := p.dec.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("%s must be an object in { }", what)
	}
	seen := make(map[string]bool)
	for p.dec.More() {
		t, err := p.dec.Token()
		if err != nil {
			return err
		}
		key := t.(string) // JSON has no other keys
		read := fields[key]
		switch {
		case read == nil:
			return fmt.Errorf("unknown key %q%s", key, meant(key, fields))
		case seen[key]:
			return fmt.Errorf("the key %q stands twice", key)
		}
		seen[key] = true
		if err := read(); err != nil {
			return err
		}
	}
	_, err := p.dec.Token()
	return err
}

func meant(key string, fields map[string]func() error) string {
	if name, ok := nearest.Name(key, slices.Sorted(maps.Keys(fields))); ok {
		return fmt.Sprintf("; did you mean %q?", name)
	}
	return ""
}

// value reads a value into dst.
func (p *parser) value(key, want string, dst any) error {
	err := p.dec.Decode(dst)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s must be %s, not %s", key, want, wrong.Value)
	}
	return err
}

// id reads a number of 1 or more, small enough for Lua.
func (p *parser) id(key string, dst *int) error {
	if err := p.value(key, "a whole number", dst); err != nil {
		return err
	}
	if *dst < 1 || *dst > 1<<52 {
		return fmt.Errorf("%s must be a whole number from 1 on, not %d", key, *dst)
	}
	return nil
}

// list reads the bans.
func (p *parser) list(c *content, now time.Time) error {
	if t, err := p.dec.Token(); err != nil || t != json.Delim('[') {
		return errors.New("bans must be a list in [ ]")
	}
	for p.dec.More() {
		if len(c.bans) == maxBans {
			return fmt.Errorf("there are more than %d bans", maxBans)
		}
		b, err := p.ban(now)
		if err != nil {
			return err
		}
		c.bans = append(c.bans, b)
	}
	if _, err := p.dec.Token(); err != nil && err != io.EOF {
		return err
	}
	return nil
}

func (p *parser) ban(now time.Time) (Ban, error) {
	b := Ban{Created: now}
	text := func(key string, dst *string) func() error {
		return func() error { return p.value(key, "a string", dst) }
	}
	err := p.object("a ban", map[string]func() error{
		"id":      func() error { return p.id("id", &b.ID) },
		"kind":    text("kind", (*string)(&b.Kind)),
		"value":   text("value", &b.Value),
		"player":  text("player", &b.Player),
		"text":    text("text", &b.Text),
		"by":      text("by", &b.By),
		"created": func() error { return p.time("created", &b.Created) },
		"expires": func() error { return p.time("expires", &b.Expires) },
	})
	if err != nil {
		return b, err
	}
	return b.checked()
}

// time reads a moment; "never" is the zero one.
func (p *parser) time(key string, dst *time.Time) error {
	var s string
	if err := p.value(key, "a string", &s); err != nil {
		return err
	}
	if s == never && key == "expires" {
		*dst = time.Time{}
		return nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.IsZero() {
		return fmt.Errorf("%s: %q must be a time such as \"2027-01-31T20:00:00Z\"", key, s)
	}
	*dst = t
	return nil
}
