// Where another player is between two frames (page Player): shown 100 ms behind by the sender's clock, extrapolated for
// 250 ms at most, and at once where another epoch begins.

const BEHIND = 100;
const EXTRAPOLATE = 250;
const KEEP = 32;                                         // frames
const GAP = 5000;                                        // ms without a frame after which the clocks are compared anew

/** turn(from, to, share): the heading on the shorter way from one to the other, 0..360. */
export function turn(from, to, share) {
  const way = ((to - from + 540) % 360) - 180;
  return (from + way * share + 360) % 360;
}

export class Track {
  #frames = [];                                          // oldest first; at: the sender's clock without its wrap
  #offset = 0;                                           // least delay seen: our clock less the sender's
  #heard = 0;

  /** The newest frame as it came. */
  get newest() { return this.#frames.at(-1); }

  push(frame, now) {
    const last = this.newest;
    if (!last || frame.epoch !== last.epoch || now - this.#heard > GAP) {
      this.#frames = [{ ...frame, at: frame.time }];
      this.#offset = now - frame.time;
    } else {
      const step = ((frame.time - last.time) << 16) >> 16;
      if (step <= 0) {
        this.#frames[this.#frames.length - 1] = { ...frame, time: last.time, at: last.at };
        return;
      }
      const at = last.at + step;
      this.#frames.push({ ...frame, at });
      if (this.#frames.length > KEEP) this.#frames.shift();
      const delay = now - at;
      this.#offset = delay < this.#offset ? delay : this.#offset + (delay - this.#offset) * 0.02;
    }
    this.#heard = now;
  }

  /** { x, y, z, heading, aim } at a time of our clock; undefined before the first frame. */
  at(now) {
    const frames = this.#frames;
    if (!frames.length) return undefined;
    const time = now - this.#offset - BEHIND;
    let next = frames.length;
    while (next > 0 && frames[next - 1].at > time) next--;
    if (next === 0) return place(frames[0]);
    const a = frames[next - 1];
    if (next === frames.length) {
      const ahead = Math.min(time - a.at, EXTRAPOLATE) / 1000;
      return { ...place(a), x: a.x + a.vx * ahead, y: a.y + a.vy * ahead, z: a.z + a.vz * ahead };
    }
    const b = frames[next];
    const share = (time - a.at) / (b.at - a.at);
    const between = (name) => a[name] + (b[name] - a[name]) * share;
    return {
      x: between("x"), y: between("y"), z: between("z"),
      heading: turn(a.heading, b.heading, share), aim: turn(a.aim, b.aim, share),
    };
  }
}

const place = ({ x, y, z, heading, aim }) => ({ x, y, z, heading, aim });
