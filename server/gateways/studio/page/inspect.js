// Small parts that the inspector's sections share.

import { button, make, write } from "./dom.js";
import { number } from "./plot.js";

/**
 * A switch with a name.
 * @param {string} label for those who hear it
 * @param {string} text beside it
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} change
 */
export function toggleSwitch(label, text, isOn, change) {
  const made = button(text, () => {
    const next = made.getAttribute("aria-checked") !== "true";
    made.setAttribute("aria-checked", String(next));
    change(next);
  }, { class: "switch", role: "switch", "aria-checked": String(isOn), "aria-label": label });
  return made;
}

/**
 * A value that is plotted by a press.
 * @param {import("./traces.js").Traces} traces
 * @param {string} key
 * @param {string} label
 * @param {string} unit
 */
export function liveValue(traces, key, label, unit) {
  const shownUnit = unit === "1" ? "" : ` ${unit}`;
  const value = make("span", {}, "–");
  const made = button("", () => traces.toggle(key, label, unit), { class: "value", title: "Plot over time" });
  made.append(make("span", { class: "hidden" }, `${label} `), value);
  const mark = () => {
    const trace = traces.all.find((trace) => trace.key === key);
    made.setAttribute("aria-pressed", String(Boolean(trace)));
    made.style.setProperty("--trace", trace?.colour ?? "transparent");
  };
  mark();
  return {
    element: made,
    mark,
    /** @param {number} now */
    show(now) {
      write(value, Number.isNaN(now) ? "–" : `${number(now)}${Number.isFinite(now) ? shownUnit : ""}`);
    },
  };
}

/** @typedef {ReturnType<typeof liveValue>} LiveValue */

/**
 * A part of the inspector, which opens and closes.
 * @param {string} title
 * @param {boolean} isOpen
 * @param {...(Node | string)} content
 */
export function part(title, isOpen, ...content) {
  return make("details", { class: "part", open: isOpen }, make("summary", {}, make("h3", {}, title)), ...content);
}
