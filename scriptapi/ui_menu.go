package scriptapi

import (
	"fmt"

	"darqline/host/world"
	"darqline/protocol"
	"darqline/scriptapi/bind"
)

// menuArgs are a menu (page Chat, HUD and dialogs, Menus and offers).
type menuArgs struct {
	Title     string         `lua:"title" range:"1..96" doc:"What stands above it."`
	Subtitle  string         `lua:"subtitle,optional" range:"0..160" doc:"What stands below the title."`
	Items     []menuItemArgs `lua:"items" doc:"1 to 128 items."`
	Place     protocol.Place `lua:"place" enum:"top_left|top_right|bottom_left|bottom_right|center" default:"top_left" doc:"Where it stands."`
	Start     bind.Raw       `lua:"start,optional" doc:"The id of the item that is selected first, or its number."`
	Closable  bool           `lua:"closable" default:"true" doc:"Whether the player may leave it."`
	Hold      bool           `lua:"hold" default:"false" doc:"Whether he stands still meanwhile."`
	Highlight bool           `lua:"highlight" default:"false" doc:"Whether the item that he stands on is told."`
	Death     bool           `lua:"close_on_death" default:"true" doc:"Whether his death closes it."`
}

type setItemsArgs struct {
	Items []menuItemArgs `lua:"items" doc:"1 to 128 items. One with the id and the kind of one that there is stays that one, with what it is now."`
}

type addItemArgs struct {
	Item   menuItemArgs    `lua:"item" doc:"The item."`
	Before *world.MenuItem `lua:"before,optional" doc:"The item before which it stands; it is the last without it."`
}

type itemIDArgs struct {
	ID bind.Raw `lua:"id" doc:"The item's id."`
}

// openMenu is what Lua's side keeps of a menu: the world's Owner of it.
type openMenu struct {
	hooks
	waits  []func(menuEvent)
	kept   []menuEvent // since the last wait
	over   *menuEvent
	choose func(chosen) // of player:choose
}

// keptMenuEvents is how many selections and changes are kept for the next wait.
const keptMenuEvents = 16

// menuEvent is what a wait for a menu ends with.
type menuEvent struct {
	item   *world.MenuItem
	handle bind.Raw // of item
	value  any
	reason string // where it is over
}

// menuInput is what menu:wait returns.
type menuInput struct {
	bind.Tuple
	Item  bind.Raw `lua:"item,optional" doc:"The item that was selected or changed."`
	Value any      `lua:"value,optional" doc:"What it was changed to."`
}

func (e menuEvent) result() (menuInput, error) {
	return menuInput{Item: e.handle, Value: e.value}, bind.Because(e.reason)
}

// chosen is what player:choose ends with.
type chosen struct {
	item   *world.MenuItem
	reason string
	err    error
}

// menuReasons are why a menu may be over.
var menuReasons = []string{"cancel", "closed", "replaced", "death", "leave", "stop"}

// menuEvents are the events of menu:on.
var menuEvents = []string{"select", "change", "highlight", "close"}

func (rt *Runtime) declarePlayerMenus(h *bind.Handle[*world.Player]) {
	h.Add(
		bind.Method("choose", "Opens a menu, waits until the player selects an item, and closes it.", rt.choose, bind.Keyed(), bind.Waits(),
			bind.OrNil(), bind.Reasons(menuReasons...), bind.Returns("The item that he selected; its value and the others' can still be read."),
			bind.Example(`local item, why = player:choose{ title = "Where to?", items = { { label = "Beach", id = 1 }, { label = "Airport", id = 2 } } }
if item then player:message("To the " .. item.label) end`)),
		bind.Method("open_menu", "Opens a menu in place of the one that he has open, and goes on.", rt.openMenu, bind.Keyed(),
			bind.Returns("The menu; :wait() waits for what he does in it."),
			bind.Example(`local menu = player:open_menu{ title = "Radio", items = { { label = "Volume", slider = { 0, 100, step = 5 }, at = 50 } } }
menu:on("change", function(item, value, old) player:message("Volume " .. value) end)`)),
	)
}

func (rt *Runtime) declareMenus(r *bind.Registry) {
	text := func(name, doc, limits string, get func(title, subtitle string) string, set func(tx world.Tx, m *world.Menu, title, subtitle, v string) error) bind.HandleMember[*world.Menu] {
		return bind.Prop(name, doc, read(rt, func(tx world.Tx, m *world.Menu) string { return get(tx.MenuHead(m)) }),
			write(rt, func(tx world.Tx, m *world.Menu, v string) error {
				title, subtitle := tx.MenuHead(m)
				return set(tx, m, title, subtitle, v)
			}), bind.Tag(`range:"`+limits+`"`))
	}
	bind.NewHandle(r, bind.HandleSpec[*world.Menu]{Name: "Menu", Type: "menu", Doc: "A list that a player moves through by keys.", NoType: true}).Add(
		bind.Prop("id", "Its number; never repeats.", read(rt, func(tx world.Tx, m *world.Menu) int { return int(tx.MenuID(m)) }), nil),
		bind.Prop("player", "Who sees it.", func(m *world.Menu) *world.Player { return m.Player }, nil),
		bind.Prop("open", "Whether it is not over.", read(rt, world.Tx.MenuOpen), nil),
		bind.Prop("selected", "The item that the player is known to have stood on last: with highlight where he stands now; nil when it is over.",
			read(rt, func(tx world.Tx, m *world.Menu) *world.MenuItem {
				if !tx.MenuOpen(m) {
					return nil
				}
				return tx.MenuSelection(m)
			}), nil, bind.OrNil()),
		text("title", "What stands above it.", "1..96", func(title, _ string) string { return title },
			func(tx world.Tx, m *world.Menu, _, subtitle, v string) error { return tx.SetMenuHead(m, v, subtitle) }),
		text("subtitle", "What stands below the title.", "0..160", func(_, subtitle string) string { return subtitle },
			func(tx world.Tx, m *world.Menu, title, _, v string) error { return tx.SetMenuHead(m, title, v) }),
		bind.CallPropAs("items", "Its items in the order of the screen, none when it is over. A list of items sets all, as set_items does.",
			readHere(rt, itemsOf), rt.setItems),
		bind.Method("item", "Finds an item by its id.", func(c *bind.Call, m *world.Menu, a itemIDArgs) (*world.MenuItem, error) {
			if err := ownMenu(c, m); err != nil {
				return nil, err
			}
			tx := rt.begin()
			defer tx.End()
			return itemByID(itemsOf(tx, m), a.ID), nil
		}, bind.OrNil(), bind.Returns("The item, or nil.")),
		bind.Method("add", "Adds an item.", rt.addItem, bind.Returns("The item.")),
		bind.Method("set_items", "Sets all items.", func(c *bind.Call, m *world.Menu, a setItemsArgs) (bind.None, error) {
			return bind.None{}, rt.setItems(c, m, a.Items)
		}),
		bind.Method("on", "Runs a function when an item is selected or changed (false keeps the menu open, or puts the old value back), when the player stands on another one, or when the menu is over.",
			func(c *bind.Call, m *world.Menu, a hookArgs) (*hook, error) {
				if err := ownMenu(c, m); err != nil {
					return nil, err
				}
				return m.Owner.(*openMenu).on(a, menuEvents...)
			}, bind.Returns("The handler; :off() ends it."),
			bind.Example(`local menu = player:open_menu{ title = "Door", items = { { label = "Open", id = "open", close = true } } }
menu:on("select", function(item) if player.money < 100 then return false end end)`)),
		bind.Method("wait", "Waits for the next item that is selected or changed. 16 are kept since the last wait, with the changes of one item merged.",
			rt.waitMenu, bind.Waits(), bind.Reasons(menuReasons...), bind.Returns("The item, and what it was changed to.")),
		bind.Method("close", "Takes it from the player's screen.", func(_ *bind.Call, m *world.Menu, _ bind.None) (bind.None, error) {
			m.Owner.(*openMenu).kept = nil
			return rt.with(func(tx world.Tx) error { tx.CloseMenu(m); return nil })
		}),
	)
	rt.declareMenuItems(r)
}

// itemsOf are a menu's items while it is open: afterwards nothing would take their handles back.
func itemsOf(tx world.Tx, m *world.Menu) []*world.MenuItem {
	if !tx.MenuOpen(m) {
		return nil
	}
	return tx.MenuItems(m)
}

// ownMenu refuses what only the resource may do that has opened a menu.
func ownMenu(c *bind.Call, m *world.Menu) error {
	if own := m.Owner.(*openMenu).inst; own != instanceOf(c) {
		return fmt.Errorf("the menu is one of %s", own.name())
	}
	return nil
}

func (rt *Runtime) choose(c *bind.Call, p *world.Player, a menuArgs) (*world.MenuItem, error) {
	k := &openMenu{hooks: hooks{inst: instanceOf(c)}}
	spec, err := a.spec(k)
	if err != nil {
		return nil, err
	}
	answer := bind.Ask(c, chosen{reason: "stop"}, func(wake func(chosen)) {
		k.choose = wake
		if _, err := rt.showMenu(p, spec, k); err != nil {
			wake(chosen{err: err})
		}
	})
	if answer.err != nil {
		return nil, answer.err
	}
	return answer.item, bind.Because(answer.reason)
}

func (rt *Runtime) openMenu(c *bind.Call, p *world.Player, a menuArgs) (*world.Menu, error) {
	k := &openMenu{hooks: hooks{inst: instanceOf(c)}}
	if k.inst.stopping {
		return nil, errStopping
	}
	spec, err := a.spec(k)
	if err != nil {
		return nil, err
	}
	return rt.showMenu(p, spec, k)
}

// showMenu opens a menu; one that is over at once, of which nothing will tell, ends here.
func (rt *Runtime) showMenu(p *world.Player, spec world.MenuSpec, k *openMenu) (*world.Menu, error) {
	tx := rt.begin()
	defer tx.End()
	m, told, err := tx.OpenMenu(p, spec)
	if err == nil && !told {
		k.finish(string(tx.MenuEnd(m)))
	}
	return m, err
}

func (rt *Runtime) waitMenu(c *bind.Call, m *world.Menu, _ bind.None) (menuInput, error) {
	if err := ownMenu(c, m); err != nil {
		return menuInput{}, err
	}
	k := m.Owner.(*openMenu)
	switch {
	case len(k.kept) > 0:
		e := k.kept[0]
		k.kept = k.kept[1:]
		return e.result()
	case k.over != nil:
		return k.over.result()
	}
	return bind.Ask(c, menuEvent{reason: "stop"}, func(wake func(menuEvent)) { k.waits = append(k.waits, wake) }).result()
}

// tell gives what the player did to who waits, or keeps it for the next wait.
func (k *openMenu) tell(e menuEvent) {
	if len(k.waits) > 0 {
		k.wake(e)
		return
	}
	if e.value != nil {
		for n := range k.kept {
			if k.kept[n].item == e.item && k.kept[n].value != nil {
				k.kept[n].value = e.value
				return
			}
		}
	}
	if len(k.kept) == keptMenuEvents {
		k.kept = k.kept[1:]
	}
	k.kept = append(k.kept, e)
}

func (k *openMenu) wake(e menuEvent) {
	waits := k.waits
	k.waits = nil
	for _, wake := range waits {
		wake(e)
	}
}

// finish tells that a menu is over.
func (k *openMenu) finish(reason string) {
	e := menuEvent{reason: reason}
	k.over = &e
	k.wake(e)
	if k.choose != nil {
		k.choose(chosen{reason: reason})
		k.choose = nil
	}
}

// deaf says whether a menu says nothing more: what a script has ended is over for it at once.
func (rt *Runtime) deaf(m *world.Menu) bool {
	tx := rt.begin()
	defer tx.End()
	switch tx.MenuEnd(m) {
	case world.EndClosed, world.EndReplaced, world.EndStop:
		return true
	}
	return m.Owner.(*openMenu).inst.stopping
}

func (rt *Runtime) menuSelected(i *world.MenuItem, revision uint16) {
	tx := rt.begin()
	still := tx.TakeMenuSelection(i, revision)
	tx.End()
	if !still || rt.deaf(i.Menu) {
		return
	}
	k := i.Menu.Owner.(*openMenu)
	keep := k.fire(rt, "select", "menu", i)
	if rt.deaf(i.Menu) { // a handler has closed it
		return
	}
	if choose := k.choose; choose != nil {
		k.choose = nil
		choose(chosen{item: i})
		_, _ = rt.with(func(tx world.Tx) error { tx.CloseMenu(i.Menu); return nil })
		rt.scheduler.GoOn()
		return
	}
	k.tell(menuEvent{item: i, handle: k.inst.env.Raw(i)})
	_, _ = rt.with(func(tx world.Tx) error { tx.SelectedMenuItem(i, keep); return nil })
	rt.scheduler.GoOn() // the script decides about this key before the next one counts
}

func (rt *Runtime) menuChanged(i *world.MenuItem) {
	tx := rt.begin()
	value, old, ok := tx.TakeMenuChange(i)
	state := tx.MenuItemState(i)
	tx.End()
	if !ok || rt.deaf(i.Menu) {
		return
	}
	k, given := i.Menu.Owner.(*openMenu), i.Owner.(*menuItem)
	now := given.value(state.Kind, value)
	if k.fire(rt, "change", "menu", i, now, given.value(state.Kind, old)) {
		_, _ = rt.with(func(tx world.Tx) error { tx.RefuseMenuChange(i, value, old); return nil })
		return
	}
	if !rt.deaf(i.Menu) {
		k.tell(menuEvent{item: i, handle: k.inst.env.Raw(i), value: now})
	}
}

func (rt *Runtime) menuHighlighted(i *world.MenuItem) {
	if !rt.deaf(i.Menu) {
		i.Menu.Owner.(*openMenu).fire(rt, "highlight", "menu", i)
	}
}

// menuDone tells that a menu is over, and forgets it and its items.
func (rt *Runtime) menuDone(m *world.Menu) {
	tx := rt.begin()
	reason := tx.MenuEnd(m)
	items := tx.MenuItems(m)
	tx.End()
	k := m.Owner.(*openMenu)
	if reason == world.EndReplaced {
		k.kept = nil
	}
	k.finish(string(reason))
	k.fire(rt, "close", "menu", string(reason))
	k.hooks.end()
	for _, in := range rt.instances {
		in.env.Release(m)
		for _, i := range items {
			in.env.Release(i)
		}
	}
}
