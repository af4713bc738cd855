// Where the chosen robot and the ball are, in numbers, and how they move: values that can be plotted like any other.

import { make } from "./dom.js";
import { liveValue } from "./inspect.js";
import { BALL_BIT } from "./selection.js";
import { Speeds } from "./speeds.js";

/** @typedef {import("./protocol.js").Frame} Frame */

/** Speeds are those of so long, simulated seconds. */
const SPEED_SECS = 0.1;

/** @type {[string, string, string, string][]} key, label, unit, and whose it is */
const VALUES = [
  ["x", "x", "m", "robot"], ["y", "y", "m", "robot"], ["heading", "heading", "rad", "robot"], ["speed", "speed", "m/s", "robot"],
  ["ball_x", "ball x", "m", "ball"], ["ball_y", "ball y", "m", "ball"], ["ball_speed", "ball speed", "m/s", "ball"],
  ["ball_distance", "to ball", "m", "ball"], ["ball_bearing", "bearing", "rad", "ball"],
];

/**
 * What a frame says of a robot and the ball that is nearest to it, by the keys of `VALUES`.
 * @param {Frame} frame
 * @param {Frame | undefined} other some time earlier or later, for speeds
 * @param {number} id
 * @param {ReadonlyMap<number, number>} [speeds] those that are known, m/s
 * @returns {Record<string, number>}
 */
export function valuesOf(frame, other, id, speeds) {
  const pose = frame.poses.get(id);
  if (!pose) return {};
  const speed = (/** @type {number} */ of) => {
    const known = speeds?.get(of);
    if (known !== undefined) return known;
    const [now, then] = [frame.poses.get(of), other?.poses.get(of)];
    return now && then && other ? Math.hypot(now.x - then.x, now.y - then.y) / Math.abs(frame.time - other.time) : NaN;
  };
  /** @type {Record<string, number>} */
  const values = { x: pose.x, y: pose.y, heading: wrap(pose.theta), speed: speed(id) };
  let nearest = Infinity;
  for (const [ball, at] of frame.poses) {
    if (ball < BALL_BIT) continue;
    const distance = Math.hypot(at.x - pose.x, at.y - pose.y);
    if (distance >= nearest) continue;
    nearest = distance;
    Object.assign(values, {
      ball_x: at.x, ball_y: at.y, ball_speed: speed(ball), ball_distance: distance,
      ball_bearing: wrap(Math.atan2(at.y - pose.y, at.x - pose.x) - pose.theta),
    });
  }
  return values;
}

export class PoseView {
  #traces;
  #world;
  #speeds;
  #game = make("div");
  /** @type {Map<string, import("./inspect.js").LiveValue>} */
  #values = new Map();
  element;
  #balls;

  /**
   * @param {import("./traces.js").Traces} traces
   * @param {import("./world.js").World} world
   * @param {import("./board.js").Board} board
   */
  constructor(traces, world, board) {
    this.#traces = traces;
    this.#world = world;
    this.#speeds = new Speeds(board, world);
    const list = (/** @type {string} */ whose) => make("dl", { class: "pairs two" }, ...VALUES.filter(([, , , of]) => of === whose)
      .map(([key, label, unit]) => this.#pair(`pose.${key}`, label, unit)));
    this.#balls = list("ball");
    this.element = make("div", {}, list("robot"), this.#balls, this.#game);
    traces.addEventListener("change", () => this.#values.forEach(({ mark }) => mark()));
  }

  /** A connection was made: its referee may say other things. */
  begin() {
    for (const key of this.#values.keys()) if (key.startsWith("game.")) this.#values.delete(key);
    this.#game.replaceChildren();
  }

  /**
   * @param {number} id
   * @param {Frame} frame
   * @param {Record<string, number>} game what the referee says in numbers
   */
  show(id, frame, game) {
    const { history, looking, hello } = this.#world;
    const other = looking === null ? history.before(frame.time - SPEED_SECS) : history.beside(frame, looking, SPEED_SECS, hello?.dt_secs ?? 1);
    const values = valuesOf(frame, other, id, this.#speeds.of(id, frame));
    this.#balls.hidden = !("ball_x" in values);
    for (const [key, value] of Object.entries(values)) {
      this.#values.get(`pose.${key}`)?.show(value);
      this.#traces.add(`pose.${key}`, frame.time, value);
    }
    for (const [name, value] of Object.entries(game)) {
      const key = `game.${name}`;
      if (!this.#values.has(key)) this.#game.append(make("dl", { class: "pairs two" }, this.#pair(key, name, "1")));
      this.#values.get(key)?.show(value);
      this.#traces.add(key, frame.time, value);
    }
  }

  /**
   * What is known of a value before it was chosen, as [time, value].
   * @param {string} key
   * @param {number} id
   * @returns {[number, number][]}
   */
  known(key, id) {
    if (!key.startsWith("pose.")) return [];
    const { history } = this.#world;
    const { frames } = history;
    let at = 0;
    return frames.map((frame, now) => {
      if (history.isBegin(frame)) at = now;
      while (at + 1 < frames.length && frames[at + 1].time <= frame.time - SPEED_SECS) at += 1;
      const before = frames[at].time < frame.time ? frames[at] : undefined;
      return /** @type {[number, number]} */ ([frame.time, valuesOf(frame, before, id)[key.slice(5)] ?? NaN]);
    });
  }

  /** @param {string} key @param {string} label @param {string} unit */
  #pair(key, label, unit) {
    const value = liveValue(this.#traces, key, label, unit);
    this.#values.set(key, value);
    return make("div", {}, make("dt", {}, label), make("dd", {}, value.element));
  }
}

/** An angle from -pi to pi. @param {number} angle */
function wrap(angle) {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}
