// The keys that walk: which are held, as a stick and as bits of a frame.

import { KEY } from "./frames.js";

const DIRECTIONS = {
  KeyW: [0, 1], ArrowUp: [0, 1], KeyS: [0, -1], ArrowDown: [0, -1],
  KeyA: [-1, 0], ArrowLeft: [-1, 0], KeyD: [1, 0], ArrowRight: [1, 0],
};
const GAITS = {
  ShiftLeft: "sprint", ShiftRight: "sprint", ControlLeft: "walk", ControlRight: "walk", KeyX: "walk", Space: "jump", KeyC: "crouch",
};
const TAP = 120;                                         // ms that a jump counts after its key, so that a frame has it

/** createInput(free): free() says whether the map has the keyboard. */
export function createInput(free) {
  const down = new Map();                                // code -> until when it counts, Infinity while it is held

  addEventListener("keydown", (event) => {
    const walks = event.code in DIRECTIONS, gait = GAITS[event.code];
    if (!walks && !gait || event.altKey || event.metaKey || !free()) return;
    if (event.target instanceof HTMLButtonElement && event.code === "Space") return;
    if (walks || event.code === "Space") event.preventDefault();
    down.set(event.code, Infinity);
  });
  addEventListener("keyup", (event) => {
    if (event.code === "Space" && down.has(event.code)) down.set(event.code, performance.now() + TAP);
    else down.delete(event.code);
  });
  addEventListener("blur", () => down.clear());
  addEventListener("focusin", () => { if (!free()) down.clear(); });
  // Control and W close a tab; whoever walks did not mean that.
  addEventListener("beforeunload", (event) => { if (held("walk") && moving()) event.preventDefault(); });

  const counts = (code) => (down.get(code) ?? 0) > performance.now();
  const held = (gait) => Object.entries(GAITS).some(([code, name]) => name === gait && counts(code));
  const moving = () => Object.keys(DIRECTIONS).some(counts);

  return {
    /** { x, y }: the stick, -1..1 to the east and north, no longer than 1. */
    stick() {
      let x = 0, y = 0;
      for (const [code, [dx, dy]] of Object.entries(DIRECTIONS)) if (counts(code)) { x += dx; y += dy; }
      x = Math.sign(x); y = Math.sign(y);
      const length = Math.hypot(x, y) || 1;
      return { x: x / length, y: y / length };
    },
    held: () => ({ sprint: held("sprint"), walk: held("walk"), jump: held("jump"), crouch: held("crouch") }),
    release: () => down.clear(),
  };
}

/** bits({ sprint, walk, jump, crouch, fire, aim }): the keys of a frame. */
export const bits = (held) => Object.entries(KEY).reduce((sum, [name, bit]) => (held[name] ? sum | bit : sum), 0);
