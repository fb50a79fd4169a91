package resources

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// ErrClosed is the error of operations that come after the end of Run.
var ErrClosed = errors.New("the server is stopping")

// maxWaiting bounds the operations that wait for their turn; more are refused.
const maxWaiting = 1024

// Operation is a start, stop or reload that was asked for.
type Operation struct {
	done chan struct{}
	err  error
}

// Done is closed when the operation has ended.
func (o *Operation) Done() <-chan struct{} { return o.done }

// Wait waits for the end of the operation and gives its error. It must not be called on the script loop.
func (o *Operation) Wait(ctx context.Context) error {
	select {
	case <-o.done:
		return o.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (o *Operation) end(err error) {
	o.err = err
	close(o.done)
}

type kind uint8

const (
	start kind = iota
	stop
	reload
	died
)

// request is an operation in the queue.
type request struct {
	kind       kind
	name       string
	generation uint32 // of died
	cause      error  // of died
	operation  *Operation
}

// queue holds requests in order. One that asks for what the last one of its resource asks for already joins it, so that
// ten quick reloads are one, which reads the last bytes.
type queue struct {
	mu      sync.Mutex
	waiting []request
	closed  bool
	wake    chan struct{} // has a token while something may wait
}

func (q *queue) push(r request) *Operation {
	q.mu.Lock()
	defer q.mu.Unlock()
	r.operation = &Operation{done: make(chan struct{})}
	switch {
	case q.closed:
		r.operation.end(ErrClosed)
		return r.operation
	case len(q.waiting) >= maxWaiting:
		r.operation.end(fmt.Errorf("%d operations on resources wait already", maxWaiting))
		return r.operation
	}
	for i := len(q.waiting) - 1; i >= 0; i-- {
		if w := q.waiting[i]; w.name == r.name {
			if w.kind == r.kind && r.kind != died {
				return w.operation
			}
			break
		}
	}
	q.waiting = append(q.waiting, r)
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return r.operation
}

func (q *queue) pop() (request, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return request{}, false
	}
	r := q.waiting[0]
	q.waiting[0] = request{}
	q.waiting = q.waiting[1:]
	return r, true
}

// close refuses what waits and what comes.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	for r, ok := q.pop(); ok; r, ok = q.pop() {
		r.operation.end(ErrClosed)
	}
}
