// The markup of lines (page Chat, HUD and dialogs): {RRGGBB} colors what follows, {/} ends it, {key:N} is a key, {{ is
// one brace. Anything else with a brace is shown as written.

const TOKEN = /\{(?:([0-9a-fA-F]{6})\}|(\/)\}|key:(\d+)\}|(\{))/g;

/** parse(text) -> [{ text, color }], color "" or "#rrggbb" */
export function parse(text) {
  const parts = [];
  let color = "";
  let from = 0;
  const add = (piece) => {
    if (!piece) return;
    const last = parts.at(-1);
    if (last?.color === color) last.text += piece;
    else parts.push({ text: piece, color });
  };
  for (const match of text.matchAll(TOKEN)) {
    const [whole, hex, end, key, brace] = match;
    add(text.slice(from, match.index));
    from = match.index + whole.length;
    if (hex) color = `#${hex.toLowerCase()}`;
    else if (end) color = "";
    else if (key) add("?");                              // this client has no key bindings
    else if (brace) add("{");
  }
  add(text.slice(from));
  return parts;
}

/** The text as nodes; without markup it is shown as it is. */
export function nodes(text, hasMarkup) {
  if (!hasMarkup) return [document.createTextNode(text)];
  return parse(text).map((part) => {
    if (!part.color) return document.createTextNode(part.text);
    const span = document.createElement("span");
    span.style.color = part.color;
    span.textContent = part.text;
    return span;
  });
}
