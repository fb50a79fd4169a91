// The own player: moved here by keys and mouse, and told to the play program, which sends it on.

import { FLAG } from "./frames.js";
import { bits } from "./input.js";
import { headingOf, step } from "./walk.js";

const SEND_EVERY = 40;                                   // ms
const LONGEST_STEP = 0.1;                                // s: a tab that slept does not jump
const AIM_LASTS = 600;                                   // ms after a shot

export const NO_BOUNDS = [-20000, -20000, 20000, 20000];

/** createOwn({ input, send, typing, free }): me is null until the server has placed the player. */
export function createOwn({ input, send, typing, free }) {
  let me = null;                                         // { x, y, z, heading, aim, vx, vy, vz, pushX, pushY, epoch, flags }
  let self = null;                                       // what the server says of the player
  let fire = false;
  let aimUntil = 0;
  let target = [0, 0];                                   // under the pointer
  let last = 0;
  let focused = null;                                    // as it was told
  let sent = "";
  let sentAt = 0;

  const alive = () => me && self?.state === "alive";
  const able = () => alive() && !self.frozen && !self.spectates;

  /** tick(now): one drawing's worth of movement; whether the player moves. */
  function tick(now) {
    const seconds = Math.min((now - last) / 1000, LONGEST_STEP);
    last = now;
    if (!me) return false;
    const stick = able() && free() ? input.stick() : { x: 0, y: 0 };
    const held = able() && free() ? { ...input.held(), fire } : {};
    const aiming = able() && (fire || now < aimUntil);
    const from = [me.x, me.y];
    if (able()) step(me, stick, held, seconds, self.bounds ?? NO_BOUNDS);
    else Object.assign(me, { vx: 0, vy: 0, pushX: 0, pushY: 0 });
    if (aiming) me.heading = headingOf(target[0] - me.x, target[1] - me.y);
    me.aim = me.heading;
    me.flags = flags({ ...held, aiming });
    tell(now, stick, { ...held, aim: aiming });
    return from[0] !== me.x || from[1] !== me.y || aiming;
  }

  const flags = ({ crouch, aiming }) => FLAG.on_ground | (crouch ? FLAG.ducked : 0) | (aiming ? FLAG.aiming : 0) |
    (typing() ? FLAG.typing : 0);

  // Of several pages the one with the keyboard moves the player; without one the player is away.
  function focus() {
    const now = document.hasFocus() && !document.hidden;
    if (now === focused) return;
    focused = now;
    sent = "";
    send({ type: "focus", focus: focused });
  }
  for (const event of ["focus", "blur", "visibilitychange"]) addEventListener(event, focus, true);

  function tell(now, stick, held) {
    focus();
    if (!focused || now - sentAt < SEND_EVERY) return;
    const move = {
      epoch: me.epoch, position: [me.x, me.y, me.z], velocity: [me.vx, me.vy, 0], heading: me.heading, aim: me.aim,
      stick: [Math.round(stick.x * 127), Math.round(stick.y * 127)], keys: bits(held), flags: me.flags,
    };
    const text = JSON.stringify(move);
    if (text === sent) return;
    sent = text;
    sentAt = now;
    send({ type: "move", move });
  }

  return {
    tick,
    get me() { return me; },
    get self() { return self; },
    able,
    alive,
    set(next) { self = next; },
    /** The server has put the player somewhere, or pushed it. */
    place({ epoch, position, velocity, heading, push }) {
      const [x, y, z] = position;
      if (push && me) {
        Object.assign(me, { pushX: velocity[0], pushY: velocity[1] });
        return;
      }
      me = {
        epoch, x, y, z, heading, aim: heading, vx: 0, vy: 0, pushX: velocity[0], pushY: velocity[1], flags: FLAG.on_ground,
      };
      sent = "";
    },
    /** Another tab has moved the player. */
    adopt(frame) {
      if (!me || frame.epoch !== me.epoch || focused) return false;
      const { x, y, z, heading, aim } = frame;
      Object.assign(me, { x, y, z, heading, aim });
      return true;
    },
    pointAt(x, y) { target = [x, y]; },
    get target() { return target; },
    fire(on) {
      if (fire && !on) aimUntil = performance.now() + AIM_LASTS;
      fire = on;
    },
    get firing() { return fire; },
    clear() { me = null; self = null; fire = false; sent = ""; focused = null; },
  };
}
