// The markup of lines (page Chat, HUD and dialogs): {RRGGBB} colors what follows, {/} ends it, {key:N} is a key, {{ is
// one brace. Anything else with a brace is shown as written.

const TOKEN = /\{(?:([0-9a-fA-F]{6})\}|(\/)\}|key:(\d+)\}|(\{))/g;

let keyOf = () => "?";

/** What {key:N} shows: keyOf(action) is the print on the key of action N. */
export function showKeys(of) {
  keyOf = of;
  for (const node of document.querySelectorAll("kbd[data-action]")) node.textContent = keyOf(Number(node.dataset.action));
}

/** The print on the key of an action. */
export const keyText = (action) => keyOf(action);

/** parse(text) -> [{ text, color } or { action, color }], color "" or "#rrggbb" */
export function parse(text) {
  const parts = [];
  let color = "";
  let from = 0;
  const add = (piece) => {
    if (!piece) return;
    const last = parts.at(-1);
    if (last?.text && last.color === color) last.text += piece;
    else parts.push({ text: piece, color });
  };
  for (const match of text.matchAll(TOKEN)) {
    const [whole, hex, end, key, brace] = match;
    add(text.slice(from, match.index));
    from = match.index + whole.length;
    if (hex) color = `#${hex.toLowerCase()}`;
    else if (end) color = "";
    else if (key) parts.push({ action: Number(key), color });
    else if (brace) add("{");
  }
  add(text.slice(from));
  return parts;
}

/** Gives a node a color that an author chose; on a light theme it is drawn dark enough to be read. */
export function tint(node, color) {
  node.classList.add("hue");
  node.style.setProperty("--hue", color);
}

/** The text as nodes; without markup it is shown as it is. */
export function nodes(text, hasMarkup) {
  if (!hasMarkup) return [document.createTextNode(text)];
  return parse(text).map(({ text, color, action }) => {
    if (!color && !action) return document.createTextNode(text);
    const node = document.createElement(action ? "kbd" : "span");
    if (color) tint(node, color);
    if (action) {
      node.classList.add("key");
      node.dataset.action = action;
    }
    node.textContent = action ? keyOf(action) : text;
    return node;
  });
}
