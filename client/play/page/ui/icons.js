// The icons of page Chat, HUD and dialogs, drawn by lines of the text's color.

const SVG = "http://www.w3.org/2000/svg";

// Paths in a field of 24 x 24.
const PATHS = {
  info: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 11v6M12 7v.1",
  check: "M4 13l5 5L20 6",
  warning: "M12 3.5L22 20.5H2zM12 10v5M12 17.6v.1",
  error: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9 9l6 6M15 9l-6 6",
  question: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M9.3 9.6a2.7 2.7 0 1 1 4 2.4c-.9.5-1.3 1-1.3 2M12 17v.1",
  money: "M2.5 6h19v12h-19zM9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0M6 9v.1M18 15v.1",
  key: "M3.5 15.5a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M11.2 12.3L20 3.5M16 7.5l3.5 3.5M13.8 9.7l2 2",
  lock: "M5 11h14v10H5zM8 11V7.5a4 4 0 0 1 8 0V11M12 15v2.5",
  unlock: "M5 11h14v10H5zM8 11V7a4 4 0 0 1 7.7-1.5M12 15v2.5",
  car: "M3 17v-4l2.5-1.5L8 7h8l2.5 4.5L21 13v4zM6 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0M14 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0M5.5 11.5h13",
  bike: "M2 16a4 4 0 1 0 8 0a4 4 0 1 0-8 0M14 16a4 4 0 1 0 8 0a4 4 0 1 0-8 0M6 16l3.5-7h6L18 16M9.5 9L13 16M15.5 9L14.5 6H12",
  boat: "M3 15h18l-3 5H6zM12 15V3l6.5 9H12M12 6L7 12h5",
  plane: "M12 2.5c1 0 1.7 1 1.7 2.5v4.5L21 14v2l-7.3-2v4l2.3 1.8V21.5L12 20.5L8 21.5V19.8L10.3 18v-4L3 16v-2l7.3-4.5V5c0-1.5.7-2.5 1.7-2.5z",
  train: "M6 4h12v12H6zM6 10h12M9 13v.1M15 13v.1M8 16l-3 5M16 16l3 5M7 19h10",
  house: "M3 11.5L12 4l9 7.5M5.5 9.5V20h13V9.5M10 20v-6h4v6",
  shop: "M4 9l1.5-5h13L20 9M4 9a2.7 2.7 0 0 0 5.3 0a2.7 2.7 0 0 0 5.4 0a2.7 2.7 0 0 0 5.3 0M5.5 12v8h13v-8M10 20v-5h4v5",
  food: "M6 3v7a2 2 0 0 0 4 0V3M8 3v18M17 21V3c-2.5 1-3.5 4-3.5 9H17",
  drink: "M6 3h12l-1.5 18h-9zM6.7 10h10.6",
  fuel: "M4 21V4h10v17M2.5 21h13M4 10h10M14 12h2.5v5a2 2 0 0 0 4 0V8.5L17 5",
  wrench: "M20.5 7.5a5 5 0 0 1-6.7 4.7L7 19a2.1 2.1 0 0 1-3-3l6.8-6.8A5 5 0 0 1 17 3l-3 3l.7 3.3L18 10z",
  medkit: "M3 8h18v12H3zM9 8V4.5h6V8M12 11v6M9 14h6",
  heart: "M12 20.5C5 15.5 3 12 3 8.8A4.7 4.7 0 0 1 12 7a4.7 4.7 0 0 1 9 1.8c0 3.2-2 6.7-9 11.7z",
  shield: "M12 2.5l8 3V11c0 5-3.2 8.5-8 10.5C7.2 19.5 4 16 4 11V5.5z",
  gun: "M3 7h17v4h-8l-1 3H8.5L7 20H3l2-8H3zM20 8.5h1.5",
  ammo: "M5 21V9c0-3 1-5 2-6c1 1 2 3 2 6v12zM15 21V9c0-3 1-5 2-6c1 1 2 3 2 6v12zM5 17h4M15 17h4",
  person: "M8 7.5a4 4 0 1 0 8 0a4 4 0 1 0-8 0M4 21c0-4.5 3.5-7 8-7s8 2.5 8 7",
  group: "M5 8.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M2 20c0-4 2.7-6 6.5-6s6.5 2 6.5 6M15 5.3a3.5 3.5 0 0 1 0 6.4M17.5 14.5c2.8.7 4.5 2.5 4.5 5.5",
  star: "M12 2.5l2.9 6.2l6.6.8l-4.9 4.6l1.3 6.7L12 17.4l-5.9 3.4l1.3-6.7L2.5 9.5l6.6-.8z",
  flag: "M5 22V3M5 4c4-2.5 8 2.5 14 0v10c-6 2.5-10-2.5-14 0",
  target: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 1v4M12 19v4M1 12h4M19 12h4",
  clock: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 6.5V12l4 2.5",
  pin: "M12 22c-4.5-5-7-8.5-7-12a7 7 0 0 1 14 0c0 3.5-2.5 7-7 12zM9.5 10a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0",
  phone: "M7 2h10v20H7zM7 5.5h10M7 17.5h10M12 19.7v.1",
  chat: "M3 4h18v12H11l-5 4.5V16H3zM7.5 8.5h9M7.5 12h6",
  bell: "M5 17.5c1.5-1.5 2-3 2-7a5 5 0 0 1 10 0c0 4 .5 5.5 2 7zM10 20.5a2.2 2.2 0 0 0 4 0M12 3v2.5",
  gift: "M4 12h16v9H4zM2.5 8h19v4h-19zM12 8v13M12 8C8 8 6.5 6.5 6.5 5S8 2.5 9.5 3.5S12 6.5 12 8c0-1.5 1-3.5 2.5-4.5S17.5 3.5 17.5 5S16 8 12 8",
  box: "M12 2.5l9 4.5v10l-9 4.5L3 17V7zM3 7l9 4.5L21 7M12 11.5v10M7.5 4.7l9 4.6",
  skull: "M7 17v4h10v-4c2.5-1.3 4-3.5 4-6.5C21 6 17 3 12 3S3 6 3 10.5C3 13.5 4.5 15.7 7 17zM7.5 11a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M13.5 11a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M12 15v1M10 21v-2M14 21v-2",
  trophy: "M7 3h10v7a5 5 0 0 1-10 0zM7 5H3c0 4 1.5 6 4.3 6.5M17 5h4c0 4-1.5 6-4.3 6.5M12 15v4M8 21h8",
  oxygen: "M3 12a6 6 0 1 0 12 0a6 6 0 1 0-12 0M18 5a2 2 0 1 0 4 0a2 2 0 1 0-4 0M16.5 19a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M6.5 10a3 3 0 0 1 2-1.5",
};

/** iconPath(name) -> its lines for a canvas, in a field of 24 x 24; undefined if there is none of this name. */
export function iconPath(name) {
  if (PATHS[name]) drawn[name] ??= new Path2D(PATHS[name]);
  return drawn[name];
}
const drawn = {};

/** icon(name) -> a picture beside a text that says the same; "" if there is none of this name. */
export function icon(name) {
  if (!PATHS[name]) return "";
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
