// What is under the pointer.

const NEAR = 14;                                         // pixels around a player that still are the player
const BODY = 0.6;                                        // and metres

/** pick(peds, x, y, scale) -> the ped nearest to a point of the world, within reach of a pointer, or null. */
export function pick(peds, x, y, scale) {
  let best = null;
  let least = Math.max(NEAR / scale, BODY);
  for (const ped of peds) {
    const distance = Math.hypot(ped.x - x, ped.y - y);
    if (distance > least) continue;
    best = ped;
    least = distance;
  }
  return best;
}
