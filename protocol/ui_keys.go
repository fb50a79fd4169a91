package protocol

import "fmt"

// A Key is a place on the US keyboard or the mouse (page Chat, HUD and
// dialogs, Keys).
type Key uint8

// The keys that rules name; the others are known by their names.
const (
	KeyNone   Key = 0
	KeyEscape Key = 69
	KeyLast   Key = 107 // WheelDown
)

// keyNames are the names of the keys, which Lua uses too.
var keyNames = [...]string{
	"",
	"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M",
	"N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z",
	"0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
	"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12",
	"Num0", "Num1", "Num2", "Num3", "Num4", "Num5", "Num6", "Num7", "Num8", "Num9",
	"NumAdd", "NumSubtract", "NumMultiply", "NumDivide", "NumDecimal", "NumEnter",
	"Space", "Enter", "Tab", "Backspace", "Escape",
	"Insert", "Delete", "Home", "End", "PageUp", "PageDown", "Up", "Down", "Left", "Right",
	"ShiftLeft", "ShiftRight", "ControlLeft", "ControlRight", "AltLeft", "AltRight", "CapsLock",
	"Minus", "Equal", "BracketLeft", "BracketRight", "Semicolon", "Quote", "Backquote", "Backslash",
	"Comma", "Period", "Slash", "IntlBackslash", "Pause", "ScrollLock",
	"MouseLeft", "MouseRight", "MouseMiddle", "Mouse4", "Mouse5", "WheelUp", "WheelDown",
}

// String is the key's name; KeyNone has none.
func (k Key) String() string {
	if k <= KeyLast {
		return keyNames[k]
	}
	return fmt.Sprintf("Key(%d)", uint8(k))
}

// KeyByName finds a key by its name.
func KeyByName(name string) (Key, bool) {
	for k := KeyNone + 1; k <= KeyLast; k++ {
		if keyNames[k] == name {
			return k, true
		}
	}
	return KeyNone, false
}

// A Function is one of the client's own functions: its place in
// PlatformKeys.Keys.
type Function uint8

const (
	FunctionChat Function = iota
	FunctionTeamChat
	FunctionCommand
	FunctionPlayerList
	FunctionHideHud
	FunctionAccept
	FunctionDecline
	FunctionMenuUp
	FunctionMenuDown
	FunctionMenuLeft
	FunctionMenuRight
	FunctionMenuSelect
	FunctionMenuBack
	FunctionCursor
	FunctionChatUp
	FunctionChatDown
)

// Menu reports whether the function is one of an open menu, whose keys are
// free while none is open.
func (f Function) Menu() bool { return f >= FunctionMenuUp && f <= FunctionMenuBack }

// needsKey reports whether a menu could not be used without it.
func (f Function) needsKey() bool {
	return f == FunctionMenuUp || f == FunctionMenuDown || f == FunctionMenuSelect || f == FunctionMenuBack
}

// DefaultPlatformKeys are the keys that a server has unless it says otherwise.
func DefaultPlatformKeys() *PlatformKeys {
	p := new(PlatformKeys)
	for f, name := range [...]string{
		"T", "U", "Slash", "Tab", "F7", "Y", "N",
		"Up", "Down", "Left", "Right", "Enter", "Backspace",
		"M", "PageUp", "PageDown",
	} {
		p.Keys[f], _ = KeyByName(name)
	}
	return p
}
