// How fast everything is while time stands: two pictures of one moment do not tell, so the board is asked.

import { BALL_BIT } from "./selection.js";
import { readWords } from "./words.js";

/** @typedef {import("./protocol.js").Frame} Frame */

export class Speeds {
  #board;
  #world;
  /** The frame that was asked about last, and of whom. @type {{ frame: Frame | null, id: number }} */
  #asked = { frame: null, id: -1 };
  /** What is known of that one, by object, m/s. @type {Map<number, number>} */
  #known = new Map();
  #isAsking = false;

  /**
   * @param {import("./board.js").Board} board
   * @param {import("./world.js").World} world
   */
  constructor(board, world) {
    this.#board = board;
    this.#world = world;
  }

  /**
   * What is known of a frame by now; asks for the rest if time stands there.
   * @param {number} id the robot that is looked at
   * @param {Frame} frame
   * @returns {ReadonlyMap<number, number>} m/s, by object
   */
  of(id, frame) {
    const stands = this.#world.status.paused || this.#world.looking !== null;
    const isAsked = this.#asked.frame === frame && this.#asked.id === id;
    if (stands && !isAsked) void this.#ask(id, frame);
    return stands && isAsked ? this.#known : new Map();
  }

  /**
   * @param {number} id
   * @param {Frame} frame
   */
  async #ask(id, frame) {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { looking } = this.#world;
    // Of the past the board tells what one robot did, and not where all was.
    const { ok, head, lines } = await this.#board.ask(looking === null ? "WORLD" : `MOTION ${id}`, { isQuiet: true });
    this.#isAsking = false;
    const isOfFrame = Number(readWords(head).fields.step) === frame.step;
    // An answer of another step is of no use, and is asked for once more; so is one that came while something else was shown.
    if (ok && (!isOfFrame || this.#world.looking !== looking)) return;
    [this.#asked, this.#known] = [{ frame, id }, new Map()];
    if (!ok) return;
    for (const line of looking === null ? lines : [head.replace(/^OK MOTION/, "ROBOT")]) {
      const { word, words: [number], fields } = readWords(line);
      if (word === "BALL") this.#known.set(BALL_BIT + Number(number), Math.hypot(Number(fields.vx), Number(fields.vy)));
      if (word === "ROBOT") this.#known.set(Number(fields.robot ?? number), Math.hypot(Number(fields.forward), Number(fields.left)));
    }
  }
}
