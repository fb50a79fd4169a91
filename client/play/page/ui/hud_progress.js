// A bar or a ring that fills by itself, with the key that cancels it.

import { element } from "../dom.js";
import { nodes } from "../markup.js";
import { move } from "./clock.js";
import { own } from "./own.js";
import { createRing } from "./ring.js";

/** elapsedAt(progress, now): how far it is, in ms. */
export const elapsedAt = ({ elapsed, since, duration }, now) => Math.min(duration, elapsed + (since ? now - since : 0));

export function createProgress(is, place) {
  const { style, duration, since, cancel, color, text } = is;
  const ring = createRing(), fill = element("i", {}), share = element("b", { ariaHidden: "true" });
  const node = element("div", { className: `chip progress ${style}`, role: "progressbar" });
  const words = element("span", { className: "label" }, ...nodes(text || "", true));
  const key = cancel ? element("small", {}, ...nodes(`{key:${cancel}}`, true), " Cancel") : "";
  if (style === "ring") node.append(element("span", { className: "dial" }, ring.node, duration ? share : ""), element("span", { className: "stack" }, words, key));
  else node.append(element("span", { className: "words" }, words, key), element("span", { className: "gutter", ariaHidden: "true" }, fill));
  node.classList.toggle("endless", duration === 0);
  node.setAttribute("aria-label", words.textContent || "Progress");
  own(node, color);
  place.append(node);

  function draw(now) {
    const part = elapsedAt(is, now) / duration;
    if (style === "bar") fill.style.scale = `${part} 1`;
    else ring.set(part);
    const percent = String(Math.floor(part * 100));
    if (node.ariaValueNow !== percent) {
      node.ariaValueNow = percent;
      share.textContent = `${percent}%`;
    }
    if (!since || part >= 1) move(node);
  }
  if (duration) move(node, draw);
  else ring.set(0.25);
  return { remove() { move(node); node.remove(); } };
}
