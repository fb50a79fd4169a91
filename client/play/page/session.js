// How the connection stands: the bar and the banner under it.

import { byId } from "./dom.js";

export function createSession(send) {
  const banner = byId("banner");
  const [text, button] = banner.children;
  let state = { phase: "connecting", server: "" };
  let linked = false;                                    // to the play program
  let started = false;                                   // it was linked once
  let retryAt = 0;
  let ticking = null;

  button.addEventListener("click", () => send({ type: "retry" }));

  function draw() {
    const { phase, server, title, name, player, ping, reason, silent, sign_in: signIn, account } = state;
    const connected = linked && phase === "connected";
    document.body.dataset.phase = linked ? phase : "unlinked";
    byId("title").textContent = title || "darqline";
    byId("address").textContent = server;
    byId("who").textContent = connected ? `${name} (${player})` : "";
    document.body.toggleAttribute("data-sign-in", connected && Boolean(signIn));
    byId("account").hidden = !connected || !signIn && !account;
    byId("account").textContent = signIn ? "Waiting for sign-in" : `Signed in as ${account}`;
    byId("ping").hidden = !connected || ping < 0;
    byId("ping").dataset.quality = ping < 80 ? "good" : ping < 200 ? "fair" : "poor";
    byId("ping").lastElementChild.textContent = ping < 1 ? "< 1 ms" : `${ping} ms`;
    document.title = connected ? `${title} · darqline play` : "darqline play";

    const left = Math.max(0, Math.ceil((retryAt - Date.now()) / 1000));
    const messages = {
      connecting: server && `Connecting to ${server} …`,
      waiting: `${sentence(reason)} Trying again ${left ? `in ${left} s` : "now"}.`,
      ended: sentence(reason),
      connected: silent ? "The server has gone silent. Waiting for it …" : "",
      unlinked: started ? "The play program does not answer. Run darqline play again; this page connects by itself." : "",
    };
    const message = messages[document.body.dataset.phase] ?? "";
    if (text.textContent !== message) text.textContent = message;
    banner.hidden = !message;
    button.hidden = phase !== "waiting" && phase !== "ended" || !linked;
    button.textContent = phase === "ended" ? "Connect again" : "Try now";

    clearTimeout(ticking);
    if (linked && phase === "waiting" && left > 0) ticking = setTimeout(draw, 500);
  }

  function sentence(reason = "") {
    const first = reason.charAt(0).toUpperCase() + reason.slice(1);
    return /[.!?]$/.test(first) || !first ? first : `${first}.`;
  }

  draw();
  return {
    set(next) {
      if (next.retry && (next.phase !== state.phase || next.retry !== state.retry)) retryAt = Date.now() + next.retry;
      state = next;
      draw();
    },
    link(up) {
      linked = up;
      started ||= up;
      draw();
    },
    joined: () => linked && state.phase === "connected" && !state.sign_in,
  };
}
