// How the own player moves: a plain model without a map. Height stays what the server gave.

export const SPEED = { walk: 1.5, run: 3.5, sprint: 6.5 };  // m/s
const PUSH_LASTS = 0.6;                                  // s in which a push loses most of its speed

export const headingOf = (dx, dy) => (Math.atan2(-dx, dy) * 180 / Math.PI + 360) % 360;
export const direction = (heading) => {
  const radians = heading * Math.PI / 180;
  return [-Math.sin(radians), Math.cos(radians)];
};

/** speed({ walk, sprint, crouch }): how fast that gait is. */
export const speed = (held) => (held.walk || held.crouch ? SPEED.walk : held.sprint ? SPEED.sprint : SPEED.run);

/**
 * step(me, stick, held, seconds, bounds) moves me: { x, y, heading, vx, vy, pushX, pushY }. stick is { x, y }, each
 * -1..1 to the east and north; bounds is [min_x, min_y, max_x, max_y].
 */
export function step(me, stick, held, seconds, bounds) {
  const length = Math.hypot(stick.x, stick.y);
  const fast = length ? speed(held) / Math.max(length, 1) : 0;
  const fade = Math.exp(-seconds / PUSH_LASTS * 2);
  me.pushX = Math.abs(me.pushX) < 0.05 ? 0 : me.pushX * fade;
  me.pushY = Math.abs(me.pushY) < 0.05 ? 0 : me.pushY * fade;
  me.vx = stick.x * fast + me.pushX;
  me.vy = stick.y * fast + me.pushY;
  if (length) me.heading = headingOf(stick.x, stick.y);
  const [minX, minY, maxX, maxY] = bounds;
  me.x = Math.min(maxX, Math.max(minX, me.x + me.vx * seconds));
  me.y = Math.min(maxY, Math.max(minY, me.y + me.vy * seconds));
}
