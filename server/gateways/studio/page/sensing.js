// What robots' sensors say, as far as somebody looks: the board is asked to push that, and nothing else.

import { isForbidden } from "./board.js";
import { decode, isPicture, readData, readDescription } from "./layout.js";
import { quote, readWords } from "./words.js";

/**
 * @typedef {import("./layout.js").Description} Description
 * @typedef {import("./layout.js").Sensor} Sensor
 * @typedef {import("./protocol.js").Pose} Pose
 *
 * @typedef {object} Reading
 * @property {Sensor} sensor
 * @property {number} step at which it was sensed, which may be long before it arrived
 * @property {number} time the same, simulated seconds
 * @property {number} age how old it was when it was told, simulated seconds
 * @property {import("./layout.js").Features} features
 * @property {string} fault why there is nothing; empty if there is
 *
 * @typedef {{ periodMs: number, ids: string[] }} Wish
 */

/** The board pushes no more robots at a time. */
export const MOST_PUSHES = 64;
/** Between two pictures, ms; they are asked for one by one, so a slow link only gets fewer. */
const PICTURE_MS = 200;

/** Dispatches "reading", with a robot's id as detail, and "described". */
export class Sensing extends EventTarget {
  #board;
  /** @type {Map<number, Description | null>} Null while it is asked for. */
  #descriptions = new Map();
  /** Why the board does not describe a robot, for people. @type {Map<number, string>} */
  #refusals = new Map();
  /** Why it describes none to this page's role; empty if it does. */
  #forbidden = "";
  /** @type {Map<number, Map<string, Reading>>} */
  #readings = new Map();
  /** The sensors that have sensed nothing yet. @type {Map<number, Set<string>>} */
  #pending = new Map();
  /** @type {Map<string, Map<number, Wish>>} What each of those who look wants. Where not all can be pushed, who looked first has it. */
  #wishes = new Map();
  /** @type {Map<number, string>} What the board pushes. */
  #pushed = new Map();
  #pictureTimer = 0;
  /** How many robots are looked at and not pushed, because there are too many. */
  left = 0;
  /** Counts up with each reading, and with what is looked at. */
  version = 0;
  /** Whether readings of a step belong to what is shown: some may be on their way still when another tick is. */
  isShown = (/** @type {number} */ _step) => true;
  /** Simulated seconds of a step. */
  dtSecs = () => 1;

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    super();
    this.#board = board;
    board.onState = (head, lines) => this.#hear(head, lines);
    document.addEventListener("visibilitychange", () => this.#settle());
  }

  /** Begins anew, after a connection was made. */
  begin() {
    this.#descriptions.clear();
    this.#refusals.clear();
    this.#forbidden = "";
    this.#forgetReadings();
    this.#pushed.clear();
    this.#settle();
  }

  /** Another tick is shown: what was said at the last one is no longer true. */
  leave() {
    // Who was not there may be there now.
    this.#refusals.clear();
    this.#forgetReadings();
    this.version += 1;
  }

  #forgetReadings() {
    this.#readings.clear();
    this.#pending.clear();
  }

  /** @param {number} id a robot that has gone */
  forget(id) {
    this.#descriptions.delete(id);
    this.#refusals.delete(id);
    this.#readings.delete(id);
    this.#pending.delete(id);
    this.#pushed.delete(id);
    for (const wishes of this.#wishes.values()) wishes.delete(id);
    this.version += 1;
  }

  /** The robots of which something is known. */
  get known() {
    return [...this.#descriptions.keys(), ...this.#refusals.keys()];
  }

  /** A robot's description, if it is known; it is asked for otherwise, but once. @param {number} id */
  description(id) {
    const known = this.#descriptions.get(id);
    if (known === undefined && !this.refusal(id)) void this.#describe(id);
    return known ?? null;
  }

  /** Why a robot's description cannot be had, for people; empty if it can, or nobody has asked. @param {number} id */
  refusal(id) {
    return this.#forbidden || (this.#refusals.get(id) ?? "");
  }

  /** Why no robot's sensors can be had by this page's role; empty if they can. */
  get forbidden() {
    return this.#forbidden;
  }

  /** A robot's sensors that have sensed nothing yet. @param {number} id @returns {ReadonlySet<string>} */
  pending(id) {
    return this.#pending.get(id) ?? new Set();
  }

  /** What a robot's sensors said last. @param {number} id @returns {ReadonlyMap<string, Reading>} */
  readings(id) {
    return this.#readings.get(id) ?? new Map();
  }

  /**
   * Says what somebody looks at, in place of what he looked at before.
   * @param {string} who
   * @param {Map<number, Wish>} wishes by robot
   */
  look(who, wishes) {
    this.#wishes.set(who, wishes);
    this.#settle();
  }

  /** @param {number} id */
  async #describe(id) {
    this.#descriptions.set(id, null);
    const answer = await this.#board.ask(`DESCRIBE ${id}`, { isQuiet: true });
    if (this.#descriptions.get(id) !== null) return;
    if (answer.ok) this.#descriptions.set(id, readDescription(answer.lines));
    else {
      this.#descriptions.delete(id);
      this.#refusals.set(id, answer.message);
      if (isForbidden(answer)) this.#forbidden = answer.message;
    }
    this.dispatchEvent(new CustomEvent("described", { detail: id }));
    this.#settle();
  }

  /** All that is looked at, of one robot. @param {number} id */
  #wished(id) {
    /** @type {Set<string>} */
    const ids = new Set();
    let periodMs = Infinity;
    for (const wishes of this.#wishes.values()) {
      const wish = wishes.get(id);
      if (!wish || wish.ids.length === 0) continue;
      periodMs = Math.min(periodMs, wish.periodMs);
      for (const sensor of wish.ids) ids.add(sensor);
    }
    const known = this.description(id)?.sensors ?? [];
    return { periodMs, sensors: known.filter((sensor) => ids.has(sensor.id)) };
  }

  /** Brings what the board pushes to what is looked at. */
  #settle() {
    this.version += 1;
    /** @type {Map<number, string>} */
    const lines = new Map();
    this.left = 0;
    const robots = new Set([...this.#wishes.values()].flatMap((wishes) => [...wishes.keys()]));
    for (const id of document.hidden ? [] : robots) {
      const { periodMs, sensors } = this.#wished(id);
      const names = sensors.filter((sensor) => !isPicture(sensor)).map((sensor) => quote(sensor.id));
      const isLeft = names.length > 0 && lines.size >= MOST_PUSHES;
      if (isLeft) this.left += 1;
      else if (names.length > 0) lines.set(id, `PUSH ${id} ${periodMs} ${names.join(" ")}`);
      // What nobody keeps up to date is not shown.
      const shown = new Set(sensors.filter((sensor) => !isLeft || isPicture(sensor)).map((sensor) => sensor.id));
      for (const known of [this.#readings.get(id), this.#pending.get(id)]) {
        for (const sensor of known?.keys() ?? []) if (!shown.has(sensor)) known?.delete(sensor);
      }
    }
    for (const id of [...this.#pushed.keys()]) {
      if (lines.has(id)) continue;
      this.#pushed.delete(id);
      if (!robots.has(id)) {
        this.#readings.delete(id);
        this.#pending.delete(id);
      }
      void this.#board.ask(`PUSH ${id} off`, { isQuiet: true });
    }
    for (const [id, line] of lines) {
      if (this.#pushed.get(id) === line) continue;
      this.#pushed.set(id, line);
      void this.#board.ask(line, { isQuiet: true });
    }
    this.#pictureTimer ||= window.setTimeout(() => this.#askPictures(), 0);
  }

  async #askPictures() {
    const robots = new Set([...this.#wishes.values()].flatMap((wishes) => [...wishes.keys()]));
    let isAsking = false;
    for (const id of document.hidden ? [] : robots) {
      const names = this.#wished(id).sensors.filter(isPicture).map((sensor) => quote(sensor.id));
      if (names.length === 0) continue;
      isAsking = true;
      const { ok, head, lines } = await this.#board.ask(`GET ${id} ${names.join(" ")}`, { isQuiet: true });
      if (ok) this.#hear(head, lines);
    }
    this.#pictureTimer = isAsking ? window.setTimeout(() => this.#askPictures(), PICTURE_MS) : 0;
  }

  /**
   * @param {string} head of STATE, or of the answer to GET
   * @param {string[]} lines
   */
  #hear(head, lines) {
    const { fields } = readWords(head);
    const id = Number(fields.robot);
    const sensors = this.#descriptions.get(id)?.sensors;
    if (!sensors || !this.isShown(Number(fields.step))) return;
    const { sensors: shown } = this.#wished(id);
    const readings = this.#readings.get(id) ?? new Map();
    const pending = this.#pending.get(id) ?? new Set();
    this.#readings.set(id, readings);
    this.#pending.set(id, pending);
    for (const line of lines) {
      const data = readData(line);
      const { word, words } = data ? { word: "DATA", words: [data.id] } : readWords(line);
      const sensor = shown.find((sensor) => sensor.id === words[0]);
      if (!sensor) continue;
      // So late is what it says: a sample has the stamp of when it was sensed.
      const lateUs = data ? Number(fields.stamp_us) - data.stamp : 0;
      const age = lateUs / 1e6;
      pending.delete(sensor.id);
      if (word === "NONE") {
        pending.add(sensor.id);
        readings.delete(sensor.id);
        continue;
      }
      readings.set(sensor.id, {
        sensor, age,
        step: Number(fields.step) - Math.round(age / this.dtSecs()),
        time: (Number(fields.sim_us) - lateUs) / 1e6,
        features: data ? decode(sensor, data.integers) : {},
        fault: data ? "" : words[1] ?? "it has failed",
      });
    }
    this.version += 1;
    this.dispatchEvent(new CustomEvent("reading", { detail: id }));
  }
}
