// What page Chat, HUD and dialogs puts on the screen and waits for: one dialog, one menu, offers, actions.

import { byId } from "../dom.js";
import { createActions } from "./action.js";
import { createDialog } from "./dialog.js";
import { printed } from "./keys.js";
import { createMenu } from "./menu.js";
import { createOffers } from "./offer.js";

/** createUI(send, { state, sees, rest }): rest() is called when something takes the keyboard from the map. */
export function createUI(send, { state, sees, rest }) {
  let keys = {};
  let paused = false;
  const dialog = createDialog(send, { opened, closed() {} });
  const menu = createMenu(send, () => keys);
  const offers = createOffers(send, () => keys);
  const actions = createActions(send, { state, sees });

  function opened() {
    actions.releaseAll();
    rest();
  }

  function setKeys(next) {
    keys = next;
    for (const node of document.querySelectorAll("kbd[data-function]")) node.textContent = printed(keys[node.dataset.function]);
    menu.redraw();
    offers.redraw();
  }

  return {
    dialog, menu, offers, actions,
    /** The function of the platform that a key has outside of menus, "" for none. */
    functionOf: (name) => (name && Object.keys(keys).find((f) => !f.startsWith("menu_") && keys[f] === name)) || "",
    /** The pause hides all of it and closes nothing. */
    pause(on) {
      if (paused === on) return;
      paused = on;
      byId("screen").hidden = on;
      dialog.pause(on);
      if (on) opened();
    },
    paused: () => paused,
    /** Whether the player is kept in place. */
    holds: () => dialog.open() || menu.holds(),
    messages: {
      dialog: (message) => dialog.show(message.dialog),
      dialog_end: ({ id }) => dialog.end(id),
      dialog_fault: ({ fault }) => dialog.fault(fault),
      menu: (message) => menu.show(message.menu),
      menu_end: ({ id }) => menu.end(id),
      offers: (message) => offers.set(message.offers),
      action: ({ action }) => actions.set(action),
      action_end: ({ id }) => actions.remove(id),
      keys: (message) => setKeys(message.keys),
    },
    /** Everything, for a page that has just connected. */
    set(ui) {
      setKeys(ui.keys);
      ui.actions.forEach(actions.set);
      offers.set(ui.offers);
      if (ui.menu) menu.show(ui.menu);
      if (ui.dialog) dialog.show(ui.dialog);
    },
    clear() {
      dialog.end();
      menu.end();
      offers.set([]);
      actions.clear();
    },
  };
}
