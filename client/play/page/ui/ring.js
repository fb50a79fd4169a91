// A ring that fills, around whatever its place shows.

const SVG = "http://www.w3.org/2000/svg";

function circle(name) {
  const node = document.createElementNS(SVG, "circle");
  for (const [key, value] of Object.entries({ class: name, cx: 20, cy: 20, r: 17, pathLength: 1 })) node.setAttribute(key, value);
  return node;
}

/** createRing() -> { node, set(share) }, share 0..1 */
export function createRing() {
  const node = document.createElementNS(SVG, "svg");
  node.setAttribute("viewBox", "0 0 40 40");
  node.setAttribute("class", "arc");
  node.setAttribute("aria-hidden", "true");
  const full = circle("full");
  node.append(circle("track"), full);
  return { node, set: (share) => { full.style.strokeDasharray = `${Math.max(share, 0)} 2`; } };
}
