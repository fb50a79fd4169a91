package files

import (
	"bytes"
	"fmt"
	"path"
	"strconv"
	"strings"

	"darqline/protocol"
)

// piece is what a peer has to read in 10 s, and how much of a body lies behind its header so that one write sends both. Longer
// first writes are slower: what follows 64 KiB comes at a third less (bench/http, 4 MiB).
const piece = 16 << 10

// answer is a response ready to be sent: head holds the header and the first bytes of the body, rest what follows.
type answer struct {
	head []byte
	rest []byte
}

func (a answer) len() int { return len(a.head) + len(a.rest) }

// file is a published file with its answers.
type file struct {
	kind   string // Content-Type
	body   []byte
	whole  answer
	beyond answer // 416
}

func prepare(f File) *file {
	p := &file{kind: contentType(f.Path), body: f.Body}
	p.whole = p.from(0, []byte("HTTP/1.1 200 OK\r\n"))
	p.beyond = short("416 Range Not Satisfiable", fmt.Sprintf("Content-Range: bytes */%d\r\n", len(f.Body)),
		"Range must be one header of the form bytes=N- with N below the size of the file.")
	return p
}

// from finishes an answer that begins with the bytes of buf and has the body from offset on.
func (f *file) from(offset int, buf []byte) answer {
	body := f.body[offset:]
	buf = append(buf, "Content-Type: "...)
	buf = append(buf, f.kind...)
	buf = append(buf, "\r\nContent-Length: "...)
	buf = strconv.AppendInt(buf, int64(len(body)), 10)
	buf = append(buf, "\r\nAccept-Ranges: bytes\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"...)
	first := min(len(body), piece)
	return answer{append(buf, body[:first]...), body[first:]}
}

// part is the answer to Range: bytes=offset-, made in buf.
func (f *file) part(offset int, buf []byte) answer {
	buf = append(buf, "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes "...)
	buf = strconv.AppendInt(buf, int64(offset), 10)
	buf = append(buf, '-')
	buf = strconv.AppendInt(buf, int64(len(f.body)-1), 10)
	buf = append(buf, '/')
	buf = strconv.AppendInt(buf, int64(len(f.body)), 10)
	buf = append(buf, "\r\n"...)
	return f.from(offset, buf)
}

var (
	badRequest = short("400 Bad Request", "",
		"This is not a request that can be read here: HTTP/1.1 or HTTP/1.0 with a head of at most 4096 bytes.")
	notFound   = short("404 Not Found", "", "There is no such client file.")
	notAllowed = short("405 Method Not Allowed", "Allow: GET\r\n", "Client files can only be read, with GET.")
	busy       = short("503 Service Unavailable", "Retry-After: 2\r\n", "Too many connections: try again in 2 seconds.")
)

// short is an answer of one line of text.
func short(status, headers, text string) answer {
	return answer{head: fmt.Appendf(nil, "HTTP/1.1 %s\r\n%sContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n"+
		"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n%s\n", status, headers, len(text)+1, text)}
}

// headerOnly is what HEAD gets of an answer.
func (a answer) headerOnly() answer {
	end := bytes.Index(a.head, []byte("\r\n\r\n"))
	return answer{head: a.head[:end+4]}
}

// answer picks the response to a request that could be read; buf is room for making one.
func (s *Server) answer(r *request, buf []byte) answer {
	if string(r.method) != "GET" {
		return notAllowed
	}
	f := s.find(r.target)
	switch {
	case f == nil:
		return notFound
	case r.ranges == 0 || r.ifRange: // no file here has a validator that If-Range could match: RFC 9110, 13.1.5
		return f.whole
	}
	offset, ok := rangeStart(r.rangeIs)
	if r.ranges > 1 || !ok || offset >= len(f.body) {
		return f.beyond
	}
	return f.part(offset, buf)
}

// rangeStart reads bytes=N-.
func rangeStart(value []byte) (int, bool) {
	number, ok := bytes.CutPrefix(value, []byte("bytes="))
	if !ok {
		return 0, false
	}
	number, ok = bytes.CutSuffix(number, []byte("-"))
	if !ok || !isNumber(number) {
		return 0, false
	}
	n, err := strconv.Atoi(string(number))
	return n, err == nil
}

// contentType is application/octet-stream for what no manifest lets through.
func contentType(name string) string {
	if kind, ok := protocol.ContentType(strings.TrimPrefix(path.Ext(name), ".")); ok {
		return kind
	}
	return "application/octet-stream"
}
