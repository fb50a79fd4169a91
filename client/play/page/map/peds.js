// Draws players: an arrow the way they look, name, health, armor, weapon, and what else is to be known of them.

import { FLAG } from "./frames.js";
import { direction } from "./walk.js";

const FACE = '"Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif';
const NAMES_FROM = 0.35;                                 // pixels a metre
const WEAPONS_FROM = 1.6;
const BAR = 40;                                          // pixels
const LETTER = 3.5, TALL = 16;                           // pixels: half a letter's width, a label's height
const ELSEWHERE = 0.45;                                  // how much is seen of who is in another interior
const GUNS_FROM = 22;                                    // the first weapon with a barrel

/**
 * drawPeds(context, eye, size, peds): each { x, y, heading, aim, name, color, you, dead, health, armor, weapon,
 * weaponName, flags, hurt, elsewhere }, hurt 0..1 is how fresh the last hit is, elsewhere that it is in another
 * interior. The own player comes last.
 */
export function drawPeds(context, eye, { width, height, ratio, text }, peds) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.lineJoin = "round";
  const seen = peds.filter((ped) => eye.sees(ped.x, ped.y, 80, width, height));
  for (const ped of seen) {
    context.globalAlpha = ped.elsewhere ? ELSEWHERE : 1;
    const px = eye.screenX(ped.x), py = eye.screenY(ped.y);
    if (ped.dead) drawBody(context, px, py);
    else drawArrow(context, px, py, ped, eye.scale, text);
  }
  const taken = [];                                      // a label that would lie on another one is left out
  for (const ped of seen.reverse()) {
    if (eye.scale < NAMES_FROM && !ped.you) continue;
    const px = Math.round(eye.screenX(ped.x)), py = Math.round(eye.screenY(ped.y));
    const half = (ped.name.length * LETTER + 12) * text;
    if (taken.some((t) => Math.abs(t.px - px) < t.half + half && Math.abs(t.py - py) < TALL * text)) continue;
    taken.push({ px, py, half });
    context.globalAlpha = ped.elsewhere ? ELSEWHERE : 1;
    drawLabel(context, px, py, ped, eye.scale, text);
  }
  context.globalAlpha = 1;
}

function drawArrow(context, px, py, ped, scale, larger) {
  const size = larger * Math.min(11, Math.max(6.5, scale * 1.6));
  if (ped.you) {
    context.beginPath();
    context.arc(px, py, size + 7, 0, 2 * Math.PI);
    context.fillStyle = "rgb(255 180 84 / 20%)";
    context.fill();
  }
  if (ped.weapon >= GUNS_FROM && ped.flags & FLAG.aiming) {
    const [dx, dy] = direction(ped.aim);
    context.beginPath();
    context.moveTo(px, py);
    context.lineTo(px + dx * size * 2.6, py - dy * size * 2.6);
    context.strokeStyle = "#f2f5fa";
    context.lineWidth = 2;
    context.stroke();
  }
  context.save();
  context.translate(px, py);
  context.rotate(-ped.heading * Math.PI / 180);
  context.beginPath();
  context.moveTo(0, -size * 1.25);
  context.lineTo(size * 0.85, size * 0.9);
  context.lineTo(0, size * 0.45);
  context.lineTo(-size * 0.85, size * 0.9);
  context.closePath();
  context.lineWidth = 3;
  context.strokeStyle = ped.flags & FLAG.burning ? "#ff8a3d" : "rgb(9 14 20 / 90%)";
  context.stroke();
  context.fillStyle = ped.hurt ? "#ff6b60" : ped.you ? "#ffb454" : ped.color || "#e4ecf7";
  context.fill();
  context.restore();
  if (ped.hurt) {
    context.beginPath();
    context.arc(px, py, size + 6 + 8 * (1 - ped.hurt), 0, 2 * Math.PI);
    context.strokeStyle = `rgb(255 107 96 / ${Math.round(ped.hurt * 100)}%)`;
    context.lineWidth = 2.5;
    context.stroke();
  }
}

function drawBody(context, px, py) {
  context.beginPath();
  context.moveTo(px - 6, py - 6); context.lineTo(px + 6, py + 6);
  context.moveTo(px + 6, py - 6); context.lineTo(px - 6, py + 6);
  context.strokeStyle = "rgb(9 14 20 / 90%)";
  context.lineWidth = 6;
  context.stroke();
  context.strokeStyle = "#c9868a";
  context.lineWidth = 3;
  context.stroke();
}

function drawLabel(context, x, py, ped, scale, larger) {
  const marks = ped.you ? "" : `${ped.flags & FLAG.typing ? " …" : ""}${ped.flags & FLAG.paused ? " (paused)" : ""}`;
  const text = `${ped.name}${ped.dead ? " (dead)" : marks}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.font = `600 ${12.5 * larger}px ${FACE}`;
  context.lineWidth = 3.5;
  context.strokeStyle = "rgb(9 14 20 / 88%)";
  const y = py - (ped.dead ? 13 : 24 * larger);
  context.strokeText(text, x, y);
  context.fillStyle = ped.dead ? "#c3c9d2" : ped.you ? "#ffd9a3" : ped.color || "#eef2f8";
  context.fillText(text, x, y);
  if (ped.dead || ped.you) return;
  bar(context, x, y + 4, BAR * larger, ped.health / 100, ped.health > 30 ? "#79d184" : "#ff7d73");
  if (ped.armor > 0) bar(context, x, y + 8, BAR * larger, ped.armor / 100, "#a9c7ff");
  if (scale < WEAPONS_FROM || !ped.weaponName) return;
  context.font = `500 ${11 * larger}px ${FACE}`;
  context.strokeText(ped.weaponName, x, py + 24 * larger);
  context.fillStyle = "#b9c4d2";
  context.fillText(ped.weaponName, x, py + 24 * larger);
}

function bar(context, x, y, wide, share, color) {
  context.fillStyle = "rgb(9 14 20 / 85%)";
  context.fillRect(x - wide / 2 - 1, y - 1, wide + 2, 5);
  context.fillStyle = color;
  context.fillRect(x - wide / 2, y, wide * Math.min(1, Math.max(0, share)), 3);
}
