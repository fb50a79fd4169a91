package client

// Generations holds what a receiver keeps of each player_id by page "Sequence and generation": the live generation, the
// last applied seq of it, and the tombstone of the one that has just left. The zero value is ready. Tokens are
// player_tokens: a later owner of an id has a larger one.
type Generations struct {
	players map[uint16]*generation
}

type generation struct {
	live bool
	gen  uint32 // the live generation
	seq  uint32 // the last applied seq of it
	tomb uint32 // the generation that has just left; 0 none, which no token is
}

// Frame says whether a RemotePlayerSync is applied, and takes it as applied.
func (g *Generations) Frame(id uint16, token, seq uint32) bool {
	p := g.at(id)
	switch {
	case token == p.tomb:
		return false
	case p.live && token < p.gen:
		return false
	case p.live && token == p.gen:
		if !newer(seq, p.seq) {
			return false
		}
		p.seq = seq
		return true
	}
	p.adopt(token, seq)
	return true
}

// Leave takes a PlayerLeave. It says whether the live generation of that id has left by it.
func (g *Generations) Leave(id uint16, token uint32) bool {
	p := g.players[id]
	if p == nil || !p.live || token != p.gen {
		return false
	}
	*p = generation{tomb: token}
	return true
}

// Subject says whether another packet about a player is applied (page Player). A newer generation is adopted; spawn,
// which is PlayerSpawned alone, is adopted for an id without a generation too.
func (g *Generations) Subject(id uint16, token uint32, spawn bool) bool {
	p := g.at(id)
	switch {
	case token == p.tomb:
		return false
	case p.live && token <= p.gen:
		return token == p.gen
	case !p.live && !spawn:
		return false
	}
	p.adopt(token, 0)
	return true
}

// StreamOut takes a PlayerStreamOut: the generation stays, and frames up to lastSeq are stragglers from now on.
func (g *Generations) StreamOut(id uint16, token, lastSeq uint32) bool {
	if !g.Subject(id, token, false) {
		return false
	}
	if p := g.players[id]; newer(lastSeq, p.seq) {
		p.seq = lastSeq
	}
	return true
}

// Live gives the live generation of an id.
func (g *Generations) Live(id uint16) (token uint32, ok bool) {
	p := g.players[id]
	if p == nil || !p.live {
		return 0, false
	}
	return p.gen, true
}

func (g *Generations) at(id uint16) *generation {
	p := g.players[id]
	if p == nil {
		if g.players == nil {
			g.players = make(map[uint16]*generation)
		}
		p = new(generation)
		g.players[id] = p
	}
	return p
}

func (p *generation) adopt(token, seq uint32) {
	*p = generation{live: true, gen: token, seq: seq}
}

// newer compares sequence numbers in serial-number arithmetic.
func newer(a, b uint32) bool { return int32(a-b) > 0 }
