// A dialog with a form: fields, each with what is wrong with it.

import { capital, element } from "../dom.js";
import { nodes } from "../markup.js";
import { createField } from "./form_field.js";

/** createForm(dialog, { check }): the content of a dialog of the kind form. check({ number, value }) asks about one field. */
export function createForm({ fields, error_field: wrong }, { check }) {
  const parts = fields.map((field, number) => {
    if (field.type === "note") return { node: note(field) };
    const label = element("span", { id: `label-${number}`, className: "label" }, ...nodes(field.label, true));
    if (!field.required && !field.read_only) label.append(element("small", {}, "optional"));
    const help = element("small", { id: `help-${number}`, className: "help", hidden: !field.help }, ...nodes(field.help ?? "", true));
    const error = element("small", { id: `fault-${number}`, className: "fault", role: "alert", hidden: true });
    const control = createField(field, number);
    control.node.addEventListener("change", () => {
      const value = control.value();
      if (value === undefined || value === null) tell(number, "");
      else check({ number, value });
    });
    const node = field.type === "boolean"
      ? element("div", { className: "field is-boolean" }, element("label", {}, control.node, label), help, error)
      : element("div", { className: `field is-${field.type}` }, label, control.node, help, error);
    return { ...control, field, node, error };
  });

  function tell(number, text) {
    const { node, error } = parts[number];
    error.replaceChildren(...nodes(capital(text), true));
    error.hidden = !text;
    node.classList.toggle("wrong", Boolean(text));
    for (const input of node.querySelectorAll("input, textarea")) input.ariaInvalid = String(Boolean(text));
  }

  function fault({ field, text }) {
    tell(field, text);
    if (text && !parts[field].node.contains(document.activeElement) && answering) parts[field].focus();
    if (text) parts[field].node.scrollIntoView({ block: "nearest" });
  }

  let answering = false;                                 // what is wrong is about the answer, not about a field just left
  const editable = parts.filter(({ field }) => field && !field.read_only);

  return {
    node: element("div", { className: "fields" }, ...parts.map(({ node }) => node)),
    focus() {
      const first = parts[wrong]?.focus ? parts[wrong] : editable[0];
      if (first) first.focus();
      else document.querySelector("#dialog button.accept").focus();
    },
    fault,
    answer() {
      answering = true;
      setTimeout(() => { answering = false; }, 500);
      const filled = [];
      for (const part of editable) {
        const value = part.value();
        if (value === null) {
          fault({ field: parts.indexOf(part), text: "this cannot be read" });
          return null;
        }
        if (value !== undefined) filled.push({ number: parts.indexOf(part), value });
      }
      return { fields: filled };
    },
  };
}

function note({ label, help }) {
  return element("div", { className: "field is-note" }, element("p", {}, ...nodes(label, true)),
    help ? element("small", { className: "help" }, ...nodes(help, true)) : "");
}
