// The name over a player's head, as the server wants it.

import { FLAG } from "../map/frames.js";
import { keyText, parse } from "../markup.js";
import { iconPath } from "./icons.js";

export const FACE = '"Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif';
const BAR = 40, SMALL = 11.5, NAME = 12.5;               // pixels
const LINE = 14;                                         // of the second line
const DARK = "rgb(9 14 20 / 88%)";

/** How a name looks about which nothing was said. */
export const DEFAULT = { health: true, armor: true, signs: true, distance: 40 };

/** drawNametag(context, x, y, ped, larger): the name stands over y, bars under it; larger is the text's size. */
export function drawNametag(context, x, y, ped, larger) {
  const { tag, dead, flags } = ped;
  const signs = !dead && tag.signs ? `${flags & FLAG.typing ? " …" : ""}${flags & FLAG.paused ? " (paused)" : ""}` : "";
  const name = [...(tag.name ? parse(tag.name) : [{ text: ped.name, color: "" }]), { text: dead ? " (dead)" : signs, color: "" }];
  const base = y - (tag.text && !dead ? LINE * larger : 0);
  context.strokeStyle = DARK;
  context.lineWidth = 3.5;
  line(context, x, base, name, dead ? "#c3c9d2" : tag.color || ped.color || "#eef2f8", `600 ${NAME * larger}px ${FACE}`, tag.icon, larger);
  if (dead) return;
  if (tag.text) line(context, x, y, parse(tag.text), "#d5dbe5", `500 ${SMALL * larger}px ${FACE}`, "", larger);
  let below = y + 5 * larger;
  if (tag.health) {
    bar(context, x, below, larger, ped.health / 100, ped.health > 30 ? "#79d184" : "#ff7d73");
    below += 4 * larger;
  }
  if (tag.armor && ped.armor > 0) bar(context, x, below, larger, ped.armor / 100, "#a9c7ff");
}

// A line of pieces with colors of their own, its middle at x.
function line(context, x, y, pieces, color, font, picture, larger) {
  context.font = font;
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  const texts = pieces.map(({ text, action, color: own }) => ({ text: action ? `[${keyText(action)}]` : text, color: own || color }));
  const side = picture ? 15 * larger : 0;
  let left = x - (texts.reduce((sum, { text }) => sum + context.measureText(text).width, 0) + side) / 2;
  if (picture) {
    drawIcon(context, left, y, picture, color, larger);
    left += side;
  }
  for (const { text, color: own } of texts) {
    context.strokeText(text, left, y);
    context.fillStyle = own;
    context.fillText(text, left, y);
    left += context.measureText(text).width;
  }
}

function drawIcon(context, left, y, name, color, larger) {
  const path = iconPath(name);
  if (!path) return;
  context.save();
  context.translate(left, y - 11 * larger);
  context.scale(larger * 12 / 24, larger * 12 / 24);
  context.lineJoin = context.lineCap = "round";
  for (const [style, wide] of [[DARK, 7], [color, 2.6]]) {
    context.strokeStyle = style;
    context.lineWidth = wide;
    context.stroke(path);
  }
  context.restore();
}

function bar(context, x, y, larger, share, color) {
  const wide = BAR * larger, high = 3 * larger;
  context.fillStyle = DARK;
  context.fillRect(x - wide / 2 - 1, y - 1, wide + 2, high + 2);
  context.fillStyle = color;
  context.fillRect(x - wide / 2, y, wide * Math.min(1, Math.max(0, share)), high);
}
