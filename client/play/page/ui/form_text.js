// How much of a text is typed, and how much there may be.

import { element } from "../dom.js";

/** createCounter(input, least, most): a line of "3 of 24" below an input, of characters. */
export function createCounter(input, least, most) {
  const counter = element("small", { className: "count" });
  counter.id = `count-${Math.random().toString(36).slice(2)}`;
  input.setAttribute("aria-describedby", counter.id);
  const count = () => {
    const n = [...input.value].length;
    counter.textContent = `${n} of ${most}${least > 1 && n < least ? `, at least ${least}` : ""}`;
    counter.classList.toggle("over", n > most);
  };
  input.addEventListener("input", count);
  count();
  return counter;
}
