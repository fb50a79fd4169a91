// Notifications at the side, the oldest first.

import { element } from "../dom.js";
import { nodes } from "../markup.js";
import { move } from "./clock.js";
import { icon } from "./icons.js";
import { beep } from "./sound.js";

const ICONS = { info: "info", success: "check", warning: "warning", error: "error" };
const TONE = [740, 130];                                 // hertz, ms

export function createNotifications(place) {
  const box = element("div", { id: "notifications", role: "log" });
  box.setAttribute("aria-label", "Notifications");
  place.append(box);
  const cards = new Map();                               // by id: { node, is, text }

  function set(list, quiet) {
    for (const id of cards.keys()) if (!list.some((is) => is.id === id)) remove(id);
    for (const is of list) {
      const text = JSON.stringify(is);
      const old = cards.get(is.id);
      if (old?.text === text) continue;
      const node = card(is);
      if (old) old.node.replaceWith(node);
      else box.append(node);
      node.classList.toggle("fresh", !old);
      cards.set(is.id, { node, text });
      if (is.sound && !quiet) beep(...TONE);
    }
  }

  function card({ id, kind, icon: picture, title, text, time_bar, duration, until }) {
    const name = picture || ICONS[kind];
    const time = time_bar && until ? element("i", { className: "time", ariaHidden: "true" }) : "";
    const node = element("article", { className: `notification ${kind}` }, name ? icon(name) : "",
      element("div", {}, title ? element("h3", {}, ...nodes(title, true)) : "", element("p", {}, ...nodes(text, true))), time);
    if (time) {
      move(`notification ${id}`, (now) => { time.style.scale = `${Math.min(1, Math.max(0, (until - now) / duration))} 1`; });
    } else {
      move(`notification ${id}`);
    }
    return node;
  }

  function remove(id) {
    move(`notification ${id}`);
    cards.get(id).node.remove();
    cards.delete(id);
  }

  return { set };
}
