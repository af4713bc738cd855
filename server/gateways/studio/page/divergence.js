// Says where a recording, run again, comes to something else than was recorded: from there the recorded poses are shown.

import { element, write } from "./dom.js";

export class Divergence {
  #note = element("divergence");

  /**
   * @param {import("./protocol.js").Status} status
   * @param {number} tick that is shown
   * @param {string} why in words, if it is known
   */
  show({ departs }, tick, why) {
    this.#note.hidden = !departs;
    if (!departs) return;
    const isBehind = tick >= departs.tick;
    write(this.#note, isBehind
      ? `Recorded poses: run again, it differs from step ${departs.step} on`
      : `Run again, it differs from step ${departs.step} on`);
    this.#note.classList.toggle("behind", isBehind);
    this.#note.title = why;
  }
}
