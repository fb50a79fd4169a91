// Offers at the edge of the screen. The keys are for the oldest one; the player goes on playing.

import { byId, element } from "../dom.js";
import { nodes } from "../markup.js";
import { icon } from "./icons.js";
import { printed } from "./keys.js";

/** createOffers(send, keys): keys() are the platform's, from function to the key's name. */
export function createOffers(send, keys) {
  const box = element("section", { id: "offers", className: "ui", role: "region", ariaLabel: "Offers", ariaLive: "assertive" });
  byId("screen").append(box);
  let offers = [];
  let ticking = null;
  const cards = new Map();                               // of the offers, by id

  function set(next) {
    offers = next;
    for (const [id, { node }] of cards) {
      if (offers.some((offer) => offer.id === id)) continue;
      node.remove();
      cards.delete(id);
    }
    for (const offer of offers) if (!cards.has(offer.id)) add(offer);
    offers.forEach(({ id }, i) => cards.get(id).node.classList.toggle("first", i === 0));
    clearInterval(ticking);
    if (offers.length) ticking = setInterval(tick, 250);
    tick();
  }

  function add(offer) {
    const { id, from, title, text, accept, decline, icon: picture, color } = offer;
    const button = (kind, label, yes, function_) => {
      const node = element("button", { type: "button", className: kind, tabIndex: -1 }, element("kbd", {}, printed(keys()[function_])), " ", ...nodes(label, true));
      node.addEventListener("pointerdown", (event) => event.preventDefault());   // the focus stays with the game
      node.addEventListener("click", () => answer(id, yes));
      return node;
    };
    const time = element("i", { className: "time", ariaHidden: "true" });
    const left = element("span", { className: "remaining", ariaLive: "off" });
    const node = element("article", { className: "offer" },
      element("header", {}, picture ? icon(picture) : "", element("h3", {}, ...nodes(title, true)), left),
      from ? element("p", { className: "from" }, "from ", element("b", {}, from)) : "",
      text ? element("p", { className: "body" }, ...nodes(text, true)) : "",
      element("footer", {}, button("accept", accept || "Accept", true, "accept"), button("decline", decline || "Decline", false, "decline")),
      time);
    if (color) node.style.setProperty("--own", color);
    cards.set(id, { node, time, left });
    box.append(node);
  }

  function tick() {
    for (const { id, until, duration } of offers) {
      const { time, left } = cards.get(id);
      const rest = Math.max(0, until - Date.now());
      time.style.scale = `${Math.min(1, rest / duration)} 1`;
      left.textContent = `${Math.ceil(rest / 1000)} s`;
    }
  }

  function answer(id, accept) { send({ type: "offer", offer: { id, accept } }); }

  return {
    set,
    redraw() {
      const all = offers;
      set([]);
      set(all);
    },
    /** takes(name): whether the key accepts or declines: "accept", "decline" or "". */
    takes: (name) => (offers.length && name ? ["accept", "decline"].find((f) => keys()[f] === name) ?? "" : ""),
    answer: (f) => answer(offers[0].id, f === "accept"),
  };
}
