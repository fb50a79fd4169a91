// window.darqline for the page of a view. It stands before the page's own scripts and talks to the page around it over
// a message port that it asks for; that page hands one out only to the frame and origin of the open view.
(() => {
  "use strict";
  const { page: around, authNonce } = document.currentScript.dataset; // the origin of the page around the view; while it signs in
  document.currentScript.remove();

  const latest = new Map();                              // topic -> { json, revision }
  const listeners = new Map();                           // topic -> Set of functions
  const waiting = [];                                    // messages until the port is there and the page has loaded
  let port = null;
  let revision = 0;                                      // of the last snapshot that this page received
  let ready = false;
  let rectangles = [];

  const NAME = /^[a-z0-9_]{1,31}$/;
  const UNSAFE = /[\p{Cc}\p{Cf}]/u;
  const bytes = new TextEncoder();

  // What the script can say stands with the call that was wrong.
  const refuse = (message) => { throw new TypeError(`darqline.${message}`); };
  const show = (value) => (value === null ? "null" : Array.isArray(value) ? "an array" : typeof value);

  function post(message) {
    if (port && ready) port.postMessage(message);
    else waiting.push(message);
  }

  function flush() {
    if (!port || !ready) return;
    port.postMessage({ type: "loaded" });
    for (const message of waiting.splice(0)) port.postMessage(message);
  }

  function call(fn, snapshot) {
    try {
      fn(JSON.parse(snapshot.json), snapshot.revision);  // a value of its own for each listener
    } catch (error) {
      reportError(error);
    }
  }

  function on(topic, fn) {
    if (typeof topic !== "string" || !NAME.test(topic)) refuse(`on: the topic is 1 to 31 of a-z, 0-9 and _, got ${show(topic)} ${String(topic)}`);
    if (typeof fn !== "function") refuse(`on("${topic}"): the second argument is a function, got ${show(fn)}`);
    if (!listeners.has(topic)) listeners.set(topic, new Set());
    const entry = { fn };                                // the same function may listen twice
    listeners.get(topic).add(entry);
    if (latest.has(topic)) call(fn, latest.get(topic));
    return () => { listeners.get(topic).delete(entry); };
  }

  function checkField(action, name, value) {
    const field = `send("${action}"): field "${name}"`;
    if (!NAME.test(name)) refuse(`${field}: a name is 1 to 31 of a-z, 0-9 and _`);
    if (typeof value === "boolean") return 1;
    if (typeof value === "number") {
      if (!Number.isFinite(value)) refuse(`${field}: a finite number expected, got ${value}`);
      return 8;
    }
    if (typeof value !== "string") refuse(`${field}: a boolean, number or string expected, got ${show(value)}`);
    if (!value.isWellFormed()) refuse(`${field}: the string has half of a surrogate pair`);
    if (UNSAFE.test(value)) refuse(`${field}: the string has a control or format character`);
    const length = bytes.encode(value).length;
    if (length > 255) refuse(`${field}: at most 255 bytes, got ${length}`);
    return 1 + length;
  }

  function send(action, fields = {}) {
    if (typeof action !== "string" || !NAME.test(action)) refuse(`send: the action is 1 to 31 of a-z, 0-9 and _, got ${show(action)} ${String(action)}`);
    if (typeof fields !== "object" || fields === null || Array.isArray(fields)) refuse(`send("${action}"): the fields are an object, got ${show(fields)}`);
    const list = Object.entries(fields).filter(([, value]) => value !== undefined);
    if (list.length > 16) refuse(`send("${action}"): at most 16 fields, got ${list.length}`);
    let size = 0;
    for (const [name, value] of list) size += 2 + name.length + checkField(action, name, value);
    if (size > 1024) refuse(`send("${action}"): the fields take ${size} bytes, at most 1024`);
    post({ type: "action", action, revision, fields: list.map(([name, value]) => ({ name, value })) });
  }

  function rects(list) {
    if (!Array.isArray(list)) refuse(`rects: an array of rectangles expected, got ${show(list)}`);
    rectangles = list.map((rect, index) => {
      const copy = {};
      for (const side of ["x", "y", "width", "height"]) {
        if (!Number.isFinite(rect?.[side])) refuse(`rects: [${index}].${side} is a number, got ${show(rect?.[side])}`);
        copy[side] = rect[side];
      }
      return copy;
    });
    post({ type: "rects", rects: rectangles });
  }

  // The sign-in screen's page has two things more, until it is over.
  const ANSWER_TIME = 15000;                             // from the assertion to the server's word that it took it
  let signing = null;                                    // { done, failed } of the call that waits

  function settle(error) {
    const { done, failed, timer } = signing ?? {};
    signing = null;
    clearTimeout(timer);
    if (error) failed?.(new Error(error));
    else done?.();
  }

  async function signIn(assertion) {
    if (typeof assertion !== "string") refuse(`signIn: the assertion is a string, got ${show(assertion)}`);
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(assertion)) refuse("signIn: the assertion is a JWT, three parts in base64url with dots between");
    if (assertion.length > 8192) refuse(`signIn: at most 8192 bytes, got ${assertion.length}`);
    settle("A newer sign-in has taken its place.");
    return new Promise((done, failed) => {
      const timer = setTimeout(() => settle("The server has not accepted the sign-in."), ANSWER_TIME);
      signing = { done, failed, timer };
      post({ type: "sign_in", assertion });
    });
  }

  Object.defineProperty(window, "darqline", {
    value: Object.freeze({ on, send, rects, close: () => send("close"), ...(authNonce && { authNonce, signIn }) }),
    enumerable: true,
  });

  function receive({ data }) {
    if (data.type === "signed_in") return settle();
    if (data.type === "sign_in_fault") return settle(data.text);
    if (data.type === "data") {
      latest.set(data.topic, data);
      revision = data.revision;
      for (const entry of [...(listeners.get(data.topic) ?? [])]) call(entry.fn, data);
    } else if (data.type === "blur") {
      document.activeElement?.blur?.();
    }
    return undefined;
  }

  addEventListener("message", (event) => {
    if (event.source !== parent || event.origin !== around || event.data?.darqline !== "port") return;
    event.stopImmediatePropagation();
    if (port) return;
    [port] = event.ports;
    port.onmessage = receive;
    flush();
  });
  addEventListener("load", () => { ready = true; flush(); });

  // Faults go to the page around the view, which shows them to the author.
  const place = (url, row) => `${new URL(url, location.href).pathname.slice(1) || "page"}${row ? `:${row}` : ""}: `;
  addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) post({ type: "fault", text: place(event.filename || location.href, event.lineno) + event.message });
    else if (event.target instanceof Element) {
      const url = event.target.src || event.target.href;
      if (typeof url === "string") post({ type: "fault", text: `${place(location.href)}<${event.target.localName}> could not load ${new URL(url, location.href).pathname.slice(1)}` });
    }
  }, true);
  addEventListener("unhandledrejection", ({ reason }) => post({ type: "fault", text: `${place(location.href)}unhandled rejection: ${reason?.message ?? reason}` }));
  document.addEventListener("securitypolicyviolation", (event) => {
    const what = event.blockedURI === "inline" ? "something inline (move it to a file of its own)" : event.blockedURI;
    post({ type: "fault", text: `${place(event.sourceFile || location.href, event.lineNumber)}${event.effectiveDirective} does not allow ${what}` });
  });

  // What the page leaves alone belongs to the game around it: Escape gives the keyboard back, and in cursor mode the
  // mouse leaves at the rectangles' edge.
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) post({ type: "escape" });
  });
  addEventListener("pointermove", ({ clientX: x, clientY: y }) => {
    const inside = rectangles.some((r) => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height);
    if (!inside) post({ type: "outside" });
  });

  parent.postMessage({ darqline: "hello" }, around);
})();
