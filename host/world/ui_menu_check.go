package world

import (
	"cmp"
	"fmt"
	"math"

	"darqline/protocol"
)

// checkMenuItems says what is wrong with a list of items.
func checkMenuItems(list []MenuEntry) error {
	switch {
	case len(list) == 0:
		return fmt.Errorf("field \"items\": none, a menu has 1 to %d", protocol.MaxMenuItems)
	case len(list) > protocol.MaxMenuItems:
		return fmt.Errorf("field \"items\": %d items, at most %d", len(list), protocol.MaxMenuItems)
	}
	for n := range list {
		if err := checkMenuItem(fmt.Sprintf("items[%d]", n+1), &list[n].State); err != nil {
			return err
		}
	}
	return nil
}

// checkMenuItem says what is wrong with an item; at is its field, or empty where one item is meant.
func checkMenuItem(at string, s *protocol.MenuItem) error {
	field := func(name string) string {
		if at == "" {
			return name
		}
		return at + "." + name
	}
	if s.Label == "" {
		return fmt.Errorf("field %q: an item has one", field("label"))
	}
	err := cmp.Or(line(field("label"), s.Label, menuLabel), line(field("detail"), s.Detail, menuDetail),
		line(field("help"), s.Help, menuHelp))
	if err != nil {
		return err
	}
	switch {
	case s.Kind == protocol.MenuHeading && s.Flags != 0:
		return fmt.Errorf("field %q: a heading is neither disabled nor does it lead on or close the menu", field("heading"))
	case s.Kind != protocol.MenuSelect && s.Flags&protocol.MenuItemCloses != 0:
		return fmt.Errorf("field %q: a %v does not close the menu", field("close"), s.Kind)
	case s.Kind == protocol.MenuChoice:
		err = checkChoice(field, &s.Choice)
	case s.Kind == protocol.MenuSlider:
		err = checkSlider(field, &s.Slider)
	}
	if err != nil {
		return err
	}
	item := *s
	item.ItemID, item.Op = 1, protocol.MenuSet
	if size := itemSize(&item); size > protocol.MaxMenuItem {
		err = fmt.Errorf("the item has %s bytes, at most %s: shorten its options", grouped(size), grouped(protocol.MaxMenuItem))
	} else {
		err = check(&protocol.MenuItems{MenuID: 1, Items: []protocol.MenuItem{item}})
	}
	if err != nil && at != "" {
		return fmt.Errorf("field %q: %w", at, err)
	}
	return err
}

func checkChoice(field func(string) string, c *protocol.MenuOptions) error {
	n := len(c.Options)
	switch {
	case n == 0 || n > menuOptions:
		return fmt.Errorf("field %q: %d options, 1..%d expected", field("choice"), n, menuOptions)
	case int(c.Value) >= n:
		return fmt.Errorf("field %q: there is no option %d, there are %d", field("at"), int(c.Value)+1, n)
	}
	for k, option := range c.Options {
		name := field(fmt.Sprintf("choice[%d]", k+1))
		if option == "" {
			return fmt.Errorf("field %q: it is empty", name)
		}
		if err := line(name, option, menuOption); err != nil {
			return err
		}
	}
	return nil
}

func checkSlider(field func(string) string, s *protocol.MenuScale) error {
	low, high := float64(s.Min), float64(s.Min)+float64(s.Step)*float64(s.Steps)
	switch {
	case !(math.Abs(low) <= menuFar && math.Abs(high) <= menuFar && s.Step > 0 && s.Step <= menuFar):
		return fmt.Errorf("field %q: a step above 0 and bounds within 1,000,000 expected", field("slider"))
	case s.Steps == 0 || s.Steps > menuSteps:
		return fmt.Errorf("field %q: %s steps, 1..%s expected", field("slider"), grouped(int(s.Steps)), grouped(menuSteps))
	case s.Value > s.Steps:
		return fmt.Errorf("field %q: step %d of %d", field("at"), s.Value, s.Steps)
	}
	return line(field("slider.unit"), s.Unit, menuUnit)
}
