package world

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"darqline/host/limit"
	"darqline/protocol"
)

// Chat is the table [chat] of the configuration.
type Chat struct {
	MaxLength    int           // characters of a line
	Radius       float32       // metres that a line to all carries; 0: everywhere
	Bubbles      bool          // a line is also shown over the head
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
	chatBytes      = 512
	nameBytes      = 64
)

// talk is what a player may say.
type talk struct {
	muted    bool
	until    time.Duration // of the mute; 0: for good
	told     once          // to slow down, and the like
	lines    limit.Bucket
	commands limit.Bucket
}

// Chat is the rules of chat as they are now.
func (tx Tx) Chat() Chat { return tx.w.cfg.Chat }

// SetChat takes over the rules of [chat] from now on.
func (tx Tx) SetChat(rules Chat) { tx.w.cfg.Chat = rules }

// ReadChat takes over what is different in [chat] when the file is read again; what scripts have set beside it stays.
func (tx Tx) ReadChat(old, read Chat) {
	now := tx.w.cfg.Chat
	if read.MaxLength == old.MaxLength {
		read.MaxLength = now.MaxLength
	}
	if read.Radius == old.Radius {
		read.Radius = now.Radius
	}
	if read.Bubbles == old.Bubbles {
		read.Bubbles = now.Bubbles
	}
	tx.SetChat(read)
}

// ChatLine is a line in a player's name. A handler of player_chat may change all but its channel before it goes out.
type ChatLine struct {
	Channel    protocol.Channel
	Text       string // 1..512 bytes, one line
	Name       string // 1..64 bytes
	NameColor  protocol.RGBA
	Color      protocol.RGBA
	To         []*Player // nil: all, those within the radius, or the group
	Markup     bool      // in the text
	NameMarkup bool
}

func (l *ChatLine) check() error {
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

func (l *ChatLine) packet(from *Player) *protocol.ChatMessage {
	m := &protocol.ChatMessage{PlayerID: from.ID, PlayerToken: from.Token, Channel: l.Channel, NameColor: l.NameColor,
		Color: l.Color, Name: l.Name, Text: l.Text}
	if l.Markup {
		m.Flags |= protocol.ChatTextMarkup
	}
	if l.NameMarkup {
		m.Flags |= protocol.ChatNameMarkup
	}
	return m
}

// PlayerChat is player_chat: the line goes out unless a handler cancels it.
type PlayerChat struct {
	Player *Player
	Line   *ChatLine
}

func (PlayerChat) LuaName() string { return "player_chat" }

// Apply sends the line as the handlers have left it.
func (e PlayerChat) Apply(tx Tx) { _, _ = tx.Say(e.Player, *e.Line) } // the handlers could set nothing that is refused

// PlayerCommand is a command that a player has typed, without its slash.
type PlayerCommand struct {
	Player *Player
	Text   string
}

func (PlayerCommand) LuaName() string { return "player_command" }

// ReceiveChat checks a line that a player wrote (page Chat, HUD and dialogs, ClientChat).
func (tx Tx) ReceiveChat(p *Player, m *protocol.ClientChat) {
	rules := &tx.w.cfg.Chat
	rate := float64(rules.Burst) * 1000 // without an interval there is no limit
	if rules.Interval > 0 {
		rate = float64(time.Second) / float64(rules.Interval)
	}
	if !p.talk.lines.TakeHard(tx.now(), rate, float64(rules.Burst), hammerFloor) {
		tx.slowDown(p, p.talk.lines.Wait(tx.now(), rate, float64(rules.Burst), 1))
		return
	}
	text := cutMarks(strings.TrimSpace(m.Text))
	switch {
	case text == "" || utf8.RuneCountInString(text) > rules.MaxLength:
	case tx.Muted(p):
		tx.warn(p, "You are muted.")
	case m.Channel == protocol.ChannelTeam && p.listed.row.Group == "":
		tx.warn(p, "You are in no group.")
	default:
		tx.post(PlayerChat{p, &ChatLine{Channel: m.Channel, Text: text, Name: p.Name(), NameColor: p.listed.row.Color}})
	}
}

// ReceiveCommand checks a command that a player typed (page Chat, HUD and dialogs, ClientCommand).
func (tx Tx) ReceiveCommand(p *Player, m *protocol.ClientCommand) {
	rules := &tx.w.cfg.Chat
	if !p.talk.commands.Take(tx.now(), float64(rules.CommandRate), float64(rules.CommandBurst), 1) {
		tx.slowDown(p, p.talk.commands.Wait(tx.now(), float64(rules.CommandRate), float64(rules.CommandBurst), 1))
		return
	}
	text := strings.TrimSpace(m.Text)
	if text == "" || utf8.RuneCountInString(text) > commandLength {
		return
	}
	tx.post(PlayerCommand{p, text})
}

// slowDown tells a player that he is over a limit.
func (tx Tx) slowDown(p *Player, wait time.Duration) {
	tx.warn(p, fmt.Sprintf("Slow down: %d s", max(1, int((wait+time.Second-1)/time.Second))))
}

// warn tells a player why what he wrote was dropped, at most once in 3 s.
func (tx Tx) warn(p *Player, text string) {
	if now := tx.now(); p.talk.told.may(now, tellEvery) {
		p.talk.told.did(now)
		_ = tx.Message(p, Notice{Text: text, Kind: protocol.MessageWarning})
	}
}

// cutMarks leaves at most 4 combining marks in a row.
func cutMarks(text string) string {
	run := 0
	return strings.Map(func(r rune) rune {
		if r < 0x300 || !unicode.Is(unicode.M, r) {
			run = 0
			return r
		}
		if run++; run > combiningMarks {
			return -1
		}
		return r
	}, text)
}

// Say sends a line in a player's name to its hearers and returns how many those are. The error is about a text.
func (tx Tx) Say(from *Player, line ChatLine) (int, error) {
	if err := line.check(); err != nil {
		return 0, err
	}
	to := tx.hearers(from, &line)
	if tx.w.cfg.Chat.Bubbles {
		tx.bubbleOf(from, &line, to)
	}
	return tell(to, line.packet(from))
}

// hearers are those whom a line is for; its author hears himself.
func (tx Tx) hearers(from *Player, line *ChatLine) []*Player {
	radius := float64(tx.w.cfg.Chat.Radius)
	switch {
	case line.To != nil:
		return line.To
	case line.Channel == protocol.ChannelTeam:
		return tx.those(func(p *Player) bool { return p == from || from.inGroupOf(p) })
	case radius > 0:
		return tx.those(func(p *Player) bool { return p == from || tx.hears(p, from, radius) })
	}
	return tx.everyone()
}

func (tx Tx) those(match func(p *Player) bool) []*Player {
	var list []*Player
	for _, p := range tx.w.players {
		if match(p) {
			list = append(list, p)
		}
	}
	return list
}

// inGroupOf says whether both are in one group of the player list.
func (p *Player) inGroupOf(other *Player) bool {
	return p.listed.row.Group != "" && p.listed.row.Group == other.listed.row.Group
}

// hears says whether what a player says where he is carries to where another one is, or looks from.
func (tx Tx) hears(p, from *Player, radius float64) bool {
	at, dimension, ok := tx.centre(p)
	return ok && from.life != PreSpawn && dimension == from.dimension && distance(at, from.body.Position) <= radius
}

// Mute drops a player's lines: for a while, or until Unmute where d is 0.
func (tx Tx) Mute(p *Player, d time.Duration) {
	p.talk.muted, p.talk.until = true, 0
	if d > 0 {
		p.talk.until = tx.now() + d
	}
}

// Unmute lets a player speak again.
func (tx Tx) Unmute(p *Player) { p.talk.muted = false }

// Muted says whether a player's lines are dropped now.
func (tx Tx) Muted(p *Player) bool {
	return p.talk.muted && (p.talk.until == 0 || tx.now() < p.talk.until)
}
