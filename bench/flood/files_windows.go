package main

import (
	"net"
	"syscall"
)

func limitDescriptors(int) error { return nil }

func receiveRoom(int) func(network, address string, c syscall.RawConn) error { return nil }

func wasReset(*net.TCPConn) bool { return false }
