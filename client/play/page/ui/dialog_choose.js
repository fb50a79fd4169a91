// Choosing one of many rows by keys, by the mouse, and by a box to filter them: for lists and tables.

import { element } from "../dom.js";

const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * createChooser({ rows, start, box, owner, accept, filter }): rows are { node, disabled } in the order of the packet, box
 * scrolls them, owner is what has the focus while one chooses, unless there is the box to filter.
 */
export function createChooser({ rows, start, box, owner, accept, filter }) {
  const texts = rows.map(({ node }) => fold(node.textContent));
  let order = rows.map((_, i) => i);                     // of the rows, as they are shown
  let shown = order;                                     // those that the filter leaves
  let active = -1;

  const search = filter && element("input", { type: "text", className: "search", placeholder: "Search", autocomplete: "off", spellcheck: false });
  const count = filter && element("small", { className: "count", role: "status" });
  if (filter) {
    search.setAttribute("aria-label", "Search");
    if (owner.role === "listbox") {
      search.role = "combobox";
      search.ariaExpanded = "true";
      search.ariaAutoComplete = "list";
    }
    search.setAttribute("aria-controls", owner.id);
    search.addEventListener("input", sift);
    owner.tabIndex = -1;
  }
  const keyboard = search ?? owner;

  rows.forEach(({ node, disabled }, i) => {
    if (disabled) node.ariaDisabled = "true";
    node.addEventListener("pointerdown", (event) => {
      event.preventDefault();                            // the focus stays
      if (!disabled) set(i);
    });
    node.addEventListener("dblclick", () => { if (!disabled) accept(); });
  });

  const usable = (i) => !rows[i].disabled;

  function set(i) {
    if (active >= 0) rows[active].node.ariaSelected = "false";
    active = i;
    if (i < 0) return keyboard.removeAttribute("aria-activedescendant");
    rows[i].node.ariaSelected = "true";
    keyboard.setAttribute("aria-activedescendant", rows[i].node.id);
    rows[i].node.scrollIntoView({ block: "nearest" });
    if (i === shown.find(usable)) box.scrollTop = 0;     // what stands above it is in sight too
    return undefined;
  }

  function sift() {
    const words = fold(search.value).split(/\s+/).filter(Boolean);
    shown = order.filter((i) => words.every((word) => texts[i].includes(word)));
    const left = new Set(shown);
    rows.forEach(({ node }, i) => { node.hidden = !left.has(i); });
    count.textContent = words.length ? `${shown.length} of ${rows.length}` : "";
    box.classList.toggle("nothing", shown.length === 0);
    set(left.has(active) && usable(active) ? active : shown.find(usable) ?? -1);
  }

  // step(by): by rows on, over those that cannot be chosen, and no further than the ends.
  function step(by) {
    const could = shown.filter(usable);
    if (!could.length) return;
    const at = could.indexOf(active);
    set(could[Math.min(Math.max(at + by, 0), could.length - 1)]);
  }

  function key({ key: name, target, ctrlKey, altKey }) {
    if (ctrlKey || altKey || target instanceof HTMLButtonElement) return false;
    const page = Math.max(1, Math.floor(box.clientHeight / (rows[shown[0]]?.node.offsetHeight || 1)) - 1);
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page };
    if (target !== search) Object.assign(steps, { Home: -Infinity, End: Infinity });
    if (!(name in steps)) return false;
    step(steps[name]);
    return true;
  }

  return {
    search: filter ? element("div", { className: "field" }, search, count) : "",
    key,
    focus() {
      set(active >= 0 ? active : [...order.slice(start), ...order].find(usable) ?? -1);
      keyboard.focus();
    },
    row: () => active,
    /** Another order of the rows. */
    arrange(next) {
      order = next;
      box.querySelector("[data-rows]").append(...order.map((i) => rows[i].node));
      if (filter) sift();
      else shown = order;
      if (active >= 0) rows[active].node.scrollIntoView({ block: "nearest" });
    },
  };
}
