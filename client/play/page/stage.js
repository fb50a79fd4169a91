// The open view: a sandboxed frame on the origin of its resource, and the message port to the bridge inside.

import { byId, element } from "./dom.js";

const BRIDGE_TIME = 3000;                                // from the frame's load to the bridge's first word
const LOAD_TIME = 20000;                                 // for the whole page
const REST_TIME = 500;                                   // between the sign-in and its view's next page; mostly the view ends with it
const INPUT = { none: "display only", all: "takes mouse and keyboard", cursor: "takes the mouse over its own parts" };

export function createStage(send) {
  const stage = byId("stage");
  let open = null;                                       // { view, frame, box, port, rects, loaded, topics }
  let hidden = false;

  function show(view) {
    const signedIn = open?.view.sign_in && open.view.id === view.id;
    if (signedIn) open.port?.postMessage({ type: "signed_in" });
    close();
    const frame = element("iframe", { className: "view", title: `View of ${view.resource}`, allow: "" });
    frame.sandbox.add("allow-scripts", "allow-same-origin", "allow-forms");
    const toggle = element("button", { type: "button", className: "toggle" });
    toggle.addEventListener("click", hide);
    const status = element("span", { className: "status", role: "status" }, "opening");
    const box = element("div", { className: "frame" },
      element("header", {},
        element("h2", {}, view.resource),
        element("code", {}, view.entry),
        element("span", {}, `generation ${view.generation}`),
        element("span", { className: "input" }, INPUT[view.input] ?? view.input),
        status, toggle),
      frame);
    box.dataset.input = view.input;
    open = { view, frame, box, status, toggle, port: null, rects: [], topics: new Map(), heard: false, loaded: false, timers: [] };
    for (const snapshot of view.topics) open.topics.set(snapshot.topic, snapshot);
    if (signedIn) {
      status.textContent = "signed in";
      later(REST_TIME, load);
    } else load();
    stage.append(box);
    stage.classList.add("busy");
    update();
  }

  function load() {
    const { view, frame } = open;
    later(LOAD_TIME, () => { if (!open.loaded) fail("The page did not load in time."); });
    frame.addEventListener("load", () => later(BRIDGE_TIME, () => {
      if (!open.heard) fail("The page did not load.");
    }));
    frame.src = `${view.origin}/${view.entry}`;
  }

  function later(time, action) {
    const mine = open;
    open.timers.push(setTimeout(() => { if (open === mine) action(); }, time));
  }

  function close() {
    if (!open) return;
    const hadFocus = document.activeElement === open.frame;
    open.timers.forEach(clearTimeout);
    open.port?.close();
    open.box.remove();
    open = null;
    hidden = false;
    stage.classList.remove("busy");
    if (hadFocus) stage.focus({ preventScroll: true });
  }

  function fail(text) {
    open.status.textContent = text;
    open.box.classList.add("failed");
    send({ type: "failed", view: open.view.id });
  }

  // What the view gets of mouse and keyboard: nothing while it is hidden or only displayed.
  function update() {
    const { view, frame, box, toggle } = open;
    frame.inert = hidden || view.input === "none";
    frame.classList.toggle("through", view.input !== "all");
    box.classList.toggle("hidden", hidden);
    toggle.replaceChildren(hidden ? "Show " : "Hide ", element("kbd", {}, "P"));
  }

  function hide() {
    if (!open) return;
    hidden = !hidden;
    update();
    if (hidden) stage.focus({ preventScroll: true });
    else focus();
  }

  function focus() {
    if (open && !hidden && open.view.input !== "none") open.frame.focus({ preventScroll: true });
  }

  // The bridge asks for its port. Only the frame of the open view, still on its own origin, gets one; a page that
  // navigated inside its origin gets a new one.
  addEventListener("message", (event) => {
    if (!open || event.source !== open.frame.contentWindow || event.origin !== open.view.origin) return;
    if (event.data?.darqline !== "hello") return;
    const channel = new MessageChannel();
    open.port?.close();
    open.port = channel.port1;
    open.heard = true;
    open.rects = [];
    const mine = open;
    open.port.onmessage = ({ data }) => { if (open === mine) receive(data); };
    event.source.postMessage({ darqline: "port" }, open.view.origin, [channel.port2]);
    for (const snapshot of open.topics.values()) pass(snapshot);
  });

  function pass({ topic, revision, json }) {
    open.port.postMessage({ type: "data", topic, revision, json });
  }

  function receive(data) {
    const view = open.view.id;
    switch (data?.type) {
      case "loaded": return loaded();
      case "action": return send({ type: "action", view, action: String(data.action), revision: Number(data.revision), fields: data.fields });
      case "sign_in": return send({ type: "sign_in", view, text: String(data.assertion) });
      case "fault": return send({ type: "fault", view, text: String(data.text).slice(0, 2000) });
      case "rects": open.rects = Array.isArray(data.rects) ? data.rects : []; return undefined;
      case "outside": return outside();
      case "escape": return stage.focus({ preventScroll: true });
      default: return undefined;
    }
  }

  function loaded() {
    send({ type: "loaded", view: open.view.id });
    if (open.loaded) return;
    open.loaded = true;
    open.status.textContent = "";
    open.box.classList.add("loaded");
    const typing = document.activeElement?.id === "line";
    if (open.view.input === "all" && !typing) focus();
  }

  // Cursor mode: the frame takes the mouse while it is over a rectangle that the page declared.
  addEventListener("pointermove", (event) => {
    if (open?.view.input !== "cursor" || hidden) return;
    const frame = open.frame.getBoundingClientRect();
    const x = event.clientX - frame.left, y = event.clientY - frame.top;
    const inside = open.rects.some((r) => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height);
    open.frame.classList.toggle("through", !inside);
  });
  function outside() {
    if (open.view.input === "cursor") open.frame.classList.add("through");
  }

  return {
    show,
    close: (id) => { if (open && (id === undefined || open.view.id === id)) close(); },
    data: (id, snapshot) => {
      if (open?.view.id !== id) return;
      open.topics.delete(snapshot.topic);                // the latest goes last: revisions never fall
      open.topics.set(snapshot.topic, snapshot);
      if (open.port) pass(snapshot);
    },
    signInFault: (id, text) => { if (open?.view.id === id) open.port?.postMessage({ type: "sign_in_fault", text }); },
    unlinked: () => { if (open?.view.sign_in) close(); },  // the end of the sign-in would go unheard
    current: () => open?.view.id,
    hide,
    focus,
    leave: () => stage.focus({ preventScroll: true }),
  };
}
