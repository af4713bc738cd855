// The values that somebody wants to see over time, with their samples of the last seconds of simulated time.

/** How much is kept, simulated seconds. */
export const KEPT_SECS = 30;
/** More than this would be no picture any more. */
export const MOST_TRACES = 8;

/** Colours that are told apart, also by those who see fewer, on light and on dark. */
const COLOURS = ["#1f83d6", "#e07b00", "#12a37f", "#d64fa0", "#8f6ae0", "#b59a00", "#d9483b", "#3aa7c4"];

/**
 * @typedef {object} Trace
 * @property {string} key
 * @property {string} label
 * @property {string} unit
 * @property {string} colour
 * @property {number[]} times simulated seconds, rising
 * @property {number[]} values not finite where there is nothing
 */

/** Dispatches "change" when another value is chosen. */
export class Traces extends EventTarget {
  /** @type {Map<string, Trace>} */
  #traces = new Map();
  /** Counts up with each sample. */
  version = 0;

  get all() {
    return [...this.#traces.values()];
  }

  /** @param {string} key */
  has(key) {
    return this.#traces.has(key);
  }

  /**
   * Begins or ends to keep a value.
   * @param {string} key
   * @param {string} label
   * @param {string} unit
   */
  toggle(key, label, unit) {
    if (!this.#traces.delete(key)) {
      if (this.#traces.size >= MOST_TRACES) return;
      const used = new Set(this.all.map(({ colour }) => colour));
      const colour = COLOURS.find((colour) => !used.has(colour)) ?? COLOURS[0];
      this.#traces.set(key, { key, label, unit, colour, times: [], values: [] });
    }
    this.#changed();
  }

  /** Another robot is looked at. */
  clear() {
    if (this.#traces.size === 0) return;
    this.#traces.clear();
    this.#changed();
  }

  /**
   * A value at a tick; nothing, if nobody wants it.
   * @param {string} key
   * @param {number} time simulated seconds
   * @param {number} value
   */
  add(key, time, value) {
    const trace = this.#traces.get(key);
    if (!trace) return;
    const { times, values } = trace;
    // Time was set back: what was after it has not happened.
    while (times.length > 0 && times[times.length - 1] >= time) {
      times.pop();
      values.pop();
    }
    times.push(time);
    values.push(value);
    const tooOld = times.findIndex((at) => at >= time - KEPT_SECS);
    if (tooOld > 0) {
      times.splice(0, tooOld);
      values.splice(0, tooOld);
    }
    this.version += 1;
  }

  #changed() {
    this.version += 1;
    this.dispatchEvent(new Event("change"));
  }
}
