// A countdown: a clock that runs down or up, or the large last seconds.

import { element } from "../dom.js";
import { nodes } from "../markup.js";
import { minutes, move } from "./clock.js";
import { own } from "./own.js";
import { beep } from "./sound.js";

const LAST = 10;                                         // seconds that are heard
const TICK = [660, 70], END = [990, 350];                // hertz, ms

/** timeAt(countdown, now): what it shows, in ms. */
export function timeAt({ mode, time, since }, now) {
  if (!since) return time;
  return mode === "up" ? time + now - since : Math.max(0, time - (now - since));
}

export function createCountdown(is, place) {
  const { mode, ended, tenths, ticks, color, label, end } = is;
  const clock = element("b", {});
  const node = element("div", { className: `countdown ${mode}`, role: "timer" }, label ? element("span", { className: "label" }, ...nodes(label, true)) : "", clock);
  own(node, color);
  node.classList.toggle("ended", ended);
  place.append(node);

  let heard = null;                                      // the second that was heard last
  function draw(now) {
    const left = timeAt(is, now);
    const second = Math.ceil(left / 1000);
    const up = mode === "up" || tenths;                  // a clock that runs down shows a second until it is over
    const text = mode === "large" ? String(second) : minutes(up ? left : second * 1000, tenths);
    if (clock.textContent !== text) {
      clock.textContent = text;
      if (mode === "large") pop();
    }
    if (heard !== null && heard !== second && ticks && mode !== "up" && second > 0 && second <= LAST) beep(...TICK);
    heard = second;
    node.classList.toggle("last", mode === "down" && second <= LAST);
    if (!is.since) move(node);
  }

  // Each of the large seconds comes anew.
  function pop() { clock.getAnimations().forEach((animation) => { animation.cancel(); animation.play(); }); }

  if (ended) {
    clock.replaceChildren(...nodes(end, true));
    if (ticks) beep(...END);
  } else {
    move(node, draw);
  }
  return { remove() { move(node); node.remove(); } };
}
