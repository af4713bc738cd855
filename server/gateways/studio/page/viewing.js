// The section about the view: what helps to look, each with its key.

import { make } from "./dom.js";
import { toggleSwitch } from "./inspect.js";

/**
 * @typedef {object} Parts
 * @property {import("./draw.js").Painter} painter
 * @property {import("./measure.js").Measure} measure
 * @property {import("./following.js").Following} following
 */

export class Viewing {
  #parts;
  #grid;
  #ruler;
  #follow;
  element;

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { painter, measure, following } = parts;
    this.#grid = toggleSwitch("Grid", "Grid (G)", painter.options.grid, (isOn) => (painter.options.grid = isOn));
    this.#ruler = toggleSwitch("Ruler", "Ruler: drag on the field (D)", measure.isOn, (isOn) => (measure.isOn = isOn));
    this.#follow = toggleSwitch("Follow the chosen robot", "Follow the chosen robot (O)", following.isOn, (isOn) => {
      following.set(isOn);
      this.show();
    });
    following.addEventListener("change", () => this.show());
    this.element = make("div", { class: "stack" }, this.#grid, this.#ruler, this.#follow);
  }

  grid() {
    this.#parts.painter.options.grid = !this.#parts.painter.options.grid;
    this.show();
  }

  ruler() {
    this.#parts.measure.isOn = !this.#parts.measure.isOn;
    this.show();
  }

  follow() {
    this.#parts.following.set(!this.#parts.following.isOn);
  }

  /** Brings the switches to what is so. */
  show() {
    const { painter, measure, following } = this.#parts;
    this.#grid.setAttribute("aria-checked", String(painter.options.grid));
    this.#ruler.setAttribute("aria-checked", String(measure.isOn));
    this.#follow.setAttribute("aria-checked", String(following.isOn));
  }
}
