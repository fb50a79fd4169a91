package session

// Lanes are the lanes of all connections that there are now, as sums.
type Lanes struct {
	Events, Sends, Resends, Refused uint64
	Unacked                         int // events of the one connection that has acknowledged the least
}

// Lanes adds up what the lanes to the clients have done.
func (s *Sessions) Lanes() (l Lanes) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		one := c.out.Stats()
		l.Events += one.Events
		l.Sends += one.Sends
		l.Resends += one.Resends
		l.Refused += one.Refused
		l.Unacked = max(l.Unacked, c.out.Unacked())
	}
	return l
}
