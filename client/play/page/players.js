// The player list.

import { byId, element } from "./dom.js";
import { nodes, tint } from "./markup.js";

export function createPlayers() {
  const rows = new Map();
  let list = { title: "", columns: null };
  let waiting = false;

  // Many changes at once, as when one joins a full server, are one drawing.
  function changed() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  }

  function draw() {
    const listed = [...rows.values()].filter(({ unlisted }) => !unlisted);
    byId("players-count").textContent = listed.length;
    byId("players-title").replaceChildren(...(list.title ? nodes(list.title, true) : [document.createTextNode("Players")]));
    const columns = list.columns ?? [];
    byId("players-columns").replaceChildren(...[0, 0, ...columns.map(({ width }) => width), 0].map((width) => {
      const node = element("col");
      if (width) node.style.width = `${width}%`;
      return node;
    }));
    byId("players-head").replaceChildren(
      element("th", { scope: "col", className: "number" }, "Id"),
      element("th", { scope: "col" }, "Name"),
      ...columns.map(({ heading, align }) => element("th", { scope: "col", className: align }, ...nodes(heading, true))),
      element("th", { scope: "col", className: "number" }, "Ping"),
    );
    const order = (player) => player.order ?? 0;
    const sorted = listed.sort((a, b) =>
      (a.group ?? "").localeCompare(b.group ?? "") || order(a) - order(b) || a.id - b.id);
    const body = [];
    let group = "";
    for (const player of sorted) {
      if ((player.group ?? "") !== group) {
        group = player.group;
        body.push(element("tr", { className: "group" },
          element("th", { colSpan: 3 + columns.length, scope: "rowgroup" }, ...nodes(group, true))));
      }
      body.push(row(player, columns));
    }
    byId("players-body").replaceChildren(...body);
  }

  function row(player, columns) {
    const name = element("td", { className: "name" }, player.name);
    if (player.color) tint(name, player.color);
    if (player.you) name.append(" ", element("span", { className: "tag" }, "you"));
    return element("tr", { className: player.you ? "you" : "" },
      element("td", { className: "number" }, String(player.id)),
      name,
      ...columns.map(({ align }, i) => element("td", { className: align }, ...nodes(player.cells?.[i] ?? "", true))),
      element("td", { className: "number" }, player.ping > 0 ? `${player.ping} ms` : "–"),
    );
  }

  draw();
  return {
    get: (id) => rows.get(id),
    set: (player) => { rows.set(player.id, player); changed(); },
    remove: (id) => { rows.delete(id); changed(); },
    heading: (heading) => { list = heading; changed(); },
    clear: () => { rows.clear(); list = { title: "", columns: null }; changed(); },
  };
}
