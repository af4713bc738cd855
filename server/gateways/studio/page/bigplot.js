// A plot in a window of its own: larger, over a longer time, and as a file.

import { button, field, make } from "./dom.js";
import { save, saveCanvas } from "./files.js";
import { Plot } from "./plot.js";
import { inUnit } from "./plotframe.js";
import { KEPT_SECS, SHOWN_SECS } from "./traces.js";

/** @typedef {import("./traces.js").Trace} Trace */

const HEIGHT = 420;
/** How often it is drawn anew, ms. */
const TICK_MS = 100;

/**
 * Opens the window.
 * @param {string} unit
 * @param {string} title whose values they are
 * @param {() => Trace[]} traces those of that unit, as they are now
 * @param {() => number | null} at the tick of the past that is looked at, simulated seconds
 */
export function enlarge(unit, title, traces, at) {
  const plot = new Plot(unit, HEIGHT);
  plot.title = title;
  const range = make("select", { id: "plot-range" }, ...[SHOWN_SECS, 120, KEPT_SECS].map((secs) => new Option(`the last ${secs} s`, String(secs))));
  const show = () => {
    plot.secs = Number(range.value);
    plot.at = at();
    plot.show(traces());
  };
  const name = () => `plot-${traces().map(({ label }) => label.replaceAll(/\W+/g, "-")).join("+").slice(0, 60)}`;
  const dialog = make("dialog", { class: "wide", "aria-label": "Plot" },
    make("div", { class: "row wrap" }, field("Shows", range),
      button("PNG", () => saveCanvas(plot.canvas, `${name()}.png`), { title: "Save the picture" }),
      button("CSV", () => save(csv(traces()), `${name()}.csv`, "text/csv"), { title: "Save all values that are kept" }),
      button("Close", () => dialog.close())),
    plot.element);
  document.body.append(dialog);
  const timer = setInterval(show, TICK_MS);
  range.addEventListener("change", show);
  dialog.addEventListener("close", () => {
    clearInterval(timer);
    dialog.remove();
  });
  dialog.showModal();
  show();
}

/**
 * All samples: a line for each instant, a column for each value; empty where it was not sampled then.
 * @param {Trace[]} traces
 */
export function csv(traces) {
  /** @type {Map<number, string[]>} */
  const rows = new Map();
  traces.forEach(({ times, values }, column) => times.forEach((time, at) => {
    let row = rows.get(time);
    if (!row) rows.set(time, (row = traces.map(() => "")));
    row[column] = Number.isFinite(values[at]) ? String(values[at]) : "";
  }));
  const head = ["time_s", ...traces.map(({ label, unit }) => `"${label}${inUnit(unit)}"`)];
  const lines = [...rows].sort(([a], [b]) => a - b).map(([time, row]) => [time.toFixed(4), ...row].join(","));
  return [head.join(","), ...lines, ""].join("\n");
}
