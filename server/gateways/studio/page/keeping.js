// The section of what leaves the page: a picture, a film, an address, and the recordings that were made.

import { button, field, make, write } from "./dom.js";
import { save } from "./files.js";
import { bearer } from "./key.js";
import { linkOf } from "./link.js";

/**
 * @typedef {object} Parts
 * @property {import("./capture.js").Capture} capture
 * @property {import("./recording.js").Recording} recording
 * @property {import("./link.js").Linked} linked
 */

export class Keeping {
  #parts;
  #film = button("Film the field", () => this.#parts.capture.film(), { id: "film", "aria-pressed": "false" });
  #address = make("input", { id: "address", type: "text", readonly: true });
  #list = make("ul", { class: "saved" });
  #none = make("p", { class: "quiet" }, "Recordings that are made here can be downloaded: V records, S saves the last 20 s.");
  #error = make("p", { class: "error", role: "alert" });
  element;

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { capture, recording, linked } = parts;
    this.#film.disabled = !capture.canFilm;
    if (!capture.canFilm) this.#film.title = "This browser cannot make films.";
    capture.addEventListener("change", () => {
      this.#film.setAttribute("aria-pressed", String(capture.isFilming));
      write(this.#film, capture.isFilming ? "End the film, save it" : "Film the field");
    });
    const link = button("Copy the address of what is seen", async () => {
      this.#address.value = linkOf(linked);
      this.#address.select();
      // Where the page is not trusted with the clipboard the address is selected, to be copied by hand.
      await navigator.clipboard?.writeText(this.#address.value).catch(() => {});
    }, { id: "copy-link" });
    recording.addEventListener("made", (event) => this.#add(/** @type {CustomEvent<string>} */ (event).detail));
    this.element = make("div", {},
      make("div", { class: "row wrap" }, button("Picture of the field", () => capture.picture(), { id: "picture" }), this.#film),
      link, field("Address: view, chosen robot, tick", this.#address), this.#none, this.#list, this.#error);
  }

  /** @param {string} name */
  #add(name) {
    this.#none.hidden = true;
    this.#list.prepend(make("li", { class: "row" }, make("span", { class: "grow" }, name),
      button("Download", () => void this.#download(name), { "aria-label": `Download ${name}` })));
  }

  /** @param {string} name */
  async #download(name) {
    try {
      const answer = await fetch(`recordings/${encodeURIComponent(name)}`, { headers: bearer() });
      write(this.#error, answer.ok ? "" : `${name}: ${(await answer.text()).trim()}`);
      if (answer.ok) save(await answer.blob(), name, "application/octet-stream");
    } catch {
      write(this.#error, `${name}: no connection to the server`);
    }
  }
}
