// The key of who looks at the page, where the server asks for one: typed once, kept by this tab alone.

import { make } from "./dom.js";

const STORED = "touchline-key";

/** The key that this tab has shown; null if none. */
export function storedKey() {
  return sessionStorage.getItem(STORED);
}

export class Key {
  /** @type {(key: string) => void} */
  #show;
  #input = make("input", { type: "password", autocomplete: "off", "aria-label": "Key", size: "36" });
  #why = make("p", { class: "error", role: "alert" });
  #form = make("form", { method: "dialog" },
    make("p", {}, "This server asks for a key. Who runs it has one for you."), this.#input,
    make("button", { type: "submit" }, "Show the key"), this.#why);
  #dialog = make("dialog", { id: "key", "aria-label": "Key" }, this.#form);
  /** Whether the stored key was shown to this connection already. */
  #isTried = false;
  /** Whether the server waits for a key. */
  #isAsked = false;

  /** @param {(key: string) => void} show sends a key to the server */
  constructor(show) {
    this.#show = show;
    document.body.append(this.#dialog);
    // Without a key there is nothing behind the question: Esc does not end it. A browser lets that happen once, and closes it the second time.
    this.#dialog.addEventListener("cancel", (event) => event.preventDefault());
    this.#dialog.addEventListener("close", () => {
      if (this.#isAsked) this.#dialog.showModal();
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      sessionStorage.setItem(STORED, this.#input.value.trim());
      this.#show(this.#input.value.trim());
    });
  }

  /** A new connection. */
  begin() {
    this.#isTried = false;
  }

  /**
   * The server asks for a key.
   * @param {string | null} reason why the last one was refused
   */
  ask(reason) {
    const stored = sessionStorage.getItem(STORED);
    if (stored && reason === null && !this.#isTried) {
      this.#isTried = true;
      this.#show(stored);
      return;
    }
    if (reason !== null) sessionStorage.removeItem(STORED);
    this.#isAsked = true;
    this.#why.textContent = reason ?? "";
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#input.focus();
  }

  /** The server has let us in. */
  done() {
    this.#input.value = "";
    this.#isAsked = false;
    this.#dialog.close();
  }
}
