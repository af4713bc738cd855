// A button that asks whether somebody is sure: what cannot be undone is done by its second press.

import { button, write } from "./dom.js";

/** How long it waits for the second press, ms. */
const SURE_MS = 3000;

/**
 * @param {string} text
 * @param {() => void} act
 * @param {Record<string, string | boolean>} [attributes]
 */
export function sureButton(text, act, attributes = {}) {
  let timer = 0;
  const disarm = () => {
    clearTimeout(timer);
    made.classList.remove("armed");
    made.removeAttribute("aria-description");
    write(made, plain);
  };
  let plain = text;
  const made = button(text, () => {
    if (made.classList.contains("armed")) {
      disarm();
      act();
      return;
    }
    made.classList.add("armed");
    made.setAttribute("aria-description", "Press once more");
    write(made, "Sure?");
    timer = window.setTimeout(disarm, SURE_MS);
  }, attributes);
  return {
    element: made,
    /** What it says when it is not asking. @param {string} words */
    name(words) {
      if (plain === words) return;
      plain = words;
      disarm();
    },
  };
}
