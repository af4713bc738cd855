// A player that runs beside the recorded one: what both decided last, and what the new one thinks.

import { button, make, write } from "./dom.js";
import { number } from "./plot.js";

/** @typedef {import("./protocol.js").Beside} Beside */

/** What the new player publishes stands under its own keys with this before them. */
const NEW = "new/";

/** Whether a key is one of the new player's. @param {string} key */
export function isNew(key) {
  return key.startsWith(NEW);
}

/**
 * What a robot publishes, and what its new player does.
 * @param {Record<string, unknown> | undefined} published the new player's of before among it, perhaps
 * @param {Beside | null | undefined} beside
 */
export function withNew(published, beside) {
  const own = Object.entries(published ?? {}).filter(([key]) => !isNew(key));
  const its = Object.entries(beside?.decision?.annotations ?? {}).map(([key, value]) => [NEW + key, value]);
  return /** @type {Record<string, unknown>} */ (Object.fromEntries([...own, ...its]));
}

/** It dispatches "first" when somebody wants to see the first difference. */
export class BesideView extends EventTarget {
  #what = make("p", { class: "quiet" });
  #verdict = make("p", { class: "verdict" });
  #rows = make("tbody");
  #first;
  element;
  /** @type {Beside | null | undefined} */
  #shown;

  constructor() {
    super();
    this.#first = button("First difference", () => this.dispatchEvent(new Event("first")), { id: "first-difference" });
    this.element = make("div", { class: "beside" }, this.#what, make("table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "hidden" }, "Decision")),
        make("th", { scope: "col" }, "recorded"), make("th", { scope: "col" }, "new"))), this.#rows), this.#verdict, this.#first);
  }

  /**
   * @param {Beside | null | undefined} beside
   * @param {boolean} hasFirst whether there is a difference to go to
   */
  show(beside, hasFirst) {
    this.#first.disabled = !hasFirst;
    if (beside === this.#shown || !beside) return;
    this.#shown = beside;
    const { plugin, fault, decision } = beside;
    write(this.#what, `${plugin}${decision ? `, asked for step ${decision.step}` : ""}`);
    const differs = new Set(decision?.differs);
    /** @type {[string, string, string][]} */
    const rows = (decision?.command ?? []).map(({ name, unit, recorded, new: wanted }) =>
      [name, number(recorded), `${number(wanted)}${unit === "1" ? "" : ` ${unit}`}`]);
    if (decision && !decision.by_client) {
      rows.push(["manipulators", ...decision.manipulators], ["messages", ...decision.messages]);
    }
    this.#rows.replaceChildren(...rows.map(([name, recorded, wanted]) =>
      make("tr", { class: differs.has(name) ? "differs" : "same" }, make("th", { scope: "row" }, name),
        make("td", {}, recorded), make("td", {}, wanted))));
    write(this.#verdict, fault ? `It was stopped: ${fault}` : verdict(decision));
    this.#verdict.classList.toggle("differs", fault !== null || [...differs].some((name) => !isThought(name)));
  }
}

/** Whether what differs is published, and not done. @param {string} name */
function isThought(name) {
  return name.startsWith("annotation ");
}

/** @param {Beside["decision"]} decision */
function verdict(decision) {
  if (!decision) return "It was not asked yet.";
  const does = decision.differs.filter((name) => !isThought(name));
  if (does.length > 0) return `It decides otherwise: ${does.join(", ")}.`;
  if (decision.by_client) return "It gives the command that clients gave.";
  return decision.differs.length > 0 ? "It decides the same, and publishes something else." : "It decides the same.";
}
