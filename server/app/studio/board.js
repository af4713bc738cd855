// The page as a client of the message board: lines out, answers in their order. docs/protocol.md is the text to this.

/**
 * @typedef {object} Answer
 * @property {boolean} ok
 * @property {string} head the whole first line
 * @property {string[]} lines those that belong to it
 *
 * @typedef {object} Line
 * @property {(line: string) => void} send
 * @property {(message: string) => void} refused told what the board would not do, for people
 */

export class Board {
  /** @type {Line} */
  #line;
  /** @type {((answer: Answer) => void)[]} Who waits for an answer, oldest first. */
  #waiting = [];
  /** @type {Answer | null} An answer whose lines are still coming. */
  #open = null;
  #missing = 0;

  /** @param {Line} line */
  constructor(line) {
    this.#line = line;
  }

  /**
   * Begins anew, after a connection was made.
   * @param {import("./protocol.js").Role} role
   */
  begin(role) {
    this.#waiting = [];
    this.#open = null;
    void this.ask(`HELLO 1 studio role=${role}`);
  }

  /**
   * Says a line; what the board refuses is also shown.
   * @param {string} line
   * @returns {Promise<Answer>}
   */
  ask(line) {
    this.#line.send(line);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** @param {string} text one line of the board's */
  hear(text) {
    if (this.#open) {
      this.#open.lines.push(text);
      this.#missing -= 1;
      if (this.#missing === 0) this.#close(this.#open);
      return;
    }
    const answer = { ok: text.startsWith("OK "), head: text, lines: [] };
    this.#missing = Number(/ lines=(\d+)/.exec(text)?.[1] ?? 0);
    if (this.#missing > 0) this.#open = answer;
    else this.#close(answer);
  }

  /** @param {Answer} answer */
  #close(answer) {
    this.#open = null;
    // What begins otherwise was not asked for: a greeting, a robot that has gone.
    if (!answer.ok && !answer.head.startsWith("ERR ")) return;
    if (!answer.ok) {
      const message = /"(.*)"$/.exec(answer.head)?.[1] ?? answer.head;
      this.#line.refused(message.replaceAll('\\"', '"'));
    }
    this.#waiting.shift()?.(answer);
  }
}
