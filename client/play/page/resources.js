// The resources whose files this player has or gets, and the transfer line under the bar.

import { byId, element } from "./dom.js";

const STATES = { announced: "Waiting", downloading: "Downloading", ready: "Ready", failed: "Failed" };

const UNITS = ["bytes", "KiB", "MiB"];
function size(bytes) {
  let unit = 0;
  while (bytes >= 1024 && unit < UNITS.length - 1) { bytes /= 1024; unit++; }
  return `${unit ? bytes.toFixed(1) : bytes} ${UNITS[unit]}`;
}

const share = ({ received, total }) => (total ? received / total : 1);

export function createResources() {
  const cards = new Map();                               // name -> { resource, node, ... }

  function card(name) {
    const state = element("span", { className: "state" });
    const detail = element("p", { className: "detail" });
    const progress = element("progress", { max: 1 });
    progress.setAttribute("aria-label", `Download of ${name}`);
    const node = element("li", {}, element("h3", {}, name), state, detail, progress);
    return { node, state, detail, progress };
  }

  function set(resource) {
    let entry = cards.get(resource.name);
    if (!entry) {
      entry = card(resource.name);
      cards.set(resource.name, entry);
      const later = [...cards.keys()].sort();
      const next = later[later.indexOf(resource.name) + 1];
      byId("resources-list").insertBefore(entry.node, next ? cards.get(next).node : null);
    }
    entry.resource = resource;
    entry.node.dataset.state = resource.state;
    entry.state.textContent = STATES[resource.state] ?? resource.state;
    const loading = resource.state === "downloading";
    const amount = loading ? `${size(resource.received)} of ${size(resource.total)}` : size(resource.total);
    entry.detail.textContent = `Generation ${resource.generation}, ${resource.reason || amount}`;
    entry.progress.hidden = !loading;
    entry.progress.value = share(resource);
    summary();
  }

  function summary() {
    const all = [...cards.values()].map((entry) => entry.resource);
    byId("resources-count").textContent = all.length;
    byId("resources-none").hidden = all.length > 0;
    const loading = all.filter((resource) => resource.state === "downloading");
    const transfer = byId("transfer");
    transfer.hidden = loading.length === 0;
    const total = loading.reduce((sum, resource) => sum + resource.total, 0);
    const received = loading.reduce((sum, resource) => sum + resource.received, 0);
    transfer.style.setProperty("--share", share({ received, total }));
  }

  function remove(name) {
    cards.get(name)?.node.remove();
    cards.delete(name);
    summary();
  }

  summary();
  return { set, remove, clear: () => { for (const name of [...cards.keys()]) remove(name); } };
}
