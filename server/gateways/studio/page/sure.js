// A button that asks whether somebody is sure: what cannot be undone is done by its second press. It asks until anything else is pressed, however long
// somebody takes.

import { button, write } from "./dom.js";

/** Keys that press a button, and those that are held beside others. */
const PRESSES = ["Enter", " ", "Shift", "Control", "Alt", "Meta"];

/**
 * Ends a question at the next press of a key or button that does not answer it; gives what ends the listening.
 * @param {HTMLElement} element is asked about
 * @param {string[]} keys that answer wherever they are pressed
 * @param {() => void} end
 */
export function untilElsewhere(element, keys, end) {
  /** @param {Event} event */
  const listen = (event) => {
    const key = event instanceof KeyboardEvent ? event.key : null;
    const isOn = event.target instanceof Node && element.contains(event.target);
    if ((isOn && (key === null || PRESSES.includes(key))) || (key !== null && keys.includes(key))) return;
    stop();
    end();
  };
  const kinds = ["pointerdown", "keydown"];
  const stop = () => kinds.forEach((kind) => removeEventListener(kind, listen, true));
  kinds.forEach((kind) => addEventListener(kind, listen, true));
  return stop;
}

/**
 * @param {string} text
 * @param {() => void} act
 * @param {Record<string, string | boolean>} [attributes]
 */
export function sureButton(text, act, attributes = {}) {
  let stop = () => {};
  const disarm = () => {
    stop();
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
    stop = untilElsewhere(made, [], disarm);
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
