// A dialog with a list to choose from.

import { element } from "../dom.js";
import { nodes } from "../markup.js";
import { createChooser } from "./dialog_choose.js";

/** createList(dialog, { accept }): the content of a dialog of the kind list. */
export function createList({ rows, start, filter }, { accept }) {
  const items = rows.map(({ cells: [text], disabled }, i) => ({
    node: element("div", { id: `row-${i}`, className: "row", role: "option", ariaSelected: "false" }, ...nodes(text, true)),
    disabled,
  }));
  const box = element("div", { id: "rows", className: "rows", role: "listbox", tabIndex: 0 }, ...items.map(({ node }) => node));
  box.setAttribute("aria-labelledby", "dialog-title");
  const chooser = createChooser({ rows: items, start, box, owner: box, accept, filter });
  return {
    node: element("div", { className: "choose" }, chooser.search, box),
    focus: chooser.focus,
    key: chooser.key,
    answer: () => ({ row: chooser.row() }),
  };
}
