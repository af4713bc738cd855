// What the chosen robot was told to do, what it does, and its manipulators: MOTION, asked for while it is seen.

import { make, write } from "./dom.js";
import { liveValue } from "./inspect.js";
import { readWords } from "./words.js";

/**
 * @typedef {import("./inspect.js").LiveValue} LiveValue
 * @typedef {{ told: LiveValue | null, does: LiveValue | null }} Row
 */

const PARTS = /** @type {const} */ ([["forward", "m/s"], ["left", "m/s"], ["turn", "rad/s"]]);

export class MotionView {
  #board;
  #traces;
  #table = make("tbody");
  #more = make("dl", { class: "pairs" });
  element = make("div", {}, make("table", { class: "motion" }, make("thead", {}, make("tr", {},
    make("th", { scope: "col" }, make("span", { class: "hidden" }, "Dimension")),
    make("th", { scope: "col" }, "command"), make("th", { scope: "col" }, "achieved"))), this.#table), this.#more);
  #id = -1;
  #isAsking = false;
  /** @type {Map<string, LiveValue>} */
  #values = new Map();
  /** @type {Map<string, HTMLElement>} */
  #texts = new Map();

  /**
   * @param {import("./board.js").Board} board
   * @param {import("./traces.js").Traces} traces
   */
  constructor(board, traces) {
    this.#board = board;
    this.#traces = traces;
    traces.addEventListener("change", () => this.#values.forEach(({ mark }) => mark()));
  }

  /**
   * @param {number} id
   * @param {import("./layout.js").Description} description
   */
  begin(id, { dimensions, data }) {
    this.#id = id;
    this.#values.clear();
    this.#texts.clear();
    this.#table.replaceChildren();
    this.#more.replaceChildren();
    for (const { name, unit, part } of dimensions) {
      const isPart = PARTS.some(([known]) => known === part);
      this.#row(name, this.#value(`command.${name}`, `${name} (command)`, unit), isPart ? this.#value(`achieved.${part}`, `${part} (achieved)`, unit) : null);
    }
    for (const [part, unit] of PARTS) {
      if (dimensions.some((dimension) => dimension.part === part)) continue;
      this.#row(part, null, this.#value(`achieved.${part}`, `${part} (achieved)`, unit));
    }
    for (const { name, unit } of data) this.#pair(name, this.#value(`datum.${name}`, name, unit).element);
  }

  /** Asks once, unless an answer is still to come. */
  async ask() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const id = this.#id;
    const { ok, head, lines } = await this.#board.ask(`MOTION ${id}`, { isQuiet: true });
    this.#isAsking = false;
    if (!ok || id !== this.#id) return;
    const { fields } = readWords(head);
    const time = Number(fields.sim_us) / 1e6;
    for (const [part] of PARTS) this.#show(`achieved.${part}`, time, Number(fields[part]));
    for (const line of lines) {
      const { word, words: [name], fields } = readWords(line);
      if (word === "DIM") this.#show(`command.${name}`, time, Number(fields.value));
      if (word === "DATUM") this.#show(`datum.${name}`, time, Number(fields.value));
      if (word === "MANIPULATOR") this.#manipulator(name, `${fields.state}${fields.has_ball === "1" ? ", has the ball" : ""}`);
    }
  }

  /**
   * @param {string} key
   * @param {number} time
   * @param {number} value
   */
  #show(key, time, value) {
    this.#values.get(key)?.show(value);
    this.#traces.add(`motion.${key}`, time, value);
  }

  /** @param {string} name @param {string} state */
  #manipulator(name, state) {
    let text = this.#texts.get(name);
    if (!text) {
      text = make("span");
      this.#texts.set(name, text);
      this.#pair(name, text);
    }
    write(text, state);
  }

  /**
   * @param {string} key
   * @param {string} label
   * @param {string} unit
   */
  #value(key, label, unit) {
    const value = liveValue(this.#traces, `motion.${key}`, label, unit);
    this.#values.set(key, value);
    return value;
  }

  /**
   * @param {string} name
   * @param {LiveValue | null} told
   * @param {LiveValue | null} does
   */
  #row(name, told, does) {
    this.#table.append(make("tr", {}, make("th", { scope: "row" }, name),
      make("td", {}, told?.element ?? "–"), make("td", {}, does?.element ?? "–")));
  }

  /** @param {string} name @param {HTMLElement} value */
  #pair(name, value) {
    this.#more.append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
  }
}
