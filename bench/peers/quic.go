package main

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"net"
	"time"

	"github.com/quic-go/quic-go"
)

// runQUIC carries the workload over one unidirectional QUIC stream, the library's defaults.
func runQUIC(ctx context.Context, w workload, dial func(int) (int, error)) ([]arrival, error) {
	cert, err := selfSigned()
	if err != nil {
		return nil, err
	}
	const proto = "peers"
	listener, err := quic.ListenAddr("127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{proto}}, nil)
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	port, err := dial(listener.Addr().(*net.UDPAddr).Port)
	if err != nil {
		return nil, err
	}

	start := time.Now()
	type result struct {
		arrivals []arrival
		err      error
	}
	received := make(chan result, 1)
	go func() {
		arrivals, err := receiveQUIC(ctx, listener, w.size, start)
		received <- result{arrivals, err}
	}()
	conn, err := quic.DialAddr(ctx, fmt.Sprintf("127.0.0.1:%d", port),
		&tls.Config{InsecureSkipVerify: true, NextProtos: []string{proto}}, nil)
	if err != nil {
		return nil, err
	}
	stream, err := conn.OpenUniStreamSync(ctx)
	if err != nil {
		return nil, err
	}
	event := make([]byte, w.size)
	begin := time.Since(start) // the handshake is no part of the workload
	for _, at := range w.schedule() {
		time.Sleep(begin + at - time.Since(start))
		binary.LittleEndian.PutUint64(event[timeOffset:], uint64(time.Since(start)))
		if _, err := stream.Write(event); err != nil {
			return nil, err
		}
	}
	stream.Close()
	r := <-received
	conn.CloseWithError(0, "")
	return r.arrivals, r.err
}

func receiveQUIC(ctx context.Context, listener *quic.Listener, size int, start time.Time) (arrivals []arrival, err error) {
	conn, err := listener.Accept(ctx)
	if err != nil {
		return nil, err
	}
	stream, err := conn.AcceptUniStream(ctx)
	if err != nil {
		return nil, err
	}
	event := make([]byte, size)
	for {
		if _, err := io.ReadFull(stream, event); err == io.EOF {
			return arrivals, nil
		} else if err != nil {
			return nil, err
		}
		sent := time.Duration(binary.LittleEndian.Uint64(event[timeOffset:]))
		arrivals = append(arrivals, arrival{sent, time.Since(start) - sent})
	}
}

// selfSigned makes a certificate for a run.
func selfSigned() (tls.Certificate, error) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour)}
	der, err := x509.CreateCertificate(nil, template, template, public, private)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}, err
}
