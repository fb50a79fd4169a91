// Reloads and faults. A fault stays until its resource reloads well or somebody dismisses it.

import { byId, element } from "./dom.js";

const SUCCESS_TIME = 5000;
const PLACE = /^(\S+?:\d+: |\S+?: )?([\s\S]*)$/;         // "shop/main.lua:12: what is wrong"

export function createNotices(send) {
  const shown = new Map();

  function set(notice) {
    const fresh = build(notice);
    const old = shown.get(notice.id);
    if (old) old.replaceWith(fresh);
    else byId("notices").append(fresh);
    shown.set(notice.id, fresh);
    if (notice.kind === "success") setTimeout(() => remove(notice.id), SUCCESS_TIME);
  }

  function build(notice) {
    if (notice.kind === "success") {
      const [, what, rest = ""] = notice.text.match(/^([^:]*):?\s*([\s\S]*)$/);
      return element("article", { className: "notice success" },
        element("h3", {}, what), element("p", { className: "detail" }, rest));
    }
    const [, place = "", text] = notice.text.match(PLACE);
    const dismiss = element("button", { type: "button", className: "dismiss" }, "Dismiss");
    dismiss.setAttribute("aria-label", `Dismiss the notice of ${notice.resource}`);
    dismiss.addEventListener("click", () => send({ type: "dismiss", id: notice.id }));
    const title = notice.page ? `Fault in the page of ${notice.resource}` : `Fault in ${notice.resource}`;
    return element("article", { className: `notice ${notice.kind}` },
      element("header", {},
        element("h3", {}, title),
        notice.count > 1 ? element("span", { className: "tag" }, `${notice.count} times`) : "",
        dismiss),
      element("pre", { tabIndex: 0 }, element("b", {}, place), text));
  }

  function remove(id) {
    shown.get(id)?.remove();
    shown.delete(id);
  }

  return { set, remove, clear: () => { for (const id of [...shown.keys()]) remove(id); } };
}
