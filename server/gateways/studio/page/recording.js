// Recordings, made from the page: begun, ended, and the last seconds saved.

import { element, write } from "./dom.js";
import { readWords } from "./words.js";

/**
 * @typedef {object} Parts
 * @property {import("./board.js").Board} board
 * @property {import("./panel.js").Panel} panel
 */

const NOTICE_MS = 8000;

/** It dispatches "made", with its name as detail, when a recording is complete. */
export class Recording extends EventTarget {
  #parts;
  /** @type {HTMLButtonElement} */
  #record = element("record");
  /** @type {HTMLButtonElement} */
  #save = element("save");
  #file = element("record-file");
  #isOn = false;
  #refused = "";

  /** @param {Parts} parts */
  constructor(parts) {
    super();
    this.#parts = parts;
    for (const [control, press] of /** @type {const} */ ([[this.#record, () => this.toggle()], [this.#save, () => this.save()]])) {
      control.addEventListener("click", ({ detail }) => {
        press();
        // After a click by mouse or finger the keys belong to the field again.
        if (detail > 0) element("field").focus({ preventScroll: true });
      });
    }
  }

  /** @param {string} refused why nothing may be recorded here; empty if it may */
  allow(refused) {
    this.#refused = refused;
    for (const control of [this.#record, this.#save]) {
      control.disabled = refused !== "";
      control.dataset.title ??= control.title;
      control.title = refused || control.dataset.title;
    }
  }

  /** Nothing is known of a new connection's server. */
  begin() {
    this.show({ file: null, failure: null });
  }

  /**
   * The server says what it records.
   * @param {{ file: string | null, failure: string | null }} message
   */
  show({ file, failure }) {
    this.#isOn = file !== null;
    this.#record.setAttribute("aria-pressed", String(this.#isOn));
    this.#record.setAttribute("aria-label", this.#isOn ? "Stop recording" : "Record");
    write(this.#file, file ?? (failure ? "recording failed" : ""));
    this.#file.title = failure ?? file ?? "";
    this.#file.classList.toggle("error", file === null && failure !== null);
    if (failure && !file) this.#parts.panel.showNotice(`The recording ended: ${failure}`, 2 * NOTICE_MS);
  }

  toggle() {
    if (this.#isOn) void this.#ask("stop", "Recorded");
    else void this.#ask("start", "Recording into");
  }

  save() {
    void this.#ask("save", "The last 20 s are in");
  }

  /**
   * @param {"start" | "stop" | "save"} order
   * @param {string} done
   */
  async #ask(order, done) {
    const { board, panel } = this.#parts;
    if (this.#refused) return panel.showNotice(this.#refused, NOTICE_MS);
    const { ok, head } = await board.ask(`RECORD ${order}`);
    if (!ok) return;
    const { file } = readWords(head).fields;
    panel.showNotice(`${done} ${file}`, NOTICE_MS, true);
    if (order !== "start") this.dispatchEvent(new CustomEvent("made", { detail: file.replace(/^.*[/\\]/, "") }));
  }
}
