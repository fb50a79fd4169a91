package strict

import (
	"fmt"
	"io"
	"strings"
)

// Entry is what a reference page says of one key.
type Entry struct {
	Key      string // "auth.providers[].name", "permissions.resources.NAME"
	Type     string // "integer", "list of strings"
	Default  string // as TOML writes it; "required"
	Range    string // "1..65535"; "" for none
	Meaning  string
	Live     bool
	Required bool
	Unused   bool

	value string // that the target holds now
}

// Rows gives the reference of every key, in the order of the declaration. Defaults are what the targets hold now.
func (t Table) Rows() []Entry { return t.rows("") }

func (t Table) rows(prefix string) (entries []Entry) {
	for _, row := range t {
		a := row.value.about()
		name := prefix + row.name
		if a.inner != nil && a.suffix == "" {
			for _, e := range a.inner.rows(name + ".") {
				e.Range = strings.Trim(a.limits+"; "+e.Range, "; ")
				e.Live = e.Live || row.live
				if e.Meaning == "" {
					e.Meaning = row.meaning
				}
				entries = append(entries, e)
			}
			continue
		}
		if a.inner != nil {
			entries = append(entries, Entry{Key: name + a.suffix, Type: a.kind, Range: a.limits, Meaning: row.meaning, Live: row.live})
			entries = append(entries, a.inner.rows(name+a.suffix+".")...)
			continue
		}
		e := Entry{Key: name, Type: a.kind, Default: a.fallback, Range: a.limits, Meaning: row.meaning,
			Live: row.live, Required: row.required, Unused: row.unused, value: a.fallback}
		if row.fallback != "" {
			e.Default = row.fallback
		}
		if row.required {
			e.Default = "required"
		}
		entries = append(entries, e)
	}
	return entries
}

// Markdown writes the rows as the table of a reference page.
func (t Table) Markdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| key | type | default | range and meaning |\n|---|---|---|---|\n")
	for _, e := range t.Rows() {
		meaning := make([]string, 0, 3)
		for _, part := range []string{e.Range, e.Meaning} {
			if part != "" {
				meaning = append(meaning, strings.ReplaceAll(part, "|", `\|`))
			}
		}
		if e.Live {
			meaning = append(meaning, "live")
		}
		if e.Unused {
			meaning = append(meaning, "changes nothing yet")
		}
		fallback := e.Default
		if fallback != "" && !e.Required {
			fallback = "`" + fallback + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", e.Key, e.Type, fallback, strings.Join(meaning, "; "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
