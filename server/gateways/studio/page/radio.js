// The chosen robot's radio: what it heard and what it said, newest first. HEAR, asked for while it is seen.

import { make } from "./dom.js";
import { readWords } from "./words.js";

/** @typedef {{ number: number, step: number, name: string, text: string, isOwn: boolean }} Heard */

const MOST_MESSAGES = 30;

export class Radio {
  #board;
  #world;
  #none = make("p", { class: "quiet" }, "Nothing yet.");
  #list = make("ol", { class: "radio", "aria-label": "Radio messages, newest first", tabindex: "0" });
  element = make("div", {}, this.#none, this.#list);
  #id = -1;
  #since = 0;
  /** The world's cuts when it was asked for last. */
  #cuts = -1;
  #isAsking = false;
  /** @type {Heard[]} Oldest first. */
  #messages = [];

  /**
   * @param {import("./board.js").Board} board
   * @param {import("./world.js").World} world
   */
  constructor(board, world) {
    this.#board = board;
    this.#world = world;
  }

  /** @param {number} id */
  begin(id) {
    this.#id = id;
    this.#clear();
  }

  /** Asks once, unless an answer is still to come. */
  async ask() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const id = this.#id;
    // After a reset, a fork or a look at the past what was said before has not been.
    const isAnew = this.#world.cuts !== this.#cuts;
    this.#cuts = this.#world.cuts;
    if (isAnew) [this.#since, this.#messages] = [0, []];
    const since = this.#since;
    const ask = (/** @type {string} */ which) => this.#board.ask(`HEAR ${id} since=${since}${which}`, { isQuiet: true });
    const answers = await Promise.all([ask(""), ask(" said=1")]);
    this.#isAsking = false;
    const [heard, said] = answers;
    if (!heard.ok || !said.ok || id !== this.#id) return;
    // The two answers may be of two steps: what came between them comes again.
    const next = Math.min(...answers.map(({ head }) => Number(readWords(head).fields.next)));
    // Time was set back: these messages have not been sent.
    if (next < since) {
      this.#clear();
      return;
    }
    this.#since = next;
    const fresh = [...read(heard.lines, false), ...read(said.lines, true)].filter(({ number }) => number < next);
    if (fresh.length === 0 && !isAnew) return;
    this.#messages.push(...fresh);
    this.#messages.sort((a, b) => a.number - b.number);
    this.#messages = this.#messages.slice(-MOST_MESSAGES);
    this.#show();
  }

  #clear() {
    this.#since = 0;
    this.#messages = [];
    this.#show();
  }

  #show() {
    this.#none.hidden = this.#messages.length > 0;
    const dt = this.#world.hello?.dt_secs ?? 0;
    this.#list.replaceChildren(...this.#messages.toReversed().map(({ step, name, text, isOwn }) => make("li", isOwn ? { class: "own" } : {},
      make("span", { class: "quiet" }, `${(step * dt).toFixed(2)} s · ${isOwn ? "said" : name}`), " ", text)));
  }
}

/**
 * @param {string[]} lines
 * @param {boolean} isOwn
 * @returns {Heard[]}
 */
function read(lines, isOwn) {
  return lines.map((line) => {
    const { words: [number, text = ""], fields: { step, name = "" } } = readWords(line);
    return { number: Number(number), step: Number(step), name, text, isOwn };
  });
}
