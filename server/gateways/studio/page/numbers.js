// A field of many numbers as a table in a window of its own: read, searched, and saved.

import { button, make } from "./dom.js";
import { save } from "./files.js";
import { number } from "./plot.js";

/**
 * Opens the window, with the numbers as they are now.
 * @param {string} title
 * @param {number[]} shape height and width, or a length
 * @param {string} unit
 * @param {() => ArrayLike<number>} values
 */
export function showTable(title, shape, unit, values) {
  const columns = shape.length > 1 ? shape[shape.length - 1] : 1;
  const body = make("tbody");
  const fill = () => {
    const all = values();
    const rows = Math.ceil(all.length / columns);
    body.replaceChildren(...Array.from({ length: rows }, (_, row) => make("tr", {}, make("th", { scope: "row" }, String(row)),
      ...Array.from({ length: columns }, (_, column) => make("td", {}, number(all[row * columns + column]))))));
  };
  const text = () => {
    const all = Array.from(values());
    const rows = Array.from({ length: Math.ceil(all.length / columns) }, (_, row) => [row, ...all.slice(row * columns, (row + 1) * columns)].join(","));
    return [["index", ...columnNames(columns, unit)].join(","), ...rows, ""].join("\n");
  };
  const dialog = make("dialog", { class: "wide", "aria-label": title },
    make("h2", {}, title),
    make("div", { class: "row wrap" }, button("Read again", fill), button("CSV", () => save(text(), `${title.replaceAll(/\W+/g, "-")}.csv`, "text/csv")),
      button("Close", () => dialog.close())),
    make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Values" },
      make("table", { class: "numbers" }, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "index"),
        ...columnNames(columns, unit).map((name) => make("th", { scope: "col" }, name)))), body)));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  fill();
  dialog.showModal();
}

/** @param {number} columns @param {string} unit */
function columnNames(columns, unit) {
  const plain = unit === "1" || unit === "" ? "value" : unit;
  return columns === 1 ? [plain] : Array.from({ length: columns }, (_, at) => `${at} (${plain})`);
}
