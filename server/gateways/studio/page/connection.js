// The WebSocket, opened again whenever it is lost.

import { decodeFrame } from "./protocol.js";

/**
 * @typedef {object} Listener
 * @property {(message: import("./protocol.js").Message) => void} message
 * @property {(frame: import("./protocol.js").Frame) => void} frame
 * @property {(isOpen: boolean, reason: string) => void} state
 * @property {(isSilent: boolean) => void} silent the server has said nothing for long, or says something again
 */

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 4000;
/** A server says how it is doing four times a second. Who has said nothing at so many looks in a row is frozen, or gone. */
const LOOK_MS = 1000;
const SILENT_LOOKS = 3;

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #delay = FIRST_DELAY_MS;
  #isGreeted = false;
  /** Looks since the server said something. */
  #looks = 0;
  /** @type {Listener} */
  #listener;

  /** @param {Listener} listener */
  constructor(listener) {
    this.#listener = listener;
    this.#open();
    setInterval(() => this.#look(), LOOK_MS);
  }

  #look() {
    // Before it has said hello it waits for a key, which takes as long as it takes.
    if (!this.#isGreeted || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#looks += 1;
    if (this.#looks === SILENT_LOOKS) this.#listener.silent(true);
  }

  #heard() {
    if (this.#looks >= SILENT_LOOKS) this.#listener.silent(false);
    this.#looks = 0;
  }

  /**
   * Sends a line to the message board, or drops it if there is no connection.
   * @param {string} line
   */
  send(line) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(line);
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => {
      this.#delay = FIRST_DELAY_MS;
      this.#listener.state(true, "");
    };
    socket.onmessage = ({ data }) => {
      this.#heard();
      if (typeof data === "string") {
        const message = JSON.parse(data);
        this.#isGreeted ||= message.type === "hello";
        this.#listener.message(message);
        return;
      }
      const frame = decodeFrame(data);
      // The server sends no more than a few frames ahead of this.
      this.send(`{"ack":${frame.sequence}}`);
      this.#listener.frame(frame);
    };
    socket.onclose = ({ reason }) => {
      this.#isGreeted = false;
      this.#looks = 0;
      this.#listener.state(false, reason);
      setTimeout(() => this.#open(), this.#delay);
      this.#delay = Math.min(2 * this.#delay, LONGEST_DELAY_MS);
    };
  }
}
