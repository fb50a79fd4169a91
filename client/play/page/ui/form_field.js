// The fields of a form by their types. value() is what the play program reads: undefined where it is left out, null where
// what is typed cannot be read.

import { element } from "../dom.js";
import { nodes } from "../markup.js";
import { createCounter } from "./form_text.js";

const DAY = 24 * 60 * 60 * 1000;
const HUGE = 1e12;                                       // a bound that is none for people
const FEW = 5;                                           // options that need no box to scroll in

const TYPES = { boolean, number, string: text, choice, choices, color, date };

/** createField(field, number) -> { node, focus(), value() } */
export const createField = (field, number) => TYPES[field.type](field, number);

function named(input, number) {
  input.setAttribute("aria-labelledby", `label-${number}`);
  input.setAttribute("aria-describedby", `${input.getAttribute("aria-describedby") ?? ""} help-${number} fault-${number}`.trim());
  return input;
}

// A field that may be left out, and is until it is touched, has a button to leave it out again.
function clearable(field, inputs, clear) {
  let set = field.required || field.read_only || field.initial !== null;
  if (field.required || field.read_only) return { node: "", is: () => true, touch() {} };
  const button = element("button", { type: "button", className: "clear" }, "Clear");
  const draw = () => { button.hidden = !set; };
  button.addEventListener("click", () => {
    set = false;
    clear();
    draw();
    inputs[0].focus();
    inputs[0].dispatchEvent(new Event("change", { bubbles: true }));
  });
  draw();
  return { node: button, is: () => set, touch() { set = true; draw(); } };
}

function boolean(field, number) {
  const input = named(element("input", { type: "checkbox", checked: field.initial === true, disabled: field.read_only ?? false }), number);
  input.indeterminate = !field.required && field.initial === null;
  return { node: input, focus: () => input.focus(), value: () => (input.indeterminate ? undefined : input.checked) };
}

function number(field, n) {
  const { min, max, step, whole, initial } = field;
  const input = named(element("input", { type: "number", min, max, step: step || (whole ? 1 : "any"), disabled: field.read_only ?? false }), n);
  const show = (value) => { input.value = value === null ? "" : String(Number(value.toPrecision(15))); };
  show(initial ?? (field.slider && field.required ? min : null));
  const value = () => (input.validity.badInput ? null : input.value === "" ? undefined : input.valueAsNumber);
  if (!field.slider) {
    const bounds = min > -HUGE && max < HUGE ? element("small", { className: "count" }, `${min} to ${max}`) : "";
    return { node: element("div", { className: "pair" }, input, bounds), focus: () => input.focus(), value };
  }
  const slide = named(element("input", { type: "range", min, max, step: step || (whole ? 1 : "any"), disabled: field.read_only ?? false }), n);
  const paint = () => slide.style.setProperty("--share", max > min ? (slide.valueAsNumber - min) / (max - min) : 0);
  slide.value = initial ?? min;
  const unset = clearable(field, [slide], () => { show(null); slide.value = min; paint(); });
  slide.addEventListener("input", () => { show(slide.valueAsNumber); unset.touch(); paint(); });
  input.addEventListener("input", () => {
    if (Number.isFinite(input.valueAsNumber)) slide.value = input.value;
    unset.touch();
    paint();
  });
  paint();
  return { node: element("div", { className: "pair" }, slide, input, unset.node), focus: () => slide.focus(), value };
}

function text(field, n) {
  const { min, max, initial } = field;
  const input = field.lines ? element("textarea", { rows: 3 }) : element("input", { type: field.hidden ? "password" : "text" });
  Object.assign(input, { value: initial ?? "", autocomplete: field.hidden ? "new-password" : "off", spellcheck: false, disabled: field.read_only ?? false });
  const counter = createCounter(input, min, max);
  counter.hidden = field.read_only ?? false;
  return { node: element("div", { className: "text" }, named(input, n), counter), focus: () => input.focus(), value: () => input.value || undefined };
}

// Radio buttons or check boxes, in a box to scroll in where they are many, with a box to filter them.
function options(field, n, type, chosen) {
  const inputs = field.options.map((label, i) => {
    const input = element("input", { type, name: `field-${n}`, value: i, checked: chosen.includes(i), disabled: field.read_only ?? false });
    return { input, node: element("label", { className: "option" }, input, element("span", {}, ...nodes(label, true))) };
  });
  const none = type === "radio" && !field.required && !field.read_only
    ? element("label", { className: "option none" }, element("input", { type, name: `field-${n}`, value: "", checked: chosen.length === 0 }), element("span", {}, "None"))
    : "";
  const list = element("div", { className: field.options.length > FEW ? "options many" : "options" }, none, ...inputs.map(({ node }) => node));
  list.setAttribute("role", type === "radio" ? "radiogroup" : "group");
  named(list, n);
  const node = element("div", {}, list);
  if (field.filter) {
    const search = element("input", { type: "text", className: "search", placeholder: "Search", ariaLabel: "Search", autocomplete: "off", spellcheck: false });
    search.addEventListener("input", () => {
      const wanted = search.value.toLowerCase();
      for (const each of inputs) each.node.hidden = !each.node.textContent.toLowerCase().includes(wanted);
    });
    search.addEventListener("change", (event) => event.stopPropagation());
    node.prepend(search);
  }
  const focus = () => (list.querySelector("input:checked") ?? list.querySelector("input")).focus();
  return { node, focus, checked: () => inputs.flatMap(({ input }, i) => (input.checked ? [i] : [])) };
}

function choice(field, n) {
  const { node, focus, checked } = options(field, n, "radio", field.initial === null ? [] : [field.initial]);
  return { node, focus, value: () => checked()[0] };
}

function choices(field, n) {
  const { node, focus, checked } = options(field, n, "checkbox", field.initial ?? []);
  const many = element("small", { className: "count" });
  const count = () => {
    const span = field.min === field.max ? field.min : `${field.min} to ${field.max}`;
    many.textContent = `${checked().length} chosen, ${span} wanted`;
  };
  node.addEventListener("change", count);
  node.append(many);
  count();
  return { node, focus, value: () => { const list = checked(); return list.length ? list : undefined; } };
}

function color(field, n) {
  const pick = named(element("input", { type: "color", disabled: field.read_only ?? false }), n);
  const hex = named(element("input", { type: "text", className: "hex", placeholder: "#rrggbb", spellcheck: false, autocomplete: "off", disabled: field.read_only ?? false }), n);
  const start = field.initial ?? (field.required ? "#000000" : "");
  pick.value = start || "#000000";
  hex.value = start;
  const unset = clearable(field, [pick], () => { hex.value = ""; });
  pick.addEventListener("input", () => { hex.value = pick.value; unset.touch(); });
  hex.addEventListener("input", () => {
    if (/^#[0-9a-f]{6}$/i.test(hex.value)) pick.value = hex.value;
    unset.touch();
  });
  const value = () => (hex.value === "" ? undefined : /^#[0-9a-f]{6}$/i.test(hex.value) ? hex.value.toLowerCase() : null);
  return { node: element("div", { className: "pair" }, pick, hex, unset.node), focus: () => pick.focus(), value };
}

function date(field, n) {
  const iso = (days) => new Date(days * DAY).toISOString().slice(0, 10);
  const input = named(element("input", {
    type: "date", min: iso(field.min), max: iso(field.max), value: field.initial === null ? "" : iso(field.initial), disabled: field.read_only ?? false,
  }), n);
  const value = () => (input.validity.badInput ? null : input.value === "" ? undefined : Math.round(input.valueAsNumber / DAY));
  return { node: input, focus: () => input.focus(), value };
}
