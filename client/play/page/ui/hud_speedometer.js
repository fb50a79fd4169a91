// The speedometer, with what the server adds to it.

import { element } from "../dom.js";
import { nodes } from "../markup.js";
import { move } from "./clock.js";
import { own } from "./own.js";
import { createRing } from "./ring.js";

const UNITS = { "km/h": 3.6, mph: 2.23694 };             // of one m/s
const MILE = 1609.344;

export function createSpeedometer({ unit, max, fuel, distance, color, text }, place, speed) {
  const ring = createRing(), figure = element("b", {});
  const node = element("div", { className: "chip speedometer" },
    element("span", { className: "dial" }, ring.node, figure, element("small", {}, unit)),
    element("span", { className: "stack" },
      text ? element("span", { className: "label" }, ...nodes(text, true)) : "",
      fuel === undefined ? "" : element("span", {}, `Fuel ${Math.round(fuel * 100)} %`),
      distance === undefined ? "" : element("span", {}, unit === "mph" ? `${(distance / MILE).toFixed(1)} mi` : `${(distance / 1000).toFixed(1)} km`)));
  own(node, color);
  place.append(node);
  move(node, () => {
    const now = speed() * UNITS[unit];
    ring.set(Math.min(1, now / max));
    const next = String(Math.round(now));
    if (figure.textContent !== next) figure.textContent = next;
  });
  return { remove() { move(node); node.remove(); } };
}
