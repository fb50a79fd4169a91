// Keys by their names in the protocol: places on the US keyboard, whatever the layout.

const NAMES = {
  Escape: "Escape", Space: "Space", Enter: "Enter", Tab: "Tab", Backspace: "Backspace", Insert: "Insert", Delete: "Delete",
  Home: "Home", End: "End", PageUp: "PageUp", PageDown: "PageDown",
  ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right",
  NumpadAdd: "NumAdd", NumpadSubtract: "NumSubtract", NumpadMultiply: "NumMultiply", NumpadDivide: "NumDivide",
  NumpadDecimal: "NumDecimal", NumpadEnter: "NumEnter",
};
const SAME = /^(Shift|Control|Alt)(Left|Right)$|^(CapsLock|Minus|Equal|BracketLeft|BracketRight|Semicolon|Quote|Backquote|Backslash|Comma|Period|Slash|IntlBackslash|Pause|ScrollLock)$|^F([1-9]|1[0-2])$/;
const BUTTONS = ["MouseLeft", "MouseMiddle", "MouseRight", "Mouse4", "Mouse5"];

const PRINTED = {
  Up: "↑", Down: "↓", Left: "←", Right: "→", Escape: "Esc", PageUp: "Page ↑", PageDown: "Page ↓", Backspace: "⌫", Delete: "Del",
  Insert: "Ins", Minus: "-", Equal: "=", BracketLeft: "[", BracketRight: "]", Semicolon: ";", Quote: "'", Backquote: "`",
  Backslash: "\\", Comma: ",", Period: ".", Slash: "/", IntlBackslash: "<", ShiftLeft: "Shift", ShiftRight: "Right Shift",
  ControlLeft: "Ctrl", ControlRight: "Right Ctrl", AltLeft: "Alt", AltRight: "Right Alt", CapsLock: "Caps Lock",
  ScrollLock: "Scroll Lock", NumAdd: "Num +", NumSubtract: "Num -", NumMultiply: "Num *", NumDivide: "Num /", NumDecimal: "Num .",
  NumEnter: "Num Enter", MouseLeft: "Left click", MouseRight: "Right click", MouseMiddle: "Middle click", Mouse4: "Mouse 4",
  Mouse5: "Mouse 5", WheelUp: "Wheel ↑", WheelDown: "Wheel ↓",
};
const LETTER = /^[A-Z]$/, DIGIT = /^[0-9]$/;

/** keyName(event) -> the name of the key, "" for one that the protocol does not have. */
export function keyName({ code, key = "" }) {
  const [, plain] = code.match(/^(?:Key([A-Z])|Digit([0-9]))$/)?.filter((part) => part !== undefined) ?? [];
  if (plain) return plain;
  if (/^Numpad[0-9]$/.test(code)) return `Num${code.at(-1)}`;
  if (SAME.test(code)) return code;
  if (code) return NAMES[code] ?? "";
  return NAMES[key] ?? (/^[a-z0-9]$/i.test(key) ? key.toUpperCase() : "");   // a keyboard on the screen has no places
}

/** The name of a mouse button. */
export const buttonName = (button) => BUTTONS[button] ?? "";

// The letters of the player's own layout, where the browser tells.
let layout = null;
navigator.keyboard?.getLayoutMap?.().then((map) => { layout = map; }, () => {});

/** What is printed on a key; "?" for none. */
export function printed(name) {
  if (!name) return "?";
  const code = LETTER.test(name) ? `Key${name}` : DIGIT.test(name) ? `Digit${name}` : name;
  const own = layout?.get(code);
  if (own) return own.toUpperCase();
  return PRINTED[name] ?? name.replace(/^Num(?=\d)/, "Num ");
}
