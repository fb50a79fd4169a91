package host_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing/synctest"
	"time"

	"darqline/host/bans"
	"darqline/host/udp"
	"darqline/host/world"
	"darqline/protocol"
)

// trouble is one kind of what happens, and how often on average.
type trouble struct {
	name  string
	every time.Duration
	do    func(s *storm, seat *seat)
	host  bool // it needs a server that runs
	who   bool // it needs somebody in the seat
}

var troubles = []trouble{
	{name: "weather", every: 8 * time.Second, do: func(s *storm, _ *seat) { s.weather() }},
	{name: "outage", every: 4 * time.Second, do: (*storm).outage},
	{name: "move", every: 6 * time.Second, do: (*storm).move, who: true},
	{name: "crash", every: 8 * time.Second, do: (*storm).crashes, who: true},
	{name: "leave", every: 12 * time.Second, do: func(s *storm, seat *seat) { seat.who.leave(); seat.who, seat.gone = nil, time.Now() }, who: true},
	{name: "reload", every: 15 * time.Second, do: func(s *storm, _ *seat) { s.reloads() }, host: true},
	{name: "slow", every: 8 * time.Second, do: func(s *storm, seat *seat) {
		seat.cable.slows(time.Duration(s.r.IntN(4000)) * time.Millisecond)
		s.try(seat, 3*time.Second)
	}, who: true},
	{name: "error", every: 5 * time.Second, do: func(s *storm, _ *seat) { s.command("boom") }, host: true},
	{name: "hang", every: 80 * time.Second, do: func(s *storm, _ *seat) { s.command("hang") }, host: true},
	{name: "rename", every: 10 * time.Second, do: (*storm).rename, host: true, who: true},
	{name: "kick", every: 15 * time.Second, do: (*storm).kick, host: true, who: true},
	{name: "ban", every: 8 * time.Second, do: (*storm).ban, host: true, who: true},
	{name: "lift", every: 10 * time.Second, do: func(s *storm, _ *seat) { s.lift() }, host: true},
	{name: "disk fails", every: 15 * time.Second, do: func(s *storm, _ *seat) { spoil(&s.disk, s.r) }},
	{name: "disk heals", every: 15 * time.Second, do: func(s *storm, _ *seat) { s.disk.Fail("", 0, nil) }},
	{name: "clock jumps", every: 20 * time.Second, do: func(s *storm, _ *seat) { s.wall.set(time.Duration(s.r.Int64N(int64(48*time.Hour))) - 24*time.Hour) }},
	{name: "pause", every: 40 * time.Second, do: func(s *storm, _ *seat) { s.pause() }, host: true},
	{name: "restart", every: 60 * time.Second, do: func(s *storm, _ *seat) { s.restart(time.Duration(s.r.IntN(8000)) * time.Millisecond) }, host: true},
	{name: "hostile", every: 20 * time.Second, do: func(s *storm, _ *seat) { s.hostile() }, host: true},
	{name: "deed", every: 500 * time.Millisecond, do: func(s *storm, seat *seat) { s.deed(seat.citizen) }, host: true, who: true},
	{name: "buy", every: 2 * time.Second, do: func(s *storm, seat *seat) { buy(seat.who) }, who: true},
}

// plan says when a trouble comes next: half to one and a half of its time.
func (s *storm) plan(i int) {
	s.next[i] = s.next[i].Add(troubles[i].every/2 + time.Duration(s.r.Int64N(int64(troubles[i].every))))
}

func (s *storm) happens() {
	for i, t := range troubles {
		if time.Now().Before(s.next[i]) {
			continue
		}
		s.plan(i)
		seat := s.seats[s.r.IntN(len(s.seats))]
		if t.host && s.wire.stall.lasts() || t.who && seat.who == nil {
			continue
		}
		if t.name != "deed" && t.name != "buy" {
			s.diary = append(s.diary, fmt.Sprintf("%v %s %s", time.Now().Format("04:05.0"), t.name, seat.name))
		}
		t.do(s, seat)
	}
}

func (s *storm) weather() {
	loss := s.r.Float64() * 0.2
	if s.r.IntN(4) == 0 {
		loss = s.r.Float64() * 0.4
	}
	if s.sky.Loss > 0.2 {
		s.harsh = time.Now()
	}
	slow := s.r.Float64()
	s.sky = udp.Path{Loss: loss, Duplicate: s.r.Float64() * 0.1, Reorder: s.r.Float64() * 0.3,
		Delay: time.Duration(slow * slow * 800 * float64(time.Millisecond)), Jitter: time.Duration(s.r.IntN(100)) * time.Millisecond}
	if loss > 0.2 {
		s.harsh = time.Now().Add(time.Hour) // until it changes
	}
	s.mem.SetPath(s.sky)
	for _, seat := range s.seats {
		s.line(seat)
	}
}

// outage cuts a line for 0.1 to 20 s, shorter ones more often, in both directions or in one.
func (s *storm) outage(seat *seat) {
	share := s.r.Float64()
	d := 100*time.Millisecond + time.Duration(share*share*share*19.9*float64(time.Second))
	s.try(seat, d)
	if until := time.Now().Add(d); until.After(seat.cut) {
		seat.cut = until
	}
	switch dead := (udp.Path{Loss: 1}); s.r.IntN(3) {
	case 0:
		s.mem.SetPathOf(seat.from, serverHost, dead)
	case 1:
		s.mem.SetPathTo(seat.from, serverHost, dead)
	default:
		s.mem.SetPathTo(serverHost, seat.from, dead)
	}
}

// move puts somebody behind another port, or another host.
func (s *storm) move(seat *seat) {
	if s.r.IntN(2) == 0 {
		a := seat.from.As4()
		a[2] ^= 2
		seat.from = netip.AddrFrom4(a)
	}
	_ = seat.cable.move(seat.from) // one that has ended is not moved
	seat.cut = time.Time{}
	s.line(seat)
	seat.moved = time.Now()
	s.try(seat, 4*time.Second)
}

// crashes ends somebody without a word.
func (s *storm) crashes(seat *seat) {
	s.mem.SetPathOf(seat.from, serverHost, udp.Path{Loss: 1})
	seat.who.leave()
	seat.who, seat.gone = nil, time.Now()
	s.line(seat)
}

func (s *storm) reloads() {
	s.version++
	text := shop["shop/main.lua"] + fmt.Sprintf("\n-- version %d\n", s.version)
	if s.r.IntN(4) == 0 {
		text += "x = = 1\n"
	}
	s.write(files{"shop/main.lua": text, "shop/shop.html": fmt.Sprintf("<h1>Shop %d</h1>", s.version)})
	for range 1 + s.r.IntN(3) {
		_ = s.reload([]string{"shop", "mishap", "town", "login"}[s.r.IntN(4)])
	}
	_ = s.reload("shop")
}

// command runs a command of the console; one that fails is meant to.
func (s *storm) command(text string) { _, _, _ = s.host.Command(context.Background(), text) }

// console runs a command on somebody who is here.
func (s *storm) console(seat *seat, format string, args ...any) {
	here := false
	s.tell(seat.who, func(world.Tx, *world.Player) { here = true })
	if here {
		s.command(fmt.Sprintf(format, args...))
	}
}

func (s *storm) rename(seat *seat) {
	s.console(seat, "rename %d %s_%d", seat.who.id(), seat.name, s.r.IntN(10))
}

func (s *storm) kick(seat *seat) {
	seat.sent[protocol.ReasonKicked] = true
	s.console(seat, "kick %d", seat.who.id())
}

// ban bans somebody for a while, if the disk takes it.
func (s *storm) ban(seat *seat) {
	list := s.host.Bans()
	ban := bans.Ban{Kind: bans.Host, Value: seat.from.String(), Text: "Out", Expires: list.After(time.Duration(1+s.r.IntN(30)) * time.Second)}
	if s.id != nil && s.r.IntN(2) == 0 {
		ban.Kind, ban.Value = bans.Account, fmt.Sprint("forum:", seat.n)
	}
	seat.sent[protocol.ReasonBanned] = true
	before := len(list.All())
	if _, err := list.Add(ban); err != nil && len(list.All()) > before {
		s.t.Errorf("a ban holds that could not be written: %v", err)
	}
}

func (s *storm) lift() {
	list := s.host.Bans()
	for _, b := range list.All() {
		if s.r.IntN(2) == 0 {
			if _, err := list.Remove(b.ID); err == nil {
				s.lifted[b.ID] = true
			}
		}
	}
}

// pause lets the whole server stand still for 1 to 15 s.
func (s *storm) pause() {
	d := time.Second + time.Duration(s.r.Int64N(int64(14*time.Second)))
	synctest.Wait() // nobody of it is at work
	s.wire.stall.begin(d)
	s.lookout.paused(d)
	_ = s.host.Post(s.wire.stall.wait)
	s.tryAll(d)
}

// restart stops the server in order, and starts it again after a while. The bans are those of before.
func (s *storm) restart(down time.Duration) {
	s.restarts++
	kept := s.host.Bans().All()
	s.shut()
	if faults := s.lookout.verdict(); faults != "" {
		s.t.Errorf("somebody has learnt what is not in his scope:\n%s", faults)
	}
	s.pulledBack()
	s.judge.restarted()
	s.lookout, s.moved = newLookout(), make(map[uint32]int)
	s.tryAll(down + 2*time.Second)
	time.Sleep(down)
	s.start(s.cfg)
	if faults := lostBans(kept, s.host.Bans().All(), s.lifted, s.wall.now()); faults != "" {
		s.t.Error(faults)
	}
}

// lostBans says what is wrong with the bans after a restart: those that hold are there, and none that was lifted. One that
// was over may hold again where the clock was set back.
func lostBans(before, after []bans.Ban, lifted map[int]bool, now time.Time) (faults string) {
	for _, b := range before {
		if !slices.Contains(after, b) && (b.Expires.IsZero() || b.Expires.After(now)) {
			faults += fmt.Sprintf("the restart has lost %v\n", b)
		}
	}
	for _, b := range after {
		if lifted[b.ID] {
			faults += fmt.Sprintf("%v was lifted before the restart\n", b)
		}
	}
	return faults
}

// hostile lets somebody in who breaks the rules once he is in. His own line is good.
func (s *storm) hostile() {
	s.rogues++
	name := "Mallory" + strings.Repeat("y", s.rogues%15) // each has an address of his own
	s.mem.SetPathOf(netip.AddrFrom4([4]byte{10, 0, 9, byte(len(name))}), serverHost, udp.Path{Delay: 5 * time.Millisecond})
	s.stranger(name).trouble(rand.New(rand.NewPCG(s.r.Uint64(), 5)))
}
