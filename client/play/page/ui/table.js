// A dialog with a table to choose a row from. Who sorts or filters it sees another order; the answer is the row's number
// as it was sent.

import { element } from "../dom.js";
import { nodes } from "../markup.js";
import { createChooser } from "./dialog_choose.js";

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const AMOUNT = /^[^\d-]*(-?[\d,.]*\d)\D*$/;              // a number with what stands before and after it: $1,200
const WAYS = ["none", "ascending", "descending"];

/** createTable(dialog, { accept }): the content of a dialog of the kind table. */
export function createTable({ columns, rows, start, filter, sortable }, { accept }) {
  const lines = rows.map(({ cells, disabled }, i) => ({
    node: element("tr", { id: `row-${i}`, className: "row", role: "row", ariaSelected: "false" },
      ...cells.map((text, c) => element("td", { role: "gridcell", className: columns[c].align }, ...nodes(text, true)))),
    disabled,
  }));
  const heads = columns.map(({ heading, align }) => {
    const text = nodes(heading, true);
    const head = element("th", { role: "columnheader", className: align }, ...(sortable ? [element("button", { type: "button" }, ...text)] : text));
    if (sortable) head.ariaSort = "none";
    return head;
  });
  const widths = element("colgroup", {}, ...columns.map(({ width }) => {
    const column = element("col");
    if (width) column.style.width = `${width}%`;
    return column;
  }));
  const body = element("tbody", { role: "rowgroup" }, ...lines.map(({ node }) => node));
  body.dataset.rows = "";
  const table = element("table", { id: "rows", role: "grid", tabIndex: 0 },
    widths, element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...heads)), body);
  table.setAttribute("aria-labelledby", "dialog-title");
  const box = element("div", { className: "rows" }, table);
  const chooser = createChooser({ rows: lines, start, box, owner: table, accept, filter });

  heads.forEach((head, c) => head.querySelector("button")?.addEventListener("click", () => {
    const way = WAYS[(WAYS.indexOf(head.ariaSort) + 1) % WAYS.length];
    for (const other of heads) other.ariaSort = other === head ? way : "none";
    chooser.arrange(sorted(lines.map(({ node }) => node.cells[c].textContent), way));
  }));

  return {
    node: element("div", { className: "choose" }, chooser.search, box),
    focus: chooser.focus,
    key: chooser.key,
    answer: () => ({ row: chooser.row() }),
  };
}

/** sorted(texts, way) -> the numbers of the texts in that order; amounts by what they are worth. */
export function sorted(texts, way) {
  const order = texts.map((_, i) => i);
  if (way === "none") return order;
  const amounts = texts.map((text) => Number(text.match(AMOUNT)?.[1].replaceAll(",", "") ?? NaN));
  const byAmount = amounts.every(Number.isFinite);
  const compare = byAmount ? (a, b) => amounts[a] - amounts[b] : (a, b) => collator.compare(texts[a], texts[b]);
  const sign = way === "ascending" ? 1 : -1;
  return order.sort((a, b) => sign * compare(a, b) || a - b);
}
