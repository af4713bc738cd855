// The keys by which a person drives. They are known by their places on the keyboard: W is above S whatever is written on it.

/**
 * @typedef {"forward" | "left" | "turn"} Axis
 * @typedef {Record<Axis, number>} Axes each from -1 to 1: forward, to the left, counter-clockwise
 */

/** @type {Record<string, [Axis, 1 | -1]>} */
const AXES = {
  KeyW: ["forward", 1], ArrowUp: ["forward", 1],
  KeyS: ["forward", -1], ArrowDown: ["forward", -1],
  KeyA: ["turn", 1], ArrowLeft: ["turn", 1],
  KeyD: ["turn", -1], ArrowRight: ["turn", -1],
  KeyQ: ["left", 1], KeyE: ["left", -1],
};

/**
 * @typedef {object} Driver
 * @property {() => boolean} isDriving
 * @property {() => void} changed
 * @property {() => void} kick
 * @property {() => void} leave
 */

export class Keyboard {
  /** @type {Set<string>} */
  #down = new Set();

  /** @param {Driver} driver */
  constructor(driver) {
    // Before the page's other keys hear of it.
    window.addEventListener("keydown", (event) => {
      if (!driver.isDriving() || isForOthers(event)) return;
      const { code, target } = event;
      const isKick = code === "Space" || code === "Enter";
      // A button that has the focus is pressed by these itself.
      if (isKick && target instanceof HTMLElement && target.closest("button, summary")) return;
      if (!(code in AXES) && !isKick && code !== "Escape") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.repeat) return;
      if (isKick) driver.kick();
      else if (code === "Escape") driver.leave();
      else {
        this.#down.add(code);
        driver.changed();
      }
    }, { capture: true });
    window.addEventListener("keyup", ({ code }) => {
      if (this.#down.delete(code)) driver.changed();
    }, { capture: true });
  }

  /** No key is held any more. */
  clear() {
    this.#down.clear();
  }

  /** @returns {Axes} */
  axes() {
    const axes = { forward: 0, left: 0, turn: 0 };
    for (const code of this.#down) {
      const [axis, sign] = AXES[code];
      axes[axis] += sign;
    }
    return axes;
  }
}

/** Whether somebody writes, or another program's keys are pressed. @param {KeyboardEvent} event */
function isForOthers({ ctrlKey, metaKey, altKey, code, target }) {
  if (ctrlKey || metaKey || altKey || document.querySelector("dialog[open]")) return true;
  // A slider takes nothing but arrows.
  const isSlider = target instanceof HTMLElement && target.role === "slider";
  if (isSlider || (target instanceof HTMLInputElement && target.type === "range")) return code.startsWith("Arrow");
  return target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
}
