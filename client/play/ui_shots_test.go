package play

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"darqline/client"
	"darqline/protocol"
)

// shootAt takes a picture of the page at each of some sizes, into the folder DARQLINE_SCREENSHOTS.
func shootAt(t *testing.T, ctx context.Context, name string, sizes ...[2]int64) {
	t.Helper()
	for _, size := range sizes {
		do(t, ctx, chromedp.EmulateViewport(size[0], size[1]))
		time.Sleep(400 * time.Millisecond) // transitions; a picture, not a test
		picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(os.Getenv("DARQLINE_SCREENSHOTS"), fmt.Sprintf("%s-%d.png", name, size[0]))
		if err := os.WriteFile(file, picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	do(t, ctx, chromedp.EmulateViewport(1280, 720))
}

// dialogs are one of each kind, with all that they can have.
func dialogs(now time.Time) map[string]client.Dialog {
	texts := func(title, body string, buttons ...string) protocol.DialogTexts {
		buttons = append(buttons, "", "", "")
		return protocol.DialogTexts{Title: title, Body: body, Accept: buttons[0], Cancel: buttons[1], Extra: buttons[2]}
	}
	row := func(flags protocol.RowFlags, cells ...string) protocol.TableRow {
		return protocol.TableRow{Flags: flags, Cells: cells}
	}
	lines := []protocol.TableRow{}
	for i := range 60 {
		lines = append(lines, row(0, fmt.Sprintf("{FFB454}%d.{/} No driving on the pavement, whatever the sirens behind you say.", i+1)))
	}
	streets := []protocol.TableRow{}
	for i, name := range strings.Fields("Ganton Idlewood Jefferson Glen_Park Las_Colinas El_Corona Willowfield Verona_Beach Santa_Maria_Beach Marina Temple Market Rodeo Vinewood Mulholland Richman") {
		flags := protocol.RowFlags(0)
		if i == 3 || i == 6 {
			flags = protocol.RowDisabled
		}
		streets = append(streets, row(flags, strings.ReplaceAll(name, "_", " ")))
	}
	return map[string]client.Dialog{
		"message": {Kind: client.DialogMessage, Cancellable: true, DialogTexts: texts("Welcome to {FFB454}Los Santos",
			"Two things before you go:\n\nPress {key:7} at a door to open it, and mind the {FF8A80}red zones{/}: who dies there\nloses what he carries.", "Got it", "Later")},
		"rules": {Kind: client.DialogMessage, DialogTexts: texts("Rules of this server", "Read them to the end, please.", "I agree"), Rows: lines,
			Opened: now, Until: now.Add(45 * time.Second)},
		"input": {Kind: client.DialogInput, Cancellable: true, MinChars: 3, MaxChars: 24, Initial: "Grove Stre", Placeholder: "Name of the gang",
			DialogTexts: texts("Found a gang", "It costs {7BD88F}$5,000{/}. How is it called?", "Found", "Cancel"), Error: "there is a gang of this name already", ErrorField: -1},
		"lines": {Kind: client.DialogInput, Lines: true, Cancellable: true, MaxChars: 256, Initial: "Meet me at the pier.\nBring the car.",
			DialogTexts: texts("A letter to Marta", "", "Send", "Cancel", "Save")},
		"password": {Kind: client.DialogPassword, MinChars: 6, MaxChars: 64, Cancellable: true, Placeholder: "Password",
			DialogTexts: texts("Sign in", "This name is registered. Its password?", "", "Leave"), Opened: now, Until: now.Add(8 * time.Second)},
		"list": {Kind: client.DialogList, Cancellable: true, Filter: true, Rows: streets, Start: 1,
			DialogTexts: texts("Where do you want to live?", "", "Move in", "Cancel")},
		"table": {Kind: client.DialogTable, Cancellable: true, Filter: true, Sortable: true, Start: 1,
			DialogTexts: texts("Ammu-Nation", "You have {7BD88F}$2,400{/}.", "Buy", "Leave", "Try it"),
			Columns:     []protocol.TableColumn{{Heading: "Weapon", Width: 50}, {Heading: "Damage", Align: protocol.AlignCenter}, {Heading: "Price", Align: protocol.AlignRight}},
			Rows: []protocol.TableRow{row(0, "Colt 45", "25", "$500"), row(0, "{FFB454}Shotgun", "30", "$1,200"), row(protocol.RowDisabled, "AK-47", "30", "$3,500"),
				row(0, "Micro Uzi", "20", "$950"), row(protocol.RowDisabled, "Sniper rifle", "125", "$10,000"), row(0, "Katana", "40", "$80")}},
		"form": {Kind: client.DialogForm, Cancellable: true, ErrorField: 1, Error: "you have only $300",
			DialogTexts: texts("AK-47", "Fill in what you need; the rest is standard.", "Pay", "Back"), Fields: formFields()},
	}
}

// formFields are one of each type.
func formFields() []protocol.FormField {
	const required, initial = protocol.FormRequired, protocol.FormInitial
	return []protocol.FormField{
		{Type: protocol.FormNote, Label: "All sales are {FFB454}final{/}. The clerk does not know you."},
		{Type: protocol.FormNumber, Flags: required | initial | protocol.FormWhole | protocol.FormSlider, Label: "Rounds, $2 each",
			Number: protocol.NumberField{Min: 17, Max: 500, Step: 1, Initial: 134}},
		{Type: protocol.FormChoice, Label: "Paint", Choice: protocol.ChoiceField{Initial: protocol.NoChoice, Options: []string{"{FFD166}Gold", "Camouflage", "Black"}}},
		{Type: protocol.FormString, Flags: required, Label: "Engraving", Help: "Whatever you write stays on it", String: protocol.StringField{MinChars: 2, MaxChars: 20}},
		{Type: protocol.FormBoolean, Flags: required | initial, Label: "Gift wrapping", Boolean: true},
		{Type: protocol.FormChoices, Label: "Accessories", Choices: protocol.ChoicesField{Least: 0, Most: 3,
			Options: []string{"Sling", "Scope", "Silencer", "Second magazine", "Cleaning kit", "Case", "Laser"}, Initial: 0b101}, Flags: initial | protocol.FormFilter},
		{Type: protocol.FormColor, Label: "Color of the sling", Color: protocol.RGBA{R: 0x7c, G: 0xb7, B: 0xff, A: 255}, Flags: initial},
		{Type: protocol.FormDate, Flags: required | initial, Label: "Delivery", Date: protocol.DateField{Min: 20000, Max: 30000, Initial: 20800}},
		{Type: protocol.FormNumber, Label: "Discount", Number: protocol.NumberField{Min: 0, Max: 0.5, Step: 0.05}},
		{Type: protocol.FormString, Flags: protocol.FormLines, Label: "A note for the courier", String: protocol.StringField{MaxChars: 200}},
		{Type: protocol.FormString, Flags: protocol.FormReadOnly | initial, Label: "Serial number", String: protocol.StringField{MaxChars: 20, Initial: "SA-0092-77"}},
	}
}

// jobMenu is a menu with an item of each kind.
func jobMenu(place protocol.Place) client.Menu {
	return client.Menu{ID: 4, Flags: protocol.MenuClosable, Place: place, Selected: 3, MenuContent: protocol.MenuContent{Title: "Job centre", Subtitle: "Los Santos, {FFB454}open{/} till 22:00"},
		Items: []protocol.MenuItem{
			{ItemID: 1, Op: protocol.MenuSet, Kind: protocol.MenuSelect, Icon: 10, Label: "Trucker", Detail: "3 left", Flags: protocol.MenuItemCloses},
			{ItemID: 2, Op: protocol.MenuSet, Kind: protocol.MenuSelect, Icon: 21, Label: "Medic", Detail: "none left", Flags: protocol.MenuItemDisabled},
			{ItemID: 3, Op: protocol.MenuSet, Kind: protocol.MenuSlider, Icon: 30, Label: "Radius", Help: "How far to drive", Revision: 2, Slider: protocol.MenuScale{Min: 100, Step: 100, Steps: 19, Value: 4, Unit: "m"}},
			{ItemID: 4, Op: protocol.MenuSet, Kind: protocol.MenuHeading, Label: "How you work"},
			{ItemID: 5, Op: protocol.MenuSet, Kind: protocol.MenuChoice, Icon: 31, Label: "Shift", Choice: protocol.MenuOptions{Value: 1, Options: []string{"Day", "Night"}}},
			{ItemID: 6, Op: protocol.MenuSet, Kind: protocol.MenuToggle, Icon: 34, Label: "Radio", Toggle: true},
			{ItemID: 7, Op: protocol.MenuSet, Kind: protocol.MenuSelect, Icon: 28, Label: "Your record", Flags: protocol.MenuItemArrow, Color: protocol.RGBA{R: 0xff, G: 0xd1, B: 0x66, A: 255}},
		}}
}

// offersOf are as many offers as one can have.
func offersOf(now time.Time) []client.Offer {
	offer := func(id uint32, from uint16, icon protocol.Icon, left time.Duration, c protocol.OfferContent) client.Offer {
		return client.Offer{OfferShow: protocol.OfferShow{OfferID: id, PlayerID: from, PlayerToken: 1, Duration: 15000, Icon: icon, Content: c}, Until: now.Add(left)}
	}
	return []client.Offer{
		offer(11, 1, 24, 9*time.Second, protocol.OfferContent{Title: "Duel", Text: "Kilo fights you for {FFB000}$500"}),
		offer(12, 2, 10, 12*time.Second, protocol.OfferContent{Title: "A ride to the pier", Text: "Free of charge", Accept: "Get in", Decline: "Walk"}),
		offer(13, protocol.NoPlayer, 36, 14*time.Second, protocol.OfferContent{Title: "Daily present"}),
	}
}

// TestDialogScreenshots writes pictures of dialogs, menus and offers into the folder DARQLINE_SCREENSHOTS.
func TestDialogScreenshots(t *testing.T) {
	if os.Getenv("DARQLINE_SCREENSHOTS") == "" {
		t.Skip("set DARQLINE_SCREENSHOTS to a folder to take pictures of the page")
	}
	small, large := [2]int64{1280, 720}, [2]int64{3840, 2160}
	p := start(t)
	fill(p)
	w := crowded(p)
	ctx := w.open(t)
	w.h.Action(client.Action{ActionDeclare: protocol.ActionDeclare{ActionID: 7, Resource: "doors", Name: "open", Label: "Open a door", Key: 5, When: 1}, Bound: 5})
	for name, d := range dialogs(time.Now()) {
		if d.Error == "" {
			d.ErrorField = -1
		}
		if !d.Until.IsZero() {
			d.Until = time.Now().Add(d.Until.Sub(d.Opened) / 2)
		}
		d.ID++
		w.h.Dialog(d)
		until(t, ctx, `document.querySelector("dialog[open]")`)
		shootAt(t, ctx, "dialog-"+name, small)
		if name == "form" {
			shootAt(t, ctx, "dialog-form", large)
			do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("dialog .middle").scrollTop = 1e5`))
			shootAt(t, ctx, "dialog-form-end", small)
		}
		w.h.DialogClosed(d.ID, client.ClosedByServer)
	}
	w.h.Menu(jobMenu(protocol.PlaceTopLeft))
	shootAt(t, ctx, "menu", small, large)
	w.h.MenuClosed(4, client.ClosedByServer)
	w.h.Offers(offersOf(time.Now()))
	shootAt(t, ctx, "offers", small, large)
	w.h.Offers(nil)
	do(t, ctx, press("?"))
	shootAt(t, ctx, "keys", small)
}
