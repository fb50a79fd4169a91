// What page Chat, HUD and dialogs puts on the screen and waits for: one dialog, one menu, offers, actions, the HUD.

import { byId } from "../dom.js";
import { createActions } from "./action.js";
import { createBubbles } from "./bubble.js";
import { createDialog } from "./dialog.js";
import { createFeed } from "./feed.js";
import { createHud } from "./hud.js";
import { printed } from "./keys.js";
import { createMenu } from "./menu.js";
import { createNotifications } from "./notify.js";
import { createOffers } from "./offer.js";
import { createOverlay } from "./overlay.js";
import { createPrompts } from "./prompt.js";
import { createTheme } from "./theme.js";

/**
 * createUI(send, { state, sees, rest, wake, speed }): rest() is called when something takes the keyboard from the map, wake()
 * when the map is to be drawn again; speed() is the own player's in m/s.
 */
export function createUI(send, { state, sees, rest, wake, speed }) {
  let keys = {};
  let paused = false;
  const dialog = createDialog(send, { opened, closed() {} });
  const menu = createMenu(send, () => keys);
  const offers = createOffers(send, () => keys);
  const actions = createActions(send, { state, sees });
  const theme = createTheme();
  const overlay = createOverlay(wake);
  const hud = createHud({ overlay, speed });
  const prompts = createPrompts({ overlay, place: hud.places.prompts, state, sees });
  const bubbles = createBubbles(overlay);
  const feed = createFeed(hud.places.feed);
  hud.places.side.append(byId("offers"));
  const notifications = createNotifications(hud.places.side);

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

  function setAction(action) {
    actions.set(action);
    prompts.set(action);
  }

  function setTheme(next) {
    theme.set(next);
    wake();
  }

  return {
    dialog, menu, offers, actions, theme, hud, overlay, prompts,
    /** The function of the platform that a key has outside of menus, "" for none. */
    functionOf: (name) => (name && Object.keys(keys).find((f) => !f.startsWith("menu_") && keys[f] === name)) || "",
    /** The pause hides all of it and closes nothing. */
    pause(on) {
      if (paused === on) return;
      paused = on;
      byId("screen").hidden = byId("over").hidden = on;
      dialog.pause(on);
      if (on) opened();
    },
    paused: () => paused,
    /** Whether the player is kept in place. */
    holds: () => dialog.open() || menu.holds() || hud.holds(),
    messages: {
      dialog: (message) => dialog.show(message.dialog),
      dialog_end: ({ id }) => dialog.end(id),
      dialog_fault: ({ fault }) => dialog.fault(fault),
      menu: (message) => menu.show(message.menu),
      menu_end: ({ id }) => menu.end(id),
      offers: (message) => offers.set(message.offers),
      action: ({ action }) => setAction(action),
      action_end({ id }) {
        prompts.remove(id);
        actions.remove(id);
      },
      keys: (message) => setKeys(message.keys),
      theme: (message) => setTheme(message.theme),
      hud: (message) => hud.set(message.hud),
      notifications: (message) => notifications.set(message.notifications),
      kills: (message) => feed.set(message.kills),
      bubble: (message) => bubbles.set(message.bubble),
    },
    /** Everything, for a page that has just connected. */
    set(ui) {
      setKeys(ui.keys);
      setTheme(ui.theme);
      ui.actions.forEach(setAction);
      ui.hud.forEach(hud.set);
      notifications.set(ui.notifications, true);
      feed.set(ui.kills);
      Object.values(ui.bubbles).forEach(bubbles.set);
      offers.set(ui.offers);
      if (ui.menu) menu.show(ui.menu);
      if (ui.dialog) dialog.show(ui.dialog);
    },
    clear() {
      dialog.end();
      menu.end();
      offers.set([]);
      actions.clear();
      prompts.clear();
      setTheme(null);
      hud.clear();
      notifications.set([]);
      feed.set([]);
      bubbles.clear();
    },
  };
}
