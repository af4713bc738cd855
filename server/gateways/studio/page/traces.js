// The values of the chosen robot over time: all that came is kept for a while, so that a plot begins with what is known.

/** How much is kept, simulated seconds. */
export const KEPT_SECS = 300;
/** How much a plot shows, unless it is enlarged, simulated seconds. */
export const SHOWN_SECS = 30;
/** Of more values nothing is kept before they are chosen. */
const MOST_KNOWN = 200;
/** What is too old is taken off in so large parts, samples. */
const OLD_PART = 100;
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

/** Dispatches "change" when another value is chosen, and "full" when one cannot be, because there are as many as a plot can show. */
export class Traces extends EventTarget {
  /** @type {Map<string, Trace>} */
  #traces = new Map();
  /** Samples of all values, chosen or not. @type {Map<string, { times: number[], values: number[] }>} */
  #known = new Map();
  /** What else is known of a value, as [time, value]. */
  earlier = (/** @type {string} */ _key) => /** @type {[number, number][]} */ ([]);
  /** Whether a sample is of what happens, rather than of a private look at the past. */
  isNow = (/** @type {number} */ _time) => true;
  /** Counts up with each sample. */
  version = 0;
  /** How many times the world had been reset when the samples were made. */
  #run = 0;

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
      if (this.#traces.size >= MOST_TRACES) {
        this.dispatchEvent(new Event("full"));
        return;
      }
      const used = new Set(this.all.map(({ colour }) => colour));
      const colour = COLOURS.find((colour) => !used.has(colour)) ?? COLOURS[0];
      const known = this.#samples(key);
      const first = known.times[0] ?? Infinity;
      const earlier = this.earlier(key).filter(([time]) => time < first);
      known.times.unshift(...earlier.map(([time]) => time));
      known.values.unshift(...earlier.map(([, value]) => value));
      this.#traces.set(key, { key, label, unit, colour, ...known });
    }
    this.#changed();
  }

  /** Another robot is looked at. */
  clear() {
    this.#known.clear();
    if (this.#traces.size === 0) return;
    this.#traces.clear();
    this.#changed();
  }

  /** Of another run, after a reset, nothing is known yet. @param {number} run */
  begin(run) {
    if (run === this.#run) return;
    this.#run = run;
    for (const { times, values } of this.#known.values()) times.length = values.length = 0;
    this.version += 1;
  }

  /**
   * A value at a tick.
   * @param {string} key
   * @param {number} time simulated seconds
   * @param {number} value
   */
  add(key, time, value) {
    if (!this.isNow(time) || (!this.#known.has(key) && this.#known.size >= MOST_KNOWN)) return;
    const { times, values } = this.#samples(key);
    if (times.at(-1) === time && values.at(-1) === value) return;
    // Time was set back: what was after it has not happened.
    while (times.length > 0 && times[times.length - 1] >= time) {
      times.pop();
      values.pop();
    }
    times.push(time);
    values.push(value);
    if (times[OLD_PART] < time - KEPT_SECS) {
      times.splice(0, OLD_PART);
      values.splice(0, OLD_PART);
    }
    this.version += 1;
  }

  /** @param {string} key */
  #samples(key) {
    let known = this.#known.get(key);
    if (!known) this.#known.set(key, (known = { times: [], values: [] }));
    return known;
  }

  #changed() {
    this.version += 1;
    this.dispatchEvent(new Event("change"));
  }
}
