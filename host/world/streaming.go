package world

import "darqline/protocol"

// scope is who has a player in view, and whom he has (page Player, Streaming).
type scope struct{}

// show brings a subject packet to its subject, straight, and to all who have him in scope, paced: of several of one kind
// that wait only the last is sent, and none before his PlayerSpawned. The error is about the packet or the subject's lane.
func (tx Tx) show(p *Player, m protocol.Packet) error { return nil }

// showOthers is show without the subject himself.
func (tx Tx) showOthers(p *Player, m protocol.Packet) {}

// tellViewers sends an event about a player to those who have him in scope and know of him, straight.
func (tx Tx) tellViewers(p *Player, m protocol.Packet) {}

// arrived puts a player who has arrived into the scopes around him: reason is SpawnedFirst or SpawnedAgain.
func (tx Tx) arrived(p *Player, reason protocol.SpawnReason) {}

// fell tells the viewers of a death. The body stays in scope.
func (tx Tx) fell(p *Player, m *protocol.PlayerWasted) {}

// vanish takes a player out of all scopes at once: he is hidden, respawns, or is in another dimension now.
func (tx Tx) vanish(p *Player) {}

// moved has the scopes of and around a player looked at again before the next frame goes out: he has teleported, is
// hidden no more, has another dimension or camera.
func (tx Tx) moved(p *Player) {}

// relay sends p.body to those who have him in scope and are due. now is set where no distance may hold it back.
func (tx Tx) relay(p *Player, now bool) {}

// Sees says whether a viewer has a player in scope.
func (tx Tx) Sees(viewer, p *Player) bool { return false }

// Viewers are all who have a player in scope.
func (tx Tx) Viewers(p *Player) []*Player { return nil }
