package client

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"syscall"
	"time"

	"darqline/protocol"
)

// asker sends the requests of one query, one after another.
type asker struct {
	ctx     context.Context
	socket  net.Conn
	cookie  uint64 // from a challenge; 0 none
	id      uint32 // of the last request
	sent    int
	fastest time.Duration
	padding [protocol.MaxPacket]byte
	buf     [2 * protocol.MaxPacket]byte
}

func newAsker(ctx context.Context, socket net.Conn) *asker {
	a := &asker{ctx: ctx, socket: socket}
	rand.Read(a.padding[:]) // a filter may drop large datagrams of zeros
	a.id = binary.LittleEndian.Uint32(a.padding[:])
	return a
}

// pages asks for all pages of a list. take says how many items a page has.
func (a *asker) pages(kind protocol.QueryKind, take func(*protocol.ServerQueryAnswer) (int, error)) error {
	for first, page := 0, 0; page < mostPages; page++ {
		answer, err := a.ask(kind, uint16(first), listSizes)
		if err != nil {
			return err
		}
		n, err := take(answer)
		if err != nil {
			return err
		}
		if first += n; first >= int(answer.Total) {
			return nil
		}
		if n == 0 {
			break
		}
	}
	return errors.New("the list does not end")
}

// ask repeats a request until it is answered. A challenge is answered at once, and is no answer.
func (a *asker) ask(kind protocol.QueryKind, first uint16, sizes []int) (*protocol.ServerQueryAnswer, error) {
	patience, refused := firstPatient, 0
	times := make(map[uint32]time.Time) // of each request that may still be answered
	for try := range queryTries {
		size := sizes[min(try, len(sizes)-1)]
		if err := a.send(kind, first, size, times); err != nil {
			return nil, err
		}
		until := time.Now().Add(patience)
		for challenges := 0; ; {
			answer, err := a.read(until, kind, times)
			if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) {
				if refused++; refused == 2 {
					return nil, ErrNotThere
				}
			}
			if err != nil {
				break
			}
			if answer.Kind != protocol.QueryChallenge {
				return answer, nil
			}
			if a.cookie = answer.Cookie(); challenges > 0 {
				continue
			}
			challenges++
			if err := a.send(kind, first, size, times); err != nil {
				return nil, err
			}
		}
		if a.ctx.Err() != nil {
			return nil, a.ctx.Err()
		}
		time.Sleep(time.Until(until)) // a read may have failed early
		patience = min(2*patience, mostPatient)
	}
	return nil, ErrNoAnswer
}

// send sends one request.
func (a *asker) send(kind protocol.QueryKind, first uint16, size int, times map[uint32]time.Time) error {
	if a.sent++; a.sent > freeRequests {
		time.Sleep(queryPause)
	}
	a.id++
	q := protocol.ServerQuery{Kind: kind, RequestID: a.id, Cookie: a.cookie, First: first}
	q.Padding = a.padding[:size-q.Len()]
	b, err := protocol.Append(a.buf[:0], protocol.Header{}, &q)
	if err != nil {
		return err
	}
	times[a.id] = time.Now()
	if _, err := a.socket.Write(b); err != nil && !errors.Is(err, syscall.ECONNREFUSED) && !errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return nil
}

// read waits for an answer to one of the requests: of their kind, or a challenge. All else is dropped.
func (a *asker) read(until time.Time, kind protocol.QueryKind, times map[uint32]time.Time) (*protocol.ServerQueryAnswer, error) {
	if a.ctx.Err() != nil {
		return nil, a.ctx.Err()
	}
	a.socket.SetReadDeadline(until)
	for {
		n, err := a.socket.Read(a.buf[:])
		if err != nil {
			return nil, err
		}
		_, p, err := protocol.Decode(a.buf[:n], protocol.ServerToClient)
		if err != nil {
			continue
		}
		answer, ok := p.(*protocol.ServerQueryAnswer)
		if !ok || answer.Kind != kind && answer.Kind != protocol.QueryChallenge {
			continue
		}
		at, ok := times[answer.RequestID]
		if !ok {
			continue
		}
		delete(times, answer.RequestID)
		if rtt := time.Since(at); a.fastest == 0 || rtt < a.fastest {
			a.fastest = rtt
		}
		return answer, nil
	}
}
