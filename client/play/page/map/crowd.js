// The other players in view, each moved between its frames.

import { DEFAULT } from "../ui/nametag.js";
import { Track } from "./track.js";

const HURT = 350;                                        // ms that a hit shows
const SEEN = ["x", "y", "heading", "aim", "health", "armor", "weapon", "flags"];

/** createCrowd(person): person(id) -> { name, color } of the player list, or undefined. */
export function createCrowd(person) {
  const peds = new Map();                                // by id
  const tags = new Map();                                // nametags by id, of those who have their own

  function set(ped) {
    const old = peds.get(ped.id);
    const same = old?.token === ped.token;
    peds.set(ped.id, { ...ped, track: same ? old.track : new Track(), hurtAt: same ? old.hurtAt : -Infinity });
  }

  function tagOf({ id, token }) {
    const tag = tags.get(id);
    return tag?.token === token ? tag : DEFAULT;
  }

  /** Whether something is seen of it. */
  function frame(frame, now) {
    const ped = peds.get(frame.id);
    if (!ped || ped.token !== frame.token) return false;
    const before = ped.track.newest;
    if (before && frame.health + frame.armor < before.health + before.armor) ped.hurtAt = now;
    ped.track.push(frame, now);
    return !before || SEEN.some((name) => frame[name] !== before[name]);
  }

  /** What is drawn now, by id. */
  function draw(now, names) {
    const list = [];
    for (const ped of peds.values()) {
      const at = ped.track.at(now);
      if (!at) continue;
      const { health, armor, weapon, flags, interior } = ped.track.newest;
      const { name = `#${ped.id}`, color } = person(ped.id) ?? {};
      list.push({
        ...at, id: ped.id, token: ped.token, tag: tagOf(ped), dead: ped.dead, name, color, health, armor, weapon, flags, interior,
        weaponName: weapon ? names[weapon] : "", hurt: Math.max(0, 1 - (now - ped.hurtAt) / HURT),
      });
    }
    return list;
  }

  return {
    set,
    frame,
    draw,
    has: (id) => peds.has(id),
    tag: (tag) => tags.set(tag.player, tag),
    remove: (id) => { peds.delete(id); tags.delete(id); },
    hit: (id, now) => { if (peds.has(id)) peds.get(id).hurtAt = now; },
    /** Whether one of them moves. */
    busy: (now) => [...peds.values()].some((ped) => now - ped.hurtAt < HURT || moves(ped.track.newest)),
    clear: () => { peds.clear(); tags.clear(); },
    get size() { return peds.size; },
  };
}

const moves = (frame) => frame && (frame.vx !== 0 || frame.vy !== 0);
