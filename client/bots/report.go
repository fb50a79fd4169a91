package bots

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"darqline/protocol"
	"darqline/protocol/lane"
)

// Report is what was measured. Delays are from just before a bot sends a frame to the moment at which another bot's kernel
// has it from the server. Frames expected and received are those of players within 95 m, where a viewer is due every frame.
type Report struct {
	Players        int     `json:"players"` // bots in the game at the end
	Seconds        float64 `json:"seconds"` // of the measure
	RelayP50       float64 `json:"relay_p50_ms"`
	RelayP99       float64 `json:"relay_p99_ms"`
	RelayP999      float64 `json:"relay_p999_ms"`
	FramesExpected uint64  `json:"frames_expected"`
	FramesReceived uint64  `json:"frames_received"`
	Disconnects    int     `json:"disconnects"` // sessions that the server or its silence ended

	Loss        float64        `json:"loss_percent"`    // of the frames expected
	FramesSent  uint64         `json:"frames_sent"`     // of all bots
	FramesHeard uint64         `json:"frames_heard"`    // of all bots, at any distance
	FramesRate  float64        `json:"frames_a_second"` // of FramesHeard
	BytesHeard  uint64         `json:"bytes_heard"`     // of all packets, without headers of IP and UDP
	Malformed   uint64         `json:"malformed"`       // packets that do not decode
	Shots       uint64         `json:"shots"`
	Deaths      uint64         `json:"deaths"`
	Respawns    uint64         `json:"respawns"`
	Teleports   uint64         `json:"teleports"`
	ChatLines   uint64         `json:"chat_lines"`
	NotAdmitted int            `json:"not_admitted"`
	Left        int            `json:"left"`        // sessions that a bot ended by itself
	Moves       int            `json:"moves"`       // sessions that went on from another address
	PingP50     float64        `json:"ping_p50_ms"` // as the server measures it
	PingP99     float64        `json:"ping_p99_ms"`
	LaneEvents  uint64         `json:"lane_events"` // that bots put on their lanes
	LaneResends uint64         `json:"lane_resends"`
	LaneUnacked int            `json:"lane_unacked"`    // most events of one lane that the server had not acknowledged
	Lines       *Lines         `json:"lines,omitempty"` // where they are numbered
	Reasons     map[string]int `json:"reasons"`         // of disconnects and of those not admitted
}

// ErrEarly: the run was ended before all were in.
var ErrEarly = errors.New("ended before the players were in: nothing was measured")

// report makes the report at the end of a run.
func (r *run) report() (*Report, error) {
	if r.measured == 0 {
		if r.in == 0 && len(r.ends) > 0 {
			return nil, fmt.Errorf("no bot got in: %s", r.causes())
		}
		return nil, ErrEarly
	}
	r.missing()
	ms := func(q float64) float64 { return milliseconds(r.delays.quantile(q)) }
	t := &r.final
	for i := range r.bots {
		if b := &r.bots[i]; b.state != gone && b.state != outside {
			r.lane.add(b.out.Stats())
		}
	}
	report := &Report{
		Players: r.in, Seconds: r.measured.Seconds(), RelayP50: ms(.5), RelayP99: ms(.99), RelayP999: ms(.999),
		FramesExpected: r.expected, FramesReceived: r.received, Disconnects: r.ended,
		Loss: loss(r.expected, r.received), FramesSent: t.sent, FramesHeard: t.heard,
		FramesRate: float64(t.heard) / r.measured.Seconds(), BytesHeard: t.bytes, Malformed: t.malformed,
		Shots: t.shots, Deaths: t.deaths, Respawns: t.respawns, Teleports: t.teleports, ChatLines: t.lines,
		NotAdmitted: r.refused, Reasons: r.ends, Left: r.left, Moves: r.moves,
		PingP50: milliseconds(r.pings.quantile(.5)), PingP99: milliseconds(r.pings.quantile(.99)),
		LaneEvents: r.lane.events, LaneResends: r.lane.resends, LaneUnacked: r.unacked,
	}
	if r.cfg.Numbered {
		r.heardLines.Missed += r.linesDue()
		report.Lines = &r.heardLines
	}
	return report, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// laneTally is what the lanes of all sessions have sent.
type laneTally struct{ events, resends uint64 }

func (t *laneTally) add(s lane.Stats) {
	t.events += s.Events
	t.resends += s.Resends
}

// missing counts the frames after the last that came, of all who still see each other.
func (r *run) missing() {
	for i := range r.bots {
		for id := range r.bots[i].pairs {
			p := &r.bots[i].pairs[id]
			if p.token == 0 || id >= len(r.byID) || r.byID[id] == nil || r.byID[id].playerToken != p.token {
				continue
			}
			r.missed(&r.byID[id].sent, p)
		}
	}
}

// leave says goodbye for all, three times because it is not acknowledged.
func (r *run) leave() {
	for i := range byes {
		if i > 0 {
			time.Sleep(byeEvery)
		}
		for k := range r.bots {
			if b := &r.bots[k]; b.state != gone && b.state != outside {
				b.send(&protocol.ClientBye{Reason: protocol.ByeQuit})
			}
		}
	}
}

// progress is a line about what was heard since the last one.
func (r *run) progress(now time.Duration) string {
	since := (now - r.told).Seconds()
	expected, received := r.expected-r.last.expected, r.received-r.last.received
	heard := float64(r.heard-r.last.heard) / since
	r.last.tally, r.last.measure = r.tally, r.measure
	return fmt.Sprintf("%v: %d in, %.0f frames/s heard, %.2f %% lost, relay delay so far %.1f ms, p99 %.1f ms",
		(now - r.since).Round(time.Second), r.in, heard, loss(expected, received),
		milliseconds(r.delays.quantile(.5)), milliseconds(r.delays.quantile(.99)))
}

// loss is the share of frames that did not come, in percent.
func loss(expected, received uint64) float64 {
	if expected == 0 {
		return 0
	}
	return 100 * float64(expected-min(received, expected)) / float64(expected)
}

// causes are the reasons of all ends, the commonest first.
func (r *run) causes() string { return reasons(r.ends) }

func reasons(ends map[string]int) string {
	words := slices.SortedFunc(maps.Keys(ends), func(a, b string) int {
		if d := ends[b] - ends[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for i, w := range words {
		words[i] = fmt.Sprintf("%d %s", ends[w], w)
	}
	return strings.Join(words, ", ")
}

// Write writes the report as a table for people.
func (p *Report) Write(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	row("players", "%d", p.Players)
	row("measured", "%.1f s", p.Seconds)
	row("relay delay", "p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms", p.RelayP50, p.RelayP99, p.RelayP999)
	row("frames", "%d of %d expected within 95 m: %.3f %% lost", p.FramesReceived, p.FramesExpected, p.Loss)
	row("rate", "%.0f frames/s heard in all, %.0f kB/s", p.FramesRate, float64(p.BytesHeard)/p.Seconds/1000)
	row("game", "%d shots, %d deaths, %d respawns, %d teleports, %d lines of chat", p.Shots, p.Deaths, p.Respawns, p.Teleports, p.ChatLines)
	if p.Left > 0 || p.Moves > 0 {
		row("sessions", "%d ended by a player himself, %d moved to another address", p.Left, p.Moves)
	}
	if l := p.Lines; l != nil {
		row("numbered lines", "%d heard, %d missed, %d again, %d wrong", l.Heard, l.Missed, l.Again, l.Wrong)
	}
	if p.Malformed > 0 {
		row("malformed", "%d packets", p.Malformed)
	}
	row("disconnects", "%d", p.Disconnects)
	if len(p.Reasons) > 0 {
		row("reasons", "%s", reasons(p.Reasons))
	}
	return t.Flush()
}
