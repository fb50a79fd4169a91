package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// pauseAfterError is how long the reader rests after a read that failed.
const pauseAfterError = 50 * time.Millisecond

// datagram is what a socket has read.
type datagram struct {
	socket net.Conn
	data   []byte
}

// open opens the socket and its reader.
func (cn *connection) open(ctx context.Context, server string) error {
	socket, err := cn.client.network.DialPacket(ctx, server)
	if err != nil {
		return err
	}
	address, err := netip.ParseAddrPort(socket.RemoteAddr().String())
	if err != nil {
		socket.Close()
		return fmt.Errorf("the server's address: %w", err)
	}
	cn.server = netip.AddrPortFrom(address.Addr().Unmap(), address.Port())
	cn.socket, cn.broken = socket, false
	cn.wg.Go(func() { cn.read(socket) })
	return nil
}

// reopen takes a new socket where the old one can no longer send: its address is gone, as after a change of networks.
func (cn *connection) reopen() {
	old := cn.socket
	ctx, cancel := context.WithTimeout(cn.ctx, time.Second)
	defer cancel()
	if err := cn.open(ctx, cn.server.String()); err != nil {
		cn.client.log.Debug("no new socket", "error", err)
		return
	}
	old.Close()
}

// read passes on what the socket reads until it is closed. A full loop lets datagrams wait, and then be lost, in the socket.
func (cn *connection) read(socket net.Conn) {
	for {
		var buf []byte
		select {
		case buf = <-cn.free:
		case <-cn.ctx.Done():
			return
		}
		n, err := socket.Read(buf)
		if err != nil {
			cn.free <- buf
			if !cn.rest(err) {
				return
			}
			continue
		}
		select {
		case cn.datagrams <- datagram{socket, buf[:n]}:
		case <-cn.ctx.Done():
			return
		}
	}
}

// rest waits a moment after a read that failed, such as by an unreachable port: such errors pass. A closed socket ends.
func (cn *connection) rest(err error) bool {
	if errors.Is(err, net.ErrClosed) {
		return false
	}
	pause := time.NewTimer(pauseAfterError)
	defer pause.Stop()
	select {
	case <-pause.C:
		return true
	case <-cn.ctx.Done():
		return false
	}
}

// write sends one datagram. A path that does not take it is noticed by silence.
func (cn *connection) write(b []byte) {
	if _, err := cn.socket.Write(b); err != nil {
		cn.broken = !errors.Is(err, syscall.ECONNREFUSED)
		cn.client.log.Debug("a datagram was not sent", "error", err)
	} else {
		cn.broken = false
	}
}
