// Draws players: an arrow the way they look, name, health, armor, weapon, and what else is to be known of them.

import { drawNametag, FACE } from "../ui/nametag.js";
import { FLAG } from "./frames.js";
import { direction } from "./walk.js";

const NAMES_FROM = 0.35;                                 // pixels a metre
const WEAPONS_FROM = 1.6;
const LETTER = 3.5, TALL = 16;                           // pixels: half a letter's width, a label's height
const ELSEWHERE = 0.45;                                  // how much is seen of who is in another interior
const GUNS_FROM = 22;                                    // the first weapon with a barrel

/**
 * drawPeds(context, eye, size, peds): each { x, y, heading, aim, name, color, you, dead, health, armor, weapon,
 * weaponName, flags, hurt, elsewhere, tag }, hurt 0..1 is how fresh the last hit is, elsewhere that it is in another
 * interior, tag the nametag or null where none is seen. The own player comes last.
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
    if (!ped.you && (eye.scale < NAMES_FROM || !ped.tag)) continue;
    const px = Math.round(eye.screenX(ped.x)), py = Math.round(eye.screenY(ped.y));
    const half = ((ped.tag?.name || ped.name).length * LETTER + 12) * text;
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
  const y = py - (ped.dead ? 13 : 24 * larger);
  if (!ped.you) drawNametag(context, x, y, ped, larger);
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.lineWidth = 3.5;
  context.strokeStyle = "rgb(9 14 20 / 88%)";
  if (ped.you) text(`${ped.name}${ped.dead ? " (dead)" : ""}`, y, 600, 12.5, ped.dead ? "#c3c9d2" : "#ffd9a3");
  else if (!ped.dead && scale >= WEAPONS_FROM && ped.weaponName) text(ped.weaponName, py + 24 * larger, 500, 11, "#b9c4d2");

  function text(words, at, weight, size, color) {
    context.font = `${weight} ${size * larger}px ${FACE}`;
    context.strokeText(words, x, at);
    context.fillStyle = color;
    context.fillText(words, x, at);
  }
}
