package protocol

import (
	"encoding/binary"
	"fmt"
)

// QueryFlags are the flags that a server tells.
type QueryFlags uint8

const (
	QueryPassword QueryFlags = 1 << iota
	QuerySignIn
	QueryClosing
)

// A ServerInfo is what a server tells of itself; QueryPing asks for the Version
// alone.
type ServerInfo struct {
	Version    uint16
	Flags      QueryFlags
	Players    uint16 // confirmed, past PreAuth
	MaxPlayers uint16
	Name       string // 1..63 bytes
	Mode       string // these up to 63 bytes
	Language   string
	Website    string
	BootID     uint64
	Uptime     uint32 // seconds
}

// Fields are the fields of an answer to QueryInfo, the most telling first.
func (i *ServerInfo) Fields() []QueryField {
	return []QueryField{
		{TagVersion, u16Value(i.Version)},
		{TagFlags, string([]byte{byte(i.Flags)})},
		{TagPlayers, u16Value(i.Players)},
		{TagMaxPlayers, u16Value(i.MaxPlayers)},
		{TagName, i.Name},
		{TagMode, i.Mode},
		{TagLanguage, i.Language},
		{TagWebsite, i.Website},
		{TagBoot, u64Value(i.BootID) + u32Value(i.Uptime)},
	}
}

// The bytes stand in an array, so that a string is the one allocation of each, however it is built (with -race an
// append to nil is another).
func u16Value(v uint16) string {
	var b [2]byte
	binary.LittleEndian.PutUint16(b[:], v)
	return string(b[:])
}

func u32Value(v uint32) string {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], v)
	return string(b[:])
}

func u64Value(v uint64) string {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	return string(b[:])
}

// short is a text of less than 256 bytes behind its length.
func short(s string) string { return string([]byte{byte(len(s))}) + s }

// Info reads the fields of an answer to QueryPing or QueryInfo; what is not
// there stays zero.
func (p *ServerQueryAnswer) Info() (ServerInfo, error) {
	var i ServerInfo
	for _, f := range p.Body {
		r := valueReader{rest: f.Value}
		switch f.Tag {
		case TagVersion:
			i.Version = r.u16()
		case TagFlags:
			i.Flags = QueryFlags(r.u8())
		case TagPlayers:
			i.Players = r.u16()
		case TagMaxPlayers:
			i.MaxPlayers = r.u16()
		case TagName:
			i.Name = r.text(len(f.Value))
		case TagMode:
			i.Mode = r.text(len(f.Value))
		case TagLanguage:
			i.Language = r.text(len(f.Value))
		case TagWebsite:
			i.Website = r.text(len(f.Value))
		case TagBoot:
			i.BootID, i.Uptime = r.u64(), r.u32()
		}
		if r.err != nil {
			return ServerInfo{}, fmt.Errorf("%v: %w", f.Tag, r.err)
		}
	}
	return i, nil
}

// CookieField is the only field of a QueryChallenge.
func CookieField(cookie uint64) QueryField {
	return QueryField{TagCookie, u64Value(cookie)}
}

// Cookie is the cookie of a QueryChallenge, or 0.
func (p *ServerQueryAnswer) Cookie() uint64 {
	for _, f := range p.Body {
		if f.Tag == TagCookie {
			r := valueReader{rest: f.Value}
			return r.u64()
		}
	}
	return 0
}

// A ListedPlayer is a player as an answer to QueryPlayers tells of him.
type ListedPlayer struct {
	PlayerID uint16
	Ping     uint16 // ms
	Seconds  uint32 // connected
	Name     string
}

// Field is the player's field.
func (l ListedPlayer) Field() QueryField {
	var room [9 + 255]byte // a server makes these of all its players each second
	b := binary.LittleEndian.AppendUint16(room[:0], l.PlayerID)
	b = binary.LittleEndian.AppendUint16(b, l.Ping)
	b = binary.LittleEndian.AppendUint32(b, l.Seconds)
	b = append(append(b, byte(len(l.Name))), l.Name...)
	return QueryField{TagPlayer, string(b)}
}

// Players reads the players of an answer.
func (p *ServerQueryAnswer) Players() ([]ListedPlayer, error) {
	var list []ListedPlayer
	for _, f := range p.Body {
		if f.Tag != TagPlayer {
			continue
		}
		r := valueReader{rest: f.Value}
		l := ListedPlayer{PlayerID: r.u16(), Ping: r.u16(), Seconds: r.u32()}
		l.Name = r.text(int(r.u8()))
		if r.err != nil {
			return nil, fmt.Errorf("player %d: %w", len(list), r.err)
		}
		list = append(list, l)
	}
	return list, nil
}

// A ServerRule is a setting of the server that it tells.
type ServerRule struct {
	Key   string // 1..32 bytes
	Value string // up to 127 bytes
}

// Field is the rule's field.
func (s ServerRule) Field() QueryField {
	return QueryField{TagRule, short(s.Key) + s.Value}
}

// Rules reads the rules of an answer.
func (p *ServerQueryAnswer) Rules() ([]ServerRule, error) {
	var list []ServerRule
	for _, f := range p.Body {
		if f.Tag != TagRule {
			continue
		}
		r := valueReader{rest: f.Value}
		s := ServerRule{Key: r.text(int(r.u8()))}
		s.Value = r.text(len(r.rest))
		if r.err != nil {
			return nil, fmt.Errorf("rule %d: %w", len(list), r.err)
		}
		list = append(list, s)
	}
	return list, nil
}
