package world

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

// Chat is the table [chat] of the configuration.
type Chat struct {
	MaxLength    int           // characters of a line
	Burst        int           // lines at once
	Interval     time.Duration // for each further line
	CommandBurst int           // commands at once
	CommandRate  int           // commands a second
}

const (
	commandLength  = 256 // characters
	hammerFloor    = 4   // tokens below zero that refused lines cost at most
	tellEvery      = 3 * time.Second
	combiningMarks = 4 // in a row; more are cut
)

// ChatLine is what a handler of player_chat may change before the line goes out.
type ChatLine struct {
	Text      string
	Team      bool
	Name      string
	NameColor protocol.RGBA
	Color     protocol.RGBA
	To        []*Player // nil: everyone
	Markup    bool
}

func (l ChatLine) check() error {
	if l.Text == "" || l.Name == "" {
		return errors.New("a chat line has a name and a text")
	}
	if err := protocol.PlainText(l.Name, nameBytes); err != nil {
		return fmt.Errorf("name: %w", err)
	}
	if err := protocol.PlainText(l.Text, chatBytes); err != nil {
		return fmt.Errorf("text: %w", err)
	}
	return nil
}

// PlayerChat is player_chat: the line goes out unless a handler cancels it.
type PlayerChat struct {
	Player *Player
	Line   *ChatLine
}

func (PlayerChat) LuaName() string { return "player_chat" }

// Apply sends the line as the handlers have left it.
func (e PlayerChat) Apply(tx Tx) { tx.Say(e.Player, *e.Line) }

// PlayerCommand is a command that a player has typed, without its slash.
type PlayerCommand struct {
	Player *Player
	Text   string
}

func (PlayerCommand) LuaName() string { return "player_command" }

// ReceiveChat checks a line that a player wrote (page Chat, HUD and dialogs, ClientChat).
func (tx Tx) ReceiveChat(p *Player, m *protocol.ClientChat) {
	rules := &tx.w.cfg.Chat
	rate := 0.0
	if rules.Interval > 0 {
		rate = float64(time.Second) / float64(rules.Interval)
	} else {
		rate = float64(rules.Burst) * 1000
	}
	if !p.chatLimit.TakeHard(tx.now(), rate, float64(rules.Burst), hammerFloor) {
		tx.slowDown(p, p.chatLimit.Wait(tx.now(), rate, float64(rules.Burst), 1))
		return
	}
	text := cutMarks(strings.TrimSpace(m.Text))
	if text == "" || utf8.RuneCountInString(text) > rules.MaxLength {
		return
	}
	if tx.Muted(p) {
		tx.tell(p, "You are muted.")
		return
	}
	p.muted = false
	if m.Channel != 0 { // groups come with the player list's columns
		tx.tell(p, "You are in no group.")
		return
	}
	tx.post(PlayerChat{p, &ChatLine{Text: text, Name: p.name}})
}

// ReceiveCommand checks a command that a player typed (page Chat, HUD and dialogs, ClientCommand).
func (tx Tx) ReceiveCommand(p *Player, m *protocol.ClientCommand) {
	rules := &tx.w.cfg.Chat
	if !p.cmdLimit.Take(tx.now(), float64(rules.CommandRate), float64(rules.CommandBurst), 1) {
		tx.slowDown(p, p.cmdLimit.Wait(tx.now(), float64(rules.CommandRate), float64(rules.CommandBurst), 1))
		return
	}
	text := strings.TrimSpace(m.Text)
	if text == "" || utf8.RuneCountInString(text) > commandLength {
		return
	}
	tx.post(PlayerCommand{p, text})
}

// slowDown tells a player that he is over a limit, at most once in 3 s.
func (tx Tx) slowDown(p *Player, wait time.Duration) {
	tx.tell(p, fmt.Sprintf("Slow down: %d s", max(1, int((wait+time.Second-1)/time.Second))))
}

func (tx Tx) tell(p *Player, text string) {
	if p.everTold && tx.now()-p.told < tellEvery {
		return
	}
	p.everTold, p.told = true, tx.now()
	tx.Message(p, Notice{Text: text, Kind: protocol.MessageWarning})
}

// cutMarks leaves at most 4 combining marks in a row.
func cutMarks(text string) string {
	run := 0
	return strings.Map(func(r rune) rune {
		if !unicode.Is(unicode.M, r) {
			run = 0
			return r
		}
		if run++; run > combiningMarks {
			return -1
		}
		return r
	}, text)
}

// Notice is a line that no player wrote.
type Notice struct {
	Text   string // lines, up to 12 and 1,024 bytes
	Kind   protocol.MessageKind
	Color  protocol.RGBA // zero: of the kind
	Markup bool
	Clear  bool // empties the window first
}

// check says what is wrong with the text, whoever is here to read it.
func (n Notice) check() error {
	switch lines := strings.Count(n.Text, "\n") + 1; {
	case n.Text == "" && !n.Clear:
		return errors.New("text: it is empty")
	case lines > noticeLines:
		return fmt.Errorf("text: it has %d lines, at most %d", lines, noticeLines)
	}
	if err := protocol.PlainText(strings.ReplaceAll(n.Text, "\n", " "), noticeBytes); err != nil {
		return fmt.Errorf("text: %w", err)
	}
	return nil
}

const (
	noticeLines = 12
	noticeBytes = 1024
	chatBytes   = 512
	nameBytes   = 64
)

func (n Notice) packet() *protocol.ServerMessage {
	m := &protocol.ServerMessage{Kind: n.Kind, Color: n.Color, Text: n.Text}
	if n.Markup {
		m.Flags |= protocol.MessageMarkup
	}
	if n.Clear {
		m.Flags |= protocol.MessageClear
	}
	return m
}

// Message sends a line to one player; a congested lane drops it. The error is about the text.
func (tx Tx) Message(p *Player, n Notice) error {
	if err := n.check(); err != nil || p.gone {
		return err
	}
	return p.event(n.packet())
}

// event sends a droppable packet that nobody misses: a congested lane loses it.
func (p *Player) event(m protocol.Packet) error {
	if err := p.link.Straight(m); !errors.Is(err, pacer.ErrRefused) {
		return err
	}
	return nil
}

// Broadcast sends a line to everyone who has joined and returns how many those are.
func (tx Tx) Broadcast(n Notice) (int, error) {
	if err := n.check(); err != nil {
		return 0, err
	}
	packet := n.packet()
	for _, p := range tx.w.players {
		if err := p.event(packet); err != nil {
			return 0, err
		}
	}
	return len(tx.w.players), nil
}

// Announce is a line of the console's to everyone; whatever is typed there becomes one that can be sent.
func (tx Tx) Announce(text string) int {
	n, _ := tx.Broadcast(Notice{Text: clean(text), Kind: protocol.MessageInfo})
	return n
}

// TellLocal sends a line to the players on this machine: what an author wants to know, and a stranger need not.
func (tx Tx) TellLocal(text string, kind protocol.MessageKind) {
	text = clean(text)
	for _, p := range tx.w.players {
		if p.link.Address().Addr().IsLoopback() {
			tx.Message(p, Notice{Text: text, Kind: kind})
		}
	}
}

// clean makes any text one that a plain line may hold.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' {
			return ' '
		}
		if unicode.In(r, unicode.Cc, unicode.Cf) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	for len(text) > 1000 {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// Say sends a line in a player's name to its receivers and returns how many those are. The error is about a text.
func (tx Tx) Say(from *Player, line ChatLine) (int, error) {
	if err := line.check(); err != nil {
		return 0, err
	}
	m := &protocol.ChatMessage{PlayerID: from.ID, PlayerToken: from.Token, NameColor: line.NameColor,
		Color: line.Color, Name: line.Name, Text: line.Text}
	if line.Markup {
		m.Flags |= protocol.ChatTextMarkup
	}
	to := line.To
	if to == nil {
		to = tx.Players()
	}
	n := 0
	for _, p := range to {
		if p.gone {
			continue
		}
		if err := p.event(m); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// Mute drops a player's lines: for a while, or until Unmute where d is 0.
func (tx Tx) Mute(p *Player, d time.Duration) {
	p.muted, p.mutedUntil = true, 0
	if d > 0 {
		p.mutedUntil = tx.now() + d
	}
}

// Unmute lets a player speak again.
func (tx Tx) Unmute(p *Player) { p.muted = false }

// Muted says whether a player's lines are dropped now.
func (tx Tx) Muted(p *Player) bool {
	return p.muted && (p.mutedUntil == 0 || tx.now() < p.mutedUntil)
}

// ---- the player list

type listKey struct{ token uint32 }
type wholeListKey struct{}

// listPacket is the largest PlayerListEntry.
const listPacket = 1192

// sendPlayerList sends the header and everyone, himself too, to one who has joined, in batches.
func (tx Tx) sendPlayerList(to *Player) {
	var packets []protocol.Packet
	batch := &protocol.PlayerListEntry{Entries: []protocol.ListEntry{{Op: protocol.ListHeader, PlayerID: protocol.NoPlayer}}}
	size := listSize(batch.Entries[0])
	for _, p := range tx.Players() {
		to.link.Drop(listKey{p.Token}) // what waits of his row stands here
		e := listEntry(p, to)
		if size+listSize(e) > listPacket || len(batch.Entries) == 170 {
			packets = append(packets, batch)
			batch, size = &protocol.PlayerListEntry{}, 0
		}
		batch.Entries = append(batch.Entries, e)
		size += listSize(e)
	}
	to.link.Pace(pacer.Thing{Key: wholeListKey{}, Class: pacer.PlayerList, Packets: append(packets, batch)})
}

// listPlayer brings one line of everybody else's list up to date.
func (tx Tx) listPlayer(about *Player) {
	line := pacer.Thing{Key: listKey{about.Token}, Class: pacer.PlayerList, Packets: []protocol.Packet{
		&protocol.PlayerListEntry{Entries: []protocol.ListEntry{listEntry(about, nil)}}}}
	for _, to := range tx.w.players {
		if to != about {
			to.link.Pace(line)
		}
	}
}

// listSize is the bytes of an entry with a header's title or a row's name, and no columns.
func listSize(e protocol.ListEntry) int {
	if e.Op == protocol.ListHeader {
		return 9 + len(e.Title)
	}
	return 19 + len(e.Name) + len(e.Group)
}

func listEntry(about, to *Player) protocol.ListEntry {
	e := protocol.ListEntry{Op: protocol.ListWhole, PlayerID: about.ID, PlayerToken: about.Token, Name: about.name}
	if ping, _, _, ok := about.link.Ping(); ok {
		e.Ping = uint16(min(ping.Milliseconds(), 0xFFFF))
	}
	if about == to {
		e.Flags = protocol.ListSelf
	}
	return e
}

// SetChat takes over the rules of [chat] from now on.
func (tx Tx) SetChat(rules Chat) { tx.w.cfg.Chat = rules }

// RefreshPings tells everyone the pings that moved by more than 10 ms and 20 % (page Chat, HUD and dialogs,
// PlayerListEntry). The host calls it every 5 s.
func (tx Tx) RefreshPings() {
	var entries []protocol.ListEntry
	for _, p := range tx.Players() {
		ping, _, _, ok := p.link.Ping()
		ms := int(ping.Milliseconds())
		moved := max(ms-p.listedPing, p.listedPing-ms)
		if !ok || p.listedPing >= 0 && (moved <= 10 || moved*5 <= p.listedPing) {
			continue
		}
		p.listedPing = ms
		entries = append(entries, protocol.ListEntry{Op: protocol.ListPing, PlayerID: p.ID, PlayerToken: p.Token,
			Ping: uint16(min(ms, 0xFFFF))})
	}
	if len(entries) == 0 {
		return
	}
	for batch := range slices.Chunk(entries, 100) {
		packet := &protocol.PlayerListEntry{Entries: batch}
		for _, to := range tx.w.players {
			if to.link.Unacked() >= idleLane {
				continue
			}
			to.link.Pace(pacer.Thing{Key: pingKey{batch[0].PlayerToken}, Class: pacer.PlayerList, Packets: []protocol.Packet{packet}})
		}
	}
}

// idleLane is the number of unacked events below which pings are sent.
const idleLane = 64

type pingKey struct{ token uint32 }
