package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"darqline/protocol"
)

// ServerStatus is what a server tells who asks (page Connection, Server query). A server of any revision tells it. Texts
// are one line without control or format characters, whatever the server sent.
type ServerStatus struct {
	Address netip.AddrPort
	Ping    time.Duration // of the fastest answer
	protocol.ServerInfo
	List  []protocol.ListedPlayer // by id; a ping of 0xFFFF is not measured yet
	Rules []protocol.ServerRule   // by key
	Whole bool                    // nothing of List and Rules was lost
}

// Errors of Query, wrapped with the address that was asked.
var (
	ErrNoAnswer = errors.New("no answer") // offline, filtered, or it answers no queries
	ErrNotThere = errors.New("nothing listens there")
)

// Sizes of requests, by try: no answer is larger. Some filters drop large datagrams, so a later try asks with less; an
// item of a list fits into each.
var (
	pingSizes = []int{protocol.MinQuery}
	infoSizes = []int{400, 400, 256, 128}
	listSizes = []int{protocol.MaxPacket, protocol.MaxPacket, 512, 256}
)

// Bounds of an asker's patience: with itself, and with a server that never ends its list.
const (
	queryTries   = 6
	firstPatient = 250 * time.Millisecond // doubled with each try, up to mostPatient
	mostPatient  = time.Second
	freeRequests = 20 // then at most 10 a second, which every host may ask
	queryPause   = 100 * time.Millisecond
	mostPages    = 500
)

// Query asks the server at "host:port" what it is, who is there and what rules it tells. A name is looked up, and its
// first IPv4 and its first IPv6 address are asked in turn. Lost requests are repeated for about 5 s each; ctx bounds the
// whole, and what of the lists is there by then is given. A nil network is the real one.
func Query(ctx context.Context, network Network, server string) (*ServerStatus, error) {
	if network == nil {
		network = &realNetwork{}
	}
	addresses, err := lookUp(ctx, server)
	if err != nil {
		return nil, err
	}
	var failed error
	for _, address := range addresses {
		status, err := queryAddress(ctx, network, address)
		if err == nil {
			return status, nil
		}
		if failed == nil || errors.Is(failed, ErrNotThere) {
			failed = fmt.Errorf("%s: %w", address, err)
		}
	}
	return nil, failed
}

// lookUp gives the addresses to ask, one of each family.
func lookUp(ctx context.Context, server string) ([]string, error) {
	host, port, err := net.SplitHostPort(server)
	if err != nil {
		return nil, err
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return []string{server}, nil
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	var v4, v6 []string
	for _, ip := range found {
		if ip = ip.Unmap(); ip.Is4() {
			v4 = append(v4, net.JoinHostPort(ip.String(), port))
		} else {
			v6 = append(v6, net.JoinHostPort(ip.String(), port))
		}
	}
	return append(v4[:min(1, len(v4))], v6[:min(1, len(v6))]...), nil
}

func queryAddress(ctx context.Context, network Network, address string) (*ServerStatus, error) {
	socket, err := network.DialPacket(ctx, address)
	if err != nil {
		return nil, err
	}
	defer socket.Close()
	defer context.AfterFunc(ctx, func() { socket.SetDeadline(time.Unix(1, 0)) })()
	a := newAsker(ctx, socket)
	s := &ServerStatus{Whole: true}
	if s.Address, err = netip.ParseAddrPort(socket.RemoteAddr().String()); err != nil {
		return nil, err
	}
	s.Address = netip.AddrPortFrom(s.Address.Addr().Unmap(), s.Address.Port())
	if _, err := a.ask(protocol.QueryPing, 0, pingSizes); err != nil {
		return nil, err
	}
	answer, err := a.ask(protocol.QueryInfo, 0, infoSizes)
	if err != nil {
		return nil, err
	}
	if s.ServerInfo, err = answer.Info(); err != nil {
		return nil, fmt.Errorf("its answer breaks the rules: %w", err)
	}
	players := make(map[uint16]bool)
	err = a.pages(protocol.QueryPlayers, func(answer *protocol.ServerQueryAnswer) (int, error) {
		page, err := answer.Players()
		for _, p := range page {
			if !players[p.PlayerID] { // who came or left meanwhile has moved the others
				players[p.PlayerID] = true
				s.List = append(s.List, p)
			}
		}
		return len(page), err
	})
	s.Whole = err == nil
	err = a.pages(protocol.QueryRules, func(answer *protocol.ServerQueryAnswer) (int, error) {
		page, err := answer.Rules()
		s.Rules = append(s.Rules, page...)
		return len(page), err
	})
	s.Whole = s.Whole && err == nil
	s.Ping = a.fastest
	return s, nil
}
