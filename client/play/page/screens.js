// What lies over the map while one cannot play: the wait for sign-in and spawn, death, and the screen's fade.

import { byId } from "./dom.js";

const PATIENCE = 3000;                                   // ms after which a wait is explained
const WAITS = {
  pre_auth: ["Waiting for sign-in …", "The server wants a sign-in and has not opened its page yet. A resource opens it, at the event player_sign_in."],
  pre_spawn: ["Spawning …", "The server has not put you into the world yet. A resource may be waiting for something, such as a choice."],
};

export function createScreens(send) {
  let ticking = null;
  let patience = null;
  let waiting = null;                                    // the state that is waited in

  byId("respawn").addEventListener("click", respawn);

  function respawn() { send({ type: "respawn" }); }

  function wait(state) {
    if (state === waiting) return;
    waiting = state;
    clearTimeout(patience);
    byId("waiting").hidden = !state;
    byId("waiting-text").textContent = "";
    if (!state) return;
    const [title, text] = WAITS[state];
    byId("waiting-title").textContent = title;
    patience = setTimeout(() => { byId("waiting-text").textContent = text; }, PATIENCE);
  }

  function set(self) {
    wait(self && self.state in WAITS && !self.camera ? self.state : null);
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
