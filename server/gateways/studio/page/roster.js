// The section that lists the robots: who drives each, what went wrong with it, and an end to it.

import { button, make, swatch, write } from "./dom.js";
import { sureButton } from "./sure.js";
import { readWords } from "./words.js";

/**
 * @typedef {import("./protocol.js").WorldObject} WorldObject
 *
 * @typedef {object} Parts
 * @property {import("./board.js").Board} board
 * @property {import("./world.js").World} world
 * @property {import("./drive.js").Drive} drive
 * @property {import("./selection.js").Selection} selection
 *
 * @typedef {{ element: HTMLLIElement, show: (robot: WorldObject) => void }} Row
 */

/** Who made and who has taken a robot is asked for at most so often, ms. */
const ASK_MS = 300;
/** A list of so many can be filtered. */
const FILTERED = 6;

export class Roster {
  #parts;
  #count = make("p", { class: "quiet" });
  #list = make("ul", { class: "roster" });
  #filter = make("input", { id: "robots-filter", type: "text", autocomplete: "off", placeholder: "name or player", "aria-label": "Filter the robots" });
  element = make("div", {}, this.#count, this.#filter, this.#list);
  /** @type {Map<number, Row>} */
  #rows = new Map();
  /** @type {Map<number, Record<string, string>>} What `LIST` says of each robot. */
  #listed = new Map();
  #asking = 0;
  /** Who drove which robot when that was asked. */
  #drivers = "";
  /** Why nothing may be done here; empty if it may. */
  #refused = "";

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#filter.addEventListener("input", () => this.#show());
    parts.selection.addEventListener("change", () => {
      this.#show();
      this.#rows.get(parts.selection.id ?? -1)?.element.scrollIntoView({ block: "nearest" });
    });
    parts.drive.addEventListener("change", () => this.#show());
  }

  /** @param {string} refused */
  allow(refused) {
    this.#refused = refused;
    this.#show();
  }

  /** A connection was made: robots of the same numbers may be others. */
  begin() {
    this.#rows.clear();
    this.#list.replaceChildren();
    this.#listed.clear();
    this.#drivers = "";
    this.#show();
  }

  /** Robots came, went, or are others than before. */
  update() {
    const { world, board } = this.#parts;
    for (const [id, { element }] of this.#rows) {
      if (world.objects.has(id)) continue;
      element.remove();
      this.#rows.delete(id);
    }
    for (const { id, kind } of world.objects.values()) {
      if (kind !== "robot" || this.#rows.has(id)) continue;
      const row = this.#row(id);
      this.#rows.set(id, row);
      this.#list.append(row.element);
    }
    this.#show();
    const robots = [...world.objects.values()].filter(({ kind }) => kind === "robot");
    const drivers = robots.map(({ id, player, taken }) => `${id} ${player} ${taken}`).join();
    // Robots are told anew with every kick as well.
    if (drivers === this.#drivers) return;
    this.#drivers = drivers;
    this.#asking ||= window.setTimeout(async () => {
      const { lines } = await board.ask("LIST", { isQuiet: true });
      this.#asking = 0;
      this.#listed = new Map(lines.map(readWords).map(({ words, fields }) => [Number(words[0]), fields]));
      this.#show();
    }, ASK_MS);
  }

  #show() {
    const { world } = this.#parts;
    const words = this.#filter.value.trim().toLowerCase();
    for (const [id, { show, element }] of this.#rows) {
      const robot = world.objects.get(id);
      if (robot) show(robot);
      element.hidden = words !== "" && !`${robot?.name} ${robot?.player ?? ""}`.toLowerCase().includes(words);
    }
    this.#filter.hidden = this.#rows.size < FILTERED;
    write(this.#count, this.#rows.size === 0 ? "There are none." : "");
    this.#count.hidden = this.#rows.size > 0;
  }

  /**
   * @param {number} id
   * @returns {Row}
   */
  #row(id) {
    const { board, drive, selection, world } = this.#parts;
    const error = make("p", { class: "error", role: "alert" });
    const ask = async (/** @type {string} */ line) => {
      const { message } = await board.ask(line, { isQuiet: true });
      write(error, message);
    };
    const hasPlayer = () => Boolean(world.objects.get(id)?.player);
    const name = button("", () => selection.select(selection.id === id ? null : id), { class: "name" });
    const what = make("span", { class: "quiet what" });
    const steer = button("Drive", () => {
      if (drive.robot?.id === id) drive.stop();
      else if (world.objects.get(id)?.taken) void ask(`GIVE ${id}`);
      else void drive.start(id);
    });
    const sure = sureButton("Stop", () => void ask(`${hasPlayer() ? "STOP" : "REMOVE"} ${id}`));
    const end = sure.element;
    const fault = make("p", { class: "error fault" });
    let looks = "";
    const show = (/** @type {WorldObject} */ robot) => {
      const now = `${robot.colour} ${robot.team} ${robot.name}`;
      if (looks !== now) name.replaceChildren(swatch(robot.colour, robot.team), robot.name);
      looks = now;
      name.setAttribute("aria-pressed", String(selection.id === id));
      write(what, this.#driver(robot));
      write(fault, robot.fault ?? "");
      const steering = robot.taken || drive.robot?.id === id ? "Give back" : "Drive";
      const ending = robot.player ? "Stop" : "Remove";
      for (const [control, word, title] of /** @type {const} */ ([
        [steer, steering, steering === "Drive" ? "Take it over and drive it yourself" : "Its player goes on"],
        [end, ending, ending === "Stop" ? "End its player; the robot goes with it" : "Remove the robot"],
      ])) {
        if (control === end) sure.name(word);
        else write(control, word);
        control.setAttribute("aria-label", `${word} ${robot.name}`);
        control.disabled = this.#refused !== "";
        control.title = this.#refused || title;
      }
    };
    const head = make("div", { class: "row" }, name, what, steer, end);
    return { element: make("li", {}, head, fault, error), show };
  }

  /** Who drives a robot, in words. @param {WorldObject} robot */
  #driver({ id, player, taken }) {
    if (this.#parts.drive.robot?.id === id) return "you";
    const { taken_by: taker = "somebody", client } = this.#listed.get(id) ?? {};
    if (taken) return `taken by ${taker}`;
    return player ?? (client ? `by ${client}` : "nobody");
  }
}
