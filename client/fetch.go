package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"
)

// Numbers of page Resource files and views, "Downloads"; the last three are the client's own.
const (
	connectTimeout = 5 * time.Second
	receiveTimeout = 15 * time.Second
	maxRetryAfter  = 60 * time.Second

	defaultRetryAfter = 2 * time.Second // of a 503 that names none, or none that can be read
	minRetryAfter     = time.Second     // a server that says 0 is still not asked in a loop
	maxResponseHead   = 16 << 10
)

// result is how one attempt to fetch a file ended.
type result uint8

const (
	fetched     result = iota // in the cache, checked
	transient                 // try again later
	unavailable               // 503: try again after retryAfter
	mismatched                // size or hash differ from the manifest's
	notStored                 // the cache cannot be written
	aborted                   // the attempt was not wanted any more
)

// outcome is a result with what the next step needs. fresh counts the bytes that arrived; resumed says that the file
// which mismatched had bytes of an earlier attempt.
type outcome struct {
	result     result
	retryAfter time.Duration
	fresh      int64
	resumed    bool
	err        error
}

// fetcher gets single files by HTTP/1.1 into the cache. It follows no redirects, asks for no compression, uses no
// proxy, and trusts nothing that the server says: only size and SHA-256 decide.
type fetcher struct {
	network Network
	cache   *cache
}

// fetch makes one attempt. path is "/<resource>/<path>"; received follows the bytes that the part holds. When ctx ends,
// the connection is closed at once.
func (f *fetcher) fetch(ctx context.Context, endpoint netip.AddrPort, path string, b blob, received *atomic.Int64) outcome {
	if _, err := f.cache.load(b); err == nil {
		return outcome{result: fetched} // another client with the same cache was faster
	}
	p, err := f.cache.openPart(b)
	if err != nil {
		return outcome{result: notStored, err: err}
	}
	defer p.close()
	received.Store(p.size)
	if p.size == b.size {
		return commit(p, outcome{resumed: p.size > 0})
	}
	out := f.request(ctx, endpoint, path, p, received)
	if ctx.Err() != nil && out.result != fetched {
		out.result = aborted
	}
	received.Store(p.size)
	return out
}

func commit(p *part, out outcome) outcome {
	ok, err := p.commit()
	switch {
	case err != nil:
		out.result, out.err = notStored, err
	case ok:
		out.result = fetched
	default:
		out.result, out.err = mismatched, errors.New("the file does not have the size and SHA-256 of the manifest")
	}
	return out
}

func (f *fetcher) request(ctx context.Context, endpoint netip.AddrPort, path string, p *part, received *atomic.Int64) outcome {
	dialing, cancel := context.WithTimeout(ctx, connectTimeout)
	conn, err := f.network.DialStream(dialing, endpoint)
	cancel()
	if err != nil {
		return outcome{result: transient, err: fmt.Errorf("connect to %v: %w", endpoint, err)}
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()

	head := "GET " + path + " HTTP/1.1\r\nHost: " + endpoint.String() + "\r\nConnection: close\r\n"
	if p.size > 0 {
		head += "Range: bytes=" + strconv.FormatInt(p.size, 10) + "-\r\n"
	}
	conn.SetWriteDeadline(time.Now().Add(receiveTimeout))
	if _, err := io.WriteString(conn, head+"\r\n"); err != nil {
		return outcome{result: transient, err: fmt.Errorf("ask for %s: %w", path, err)}
	}
	in := &io.LimitedReader{R: progressReader{conn}, N: maxResponseHead}
	buffered := bufio.NewReader(in)
	response, err := http.ReadResponse(buffered, &http.Request{Method: http.MethodGet})
	if err != nil {
		return outcome{result: transient, err: fmt.Errorf("answer to %s: %w", path, err)}
	}
	in.N = 1 << 62 // the head was within its bound; receive bounds the body
	out, ok := accept(response, p)
	if !ok {
		return out
	}
	return receive(response.Body, p, received, out)
}

// accept judges the head of an answer. With ok, the body goes to the part as it then stands.
func accept(r *http.Response, p *part) (out outcome, ok bool) {
	offset, size := p.size, p.blob.size
	switch r.StatusCode {
	case http.StatusOK:
		if err := p.restart(); err != nil {
			return outcome{result: notStored, err: err}, false
		}
		if r.ContentLength >= 0 && r.ContentLength != size {
			return outcome{result: mismatched, err: fmt.Errorf("the server has %d bytes, the manifest %d", r.ContentLength, size)}, false
		}
		return outcome{}, true
	case http.StatusPartialContent:
		want := fmt.Sprintf("bytes %d-%d/%d", offset, size-1, size)
		got := r.Header.Values("Content-Range")
		if offset > 0 && len(got) == 1 && got[0] == want && (r.ContentLength < 0 || r.ContentLength == size-offset) {
			return outcome{resumed: true}, true
		}
		return refused(p, fmt.Errorf("HTTP 206 with Content-Range %q and %d bytes, expected %q", got, r.ContentLength, want))
	case http.StatusServiceUnavailable:
		return outcome{result: unavailable, retryAfter: retryAfter(r.Header.Get("Retry-After")), err: errors.New("HTTP 503")}, false
	case http.StatusRequestedRangeNotSatisfiable:
		return refused(p, errors.New("HTTP 416"))
	}
	return outcome{result: transient, err: fmt.Errorf("HTTP %d", r.StatusCode)}, false
}

// refused is for an answer that does not fit the request: resuming does not work here, so the next attempt begins at 0.
func refused(p *part, err error) (outcome, bool) {
	if bad := p.restart(); bad != nil {
		return outcome{result: notStored, err: bad}, false
	}
	return outcome{result: transient, err: err}, false
}

// receive writes the body into the part until it ends or goes on past the file's size.
func receive(body io.Reader, p *part, received *atomic.Int64, out outcome) outcome {
	buf := make([]byte, 32<<10)
	for {
		n, err := body.Read(buf)
		if int64(n) > p.blob.size-p.size {
			if bad := p.restart(); bad != nil {
				out.result, out.err = notStored, bad
				return out
			}
			out.result, out.err = mismatched, fmt.Errorf("the server sent more than the %d bytes of the manifest", p.blob.size)
			return out
		}
		if n > 0 {
			if _, bad := p.Write(buf[:n]); bad != nil {
				out.result, out.err = notStored, bad
				return out
			}
			out.fresh += int64(n)
			received.Store(p.size)
		}
		if err == nil {
			continue
		}
		if p.size == p.blob.size {
			return commit(p, out)
		}
		out.result, out.err = transient, fmt.Errorf("broken off after %d of %d bytes: %w", p.size, p.blob.size, err)
		return out
	}
}

// retryAfter reads the seconds of a Retry-After header, 1 s to 60 s.
func retryAfter(header string) time.Duration {
	seconds, err := strconv.ParseUint(header, 10, 63)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return maxRetryAfter
	case err != nil:
		return defaultRetryAfter
	}
	return max(minRetryAfter, time.Duration(min(seconds, uint64(maxRetryAfter/time.Second)))*time.Second)
}

// progressReader gives every single read its own deadline, so that slow is not the same as dead.
type progressReader struct{ net.Conn }

func (r progressReader) Read(b []byte) (int, error) {
	if err := r.SetReadDeadline(time.Now().Add(receiveTimeout)); err != nil {
		return 0, err
	}
	return r.Conn.Read(b)
}
