// What moves by itself, while it moves: each is called once for each picture of the screen.

const moving = new Map();
let waiting = false;                                     // for the next picture

function wait() {
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    const now = Date.now();
    for (const f of moving.values()) f(now);
    if (moving.size && !waiting) wait();
  });
}

/** move(key, f): f(now), now in Unix ms, is called from now on in the place of what key had; without f it ends. */
export function move(key, f) {
  if (!f) {
    moving.delete(key);
    return;
  }
  moving.set(key, f);
  f(Date.now());
  if (!waiting) wait();
}

/** minutes(ms, tenths) -> "m:ss", or "m:ss.t" */
export function minutes(ms, tenths) {
  const all = Math.floor(ms / (tenths ? 100 : 1000));
  const seconds = tenths ? Math.floor(all / 10) : all;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}${tenths ? `.${all % 10}` : ""}`;
}
