package main

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"syscall"
	"time"

	"darqline/protocol/lane"
)

const (
	eventOffset = 1 // of event_id in an event, after its packet_id; an ack is packet_id and ack
	timeOffset  = 8 // of the time an event was sent, ns since the start
)

// runLane carries the workload over the reliable lane: each end one UDP socket, each event and ack one datagram.
func runLane(ctx context.Context, w workload, dial func(int) (int, error)) ([]arrival, error) {
	server, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	defer server.Close()
	port, err := dial(server.LocalAddr().(*net.UDPAddr).Port)
	if err != nil {
		return nil, err
	}
	client, err := net.DialUDP("udp4", nil, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return nil, err
	}
	defer client.Close()

	start := time.Now()
	received := make(chan []arrival)
	go func() { received <- receiveLane(server, start) }()
	err = sendLane(ctx, client, w, start)
	server.Close()
	return <-received, err
}

// receiveLane delivers and acks until its socket is closed.
func receiveLane(server *net.UDPConn, start time.Time) (arrivals []arrival) {
	var r lane.Receiver
	buf := make([]byte, 2048)
	for {
		n, from, err := server.ReadFromUDPAddrPort(buf)
		if err != nil {
			return arrivals
		}
		if n < timeOffset+8 {
			continue
		}
		if r.Accept(binary.LittleEndian.Uint32(buf[eventOffset:])) {
			sent := time.Duration(binary.LittleEndian.Uint64(buf[timeOffset:]))
			arrivals = append(arrivals, arrival{sent, time.Since(start) - sent})
		}
		ack := binary.LittleEndian.AppendUint32([]byte{0x0E}, r.Ack())
		server.WriteToUDPAddrPort(ack, from)
	}
}

// sendLane sends the workload and returns once all of it is acked.
func sendLane(ctx context.Context, client *net.UDPConn, w workload, start time.Time) error {
	acks := make(chan uint32, 1024)
	go func() {
		defer close(acks)
		buf := make([]byte, 64)
		for {
			n, err := client.Read(buf)
			switch {
			case err == nil && n == 5:
				acks <- binary.LittleEndian.Uint32(buf[1:])
			case err != nil && !isRefused(err):
				return
			}
		}
	}()
	defer func() {
		client.Close() // ends the reader
		for range acks {
		}
	}()
	s := lane.NewSender(lane.Config{EventOffset: eventOffset})
	send := func(packet []byte) { client.Write(packet) }
	times := w.schedule()
	event := make([]byte, w.size)
	timer := time.NewTimer(0)
	for {
		now := time.Since(start)
		for len(times) > 0 && times[0] <= now {
			binary.LittleEndian.PutUint64(event[timeOffset:], uint64(now))
			if _, err := s.Push(now, event, false); err != nil {
				return err
			}
			times = times[1:]
		}
		s.Flush(now, send)
		next, ok := s.Next()
		switch {
		case len(times) > 0 && (!ok || times[0] < next):
			next = times[0]
		case len(times) == 0 && !ok:
			return nil
		}
		timer.Reset(next - time.Since(start))
		select {
		case <-timer.C:
		case ack, open := <-acks:
			if !open {
				return errors.New("the client's socket failed")
			}
			if err := s.Ack(time.Since(start), ack); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// isRefused reports that the other end's socket is closed, which loopback tells a UDP socket.
func isRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
