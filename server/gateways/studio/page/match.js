// The section for the match: what the referee is told, the score, and the ball.

import { button, make, swatch, write } from "./dom.js";
import { quote, readWords } from "./words.js";

/**
 * @typedef {object} Parts
 * @property {import("./board.js").Board} board
 * @property {import("./world.js").World} world
 * @property {import("./drag.js").Hand} hand
 */

export class Match {
  #parts;
  #commands = make("div", { class: "row wrap", role: "group", "aria-label": "Referee" });
  #words = make("input", { id: "referee-words", type: "text", autocomplete: "off", "aria-label": "Words for the referee" });
  #say;
  #scores = make("div", { class: "scores", role: "group", "aria-label": "Score" });
  #error = make("p", { class: "error", role: "alert" });
  #note = make("p", { class: "quiet", role: "status" });
  #shoot = button("Shoot the ball by dragging", () => this.#toggleShoot(), { id: "shoot", "aria-pressed": "false" });
  #body;
  /** @type {HTMLElement[]} */
  #goals = [];

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#say = make("form", { class: "row" }, this.#words, make("button", { type: "submit", "aria-label": "Tell the referee" }, "Say"));
    this.#say.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#tell(this.#words.value).then((ok) => {
        if (ok) this.#words.value = "";
      });
    });
    this.#body = make("fieldset", {}, this.#commands, this.#say, this.#note, this.#scores, this.#shoot);
    this.element = make("div", {}, this.#body, this.#error);
  }

  /** @param {string} refused why nothing may be done here; empty if it may */
  allow(refused) {
    this.#body.disabled = refused !== "";
    this.#body.title = refused;
  }

  /** Asks what the referee knows; after a connection was made. */
  async begin() {
    const { board, world } = this.#parts;
    const teams = world.hello?.teams ?? [];
    this.#goals = teams.map(() => make("output", { class: "goals" }));
    this.#scores.replaceChildren(...teams.map(({ name, colour }, team) => {
      const by = (/** @type {number} */ more) => {
        const goals = Math.max(0, (world.game.score[team] ?? 0) + more);
        void this.#ask(`SETSCORE ${quote(name)} ${goals}`);
      };
      return make("div", { class: "row" }, swatch(colour, team), make("span", { class: "grow" }, name),
        button("−", () => by(-1), { "aria-label": `One goal less for ${name}` }), this.#goals[team],
        button("+", () => by(1), { "aria-label": `One goal more for ${name}` }));
    }));
    this.showGame();
    // Who looks on may not even ask.
    const { ok, lines } = await board.ask("REFEREE", { isQuiet: true });
    const usages = lines.map((line) => readWords(line).words[0] ?? "");
    const commands = usages.flatMap((usage) =>
      usage.includes("<team>") ? teams.map(({ name }) => usage.replace("<team>", name)) : [usage]);
    // What takes other words is left to the line below.
    const plain = commands.filter((command) => !command.includes("<"));
    this.#commands.replaceChildren(...plain.map((command) => button(command, () => void this.#tell(command))));
    for (const part of [this.#commands, this.#say]) part.hidden = !ok || (world.hello?.referee ?? "") === "";
    this.#scores.hidden = world.hello?.referee === null;
    this.#words.placeholder = commands.find((command) => command.includes("<")) ?? "other words";
  }

  /** The score is another one. */
  showGame() {
    if (!this.#parts.world.status.paused) write(this.#note, "");
    this.#goals.forEach((goals, team) => write(goals, String(this.#parts.world.game.score[team] ?? 0)));
  }

  #toggleShoot() {
    const { hand } = this.#parts;
    hand.shoots = !hand.shoots;
    this.#shoot.setAttribute("aria-pressed", String(hand.shoots));
  }

  /** A word for the referee: while time stands he hears it, and acts with the next step. @param {string} words */
  async #tell(words) {
    const ok = await this.#ask(`REFEREE ${words}`);
    const { paused } = this.#parts.world.status;
    write(this.#note, ok && paused ? `Time stands still: the referee acts on “${words}” with the next step.` : "");
    return ok;
  }

  /** @param {string} line */
  async #ask(line) {
    const { ok, message } = await this.#parts.board.ask(line, { isQuiet: true });
    write(this.#error, message);
    return ok;
  }
}
