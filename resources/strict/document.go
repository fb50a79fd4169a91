package strict

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// MaxFile is the size of a file in bytes up to which it is read.
const MaxFile = 256 << 10

// parse gives the tree of values of a file, or the one fault that keeps it from being TOML.
func parse(file string, data []byte) (*node, Faults) {
	if len(data) > MaxFile {
		return nil, Faults{{file, 0, fmt.Sprintf("has %d bytes; at most %d are read", len(data), MaxFile)}}
	}
	if text := UTF16(data); text != "" {
		return nil, Faults{{file, 1, text}}
	}
	text := string(bytes.TrimPrefix(data, []byte("\ufeff")))
	var values map[string]any
	if _, err := toml.Decode(text, &values); err != nil {
		return nil, Faults{syntax(file, err)}
	}
	root := scan(text)
	root.fill(values)
	return root, nil
}

// UTF16 says what to do about a text that was saved as UTF-16, and nothing of any other.
func UTF16(data []byte) string {
	marked := bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff})
	bare := len(data) >= 2 && (data[0] == 0) != (data[1] == 0)
	if !marked && !bare {
		return ""
	}
	return "is saved as UTF-16; save it as UTF-8 (editors have it under \"Save with encoding\")"
}

func syntax(file string, err error) Fault {
	var p toml.ParseError
	if !errors.As(err, &p) {
		return Fault{file, 0, strings.TrimPrefix(err.Error(), "toml: ")}
	}
	text := p.Message
	if p.LastKey != "" && !strings.Contains(text, p.LastKey) {
		text += fmt.Sprintf(" (after the key %q)", p.LastKey)
	}
	return Fault{file, max(p.Position.Line, 1), text}
}
