// The WebSocket, opened again whenever it is lost.

import { decodeFrame } from "./protocol.js";

/**
 * @typedef {object} Listener
 * @property {(message: import("./protocol.js").Message) => void} message
 * @property {(frame: import("./protocol.js").Frame) => void} frame
 * @property {(isOpen: boolean, reason: string) => void} state
 */

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 4000;

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  #delay = FIRST_DELAY_MS;
  /** @type {Listener} */
  #listener;

  /** @param {Listener} listener */
  constructor(listener) {
    this.#listener = listener;
    this.#open();
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
      if (typeof data === "string") {
        this.#listener.message(JSON.parse(data));
        return;
      }
      const frame = decodeFrame(data);
      // The server sends no more than a few frames ahead of this.
      this.send(`{"ack":${frame.sequence}}`);
      this.#listener.frame(frame);
    };
    socket.onclose = ({ reason }) => {
      this.#listener.state(false, reason);
      setTimeout(() => this.#open(), this.#delay);
      this.#delay = Math.min(2 * this.#delay, LONGEST_DELAY_MS);
    };
  }
}
