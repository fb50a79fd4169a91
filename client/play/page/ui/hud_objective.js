// A mark over a place or a player: where to go next. Out of sight it stays at the edge, if it is to.

import { element } from "../dom.js";
import { nodes } from "../markup.js";
import { icon } from "./icons.js";
import { distance, moveTo } from "./overlay.js";
import { own } from "./own.js";

const SIDES = 5, TOP = 4, BOTTOM = 12;                   // from the edge, in letters' heights: the HUD is there, too

/** far(metres) -> "240 m" or "1.2 km" */
export const far = (metres) => (metres < 999.5 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(1)} km`);

export function createObjective(is, overlay, key) {
  const { icon: picture, text, color, edge, distance: told, near, far: farthest } = is;
  const arrow = element("i", { className: "arrow" }), metres = element("small", {});
  const node = element("div", { className: "objective" },
    element("span", { className: "mark" }, arrow, picture ? icon(picture) : element("i", { className: "dot" })),
    text ? element("span", { className: "label" }, ...nodes(text, true)) : "", told ? metres : "");
  own(node, color);

  function draw({ eye, me, letter, place }) {
    const at = place(is);
    const away = at && me ? distance(at, me) : 0;
    node.hidden = !at || me && (away < near || farthest > 0 && away > farthest);
    if (node.hidden) return;
    const x = eye.screenX(at.x), y = eye.screenY(at.y);
    const dx = x - eye.middleX, dy = y - eye.middleY;
    const halfX = Math.max(1, eye.width / 2 - SIDES * letter), halfY = Math.max(1, eye.height / 2 - (dy < 0 ? TOP : BOTTOM) * letter);
    const out = Math.max(Math.abs(dx) / halfX, Math.abs(dy) / halfY);
    const beyond = out > 1;
    node.classList.toggle("beyond", beyond);
    node.hidden = beyond && !edge;
    if (node.hidden) return;
    const text = far(away);
    if (metres.textContent !== text) metres.textContent = text;
    if (beyond) {
      arrow.style.rotate = `${Math.atan2(dy, dx)}rad`;
      moveTo(node, eye.middleX + dx / out, eye.middleY + dy / out);
    } else {
      moveTo(node, x, y);
    }
  }

  overlay.put(key, node, draw);
  return { remove: () => overlay.remove(key) };
}
