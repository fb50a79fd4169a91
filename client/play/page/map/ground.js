// Draws the land, its roads and names, and the grid.

import { grounds, lakes, lands, names, roads, runways, towns } from "./land.js";

const TONES = {
  sea: "#0b1521", shelf: "rgb(74 130 178 / 13%)", shore: "#3d5468",
  green: "#1b2b25", forest: "#192722", desert: "#2b2720", town: "#2a323c", street: "rgb(226 235 250 / 7%)",
  park: "#22392b", sand: "#3b3628", field: "#222932", rock: "#2d2b2b", peak: "#403d3c", runway: "#3f4854",
  edge: "#0a0f15", road: "#465160", wide: "#766648",
};

const NAMES = {                                          // from which scale to which, in pixels a metre
  city: { from: 0, to: 1.1, font: 600, size: 21, spacing: 3, color: "#f3f6fb", upper: true },
  country: { from: 0.08, to: 1.1, font: 500, size: 14, spacing: 3, color: "#9fb0bf", upper: true },
  sea: { from: 0.08, to: 2, font: "italic 400", size: 14, spacing: 1, color: "#86aecd" },
  peak: { from: 0.08, to: 9, font: 500, size: 13, spacing: 0, color: "#d3c9bf" },
  place: { from: 0.2, to: 9, font: 500, size: 13, spacing: 0, color: "#c6d0db" },
  district: { from: 0.42, to: 9, font: 500, size: 12.5, spacing: 0, color: "#aab6c4" },
};

const FACE = '"Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif';
const STEPS = [10, 20, 50, 100, 200, 500, 1000];         // metres between two lines of the grid
const LEAST_STEP = 88;                                   // pixels

const COAST_BEND = 130, ROAD_BEND = 25;                  // metres before a corner at which a line begins to bend

// A line through points, its corners rounded.
const outline = (points, closed, bend) => {
  const path = new Path2D();
  const toward = ([x, y], [tx, ty]) => {
    const share = Math.min(0.5, bend / (Math.hypot(tx - x, ty - y) || 1));
    return [x + (tx - x) * share, y + (ty - y) * share];
  };
  const last = points.length - 1;
  if (!closed) path.moveTo(...points[0]);
  for (let i = closed ? 0 : 1; i <= last - (closed ? 0 : 1); i++) {
    const before = points[(i + last) % (last + 1)], corner = points[i], after = points[(i + 1) % (last + 1)];
    const from = toward(corner, before);
    if (closed && i === 0) path.moveTo(...from);
    else path.lineTo(...from);
    path.quadraticCurveTo(...corner, ...toward(corner, after));
  }
  if (closed) path.closePath();
  else path.lineTo(...points[last]);
  return path;
};

const box = (points) => {
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) };
};

const area = ({ shape, ...rest }, bend = 0) => ({ ...rest, path: outline(shape, true, bend), box: box(shape) });

const streets = ({ step, shape }) => {
  const { left, right, bottom, top } = box(shape);
  const path = new Path2D();
  for (let x = left + step / 2; x < right; x += step) { path.moveTo(x, bottom); path.lineTo(x, top); }
  for (let y = bottom + step / 2; y < top; y += step) { path.moveTo(left, y); path.lineTo(right, y); }
  return path;
};

const built = {
  lands: lands.map((land) => area(land, COAST_BEND)),
  lakes: lakes.map((shape) => area({ shape }, COAST_BEND)),
  towns: towns.map((town) => ({ ...area(town, ROAD_BEND), streets: streets(town) })),
  grounds: grounds.map((ground) => area(ground, ROAD_BEND)),
  roads: roads.map(({ wide = false, line }) => ({ wide, path: outline(line, false, ROAD_BEND), box: box(line) })),
  runways: runways.map((line) => ({ path: outline(line, false, 0), box: box(line) })),
};

/**
 * drawGround(context, eye, { width, height, ratio, text }): everything under the players. text is how much larger than
 * on a small screen letters are.
 */
export function drawGround(context, eye, size) {
  const { width, height, ratio } = size;
  const { scale } = eye;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = TONES.sea;
  context.fillRect(0, 0, width, height);
  context.setTransform(ratio * scale, 0, 0, -ratio * scale, ratio * (eye.middleX - eye.x * scale), ratio * (eye.middleY + eye.y * scale));
  context.lineJoin = context.lineCap = "round";

  const seen = { left: eye.worldX(0), right: eye.worldX(width), top: eye.worldY(0), bottom: eye.worldY(height) };
  const inSight = ({ box: b }) => b.left < seen.right + 60 && b.right > seen.left - 60 && b.bottom < seen.top + 60 && b.top > seen.bottom - 60;
  const pixels = (count) => count / scale;

  const stroke = (list, style, line) => {
    context.strokeStyle = style;
    context.lineWidth = line;
    for (const thing of list) if (inSight(thing)) context.stroke(thing.path);
  };
  const fill = (list, style) => {
    for (const thing of list) {
      if (!inSight(thing)) continue;
      context.fillStyle = style ?? TONES[thing.tone];
      context.fill(thing.path);
    }
  };

  stroke(built.lands, TONES.shelf, 110);
  stroke(built.lands, TONES.shelf, 50);
  stroke(built.lands, TONES.shore, Math.max(pixels(2.4), 2));
  fill(built.lands);
  fill(built.towns, TONES.town);
  fill(built.grounds);
  drawStreets(context, eye, inSight);
  fill(built.lakes, TONES.sea);
  stroke(built.lakes, TONES.shore, pixels(1.2));
  stroke(built.runways, TONES.runway, 42);
  drawRoads(stroke, scale);
  drawGrid(context, eye, size);
}

function drawStreets(context, eye, inSight) {
  for (const town of built.towns) {
    if (town.step * eye.scale < 9 || !inSight(town)) continue;
    context.save();
    context.clip(town.path);
    context.strokeStyle = TONES.street;
    context.lineWidth = Math.max(9, 1 / eye.scale);
    context.stroke(town.streets);
    context.restore();
  }
}

function drawRoads(stroke, scale) {
  const narrow = built.roads.filter((road) => !road.wide), wide = built.roads.filter((road) => road.wide);
  const line = (metres, least) => Math.max(metres, least / scale);
  if (scale > 0.25) {
    stroke(narrow, TONES.edge, line(13, 1.2) + 2 / scale);
    stroke(wide, TONES.edge, line(20, 2) + 2 / scale);
  }
  stroke(narrow, TONES.road, line(13, 1.2));
  stroke(wide, TONES.wide, line(20, 2));
}

function drawGrid(context, eye, { width, height, ratio, text }) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const step = STEPS.find((metres) => metres * eye.scale >= LEAST_STEP) ?? STEPS.at(-1);
  context.strokeStyle = "rgb(190 210 240 / 9%)";
  context.lineWidth = 1;
  context.beginPath();
  const crisp = (pixel) => (Math.round(pixel * ratio) + 0.5) / ratio;
  const xs = [], ys = [];
  for (let x = Math.ceil(eye.worldX(0) / step) * step; x <= eye.worldX(width); x += step) {
    const px = crisp(eye.screenX(x));
    context.moveTo(px, 0); context.lineTo(px, height);
    xs.push([x, px]);
  }
  for (let y = Math.ceil(eye.worldY(height) / step) * step; y <= eye.worldY(0); y += step) {
    const py = crisp(eye.screenY(y));
    context.moveTo(0, py); context.lineTo(width, py);
    ys.push([y, py]);
  }
  context.stroke();
  context.font = `500 ${11 * text}px ${FACE}`;
  context.fillStyle = "#8d9cae";
  context.textAlign = "left";
  context.textBaseline = "top";
  for (const [x, px] of xs) if (px > eye.left) context.fillText(String(x), px + 4, eye.top + 4);
  context.textAlign = "right";
  context.textBaseline = "bottom";
  for (const [y, py] of ys) if (py > eye.top + 24) context.fillText(String(y), width - 5, py - 3);
}

/** drawNames(context, eye, size): after the ground; a name that would lie on an earlier one is left out. */
export function drawNames(context, eye, { width, height, ratio, text: larger }) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.strokeStyle = "rgb(9 14 20 / 85%)";
  context.lineWidth = 3.5;
  const taken = [];
  for (const [kind, name, x, y] of names) {
    const look = NAMES[kind];
    if (eye.scale < look.from || eye.scale > look.to || !eye.sees(x, y, 150, width, height)) continue;
    const text = look.upper ? name.toUpperCase() : name;
    const px = Math.round(eye.screenX(x)), py = Math.round(eye.screenY(y));
    const size = larger * (kind === "city" && eye.scale < 0.2 ? 17 : look.size);
    context.font = `${look.font} ${size}px ${FACE}`;
    context.letterSpacing = `${look.spacing}px`;
    const half = context.measureText(text).width / 2 + 7, tall = size / 2 + 5;
    const free = taken.every((t) => Math.abs(t.px - px) > t.half + half || Math.abs(t.py - py) > t.tall + tall);
    if (!free) continue;
    taken.push({ px, py, half, tall });
    context.strokeText(text, px, py);
    context.fillStyle = look.color;
    context.fillText(text, px, py);
  }
  context.letterSpacing = "0px";
}
