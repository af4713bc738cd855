// A player that runs beside the recorded one: what both decided last, and what the second one thinks.

import { button, make, write } from "./dom.js";
import { number } from "./plot.js";

/** @typedef {import("./protocol.js").Shadow} Shadow */

/** What the shadow player publishes stands under its own keys with this before them. */
const SHADOW = "shadow/";

/** Whether a key is one of the shadow player's. @param {string} key */
export function isShadows(key) {
  return key.startsWith(SHADOW);
}

/**
 * What a robot publishes, and what its shadow player does.
 * @param {Record<string, unknown> | undefined} published the shadow player's of before among it, perhaps
 * @param {Shadow | null | undefined} shadow
 */
export function withShadows(published, shadow) {
  const own = Object.entries(published ?? {}).filter(([key]) => !isShadows(key));
  const its = Object.entries(shadow?.decision?.annotations ?? {}).map(([key, value]) => [SHADOW + key, value]);
  return /** @type {Record<string, unknown>} */ (Object.fromEntries([...own, ...its]));
}

/** It dispatches "first" when somebody wants to see the first difference. */
export class ShadowView extends EventTarget {
  #what = make("p", { class: "quiet" });
  #verdict = make("p", { class: "verdict" });
  #rows = make("tbody");
  #first;
  element;
  /** @type {Shadow | null | undefined} */
  #shown;

  constructor() {
    super();
    this.#first = button("First difference", () => this.dispatchEvent(new Event("first")), { id: "first-difference" });
    this.element = make("div", { class: "shadow" }, this.#what, make("table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "hidden" }, "Decision")),
        make("th", { scope: "col" }, "recorded"), make("th", { scope: "col" }, "new"))), this.#rows), this.#verdict, this.#first);
  }

  /**
   * @param {Shadow | null | undefined} shadow
   * @param {boolean} hasFirst whether there is a difference to go to
   */
  show(shadow, hasFirst) {
    this.#first.disabled = !hasFirst;
    if (shadow === this.#shown || !shadow) return;
    this.#shown = shadow;
    const { plugin, fault, decision } = shadow;
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

/** @param {Shadow["decision"]} decision */
function verdict(decision) {
  if (!decision) return "It was not asked yet.";
  const does = decision.differs.filter((name) => !isThought(name));
  if (does.length > 0) return `It decides otherwise: ${does.join(", ")}.`;
  if (decision.by_client) return "It gives the command that clients gave.";
  return decision.differs.length > 0 ? "It decides the same, and publishes something else." : "It decides the same.";
}
