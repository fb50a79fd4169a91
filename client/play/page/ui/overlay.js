// What stands over places and people of the map: marks, prompts, bubbles.

import { byId, element } from "../dom.js";

/** createOverlay(wake): wake() has the map drawn again. */
export function createOverlay(wake) {
  const box = element("div", { id: "over", className: "ui" });
  byId("stage").parentElement.prepend(box);
  const marks = new Map();

  return {
    /** put(key, node, draw): draw(view) is called with each picture of the map, and puts the node where it belongs. */
    put(key, node, draw) {
      marks.get(key)?.node.remove();
      marks.set(key, { node, draw });
      node.hidden = true;
      box.append(node);
      wake();
    },
    remove(key) {
      marks.get(key)?.node.remove();
      marks.delete(key);
    },
    /** draw({ eye, me, letter, place, ped }): place(anchor) is where in the world something is, or null. */
    draw(view) { for (const { draw } of marks.values()) draw(view); },
  };
}

/** Puts a node's middle, or its lower edge, at a place of the window in CSS pixels. */
export function moveTo(node, x, y, above = false) {
  node.hidden = false;
  node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, ${above ? "-100%" : "-50%"})`;
}

export const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
