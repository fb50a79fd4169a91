// The world from above: the land, the players on it, and what happens between them.

import { byId } from "../dom.js";
import { createCamera } from "./camera.js";
import { createCrowd } from "./crowd.js";
import { createEffects } from "./effects.js";
import { decode } from "./frames.js";
import { drawGround, drawNames } from "./ground.js";
import { createInput } from "./input.js";
import { createOwn } from "./own.js";
import { drawPeds } from "./peds.js";
import { pick } from "./pick.js";
import { bindPointer } from "./pointer.js";
import { Eye } from "./projection.js";

const FIST = 0;
const SMALL_TEXT = 14;                                   // pixels of the page's letters on a small screen
const STEP = 1.5;                                        // of the zoom, for a key
const HURT = 350;                                        // ms that a hit on oneself shows
const LINGER = 500;                                      // ms that is drawn on after the last change
const LEAST_INTERVAL = 50;                               // ms between two uses of a weapon

/**
 * createMap({ send, person, free, typing, told, named, over }): named() says whether nametags show, over(view) hears of each
 * picture what stands where on it, free() says whether the map has the keyboard, person(id) is of the
 * player list, told({ following, held, scale, at, pointer }) hears what the line under the map shows.
 */
export function createMap({ send, person, free, typing, told, named, over }) {
  const canvas = byId("map");
  const context = canvas.getContext("2d", { alpha: false });
  const eye = new Eye();
  const size = { width: 1, height: 1, ratio: 1, text: 1 };
  const crowd = createCrowd(person);
  const effects = createEffects();
  const input = createInput(free);
  const own = createOwn({ input, send, typing, free });
  const camera = createCamera(eye, { me: () => own.me, find: (id) => seen.get(id), changed: wake });
  let names = [];                                        // of weapons, by id
  let seen = new Map();                                  // the others as they were last drawn, by id
  let pointer = null;                                    // pixels
  let until = 0;                                         // what is drawn does not change after this
  let last = 0;
  let hurtAt = -Infinity;
  let nextUse = 0;
  let waits = false;                                     // a click came before it
  let frames = 0;                                        // drawn so far

  eye.x = 2495.3; eye.y = -1688.6;                       // where players.spawn puts one, while nothing is known

  function wake() { until = performance.now() + LINGER; }

  function fit() {
    size.width = innerWidth;
    size.height = innerHeight;
    size.ratio = devicePixelRatio;
    size.text = parseFloat(getComputedStyle(document.documentElement).fontSize) / SMALL_TEXT;
    canvas.width = Math.round(size.width * size.ratio);
    canvas.height = Math.round(size.height * size.ratio);
    eye.frame(byId("stage").getBoundingClientRect());
    wake();
  }
  new ResizeObserver(fit).observe(byId("stage"));
  addEventListener("resize", fit);

  function weapon() { return own.self?.weapons.find(({ id }) => id === own.self.weapon); }

  /** use(now, clicked): a click that comes too early waits for its time. */
  function use(now, clicked) {
    waits = clicked && own.able() && now < nextUse;
    if (now < nextUse || !own.able()) return;
    nextUse = now + Math.max(weapon()?.interval ?? 0, LEAST_INTERVAL);
    const [x, y] = own.target;
    const other = pick([...seen.values()].filter((ped) => !ped.dead), x, y, eye.scale);
    send({ type: "use", use: { at: other ? [other.x, other.y] : [x, y], target: other ? other.token : 0 } });
    wake();
  }

  function tick(now) {
    requestAnimationFrame(tick);
    const seconds = Math.min((now - last) / 1000, 0.1);
    last = now;
    if (pointer) own.pointAt(eye.worldX(pointer.x), eye.worldY(pointer.y));
    const walked = own.tick(now);
    if (own.firing && weapon()?.auto || waits) use(now, waits);
    const peds = crowd.draw(now, names);
    seen = new Map(peds.map((ped) => [ped.id, ped]));
    const panned = camera.tick(now, seconds);
    if (walked || panned || effects.busy() || crowd.busy(now)) wake();
    if (now < until) draw(now, peds);
  }

  function draw(now, peds) {
    frames++;
    drawGround(context, eye, size);
    drawNames(context, eye, size);
    const interior = own.self?.interior ?? 0;
    for (const ped of peds) {
      ped.elsewhere = ped.interior !== interior;
      if (ped.tag.hidden || !named() || away(ped) > ped.tag.distance) ped.tag = null;
    }
    if (own.me && own.self) peds.push(drawn(now));
    drawPeds(context, eye, size, peds);
    effects.draw(context, eye, size, now);
    over({ eye, me: own.me, letter: size.text * SMALL_TEXT, place, ped: position });
    told({
      following: camera.following, held: camera.held(), scale: eye.scale, at: own.me,
      pointer: pointer && { x: eye.worldX(pointer.x), y: eye.worldY(pointer.y) },
    });
  }

  // How far a player is from whom one looks with: oneself, or the server's camera.
  function away({ x, y, z }) {
    const from = camera.held() || !own.me ? { x: eye.x, y: eye.y, z } : own.me;
    return Math.hypot(x - from.x, y - from.y, z - from.z);
  }

  /** Where something is that has a place, or goes with a player; null if that is not known. */
  function place({ gone, player, at: [x, y, z] }) {
    const to = player === undefined ? { x: 0, y: 0, z: 0, heading: 0 } : position(player);
    if (gone || !to) return null;
    const angle = to.heading * Math.PI / 180, sin = Math.sin(angle), cos = Math.cos(angle);
    return { x: to.x + x * cos - y * sin, y: to.y + x * sin + y * cos, z: to.z + z };
  }

  function drawn(now) {
    const { me, self } = own;
    return {
      ...me, you: true, name: person(self.id)?.name ?? "", dead: self.state === "wasted", health: self.health,
      armor: self.armor, weapon: self.weapon, hurt: Math.max(0, 1 - (now - hurtAt) / HURT),
    };
  }

  /** The next or the previous weapon, or that of a number key. */
  function arm(step, number) {
    const ids = [FIST, ...(own.self?.weapons ?? []).map(({ id }) => id).filter((id) => id !== FIST)];
    const next = number ?? (ids.indexOf(own.self?.weapon ?? FIST) + step + ids.length) % ids.length;
    if (own.alive() && next < ids.length) send({ type: "arm", weapon: ids[next] });
  }

  bindPointer(canvas, {
    arm,
    zoom: (x, y, factor) => {
      if (camera.following && own.me) eye.zoomTo(eye.scale * factor);
      else eye.zoomAt(x, y, factor);
      wake();
    },
    pan: (dx, dy) => {
      if (camera.held()) return;
      camera.follow(false);
      eye.pan(dx, dy);
      wake();
    },
    point: (x, y) => {
      pointer = x === null ? null : { x, y };
      if (pointer) own.pointAt(eye.worldX(x), eye.worldY(y));
      wake();
    },
    armed: () => own.able() && own.self.weapon !== FIST,
    press: () => { byId("stage").focus({ preventScroll: true }); own.fire(true); use(performance.now(), true); },
    release: () => own.fire(false),
    click: () => { byId("stage").focus({ preventScroll: true }); use(performance.now(), true); },
  });

  const position = (id) => (id === own.self?.id ? own.me : seen.get(id));

  requestAnimationFrame(tick);
  return {
    zoom(factor) { eye.zoomTo(eye.scale * factor); wake(); },
    zoomIn() { this.zoom(STEP); },
    zoomOut() { this.zoom(1 / STEP); },
    follow: () => camera.follow(!camera.following),
    weapons: (list) => { names = list; },
    arm,
    self(self) {
      const before = own.self;
      if (before && self && self.health + self.armor < before.health + before.armor) hurtAt = performance.now();
      if (before?.weapon !== self?.weapon) waits = false;
      own.set(self);
      wake();
    },
    place: (place) => {
      own.place(place);
      wake();
    },
    frames(buffer) {
      const now = performance.now();
      for (const frame of decode(buffer)) {
        if (frame.id === own.self?.id ? own.adopt(frame) : crowd.frame(frame, now)) wake();
      }
    },
    wake,
    /** The own player's speed, in m/s. */
    speed: () => (own.me ? Math.hypot(own.me.vx, own.me.vy) : 0),
    nametag: (tag) => { crowd.tag(tag); wake(); },
    ped: (ped) => { crowd.set(ped); wake(); },
    pedEnd: (id) => { crowd.remove(id); wake(); },
    died: (id) => {
      const at = position(id);
      if (at) effects.death([at.x, at.y]);
      wake();
    },
    shot: (shot) => {
      if (shot.hit !== undefined && shot.hit !== own.self?.id) crowd.hit(shot.hit, performance.now());
      effects.shot(shot);
      wake();
    },
    blast: (blast) => { effects.land(blast.id); effects.blast(blast); wake(); },
    fly: (thing) => { effects.fly(thing, performance.now()); wake(); },
    /** A satchel lies from now on; what else has landed lies until it goes off. */
    land(thing) {
      if (thing.satchel) effects.satchel(thing);
      else effects.fly(thing, performance.now());
      wake();
    },
    clearSatchels: (owner) => { effects.clearSatchels(owner); wake(); },
    fire: (fire) => { effects.fire(fire); wake(); },
    quench: (id) => { effects.quench(id); wake(); },
    camera: (shot) => { camera.set(shot, performance.now()); wake(); },
    clear() {
      own.clear();
      crowd.clear();
      effects.clear();
      camera.reset();
      wake();
    },
    /** The own player's state as actions have it. */
    state: () => ({ alive: "on_foot" })[own.self?.state] ?? own.self?.state,
    /** Whether a prompt is on the screen, or near enough in the world. */
    sees(prompt) {
      const at = prompt.world && place(prompt);
      return !prompt.world || !!at && !!own.me && Math.hypot(at.x - own.me.x, at.y - own.me.y, at.z - own.me.z) <= prompt.radius;
    },
    /** Something else has the keyboard and the mouse: whatever is held is let go. */
    rest() { input.release(); own.fire(false); waits = false; },
    /** For tests: what is there and where. */
    look: () => ({
      eye: { x: eye.x, y: eye.y, scale: eye.scale }, me: own.me && { ...own.me }, peds: [...seen.values()],
      effects: effects.counts(), following: camera.following, frames,
      toScreen: (x, y) => [eye.screenX(x), eye.screenY(y)],
    }),
  };
}
