// Prompts of actions: what a key does here and now, low on the screen or at a place of the world.

import { element } from "../dom.js";
import { nodes } from "../markup.js";
import { move } from "./clock.js";
import { moveTo } from "./overlay.js";
import { createRing } from "./ring.js";

/** createPrompts({ overlay, place, state, sees }): as of the actions; place is where those on the screen stand. */
export function createPrompts({ overlay, place, state, sees }) {
  const shown = new Map();                               // by the action's id: { node, fits }

  function set(action) {
    remove(action.id);
    const { id, prompt, off, when, down, since } = action;
    if (!prompt) return;
    const key = element("span", { className: "glyph" }, ...nodes(`{key:${id}}`, true));
    const node = element("p", { className: `prompt ${prompt.world ? "world" : "chip"}` }, key, element("span", {}, ...nodes(prompt.text, true)));
    const fits = () => !off && when.includes(state());
    if (prompt.hold_ms) {
      const ring = createRing();
      key.prepend(ring.node);
      key.classList.add("hold");
      ring.set(0);
      if (down) move(`prompt ${id}`, (now) => ring.set((now - since) / prompt.hold_ms));
    }
    node.classList.toggle("down", down ?? false);
    shown.set(id, { node, fits });
    if (!prompt.world) {
      node.hidden = !fits();
      place.append(node);
      return;
    }
    overlay.put(`prompt ${id}`, node, ({ eye, letter, place: where }) => {
      const at = where(prompt);
      node.hidden = !at || !fits() || !sees(prompt);
      if (!node.hidden) moveTo(node, eye.screenX(at.x), eye.screenY(at.y) - letter, true);
    });
  }

  function remove(id) {
    move(`prompt ${id}`);
    overlay.remove(`prompt ${id}`);
    shown.get(id)?.node.remove();
    shown.delete(id);
  }

  return {
    set,
    remove,
    /** The player's state may be another one. */
    check() { for (const { node, fits } of shown.values()) if (node.matches(".chip")) node.hidden = !fits(); },
    clear() { for (const id of [...shown.keys()]) remove(id); },
  };
}
