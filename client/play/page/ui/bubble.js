// Bubbles: what players say, over their heads for a while.

import { element } from "../dom.js";
import { nodes, tint } from "../markup.js";
import { distance, moveTo } from "./overlay.js";

const LABEL = 3, LINE = 1.1;                             // letters' heights: a nametag over its player, its second line

export function createBubbles(overlay) {
  const shown = new Set();                               // players' ids

  function set({ player, token, distance: farthest, color, markup, text, until }) {
    const key = `bubble ${player}`;
    overlay.remove(key);
    shown.delete(player);
    if (!text) return;
    const node = element("p", { className: "bubble" }, ...nodes(text, markup));
    if (color) tint(node, color);
    shown.add(player);
    overlay.put(key, node, ({ eye, me, letter, ped }) => {
      const on = ped(player);
      const other = on?.token !== undefined && on.token !== token;
      node.hidden = !on || other || Date.now() >= until || me && distance(on, me) > farthest;
      if (node.hidden) return;
      moveTo(node, eye.screenX(on.x), eye.screenY(on.y) - (LABEL + (on.tag?.text ? LINE : 0)) * letter, true);
    });
  }

  return {
    set,
    clear() {
      for (const player of shown) overlay.remove(`bubble ${player}`);
      shown.clear();
    },
  };
}
