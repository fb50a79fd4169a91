// A gauge: a value as bar, ring or number, that follows its rate.

import { element } from "../dom.js";
import { nodes } from "../markup.js";
import { move } from "./clock.js";
import { icon } from "./icons.js";
import { own } from "./own.js";
import { createRing } from "./ring.js";

const STEP = 250;                                        // ms in which a step of the value is drawn

/** valueAt(gauge, now): its value at a time, Unix ms. */
export const valueAt = ({ value, rate, since, max }, now) => Math.min(max, Math.max(0, value + rate * (now - since) / 1000));

/** createGauge(is, place, old): old is what stood in its slot; a step from there is drawn as a way. */
export function createGauge(is, place, old) {
  const { style, segments = 0, decimals, number, max, rate, warn = 0, label, unit = "", icon: picture, color, order } = is;
  const begun = Date.now();
  const step = old?.shown ? old.shown(begun) - valueAt(is, begun) : 0;
  const shown = (now) => valueAt(is, now) + step * Math.max(0, 1 - (now - begun) / STEP);

  const digits = new Intl.NumberFormat(undefined, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const node = element("div", { className: `chip gauge ${style}`, role: "meter" });
  const figure = element("b", {}), ring = createRing(), fill = element("i", {}), bar = element("span", { className: "gutter", ariaHidden: "true" }, fill);
  const words = label ? element("span", { className: "label" }, ...nodes(label, true)) : "";
  const mark = picture ? icon(picture) : "";
  if (segments) bar.style.setProperty("--segments", segments);
  bar.classList.toggle("segments", segments > 0);
  own(node, color);
  node.style.order = -order;
  node.setAttribute("aria-label", words ? words.textContent : picture ?? "gauge");
  node.ariaValueMin = "0";
  node.ariaValueMax = String(max);
  const written = number || style === "number" ? figure : "";
  if (style === "ring") node.append(element("span", { className: "dial" }, ring.node, number ? figure : mark), number ? mark : "", words);
  else if (style === "bar") node.append(mark, element("span", { className: "stack" }, element("span", { className: "words" }, words, written), bar));
  else node.append(mark, words, written);
  place.append(node);

  let text = "";
  function draw(now) {
    const value = shown(now), share = value / max;
    if (style === "bar") fill.style.scale = `${share} 1`;
    if (style === "ring") ring.set(share);
    const next = digits.format(value) + (unit && ` ${unit}`);
    if (next !== text) {
      text = figure.textContent = node.ariaValueText = next;
      node.ariaValueNow = String(value);
    }
    node.classList.toggle("warn", warn > 0 && valueAt(is, now) <= warn);
    const end = rate < 0 ? 0 : max;
    if (now - begun >= STEP && (rate === 0 || valueAt(is, now) === end)) move(node);
  }
  move(node, draw);

  return { shown, remove() { move(node); node.remove(); } };
}
