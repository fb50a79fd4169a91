// The page is a mirror: the play program sends the whole state and then each change; what the player does goes back.

import { createChat } from "./chat.js";
import { bindKeys } from "./keys.js";
import { connect } from "./link.js";
import { createNotices } from "./notices.js";
import { createPanels } from "./panels.js";
import { createPlayers } from "./players.js";
import { createResources } from "./resources.js";
import { createSession } from "./session.js";
import { createStage } from "./stage.js";

let sendNow = () => {};
const send = (message) => sendNow(message);

const stage = createStage(send);
const chat = createChat(send, () => stage.leave());
const players = createPlayers();
const resources = createResources();
const notices = createNotices(send);
const session = createSession(send);
const panels = createPanels();
bindKeys({ chat, stage, panels });

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
  },
  begin() {
    players.clear();
    resources.clear();
    stage.close();
  },
  connection({ connection }) {
    session.set(connection);
    chat.enable(session.connected());
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
  data: ({ id, snapshot }) => stage.data(id, snapshot),
};

sendNow = connect({
  message: (message) => messages[message.type](message),
  up: () => session.link(true),
  down: () => {
    session.link(false);
    chat.enable(false);
  },
});
