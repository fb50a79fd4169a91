// The keyboard of the game around the view. In a text field, and with a modifier, keys are the browser's.

import { byId } from "./dom.js";

const typing = (target) => target instanceof HTMLInputElement;

/** Whether the map has the keyboard: neither a text field nor a view has it. */
export const mapHasKeys = () => !typing(document.activeElement) && !(document.activeElement instanceof HTMLIFrameElement);

export function bindKeys({ chat, stage, panels, map, screens }) {
  const atRest = () => [document.body, byId("stage"), null].includes(document.activeElement);
  const pressing = (target) => target instanceof HTMLButtonElement;

  const actions = {
    enter: () => chat.focus(),
    t: () => chat.focus(),
    "/": () => chat.focus("/"),
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
    escape: () => { panels.closeAll(); stage.leave(); },
  };

  for (let n = 1; n <= 9; n++) actions[n] = () => map.arm(0, n);
  actions[0] = () => map.arm(0, 0);

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || typing(event.target)) return;
    if (event.key === "Tab") {
      if (event.shiftKey || !atRest()) return;           // Tab walks through controls once one has the focus
      event.preventDefault();
      if (!event.repeat) panels.hold("players");
      return;
    }
    const action = actions[event.key.toLowerCase()];
    if (!action || event.repeat || event.key === "Enter" && pressing(event.target)) return;
    event.preventDefault();
    action();
  });
  addEventListener("keyup", (event) => { if (event.key === "Tab") panels.release("players"); });
  addEventListener("blur", () => panels.release("players"));
}
