// What the middle of the map is on: the own player while one follows, where the mouse has left it, or what the server's
// camera looks at.

const SMOOTH = 12;                                       // how fast the eye comes after, 1/s
const JUMP = 300;                                        // metres beyond which it is there at once

/** createCamera(eye, { me, find }): me() is the own player or null; find(id) another one, or undefined. */
export function createCamera(eye, { me, find, changed }) {
  let following = true;
  let shot = { mode: "own" };                            // as the server set it
  let glide = null;

  function set(next, now) {
    shot = next;
    glide = null;
    if (next.mode === "glide") {
      glide = { fromX: eye.x, fromY: eye.y, x: next.target[0], y: next.target[1], from: now, until: now + next.duration };
    }
    if (next.mode === "fixed") eye.lookAt(next.target[0], next.target[1]);
    changed(held());
  }

  const held = () => shot.mode !== "own";

  /** Whether the eye has moved. */
  function tick(now, seconds) {
    if (glide) {
      const share = Math.min(1, (now - glide.from) / (glide.until - glide.from));
      eye.lookAt(glide.fromX + (glide.x - glide.fromX) * share, glide.fromY + (glide.y - glide.fromY) * share);
      if (share === 1) glide = null;
      return true;
    }
    const on = shot.mode === "player" ? find(shot.player) : shot.mode === "own" && following ? me() : undefined;
    if (!on) return false;
    const dx = on.x - eye.x, dy = on.y - eye.y;
    if (Math.hypot(dx, dy) < 0.02) return false;
    const share = Math.hypot(dx, dy) > JUMP ? 1 : 1 - Math.exp(-seconds * SMOOTH);
    const { x, y } = eye;
    eye.lookAt(x + dx * share, y + dy * share);
    return eye.x !== x || eye.y !== y;
  }

  function follow(on) {
    following = on;
    changed(held());
  }

  return {
    set, tick, follow, held,
    get following() { return following; },
    reset() { set({ mode: "own" }, 0); follow(true); },
  };
}
