// What happens in the world for a moment: shots, explosions and deaths; and what stays for a while: things that fly,
// satchels that lie, fires that burn.

const SHOT = 160;                                        // ms that a tracer is seen
const BLAST = 1100;
const DEATH = 900;
const COLORS = { tear_gas: "190 214 150", molotov: "255 128 48" };

export function createEffects() {
  const moments = [];                                    // { kind, time, from, ... }, from when it was first drawn
  const flying = new Map();                              // by id
  const satchels = new Map();
  const fires = new Map();

  const add = (kind, time, moment) => moments.push({ ...moment, kind, time });

  function draw(context, eye, { ratio }, now) {
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineCap = "round";
    for (const fire of fires.values()) drawFire(context, eye, fire, now);
    for (const { at } of satchels.values()) {
      context.fillStyle = "#d9a05b";
      context.fillRect(eye.screenX(at[0]) - 4, eye.screenY(at[1]) - 3, 8, 6);
    }
    for (const thing of flying.values()) drawFlying(context, eye, thing, now);
    for (let i = moments.length - 1; i >= 0; i--) {
      const moment = moments[i];
      moment.from ??= now;
      const share = (now - moment.from) / moment.time;
      if (share < 1) draws[moment.kind](context, eye, moment, share);
      else moments.splice(i, 1);
    }
  }

  return {
    shot: ({ from, to, hit }) => add("shot", SHOT, { a: from, b: to, hit: hit !== undefined }),
    blast({ at, radius, type, zone, lasts }) {
      add("blast", BLAST, { at, radius, type });
      if (lasts) add("zone", lasts, { at, radius: zone, type });
    },
    death: (at) => add("death", DEATH, { at }),
    fly: (thing, now) => flying.set(thing.id, { ...thing, begun: now - thing.age }),
    land: (id) => flying.delete(id),
    satchel: (thing) => { flying.delete(thing.id); satchels.set(thing.id, thing); },
    clearSatchels: (owner) => {
      for (const [id, thing] of satchels) if (thing.owner === owner) satchels.delete(id);
    },
    fire: (fire) => fires.set(fire.id, fire),
    quench: (id) => fires.delete(id),
    clear: () => { moments.length = 0; flying.clear(); satchels.clear(); fires.clear(); },
    /** Whether anything moves, so that the map has to be drawn again. */
    busy: () => moments.length > 0 || flying.size > 0 || fires.size > 0,
    counts: () => ({
      moments: moments.map((moment) => moment.kind), flying: flying.size, satchels: satchels.size, fires: fires.size,
    }),
    draw,
  };
}

const draws = {
  shot(context, eye, { a, b, hit }, share) {
    const x = eye.screenX(b[0]), y = eye.screenY(b[1]);
    context.strokeStyle = `rgb(255 226 150 / ${Math.round(90 * (1 - share))}%)`;
    context.lineWidth = 1.8;
    context.beginPath();
    context.moveTo(eye.screenX(a[0]), eye.screenY(a[1]));
    context.lineTo(x, y);
    context.stroke();
    ring(context, x, y, hit ? 9 * share + 3 : 3, hit ? "255 107 96" : "255 226 150", 1 - share, 2);
  },
  blast(context, eye, { at, radius, type }, share) {
    const x = eye.screenX(at[0]), y = eye.screenY(at[1]);
    const whole = Math.max(radius * eye.scale, 5);
    const size = whole * Math.min(1, 0.25 + share * 2.2);
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fillStyle = `rgb(${COLORS[type] ?? "255 148 60"} / ${Math.round(34 * (1 - share))}%)`;
    context.fill();
    ring(context, x, y, size, "255 190 110", 1 - share, 3);
    ring(context, x, y, whole, "255 190 110", (1 - share) * 0.5, 1);
  },
  zone(context, eye, { at, radius, type }, share) {
    context.beginPath();
    context.arc(eye.screenX(at[0]), eye.screenY(at[1]), Math.max(radius * eye.scale, 4), 0, 2 * Math.PI);
    context.fillStyle = `rgb(${COLORS[type]} / ${Math.round(30 * Math.min(1, (1 - share) * 4))}%)`;
    context.fill();
  },
  death(context, eye, { at }, share) {
    ring(context, eye.screenX(at[0]), eye.screenY(at[1]), 8 + 34 * share, "255 107 96", 1 - share, 3);
  },
};

function ring(context, x, y, radius, color, strength, line) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.strokeStyle = `rgb(${color} / ${Math.round(100 * Math.max(strength, 0))}%)`;
  context.lineWidth = line;
  context.stroke();
}

function drawFlying(context, eye, { from, to, time, begun }, now) {
  const share = time ? Math.min(1, Math.max(0, (now - begun) / time)) : 1;
  const x = eye.screenX(from[0] + (to[0] - from[0]) * share), y = eye.screenY(from[1] + (to[1] - from[1]) * share);
  const lift = Math.sin(share * Math.PI) * 10;           // seen from above a throw comes nearer
  context.beginPath();
  context.arc(x, y, 3.5 + lift * 0.15, 0, 2 * Math.PI);
  context.fillStyle = "#f5d9a8";
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = "rgb(9 14 20 / 90%)";
  context.stroke();
}

function drawFire(context, eye, { at, size }, now) {
  const x = eye.screenX(at[0]), y = eye.screenY(at[1]);
  const radius = Math.max(size * eye.scale, 4) * (1 + 0.08 * Math.sin(now / 90 + at[0]));
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = "rgb(255 128 48 / 45%)";
  context.fill();
  context.beginPath();
  context.arc(x, y, radius * 0.5, 0, 2 * Math.PI);
  context.fillStyle = "rgb(255 214 120 / 80%)";
  context.fill();
}
