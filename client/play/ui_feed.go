package play

import (
	"darqline/client"
	"darqline/protocol"
)

// kill is an entry of the kill feed.
type kill struct {
	Killer      string `json:"killer,omitempty"` // "": nobody
	KillerColor string `json:"killer_color,omitempty"`
	Victim      string `json:"victim"`
	VictimColor string `json:"victim_color,omitempty"`
	Cause       string `json:"cause"`
	Headshot    bool   `json:"headshot,omitempty"`
	You         bool   `json:"you,omitempty"` // it concerns the player
	Until       int64  `json:"until"`         // Unix time in ms
}

func (h *handler) KillFeed(list []client.Kill) {
	out := make([]kill, len(list))
	for i, k := range list {
		out[i] = kill{
			Killer: k.Killer, KillerColor: color(k.KillerColor), Victim: k.Victim, VictimColor: color(k.VictimColor),
			Cause: title(k.Cause.String()), Headshot: k.Flags&protocol.KillFeedHeadShot != 0, You: k.Flags&protocol.KillFeedYou != 0,
			Until: unixMs(k.Until),
		}
	}
	h.m.setKills(out)
}

func (m *model) setKills(list []kill) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ui.Kills = list
	m.broadcast(message{Type: "kills", Kills: &list})
}
