// The key of who looks at the page, where the server asks for one: of the address, or typed once; kept by this tab alone.

import { make } from "./dom.js";

const STORED = "touchline-key";

/** The key that this tab has shown; null if none. */
export function storedKey() {
  return sessionStorage.getItem(STORED);
}

/**
 * The header by which a request shows it.
 * @returns {Record<string, string>}
 */
export function bearer() {
  const key = storedKey();
  return key === null ? {} : { authorization: `Bearer ${key}` };
}

/** Takes the key from behind the address's #, where a program has put one; all else stays there. Whether there was one. */
function takeKey() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const key = fields.get("key");
  if (key === null) return false;
  sessionStorage.setItem(STORED, key);
  fields.delete("key");
  const rest = fields.size > 0 ? `#${fields}` : "";
  // Nobody shall read it there, or pass it on with the address.
  history.replaceState(null, "", location.pathname + location.search + rest);
  return true;
}

export class Key {
  /** @type {(key: string) => void} */
  #show;
  #input = make("input", { type: "password", autocomplete: "off", "aria-label": "Key", size: "36" });
  #why = make("p", { class: "error", role: "alert" });
  #whose = make("p", {}, "This server asks for a key. Who runs it has one for you.");
  #form = make("form", { method: "dialog" },
    this.#whose, this.#input, make("button", { type: "submit" }, "Show the key"), this.#why);
  #dialog = make("dialog", { id: "key", "aria-label": "Key" }, this.#form);
  /** Whether the stored key was shown to this connection already. */
  #isTried = false;
  /** Whether the server waits for a key. */
  #isAsked = false;

  /**
   * Comes before whatever else reads the address.
   * @param {(key: string) => void} show sends a key to the server
   * @param {string} [whose] where one is to be had, in words
   */
  constructor(show, whose) {
    this.#show = show;
    if (whose !== undefined) this.#whose.textContent = whose;
    document.body.append(this.#dialog);
    takeKey();
    addEventListener("hashchange", () => {
      if (takeKey() && this.#isAsked) this.#show(storedKey() ?? "");
    });
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

  /** Whether somebody is asked for a key, and has shown none yet. */
  get isAsked() {
    return this.#isAsked && storedKey() === null;
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
    const stored = storedKey();
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
