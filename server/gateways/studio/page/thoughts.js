// What the chosen robot publishes about itself, as a tree, with a switch for each layer of drawings.

import { make, write } from "./dom.js";
import { toggleSwitch } from "./inspect.js";
import { number } from "./plot.js";

/** Longer lists are cut off. */
const MOST_ENTRIES = 200;

export class Thoughts {
  #layers;
  #robot = make("div");
  #none = make("p", { class: "quiet" }, "It publishes nothing.");
  #tree = make("ul", { class: "tree" });
  #search = make("input", { id: "tree-search", type: "text", autocomplete: "off", placeholder: "a name, a value", "aria-label": "Search annotations" });
  element = make("div", {}, this.#none, this.#robot, this.#search, this.#tree);
  /** @type {Set<string>} The paths that are open. */
  #open = new Set();
  #id = -1;
  /** @type {unknown} */
  #shown = null;

  /** @param {import("./layers.js").Layers} layers */
  constructor(layers) {
    this.#layers = layers;
    this.#search.addEventListener("input", () => (this.#shown = null));
  }

  /** @param {number} id @param {string} name */
  begin(id, name) {
    this.#id = id;
    this.#shown = null;
    this.#robot.replaceChildren(toggleSwitch(`Draw what ${name} thinks`, "Draw for this robot", this.#layers.hasRobot(id),
      (isOn) => this.#layers.setRobot(id, isOn)));
    this.show(undefined);
  }

  /** @param {Record<string, unknown> | undefined} values */
  show(values) {
    if (this.#shown === values && values !== undefined) return;
    // Who is about to press something here shall find it where it is.
    this.#shown = values;
    const all = Object.entries(values ?? {});
    const words = this.#search.value.trim().toLowerCase();
    const entries = all.filter(([key, value]) => words === "" || `${key} ${JSON.stringify(value)}`.toLowerCase().includes(words));
    this.#none.hidden = all.length > 0;
    this.#robot.hidden = this.#search.hidden = all.length === 0;
    const rows = new Map([...this.#tree.children].map((row) => [row.getAttribute("data-key"), row]));
    const kept = new Set(entries.map(([key]) => key));
    for (const [key, row] of rows) if (!kept.has(key ?? "")) row.remove();
    entries.forEach(([key, value], at) => {
      let row = rows.get(key);
      if (!row) {
        const layer = isDrawing(value) ? [toggleSwitch(`Draw layer ${key} of all robots`, "", this.#layers.hasKey(key),
          (isOn) => this.#layers.setKey(key, isOn))] : [];
        row = make("li", { "data-key": key }, make("div", { class: "branch" }), ...layer);
      }
      if (this.#tree.children[at] !== row) this.#tree.insertBefore(row, this.#tree.children[at] ?? null);
      const branch = /** @type {HTMLElement} */ (row.firstElementChild);
      this.#branch(branch, key, value, `${this.#id}/${key}`);
    });
  }

  /**
   * Shows a value in an element, which keeps what has not changed.
   * @param {HTMLElement} place
   * @param {string} name
   * @param {unknown} value
   * @param {string} path
   */
  #branch(place, name, value, path) {
    const entries = entriesOf(value);
    if (!entries || entries.length === 0) {
      if (place.firstElementChild?.tagName !== "SPAN") {
        place.replaceChildren(make("span", { class: "key" }, name), " ", make("span", { class: "leaf" }));
      }
      write(/** @type {HTMLElement} */ (place.lastElementChild), entries ? (Array.isArray(value) ? "[]" : "{}") : leaf(value));
      return;
    }
    let details = place.querySelector(":scope > details");
    if (!(details instanceof HTMLDetailsElement)) {
      const made = make("details", { open: this.#open.has(path) },
        make("summary", {}, make("span", { class: "key" }, name), " ", make("span", { class: "quiet" })), make("ul"));
      made.addEventListener("toggle", () => {
        if (made.open) this.#open.add(path);
        else this.#open.delete(path);
        // What is closed is not built.
        this.#shown = null;
      });
      place.replaceChildren(made);
      details = made;
    }
    const [summary, list] = details.children;
    write(/** @type {HTMLElement} */ (summary.lastElementChild), Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`);
    if (!this.#open.has(path)) {
      list.replaceChildren();
      return;
    }
    const shown = entries.slice(0, MOST_ENTRIES);
    while (list.children.length > shown.length) list.lastElementChild?.remove();
    shown.forEach(([key, child], at) => {
      const item = list.children[at] ?? list.appendChild(make("li", {}, make("div", { class: "branch" })));
      const branch = /** @type {HTMLElement} */ (item.firstElementChild);
      if (branch.dataset.key !== key) branch.replaceChildren();
      branch.dataset.key = key;
      this.#branch(branch, key, child, `${path}/${key}`);
    });
  }
}

/** What is in a list or an object; null for a plain value. @param {unknown} value */
function entriesOf(value) {
  return typeof value === "object" && value !== null ? Object.entries(value) : null;
}

/** @param {unknown} value */
function leaf(value) {
  return typeof value === "number" ? number(value) : String(value);
}

/** Whether docs/annotations.md knows a drawing in it. @param {unknown} value @returns {boolean} */
function isDrawing(value) {
  if (Array.isArray(value)) return value.some(isDrawing);
  if (typeof value !== "object" || value === null) return false;
  return ["point", "points", "line", "polygon", "circle", "pose", "poses", "text"].some((key) => key in value);
}
