// What the server can show in place of what it shows: worlds and recordings, by their names, for operators.

import { button, field, make, write } from "./dom.js";
import { sureButton } from "./sure.js";
import { quote, readWords } from "./words.js";

/** @typedef {{ board: import("./board.js").Board }} Parts */

export class Opening {
  #board;
  /** @type {HTMLSelectElement} */
  #titles = make("select", { id: "titles" });
  #open = sureButton("Open", () => void this.#choose(), { id: "open-title" });
  #again = button("What is there now", () => void this.begin(), { id: "list-titles" });
  #said = make("p", { class: "quiet", role: "status" });
  #refused = "";
  element;

  /** @param {Parts} parts */
  constructor({ board }) {
    this.#board = board;
    this.element = make("div", { class: "opening" },
      field("World or recording", this.#titles, "For all who watch: the match that is on ends."),
      make("div", { class: "row wrap" }, this.#open.element, this.#again), this.#said);
    this.element.hidden = true;
    this.#show([]);
  }

  /** @param {string} refused why nothing may be opened here; empty if it may */
  allow(refused) {
    this.#refused = refused;
    const off = refused !== "" || this.#titles.options.length === 0;
    for (const control of [this.#titles, this.#open.element, this.#again]) {
      control.disabled = control === this.#again ? refused !== "" : off;
      control.title = refused;
    }
  }

  /** Asks what can be opened. */
  async begin() {
    const { ok, lines, message } = await this.#board.ask("OPEN", { isQuiet: true });
    const titles = lines.map((line) => readWords(line));
    this.#show(ok ? titles.map(({ word, words: [name] }) => [word, name]) : []);
    write(this.#said, ok ? "" : message);
    // Who is no operator is not told what there is, and some servers open nothing.
    this.element.hidden = !ok;
  }

  /** @param {string[][]} titles kind and name of each */
  #show(titles) {
    const chosen = this.#titles.value;
    const groups = [["WORLD", "Worlds"], ["RECORDING", "Recordings"]].map(([kind, label]) => {
      const names = titles.filter(([of]) => of === kind).map(([, name]) => name);
      return make("optgroup", { label }, ...names.map((name) => new Option(name, `${kind.toLowerCase()} ${quote(name)}`)));
    });
    this.#titles.replaceChildren(...groups.filter((group) => group.childElementCount > 0));
    if ([...this.#titles.options].some(({ value }) => value === chosen)) this.#titles.value = chosen;
    this.allow(this.#refused);
  }

  async #choose() {
    write(this.#said, "Opening …");
    const { ok, message } = await this.#board.ask(`OPEN ${this.#titles.value}`, { isQuiet: true });
    // The page comes back with what was opened; until then it says that it is gone.
    write(this.#said, ok ? "" : message);
  }
}
