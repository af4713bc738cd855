// The panel at the side: sections that open and close, and a button for the whole. What stands in them is others' matter.

import { make } from "./dom.js";

const STORED = "touchline-panel";

/** @typedef {{ isOpen: boolean, closed: string[] }} Stored */

export class Sections {
  #panel;
  #toggle;
  #note = make("p", { class: "note" });
  #isOffered = true;
  /** @type {Set<string>} The sections that are closed. */
  #closed;

  /**
   * @param {HTMLElement} panel
   * @param {HTMLElement} toggle the button that shows and hides it
   */
  constructor(panel, toggle) {
    this.#panel = panel;
    this.#toggle = toggle;
    const stored = read();
    this.#closed = new Set(stored.closed);
    panel.append(this.#note);
    this.#show(stored.isOpen);
  }

  get isOpen() {
    return !this.#panel.hidden;
  }

  /** Takes the panel away where nothing in it could work. @param {boolean} isOffered */
  offer(isOffered) {
    this.#isOffered = isOffered;
    this.#toggle.hidden = !isOffered;
    if (!isOffered) this.#show(false);
  }

  toggle() {
    if (!this.#isOffered) return;
    this.#show(!this.isOpen);
    this.#store();
  }

  /**
   * Says above all sections why nothing may be done in them.
   * @param {string} refused empty if something may
   */
  allow(refused) {
    this.#note.textContent = refused;
  }

  /**
   * Appends a section.
   * @param {string} id
   * @param {string} title
   * @param {HTMLElement} content
   */
  add(id, title, content) {
    const section = make("details", { id, class: "section" }, make("summary", {}, make("h2", {}, title)), content);
    section.open = !this.#closed.has(id);
    section.addEventListener("toggle", () => {
      if (section.open) this.#closed.delete(id);
      else this.#closed.add(id);
      this.#store();
    });
    this.#panel.append(section);
  }

  /** @param {boolean} isOpen */
  #show(isOpen) {
    this.#panel.hidden = !isOpen;
    this.#toggle.setAttribute("aria-expanded", String(isOpen));
  }

  #store() {
    localStorage.setItem(STORED, JSON.stringify({ isOpen: this.isOpen, closed: [...this.#closed] }));
  }
}

/** @returns {Stored} */
function read() {
  try {
    const { isOpen, closed } = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    return { isOpen: isOpen === true, closed: Array.isArray(closed) ? closed : [] };
  } catch {
    // Somebody else wrote there.
    return { isOpen: false, closed: [] };
  }
}
