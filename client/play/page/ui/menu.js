// The open menu, moved through by its keys while the player walks on.

import { byId, element } from "../dom.js";
import { nodes, tint } from "../markup.js";
import { icon } from "./icons.js";
import { printed } from "./keys.js";

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 6 });
const ONCE = ["menu_select", "menu_back"];               // keys that mean nothing more while they are held

/** createMenu(send, keys): keys() are the platform's, from function to the key's name. */
export function createMenu(send, keys) {
  const box = element("section", { id: "menu", className: "ui", hidden: true });
  const spoken = element("p", { className: "spoken", role: "status" });
  byId("screen").append(box, spoken);
  let menu = null;
  let said = "";

  function show(next) {
    const before = menu;
    menu = next;
    const list = element("div", { id: "menu-items", role: "menu" }, ...menu.items.map(row));
    list.setAttribute("aria-labelledby", "menu-title");
    const scrolled = before?.id === menu.id ? byId("menu-items").scrollTop : 0;
    const selected = menu.items.find(({ id }) => id === menu.selected);
    box.className = `ui ${menu.place}`;
    box.classList.toggle("awaiting", menu.awaiting ?? false);
    box.hidden = false;
    box.replaceChildren(
      element("header", {},
        element("h2", { id: "menu-title" }, ...nodes(menu.title, true)),
        menu.subtitle ? element("p", {}, ...nodes(menu.subtitle, true)) : ""),
      list,
      element("p", { className: "help", hidden: !selected?.help }, ...nodes(selected?.help ?? "", true)),
      hints());
    list.scrollTop = scrolled;
    const shown = byId(`item-${menu.selected}`);
    if (shown) {
      list.setAttribute("aria-activedescendant", shown.id);
      if (menu.items.findIndex(({ id, kind }) => kind !== "heading" && id) === menu.items.indexOf(selected)) list.scrollTop = 0;
      shown.scrollIntoView({ block: "nearest" });
    }
    say(selected);
  }

  function row({ id, kind, label, detail, icon: picture, color, disabled, arrow, ...more }) {
    const node = element("div", { id: `item-${id}`, className: `item ${kind}` },
      picture ? icon(picture) : "",
      element("span", { className: "label" }, ...nodes(label, true)),
      detail ? element("span", { className: "detail" }, ...nodes(detail, true)) : "",
      value(kind, more),
      arrow ? element("span", { className: "arrow", ariaHidden: "true" }, "›") : "");
    if (color) tint(node, color);
    node.classList.toggle("selected", id === menu.selected);
    node.role = { heading: "presentation", toggle: "menuitemcheckbox" }[kind] ?? "menuitem";
    if (kind === "toggle") node.ariaChecked = String(more.value === 1);
    if (disabled) node.ariaDisabled = "true";
    return node;
  }

  function value(kind, { value: at, options, min, step, steps, unit = "" }) {
    const arrows = (node, first, last) => element("span", { className: "value" },
      element("i", { className: first ? "end" : "", ariaHidden: "true" }, "‹"), node, element("i", { className: last ? "end" : "", ariaHidden: "true" }, "›"));
    switch (kind) {
      case "toggle": return element("span", { className: `switch ${at ? "on" : ""}` }, at ? "On" : "Off");
      case "choice": return arrows(element("b", {}, ...nodes(options[at], true)), options.length < 2, options.length < 2);
      case "slider": {
        const track = element("span", { className: "track", ariaHidden: "true" });
        track.style.setProperty("--share", at / steps);
        return arrows(element("b", {}, track, `${number.format(min + at * step)}${unit && ` ${unit}`}`), at === 0, at === steps);
      }
      default: return "";
    }
  }

  function hints() {
    const key = (name) => element("kbd", {}, printed(keys()[name]));
    const kinds = new Set(menu.items.map(({ kind }) => kind));
    return element("footer", { ariaHidden: "true" },
      element("span", {}, key("menu_up"), key("menu_down"), " Move"),
      kinds.has("choice") || kinds.has("slider") ? element("span", {}, key("menu_left"), key("menu_right"), " Change") : "",
      kinds.has("select") || kinds.has("toggle") ? element("span", {}, key("menu_select"), " Select") : "",
      menu.closable ? element("span", {}, key("menu_back"), " Back") : "");
  }

  // It never has the focus; who listens hears the selected item.
  function say(item) {
    const node = item && byId(`item-${item.id}`);
    const text = node ? [node.textContent.replace(/[‹›]/g, " "), item.help && byId("menu").querySelector(".help").textContent].filter(Boolean).join(". ") : "";
    const whole = said ? text : `${byId("menu-title").textContent}. ${text}`;
    if (text !== said) spoken.textContent = whole;
    said = text;
  }

  function end(id) {
    if (!menu || id !== undefined && menu.id !== id) return;
    menu = null;
    said = spoken.textContent = "";
    box.hidden = true;
    box.replaceChildren();
  }

  /** takes(name): the function that a key has in the menu, "" for none. Escape leaves it, too. */
  function takes(name) {
    if (!menu || !name) return "";
    if (name === "Escape") return menu.closable ? "menu_back" : "";
    return Object.keys(keys()).find((f) => f.startsWith("menu_") && keys()[f] === name) ?? "";
  }

  return {
    show,
    end,
    takes,
    press(f, repeat) {
      if (!repeat || !ONCE.includes(f)) send({ type: "menu", menu: { menu: menu.id, key: f, version: menu.version } });
    },
    redraw: () => menu && show(menu),
    holds: () => menu?.hold ?? false,
  };
}
