package bans

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"darqline/host/internal/wholefile"
)

// shelf is a list on a file, with a clock that the test turns and a disk that it breaks.
type shelf struct {
	t      *testing.T
	path   string
	now    time.Time
	disk   *wholefile.Faults
	list   *List
	logs   strings.Builder
	events []string
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{t: t, path: filepath.Join(t.TempDir(), "bans.json"), now: time.Date(2026, 12, 24, 20, 0, 0, 0, time.UTC),
		disk: &wholefile.Faults{FS: wholefile.System{}}}
	s.open()
	return s
}

// open reads the list as a start of the server does.
func (s *shelf) open() {
	s.t.Helper()
	list, err := Open(s.path, s.options())
	if err != nil {
		s.t.Fatal(err)
	}
	s.list = list
}

func (s *shelf) options() Options {
	return Options{
		NameKey: strings.ToLower, FS: s.disk, Logger: slog.New(slog.NewTextHandler(&s.logs, nil)),
		Now: func() time.Time { return s.now },
		Changed: func(added, removed []Ban) {
			for _, b := range added {
				s.events = append(s.events, fmt.Sprint("+", b.Value))
			}
			for _, b := range removed {
				s.events = append(s.events, fmt.Sprint("-", b.Value))
			}
		},
	}
}

func (s *shelf) add(list ...Ban) []Ban {
	s.t.Helper()
	added, err := s.list.Add(list...)
	if err != nil {
		s.t.Fatal(err)
	}
	return added
}

// edit writes the file as a person does.
func (s *shelf) edit(text string) {
	s.t.Helper()
	if err := os.WriteFile(s.path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) text() string {
	s.t.Helper()
	data, err := os.ReadFile(s.path)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// values are what the list bans.
func (s *shelf) values() string {
	var values []string
	for _, b := range s.list.All() {
		values = append(values, b.Value)
	}
	return strings.Join(values, " ")
}

// takeEvents are those since the last call.
func (s *shelf) takeEvents() string {
	events := strings.Join(s.events, " ")
	s.events = nil
	return events
}

func (s *shelf) expect(what, got, want string) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("%s: %q, not %q", what, got, want)
	}
}

const serial = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

func serialOf(first byte) (s [32]byte) {
	for i := range s {
		s[i] = first
	}
	return s
}

func TestMatch(t *testing.T) {
	at := netip.MustParseAddr
	whole := [32]byte{}
	for i := range whole {
		whole[i] = byte(i%16) * 0x11
	}
	tests := []struct {
		kind    Kind
		value   string
		stored  string
		host    netip.Addr
		serial  [32]byte
		name    string
		account string
		fits    bool
	}{
		{kind: Host, value: "203.0.113.5", stored: "203.0.113.5", host: at("203.0.113.5"), fits: true},
		{kind: Host, value: "203.0.113.5", stored: "203.0.113.5", host: at("203.0.113.6")},
		{kind: Host, value: "::ffff:203.0.113.5", stored: "203.0.113.5", host: at("203.0.113.5"), fits: true},
		{kind: Host, value: "203.0.113.5", stored: "203.0.113.5", host: at("::ffff:203.0.113.5"), fits: true},
		{kind: Host, value: "2001:db8::1", stored: "2001:db8::/64", host: at("2001:db8::ffff:2"), fits: true},
		{kind: Host, value: "2001:db8::1", stored: "2001:db8::/64", host: at("2001:db8:0:1::1")},
		{kind: Range, value: "203.0.113.77/24", stored: "203.0.113.0/24", host: at("203.0.113.200"), fits: true},
		{kind: Range, value: "203.0.113.0/24", stored: "203.0.113.0/24", host: at("203.0.114.1")},
		{kind: Range, value: "10.0.0.0/8", stored: "10.0.0.0/8", host: at("10.255.0.1"), fits: true},
		{kind: Range, value: "203.0.113.5/32", stored: "203.0.113.5/32", host: at("203.0.113.5"), fits: true},
		{kind: Range, value: "::ffff:203.0.113.0/120", stored: "203.0.113.0/24", host: at("203.0.113.9"), fits: true},
		{kind: Range, value: "2001:db8::/32", stored: "2001:db8::/32", host: at("2001:db8:ffff::1"), fits: true},
		{kind: Range, value: "2001:db8::/100", stored: "2001:db8::/64", host: at("2001:db8::"), fits: true},
		{kind: Range, value: "2001:db8::/32", stored: "2001:db8::/32", host: at("32.1.13.184")},
		{kind: Serial, value: strings.ToUpper(serial), stored: serial, serial: whole, fits: true},
		{kind: Serial, value: serial, stored: serial, serial: serialOf(1)},
		{kind: Serial, value: strings.Repeat("0", 64), stored: strings.Repeat("0", 64)},
		{kind: Account, value: "forum:4711", stored: "forum:4711", account: "forum:4711", fits: true},
		{kind: Account, value: "forum:4711", stored: "forum:4711", account: "forum:471"},
		{kind: Name, value: "Tommy", stored: "Tommy", name: "tommy", fits: true},
		{kind: Name, value: "Tommy", stored: "Tommy", name: "tom"},
		{kind: Name, value: "forum:4711", stored: "forum:4711", account: "forum:4711"},
	}
	for _, tt := range tests {
		t.Run(string(tt.kind)+" "+tt.value, func(t *testing.T) {
			s := newShelf(t)
			s.add(Ban{Kind: tt.kind, Value: tt.value, Text: "Out"})
			for _, from := range []string{"memory", "file"} {
				s.expect("stored in "+from, s.values(), tt.stored)
				if b, ok := s.list.Match(tt.host, tt.serial, tt.name, tt.account); ok != tt.fits || ok && b.Text != "Out" {
					t.Errorf("from %s: %v, %+v", from, ok, b)
				}
				s.open()
			}
			if removed, err := s.list.Remove(1); err != nil || len(removed) != 1 {
				t.Fatalf("%v, %v", removed, err)
			}
			if b, ok := s.list.Match(tt.host, tt.serial, tt.name, tt.account); ok {
				t.Errorf("it holds still: %+v", b)
			}
		})
	}
}

func TestAddRefusesWhatIsNoBan(t *testing.T) {
	tests := []struct {
		ban  Ban
		want string
	}{
		{Ban{Kind: Host, Value: "203.0.113"}, `host: "203.0.113" must be an IP address`},
		{Ban{Kind: Host, Value: "203.0.113.5:7777"}, `must be an IP address`},
		{Ban{Kind: Range, Value: "203.0.113.5"}, `must be a network`},
		{Ban{Kind: Range, Value: "0.0.0.0/0"}, `too large: at least /8`},
		{Ban{Kind: Range, Value: "10.0.0.0/7"}, `too large: at least /8`},
		{Ban{Kind: Range, Value: "2001::/31"}, `and /32 for IPv6`},
		{Ban{Kind: Range, Value: "::ffff:0.0.0.0/99"}, `too large: at least /8`},
		{Ban{Kind: Serial, Value: serial[1:]}, `must be 64 hex digits`},
		{Ban{Kind: Serial, Value: "x" + serial[1:]}, `must be 64 hex digits`},
		{Ban{Kind: Account, Value: "4711"}, `such as "forum:4711"`},
		{Ban{Kind: Account, Value: "forum:a b"}, `such as "forum:4711"`},
		{Ban{Kind: Account, Value: "forum:" + strings.Repeat("x", 90)}, `such as "forum:4711"`},
		{Ban{Kind: Name}, `name: it must not be empty`},
		{Ban{Kind: Name, Value: "a\nb"}, `name: `},
		{Ban{Kind: "ip", Value: "203.0.113.5"}, `kind: "ip" must be one of host, range`},
		{Ban{Kind: Name, Value: "Tommy", Text: strings.Repeat("x", 128)}, `text: `},
		{Ban{Kind: Name, Value: "Tommy", By: "a\u202eb"}, `by: `},
	}
	s := newShelf(t)
	for _, tt := range tests {
		_, err := s.list.Add(Ban{Kind: Host, Value: "203.0.113.5"}, tt.ban) // all or none
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, not %q", tt.ban, err, tt.want)
		}
	}
	if _, err := os.Stat(s.path); !errors.Is(err, os.ErrNotExist) || s.values() != "" {
		t.Errorf("something was banned: %q, %v", s.values(), err)
	}
}

func TestTheLongerBanIsTold(t *testing.T) {
	s := newShelf(t)
	host := netip.MustParseAddr("203.0.113.5")
	told := func() string {
		b, _ := s.list.Match(host, serialOf(7), "", "")
		return fmt.Sprint(b.Text, " ", b.Left(s.now))
	}
	s.add(Ban{Kind: Host, Value: "203.0.113.5", Text: "an hour", Expires: s.now.Add(time.Hour)})
	s.expect("one ban", told(), "an hour 3600")
	s.add(Ban{Kind: Serial, Value: strings.Repeat("07", 32), Text: "a minute", Expires: s.now.Add(time.Minute)})
	s.expect("a shorter one", told(), "an hour 3600")
	s.add(Ban{Kind: Range, Value: "203.0.0.0/16", Text: "a day", Expires: s.now.Add(24 * time.Hour)})
	s.expect("a longer one", told(), "a day 86400")
	ever := s.add(Ban{Kind: Host, Value: "203.0.113.5", Text: "for ever"})
	s.expect("the longest", told(), "for ever 4294967295")
	if _, err := s.list.Remove(ever[0].ID); err != nil {
		t.Fatal(err)
	}
	s.expect("it was lifted", told(), "a day 86400")
	s.now = s.now.Add(24*time.Hour - 500*time.Millisecond)
	s.expect("half a second is left", told(), "a day 1")
	s.now = s.now.Add(500 * time.Millisecond)
	s.expect("none is left", told(), " 4294967295")
}

func TestBansThatAreOverAreForgotten(t *testing.T) {
	s := newShelf(t)
	s.add(Ban{Kind: Name, Value: "Short", Expires: s.now.Add(time.Minute)})
	s.add(Ban{Kind: Name, Value: "Long", Expires: s.now.Add(time.Hour)})
	s.add(Ban{Kind: Name, Value: "Ever"})
	s.takeEvents()
	s.now = s.now.Add(time.Minute)
	s.expect("the list", s.values(), "Long Ever")
	if err := s.list.Refresh(); err != nil {
		t.Fatal(err)
	}
	s.expect("events", s.takeEvents(), "-Short")
	if gone, err := s.list.Remove(1); err != nil || gone != nil {
		t.Errorf("the one that is over was lifted: %v, %v", gone, err)
	}
	s.now = s.now.Add(time.Hour)
	s.add(Ban{Kind: Name, Value: "Next"})
	s.expect("events", s.takeEvents(), "+Next -Long")
	if text := s.text(); strings.Contains(text, "Short") || strings.Contains(text, "Long") {
		t.Errorf("the file keeps what is over:\n%s", text)
	}
	s.open()
	s.expect("after a start", s.values(), "Ever Next")
}

func TestIDsAreNeverGivenAgain(t *testing.T) {
	s := newShelf(t)
	pair := s.add(Ban{Kind: Name, Value: "Tommy"}, Ban{Kind: Host, Value: "203.0.113.5"})
	if pair[0].ID != 1 || pair[1].ID != 1 {
		t.Fatalf("%+v", pair)
	}
	if gone, err := s.list.Remove(1); err != nil || len(gone) != 2 {
		t.Fatalf("%v, %v", gone, err)
	}
	s.open()
	if b := s.add(Ban{Kind: Name, Value: "Lance"}); b[0].ID != 2 {
		t.Errorf("%+v", b)
	}
	if gone, err := s.list.Remove(3); err != nil || gone != nil {
		t.Errorf("%v, %v", gone, err)
	}
}

func TestFileIsReadable(t *testing.T) {
	s := newShelf(t)
	s.add(Ban{Kind: Host, Value: "203.0.113.5", Text: `Say "please" & <wait>`, By: "shop", Expires: s.now.Add(time.Hour)})
	s.add(Ban{Kind: Name, Value: "Tommy", Player: "Tommy", By: "console"})
	want := `{
  "version": 1,
  "next": 3,
  "bans": [
    {"id": 1, "kind": "host", "value": "203.0.113.5", "text": "Say \"please\" & <wait>", "by": "shop", "created": "2026-12-24T20:00:00Z", "expires": "2026-12-24T21:00:00Z"},
    {"id": 2, "kind": "name", "value": "Tommy", "player": "Tommy", "text": "", "by": "console", "created": "2026-12-24T20:00:00Z", "expires": "never"}
  ]
}
`
	s.expect("the file", s.text(), want)
	s.list.Remove(1)
	s.list.Remove(2)
	s.expect("an empty one", s.text(), "{\n  \"version\": 1,\n  \"next\": 3,\n  \"bans\": []\n}\n")
}

// TestDiskFails lets each call of a write fail: the ban does not hold, nothing has changed, and the next one works.
func TestDiskFails(t *testing.T) {
	for _, fault := range []error{syscall.ENOSPC, syscall.EIO} {
		for _, op := range []string{"open", "write", "short", "sync", "close", "rename"} {
			for nth := 1; ; nth++ {
				s := newShelf(t)
				s.add(Ban{Kind: Name, Value: "Tommy"})
				before := s.text()
				s.takeEvents()
				s.disk.Fail(op, nth, fault)
				_, err := s.list.Add(Ban{Kind: Name, Value: "Lance"})
				if s.disk.Calls(op) < nth {
					break
				}
				t.Run(fmt.Sprintf("%s/%d/%v", op, nth, fault), func(t *testing.T) {
					s.t = t
					s.disk.Fail("", 0, nil)
					if err == nil { // the folder could not be synced: the file is there
						s.expect("the list", s.values(), "Tommy Lance")
						if !strings.Contains(s.logs.String(), "power cut") {
							t.Error("the log does not say so")
						}
					} else {
						for _, part := range []string{s.path, fault.Error(), "; "} {
							if !strings.Contains(err.Error(), part) {
								t.Errorf("%q does not say %q", err, part)
							}
						}
						s.expect("the list", s.values(), "Tommy")
						s.expect("the file", s.text(), before)
						s.expect("events", s.takeEvents(), "")
					}
					kept := s.values()
					s.open()
					s.expect("after a start", s.values(), kept)
					s.add(Ban{Kind: Name, Value: "Next"})
					s.expect("afterwards", s.values(), kept+" Next")
				})
			}
		}
	}
}

func TestAnUnbanThatCannotBeWritten(t *testing.T) {
	s := newShelf(t)
	s.add(Ban{Kind: Name, Value: "Tommy"})
	s.disk.Fail("sync", 0, syscall.ENOSPC)
	if gone, err := s.list.Remove(1); err == nil || gone != nil {
		t.Fatalf("%v, %v", gone, err)
	}
	s.expect("the list", s.values(), "Tommy")
}

func TestEditsAreTakenOver(t *testing.T) {
	s := newShelf(t)
	s.add(Ban{Kind: Name, Value: "Tommy"})
	s.add(Ban{Kind: Name, Value: "Lance"})
	s.takeEvents()
	refresh := func() string {
		t.Helper()
		if err := s.list.Refresh(); err != nil {
			return err.Error()
		}
		return ""
	}
	s.edit(`{"version": 1, "bans": [
  {"kind": "name", "value": "Sonny"},
  {"id": 2, "kind": "name", "value": "Lance", "created": "2026-12-24T20:00:00Z"}]}`)
	s.expect("at first", refresh(), "")
	s.expect("whoever saves may not be through", s.values(), "Tommy Lance")
	s.expect("then", refresh(), "")
	s.expect("the list", s.values(), "Sonny Lance")
	s.expect("events", s.takeEvents(), "+Sonny -Tommy")
	s.expect("no change", refresh()+s.takeEvents(), "")

	b := s.add(Ban{Kind: Name, Value: "Next"})
	if b[0].ID != 4 { // Sonny got 3
		t.Errorf("%+v", b)
	}
	s.edit(`{"version": 1, "bans": []}`) // and a ban at once
	s.add(Ban{Kind: Name, Value: "Last"})
	s.expect("the edit is not lost", s.values(), "Last")
}

func TestABrokenEditIsNotOverwritten(t *testing.T) {
	s := newShelf(t)
	s.add(Ban{Kind: Name, Value: "Tommy"})
	const broken = "{\"version\": 1, \"bans\": [\n  {\"kind\": \"name\", \"valu\": \"Sonny\"}]}"
	s.edit(broken)
	var told []string
	for range 4 {
		if err := s.list.Refresh(); err != nil {
			told = append(told, err.Error())
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], s.path+":2: unknown key \"valu\"; did you mean \"value\"?") {
		t.Errorf("%q", told)
	}
	if _, err := s.list.Add(Ban{Kind: Name, Value: "Lance"}); err == nil || !strings.Contains(err.Error(), ":2:") {
		t.Errorf("%v", err)
	}
	if _, err := s.list.Remove(1); err == nil {
		t.Error("it was lifted")
	}
	s.expect("the list", s.values(), "Tommy")
	s.expect("the file", s.text(), broken)
	s.edit(strings.Replace(broken, "valu\"", "value\"", 1))
	s.add(Ban{Kind: Name, Value: "Lance"})
	s.expect("when it is mended", s.values(), "Sonny Lance")
}

func TestAFileThatIsGone(t *testing.T) {
	s := newShelf(t)
	s.add(Ban{Kind: Name, Value: "Tommy"})
	if err := os.Remove(s.path); err != nil {
		t.Fatal(err)
	}
	if err := s.list.Refresh(); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("%v", err)
	}
	if err := s.list.Refresh(); err != nil {
		t.Errorf("told again: %v", err)
	}
	s.add(Ban{Kind: Name, Value: "Lance"})
	s.open()
	s.expect("the list", s.values(), "Tommy Lance")
}

func TestOpenRemovesWhatAKilledProcessLeft(t *testing.T) {
	s := newShelf(t)
	s.add(Ban{Kind: Name, Value: "Tommy"})
	if err := os.WriteFile(wholefile.Temporary(s.path), []byte(`{"version"`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.open()
	s.expect("the list", s.values(), "Tommy")
	if _, err := os.Stat(wholefile.Temporary(s.path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary file is there still: %v", err)
	}
}

// slowDisk holds every write up until it is let go.
type slowDisk struct {
	wholefile.FS
	writes, release chan struct{}
}

func (d slowDisk) Rename(from, to string) error {
	d.writes <- struct{}{}
	<-d.release
	return d.FS.Rename(from, to)
}

func TestLookUpsDoNotWaitForTheDisk(t *testing.T) {
	s := newShelf(t)
	s.add(Ban{Kind: Name, Value: "Tommy"})
	slow := slowDisk{s.disk, make(chan struct{}), make(chan struct{})}
	s.list.opt.FS = slow
	done := make(chan error)
	go func() {
		_, err := s.list.Add(Ban{Kind: Name, Value: "Lance"})
		done <- err
	}()
	<-slow.writes
	if _, ok := s.list.Match(netip.Addr{}, [32]byte{}, "tommy", ""); !ok { // these return, or the test never ends
		t.Error("Tommy is banned no more")
	}
	s.expect("a ban holds when it is written", s.values(), "Tommy")
	close(slow.release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	s.expect("the list", s.values(), "Tommy Lance")
}
