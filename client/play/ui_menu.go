package play

import (
	"slices"
	"strconv"

	"darqline/client"
	"darqline/protocol"
)

// menu is the open menu.
type menu struct {
	ID       uint32     `json:"id"`
	Title    string     `json:"title"`
	Subtitle string     `json:"subtitle,omitempty"`
	Place    string     `json:"place"` // top_left, top_right, bottom_left, bottom_right, center
	Closable bool       `json:"closable,omitempty"`
	Hold     bool       `json:"hold,omitempty"` // the player stands still
	Items    []menuItem `json:"items"`
	Selected uint16     `json:"selected"` // 0: none
	Awaiting bool       `json:"awaiting,omitempty"`
	// Version rises when an item becomes another one. A key that was pressed on an older version neither selects nor
	// changes anything.
	Version uint64 `json:"version"`

	shown client.Menu // as it came
}

type menuItem struct {
	ID       uint16   `json:"id"`
	Kind     string   `json:"kind"` // select, toggle, choice, slider, heading
	Label    string   `json:"label"`
	Detail   string   `json:"detail,omitempty"`
	Help     string   `json:"help,omitempty"`
	Icon     string   `json:"icon,omitempty"`
	Color    string   `json:"color,omitempty"`
	Disabled bool     `json:"disabled,omitempty"`
	Arrow    bool     `json:"arrow,omitempty"`
	Options  []string `json:"options,omitempty"` // choice
	Value    uint16   `json:"value"`             // toggle 0 or 1, number of the option, step of the slider
	Min      float64  `json:"min"`               // slider: shown is min + value*step
	Step     float64  `json:"step,omitempty"`
	Steps    uint16   `json:"steps,omitempty"`
	Unit     string   `json:"unit,omitempty"`
}

// menuKey is a key of the menu, pressed on what the page shows.
type menuKey struct {
	Menu    uint32 `json:"menu"`
	Key     string `json:"key"` // menu_up, menu_down, menu_left, menu_right, menu_select, menu_back
	Version uint64 `json:"version"`
}

func menuOf(v client.Menu) *menu {
	out := &menu{
		ID: v.ID, Title: v.Title, Subtitle: v.Subtitle, Place: v.Place.String(), Selected: v.Selected, Awaiting: v.Awaiting,
		Closable: v.Flags&protocol.MenuClosable != 0, Hold: v.Flags&protocol.MenuHold != 0, Items: []menuItem{}, shown: v,
	}
	for _, i := range v.Items {
		item := menuItem{
			ID: i.ItemID, Kind: i.Kind.String(), Label: i.Label, Detail: i.Detail, Help: i.Help, Icon: iconName(i.Icon), Color: color(i.Color),
			Disabled: i.Flags&protocol.MenuItemDisabled != 0, Arrow: i.Flags&protocol.MenuItemArrow != 0,
		}
		switch i.Kind {
		case protocol.MenuToggle:
			if i.Toggle {
				item.Value = 1
			}
		case protocol.MenuChoice:
			item.Value, item.Options = uint16(i.Choice.Value), i.Choice.Options
		case protocol.MenuSlider:
			item.Value, item.Steps, item.Unit = i.Slider.Value, i.Slider.Steps, i.Slider.Unit
			item.Min, item.Step = shortest(i.Slider.Min), shortest(i.Slider.Step)
		}
		out.Items = append(out.Items, item)
	}
	return out
}

// another tells that an item of the menu is not what it was.
func (v *menu) another(old *menu) bool {
	return old != nil && slices.ContainsFunc(old.shown.Items, func(i protocol.MenuItem) bool {
		now := v.shown.Item(i.ItemID)
		return now == nil || now.Revision != i.Revision
	})
}

func (m *model) setMenu(v *menu) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old := m.ui.Menu; old != nil && old.ID == v.ID {
		v.Version = old.Version
		if v.another(old) {
			v.Version++
		}
	}
	m.ui.Menu = v
	m.broadcast(message{Type: "menu", Menu: v})
}

func (m *model) closeMenu(id uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ui.Menu == nil || m.ui.Menu.ID != id {
		return
	}
	m.ui.Menu = nil
	m.broadcast(message{Type: "menu_end", ID: uint64(id)})
}

// pressed is what a key means in the menu; false: nothing.
func (m *model) pressed(k menuKey) (protocol.MenuInput, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := functionByName(k.Key)
	v := m.ui.Menu
	if !ok || !f.Menu() || v == nil || v.ID != k.Menu {
		return protocol.MenuInput{}, false
	}
	moves := f == protocol.FunctionMenuUp || f == protocol.FunctionMenuDown || f == protocol.FunctionMenuBack
	if !moves && k.Version != v.Version {
		return protocol.MenuInput{}, false
	}
	return v.shown.Press(f)
}

func (h *handler) Menu(v client.Menu)                         { h.m.setMenu(menuOf(v)) }
func (h *handler) MenuClosed(id uint32, _ client.CloseReason) { h.m.closeMenu(id) }

// pressMenu does what a key of the menu means.
func (s *seat) pressMenu(k menuKey) error {
	in, ok := s.model.pressed(k)
	if !ok {
		return nil
	}
	return s.asked(func(now session) error { return now.MenuInput(in) })
}

// asked is with without what is no news.
func (s *seat) asked(f func(session) error) error {
	if err := s.with(f); err != nil && !quiet(err) {
		return err
	}
	return nil
}

// shortest is a float32 as the decimal number that somebody wrote.
func shortest(v float32) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	return f
}
