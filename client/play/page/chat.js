// The chat window and its input line.

import { byId, element } from "./dom.js";
import { nodes, tint } from "./markup.js";

const MOST_LINES = 300;
const MOST_HISTORY = 50;
const ALL = "Say something, or / for a command";

export function createChat(send, leave) {
  const log = byId("log");
  const input = byId("line");
  const newer = byId("newer");
  const history = [];
  let at = 0;                                            // in history; its length: the line being typed
  let draft = "";
  let team = false;
  let pinned = true;                                     // the newest line is in sight

  log.addEventListener("scroll", () => {
    pinned = log.scrollHeight - log.scrollTop - log.clientHeight < 24;
    if (pinned) newer.hidden = true;
  });
  new ResizeObserver(() => pinned && toEnd()).observe(log);
  newer.addEventListener("click", () => { toEnd(); input.focus(); });

  function toEnd() {
    log.scrollTop = log.scrollHeight;
    newer.hidden = true;
  }

  function add(line) {
    const row = element("p", { className: `line ${line.kind}`, title: new Date(line.at).toLocaleTimeString() });
    if (line.team) row.append(element("span", { className: "tag" }, "team"), " ");
    if (line.name) {
      const name = element("span", { className: "name" }, ...nodes(line.name, line.name_markup));
      if (line.name_color) tint(name, line.name_color);
      row.append(name, " ");
    }
    const text = element("span", { className: "text" }, ...nodes(line.text, line.markup));
    if (line.color) tint(text, line.color);
    row.append(text);
    log.append(row);
    while (log.childElementCount > MOST_LINES) log.firstElementChild.remove();
    if (pinned) toEnd();
    else newer.hidden = false;
  }

  // channel(team): whom the line that is typed is for.
  function channel(on) {
    team = on;
    byId("channel").hidden = !on;
    input.ariaLabel = input.placeholder = on ? "Say something to your team" : ALL;
  }

  function recall(step) {
    if (at + step < 0 || at + step > history.length) return;
    if (at === history.length) draft = input.value;
    at += step;
    input.value = at === history.length ? draft : history[at];
    input.setSelectionRange(input.value.length, input.value.length);
  }

  byId("say").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    input.value = "";
    if (text) {
      if (history.at(-1) !== text) history.push(text);
      if (history.length > MOST_HISTORY) history.shift();
      send({ type: "say", text, team });
      toEnd();
      if (text.startsWith("/")) leave(); // what a command opens wants the keys
    } else {
      leave();
    }
    at = history.length;
    draft = "";
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp") recall(-1);
    else if (event.key === "ArrowDown") recall(1);
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
  });

  return {
    add,
    clear: () => log.replaceChildren(),
    enable: (on) => { byId("say").classList.toggle("off", !on); },
    /** focus({ start, team }): what the line begins with, and whether it is for the team. */
    focus({ start = "", team: on = false } = {}) {
      channel(on);
      if (start && !input.value) input.value = start;
      input.focus();
    },
    /** Some lines up or down. */
    scroll: (pages) => log.scrollBy({ top: pages * log.clientHeight * 0.8 }),
  };
}
