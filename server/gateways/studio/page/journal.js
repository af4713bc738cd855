// The section that tells in words what happened, newest first: what players said, what the referee decided. A press goes there.

import { button, field, make, write } from "./dom.js";

/**
 * @typedef {object} Parts
 * @property {import("./happenings.js").Happenings} happenings
 * @property {import("./world.js").World} world
 * @property {import("./playhead.js").Playhead} playhead
 */

/** Of what is found so many lines are shown. */
const MOST_LINES = 40;
const KINDS = ["difference", "goal", "fault", "fork", "announcement", "robot", "message"];

export class Journal {
  #parts;
  #search = make("input", { id: "journal-search", type: "text", autocomplete: "off", placeholder: "a robot, a word" });
  #list = make("ol", { class: "radio", "aria-label": "What happened, newest first", tabindex: "0" });
  /** Why no other tick can be shown; empty if it can. */
  #refused = "";
  #count = make("p", { class: "quiet", role: "status" });
  element = make("div", {}, field("Search", this.#search), this.#count, this.#list);

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#search.addEventListener("input", () => this.#show());
    // Shown again, it has missed what happened meanwhile.
    new IntersectionObserver(() => this.#show()).observe(this.element);
    parts.happenings.addEventListener("change", () => this.#show());
  }

  /** @param {string} refused why nobody can go anywhere from here; empty if one can */
  allow(refused) {
    this.#refused = refused;
    for (const time of this.#list.querySelectorAll("button")) this.#allow(time);
  }

  /** @param {HTMLButtonElement} time */
  #allow(time) {
    time.disabled = this.#refused !== "";
    time.title = this.#refused || "Go there";
  }

  #show() {
    // What is closed is not built.
    if (!this.element.checkVisibility()) return;
    const { happenings } = this.#parts;
    const words = this.#search.value.trim().toLowerCase();
    const all = KINDS.flatMap((kind) => happenings.of(kind)).filter(({ kind, text }) => words === "" || `${kind} ${text}`.toLowerCase().includes(words));
    all.sort((a, b) => b.tick - a.tick);
    const shown = all.slice(0, MOST_LINES);
    write(this.#count, happenings.refused ? happenings.refused : all.length > MOST_LINES ? `${all.length} found; the last ${MOST_LINES} are shown` : `${all.length} found`);
    // Who is about to press something here shall find it where it is.
    const isHeld = shown.length > 0 && this.#list.contains(document.activeElement) && document.activeElement !== this.#list;
    if (!isHeld) this.#list.replaceChildren(...shown.map((happening) => this.#line(happening)));
  }

  /** @param {import("./happenings.js").Happening} happening */
  #line({ tick, kind, text }) {
    const { world, playhead } = this.#parts;
    const time = button(`${(tick * (world.hello?.dt_secs ?? 0)).toFixed(2)} s`, () => playhead.goTo(tick), { class: "value" });
    this.#allow(time);
    return make("li", {}, time,
      make("span", { class: "quiet" }, ` ${kind} `), text);
  }
}
