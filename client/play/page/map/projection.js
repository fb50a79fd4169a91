// The eye over the map: which point of the world is in its middle, and how many CSS pixels a metre has. North is up.

export const EDGE = 3000;                                // the land is -EDGE..EDGE both ways
const MARGIN = 150;                                      // of water that is shown around it
const FARTHEST_PLACE = 20000;                            // of a player
const CLOSEST = 24;                                      // pixels a metre

export class Eye {
  constructor() {
    Object.assign(this, { x: 0, y: 0, scale: 2.4, left: 0, top: 0, width: 1, height: 1 });
  }

  /** The part of the window, in CSS pixels, whose middle is the middle of the map. */
  frame({ left, top, width, height }) {
    Object.assign(this, { left, top, width: Math.max(width, 1), height: Math.max(height, 1) });
    this.zoomTo(this.scale);
  }

  get middleX() { return this.left + this.width / 2; }
  get middleY() { return this.top + this.height / 2; }

  /** The scale at which the whole land is in sight. */
  get farthest() { return Math.min(this.width, this.height) / (2 * (EDGE + MARGIN)); }

  screenX(x) { return this.middleX + (x - this.x) * this.scale; }
  screenY(y) { return this.middleY - (y - this.y) * this.scale; }
  worldX(px) { return this.x + (px - this.middleX) / this.scale; }
  worldY(py) { return this.y - (py - this.middleY) / this.scale; }

  /** The map shows no more water around the land than it must: the middle keeps away from its edges. */
  lookAt(x, y) {
    this.x = keep(x, this.width / 2 / this.scale);
    this.y = keep(y, this.height / 2 / this.scale);
  }

  zoomTo(scale) {
    this.scale = Math.min(CLOSEST, Math.max(this.farthest, scale));
    this.lookAt(this.x, this.y);
  }

  /** Zooms so that the world under the pixel stays under it. */
  zoomAt(px, py, factor) {
    const x = this.worldX(px), y = this.worldY(py);
    this.scale = Math.min(CLOSEST, Math.max(this.farthest, this.scale * factor));
    this.lookAt(x - (px - this.middleX) / this.scale, y + (py - this.middleY) / this.scale);
  }

  pan(dx, dy) { this.lookAt(this.x - dx / this.scale, this.y + dy / this.scale); }

  /** Whether a circle of the world, its radius given in pixels, is in a window of that size. */
  sees(x, y, radius, width, height) {
    const px = this.screenX(x), py = this.screenY(y);
    return px > -radius && py > -radius && px < width + radius && py < height + radius;
  }
}

function keep(middle, half) {
  const limit = Math.abs(middle) > EDGE ? FARTHEST_PLACE : Math.max(0, EDGE + MARGIN - half);
  return Math.min(limit, Math.max(-limit, middle));
}
