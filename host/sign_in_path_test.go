package host_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/host"
	"darqline/host/udp"
	"darqline/protocol"
)

// TestSignInOverABadPath: assertions of every size come whole over a path that loses a third of everything, each counts once
// although the next one is asked for at once, and who gets another address meanwhile signs in where he was.
func TestSignInOverABadPath(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			change := func(cfg *host.Config) { cfg.Auth.Attempts, cfg.Connection.Timeout = 6, 30*time.Second }
			inSignIn(t, change, func(s *signInServer) { signInOverABadPath(t, s, seed) })
		})
	}
}

func signInOverABadPath(t *testing.T, s *signInServer, seed uint64) {
	n := &rebindable{memoryClient: memoryClient{s.mem, netip.AddrFrom4([4]byte{10, 0, 2, byte(seed)})}}
	s.mem.SetPath(udp.Path{Loss: 0.33, Duplicate: 0.1, Reorder: 0.2, Delay: 80 * time.Millisecond, Jitter: 120 * time.Millisecond})
	p := s.dialOver(n, "Tommy", n.from, t.TempDir())
	sees := func(what string, is func() bool) {
		t.Helper()
		s.eventually(time.Minute, what, func() bool { return p.locked(is) })
	}
	sees("the sign-in view", func() bool { return p.session.SignIn && p.view != nil })
	for i, size := range []int{3, 1024, 1025, 5000, protocol.MaxAssertion} {
		if i == 2 {
			if _, err := s.mem.Rebind(n.conn, n.from); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.c.SignIn(strings.Repeat("a", size-2) + ".."); err != nil {
			t.Fatal(err)
		}
		told := fmt.Sprintf("failed malformed %d", 5-i)
		sees(told, func() bool { return strings.Contains(strings.Join(p.lines, "\n"), told) })
	}
	s.proves(p, "1", "")
	sees("he is in", func() bool { return p.account == "forum:1" })
	if n := s.logs.count("sign-in failed"); n != 5 || p.connected != 1 {
		t.Errorf("%d failures, %d connections\n%s", n, p.connected, s.logs.String())
	}
}
