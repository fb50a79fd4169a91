// Frames of players: one binary message is RemotePlayerSync packets, one after the other, as page Player lays them out.

export const PACKET_SIZE = 61;
const ID = 0x04;

export const KEY = { fire: 1, aim: 2, jump: 4, sprint: 8, crouch: 16, walk: 32 };
export const FLAG = {
  on_ground: 1 << 0, ducked: 1 << 1, in_water: 1 << 2, aiming: 1 << 6, seated: 1 << 12, burning: 1 << 13,
  paused: 1 << 14, typing: 1 << 15,
};

/** decode(ArrayBuffer) -> [{ id, token, seq, time, epoch, x, y, z, heading, ... }], angles in degrees. */
export function decode(buffer) {
  const view = new DataView(buffer);
  const frames = [];
  for (let at = 0; at + PACKET_SIZE <= view.byteLength; at += PACKET_SIZE) {
    if (view.getUint8(at) !== ID) throw new Error(`a frame has packet id ${view.getUint8(at)}, expected ${ID}`);
    frames.push({
      id: view.getUint16(at + 1, true),
      token: view.getUint32(at + 3, true),
      seq: view.getUint32(at + 7, true),
      time: view.getUint16(at + 11, true),
      epoch: view.getUint8(at + 13),
      interior: view.getUint8(at + 14),
      x: view.getFloat32(at + 15, true),
      y: view.getFloat32(at + 19, true),
      z: view.getFloat32(at + 23, true),
      vx: view.getInt16(at + 27, true) / 100,
      vy: view.getInt16(at + 29, true) / 100,
      vz: view.getInt16(at + 31, true) / 100,
      heading: view.getUint16(at + 33, true) * 360 / 65536,
      aim: view.getUint16(at + 35, true) * 360 / 65536,
      keys: view.getUint16(at + 41, true),
      flags: view.getUint16(at + 43, true),
      weapon: view.getUint8(at + 45),
      action: view.getUint8(at + 46),
      health: view.getUint8(at + 47),
      armor: view.getUint8(at + 48),
    });
  }
  return frames;
}
