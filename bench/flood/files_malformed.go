package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

// malformedRequests come from 12 hosts, as fast as they are answered, and each answer is checked.
func malformedRequests(ctx context.Context, b *bench, t *tally) error {
	var wrong tally
	wrong.ends = map[string]int{}
	workers := make(chan struct{}, 12)
	volleys(ctx, 500, 1<<30, func(i int) {
		select {
		case workers <- struct{}{}:
		case <-ctx.Done():
			return
		}
		defer func() { <-workers }()
		one := malformedOnes[i%len(malformedOnes)]
		got, err := b.askRaw(ctx, t, i, one.raw)
		var none *net.OpError
		switch {
		case ctx.Err() != nil:
		case errors.As(err, &none) && none.Op == "dial": // no answer: it is counted as not connected
		case err == nil && got == one.status:
			t.end(strconv.Itoa(got))
		case err == nil && got == 503: // the ends of earlier ones are not through yet
			t.end("503")
		default:
			wrong.end(fmt.Sprintf("times %q got %d, %v, not %d", one.raw[:min(len(one.raw), 80)], got, err, one.status))
		}
	})
	if len(wrong.ends) > 0 {
		return fmt.Errorf("wrong answers: %s", wrong.text())
	}
	return nil
}

// askRaw sends raw bytes and reads to the end; it gives the status, 0 for none, and an error for what follows the one answer.
func (b *bench) askRaw(ctx context.Context, t *tally, i int, raw string) (int, error) {
	c, err := b.dial(ctx, t, attacker(i%12), 0)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	if _, err := io.WriteString(c, raw); err != nil {
		return 0, err
	}
	c.CloseWrite()
	answer, err := io.ReadAll(c)
	head, body, _ := strings.Cut(string(answer), "\r\n\r\n")
	word, isHTTP := strings.CutPrefix(head, "HTTP/1.1 ")
	if err != nil || !isHTTP {
		return 0, err
	}
	status, _ := strconv.Atoi(word[:3])
	_, length, _ := strings.Cut(head, "Content-Length: ")
	length, _, _ = strings.Cut(length, "\r\n")
	if want, err := strconv.Atoi(length); err != nil || len(body) != want && !strings.HasPrefix(raw, "HEAD ") {
		return status, fmt.Errorf("a body of %d bytes where %q were announced", len(body), length)
	}
	return status, nil
}

// malformedOnes are requests that are no good, and those that could be read in two ways; each with its status.
var malformedOnes = func() (all []struct {
	raw    string
	status int
}) {
	const file = "/welcome/page.html"
	add := func(status int, raws ...string) {
		for _, raw := range raws {
			all = append(all, struct {
				raw    string
				status int
			}{raw, status})
		}
	}
	get := func(target, headers string) string {
		return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n"
	}
	large := func(n int) string {
		return strings.Replace(get(file, "X: \r\n"), "X: ", "X: "+strings.Repeat("x", n-len(get(file, "X: \r\n"))), 1)
	}
	add(400,
		"GET "+file+"\r\n", "GET "+file+" HTTP/1.2\r\nHost: a\r\n\r\n", "GET "+file+" HTTP/2.0\r\nHost: a\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"GET "+file+" HTTP/1.1\r\n\r\n", "GET "+file+" HTTP/1.1\nHost: a\n\n", "\r\n"+get(file, ""), "GET  "+file+" HTTP/1.1\r\nHost: a\r\n\r\n",
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", get(file+"\x00", ""), get(file, "X: \x00\r\n"), get(file, "X: a\rY: b\r\n"), get(file, " folded\r\n"),
		get(file, "\tfolded: a\r\n"), get(file, "Name : a\r\n"), get(file, "Na me: a\r\n"), get(file, "no colon\r\n"), get(file, "Host: a\r\n"), get(file, "Host: b\r\n"),
		get(file, "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), get(file, "Content-Length: 1\r\nContent-Length: 2\r\n"), get(file, "Content-Length: -1\r\n"),
		get(file, "Content-Length: "+strings.Repeat("9", 40)+"\r\n"), get(file, "Transfer-Encoding: xchunked\r\n"), get(file, "Transfer-Encoding : chunked\r\n"),
		large(4097), large(4096)[:4090]+"xxxxxxx", strings.Repeat("x", 100_000))
	add(404, get(file+"?v=1", ""), get("/welcome/%70age.html", ""), get("/welcome//page.html", ""), get("//welcome/page.html", ""), get("/welcome/%2e%2e/page.html", ""),
		get("/welcome/../welcome/page.html", ""), get("http://a"+file, ""), get("/none/page.html", ""), get("/", ""), get("*", ""))
	add(405, "POST "+file+" HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", "HEAD "+file+" HTTP/1.1\r\nHost: a\r\n\r\n", "get "+file+" HTTP/1.1\r\nHost: a\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
	add(416, get(file, "Range: bytes=-5\r\n"), get(file, "Range: bytes=5-10\r\n"), get(file, "Range: bytes=16-\r\n"), get(file, "Range: bytes=1-,3-\r\n"),
		get(file, "Range: bytes=1-\r\nRange: bytes=1-\r\n"), get(file, "Range: bytes=1"+strings.Repeat("0", 30)+"-\r\n"), get(file, "Range: bytes=-\r\n"))
	add(200, get(file, ""), get(file, "")+get("/none", ""), large(4096), get(file, "Transfer-Encoding: chunked\r\n")+"3\r\nabc\r\n0\r\n\r\n"+get("/none", ""))
	add(206, get(file, "Range: bytes=0-\r\n"), get(file, "Range: bytes=15-\r\n"))
	add(0, "", "GET", "GET "+file+" HTTP/1.1\r\nHost: a\r\n")
	return all
}()
