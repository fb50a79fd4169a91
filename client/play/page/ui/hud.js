// The HUD: what a server shows beside the game. One element of a kind and slot takes the place of the one before.

import { byId, element } from "../dom.js";
import { nodes } from "../markup.js";
import { createCountdown } from "./hud_countdown.js";
import { createGauge } from "./hud_gauge.js";
import { createObjective } from "./hud_objective.js";
import { createProgress } from "./hud_progress.js";
import { createSpeedometer } from "./hud_speedometer.js";
import { icon } from "./icons.js";
import { own } from "./own.js";

/** createHud({ overlay, speed }): speed() is the own player's in m/s. */
export function createHud({ overlay, speed }) {
  const part = (name, properties) => element("div", { className: name, ...properties });
  const corners = { top_left: part("corner"), top_right: part("corner"), bottom_left: part("corner"), bottom_right: part("corner") };
  const feed = part("feed"), side = part("side");
  const places = { top: part("row", { role: "status" }), center: part("row", { role: "status" }), bottom: part("row", { role: "status" }) };
  const clocks = part("clocks"), large = part("large"), prompts = part("prompts"), bars = part("bars");
  byId("screen").prepend(element("div", { id: "hud", className: "ui" },
    part("column left"), part("column middle"), part("column right")));
  const [left, middle, right] = byId("hud").children;
  left.append(corners.top_left, corners.bottom_left);
  middle.append(element("div", {}, clocks, places.top), element("div", {}, large, places.center), element("div", {}, places.bottom, prompts, bars));
  right.append(element("div", {}, corners.top_right, feed, side), corners.bottom_right);

  function announcement({ place, style, title, text, color }) {
    const node = element("div", { className: `announcement ${style}` }, element("strong", {}, ...nodes(title, true)),
      text ? element("span", {}, ...nodes(text, true)) : "");
    return put(node, color, places[place]);
  }

  function status({ place, order, icon: picture, color, text }) {
    const node = element("p", { className: "chip status" }, picture ? icon(picture) : "", element("span", {}, ...nodes(text, true)));
    node.style.order = -order;
    return put(node, color, corners[place]);
  }

  function put(node, color, place) {
    own(node, color);
    place.append(node);
    return { remove: () => node.remove() };
  }

  const kinds = {
    announcement, status,
    gauge: (is, old) => createGauge(is, corners[is.place], old),
    countdown: (is) => createCountdown(is, is.mode === "large" ? large : clocks),
    progress: (is) => createProgress(is, bars),
    objective: (is, _, key) => createObjective(is, overlay, key),
    speedometer: (is) => createSpeedometer(is, corners.bottom_right, speed),
  };
  const shown = new Map();                               // by kind and slot: { is, remove() }

  function set({ kind, slot, is }) {
    const key = `${kind} ${slot}`;
    const old = shown.get(key);
    old?.remove();
    shown.delete(key);
    if (is) shown.set(key, { is, ...kinds[kind](is, old, key) });
  }

  return {
    set,
    /** Where notifications, the kill feed, offers and prompts stand. */
    places: { feed, side, prompts },
    holds: () => [...shown.values()].some(({ is }) => is.hold),
    hide: (on = !document.body.classList.contains("no-hud")) => document.body.classList.toggle("no-hud", on),
    clear() {
      for (const { remove } of shown.values()) remove();
      shown.clear();
    },
  };
}
