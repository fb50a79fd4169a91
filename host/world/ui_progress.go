package world

import (
	"time"

	"darqline/protocol"
)

// Progress is a bar that fills by itself. It is over when it is full: by the server's clock alone.
type Progress struct {
	Text        string // up to 63 bytes
	Style       protocol.GaugeStyle
	Duration    time.Duration // of the whole, 200 ms up to an hour; 0: without end
	Value       float64       // 0..1
	Running     bool
	Hold        bool // the player stands still
	Cancellable bool // by the player's key; only a bar that is his alone
	WhileDead   bool // his death does not end it
	Color       protocol.RGBA
}

// longestProgress is also the scale on which a bar without a duration stands at its value.
const longestProgress = time.Hour

func (Progress) kind() elementKind { return kindProgress }
func (b Progress) check() error    { return line("text", b.Text, 63) }
func (b Progress) fills() bool     { return b.Running && b.Duration > 0 }

func (b Progress) after(d time.Duration) Look {
	if b.fills() {
		b.Value = min(b.Value+d.Seconds()/b.Duration.Seconds(), 1)
	}
	return b
}

func (b Progress) resume(from Look) Look {
	b.Value = from.(Progress).Value
	return b
}

func (b Progress) lasts() time.Duration {
	if !b.fills() {
		return forever
	}
	return time.Duration((1 - b.Value) * float64(b.Duration))
}

func (b Progress) packet(tx Tx, at seenAs) protocol.Packet {
	m := &protocol.HudProgress{Slot: at.slot, Present: true, Style: b.Style, Color: b.Color, Text: b.Text}
	whole := b.Duration
	switch {
	case whole == 0 && b.Running && b.Value == 0: // without end
		m.Flags = protocol.ProgressRuns
	case whole == 0:
		whole = longestProgress
	default:
		m.Flags = flagIf(b.Running, protocol.ProgressRuns)
	}
	m.Flags |= flagIf(b.Hold, protocol.ProgressHold)
	m.Duration = uint32(whole.Milliseconds())
	m.Elapsed = min(uint32(b.Value*float64(whole.Milliseconds())), m.Duration)
	if b.Cancellable && at.viewer != nil {
		m.Cancel = tx.cancelAction().id
	}
	return m
}

// watchBars has the newest bar of a player that he can cancel be the one that his key cancels.
func (tx Tx) watchBars(e *Element) {
	p := e.Spec.For
	if _, ok := e.Spec.Look.(Progress); !ok || p == nil || p.gone {
		return
	}
	var newest *Element
	for _, o := range p.hud.own {
		if bar, ok := o.Spec.Look.(Progress); ok && bar.Cancellable && !o.Spec.Hidden {
			newest = o
		}
	}
	if newest == nil {
		tx.watchCancel(p, nil)
		return
	}
	tx.watchCancel(p, func(tx Tx) { tx.endElement(newest, EndCancel) })
}
