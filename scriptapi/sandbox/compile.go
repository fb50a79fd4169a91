package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"darqline/scriptapi/sandbox/rewrite"
)

// MaxSource is the size of the largest Lua file, in bytes.
const MaxSource = 256 << 10

// maxFunctions is how many functions one file may have: the compiler takes 18 KB for each.
const maxFunctions = 5000

// Program is a compiled file. States share it.
type Program struct {
	Path  string // within the resource: "lib/util.lua"
	proto *lua.FunctionProto
}

// SyntaxError is a file that does not compile.
type SyntaxError struct {
	File string
	Line int
	Text string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text) }

// Compile reads a Lua 5.1 file; the error is a *SyntaxError. A byte order mark and a first line that begins with # are skipped.
func Compile(path string, source []byte) (*Program, error) {
	fault := func(line int, format string, args ...any) (*Program, error) {
		return nil, &SyntaxError{path, max(line, 1), fmt.Sprintf(format, args...)}
	}
	if len(source) > MaxSource {
		return fault(1, "the file has %d bytes; a Lua file has at most %d: move a part of it to a file that is required", len(source), MaxSource)
	}
	if enc := wideEncoding(source); enc != "" {
		return fault(1, "the file is %s; save it as UTF-8", enc)
	}
	source = strip(source)
	if bytes.HasPrefix(source, []byte("\x1bLua")) {
		return fault(1, "the file is bytecode; only Lua source is run")
	}
	locals, err := scan(path, source)
	if err != nil {
		return nil, err
	}
	tree, err := parse.Parse(bytes.NewReader(source), path)
	if err != nil {
		return nil, syntaxError(path, source, err)
	}
	chunk, err := rewrite.Chunk(tree)
	if err != nil {
		var nested *rewrite.Error
		if errors.As(err, &nested) {
			return fault(nested.Line, "%s", nested.Text)
		}
		return fault(1, "%v", err)
	}
	plainLocals(tree, locals)
	if err := hoist(chunk); err != nil {
		var at *lineError
		errors.As(err, &at)
		return fault(at.line, "%s", at.text)
	}
	proto, err := lua.Compile(chunk, path)
	if err != nil {
		return nil, compileError(path, err)
	}
	trim(proto)
	return &Program{Path: path, proto: proto}, nil
}

// trim gives back the room that the compiler leaves in what a function keeps: 12 KB each.
func trim(p *lua.FunctionProto) {
	p.Code, p.DbgSourcePositions = slices.Clone(p.Code), slices.Clone(p.DbgSourcePositions)
	for _, inner := range p.FunctionPrototypes {
		trim(inner)
	}
}

// wideEncoding names an encoding of two or more bytes a character; empty if the source has none.
func wideEncoding(source []byte) string {
	switch {
	case bytes.HasPrefix(source, []byte{0xFF, 0xFE}), len(source) > 3 && source[0] != 0 && source[1] == 0 && source[2] != 0 && source[3] == 0:
		return "UTF-16 (little-endian)"
	case bytes.HasPrefix(source, []byte{0xFE, 0xFF}), len(source) > 3 && source[0] == 0 && source[1] != 0 && source[2] == 0 && source[3] != 0:
		return "UTF-16 (big-endian)"
	}
	return ""
}

// strip takes away a byte order mark and a line that begins with #. Lines keep their numbers.
func strip(source []byte) []byte {
	source = bytes.TrimPrefix(source, []byte("\xEF\xBB\xBF"))
	if len(source) > 0 && source[0] == '#' {
		if end := bytes.IndexByte(source, '\n'); end >= 0 {
			return source[end:]
		}
		return nil
	}
	return source
}

// opener is a token that wants another one after it.
type opener struct {
	what  string
	line  int
	chain int // operators in a row that stand before it
}

// closers are what ends each kind of block and bracket.
var closers = map[string]string{
	"function": "end", "do": "end", "if": "end", "for": "end", "while": "end", "repeat": "until", "(": ")", "{": "}", "[": "]",
}

// scan reads the tokens before the parser does. It refuses what is nested so deep, or chained so far, that the parser's own stack
// would grow without measure, and names the opening of what is never closed. It notes the local statements for plainLocals.
func scan(path string, source []byte) (locals locals, err error) {
	var (
		open      []opener
		functions int
		chain     int // operators in a row that nest to the right: - - - x, x ^ x ^ x
		sc        = parse.NewScanner(bytes.NewReader(source), path)
		lx        parse.Lexer
	)
	for {
		token, err := sc.Scan(&lx)
		if err != nil {
			return locals, syntaxError(path, source, err)
		}
		if token.Type == parse.EOF {
			break
		}
		lx.PrevTokenType = token.Type
		text := token.Str
		if token.Type == parse.TString {
			text = "" // a string that reads like a keyword
		}
		locals.token(text)
		switch text {
		case "-", "#", "not", "^":
			if chain++; chain > rewrite.MaxDepth {
				return locals, &SyntaxError{path, token.Pos.Line, fmt.Sprintf("more than %d operators in a row", rewrite.MaxDepth)}
			}
		case "if", "for", "while", "repeat":
			open, chain = append(open, opener{text, token.Pos.Line, 0}), 0
		case "function", "(", "{", "[": // an expression may go on behind their ends
			open, chain = append(open, opener{text, token.Pos.Line, chain}), 0
			if text == "function" {
				if functions++; functions > maxFunctions {
					return locals, &SyntaxError{path, token.Pos.Line, fmt.Sprintf("the file has more than %d functions", maxFunctions)}
				}
			}
		case "do": // belongs to a for or while that is open
			if n := len(open); n == 0 || open[n-1].what != "for" && open[n-1].what != "while" {
				open = append(open, opener{text, token.Pos.Line, 0})
			} else {
				open[n-1].what = "do"
			}
		case "end", "until", ")", "}", "]":
			n := len(open)
			if n == 0 {
				return locals, &SyntaxError{path, token.Pos.Line, fmt.Sprintf("%q has nothing to close", text)}
			}
			if begin := open[n-1]; closers[begin.what] != text {
				return locals, &SyntaxError{path, token.Pos.Line, fmt.Sprintf("%q expected (to close the %q at line %d), found %q", closers[begin.what], begin.what, begin.line, text)}
			}
			chain = open[n-1].chain
			open = open[:n-1]
		case ";", "=", ",", "local", "return", "then", "else", "elseif", "break", "..", "and", "or":
			chain = 0
		}
		if len(open) > rewrite.MaxDepth {
			return locals, &SyntaxError{path, token.Pos.Line, fmt.Sprintf("nested deeper than %d levels", rewrite.MaxDepth)}
		}
	}
	if n := len(open); n > 0 {
		begin := open[n-1]
		line := 1 + bytes.Count(bytes.TrimRight(source, "\r\n\t "), []byte("\n"))
		return locals, &SyntaxError{path, line, fmt.Sprintf("the file ends, but %q is missing to close the %q at line %d", closers[begin.what], begin.what, begin.line)}
	}
	return locals, nil
}

// syntaxError words an error of the scanner or the parser.
func syntaxError(path string, source []byte, err error) error {
	var pe *parse.Error
	if !errors.As(err, &pe) {
		if errors.Is(err, io.EOF) {
			return &SyntaxError{path, 1 + bytes.Count(source, []byte("\n")), "the file ends too early"}
		}
		return &SyntaxError{path, 1, err.Error()}
	}
	line := pe.Pos.Line
	if line == parse.EOF {
		line = 1 + bytes.Count(bytes.TrimRight(source, "\r\n\t "), []byte("\n"))
	}
	text, token := pe.Message, strings.TrimSpace(pe.Token)
	if len(token) > 40 {
		token = token[:40] + "..."
	}
	switch {
	case strings.HasPrefix(text, "syntax error") && pe.Pos.Line == parse.EOF:
		text = "the file ends where more was expected"
	case strings.HasPrefix(text, "syntax error"), text == "parse error":
		text = fmt.Sprintf("unexpected %q", token)
	case text == "unterminated string":
		if text = "a string is not closed on its line"; pe.Pos.Line == line && pe.Pos.Column == 0 { // its line break is read already
			line--
		}
	case strings.HasPrefix(text, "unterminated multiline"), strings.HasPrefix(text, "invalid multiline"):
		text = "a long string or comment is never closed"
	case token != "":
		text = fmt.Sprintf("%s near %q", strings.ToLower(text), token)
	}
	return &SyntaxError{path, max(line, 1), text}
}

var atLine = regexp.MustCompile(` at line (\d+)$`)

// compileError words an error of the compiler.
func compileError(path string, err error) error {
	e := &SyntaxError{path, 1, err.Error()}
	var ce *lua.CompileError
	if errors.As(err, &ce) {
		e.Line, e.Text = max(ce.Line, 1), ce.Message
	}
	if m := atLine.FindStringSubmatch(e.Text); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Text = strings.TrimSuffix(e.Text, m[0])
	}
	switch {
	case e.Text == "no loop to break":
		e.Text = "break outside of a loop"
	case strings.HasPrefix(e.Text, "register overflow"), e.Text == "too many local variables":
		e.Text = "a function with more than about 200 local variables, or an expression with as many parts"
	case strings.HasPrefix(e.Text, "no visible label"):
		e.Text = strings.TrimSuffix(e.Text, " for <goto>") + " for this goto"
	}
	return e
}
