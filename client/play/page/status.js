// The line under the map: how the own player stands, and where.

import { byId, element } from "./dom.js";

const number = new Intl.NumberFormat("en-US");
const MOST_STARS = 6;

export function createStatus({ zoomIn, zoomOut, follow }) {
  byId("zoom-in").addEventListener("click", zoomIn);
  byId("zoom-out").addEventListener("click", zoomOut);
  byId("follow").addEventListener("click", follow);

  function meter(name, value) {
    byId(name).hidden = name === "armor" && value === 0;
    byId(name).querySelector("meter").value = value;
    byId(name).querySelector("b").textContent = value;
  }

  function set(self) {
    const there = self && (self.state === "alive" || self.state === "wasted");
    byId("vitals").hidden = !there;
    if (!there) return;
    meter("health", self.health);
    meter("armor", self.armor);
    const weapon = self.weapons.find(({ id }) => id === self.weapon);
    const rounds = weapon?.magazine ? `${weapon.clip} / ${weapon.ammo - weapon.clip}` : weapon?.ammo;
    const ammo = weapon?.counted ? String(rounds) : "";
    byId("weapon").replaceChildren(weapon?.title ?? "Fist", ...(ammo ? [" ", element("b", {}, ammo)] : []));
    byId("money").textContent = `${self.money < 0 ? "−" : ""}$${number.format(Math.abs(self.money))}`;
    byId("wanted").hidden = self.wanted === 0;
    byId("wanted").textContent = "★".repeat(self.wanted) + "☆".repeat(MOST_STARS - self.wanted);
    byId("wanted").setAttribute("aria-label", `Wanted: ${self.wanted} of ${MOST_STARS}`);
    const marks = [
      self.frozen && "Frozen", self.spectates && "Spectating", self.on_fire && "On fire",
      self.interior && `Interior ${self.interior}`, self.dimension && `Dimension ${self.dimension}`,
    ].filter(Boolean);
    byId("marks").replaceChildren(...marks.map((text) => element("span", { className: "tag" }, text)));
  }

  const point = ({ x, y }) => `${x.toFixed(0)}, ${y.toFixed(0)}`;
  function where({ following, held, at, pointer }) {
    byId("at").textContent = at ? `You ${point(at)}, ${at.z.toFixed(1)}` : "";
    byId("under").textContent = pointer ? `Pointer ${point(pointer)}` : "";
    byId("follow").setAttribute("aria-pressed", String(following));
    byId("follow").disabled = held;
  }

  set(null);
  return { set, where };
}
