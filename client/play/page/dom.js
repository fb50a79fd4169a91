// Small helpers for the document. All text goes through textContent.

export const byId = (id) => document.getElementById(id);

/** element("p", { className: "note" }, "text", child) */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** The text as it stands at the beginning of a line. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
