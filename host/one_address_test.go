package host_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"darqline/client"
	"darqline/host"
)

// TestTwentyBehindOneAddress is a household, a school or a carrier's NAT: twenty players of one IP address join in the same
// second, download, sign in, chat and live through reloads. connection.per_host alone has to be raised for them; no other limit
// of a host is met by people who only play.
func TestTwentyBehindOneAddress(t *testing.T) {
	const crowd = 20
	inSignIn(t, func(c *host.Config) { c.Connection.PerHost = crowd }, func(s *signInServer) {
		pictures := files{"login/resource.toml": "[client]\nfiles = [\"login.html\", \"0.png\", \"1.png\", \"2.png\", \"3.png\", \"4.png\", \"5.png\"]\n"}
		for i := range 6 {
			pictures[fmt.Sprintf("login/%d.png", i)] = strings.Repeat(fmt.Sprint(i), 100<<10)
		}
		s.write(pictures)
		if err := s.reload("login"); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		everyone := make([]*person, crowd)
		for i := range everyone {
			everyone[i] = s.dial(fmt.Sprintf("Player%d", i), netip.MustParseAddr("10.0.5.1"), t.TempDir())
		}
		for _, p := range everyone {
			s.eventually(15*time.Second, p.name+" sees the sign-in view", func() bool {
				return p.locked(func() bool {
					return p.session.SignIn && p.view != nil && p.status["login"].State == client.ResourceReady
				})
			})
		}
		t.Logf("all have the sign-in view and its files after %v", time.Since(began))
		for i, p := range everyone {
			s.proves(p, fmt.Sprint("user", i), "")
		}
		for _, p := range everyone {
			s.hears(p, "welcome forum:user")
		}
		t.Logf("all are in after %v", time.Since(began))
		for round := range 3 {
			s.write(files{"login/0.png": strings.Repeat("new", 10_000+round)})
			if err := s.reload("login"); err != nil {
				t.Fatal(err)
			}
			status, _ := s.host.Resources().Get("login")
			saved := time.Now()
			for _, p := range everyone {
				if err := p.c.Chat(fmt.Sprintf("round %d", round)); err != nil {
					t.Fatal(err)
				}
				s.eventually(30*time.Second, p.name+" has the new files", func() bool {
					return p.locked(func() bool {
						return p.status["login"].State == client.ResourceReady && p.status["login"].Generation == status.Generation
					})
				})
			}
			t.Logf("all have the files of reload %d after %v", round+1, time.Since(saved))
			rest(5 * time.Second)
		}
		stats := s.host.Stats()
		if n := s.judge.thrown(); n > 0 || len(stats.Rejected) > 0 {
			t.Errorf("%d were thrown out, %v were rejected", n, stats.Rejected)
		}
		for _, p := range everyone {
			for round := range 3 {
				if n := strings.Count(p.said(), fmt.Sprintf(": round %d", round)); n != crowd {
					t.Errorf("%s has heard %d of %d in round %d", p.name, n, crowd, round)
				}
			}
		}
	})
}
