// The keyboard of the game around the view. In a text field, and with a modifier, keys are the browser's.

import { byId } from "./dom.js";

export function bindKeys({ chat, stage, panels }) {
  const atRest = () => [document.body, byId("stage"), null].includes(document.activeElement);
  const typing = (target) => target instanceof HTMLInputElement;
  const pressing = (target) => target instanceof HTMLButtonElement;

  const actions = {
    enter: () => chat.focus(),
    t: () => chat.focus(),
    "/": () => chat.focus("/"),
    r: () => panels.toggle("resources"),
    "?": () => panels.toggle("help"),
    v: () => stage.focus(),
    p: () => stage.hide(),
    escape: () => { panels.closeAll(); stage.leave(); },
  };

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
