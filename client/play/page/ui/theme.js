// The server's theme: the look of whatever has the class "ui", and which parts of the HUD show.

const FACES = {
  sans: "var(--sans)",
  condensed: '"Roboto Condensed", "Arial Narrow", "Liberation Sans Narrow", "Avenir Next Condensed", var(--sans)',
  game: 'Pricedown, "Bank Gothic", Impact, "Haettenschweiler", "Roboto Condensed", var(--sans)',
};

// How light a color of the form #rrggbbaa is, 0..1.
const light = (color) => [1, 3, 5].reduce((sum, at, i) => sum + parseInt(color.slice(at, at + 2), 16) / 255 * [0.21, 0.72, 0.07][i], 0);

/** createTheme() -> { set(theme), shows(part) }: set(null) is what the page begins with. */
export function createTheme() {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  let hud = null;

  function set(theme) {
    hud = theme?.hud ?? null;
    if (hud) document.body.dataset.hud = hud.join(" ");
    else delete document.body.dataset.hud;
    const values = theme ? {
      ...Object.fromEntries(Object.entries(theme.colors).map(([name, color]) => [`--${name.replace("_", "-")}`, color])),
      "--radius": `${theme.radius}px`, "--scale": theme.scale / 100, "--face": FACES[theme.font], "--chat-lines": theme.chat_lines,
      "color-scheme": light(theme.colors.panel) > 0.5 && !theme.colors.panel.endsWith("00") ? "light" : "dark",
    } : {};
    sheet.replaceSync(`.ui { ${Object.entries(values).map(([name, value]) => `${name}: ${value};`).join(" ")} }`);
  }

  return { set, shows: (part) => !hud || hud.includes(part) };
}
