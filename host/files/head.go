package files

import "bytes"

const (
	headLimit    = 4 << 10 // bytes, the empty line at its end included
	lengthDigits = 18      // of a Content-Length; more may be another number to others
)

// request is what a head says that matters here. Its slices point into the head.
type request struct {
	method  []byte
	target  []byte
	ranges  int    // Range headers
	rangeIs []byte // the last one's value
	ifRange bool
	alone   bool // the peer announces no body and has sent nothing else
}

// headEnd looks for the end of the head in b, of which the first from bytes were looked at before. It returns the length of
// the head, 0 while it is not complete, and false as soon as b cannot become one: a control character, a line that ends with
// a bare CR or LF, or a first line that is no request line.
func headEnd(b []byte, from int) (int, bool) {
	for i := from; i < len(b); i++ {
		switch c := b[i]; {
		case c >= ' ' && c != 0x7f || c == '\t':
		case c == '\r' && (i+1 == len(b) || b[i+1] == '\n'):
		case c == '\n' && i > 0 && b[i-1] == '\r':
			if i >= 3 && b[i-3] == '\r' {
				return i + 1, true
			}
			if bytes.IndexByte(b[:i], '\n') < 0 {
				var r request
				if !r.readLine(b[:i-1]) {
					return 0, false
				}
			}
		default:
			return 0, false
		}
	}
	return 0, true
}

// parse reads a whole head that headEnd has found good, strictly by RFC 9112: no line folding, no space before a colon, one
// Host, and nothing that could be framed in two ways.
func (r *request) parse(head []byte) bool {
	line, rest, _ := bytes.Cut(head, crlf)
	if !r.readLine(line) {
		return false
	}
	var hosts, lengths, encodings int
	for {
		line, rest, _ = bytes.Cut(rest, crlf)
		if len(line) == 0 {
			break
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok || !isToken(name) {
			return false
		}
		value = bytes.Trim(value, " \t")
		switch {
		case is(name, "range"):
			r.ranges++
			r.rangeIs = value
		case is(name, "if-range"):
			r.ifRange = true
		case is(name, "host"):
			hosts++
			ok = isHost(value)
		case is(name, "content-length"):
			lengths++
			ok = isNumber(value) && len(value) <= lengthDigits
		case is(name, "transfer-encoding"):
			encodings++
			ok = is(value, "chunked")
		}
		if !ok {
			return false
		}
	}
	old := bytes.HasSuffix(head[:bytes.IndexByte(head, '\r')], []byte("0"))
	switch {
	case hosts > 1 || hosts == 0 && !old:
		return false
	case lengths+encodings > 1 || encodings > 0 && old:
		return false
	}
	r.alone = lengths+encodings == 0
	return true
}

var crlf = []byte("\r\n")

// readLine reads "method SP target SP version".
func (r *request) readLine(line []byte) bool {
	method, rest, _ := bytes.Cut(line, []byte(" "))
	target, version, _ := bytes.Cut(rest, []byte(" "))
	r.method, r.target = method, target
	return isToken(method) && isVisible(target) && (string(version) == "HTTP/1.1" || string(version) == "HTTP/1.0")
}

func isToken(b []byte) bool {
	for _, c := range b {
		if !tokenByte[c] {
			return false
		}
	}
	return len(b) > 0
}

func isVisible(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return len(b) > 0
}

func isNumber(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// isHost takes a name or an address with an optional port; which one it is does not matter here.
func isHost(b []byte) bool {
	for _, c := range b {
		if !hostByte[c] {
			return false
		}
	}
	return true
}

// is compares a word with one in lower case.
func is(word []byte, lower string) bool {
	if len(word) != len(lower) {
		return false
	}
	for i, c := range word {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

var (
	tokenByte = set(letters + "!#$%&'*+-.^_`|~")
	hostByte  = set(letters + "-._~%!$&'()*+,;=:[]")
)

func set(chars string) (s [256]bool) {
	for _, c := range []byte(chars) {
		s[c] = true
	}
	return s
}
