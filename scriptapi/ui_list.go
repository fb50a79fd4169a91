package scriptapi

import (
	"fmt"
	"math"
	"strconv"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// listEntryOf is the handle behind player.list_entry.
type listEntryOf struct{ p *world.Player }

type columnSpecArgs struct {
	Label string         `lua:"label" range:"1..32" doc:"The heading."`
	Align protocol.Align `lua:"align" enum:"left|center|right" default:"left" doc:"How its cells stand."`
	Width uint8          `lua:"width" range:"0..100" default:"0" doc:"In percent; 0: by itself."`
	Order int            `lua:"order" range:"-32768..32767" default:"0" doc:"Lower stands farther left."`
}

type cellArgs struct {
	Player *world.Player `lua:"player" doc:"In whose row."`
	Value  bind.Raw      `lua:"value" doc:"A text with markup of up to 32 bytes, or a number; nil empties the cell."`
}

// declarePlayerList declares how a player stands in the player list and what his nametag looks like.
func (rt *Runtime) declarePlayerList(h *bind.Handle[*world.Player]) {
	h.Add(
		bind.Prop("list_entry", "How he stands in the player list: player.list_entry.group = \"Police\".",
			func(p *world.Player) listEntryOf { return listEntryOf{p} }, nil),
		bind.Prop("nametag", "How his name looks over his head: player.nametag.text = \"Police\".",
			func(p *world.Player) nametagOf { return nametagOf{p} }, nil),
	)
}

// rowProp is a property of a player's row.
func rowProp[V any](rt *Runtime, name, doc, tag string, get func(row world.ListRow) V, set func(row *world.ListRow, v V)) bind.HandleMember[listEntryOf] {
	return bind.Prop(name, doc, read(rt, func(tx world.Tx, e listEntryOf) V { return get(tx.ListRow(e.p)) }),
		write(rt, func(tx world.Tx, e listEntryOf, v V) error {
			row := tx.ListRow(e.p)
			set(&row, v)
			return tx.SetListRow(e.p, row)
		}), bind.Tag(tag))
}

func (rt *Runtime) declareList(r *bind.Registry) {
	bind.NewHandle(r, bind.HandleSpec[listEntryOf]{
		Name: "ListEntry", Type: "list_entry", Doc: "How a player stands in the player list. It stays when the resource stops.",
		Gone: "this player has left", NoType: true,
		Valid: func(e listEntryOf) bool { return e.p.Valid() }, String: func(e listEntryOf) string { return e.p.String() },
	}).Add(
		rowProp(rt, "color", "The color of his name, in the list, in chat and over his head; nil: the theme's.", "",
			func(row world.ListRow) *bind.RGBA { return color(row.Color) },
			func(row *world.ListRow, v *bind.RGBA) { row.Color = wireColor(v) }),
		rowProp(rt, "group", "His group, a line of up to 32 bytes: those of one group stand together under it and read each other's team lines; empty: none.", `range:"0..32"`,
			func(row world.ListRow) string { return row.Group }, func(row *world.ListRow, v string) { row.Group = v }),
		rowProp(rt, "order", "Where he stands; equal ones by id.", "",
			func(row world.ListRow) int16 { return row.Order }, func(row *world.ListRow, v int16) { row.Order = v }),
		rowProp(rt, "listed", "Whether the list shows him.", "",
			func(row world.ListRow) bool { return !row.Hidden }, func(row *world.ListRow, v bool) { row.Hidden = !v }),
	)
	r.Module("mp.ui.player_list", "The player list.").Add(
		bind.GetSet("title", "What stands above it, until the resource stops.", func(*bind.Call) string {
			tx := rt.begin()
			defer tx.End()
			return tx.ListTitle()
		}, func(c *bind.Call, v string) error {
			tx := rt.begin()
			defer tx.End()
			return tx.SetListTitle(v, instanceOf(c).name())
		}, bind.Tag(`range:"0..96"`)),
		bind.Func("column", "Adds a column; there are 6 for all resources. It goes when the resource stops.",
			func(c *bind.Call, a columnSpecArgs) (*world.ListColumn, error) {
				tx := rt.begin()
				defer tx.End()
				return tx.AddColumn(world.ColumnSpec{Heading: a.Label, Align: a.Align, Width: a.Width, Order: a.Order, By: instanceOf(c).name()})
			}, bind.Keyed(), bind.Returns("The column."),
			bind.Example(`local score = mp.ui.player_list.column{ label = "Score", align = "right" }
mp.on("player_join", function(player) score:set(player, 0) end)`)),
	)
	bind.NewHandle(r, bind.HandleSpec[*world.ListColumn]{
		Name: "ListColumn", Type: "column", Doc: "A column of the player list.", NoType: true, Gone: "this column was removed",
		Valid:  func(c *world.ListColumn) bool { return !c.Removed() },
		String: func(c *world.ListColumn) string { return strconv.Quote(c.Spec.Heading) },
	}).Add(
		bind.Prop("label", "The heading.", func(c *world.ListColumn) string { return c.Spec.Heading }, nil),
		bind.Method("set", "Writes into a player's row.", func(_ *bind.Call, c *world.ListColumn, a cellArgs) (bind.None, error) {
			text, err := cellText(a.Value)
			if err != nil {
				return bind.None{}, err
			}
			return rt.with(func(tx world.Tx) error { return tx.SetCell(c, a.Player, text) })
		}),
		bind.Method("remove", "Takes the column away.", func(_ *bind.Call, c *world.ListColumn, _ bind.None) (bind.None, error) {
			_, err := rt.with(func(tx world.Tx) error { tx.RemoveColumn(c); return nil })
			rt.drop(c)
			return bind.None{}, err
		}),
	)
}

// cellText words what a cell is set to.
func cellText(raw bind.Raw) (string, error) {
	plain, _ := raw.Plain()
	switch v := plain.(type) {
	case nil:
		if raw.IsNil() {
			return "", nil
		}
	case string:
		if len(v) > 32 {
			return "", fmt.Errorf("argument 2 \"value\": at most 32 bytes expected, got %d", len(v))
		}
		return v, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "", fmt.Errorf("argument 2 \"value\": a finite number expected, got %g", v)
		}
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return "", fmt.Errorf("argument 2 \"value\": a text or a number expected, got %s", raw.Describe())
}
