package play

import (
	"time"

	"darqline/client"
	"darqline/protocol"
)

// ui is what page Chat, HUD and dialogs has put on the screen and waits for the player.
type ui struct {
	Dialog  *dialog           `json:"dialog"`
	Menu    *menu             `json:"menu"`
	Offers  []offer           `json:"offers"`  // the oldest first, which the keys are for
	Actions []action          `json:"actions"` // in the order in which they were declared
	Keys    map[string]string `json:"keys"`    // the platform's: function to the key's name

	Theme         *theme             `json:"theme"` // nil: the server has sent none yet
	Hud           []hudElement       `json:"hud"`
	Notifications []notification     `json:"notifications"` // the oldest first
	Kills         []kill             `json:"kills"`         // the oldest first
	Nametags      map[uint16]nametag `json:"nametags"`      // by the player's id
	Bubbles       map[uint16]bubble  `json:"bubbles"`
}

func newUI() ui {
	return ui{
		Offers: []offer{}, Actions: []action{}, Keys: platformKeys(protocol.DefaultPlatformKeys()),
		Hud: []hudElement{}, Notifications: []notification{}, Kills: []kill{}, Nametags: map[uint16]nametag{}, Bubbles: map[uint16]bubble{},
	}
}

// asks is the part of a session that answers what is on the screen, as of client.Client.
type asks interface {
	AnswerDialog(id uint32, answer client.DialogAnswer) error
	MenuInput(protocol.MenuInput) error
	AnswerOffer(id uint32, accept bool) error
	PressKey(protocol.Key) (swallow bool, err error)
	ReleaseKey(protocol.Key) error
	ReleaseKeys() error
	BindAction(id uint32, key protocol.Key) error
}

// unixMs is a time for a page; the zero time is 0.
func unixMs(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// iconName is an icon's name; "" is none.
func iconName(i protocol.Icon) string {
	if i == protocol.IconNone {
		return ""
	}
	return i.String()
}
