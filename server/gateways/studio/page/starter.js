// The section that starts players: a plugin with its parameters, or a person; for a new robot or for one that has no player.

import { button, field, make, write } from "./dom.js";
import { ParameterForm, readParameters } from "./parameters.js";
import { decimal, quote, readWords } from "./words.js";

/**
 * @typedef {object} Parts
 * @property {import("./board.js").Board} board
 * @property {import("./world.js").World} world
 * @property {import("./drive.js").Drive} drive
 * @property {import("./draw.js").Painter} painter
 * @property {import("./selection.js").Selection} selection
 * @property {HTMLCanvasElement} canvas
 */

/** The choice of no plugin: a person drives. No plugin is called like this. */
const PERSON = "";
/** Before the number of a robot that is there, in the list of what a player may drive. */
const EXISTING = "robot ";

export class Starter {
  #parts;
  #plugin = make("select", { id: "start-plugin" });
  #about = make("p", { class: "quiet" });
  #parameters = new ParameterForm();
  #robot = make("select", { id: "start-robot" });
  #files = make("optgroup", { label: "A new robot from file" });
  #existing = make("optgroup", { label: "A robot without a player" });
  #name = input("start-name");
  #team = make("select", { id: "start-team" });
  #x = input("start-x", "free place");
  #y = input("start-y", "free place");
  #heading = input("start-heading", "0");
  #rate = input("start-rate", "30");
  #pick = button("Pick a place", () => this.#togglePick(), { id: "start-pick", "aria-pressed": "false" });
  #place = make("div", { class: "grid" },
    field("Name", this.#name), field("Team", this.#team),
    field("x, m", this.#x), field("y, m", this.#y), field("Heading, degrees", this.#heading), this.#pick);
  #rateField = field("Calls a second", this.#rate);
  #start = make("button", { type: "submit", id: "start", class: "main" }, "Start");
  #error = make("p", { class: "error", role: "alert" });
  #done = make("p", { class: "state", role: "status" });
  #body;
  #isPicking = false;
  /** Whose parameters are shown. @type {string | null} */
  #shown = null;
  /** Why nothing may be done here; empty if it may. */
  #refused = "";

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#robot.append(this.#files, this.#existing);
    const details = make("details", { class: "parameters" }, make("summary", {}, "Parameters"),
      this.#rateField, this.#parameters.element);
    details.open = true;
    this.#body = make("fieldset", {},
      field("Player", this.#plugin), this.#about, field("Robot", this.#robot), this.#place, details);
    const form = make("form", { id: "start-form", novalidate: true, autocomplete: "off", "aria-label": "Start a player" },
      this.#body, make("div", { class: "send" }, this.#error, this.#done, this.#start));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
    this.#plugin.addEventListener("change", () => void this.#showParameters());
    this.#robot.addEventListener("change", () => this.#showKind());
    for (const control of [this.#x, this.#y, this.#heading]) control.addEventListener("input", () => this.#mark());
    this.#team.addEventListener("change", () => this.#suggestName());
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && this.#isPicking) this.#togglePick();
    });
    this.element = form;
  }

  /** @param {string} refused why nothing may be done here; empty if it may */
  allow(refused) {
    this.#refused = refused;
    this.#body.disabled = this.#start.disabled = refused !== "";
    this.#body.title = this.#start.title = refused;
    if (refused && this.#isPicking) this.#togglePick();
  }

  /** Asks what can be started; after a connection was made. */
  async begin() {
    const { board, world } = this.#parts;
    const [players, files] = await Promise.all([board.ask("PLAYERS"), board.ask("FILES")]);
    const named = (/** @type {string[]} */ lines) => lines.map((line) => readWords(line).words);
    const chosen = this.#plugin.value;
    this.#plugin.replaceChildren(...named(players.lines).map(([name, summary]) => option(name, name, summary)),
      option("a person: keyboard or gamepad", PERSON, "You drive it yourself; it goes when this page goes."));
    if (players.lines.some((line) => readWords(line).words[0] === chosen)) this.#plugin.value = chosen;
    else this.#plugin.selectedIndex = 0;
    this.#files.replaceChildren(...named(files.lines).map(([name, summary]) => option(name, name, summary)));
    this.#team.replaceChildren(...(world.hello?.teams ?? []).map(({ name }) => new Option(name)), new Option("none", ""));
    this.update();
    await this.#showParameters();
  }

  /** Robots came or went. */
  update() {
    this.#suggestName();
    const chosen = this.#robot.value;
    const free = [...this.#parts.world.objects.values()].filter(({ kind, player }) => kind === "robot" && !player);
    // A list that somebody has opened stays as it is, if it can.
    const known = [...this.#existing.children].map((option) => `${/** @type {HTMLOptionElement} */ (option).value} ${option.textContent}`);
    if (known.join() === free.map(({ id, name }) => `${EXISTING}${id} ${name}`).join() && this.#robot.selectedIndex >= 0) return;
    this.#existing.replaceChildren(...free.map(({ id, name }) => new Option(name, `${EXISTING}${id}`)));
    this.#existing.hidden = free.length === 0;
    this.#robot.value = chosen;
    if (this.#robot.selectedIndex < 0) this.#robot.selectedIndex = 0;
    this.#showKind();
  }

  /**
   * Takes a click on the field as the place, if it is asked for.
   * @param {number} x metres
   * @param {number} y metres
   */
  take(x, y) {
    if (!this.#isPicking) return false;
    [this.#x.value, this.#y.value] = [x.toFixed(2), y.toFixed(2)];
    this.#togglePick();
    this.#mark();
    return true;
  }

  #togglePick() {
    this.#isPicking = !this.#isPicking;
    this.#pick.setAttribute("aria-pressed", String(this.#isPicking));
    write(this.#pick, this.#isPicking ? "Click the field" : "Pick a place");
    this.#parts.canvas.classList.toggle("picking", this.#isPicking);
  }

  /** Draws the place that is chosen. */
  #mark() {
    const [x, y, degrees] = [this.#x, this.#y, this.#heading].map(({ value }) => (value.trim() === "" ? NaN : Number(value)));
    const isPlace = Number.isFinite(x) && Number.isFinite(y) && this.#existingRobot() === null;
    this.#parts.painter.marks.place = isPlace ? { x, y, theta: ((degrees || 0) * Math.PI) / 180 } : null;
  }

  /** The robot that is there already, if one is chosen. */
  #existingRobot() {
    return this.#robot.value.startsWith(EXISTING) ? Number(this.#robot.value.slice(EXISTING.length)) : null;
  }

  #showKind() {
    this.#place.hidden = this.#existingRobot() !== null;
    this.#mark();
  }

  async #showParameters() {
    const plugin = this.#plugin.value;
    write(this.#about, this.#plugin.selectedOptions[0]?.title ?? "");
    write(this.#error, "");
    this.#rateField.hidden = plugin === PERSON;
    const answer = plugin === PERSON ? null : await this.#parts.board.ask(`PLAYERS ${quote(plugin)}`);
    // Somebody may have chosen another one in between; and what he has written stays.
    if (plugin !== this.#plugin.value || plugin === this.#shown) return;
    // What could not be had is asked for again.
    this.#shown = answer === null || answer.ok ? plugin : null;
    this.#parameters.show(readParameters(answer?.lines ?? []));
  }

  /** A name that is not taken, unless somebody wrote one. */
  #suggestName() {
    if (this.#name.value !== "" && this.#name.value !== this.#name.dataset.suggested) return;
    const taken = new Set([...this.#parts.world.objects.values()].map(({ name }) => name));
    const stem = this.#team.value || "robot";
    let number = 1;
    while (taken.has(`${stem}-${number}`)) number += 1;
    this.#name.value = this.#name.dataset.suggested = `${stem}-${number}`;
  }

  async #submit() {
    const { board, drive, selection } = this.#parts;
    const line = this.#line();
    for (const target of [this.#error, this.#done]) write(target, "");
    if (line === null) return;
    this.#start.disabled = true;
    const isPerson = this.#plugin.value === PERSON;
    const existing = this.#existingRobot();
    // By the time of the answer another one is suggested.
    const name = this.#name.value;
    const { ok, head, message } = line === "" ? { ok: true, head: `robot=${existing}`, message: "" } : await board.ask(line, { isQuiet: true });
    this.#start.disabled = this.#refused !== "";
    write(this.#error, message);
    if (!ok) return;
    const id = Number(/ ?robot=(\d+)/.exec(head)?.[1]);
    write(this.#done, existing === null ? `${name} is there.` : "It plays.");
    for (const control of [this.#x, this.#y, this.#heading]) control.value = "";
    this.#mark();
    selection.select(id);
    if (isPerson) void drive.start(id);
  }

  /** The command; empty if none is needed, null if it cannot be. */
  #line() {
    const isPerson = this.#plugin.value === PERSON;
    const existing = this.#existingRobot();
    if (isPerson && existing !== null) return "";
    const parts = isPerson
      ? ["ROBOT", quote(this.#name.value)]
      : ["START", existing === null ? quote(this.#name.value) : String(existing), `plugin=${quote(this.#plugin.value)}`];
    if (existing === null) {
      if (this.#robot.value === "") {
        write(this.#error, "The server has no robot files; start it with --robots DIR.");
        return null;
      }
      parts.push(`file=${quote(this.#robot.value)}`);
      if (this.#team.value) parts.push(`team=${quote(this.#team.value)}`);
      parts.push(...this.#placeFields());
    }
    if (!isPerson) {
      const rate = this.#rate.value.trim();
      if (rate !== "") parts.push(`period_ms=${Number(rate) > 0 ? 1000 / Number(rate) : quote(rate)}`);
      const values = this.#parameters.values();
      if (Object.keys(values).length > 0) parts.push(`params=${quote(JSON.stringify(values))}`);
    }
    return parts.join(" ");
  }

  /** What is no number goes as it stands: the server says what it wants. */
  #placeFields() {
    const number = (/** @type {string} */ text, factor = 1) =>
      Number.isFinite(Number(text)) ? decimal(factor * Number(text)) : quote(text);
    const [x, y, degrees] = [this.#x, this.#y, this.#heading].map(({ value }) => value.trim());
    const fields = [];
    if (x !== "") fields.push(`x=${number(x)}`);
    if (y !== "") fields.push(`y=${number(y)}`);
    if (degrees !== "") fields.push(`theta=${number(degrees, Math.PI / 180)}`);
    return fields;
  }
}

/**
 * @param {string} id
 * @param {string} [placeholder]
 */
function input(id, placeholder = "") {
  return make("input", { id, type: "text", placeholder, autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
}

/**
 * @param {string} text
 * @param {string} value
 * @param {string} title
 */
function option(text, value, title) {
  return make("option", { value, title }, text);
}
