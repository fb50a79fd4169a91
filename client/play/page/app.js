// The page is a mirror: the play program sends the whole state and then each change; what the player does goes back.

import { createChat } from "./chat.js";
import { bindKeys, mapHasKeys } from "./keys.js";
import { connect } from "./link.js";
import { createMap } from "./map/map.js";
import { createNotices } from "./notices.js";
import { createPanels } from "./panels.js";
import { createPlayers } from "./players.js";
import { createResources } from "./resources.js";
import { createScreens } from "./screens.js";
import { createSession } from "./session.js";
import { createStage } from "./stage.js";
import { createStatus } from "./status.js";
import { createUI } from "./ui/ui.js";

let sendNow = () => {};
const send = (message) => sendNow(message);

const stage = createStage(send);
const chat = createChat(send, () => stage.leave());
const players = createPlayers();
const resources = createResources();
const notices = createNotices(send);
const session = createSession(send);
const panels = createPanels((on) => ui.pause(on));
const screens = createScreens(send);
const ui = createUI(send, {
  state: () => map.state(),
  sees: (prompt) => map.sees(prompt),
  rest: () => map.rest(),
  wake: () => map.wake(),
  speed: () => map.speed(),
});
const map = createMap({
  send,
  person: players.get,
  free: () => mapHasKeys() && !ui.holds(),
  typing: () => document.activeElement?.id === "line",
  told: (place) => status.where(place),
  named: () => ui.theme.shows("nametags"),
  over: (view) => ui.overlay.draw(view),
});
const status = createStatus({ zoomIn: () => map.zoomIn(), zoomOut: () => map.zoomOut(), follow: () => map.follow() });
window.darqlinePlay = { look: map.look };                // for tests and the curious: what the map shows
bindKeys({ chat, stage, panels, map, screens, ui });

const messages = {
  state({ state }) {
    messages.begin();
    chat.clear();
    notices.clear();
    state.lines.forEach(chat.add);
    state.notices.forEach(notices.set);
    players.heading(state.list);
    state.players.forEach(players.set);
    state.resources.forEach(resources.set);
    messages.connection({ connection: state.connection });
    if (state.view) stage.show(state.view);
    world(state.world);
    ui.set(state.ui);
    Object.values(state.ui.nametags).forEach(map.nametag);
  },
  begin() {
    players.clear();
    resources.clear();
    stage.close();
    map.clear();
    ui.clear();
    messages.self({ self: null });
    screens.fade({ out: false, time: 0 });
  },
  connection({ connection }) {
    session.set(connection);
    chat.enable(session.joined());
  },
  line: ({ line }) => chat.add(line),
  clear: () => chat.clear(),
  list: ({ list }) => players.heading(list),
  player: ({ player }) => players.set(player),
  player_end: ({ id = 0 }) => players.remove(id),
  resource: ({ resource }) => resources.set(resource),
  resource_end: ({ resource }) => resources.remove(resource.name),
  notice: ({ notice }) => notices.set(notice),
  notice_end: ({ id }) => notices.remove(id),
  view: ({ view }) => stage.show(view),
  view_end: ({ id }) => stage.close(id),
  sign_in_fault: ({ id, text }) => stage.signInFault(id, text),
  data: ({ id, snapshot }) => stage.data(id, snapshot),

  self({ self }) {
    map.self(self);
    status.set(self);
    screens.set(self);
    ui.prompts.check();
  },
  place: ({ place }) => map.place(place),
  ped: ({ ped }) => map.ped(ped),
  nametag: ({ nametag }) => map.nametag(nametag),
  ped_end: ({ id = 0 }) => map.pedEnd(id),
  death: ({ id = 0 }) => map.died(id),
  shot: ({ shot }) => map.shot(shot),
  blast: ({ blast }) => map.blast(blast),
  fly: ({ thing }) => map.fly(thing),
  land: ({ thing }) => map.land(thing),
  satchels_end: ({ id = 0 }) => map.clearSatchels(id),
  fire: ({ fire }) => map.fire(fire),
  fire_end: ({ id }) => map.quench(id),
  camera: ({ camera }) => map.camera(camera),
  fade: ({ fade }) => screens.fade(fade),
  ...ui.messages,
};

// The world as it is when the page connects; later its parts come one by one.
function world({ weapons, self, place, peds, things, fires, camera, fade }) {
  map.weapons(weapons);
  messages.self({ self });
  if (place) map.place(place);
  peds.forEach(map.ped);
  things.forEach((thing) => (thing.resting ? map.land(thing) : map.fly(thing)));
  fires.forEach(map.fire);
  if (camera) map.camera(camera);
  if (fade) screens.fade(fade);
}

sendNow = connect({
  message: (message) => messages[message.type](message),
  frames: (buffer) => map.frames(buffer),
  up: () => session.link(true),
  down: () => {
    session.link(false);
    chat.enable(false);
    stage.unlinked();
  },
});
