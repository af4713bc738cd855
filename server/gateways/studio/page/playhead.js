// Which tick is shown: now, a look at the past that concerns this page alone, or a place in a recording.

import { readWords } from "./words.js";

/**
 * @typedef {object} Parts
 * @property {import("./world.js").World} world
 * @property {import("./board.js").Board} board
 * @property {(text: string) => void} send says something to the server that is no line of the board
 * @property {(message: string) => void} refused told why a tick cannot be looked at
 */

/** Who asks for the bookmark before while time passes means not the one that he has just passed, seconds. */
const JUST_PASSED_SECS = 1;

/** It dispatches "change" when a look at the past begins or ends, or goes to another tick. */
export class Playhead extends EventTarget {
  #parts;
  /** The tick that this page alone looks at. @type {number | null} */
  #looking = null;
  /** The look that the server has not answered. @type {number | null} */
  #asked = null;
  /** What shall be looked at, or sought, next: of many ticks in a row only the last counts. @type {number | null} */
  #wanted = null;
  #isReturning = false;
  /** The place in a recording that is on its way. @type {number | null} */
  #seeking = null;
  /** The step of the first frame after the last status. @type {number | null} */
  #anchor = null;
  /** Why nothing else can be shown now; empty if it can. */
  #refused = "";

  /** @param {Parts} parts */
  constructor(parts) {
    super();
    this.#parts = parts;
  }

  /** @param {string} refused why no other tick can be shown; empty if it can */
  allow(refused) {
    this.#refused = refused;
  }

  /** Whether another tick can be shown; says otherwise why not. */
  #may() {
    if (this.#refused) this.#parts.refused(this.#refused);
    return this.#refused === "";
  }

  get isLooking() {
    return this.#looking !== null;
  }

  /** Whether a drag moves all pages' place in the recording, rather than what this page looks at. */
  get isSeeking() {
    const { status, hello } = this.#parts.world;
    return status.replay && hello?.role === "operator";
  }

  /** Whoever looks at the past for himself may let the world go on from there. */
  get canContinue() {
    const { status, hello } = this.#parts.world;
    return this.isLooking && !status.replay && hello?.role === "operator";
  }

  /** Where the world is; between two words of the server as far as its frames have come. */
  get now() {
    const { status, newest } = this.#parts.world;
    if (this.#anchor === null || !newest || this.isLooking || status.paused) return status.tick;
    const passed = newest.step - this.#anchor;
    // A world that was reset, or sought, tells so at its next status.
    const [least, most] = status.replay ? [-1000, 1000] : [0, 1000];
    const now = status.tick + (passed < least || passed > most ? 0 : passed);
    return status.replay ? Math.min(status.newest, Math.max(0, now)) : now;
  }

  /** The tick that is shown, or is about to be. */
  get shown() {
    return this.#wanted ?? this.#asked ?? this.#seeking ?? this.#looking ?? this.now;
  }

  /** The ticks that can be shown. @returns {[number, number]} */
  get range() {
    const { oldest, newest } = this.#parts.world.status;
    return [oldest, Math.max(newest, this.now, oldest + 1)];
  }

  /** A connection was made, and knows of nothing. */
  begin() {
    [this.#looking, this.#asked, this.#wanted, this.#seeking, this.#anchor] = [null, null, null, null, null];
    this.#isReturning = false;
    this.dispatchEvent(new Event("change"));
  }

  /** A status came; the frame that is sent with it comes after it. */
  heardStatus() {
    this.#anchor = null;
  }

  /** A frame came. @param {import("./protocol.js").Frame} frame */
  heardFrame({ step }) {
    if (!this.isLooking) this.#anchor ??= step;
  }

  /**
   * The server says what is shown.
   * @param {{ tick: number | null, reason: string | null }} message
   */
  heardLooking({ tick, reason }) {
    if (tick === null && reason === null) this.#isReturning = false;
    else if (this.#isReturning) return;
    if (reason) this.#parts.refused(reason);
    this.#asked = null;
    if (this.#looking !== tick) this.#anchor = null;
    this.#looking = tick;
    this.#next();
    this.dispatchEvent(new Event("change"));
  }

  /** Goes to a tick. @param {number} tick */
  goTo(tick) {
    if (!this.#may()) return;
    const { status } = this.#parts.world;
    const [oldest, newest] = this.range;
    const wanted = Math.round(Math.min(newest, Math.max(oldest, tick)));
    // The end of a live world's timeline is where it goes on.
    if (!status.replay && wanted >= newest) return this.toNow();
    this.#wanted = wanted;
    this.#next();
    this.dispatchEvent(new Event("change"));
  }

  /** Ends the look at the past. */
  toNow() {
    [this.#wanted, this.#seeking] = [null, null];
    if ((this.#looking === null && this.#asked === null) || !this.#may()) return;
    this.#asked = null;
    this.#looking = null;
    this.#isReturning = true;
    this.#anchor = null;
    this.#parts.send('{"look":null}');
    this.dispatchEvent(new Event("change"));
  }

  /** Lets the world go on from the tick that is looked at. */
  async continueHere() {
    if (!this.canContinue) return;
    const { ok } = await this.#parts.board.ask(`SEEK ${this.#looking}`);
    if (ok) this.toNow();
  }

  /** Shows the next step, or the last one; a live world makes the next one. @param {1 | -1} way */
  step(way) {
    const { status } = this.#parts.world;
    if (way > 0 && !this.isLooking) void this.#parts.board.ask("STEP");
    else {
      if (this.isSeeking && !status.paused) void this.#parts.board.ask("PAUSE");
      this.goTo(this.shown + way);
    }
  }

  /** Begins a recording anew if it has come to its end, or, backwards, from its end. */
  leaveEnd() {
    const { status } = this.#parts.world;
    if (!this.isSeeking || !status.paused) return;
    const isBackwards = typeof status.speed === "number" && status.speed < 0;
    if (isBackwards && status.tick <= status.oldest) this.goTo(status.newest);
    if (!isBackwards && status.tick >= status.newest) this.goTo(status.oldest);
  }

  /**
   * Goes to the next bookmark, or to the one before.
   * @param {1 | -1} way
   * @param {number[]} ticks of the bookmarks, in order
   */
  toBookmark(way, ticks) {
    const { status, hello } = this.#parts.world;
    const isPassing = !this.isLooking && !status.paused;
    const before = this.shown - (isPassing ? JUST_PASSED_SECS / (hello?.dt_secs ?? 1) : 0);
    const found = way > 0
      ? ticks.find((tick) => tick > this.shown)
      : ticks.findLast((tick) => tick < before);
    if (found !== undefined) this.goTo(found);
    else if (way > 0 && !status.replay) this.toNow();
  }

  #next() {
    if (this.#wanted === null) return;
    if (this.isSeeking) void this.#seek();
    else if (this.#asked === null && !this.#isReturning) {
      [this.#asked, this.#wanted] = [this.#wanted, null];
      this.#parts.send(`{"look":${this.#asked}}`);
    }
  }

  async #seek() {
    if (this.#seeking !== null) return;
    while (this.#wanted !== null) {
      [this.#seeking, this.#wanted] = [this.#wanted, null];
      const { ok, head } = await this.#parts.board.ask(`SEEK ${this.#seeking}`);
      if (ok) {
        const { tick, step } = readWords(head).fields;
        this.#parts.world.status.tick = Number(tick);
        // Its frame may be on its way still, and is of this step.
        this.#anchor = Number(step);
      }
      this.#seeking = null;
    }
    this.dispatchEvent(new Event("change"));
  }
}
