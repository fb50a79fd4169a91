// What lies over the map while one cannot play: the wait for the spawn, death, and the screen's fade.

import { byId } from "./dom.js";

const PATIENCE = 3000;                                   // ms after which the wait for the spawn is explained

export function createScreens(send) {
  let ticking = null;
  let patience = null;

  byId("respawn").addEventListener("click", respawn);

  function respawn() { send({ type: "respawn" }); }

  function set(self) {
    const waiting = self?.state === "pre_spawn" && !self.camera;
    if (byId("spawning").hidden !== !waiting) {
      byId("spawning").hidden = !waiting;
      byId("spawning-text").textContent = "";
      clearTimeout(patience);
      if (waiting) {
        patience = setTimeout(() => {
          byId("spawning-text").textContent = "The server has not put you into the world yet. A resource may be waiting for something, such as a sign-in or a choice.";
        }, PATIENCE);
      }
    }
    clearInterval(ticking);
    byId("death").hidden = self?.state !== "wasted";
    if (self?.state !== "wasted") return;
    byId("death-cause").textContent = sentence(self.death);
    const tick = () => {
      const left = Math.ceil((self.respawn - Date.now()) / 1000);
      byId("death-time").textContent = left > 0 ? `Respawn in ${left} s` : "Waiting for the server";
    };
    ticking = setInterval(tick, 250);
    tick();
  }

  function sentence({ killer, cause, stealth }) {
    const by = killer ? `Killed by ${killer}` : "You died";
    return `${by}: ${stealth ? "stealth kill with " : ""}${cause}.`;
  }

  /** fade({ out, time, color }): the map's colour, in time ms. */
  function fade({ out, time, color }) {
    const cover = byId("fade");
    cover.style.transitionDuration = `${time}ms`;
    if (out) cover.style.backgroundColor = color;
    cover.style.opacity = out ? "1" : "0";
  }

  return { set, fade, respawn, dead: () => !byId("death").hidden };
}
