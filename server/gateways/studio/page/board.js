// The page as a client of the message board: lines out, answers in their order. docs/protocol.md is the text to this.

import { readWords } from "./words.js";

/**
 * @typedef {object} Answer
 * @property {boolean} ok
 * @property {string} head the whole first line
 * @property {string[]} lines those that belong to it
 * @property {string} message why it is refused, for people; empty if it is not
 *
 * @typedef {object} Line
 * @property {(line: string) => void} send
 * @property {(message: string) => void} refused told what the board would not do, for people
 *
 * @typedef {{ resolve: (answer: Answer) => void, isQuiet: boolean }} Waiting
 */

/** Why a world that is only shown takes no commands. */
export const NO_BOARD = "This is an environment: the program that steps it is in charge, and you look on.";

/** A longer line is taken by no board, and ends the connection, bytes. */
const MOST_BYTES = 4096;
const TOO_LONG = `This is too long for one line of the board (${MOST_BYTES} bytes).`;

/** Why nobody answers. */
export const LOST = "There is no connection to the server.";

export class Board {
  /** @type {Line} */
  #line;
  /** @type {Waiting[]} Who waits for an answer, oldest first. */
  #waiting = [];
  /** @type {Answer | null} An answer whose lines are still coming. */
  #open = null;
  #missing = 0;
  /** Whether there is one: a world that is only shown has none. */
  #isThere = true;
  #isConnected = true;
  /** Why the board ends the connection, for people; empty if it has not said so. */
  #farewell = "";
  /** Told of each block of sensors that the board pushes. @type {(head: string, lines: string[]) => void} */
  onState = () => {};

  /** @param {Line} line */
  constructor(line) {
    this.#line = line;
  }

  /**
   * Begins anew, after a connection was made.
   * @param {import("./protocol.js").Hello} hello
   */
  begin({ role, board }) {
    this.end();
    [this.#isThere, this.#isConnected] = [board, true];
    if (board) void this.ask(`HELLO 1 studio role=${role}`);
  }

  /** The connection is lost: nobody will answer. Gives why, if the board has said so. */
  end() {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#open = null;
    this.#isConnected = false;
    for (const { resolve } of waiting) resolve({ ok: false, head: "", lines: [], message: LOST });
    const farewell = this.#farewell;
    this.#farewell = "";
    return farewell;
  }

  /**
   * Says a line; what the board refuses is also shown, unless whoever asks shows it himself.
   * @param {string} line
   * @param {{ isQuiet?: boolean }} [options]
   * @returns {Promise<Answer>}
   */
  ask(line, { isQuiet = false } = {}) {
    if (!this.#isThere) {
      if (!isQuiet) this.#line.refused(NO_BOARD);
      return Promise.resolve({ ok: false, head: "", lines: [], message: NO_BOARD });
    }
    // The page says for itself that it has none.
    if (!this.#isConnected) return Promise.resolve({ ok: false, head: "", lines: [], message: LOST });
    if (new TextEncoder().encode(line).length > MOST_BYTES) {
      if (!isQuiet) this.#line.refused(TOO_LONG);
      return Promise.resolve({ ok: false, head: "", lines: [], message: TOO_LONG });
    }
    this.#line.send(line);
    return new Promise((resolve) => this.#waiting.push({ resolve, isQuiet }));
  }

  /** @param {string} text one line of the board's */
  hear(text) {
    if (this.#open) {
      this.#open.lines.push(text);
      this.#missing -= 1;
      if (this.#missing === 0) this.#close(this.#open);
      return;
    }
    const answer = { ok: text.startsWith("OK "), head: text, lines: [], message: "" };
    this.#missing = linesOf(text);
    if (this.#missing > 0) this.#open = answer;
    else this.#close(answer);
  }

  /** @param {Answer} answer */
  #close(answer) {
    this.#open = null;
    if (answer.head.startsWith("STATE ")) this.onState(answer.head, answer.lines);
    if (answer.head.startsWith("CLOSE ")) this.#farewell = readWords(answer.head).words.at(-1) ?? "";
    // What begins otherwise was not asked for: a greeting, a robot that has gone.
    if (!answer.ok && !answer.head.startsWith("ERR ")) return;
    if (!answer.ok) answer.message = refusal(answer);
    const asked = this.#waiting.shift();
    if (!answer.ok && !asked?.isQuiet) this.#line.refused(answer.message);
    asked?.resolve(answer);
  }
}

/**
 * Whether a question is refused to this page's role: on the same connection it always will be, and who goes on asking is thrown out.
 * @param {Answer} answer
 */
export function isForbidden({ head }) {
  return /^ERR board\/role( |$)/.test(head);
}

/**
 * How many lines belong to a head. It is a field of its own: what somebody calls a team, or has asked for, may look like it.
 * @param {string} head
 */
function linesOf(head) {
  const lines = /^(OK|ERR|STATE) /.test(head) ? readWords(head).fields.lines ?? "" : "";
  return /^\d+$/.test(lines) ? Number(lines) : 0;
}

/**
 * Why the board refuses something: its message, and each problem of a robot file with its hint.
 * @param {Answer} answer
 */
function refusal({ head, lines }) {
  const message = readWords(head).words.at(-1) ?? head;
  const problems = lines.map((line) => {
    const { words, fields: { line: row, allowed, hint } } = readWords(line);
    return [`line ${row}: ${words.at(-1)}`, allowed && `allowed: ${allowed}`, hint].filter(Boolean).join("; ");
  });
  return [message, ...problems].join("\n");
}
