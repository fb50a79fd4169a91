// The color that an author gave to an element: of its picture, its bar, its title.

/** own(node, color): color may be empty, for that of the theme. On a light theme it is drawn dark enough to be seen. */
export function own(node, color) {
  if (!color) return;
  node.classList.add("owned");
  node.style.setProperty("--hue", color);
}
