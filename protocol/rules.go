package protocol

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"darqline/protocol/wire"
)

type (
	// Vec3 is three axes, in the unit of its field.
	Vec3 = wire.Vec3
	// Quat is a rotation of unit length.
	Quat = wire.Quat
	// RGBA is a color; alpha 0 is the theme's unless the packet says otherwise.
	RGBA = wire.RGBA
)

func lowerOrDigit(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' }

// ValidResourceName says what is wrong with a resource's name: [a-z0-9_-],
// 1..31 bytes (page Resource files and views).
func ValidResourceName(name string) error {
	if name == "" || len(name) > 31 {
		return fmt.Errorf("a resource's name has 1..31 bytes, %q has %d", name, len(name))
	}
	for _, r := range name {
		if r >= 0x80 || !lowerOrDigit(byte(r)) && r != '_' && r != '-' {
			return fmt.Errorf("%q in the resource's name %q is not of a-z 0-9 _ -", r, name)
		}
	}
	return nil
}

// ValidTopic says what is wrong with a topic's name, or the name of a field of
// an action: [a-z0-9_], 1..31 bytes (page Resource files and views).
func ValidTopic(name string) error {
	if name == "" || len(name) > 31 {
		return fmt.Errorf("a name has 1..31 bytes, %q has %d", name, len(name))
	}
	for _, r := range name {
		if r >= 0x80 || !lowerOrDigit(byte(r)) && r != '_' {
			return fmt.Errorf("%q in the name %q is not of a-z 0-9 _", r, name)
		}
	}
	return nil
}

// contentTypes is the table of page Resource files and views.
var contentTypes = []struct{ ext, mime string }{
	{"html", "text/html; charset=utf-8"},
	{"js", "text/javascript; charset=utf-8"},
	{"css", "text/css; charset=utf-8"},
	{"json", "application/json"},
	{"png", "image/png"},
	{"jpg", "image/jpeg"},
	{"webp", "image/webp"},
	{"svg", "image/svg+xml"},
	{"woff2", "font/woff2"},
	{"ttf", "font/ttf"},
}

// ContentType is the Content-Type of a client file by its extension, given
// without the dot.
func ContentType(ext string) (string, bool) {
	for _, t := range contentTypes {
		if t.ext == ext {
			return t.mime, true
		}
	}
	return "", false
}

// Extensions lists the extensions that client files may have, without dots.
func Extensions() []string {
	var list []string
	for _, t := range contentTypes {
		list = append(list, t.ext)
	}
	return list
}

// ValidClientPath says which rule a client file's path breaks (page Resource
// files and views): segments of [a-z0-9_.-] joined by /, 1..95 bytes, no
// empty, . or .. segment, and one of the known extensions.
func ValidClientPath(path string) error {
	if path == "" {
		return errors.New("the path is empty")
	}
	if len(path) > 95 {
		return fmt.Errorf("the path has %d bytes, at most 95 are allowed", len(path))
	}
	for _, r := range path {
		switch {
		case r == '\\':
			return fmt.Errorf("%q: write / instead of \\", path)
		case r >= 0x80 || !lowerOrDigit(byte(r)) && r != '_' && r != '.' && r != '-' && r != '/':
			return fmt.Errorf("%q in %q is not of a-z 0-9 _ . - /", r, path)
		}
	}
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "":
			return fmt.Errorf("%q has an empty segment", path)
		case ".", "..":
			return fmt.Errorf("%q has a segment %q", path, segment)
		}
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	dot := strings.LastIndexByte(last, '.')
	if dot < 0 {
		return fmt.Errorf("%q has no extension; use one of %s", path, strings.Join(Extensions(), ", "))
	}
	if _, ok := ContentType(last[dot+1:]); !ok {
		return fmt.Errorf("%q has the extension %q; use one of %s", path, last[dot+1:], strings.Join(Extensions(), ", "))
	}
	return nil
}

// PlainText says what is wrong with a line of plain text of up to max bytes:
// UTF-8 without control (Cc), format (Cf), line or paragraph separator
// characters (page Chat, HUD and dialogs).
func PlainText(s string, max int) error {
	if len(s) > max {
		return fmt.Errorf("%d bytes, at most %d are allowed", len(s), max)
	}
	return wire.Plain.Check(s)
}

// ValidOrigins says what is wrong with the origins of a sign-in view (page
// Resource files and views): up to 4, each at most 63 bytes, https:// with a
// lowercase DNS name under a top-level domain or http:// on 127.0.0.1 or
// localhost, and a port only where it is not the default.
func ValidOrigins(origins []string) error {
	if len(origins) > MaxOrigins {
		return fmt.Errorf("%d origins, at most %d are allowed", len(origins), MaxOrigins)
	}
	for _, o := range origins {
		if err := validOrigin(o); err != nil {
			return fmt.Errorf("origin %q: %w", o, err)
		}
	}
	return nil
}

func validOrigin(origin string) error {
	if len(origin) > 63 {
		return fmt.Errorf("%d bytes, at most 63 are allowed", len(origin))
	}
	scheme, rest, _ := strings.Cut(origin, "://")
	host, port, hasPort := strings.Cut(rest, ":")
	if hasPort {
		if err := validPort(port, scheme); err != nil {
			return err
		}
	}
	switch scheme {
	case "https":
		return validDomain(host)
	case "http":
		if host != "127.0.0.1" && host != "localhost" {
			return errors.New("http:// is for 127.0.0.1 and localhost alone; use https://")
		}
		return nil
	}
	return errors.New("an origin begins with https://")
}

// validPort takes a number without leading zeros that is not the scheme's own.
func validPort(port, scheme string) error {
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || port[0] == '0' {
		return fmt.Errorf("%q is not a port", port)
	}
	if scheme == "https" && n == 443 || scheme == "http" && n == 80 {
		return fmt.Errorf("the default port %s is not written", port)
	}
	return nil
}

// numeric labels at the end make a name an IPv4 address for a browser, decimal
// as well as hexadecimal: 10.0.0.1 can be written 10.0.0.0x1, and even 0xa.1.
func numeric(label string) bool {
	digits, set := label, "0123456789"
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		digits, set = hex, "0123456789abcdef"
	}
	return strings.Trim(digits, set) == ""
}

// validDomain takes a lowercase DNS name of two labels or more that is not an
// IP address.
func validDomain(host string) error {
	if !strings.Contains(host, ".") {
		return fmt.Errorf("%q is not a DNS name under a top-level domain", host)
	}
	top := ""
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.ContainsFunc(label, func(r rune) bool { return r >= 0x80 || !lowerOrDigit(byte(r)) && r != '-' }) {
			return fmt.Errorf("%q is not a lowercase DNS name", host)
		}
		top = label
	}
	switch {
	case numeric(top):
		return fmt.Errorf("%q is an IP address or has a number for a top-level domain", host)
	case top == "localhost":
		return errors.New("a .localhost name is not allowed over https")
	}
	return nil
}
