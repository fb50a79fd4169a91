// The open dialog: over everything, with the keyboard and the mouse its own until it ends.

import { capital, element } from "../dom.js";
import { nodes } from "../markup.js";
import { createInput } from "./dialog_input.js";
import { createList } from "./dialog_list.js";
import { createForm } from "./form.js";
import { icon } from "./icons.js";
import { createTable } from "./table.js";

const GUARD = 250;                                       // ms that it takes no key: what was pressed was meant for the game
const PATIENCE = 1000;                                   // ms in which an answer is not given again
const EXTRA_KEY = "F2";

// What each kind shows below the text: { node, focus(), answer() -> part of the answer, key?(event), fault?({ field, text }) }.
const CONTENTS = { input: createInput, password: createInput, list: createList, table: createTable, form: createForm };

/** createDialog(send, { opened, closed }): opened() is called when it takes the keyboard. */
export function createDialog(send, { opened, closed }) {
  const box = element("dialog", { id: "dialog", className: "ui ask" });
  box.setAttribute("closedby", "none");
  document.body.append(box);
  let open = null;                                       // { dialog, content, error, since, answered, ticking }
  let paused = false;
  let kept = null;                                       // what had the focus when the pause began

  function show(dialog) {
    end();
    const content = CONTENTS[dialog.kind]?.(dialog, { accept: () => answer("accept"), check });
    const title = element("h2", { id: "dialog-title" }, ...nodes(dialog.title, true));
    const text = element("p", { id: "dialog-text", className: "body", hidden: !dialog.body }, ...nodes(dialog.body ?? "", true));
    const error = element("p", { className: "fault", role: "alert", hidden: true });
    const left = element("span", { className: "remaining", hidden: !dialog.until });
    const bar = element("i", { className: "time", ariaHidden: "true", hidden: !dialog.until });
    const middle = element("div", { className: "middle" }, text, content?.node ?? "");
    box.replaceChildren(
      element("header", {}, title, left, dialog.cancellable && !dialog.cancel ? element("kbd", {}, "Esc") : ""),
      bar, middle, error, foot(dialog));
    box.className = `ui ask asks-${dialog.kind}`;
    box.setAttribute("role", dialog.kind === "message" && !dialog.cancellable ? "alertdialog" : "dialog");
    box.setAttribute("aria-labelledby", "dialog-title");
    if (dialog.body) box.setAttribute("aria-describedby", "dialog-text");
    else box.removeAttribute("aria-describedby");
    open = { dialog, content, error, middle, since: performance.now(), answered: -Infinity, ticking: null };
    if (dialog.until) {
      const tick = () => {
        const rest = Math.max(0, dialog.until - Date.now());
        left.textContent = clock(rest);
        bar.style.scale = `${rest / Math.max(1, dialog.until - dialog.opened)} 1`;
        bar.classList.toggle("short", rest < 10000);
      };
      open.ticking = setInterval(tick, 250);
      tick();
    }
    if (!paused) take();
    if (dialog.error) fault({ dialog: dialog.id, field: dialog.error_field, text: dialog.error });
  }

  function foot({ accept, cancel, extra }) {
    const button = (kind, text, key) => {
      const node = element("button", { type: "button", className: kind }, ...text, element("kbd", {}, key));
      node.addEventListener("click", () => answer(kind));
      return node;
    };
    const mark = element("span", { role: "img", ariaLabel: "OK" }, icon("check"));
    return element("footer", {},
      extra ? button("extra", nodes(extra, true), EXTRA_KEY) : "",
      cancel ? button("cancel", nodes(cancel, true), "Esc") : "",
      button("accept", accept ? nodes(accept, true) : [mark], "Enter"));
  }

  function give() {
    document.body.classList.remove("asking");            // first: what is hidden gets no keyboard
    if (!box.open) return;
    // A browser takes the focus off what is hidden only when it draws next: a key before that would still be typed there.
    if (box.contains(document.activeElement)) document.activeElement.blur();
    box.close();
  }

  // It takes the keyboard; its close gives it back to what had it.
  function take() {
    if (!box.open) box.showModal();
    document.body.classList.add("asking");
    if (open.content) open.content.focus();
    else if (open.middle.scrollHeight > open.middle.clientHeight) {
      Object.assign(open.middle, { tabIndex: 0, role: "document" });   // the arrows scroll it
      open.middle.focus();
    } else box.querySelector("button.accept").focus();
    opened();
  }

  function end(id) {
    if (!open || id !== undefined && open.dialog.id !== id) return;
    clearInterval(open.ticking);
    open = kept = null;
    give();
    box.replaceChildren();
    closed();
  }

  function pause(on) {
    if (paused === on) return;
    paused = on;
    if (!open) return;
    if (on) {
      kept = document.activeElement;
      give();
    } else {
      take();
      kept?.focus();
    }
  }

  // The end comes from the play program, when the answer is on its way.
  function answer(button) {
    const now = performance.now();
    if (!open || now < open.since + GUARD || now < open.answered + PATIENCE) return;
    if (button === "cancel") {
      send({ type: "answer", dialog: { id: open.dialog.id, button, row: -1 } });
      return;
    }
    const given = open.content ? open.content.answer() : {};
    if (!given) return;                                  // it has said what is wrong
    open.answered = now;
    send({ type: "answer", dialog: { id: open.dialog.id, button, row: -1, ...given } });
  }

  function check(field) {
    if (!open || paused) return;
    send({ type: "answer", dialog: { id: open.dialog.id, row: -1, fields: [field] } });
  }

  function fault({ dialog, field, text }) {
    if (open?.dialog.id !== dialog) return;
    open.answered = -Infinity;
    if (field >= 0) {
      open.content?.fault?.({ field, text });
      return;
    }
    open.error.replaceChildren(...nodes(capital(text), true));
    open.error.hidden = !text;
  }

  const several = (target) => target instanceof HTMLTextAreaElement;    // where Enter begins a new line
  box.addEventListener("focusin", ({ target }) => {
    const key = box.querySelector("button.accept > kbd");
    if (key) key.textContent = several(target) ? "Ctrl Enter" : "Enter";
  });
  box.addEventListener("cancel", (event) => event.preventDefault());
  box.addEventListener("keydown", (event) => {
    if (!open || event.isComposing) return;
    if (performance.now() < open.since + GUARD) return event.preventDefault();
    const { key, target, repeat } = event;
    if (key === "Escape") {
      event.preventDefault();
      if (!repeat && open.dialog.cancellable) answer("cancel");
    } else if (key === EXTRA_KEY && open.dialog.extra) {
      event.preventDefault();
      if (!repeat) answer("extra");
    } else if (key === "Enter" && !(target instanceof HTMLButtonElement) && (!several(target) || event.ctrlKey)) {
      event.preventDefault();
      if (!repeat) answer("accept");
    } else if (open.content?.key?.(event)) event.preventDefault();
    return undefined;
  });

  return { show, end, fault, pause, open: () => open !== null };
}

const clock = (ms) => {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};
