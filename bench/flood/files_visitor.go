package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// The files that are downloaded: as many and as large as one resource may have.
const (
	mapFiles = 4
	mapSize  = 4 << 20
)

func mapPath(i int) string { return fmt.Sprintf("map%d.json", i) }

// mapBody is the content of a file, the same in every process.
func mapBody(i int) []byte {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], uint64(i)+1)
	b := make([]byte, mapSize)
	rand.NewChaCha8(seed).Read(b)
	return b
}

var mapHashes = sync.OnceValue(func() (sums [mapFiles][32]byte) {
	for i := range sums {
		sums[i] = sha256.Sum256(mapBody(i))
	}
	return sums
})

// visitor downloads all files again and again, two at once, as a client does: it resumes with Range, comes back after a 503 when
// it is told to, and after a failure when it has waited for longer each time.
type visitor struct {
	url    string
	http   *http.Client
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu      sync.Mutex
	lasted  []time.Duration // of the downloads that ended
	bytes   int64
	refused int // 503
	broken  int // no connection, or one that ended early
	err     error
}

const (
	pauseBetween = time.Second / 4  // of two downloads, so that the visitor is not a load of its own
	firstBackoff = time.Second      // of page Resource files and views
	longBackoff  = 8 * time.Second  // shorter than the page's, so that the measure is
	receiveTime  = 15 * time.Second // the page's
)

// visit16 begins to download 16 MiB again and again from an address of its own.
func visit16(ctx context.Context, server string, from net.IP) *visitor {
	mapHashes()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: 5 * time.Second}
	v := &visitor{url: "http://" + server + "/map/", http: &http.Client{Transport: &http.Transport{
		DialContext: d.DialContext, DisableKeepAlives: true, DisableCompression: true, ResponseHeaderTimeout: receiveTime}}}
	ctx, v.cancel = context.WithCancel(ctx)
	v.done.Go(func() {
		for ctx.Err() == nil {
			began := time.Now()
			var both sync.WaitGroup
			for half := range 2 {
				both.Go(func() {
					for i := half; i < mapFiles; i += 2 {
						v.download(ctx, i)
					}
				})
			}
			both.Wait()
			if ctx.Err() == nil {
				v.note(func() { v.lasted = append(v.lasted, time.Since(began)) })
			}
			pause(ctx, pauseBetween)
		}
	})
	return v
}

func (v *visitor) stop() {
	v.cancel()
	v.done.Wait()
}

func (v *visitor) note(change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change()
}

func (v *visitor) ended() (n int) {
	v.note(func() { n = len(v.lasted) })
	return n
}

func (v *visitor) slowest() (d time.Duration) {
	v.note(func() {
		for _, one := range v.lasted {
			d = max(d, one)
		}
	})
	return d
}

func (v *visitor) fault() (err error) {
	v.note(func() { err = v.err })
	return err
}

// wait gives the first download that long to end.
func (v *visitor) wait(ctx context.Context, grace time.Duration) {
	for deadline := time.Now().Add(grace); v.ended() == 0 && time.Now().Before(deadline) && ctx.Err() == nil; {
		pause(ctx, time.Second/10)
	}
}

// download gets one file, with as many requests as it takes.
func (v *visitor) download(ctx context.Context, i int) {
	var body []byte
	backoff := firstBackoff
	for ctx.Err() == nil {
		had := len(body)
		status, err := v.request(ctx, i, &body)
		v.note(func() { v.bytes += int64(len(body) - had) })
		switch {
		case ctx.Err() != nil:
		case status == http.StatusServiceUnavailable:
			v.note(func() { v.refused++ })
			pause(ctx, 2*time.Second+rand.N(2*time.Second))
		case len(body) == mapSize:
			if sha256.Sum256(body) != mapHashes()[i] {
				v.note(func() { v.err = fmt.Errorf("%s has another hash than it should", mapPath(i)) })
			}
			return
		case err == nil: // an answer that an honest request does not get
			v.note(func() { v.err = fmt.Errorf("%s from byte %d: HTTP %d", mapPath(i), had, status) })
			return
		default:
			v.note(func() { v.broken++ })
			if len(body) > had {
				backoff = firstBackoff
			}
			pause(ctx, backoff+rand.N(backoff/2))
			backoff = min(2*backoff, longBackoff)
		}
	}
}

// request adds to body what one answer brings.
func (v *visitor) request(ctx context.Context, i int, body *[]byte) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, v.url+mapPath(i), nil)
	if err != nil {
		return 0, err
	}
	want := http.StatusOK
	if len(*body) > 0 {
		r.Header.Set("Range", "bytes="+strconv.Itoa(len(*body))+"-")
		want = http.StatusPartialContent
	}
	answer, err := v.http.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != want {
		return answer.StatusCode, nil
	}
	stalled := time.AfterFunc(receiveTime, cancel)
	defer stalled.Stop()
	for b := make([]byte, 64<<10); ; {
		n, err := answer.Body.Read(b)
		*body = append(*body, b[:n]...)
		stalled.Reset(receiveTime)
		switch {
		case len(*body) > mapSize:
			return answer.StatusCode, errors.New("the answer is too long")
		case err == io.EOF:
			return answer.StatusCode, nil
		case err != nil:
			return answer.StatusCode, err
		}
	}
}

// pause waits, or less long if the context ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
