// Who gets a key: the panel of keys, the dialog, the view, a line that is typed, the menu, offers, actions, then the map. A
// dialog and a view have the focus; what they take does not come here, or is left alone.

import { byId } from "./dom.js";
import { buttonName, keyName } from "./ui/keys.js";

const typing = (target) => target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
const away = () => typing(document.activeElement) || document.activeElement instanceof HTMLIFrameElement;
const REPEATED = ["player_list", "chat_up", "chat_down"];   // functions that a held key repeats
const MODIFIER = /^(Control|Alt)(Left|Right)$/;

/** Whether the map has the keyboard: neither a text field nor a view has it. */
export const mapHasKeys = () => !away();

export function bindKeys({ chat, stage, panels, map, screens, ui }) {
  const atRest = () => [document.body, byId("stage"), null].includes(document.activeElement);
  const pressing = (target) => target instanceof HTMLButtonElement;

  // The platform's functions, whose keys a server can change. Each gets the event; false: the key is not taken.
  const functions = {
    chat: () => chat.focus(),
    team_chat: () => chat.focus({ team: true }),
    command: () => chat.focus({ start: "/" }),
    chat_up: () => chat.scroll(-1),
    chat_down: () => chat.scroll(1),
    hide_hud: () => ui.hud.hide(),
    player_list: ({ shiftKey, repeat }) => {
      if (shiftKey || !atRest()) return false;           // Tab walks through controls once one has the focus
      if (!repeat && ui.theme.shows("player_list")) panels.hold("players");
      return true;
    },
  };

  const shortcuts = {
    Enter: () => chat.focus(),
    "/": () => chat.focus({ start: "/" }),
    r: () => { if (screens.dead()) screens.respawn(); else panels.toggle("resources"); },
    "?": () => panels.toggle("help"),
    v: () => stage.focus(),
    p: () => stage.hide(),
    f: () => map.follow(),
    "+": () => map.zoomIn(),
    "=": () => map.zoomIn(),
    "-": () => map.zoomOut(),
    q: () => map.arm(-1),
    e: () => map.arm(1),
    Escape: () => { panels.closeAll(); stage.leave(); },
  };
  for (let n = 1; n <= 9; n++) shortcuts[n] = () => map.arm(0, n);
  shortcuts[0] = () => map.arm(0, 0);

  // route(event) -> whether the key is taken: nobody else sees it then. One that an action has the map may still see.
  function route(event, name) {
    const { repeat, target } = event;
    if (!ui.paused()) {
      const inMenu = ui.menu.takes(name);
      if (inMenu) return ui.menu.press(inMenu, repeat), true;
      const answer = ui.offers.takes(name);
      if (answer) return repeat || ui.offers.answer(answer), true;
    }
    const own = ui.functionOf(name);
    if (own in functions) {
      if (repeat && !REPEATED.includes(own)) return true;
      return functions[own](event) !== false;
    }
    if (!ui.paused() && name) {
      const { taken, swallow } = ui.actions.press(name);
      if (taken) return swallow;
    }
    const shortcut = shortcuts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!shortcut || repeat || event.key === "Enter" && pressing(target)) return false;
    shortcut();
    return true;
  }

  addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const name = keyName(event);
    const take = () => { event.preventDefault(); event.stopImmediatePropagation(); };
    if (ui.actions.bind(event)) return take();
    if (name === "F1") {
      take();
      if (!event.repeat) panels.toggle("help");
      return undefined;
    }
    if (ui.dialog.open() && !ui.paused() || typing(event.target)) return undefined;
    if ((event.ctrlKey || event.altKey || event.metaKey) && !MODIFIER.test(name)) return undefined;
    if (pressing(event.target) && ["Enter", "Space"].includes(name)) return undefined;
    if (route(event, name)) take();
    return undefined;
  }, true);
  addEventListener("keyup", (event) => {
    const name = keyName(event);
    ui.actions.release(name);
    if (ui.functionOf(name) === "player_list" || event.key === "Tab") panels.release("players");
  }, true);
  addEventListener("blur", () => { panels.release("players"); ui.actions.releaseAll(); });
  addEventListener("focusin", () => { if (away()) ui.actions.releaseAll(); });

  // Mouse buttons and the wheel can be the keys of actions, too.
  byId("map").addEventListener("pointerdown", ({ button }) => { if (!ui.paused()) ui.actions.press(buttonName(button)); });
  addEventListener("pointerup", ({ button }) => ui.actions.release(buttonName(button)));
  byId("map").addEventListener("wheel", ({ deltaY }) => {
    const name = deltaY < 0 ? "WheelUp" : "WheelDown";
    if (ui.paused() || !ui.actions.press(name).taken) return;
    ui.actions.release(name);
  }, { passive: true });
}
