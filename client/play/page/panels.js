// The panels over the stage: players, resources, keys. A button or a key opens one; players also while Tab is held.

import { byId } from "./dom.js";

const NAMES = ["players", "resources", "help"];

/** createPanels(pause): pause(on) hears whether the panel of keys is open, which is this client's pause menu. */
export function createPanels(pause) {
  let held = null;

  function set(name, open) {
    byId(name).hidden = !open;
    byId(`${name}-button`).setAttribute("aria-expanded", String(open));
    if (name === "help") pause(open);
  }

  function toggle(name) {
    const open = byId(name).hidden;
    for (const other of NAMES) set(other, other === name && open);
  }

  for (const name of NAMES) byId(`${name}-button`).addEventListener("click", () => toggle(name));

  return {
    toggle,
    hold(name) {
      if (!byId(name).hidden) return;
      held = name;
      set(name, true);
    },
    release(name) {
      if (held === name) set(name, false);
      held = null;
    },
    closeAll() { for (const name of NAMES) set(name, false); },
  };
}
