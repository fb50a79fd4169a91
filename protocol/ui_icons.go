package protocol

// An Icon is a small picture beside a text (page Chat, HUD and dialogs, Icons).
type Icon uint8

// The ends of the icons; ByName[Icon] finds the others.
const (
	IconNone Icon = 0
	IconLast Icon = 40 // oxygen
)

// iconNames are the names of the icons, which Lua uses too.
var iconNames = []string{
	"none", "info", "check", "warning", "error", "question", "money", "key", "lock", "unlock",
	"car", "bike", "boat", "plane", "train", "house", "shop", "food", "drink", "fuel",
	"wrench", "medkit", "heart", "shield", "gun", "ammo", "person", "group", "star", "flag",
	"target", "clock", "pin", "phone", "chat", "bell", "gift", "box", "skull", "trophy", "oxygen",
}

// String is the icon's name.
func (i Icon) String() string { return named(iconNames, i, "Icon") }
