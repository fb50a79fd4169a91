// Actions: the inputs of resources. Keys of the map go to the play program, which knows which actions they mean.

import { byId, element } from "../dom.js";
import { showKeys } from "../markup.js";
import { keyName, printed } from "./keys.js";

/** createActions(send, { state, sees }): state() is the own player's, sees(prompt) whether a prompt is in sight. */
export function createActions(send, { state, sees }) {
  const actions = new Map();                             // by id
  const down = new Set();                                // keys that were pressed for them
  let binding = null;                                    // the action that is to get the next key

  const keyOf = (id) => printed(actions.get(id)?.key);
  showKeys(keyOf);

  function changed() {
    showKeys(keyOf);
    draw();
  }

  // The player's keys, in the panel of keys.
  function draw() {
    const rows = [...actions.values()].map(({ id, label, key, resource }) => {
      const waits = binding === id;
      const button = element("button", { type: "button" }, element("kbd", {}, waits ? "Press a key" : key ? printed(key) : "none"));
      button.setAttribute("aria-label", `${label}: ${key ? printed(key) : "no key"}. Change the key`);
      button.addEventListener("click", () => { binding = waits ? null : id; draw(); byId("actions-list").querySelector(".waits button")?.focus(); });
      const row = element("div", { className: waits ? "waits" : "" }, element("dt", {}, button), element("dd", {}, label, " ", element("small", {}, resource || "server")));
      return row;
    });
    byId("actions-list").replaceChildren(...rows);
    byId("actions").hidden = rows.length === 0;
  }

  // Actions that a key would press now, as far as the page can tell.
  const meant = (name) => [...actions.values()].filter((action) => action.key === name && !action.off && action.when.includes(state()) &&
    (action.prompt && sees(action.prompt) || !action.only_with_prompt));

  function press(name) {
    down.add(name);
    send({ type: "press", key: name });
  }

  function release(name) { if (down.delete(name)) send({ type: "release", key: name }); }

  return {
    set(action) {
      actions.set(action.id, action);
      changed();
    },
    remove(id) {
      actions.delete(id);
      changed();
    },
    clear() {
      actions.clear();
      down.clear();
      binding = null;
      changed();
    },
    keyOf,
    all: () => [...actions.values()],
    /** press(name): a key or button of the map went down. Whether an action has it: { taken, swallow }. */
    press(name) {
      const list = name ? meant(name) : [];
      if (list.length && !down.has(name)) press(name);
      return { taken: list.length > 0, swallow: list.some(({ swallow }) => swallow) };
    },
    release,
    releaseAll() {
      if (down.size === 0) return;
      down.clear();
      send({ type: "release" });
    },
    /** bind(event): whether the key is for an action that is to get it. Escape leaves all as it is, Backspace takes its key. */
    bind(event) {
      if (binding === null) return false;
      const name = keyName(event);
      if (name && name !== "Escape") send({ type: "bind", id: binding, key: name === "Backspace" ? "" : name });
      binding = null;
      draw();
      return true;
    },
  };
}
