package lane

// Receiver decides which events are delivered. The zero value is ready; it expects event 1.
type Receiver struct {
	delivered uint32
}

// Accept reports whether the event is the next one and so must be delivered now. A duplicate and an event ahead of a
// gap are not; whatever Accept says, the caller answers every event it receives with an ack of [Receiver.Ack].
// After event 4,294,967,295 nothing is accepted any more: ids do not wrap.
func (r *Receiver) Accept(event uint32) (deliver bool) {
	if event == 0 || event-1 != r.delivered {
		return false
	}
	r.delivered = event
	return true
}

// Ack returns the highest event delivered without a gap, 0 for none.
func (r *Receiver) Ack() uint32 { return r.delivered }
