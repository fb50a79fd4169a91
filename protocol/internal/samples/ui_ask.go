package samples

import p "darqline/protocol"

// uiAsk is what asks the player: actions, dialogs, forms, menus, offers.
func uiAsk() []Sample {
	return append(append(uiActions(), uiDialogs()...), append(uiForms(), uiMenus()...)...)
}

var gold = p.RGBA{R: 0xFF, G: 0xC8, B: 0x10, A: 0xFF}

func key(name string) p.Key {
	k, _ := p.KeyByName(name)
	return k
}

func icon(name string) p.Icon {
	i, _ := p.ByName[p.Icon](name)
	return i
}

func uiActions() []Sample {
	return []Sample{
		{File: "action_declare", Packet: &p.ActionDeclare{
			ActionID: 4001, Resource: "shop", Name: "open_door", Label: "Open the door", Key: key("E"),
			When: p.ActionOnFoot | p.ActionPreSpawn, Flags: p.ActionOnlyWithPrompt | p.ActionOff,
		}},
		{File: "action_declare_server", Packet: &p.ActionDeclare{ActionID: 4000, Name: "cancel", Label: "Cancel", Key: key("X"), When: 31, Flags: p.ActionSwallow}},
		{File: "action_remove", Packet: &p.ActionRemove{ActionID: 4001}},
		{File: "action_input", Packet: &p.ActionInput{ActionID: 4001, Pressed: true}},
		{File: "action_input_release", Packet: &p.ActionInput{ActionID: 4001}},
		{File: "action_prompt", Packet: &p.ActionPrompt{ActionID: 4001, Present: true, HoldMs: 750, Text: "{FFC810}Refuel{/} 20 l"}},
		{File: "action_prompt_world", Packet: &p.ActionPrompt{
			ActionID: 4001, Present: true, HoldMs: 10000, Place: p.PromptWorld, Attachment: p.Attachment{Attach: p.AttachVehicle, AttachID: 90210},
			Position: p.Vec3{X: 0.5, Y: -2.25, Z: 1}, Radius: 2.5, Text: "Open the boot",
		}},
		{File: "action_prompt_remove", Packet: &p.ActionPrompt{ActionID: 4001}},
		{File: "offer_show", Packet: &p.OfferShow{
			OfferID: 4301, PlayerID: 258, PlayerToken: 70001, Duration: 15000, Icon: icon("gun"), Color: gold,
			Content: p.OfferContent{Title: "Duel", Text: "CJ fights you for {FFC810}$500\nReady?", Accept: "Fight", Decline: "Run"},
		}},
		{File: "offer_show_server", Packet: &p.OfferShow{
			OfferID: 4302, PlayerID: p.NoPlayer, Duration: 120000, Icon: icon("oxygen"), Content: p.OfferContent{Title: long("t", 96), Text: "1\n2\n3\n4"},
		}},
		{File: "offer_hide", Packet: &p.OfferHide{OfferID: 4301, Reason: p.OfferFromLeft}},
		{File: "offer_response", Packet: &p.OfferResponse{OfferID: 4301, Accepted: true}},
		{File: "offer_response_decline", Packet: &p.OfferResponse{OfferID: 4301}},
	}
}

func uiDialogs() []Sample {
	texts := p.DialogTexts{Title: "Ammu-Nation", Body: "Welcome, {FFC810}CJ{/}\nWhat will it be?", Accept: "Buy", Cancel: "Leave", Extra: "Try"}
	return []Sample{
		{File: "dialog_show", Packet: &p.DialogShow{DialogID: 4101, Flags: p.DialogCancellable, Timeout: 3_600_000, Rows: 3, Content: p.DialogContent{DialogTexts: texts}}},
		{File: "dialog_show_input", Packet: &p.DialogShow{
			DialogID: 4102, Kind: p.DialogInput, Flags: p.DialogCancellable | p.DialogLines, Timeout: 60000, MinChars: 3, MaxChars: 256,
			Content: p.DialogContent{DialogTexts: texts, Placeholder: "Your {message}", Initial: "Привет\nyou", Error: "Too {FF0000}short"},
		}},
		{File: "dialog_show_password", Packet: &p.DialogShow{
			DialogID: 4103, Kind: p.DialogPassword, MinChars: 8, MaxChars: 64,
			Content: p.DialogContent{DialogTexts: p.DialogTexts{Title: "Safe"}, Placeholder: "Combination"},
		}},
		{File: "dialog_show_list", Packet: &p.DialogShow{
			DialogID: 4104, Kind: p.DialogList, Flags: p.DialogCancellable | p.DialogFilter, Timeout: 1000, Rows: 500, Start: 499,
			Content: p.DialogContent{DialogTexts: texts, Error: "Sold out"},
		}},
		{File: "dialog_show_lines", Packet: &p.DialogShow{DialogID: 4107, Content: p.DialogContent{DialogTexts: p.DialogTexts{Title: "Rules", Body: "1" + long("\n", 39)}}}},
		{File: "dialog_hide", Packet: &p.DialogHide{DialogID: 4101}},
		{File: "dialog_response", Packet: &p.DialogResponse{DialogID: 4101, Button: p.ButtonExtra, Row: p.NoRow}},
		{File: "dialog_response_cancel", Packet: &p.DialogResponse{DialogID: 4101, Button: p.ButtonCancel, Row: p.NoRow}},
		{File: "dialog_response_input", Packet: &p.DialogResponse{DialogID: 4102, Row: p.NoRow, Text: "Привет,\nall {of} you"}},
		{File: "dialog_response_list", Packet: &p.DialogResponse{DialogID: 4104, Row: 499}},
		{File: "dialog_table_rows", Packet: &p.DialogTableRows{DialogID: 4105, First: 2, Columns: 3, Rows: []p.TableRow{
			{Flags: p.RowDisabled, Cells: []string{"Colt 45", "{FFC810}$500", "12"}}, {Cells: []string{"AK-47", "", long("c", 255)}},
		}}},
		{File: "dialog_table_rows_message", Packet: &p.DialogTableRows{DialogID: 4101, First: 498, Columns: 1, Rows: []p.TableRow{
			{Cells: []string{"A long paragraph "}}, {Flags: p.RowContinued, Cells: []string{"goes on."}},
		}}},
		{File: "dialog_table_rows_largest", Packet: &p.DialogTableRows{DialogID: 4105, Columns: 3, Rows: []p.TableRow{
			{Cells: []string{long("a", 255), long("b", 255), long("c", 76)}}, {Cells: []string{long("d", 255), long("e", 255), long("f", 76)}},
		}}},
		{File: "dialog_table", Packet: &p.DialogTable{DialogID: 4105, Flags: p.DialogCancellable | p.TableSort | p.DialogFilter, Timeout: 60000, Rows: 4, Start: 3, Content: p.TableContent{
			DialogTexts: texts, Error: "Too expensive", Columns: []p.TableColumn{{Width: 50, Heading: "Weapon"}, {Align: p.AlignRight, Width: 30, Heading: "Price"}, {Align: p.AlignCenter, Width: 20, Heading: "Left"}},
		}}},
		{File: "dialog_table_plain", Packet: &p.DialogTable{DialogID: 4106, Rows: 1, Content: p.TableContent{
			DialogTexts: p.DialogTexts{Title: "Scores"}, Columns: []p.TableColumn{{Align: p.AlignCenter}},
		}}},
	}
}

func uiForms() []Sample {
	const with = p.FormInitial
	return []Sample{
		{File: "dialog_form", Packet: &p.DialogForm{
			DialogID: 4201, Flags: p.DialogCancellable | p.FormHead, Timeout: 300000, Total: 12, ErrorField: p.WholeForm,
			Content: p.FormContent{
				Head: p.FormTexts{DialogTexts: p.DialogTexts{Title: "Garage", Body: "Paint and tune", Accept: "Pay", Cancel: "Back", Extra: "Reset"}, Error: "You have only $12"},
				Fields: []p.FormField{
					{Type: p.FormBoolean, Flags: p.FormRequired | with, Label: "Neon", Help: "Under the car", Boolean: true},
					{Type: p.FormNumber, Flags: with | p.FormSlider | p.FormWhole, Label: "Rounds", Number: p.NumberField{Min: -17, Max: 500, Step: 17, Initial: 34}},
					{Type: p.FormNumber, Flags: p.FormReadOnly, Label: "Factor", Number: p.NumberField{Min: -1.5, Max: 1e300}},
					{Type: p.FormString, Flags: with | p.FormLines, Label: "Text", String: p.StringField{MinChars: 2, MaxChars: 256, Initial: "Grove\nStreet"}},
					{Type: p.FormString, Flags: p.FormHidden, Label: "Code", String: p.StringField{MinChars: 4, MaxChars: 4}},
					{Type: p.FormChoice, Flags: with | p.FormFilter, Label: "Paint", Choice: p.ChoiceField{Initial: 1, Options: []string{"Gold", "{00FF00}Lime"}}},
					{Type: p.FormChoice, Flags: with, Label: "Wheels", Choice: p.ChoiceField{Initial: p.NoChoice, Options: []string{"Cutter"}}},
					{Type: p.FormChoices, Flags: with | p.FormFilter, Label: "Extras", Choices: p.ChoicesField{Least: 1, Most: 2, Initial: 5, Options: []string{"Nitro", "Hydraulics", "Bass"}}},
					{Type: p.FormColor, Flags: with, Label: "Color", Color: gold},
					{Type: p.FormDate, Flags: with, Label: "Date", Date: p.DateField{Min: p.MinDate, Max: p.MaxDate, Initial: 20000}},
					{Type: p.FormNote, Label: "No refunds", Help: "Ever"},
				},
			},
		}},
		{File: "dialog_form_part", Packet: &p.DialogForm{DialogID: 4201, Flags: p.DialogCancellable, Timeout: 300000, Total: 12, First: 11, ErrorField: p.WholeForm, Content: p.FormContent{
			Fields: []p.FormField{{Type: p.FormString, Label: "Note", String: p.StringField{MaxChars: 1}}},
		}}},
		{File: "dialog_form_error", Packet: &p.DialogForm{DialogID: 4202, Flags: p.FormHead, Total: 24, ErrorField: 23, Content: p.FormContent{
			Head: p.FormTexts{DialogTexts: p.DialogTexts{Title: "Plate"}, Error: "This plate is taken"},
		}}},
		{File: "dialog_form_largest", Packet: &p.DialogForm{DialogID: 4203, Total: 9, First: 7, ErrorField: p.WholeForm, Content: p.FormContent{Fields: []p.FormField{
			{Type: p.FormChoice, Label: "c", Choice: p.ChoiceField{Options: append(options(16, 64), long("o", 52))}}, {Type: p.FormNote, Label: "n"},
		}}}},
		{File: "dialog_form_response", Packet: &p.DialogFormResponse{DialogID: 4201, Button: p.ButtonExtra, Fields: []p.FormAnswer{
			{Number: 0, Type: p.FormBoolean, Boolean: true}, {Number: 1, Type: p.FormNumber, Float: 51}, {Number: 3, Type: p.FormString, String: "Grove\nStreet"},
			{Number: 5, Type: p.FormChoice, Choice: 1}, {Number: 7, Type: p.FormChoices, Choices: 1<<63 | 3}, {Number: 8, Type: p.FormColor, Color: gold},
			{Number: 9, Type: p.FormDate, Date: -25567},
		}}},
		{File: "dialog_form_response_cancel", Packet: &p.DialogFormResponse{DialogID: 4201, Button: p.ButtonCancel}},
	}
}

func uiMenus() []Sample {
	return []Sample{
		{File: "menu_items", Packet: &p.MenuItems{MenuID: 4401, Items: []p.MenuItem{
			{ItemID: 1, Op: p.MenuSet, Revision: 7, Order: 10, Flags: p.MenuItemArrow | p.MenuItemCloses, Icon: icon("car"), Color: gold, Label: "Trucker", Detail: "3 left", Help: "Drive to {FFC810}LS"},
			{ItemID: 2, Op: p.MenuSet, Revision: 1, Order: 20, Kind: p.MenuToggle, Label: "Lights", Toggle: true},
			{ItemID: 3, Op: p.MenuSet, Revision: 2, Order: 30, Kind: p.MenuChoice, Flags: p.MenuItemDisabled, Label: "Team", Choice: p.MenuOptions{Value: 1, Options: []string{"Grove", "Ballas"}}},
			{ItemID: 4, Op: p.MenuSet, Revision: 3, Order: 40, Kind: p.MenuSlider, Label: "Radius", Slider: p.MenuScale{Min: 100, Step: 0.5, Steps: 1000, Value: 400, Unit: "m"}},
			{ItemID: 5, Op: p.MenuSet, Order: 5, Kind: p.MenuHeading, Icon: icon("flag"), Label: "Jobs"},
		}}},
		{File: "menu_items_update", Packet: &p.MenuItems{MenuID: 4401, Items: []p.MenuItem{
			{ItemID: 2}, {ItemID: 65535, Op: p.MenuSet, Revision: 65535, Order: 65535, Label: long("l", 96), Detail: long("d", 64), Help: long("h", 200)},
		}}},
		{File: "menu_items_largest", Packet: &p.MenuItems{MenuID: 4401, Items: []p.MenuItem{
			{
				ItemID: 6, Op: p.MenuSet, Kind: p.MenuChoice, Label: long("l", 96), Detail: long("d", 64), Help: long("h", 200),
				Choice: p.MenuOptions{Value: 14, Options: append(options(14, 48), long("o", 34))},
			},
			{ItemID: 7},
		}}},
		{File: "menu_show", Packet: &p.MenuShow{
			MenuID: 4401, Flags: p.MenuClosable | p.MenuHold, Place: p.PlaceCenter, Items: 5, Start: 3, Content: p.MenuContent{Title: "Job centre", Subtitle: "Los {00FF00}Santos"},
		}},
		{File: "menu_hide", Packet: &p.MenuHide{MenuID: 4401}},
		{File: "menu_input", Packet: &p.MenuInput{MenuID: 4401, ItemID: 1, Revision: 7, Event: p.MenuSelected}},
		{File: "menu_input_change", Packet: &p.MenuInput{MenuID: 4401, ItemID: 4, Revision: 3, Event: p.MenuChanged, Value: 401}},
		{File: "menu_input_left", Packet: &p.MenuInput{MenuID: 4401, Event: p.MenuLeft}},
	}
}

// options is n texts of size bytes.
func options(n, size int) []string {
	var list []string
	for i := range n {
		list = append(list, long(string(rune('a'+i)), size))
	}
	return list
}
