// Drives one robot by keyboard, gamepad or finger: takes it over from its player, says where it shall go, gives it back.

import { readGamepad } from "./gamepad.js";
import { Keyboard } from "./keyboard.js";
import { quote, readWords } from "./words.js";

/**
 * @typedef {import("./keyboard.js").Axis} Axis
 * @typedef {import("./keyboard.js").Axes} Axes
 *
 * @typedef {object} Robot
 * @property {number} id
 * @property {string} name
 * @property {Partial<Record<Axis, [number, number]>>} limits the velocities that it has: lowest and highest, m/s and rad/s
 * @property {string | null} kick the manipulator and its state that kick
 *
 * @typedef {object} Parts
 * @property {import("./board.js").Board} board
 * @property {import("./world.js").World} world
 * @property {HTMLCanvasElement} canvas
 */

/** Between two commands at least, ms. */
const PAUSE_MS = 50;
/** Who holds a key says so again after this, ms: somebody may have reset the world. */
const AGAIN_MS = 500;
/** How often the gamepad is looked at, ms. */
const LOOK_MS = 20;
/** So long after TAKE the picture shows who has the robot, ms: a picture of before may still be on its way. */
const SHOWN_MS = 5000;

/** @type {Axis[]} */
export const AXES = ["forward", "left", "turn"];

/** It dispatches "change" when another robot is driven, or none. */
export class Drive extends EventTarget {
  /** The part of the robot's highest speeds. */
  speed = 0.5;
  /** What a finger on the page's own pad wants. @type {Axes} */
  touch = { forward: 0, left: 0, turn: 0 };
  /** Why the last one ended, or did not begin, for people. */
  reason = "";
  #parts;
  #keyboard;
  /** @type {Robot | null} */
  #robot = null;
  /** A robot is about to be driven: keys that are pressed meanwhile count already. */
  #isStarting = false;
  /** Counts the attempts, so that a late answer belongs to none. */
  #attempt = 0;
  /** Whether the server has shown that the robot is taken. */
  #isTaken = false;
  #takenAt = -Infinity;
  #isWatched = true;
  #sent = "";
  #sentAt = -Infinity;
  #padKicked = false;

  /** @param {Parts} parts */
  constructor(parts) {
    super();
    this.#parts = parts;
    this.#keyboard = new Keyboard({
      isDriving: () => this.#robot !== null || this.#isStarting,
      changed: () => this.flush(),
      kick: () => this.kick(),
      leave: () => this.stop(),
    });
    window.addEventListener("blur", () => this.#watch(false));
    window.addEventListener("focus", () => this.#watch(true));
    document.addEventListener("visibilitychange", () => this.#watch(!document.hidden));
    setInterval(() => this.#look(), LOOK_MS);
  }

  /** The robot that is driven. @returns {Robot | null} */
  get robot() {
    return this.#robot;
  }

  /**
   * Takes a robot over; gives the last one back.
   * @param {number} id
   */
  async start(id) {
    this.stop();
    const attempt = ++this.#attempt;
    this.#isStarting = true;
    const { board, canvas } = this.#parts;
    const described = await board.ask(`DESCRIBE ${id}`, { isQuiet: true });
    if (!described.ok) return this.#end(described.message, attempt);
    const robot = readRobot(id, described);
    if (Object.keys(robot.limits).length === 0) {
      return this.#end(`${robot.name} has no velocity that keys could set.`, attempt);
    }
    if (attempt !== this.#attempt) return;
    const taken = await board.ask(`TAKE ${id}`, { isQuiet: true });
    if (!taken.ok) return this.#end(taken.message, attempt);
    if (attempt !== this.#attempt) {
      void board.ask(`GIVE ${id}`, { isQuiet: true });
      return;
    }
    this.#robot = robot;
    this.#isStarting = false;
    this.#isTaken = false;
    this.#takenAt = performance.now();
    this.#sent = `TWIST ${id} 0 0 0`;
    this.reason = "";
    canvas.focus({ preventScroll: true });
    this.dispatchEvent(new Event("change"));
  }

  /** Gives the robot back. */
  stop() {
    this.#attempt += 1;
    this.#isStarting = false;
    if (!this.#robot) return;
    void this.#parts.board.ask(`GIVE ${this.#robot.id}`, { isQuiet: true });
    this.#end("", this.#attempt);
  }

  /** The connection is another one, and has nothing of the last. */
  forget() {
    this.#attempt += 1;
    this.#isStarting = false;
    if (this.#robot) this.#end("The connection was lost.", this.#attempt);
  }

  /** Looks whether the robot is still there, and ours: not in what is shown of the past. */
  check() {
    const { world } = this.#parts;
    if (!this.#robot || world.looking !== null) return;
    const { id, name } = this.#robot;
    const taken = world.objects.get(id)?.taken;
    // Who gives it back between two pictures leaves nothing to be seen of its being taken.
    this.#isTaken ||= taken === true || performance.now() - this.#takenAt > SHOWN_MS;
    if (!taken && this.#isTaken) this.#end(taken === false ? `Somebody gave ${name} back.` : `${name} has gone.`, this.#attempt);
  }

  kick() {
    if (this.#robot?.kick) this.#say(`MANIPULATE ${this.#robot.id} ${this.#robot.kick}`);
  }

  /**
   * Says where it shall go, if that is something new, and not too soon after the last time.
   * @param {boolean} [atOnce]
   */
  flush(atOnce = false) {
    if (!this.#robot) return;
    const velocities = this.#velocities(this.#robot);
    const line = `TWIST ${this.#robot.id} ${velocities.join(" ")}`;
    const passed = performance.now() - this.#sentAt;
    const isMoving = velocities.some((velocity) => velocity !== 0);
    if (line === this.#sent && !(isMoving && passed >= AGAIN_MS)) return;
    if (passed < PAUSE_MS && !atOnce) return;
    this.#sent = line;
    this.#sentAt = performance.now();
    this.#say(line);
  }

  /** What is wanted, in the order of the axes. @param {Robot} robot */
  #velocities({ limits }) {
    const axes = this.#axes();
    return AXES.map((axis) => {
      const [low, high] = limits[axis] ?? [0, 0];
      const part = Math.max(-1, Math.min(1, axes[axis])) * this.speed;
      // No -0.
      return Math.round(1000 * part * (part > 0 ? high : -low)) / 1000 || 0;
    });
  }

  /** @returns {Axes} */
  #axes() {
    const none = { forward: 0, left: 0, turn: 0 };
    const all = [this.#keyboard.axes(), this.touch, (this.#isWatched && readGamepad()?.axes) || none];
    return {
      forward: all.reduce((sum, axes) => sum + axes.forward, 0),
      left: all.reduce((sum, axes) => sum + axes.left, 0),
      turn: all.reduce((sum, axes) => sum + axes.turn, 0),
    };
  }

  /** @param {string} line */
  #say(line) {
    const attempt = this.#attempt;
    void this.#parts.board.ask(line, { isQuiet: true }).then(({ ok, head, message }) => {
      if (!ok && /^ERR sim\/(taken|no-such-robot)/.test(head)) this.#end(message, attempt);
    });
  }

  #look() {
    this.check();
    if (!this.#robot || !this.#isWatched) return;
    const isKick = readGamepad()?.kick ?? false;
    if (isKick && !this.#padKicked) this.kick();
    this.#padKicked = isKick;
    this.flush();
  }

  /** Who looks elsewhere drives nothing. @param {boolean} isWatched */
  #watch(isWatched) {
    this.#isWatched = isWatched;
    if (isWatched) return;
    this.#keyboard.clear();
    this.touch = { forward: 0, left: 0, turn: 0 };
    this.flush(true);
  }

  /**
   * @param {string} reason
   * @param {number} attempt
   */
  #end(reason, attempt) {
    if (attempt !== this.#attempt) return;
    this.#robot = null;
    this.#isStarting = false;
    this.#keyboard.clear();
    this.reason = reason;
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * @param {number} id
 * @param {import("./board.js").Answer} described
 * @returns {Robot}
 */
function readRobot(id, { head, lines }) {
  /** @type {Robot} */
  const robot = { id, name: readWords(head).fields.name ?? "", limits: {}, kick: null };
  for (const { word, words, fields } of lines.map(readWords)) {
    if (word === "DIM" && AXES.includes(/** @type {Axis} */ (fields.part))) {
      robot.limits[/** @type {Axis} */ (fields.part)] = [Number(fields.min), Number(fields.max)];
    }
    if (word === "MANIPULATOR" && fields.kicks !== undefined) {
      robot.kick ??= `${quote(words[0])} ${quote(fields.kicks)}`;
    }
  }
  return robot;
}
