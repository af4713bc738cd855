// A plot of a few lines over time: axes with round numbers, a unit, and the values under the pointer.

import { make, write } from "./dom.js";
import { dashOf, drawFrame } from "./plotframe.js";
import { SHOWN_SECS } from "./traces.js";

/** @typedef {import("./traces.js").Trace} Trace */

/** Unless it is enlarged, pixels. */
const PLAIN_HEIGHT = 132;
const EDGES = { left: 44, right: 8, top: 8, bottom: 18 };
/** The name of the axis stands left of its numbers. */
const FRAMED_LEFT = 64;
/** Samples further apart than this are not joined, seconds. */
const GAP_SECS = 1;

/** Steps of 1, 2 or 5 times a power of ten: about so many between two values. @param {number} low @param {number} high @param {number} count */
export function ticks(low, high, count) {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= raw) ?? 10);
  const all = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9 * step; at += 1) all.push(at * step);
  return { step, all };
}

/** One plot: all lines of one unit. */
export class Plot {
  #unit;
  #canvas;
  #height;
  /** How much is shown, simulated seconds. */
  secs = SHOWN_SECS;
  /** What stands over it, of a plot that stands for itself and is saved: with it come a legend and the axes' names. */
  title = "";
  /** The tick of the past that is looked at, simulated seconds; null if that is now. @type {number | null} */
  at = null;
  /** Where the plot's lines are within the canvas, pixels. */
  #edges = EDGES;
  #readout = make("p", { class: "readout", "aria-live": "off" });
  /** @type {Trace[]} */
  #traces = [];
  /** Where the pointer is, a part of the width; null if it is elsewhere. @type {number | null} */
  #pointer = null;
  element;

  /** @param {string} unit @param {number} [height] pixels */
  constructor(unit, height = PLAIN_HEIGHT) {
    this.#unit = unit;
    this.#height = height;
    // It has a name before the first values come.
    this.#canvas = make("canvas", { class: "plot", tabindex: "0", role: "img", "aria-label": "Plot without values yet" });
    this.#canvas.style.height = `${height}px`;
    this.element = make("figure", {}, this.#canvas, this.#readout);
    this.#canvas.addEventListener("pointermove", (event) => this.#point(event.offsetX / this.#canvas.clientWidth));
    this.#canvas.addEventListener("pointerleave", () => this.#point(null));
    this.#canvas.addEventListener("blur", () => this.#point(null));
    this.#canvas.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
      if (!step) return;
      // Otherwise it would move the field.
      event.stopPropagation();
      event.preventDefault();
      this.#point(Math.min(1, Math.max(0, (this.#pointer ?? 1) + step)));
    });
  }

  /** @param {Trace[]} traces */
  show(traces) {
    this.#traces = traces;
    const names = traces.map(({ label }) => label).join(", ");
    const label = `${names} over the last ${this.secs} seconds${this.#unit ? `, in ${this.#unit}` : ""}. Left and right read values.`;
    if (this.#canvas.getAttribute("aria-label") !== label) this.#canvas.setAttribute("aria-label", label);
    if (this.#canvas.checkVisibility()) this.#draw();
  }

  /** The picture as it stands. */
  get canvas() {
    return this.#canvas;
  }

  /** @param {number | null} pointer */
  #point(pointer) {
    this.#pointer = pointer;
    this.#draw();
  }

  #draw() {
    const canvas = this.#canvas;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, this.#height];
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    const context = canvas.getContext("2d");
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const style = getComputedStyle(document.documentElement);
    const [quiet, edge, text, ground] = ["--quiet", "--edge", "--text", "--panel"].map((name) => style.getPropertyValue(name));
    this.#edges = EDGES;
    if (this.title) {
      const whole = { width, height, title: this.title, unit: this.#unit, traces: this.#traces, left: FRAMED_LEFT };
      const { above, below } = drawFrame(context, whole, { ground, text, quiet });
      this.#edges = { ...EDGES, left: FRAMED_LEFT, top: above, bottom: EDGES.bottom + below };
    }
    const edges = this.#edges;
    const newest = this.#newest();
    const oldest = newest - this.secs;
    const [low, high] = bounds(this.#traces, oldest, newest);
    const right = width - edges.right;
    const bottom = height - edges.bottom;
    const toX = (/** @type {number} */ t) => edges.left + ((t - oldest) / this.secs) * (right - edges.left);
    const toY = (/** @type {number} */ v) => bottom - ((v - low) / (high - low)) * (bottom - edges.top);

    context.font = "11px system-ui, sans-serif";
    context.fillStyle = quiet;
    context.strokeStyle = edge;
    context.lineWidth = 1;
    context.textBaseline = "middle";
    context.textAlign = "right";
    const { step, all } = ticks(low, high, 4);
    const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
    for (const value of all) {
      line(context, edges.left, toY(value), right, toY(value));
      context.fillText(value.toFixed(digits).replace("-", "−"), edges.left - 5, toY(value));
    }
    context.textAlign = "center";
    const below = bottom + 11;
    if (this.title) {
      for (const time of ticks(Math.max(0, oldest), Math.max(1e-3, newest), 6).all) {
        line(context, toX(time), edges.top, toX(time), bottom);
        context.fillText(String(Number(time.toFixed(3))), Math.min(toX(time), right - 8), below);
      }
    } else {
      for (const back of ticks(0, this.secs, 3).all.slice(1)) {
        line(context, toX(newest - back), edges.top, toX(newest - back), bottom);
        if (back < this.secs) context.fillText(`−${back} s`, toX(newest - back), below);
      }
      context.textAlign = "right";
      // Who looks at the past sees here when it ends, and not now.
      context.fillText(this.at === null ? "now" : `${newest.toFixed(1)} s`, right, below);
      context.textAlign = "left";
      context.fillText(this.#unit === "1" ? "" : this.#unit, 2, below);
    }

    context.save();
    context.beginPath();
    context.rect(edges.left, 0, right - edges.left, height);
    context.clip();
    this.#traces.forEach((trace, at) => drawTrace(context, trace, dashOf(at), oldest, toX, toY));
    context.restore();
    if (this.at !== null && this.at >= oldest && this.at <= newest) {
      context.strokeStyle = style.getPropertyValue("--past");
      context.lineWidth = 2;
      line(context, toX(this.at), edges.top, toX(this.at), bottom);
      context.lineWidth = 1;
    }
    this.#read(context, oldest + this.secs * part(this.#pointer, width, edges), newest, toX, toY, text);
  }

  /** The time at the right edge: the newest that is known, unless what is looked at lies so far back that it would not be seen. */
  #newest() {
    const newest = this.#traces.reduce((latest, { times }) => Math.max(latest, times.at(-1) ?? 0), 0);
    return this.at === null || this.at >= newest - this.secs ? newest : this.at + this.secs / 2;
  }

  /**
   * Writes the values at a tick, or the newest ones.
   * @param {CanvasRenderingContext2D} context
   * @param {number} tick
   * @param {number} newest
   * @param {(t: number) => number} toX
   * @param {(v: number) => number} toY
   * @param {string} ink
   */
  #read(context, tick, newest, toX, toY, ink) {
    if (this.#pointer === null) {
      write(this.#readout, "");
      return;
    }
    const parts = [];
    let shown = tick;
    for (const { label, colour, times, values } of this.#traces) {
      const at = nearest(times, tick);
      if (at < 0) continue;
      shown = times[at];
      parts.push(`${label} ${number(values[at])}`);
      if (!Number.isFinite(values[at])) continue;
      context.fillStyle = colour;
      context.beginPath();
      context.arc(toX(times[at]), toY(values[at]), 3.5, 0, 2 * Math.PI);
      context.fill();
    }
    context.strokeStyle = ink;
    context.globalAlpha = 0.5;
    line(context, toX(shown), this.#edges.top, toX(shown), this.#height - this.#edges.bottom);
    context.globalAlpha = 1;
    const unit = this.#unit === "1" || !this.#unit ? "" : ` ${this.#unit}`;
    write(this.#readout, parts.length > 0 ? `${(shown - newest).toFixed(2).replace("-", "−")} s: ${parts.join(", ")}${unit}` : "");
  }
}

/** A place on the canvas as a part of the axis. @param {number | null} pointer @param {number} width @param {typeof EDGES} edges */
function part(pointer, width, { left, right }) {
  const inside = width - left - right;
  return Math.min(1, Math.max(0, ((pointer ?? 1) * width - left) / inside));
}

/**
 * The lowest and highest value within a time, with some room.
 * @param {Trace[]} traces
 * @param {number} oldest
 * @param {number} newest
 * @returns {[number, number]}
 */
function bounds(traces, oldest, newest) {
  let [low, high] = [Infinity, -Infinity];
  for (const { times, values } of traces) {
    for (let at = Math.max(0, nearest(times, oldest)); at < values.length && times[at] <= newest; at += 1) {
      const value = values[at];
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) return [0, 1];
  const room = Math.max(0.06 * (high - low), 1e-3 * Math.max(Math.abs(low), Math.abs(high)), 1e-4);
  return [low - room, high + room];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Trace} trace
 * @param {number[]} dash
 * @param {number} oldest
 * @param {(t: number) => number} toX
 * @param {(v: number) => number} toY
 */
function drawTrace(context, { colour, times, values }, dash, oldest, toX, toY) {
  context.strokeStyle = colour;
  context.setLineDash(dash);
  context.lineWidth = 1.6;
  context.lineJoin = "round";
  context.beginPath();
  let isOpen = false;
  for (let at = 0; at < times.length; at += 1) {
    if (times[at] < oldest) continue;
    if (!Number.isFinite(values[at])) {
      isOpen = false;
      continue;
    }
    if (isOpen && times[at] - times[at - 1] <= GAP_SECS) context.lineTo(toX(times[at]), toY(values[at]));
    else context.moveTo(toX(times[at]), toY(values[at]));
    isOpen = true;
  }
  context.stroke();
  context.setLineDash([]);
}

/** @param {CanvasRenderingContext2D} context @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
function line(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

/** The sample nearest to a tick; -1 if there is none. @param {number[]} times @param {number} tick */
export function nearest(times, tick) {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < tick) low = middle + 1;
    else high = middle;
  }
  if (low > 0 && tick - times[low - 1] < times[low] - tick) low -= 1;
  return times.length === 0 ? -1 : low;
}

/** A value in few digits. @param {number} value */
export function number(value) {
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "too near";
  if (Number.isInteger(value)) return String(value).replace("-", "−");
  const digits = Math.abs(value) < 10 ? 3 : Math.abs(value) < 100 ? 2 : 1;
  // What is rounded to zero has no sign.
  return value.toFixed(digits).replace(/^-(?=0\.0+$)/, "").replace("-", "−");
}
