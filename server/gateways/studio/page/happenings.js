// What happened when, for the timeline: asked of the board, kept, and thinned out where there is much of it.

import { isForbidden } from "./board.js";
import { readWords } from "./words.js";

/**
 * @typedef {object} Happening
 * @property {number} tick
 * @property {string} kind
 * @property {string} text
 *
 * @typedef {object} Parts
 * @property {import("./board.js").Board} board
 * @property {import("./world.js").World} world
 */

/** The kinds that have a switch, by their names; the last two are many. @type {[string, string][]} */
export const KINDS = [
  ["difference", "differences from the recording"],
  ["goal", "goals"], ["fault", "faults"], ["fork", "forks"], ["announcement", "announcements"],
  ["robot", "robots that came or went"], ["contact", "contacts"], ["message", "messages"],
];
/** Of these so many are kept over the whole timeline. */
const MANY = new Set(["contact", "message"]);
const MOST_OF_MANY = 400;
/** How often a live world is asked, ms. */
const ASK_MS = 1000;
/** Asked for once more, seconds: the recorder may have been behind. */
const OVERLAP_SECS = 2;

/** It dispatches "change" when something has happened. */
export class Happenings extends EventTarget {
  #parts;
  /** @type {Map<string, Happening[]>} By kind, oldest first. */
  #kinds = new Map();
  /** @type {Set<string>} */
  #known = new Set();
  #since = 0;
  #isAsking = false;
  /** Whether nothing was asked on this connection yet: how much there is, its first status tells. */
  #isNew = true;
  /** Why this page may not ask, for people; empty if it may. */
  refused = "";

  /** @param {Parts} parts */
  constructor(parts) {
    super();
    this.#parts = parts;
    setInterval(() => {
      if (!document.hidden && !parts.world.status.replay) void this.ask();
    }, ASK_MS);
  }

  /** A connection was made. */
  begin() {
    this.#kinds.clear();
    this.#known.clear();
    this.#since = 0;
    this.#isAsking = false;
    this.#isNew = true;
    this.refused = "";
    // What was listed may be another world's.
    this.dispatchEvent(new Event("change"));
  }

  /** A status came: the first one of a connection lets all be asked. */
  heardStatus() {
    if (!this.#isNew) return;
    this.#isNew = false;
    void this.ask();
  }

  /** Asks for what is new. */
  async ask() {
    const { board, world } = this.#parts;
    const { hello } = world;
    if (this.#isAsking || this.#isNew || this.refused || !hello) return;
    this.#isAsking = true;
    const every = this.#every();
    const answer = await board.ask(`TIMELINE since=${this.#since} every=${every}`, { isQuiet: true });
    const { ok, head, lines, message } = answer;
    // Another connection may have been made meanwhile.
    if (world.hello !== hello) return;
    this.#isAsking = false;
    if (isForbidden(answer)) {
      this.refused = message;
      this.dispatchEvent(new Event("change"));
    }
    if (!ok) return;
    const { now, oldest } = readWords(head).fields;
    this.#since = Math.max(0, Number(now) - Math.round(OVERLAP_SECS / hello.dt_secs));
    let isNew = this.#forget(Number(oldest));
    for (const line of lines) {
      const { words: [tick, kind, text] } = readWords(line);
      isNew = this.#keep({ tick: Number(tick), kind, text }, every) || isNew;
    }
    if (isNew) this.dispatchEvent(new Event("change"));
  }

  /**
   * All of these kinds, oldest first of each.
   * @param {string} kind one of `KINDS`
   */
  of(kind) {
    return this.#kinds.get(kind) ?? [];
  }

  /**
   * The ticks that one goes to from one to the next: what is many only if nothing else is chosen.
   * @param {string[]} kinds
   */
  ticks(kinds) {
    const few = kinds.filter((kind) => !MANY.has(kind));
    const chosen = few.length > 0 ? few : kinds;
    return [...new Set(chosen.flatMap((kind) => this.of(kind).map(({ tick }) => tick)))].sort((a, b) => a - b);
  }

  #every() {
    const { oldest, newest } = this.#parts.world.status;
    return Math.max(1, Math.ceil((newest - oldest) / MOST_OF_MANY));
  }

  /**
   * @param {Happening} happening
   * @param {number} every
   */
  #keep(happening, every) {
    const { tick, kind, text } = happening;
    const group = kind.startsWith("robot-") ? "robot" : kind === "divergence" ? "difference" : kind;
    let list = this.#kinds.get(group);
    if (!list) this.#kinds.set(group, (list = []));
    const last = list.at(-1);
    if (MANY.has(group)) {
      if (last && tick < last.tick + every) return false;
      list.push(happening);
      return true;
    }
    const key = `${tick} ${kind} ${text}`;
    if (this.#known.has(key)) return false;
    this.#known.add(key);
    list.push(happening);
    if (last && tick < last.tick) list.sort((a, b) => a.tick - b.tick);
    return true;
  }

  /** What lies before all ticks that can be had is no use. @param {number} oldest */
  #forget(oldest) {
    let isAny = false;
    for (const list of this.#kinds.values()) {
      while (list.length > 0 && list[0].tick < oldest) {
        const { tick, kind, text } = /** @type {Happening} */ (list.shift());
        this.#known.delete(`${tick} ${kind} ${text}`);
        isAny = true;
      }
    }
    return isAny;
  }
}
