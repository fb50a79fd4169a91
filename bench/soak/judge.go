package main

import (
	"fmt"
)

// What a server on one core of its own has to keep to.
const (
	turnMost = 10  // ms, 99 % of the seconds' longest turns
	cpuMost  = .60 // of a core
	growth   = .05
)

// judge tells what broke.
func (m *measurement) judge() (broken []error) {
	fail := func(format string, args ...any) { broken = append(broken, fmt.Errorf(format, args...)) }
	r := &m.report
	if l := r.Lines; l.Heard == 0 || l.Missed+l.Again+l.Wrong > 0 {
		fail("of the lines of chat %d came, %d did not, %d came again, %d were wrong", l.Heard, l.Missed, l.Again, l.Wrong)
	}
	if r.Malformed > 0 {
		fail("%d packets were malformed", r.Malformed)
	}
	if lost := r.Disconnects + r.NotAdmitted; lost > 0 && !m.condition.hopeless() {
		fail("%d of %d players were lost: %v", lost, m.players, r.Reasons)
	}
	_, last := m.ends()
	if m.network.Rebinds > 0 && last.Moved == 0 {
		fail("%d changes of a port, and nobody moved", m.network.Rebinds)
	}
	if p99 := quantile(m.turns(), .99); p99 >= turnMost {
		fail("a turn of the frame loop takes %.1f ms", p99)
	}
	if cpu := m.cpu(); cpu >= cpuMost {
		fail("the server used %.0f %% of a core", 100*cpu)
	}
	if len(m.looks) < 8 {
		fail("only %d looks at the server: too few to see growth", len(m.looks))
		return broken
	}
	quarter := len(m.looks) / 4
	for _, kind := range []struct {
		name  string
		slack float64 // that is no growth
		of    func(look) float64
	}{
		{"heap (MiB)", 2, func(l look) float64 { return l.Heap }},
		{"resident memory (MiB)", 6, func(l look) float64 { return l.Resident }},
		{"goroutines", 1, func(l look) float64 { return float64(l.Goroutines) }},
		{"descriptors", 1, func(l look) float64 { return float64(l.Descriptors) }},
	} {
		from, to := mean(m.looks[:quarter], kind.of), mean(m.looks[len(m.looks)-quarter:], kind.of)
		if to > from*(1+growth)+kind.slack {
			fail("%s grow: %.1f in the first quarter, %.1f in the last", kind.name, from, to)
		}
	}
	return broken
}

func mean(looks []look, of func(look) float64) (sum float64) {
	for _, l := range looks {
		sum += of(l)
	}
	return sum / float64(len(looks))
}
