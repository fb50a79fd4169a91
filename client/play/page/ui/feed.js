// The kill feed: who killed whom, and how.

import { element } from "../dom.js";
import { tint } from "../markup.js";
import { icon } from "./icons.js";

export function createFeed(place) {
  const box = element("div", { id: "feed", role: "log" });
  box.setAttribute("aria-label", "Kill feed");
  place.append(box);
  let rows = new Map();                                  // by the entry's JSON

  function set(list) {
    const next = new Map();
    for (const kill of list) {
      const key = JSON.stringify(kill);
      next.set(key, rows.get(key) ?? row(kill));
    }
    rows = next;
    for (const node of [...box.children]) if (![...rows.values()].includes(node)) node.remove();
    for (const node of rows.values()) if (!node.isConnected) box.append(node);
  }

  function row({ killer, killer_color, victim, victim_color, cause, headshot, you }) {
    const name = (text, color) => {
      const node = element("b", {}, text);
      if (color) tint(node, color);
      return node;
    };
    const head = headshot ? element("span", { className: "headshot", title: "Head shot" }, icon("target"), element("span", { className: "spoken" }, "head shot")) : "";
    const node = element("p", { className: "chip kill" }, killer ? name(killer, killer_color) : icon("skull"),
      element("span", { className: "cause" }, cause, head), name(victim, victim_color));
    node.classList.toggle("you", you ?? false);
    return node;
  }

  return { set };
}
