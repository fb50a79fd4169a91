// Package pages looks through the pages of views for what a client would block or not find. A page runs on an origin of
// its own resource with a policy that allows that origin alone (page Resource files and views), so what comes from
// elsewhere, or stands inline, does nothing there.
package pages

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"golang.org/x/net/html"

	"darqline/resources"
	"darqline/resources/nearest"
)

// Check gives the faults of every .html file of a bundle, by file and line.
func Check(b *resources.Bundle) resources.Faults {
	c := checker{bundle: b, files: make(map[string]bool)}
	for _, f := range b.ClientFiles {
		c.files[f.Path] = true
		c.names = append(c.names, f.Path)
	}
	for _, f := range b.ClientFiles {
		if strings.HasSuffix(f.Path, ".html") {
			c.page(f.Path, f.Body)
		}
	}
	c.faults.Sort()
	return c.faults
}

type checker struct {
	bundle *resources.Bundle
	files  map[string]bool
	names  []string
	faults resources.Faults

	file string
	line int
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, resources.Fault{File: c.bundle.Name + "/" + c.file, Line: c.line, Text: fmt.Sprintf(format, args...)})
}

func (c *checker) page(file string, body []byte) {
	c.file, c.line = file, 1
	z := html.NewTokenizer(bytes.NewReader(body))
	for {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken:
			return // the end: HTML has no other errors
		case html.StartTagToken, html.SelfClosingTagToken:
			lines := bytes.Count(raw, []byte{'\n'})
			c.tag(z.Token())
			c.line += lines
		default:
			c.line += bytes.Count(raw, []byte{'\n'})
		}
	}
}

// tag looks at one start tag and what it loads.
func (c *checker) tag(t html.Token) {
	source := false
	for _, a := range t.Attr {
		switch {
		case a.Key == "src" || a.Key == "poster" || a.Key == "href" && (t.Data == "link" || t.Data == "image" || t.Data == "use"):
			source = true
			c.target(a.Key, a.Val)
		case strings.HasPrefix(a.Key, "on"):
			c.fault("%s=\"...\" does nothing: the page's policy blocks inline scripts; use addEventListener in a .js file", a.Key)
		case a.Key == "style":
			c.fault("style=\"...\" does nothing: the page's policy blocks inline styles; use a class and a .css file")
		}
	}
	switch {
	case t.Data == "script" && !source:
		c.fault("this script does nothing: the page's policy blocks inline scripts; put it into a .js file of [client].files")
	case t.Data == "style":
		c.fault("these styles do nothing: the page's policy blocks inline styles; put them into a .css file of [client].files")
	case t.Data == "base":
		c.fault("<base> does nothing: the page's policy blocks it")
	}
}

// target is what an attribute loads: a file of the resource.
func (c *checker) target(key, value string) {
	link, _, _ := strings.Cut(strings.TrimSpace(value), "#")
	if link == "" {
		return
	}
	scheme, _, ok := strings.Cut(link, ":")
	if ok && !strings.ContainsAny(scheme, "/?.") {
		c.fault("%s=%q is blocked: a page loads from its own resource only", key, value)
		return
	}
	if strings.HasPrefix(link, "//") {
		c.fault("%s=%q is blocked: a page loads from its own resource only", key, value)
		return
	}
	if before, _, ok := strings.Cut(link, "?"); ok {
		c.fault("%s=%q is not found: the path of a client file has no ?", key, value)
		link = before
	}
	full := strings.TrimPrefix(link, "/")
	if !strings.HasPrefix(link, "/") {
		full = path.Join(path.Dir(c.file), link)
	}
	if c.files[full] {
		return
	}
	if name, ok := nearest.Name(full, c.names); ok {
		c.fault("%s=%q is not in [client].files; did you mean %q?", key, value, name)
		return
	}
	c.fault("%s=%q is not in [client].files of resource.toml", key, value)
}
