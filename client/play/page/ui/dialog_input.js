// A dialog with one text to type: an input or a password.

import { element } from "../dom.js";
import { createCounter } from "./form_text.js";

/** createInput(dialog): the content of a dialog of the kinds input and password. */
export function createInput({ kind, lines, body, placeholder = "", initial = "", min_chars: least = 0, max_chars: most }) {
  const input = lines
    ? element("textarea", { rows: 6 })
    : element("input", { type: kind === "password" ? "password" : "text" });
  Object.assign(input, { placeholder, value: initial, autocomplete: kind === "password" ? "new-password" : "off", spellcheck: false });
  input.setAttribute("aria-labelledby", body ? "dialog-title dialog-text" : "dialog-title");
  return {
    node: element("div", { className: "field" }, input, createCounter(input, least, most)),
    focus() {
      input.focus();
      input.select();
    },
    answer: () => ({ text: input.value }),
  };
}
