package world

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"darqline/protocol"
	"darqline/protocol/pacer"
)

const (
	listPacket = 1192               // bytes of entries in a PlayerListEntry
	listCount  = 170                // entries in one
	maxColumns = 6                  // for all resources
	listFew    = 40                 // players that are told of every change at once
	listPause  = time.Second / 4000 // after telling more, for each of them: a full server that restarts tells 4 times a second
)

// ListRow is how a player stands in the player list, beside his name and ping.
type ListRow struct {
	Color  protocol.RGBA
	Group  string // a line, up to 32 bytes; those of one group stand together
	Order  int16
	Hidden bool // not listed
}

// playerList is the list that all see. What scripts change is told in batches at the next tick.
type playerList struct {
	title   string
	titleBy string
	columns []*ListColumn // from left to right
	rev     uint64        // counts the changes of rows
	flushed uint64        // the changes that were told
	next    time.Duration // not before: the more are here, the more is told at once
	titled  bool          // the header has changed
	rebuilt bool          // the columns have changed, and with them all rows
}

// listed is a player's row, and what he was told of the others'.
type listed struct {
	row     ListRow
	joined  uint64 // the revision of his join
	changed uint64 // the revision of his row
	ping    int    // as all were last told; -1: not yet

	sent  uint64    // what waits for him or was sent is of this revision
	known uint64    // no row of a later revision has gone out to him
	owed  []*Player // the rows in the update that waits for him
	late  bool      // he was not told of the last pings
}

// ColumnSpec is what a column of the player list is made of.
type ColumnSpec struct {
	Heading string // a line of 1..32 bytes
	Align   protocol.Align
	Width   uint8 // percent; 0: by itself
	Order   int   // lower stands farther left, equal ones in the order of their making
	By      string
}

// ListColumn is a column of the player list.
type ListColumn struct {
	Spec    ColumnSpec
	cells   map[*Player]string
	removed atomic.Bool
}

// Removed says whether the column has gone. It needs no permit.
func (c *ListColumn) Removed() bool { return c.removed.Load() }

type (
	wholeListKey struct{}
	updateKey    struct{}
	headerKey    struct{}
	pingsKey     struct{}
)

// ListRow is a player's row.
func (tx Tx) ListRow(p *Player) ListRow { return p.listed.row }

// SetListRow changes it. On an error nothing has changed.
func (tx Tx) SetListRow(p *Player, row ListRow) error {
	if row == p.listed.row {
		return nil
	}
	old := p.listed.row
	p.listed.row = row
	if err := check(&protocol.PlayerListEntry{Entries: []protocol.ListEntry{tx.listEntry(p)}}); err != nil {
		p.listed.row = old
		return err
	}
	tx.rowChanged(p)
	return nil
}

func (tx Tx) rowChanged(p *Player) {
	tx.w.list.rev++
	p.listed.changed = tx.w.list.rev
}

// ListTitle is what stands above the list.
func (tx Tx) ListTitle() string { return tx.w.list.title }

// SetListTitle sets it; by is the resource: it goes when that stops.
func (tx Tx) SetListTitle(title, by string) error {
	l := &tx.w.list
	old := l.title
	l.title = title
	if err := check(tx.listHeader()); err != nil {
		l.title = old
		return err
	}
	l.titleBy, l.titled = ownedBy(title != "", by), l.titled || title != old
	return nil
}

// AddColumn adds a column to the list. The error says what is wrong with it, or who has all of them.
func (tx Tx) AddColumn(s ColumnSpec) (*ListColumn, error) {
	l := &tx.w.list
	if len(l.columns) == maxColumns {
		var owners []string
		for _, other := range l.columns {
			if !slices.Contains(owners, other.Spec.By) {
				owners = append(owners, other.Spec.By)
			}
		}
		return nil, fmt.Errorf("the player list has %d columns already, of %s", maxColumns, strings.Join(owners, ", "))
	}
	c := &ListColumn{Spec: s, cells: make(map[*Player]string)}
	i, _ := slices.BinarySearchFunc(l.columns, s.Order+1, func(o *ListColumn, order int) int { return cmp.Compare(o.Spec.Order, order) })
	l.columns = slices.Insert(l.columns, i, c)
	if err := check(tx.listHeader()); err != nil {
		l.columns = slices.Delete(l.columns, i, i+1)
		return nil, err
	}
	l.rebuilt = true
	return c, nil
}

// RemoveColumn takes a column away.
func (tx Tx) RemoveColumn(c *ListColumn) {
	l := &tx.w.list
	if !c.removed.Swap(true) {
		l.rebuilt = true
		l.columns = slices.DeleteFunc(l.columns, func(o *ListColumn) bool { return o == c })
	}
}

// SetCell sets what stands in a column at a player: a line, up to 32 bytes. On an error nothing has changed.
func (tx Tx) SetCell(c *ListColumn, p *Player, text string) error {
	old := c.cells[p]
	if text == old {
		return nil
	}
	if err := check(&protocol.PlayerListEntry{Entries: []protocol.ListEntry{{Op: protocol.ListWhole, PlayerToken: 1,
		Name: "x", Cells: []string{text}}}}); err != nil {
		return err
	}
	if p.gone || c.Removed() {
		return nil
	}
	c.cells[p] = text
	tx.rowChanged(p)
	return nil
}

// joinList lists one who joins, and sends him everyone, himself too.
func (tx Tx) joinList(p *Player) {
	p.listed.ping = -1
	tx.rowChanged(p)
	p.listed.joined = p.listed.changed
	tx.sendWholeList(p, tx.listPackets(true, tx.Players()))
}

// leaveList takes one who has left out of what waits for the others.
func (tx Tx) leaveList(p *Player) {
	for _, c := range tx.w.list.columns {
		delete(c.cells, p)
	}
}

// listOf takes back what a resource has made of the list.
func (tx Tx) listOf(by string) {
	l := &tx.w.list
	for _, c := range slices.Clone(l.columns) {
		if c.Spec.By == by {
			tx.RemoveColumn(c)
		}
	}
	if l.titleBy == by && by != "" {
		_ = tx.SetListTitle("", "")
	}
}

// tickList tells everyone what has changed.
func (tx Tx) tickList() {
	l := &tx.w.list
	switch {
	case tx.now() < l.next:
		return
	case l.rebuilt:
		packets := tx.listPackets(true, tx.Players())
		for _, to := range tx.w.players {
			tx.settleList(to)
			tx.takeBackLists(to)
			tx.sendWholeList(to, packets)
		}
	case l.titled || l.rev != l.flushed:
		tx.updateLists()
	default:
		return
	}
	l.titled, l.rebuilt, l.flushed = false, false, l.rev
	l.next = tx.now() + time.Duration(max(0, len(tx.w.players)-listFew))*listPause
}

// updateLists sends the header and the rows that have changed. Most are sent the same: only in his own row is one marked.
func (tx Tx) updateLists() {
	l := &tx.w.list
	var rows []*Player
	if l.rev != l.flushed {
		rows = tx.Players()
		rows = slices.DeleteFunc(rows, func(p *Player) bool { return p.listed.changed <= l.flushed })
	}
	packets := tx.listPackets(false, rows)
	for _, to := range tx.w.players {
		if l.titled {
			to.link.Pace(pacer.Thing{Key: headerKey{}, Class: pacer.PlayerList, After: wholeListKey{}, Packets: []protocol.Packet{tx.listHeader()}})
		}
		news, his := rows, packets
		if to.listed.sent > l.flushed { // he has joined since
			news = slices.DeleteFunc(slices.Clone(rows), func(p *Player) bool { return p.listed.changed <= to.listed.sent })
			his = nil
		}
		if len(news) == 0 {
			continue
		}
		tx.settleList(to)
		if owed := to.listed.owed; len(owed) > 0 {
			for _, p := range owed {
				if !slices.Contains(news, p) {
					news = append(slices.Clip(news), p)
				}
			}
			his = nil
		}
		if his == nil {
			his = tx.listPackets(false, news)
		}
		tx.sendUpdate(to, news, his)
		to.listed.sent = l.rev
	}
}

func (tx Tx) sendUpdate(to *Player, rows []*Player, packets []*protocol.PlayerListEntry) {
	to.listed.owed = rows
	to.link.Pace(pacer.Thing{Key: updateKey{}, Class: pacer.PlayerList, After: wholeListKey{}, Packets: forHim(packets, to)})
}

// sendWholeList replaces all that waits of the list, which its caller has taken back.
func (tx Tx) sendWholeList(to *Player, packets []*protocol.PlayerListEntry) {
	to.link.Drop(headerKey{}) // it has other columns
	to.listed.sent = tx.w.list.rev
	to.link.Pace(pacer.Thing{Key: wholeListKey{}, Class: pacer.PlayerList, Packets: forHim(packets, to)})
}

// settleList notes that nothing waits for a player any more: he knows all.
func (tx Tx) settleList(to *Player) {
	if !to.link.Waits(updateKey{}) {
		to.listed.owed = nil
		if !to.link.Waits(wholeListKey{}) {
			to.listed.known = to.listed.sent
		}
	}
}

// takeBackLists drops the rows that wait for a player; whole says whether all did. Of what had begun he may know anything.
func (tx Tx) takeBackLists(to *Player) (whole bool) {
	whole, begun := to.link.Drop(wholeListKey{})
	_, begunToo := to.link.Drop(updateKey{})
	if begun || begunToo {
		to.listed.known = to.listed.sent
	}
	to.listed.owed = nil
	return whole
}

// knew says whether a player has been told of one who has left, and makes what waits again without him: it would follow
// the leave and stay for ever.
func (tx Tx) knew(to, gone *Player) bool {
	tx.settleList(to)
	rows := to.listed.owed
	if gone.listed.joined > to.listed.sent {
		return false
	}
	if to.link.Waits(wholeListKey{}) || slices.Contains(rows, gone) {
		if tx.takeBackLists(to) || tx.w.list.rebuilt { // his header may not fit the rows of now
			tx.sendWholeList(to, tx.listPackets(true, tx.Players()))
		} else if rows = slices.DeleteFunc(slices.Clone(rows), func(p *Player) bool { return p == gone }); len(rows) > 0 {
			tx.sendUpdate(to, rows, tx.listPackets(false, rows))
		}
	}
	return gone.listed.joined <= to.listed.known
}

// listPackets are rows as everybody sees them, with the header before them or not.
func (tx Tx) listPackets(header bool, rows []*Player) (packets []*protocol.PlayerListEntry) {
	batch, size := &protocol.PlayerListEntry{}, 0
	if header {
		batch = tx.listHeader()
		size = listSize(&batch.Entries[0])
	}
	for _, p := range rows {
		e := tx.listEntry(p)
		if n := listSize(&e); size+n > listPacket || len(batch.Entries) == listCount {
			packets = append(packets, batch)
			batch, size = &protocol.PlayerListEntry{}, 0
		}
		batch.Entries = append(batch.Entries, e)
		size += listSize(&e)
	}
	if len(batch.Entries) == 0 {
		return packets
	}
	return append(packets, batch)
}

// forHim are packets of rows with a player's own marked as his.
func forHim(packets []*protocol.PlayerListEntry, to *Player) []protocol.Packet {
	his := make([]protocol.Packet, len(packets))
	for i, m := range packets {
		his[i] = m
		k := slices.IndexFunc(m.Entries, func(e protocol.ListEntry) bool { return e.PlayerToken == to.Token })
		if k >= 0 {
			own := &protocol.PlayerListEntry{Entries: slices.Clone(m.Entries)}
			own.Entries[k].Flags |= protocol.ListSelf
			his[i] = own
		}
	}
	return his
}

func (tx Tx) listHeader() *protocol.PlayerListEntry {
	e := protocol.ListEntry{Op: protocol.ListHeader, PlayerID: protocol.NoPlayer, Title: tx.w.list.title}
	for _, c := range tx.w.list.columns {
		e.Columns = append(e.Columns, protocol.ListColumn{Align: c.Spec.Align, Width: c.Spec.Width, Heading: c.Spec.Heading})
	}
	return &protocol.PlayerListEntry{Entries: []protocol.ListEntry{e}}
}

func (tx Tx) listEntry(p *Player) protocol.ListEntry {
	row := &p.listed.row
	e := protocol.ListEntry{Op: protocol.ListWhole, PlayerID: p.ID, PlayerToken: p.Token, Name: p.Name(), Order: row.Order,
		Color: row.Color, Group: row.Group}
	if row.Hidden {
		e.Flags = protocol.ListHidden
	}
	if ping, _, _, ok := p.link.Ping(); ok {
		e.Ping = uint16(min(ping.Milliseconds(), 0xFFFF))
	}
	if columns := tx.w.list.columns; len(columns) > 0 {
		e.Cells = make([]string, len(columns))
		for i, c := range columns {
			e.Cells[i] = c.cells[p]
		}
	}
	return e
}

// listSize is the bytes of a header or a row.
func listSize(e *protocol.ListEntry) int {
	if e.Op == protocol.ListHeader {
		n := 9 + len(e.Title)
		for i := range e.Columns {
			n += 3 + len(e.Columns[i].Heading)
		}
		return n
	}
	n := 19 + len(e.Name) + len(e.Group)
	for _, cell := range e.Cells {
		n += 1 + len(cell)
	}
	return n
}

// idleLane is the number of unacked events below which pings are sent, pingBatch how many of them one packet holds.
const (
	idleLane  = 64
	pingBatch = listPacket / 9
)

// RefreshPings tells everyone the pings that moved by more than 10 ms and 20 % (page Chat, HUD and dialogs,
// PlayerListEntry), and all of them to who was not told the last time. The host calls it every 5 s.
func (tx Tx) RefreshPings() {
	var all, moved []protocol.ListEntry
	for _, p := range tx.Players() {
		ping, _, _, ok := p.link.Ping()
		if !ok {
			continue
		}
		now, was := int(min(ping.Milliseconds(), 0xFFFF)), p.listed.ping
		by := max(now-was, was-now)
		e := protocol.ListEntry{Op: protocol.ListPing, PlayerID: p.ID, PlayerToken: p.Token, Ping: uint16(now)}
		all = append(all, e)
		if was < 0 || by > 10 && by*5 > was {
			p.listed.ping = now
			moved = append(moved, e)
		}
	}
	everything, changes := pingPackets(all), pingPackets(moved)
	for _, to := range tx.w.players {
		packets := changes
		if to.listed.late {
			packets = everything
		}
		if len(packets) == 0 {
			continue
		}
		to.listed.late = to.link.Unacked() >= idleLane || to.link.Waits(pingsKey{}) || to.link.Waits(wholeListKey{})
		if !to.listed.late {
			to.link.Pace(pacer.Thing{Key: pingsKey{}, Class: pacer.PlayerList, After: updateKey{}, Packets: packets})
		}
	}
}

func pingPackets(entries []protocol.ListEntry) (packets []protocol.Packet) {
	for batch := range slices.Chunk(entries, pingBatch) {
		packets = append(packets, &protocol.PlayerListEntry{Entries: batch})
	}
	return packets
}
