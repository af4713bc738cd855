// What the page knows of the world, and where everything is at the tick that is drawn.
//
// Frames come unevenly, so the page runs a little behind the newest one, at the pace at which simulated time
// passes, and draws the state between the two frames around its tick.

import { History } from "./history.js";
import { withShadows } from "./shadow.js";

/**
 * @typedef {import("./protocol.js").Frame} Frame
 * @typedef {import("./protocol.js").Pose} Pose
 * @typedef {import("./protocol.js").Message} Message
 */

/** How far behind the newest frame the page draws, seconds of real time. */
const DELAY_SECS = 0.04;
/** Frames that are kept to draw between. */
const KEPT_FRAMES = 16;
/** Whoever moves faster than this, in m/s, was put somewhere: no drawing in between. */
const PUT_SPEED = 25;
/** A recording that is so much further than its speed explains was sought in, simulated seconds. */
const JUMP_SECS = 0.5;
/** With more objects than this, trails have fewer points. */
const MANY = 60;
/** How long a trail is, simulated seconds. */
const TRAIL_SECS = 3;

export class World {
  /** @type {import("./protocol.js").Hello | null} */
  hello = null;
  /** @type {Map<number, import("./protocol.js").WorldObject>} */
  objects = new Map();
  /** @type {import("./protocol.js").Game} */
  game = { score: [], phase: "play", restart: null, values: {}, episode: 0 };
  /** @type {import("./protocol.js").Status} */
  status = { paused: false, speed: 1, real_time_factor: 1, late_ms: 0, tick: 0, oldest: 0, newest: 0, replay: false, departs: null, recording: false, episode: null };
  /** @type {Map<number, Record<string, unknown>>} What each robot publishes about itself. */
  annotations = new Map();
  /** @type {Map<number, import("./protocol.js").Shadow>} The players that run beside those of robots. */
  shadows = new Map();
  /** The tick of the past that this page is shown; null if what is true now. @type {number | null} */
  looking = null;
  /** What is told of an earlier time was told of a look at the past, and comes late. While this page looks, all was: simulated seconds. */
  nowSince = -Infinity;
  /** Counts up whenever what is shown does not go on from what was: a reset, a fork, a look at the past or its end. */
  cuts = 0;
  /** Whether the server answers. */
  isLive = true;
  /** Counts up whenever what stands still has changed. */
  fixturesVersion = 0;
  /** Counts up whenever anything that is drawn has changed. */
  version = 0;

  /** Where everything is in the picture that was drawn last. @type {Map<number, Pose>} */
  drawn = new Map();
  history = new History();
  /** What the referee had said when a frame came. @type {WeakMap<Frame, import("./protocol.js").Game>} */
  gameAt = new WeakMap();

  /** @type {Frame[]} Oldest first. */
  #frames = [];
  /** Whether the next frame has nothing to do with the last. */
  #isCut = false;
  /** The last frame before this page began to look at the past. @type {Frame | null} */
  #left = null;
  /** Whether the next frame is that of the last status. */
  #isPlaced = false;
  /** Simulated seconds for each real second, by the arrival of frames. */
  #rate = 1;
  #arrivedAt = 0;
  /** The tick that is drawn, simulated seconds. */
  #tick = 0;
  #drawnAt = 0;
  #drawnTick = NaN;
  /** @type {Map<number, { t: number, x: number, y: number }[]>} */
  #trails = new Map();

  /** The newest frame. @returns {Frame | null} */
  get newest() {
    return this.#frames.at(-1) ?? null;
  }

  /** Whether who looks at the page may command; what exactly, the message board says. */
  get mayCommand() {
    return ["operator", "trainer", "referee"].includes(this.hello?.role ?? "");
  }

  /** Whether robots and score are those of the past; after a look those of now come with the next frame. */
  get isPast() {
    return this.looking !== null || this.nowSince === Infinity;
  }

  /** Whether this page may change what it shows: not a recording, nor the past. */
  get canChange() {
    return this.mayCommand && this.isLive && !this.status.replay && !this.isPast;
  }

  /**
   * Takes over what a message says about the world.
   * @param {Message} message
   */
  hear(message) {
    this.version += 1;
    switch (message.type) {
      case "hello":
        this.hello = message;
        [this.looking, this.nowSince, this.#left] = [null, -Infinity, null];
        this.objects.clear();
        this.annotations.clear();
        this.shadows.clear();
        this.#frames = [];
        this.history.forgetLooks();
        this.#trails.clear();
        this.fixturesVersion += 1;
        break;
      case "objects":
        for (const object of message.put) this.objects.set(object.id, object);
        for (const id of message.gone) {
          this.objects.delete(id);
          this.annotations.delete(id);
          this.shadows.delete(id);
          this.#trails.delete(id);
        }
        break;
      case "annotations":
        this.annotations.set(message.id, withShadows(message.values, this.shadows.get(message.id)));
        break;
      case "shadow":
        if (message.shadow) this.shadows.set(message.id, message.shadow);
        else this.shadows.delete(message.id);
        this.annotations.set(message.id, withShadows(this.annotations.get(message.id), message.shadow));
        break;
      case "game":
        this.game = message;
        break;
      case "status":
        this.status = message;
        this.#isPlaced = true;
        break;
      case "looking":
        // A look that was refused while there was none leaves all as it is.
        if (message.tick === this.looking) break;
        if (this.nowSince < Infinity) this.#left = this.newest;
        this.nowSince = Infinity;
        this.looking = message.tick;
        this.#isCut = true;
        break;
    }
  }

  /**
   * Takes a new frame; gives whether it goes on from the last one.
   * @param {Frame} frame
   * @param {number} nowMs
   */
  receive(frame, nowMs) {
    const last = this.newest;
    const wall = (nowMs - this.#arrivedAt) / 1000;
    const goesOn = last !== null && !this.#isCut && this.#canFollow(last, frame, wall);
    this.#isCut = false;
    if (!goesOn) this.cuts += 1;
    if (last && !goesOn) {
      this.#frames = [];
      this.#trails.clear();
    }
    if (last && this.#frames.length > 0 && wall > 0 && wall < 1) {
      // Averages over about half a second.
      const weight = Math.min(1, wall / 0.5);
      this.#rate += weight * ((frame.time - last.time) / wall - this.#rate);
    }
    this.#arrivedAt = nowMs;
    this.gameAt.set(frame, this.game);
    this.version += 1;
    // Something was put elsewhere while time stood: the old picture of this tick is no longer true.
    if (last && frame.time === last.time) this.#frames.pop();
    this.#frames.push(frame);
    if (this.#frames.length > KEPT_FRAMES) this.#frames.shift();
    this.#remember(frame, goesOn);
    return goesOn;
  }

  /**
   * What this page looks at for itself has not happened now: what is known of the world's course stays as it is meanwhile.
   * @param {Frame} frame
   * @param {boolean} goesOn
   */
  #remember(frame, goesOn) {
    if (this.looking !== null) {
      this.history.look(frame, this.looking);
      return;
    }
    const left = this.#left;
    const isBack = this.nowSince === Infinity;
    const isSame = left !== null && left.run === frame.run && left.time <= frame.time;
    this.history.keep(frame, isBack ? (isSame ? "unseen" : "anew") : goesOn ? "on" : "anew");
    if (isBack) [this.nowSince, this.#left] = [frame.time, null];
    // Time was set back: what comes now is of earlier, and is no look.
    else if (!goesOn) this.nowSince = Math.min(this.nowSince, frame.time);
    if (this.#isPlaced) this.history.place(frame, this.status.tick);
    this.#isPlaced = false;
  }

  /**
   * Whether time may have passed from one frame to the next, and nobody has jumped.
   * @param {Frame} last
   * @param {Frame} frame
   * @param {number} wall seconds between them
   */
  #canFollow(last, frame, wall) {
    const passed = frame.time - last.time;
    if (frame.run !== last.run || passed < 0) return false;
    // A live world gets far only step by step: the page, its link or the server was held up, and catches up now.
    const { speed, replay } = this.status;
    return !replay || typeof speed !== "number" || passed < JUMP_SECS + 2 * Math.abs(speed) * wall;
  }

  /**
   * Where everything is at the tick to be drawn.
   * @param {number} nowMs
   * @returns {Map<number, Pose>}
   */
  posesAt(nowMs) {
    const newest = this.newest;
    if (!newest) return new Map();
    const wall = Math.min(0.25, (nowMs - this.#drawnAt) / 1000);
    this.#drawnAt = nowMs;
    const isRunning = nowMs - this.#arrivedAt < 250;
    const target = newest.time - (isRunning ? DELAY_SECS * this.#rate : 0);
    if (isRunning) this.#tick += wall * this.#rate;
    // Steers softly towards the target, and jumps when it is far off.
    const error = target - this.#tick;
    if (Math.abs(error) > 0.3 * Math.max(this.#rate, 0.1)) this.#tick = target;
    else this.#tick += error * (1 - Math.exp(-wall / 0.15));
    this.#tick = Math.min(this.#tick, newest.time);
    if (this.#tick !== this.#drawnTick) this.version += 1;
    this.#drawnTick = this.#tick;

    const at = this.#frames.findIndex((frame) => frame.time >= this.#tick);
    const after = this.#frames[at] ?? newest;
    const before = this.#frames[at - 1];
    const poses = before ? between(before, after, this.#tick) : after.poses;
    this.#extendTrails(poses);
    this.drawn = poses;
    return poses;
  }

  /**
   * Where an object was of late, oldest first.
   * @param {number} id
   */
  trail(id) {
    return this.#trails.get(id) ?? [];
  }

  /**
   * Where an object was at a step, as far as frames of about then are kept; null before its frame has come, and where none was seen.
   * @param {number} id
   * @param {number} step
   * @returns {Pose | null}
   */
  poseAtStep(id, step) {
    const at = this.#frames.findIndex((frame) => frame.step >= step);
    if (at < 0) return null;
    const next = this.#frames[at];
    if (next.step === step) return next.poses.get(id) ?? null;
    const kept = this.#frames[at - 1];
    // A sample that was long on its way is older than what is kept to draw between.
    const [before, after] = kept ? [kept, next] : this.history.around(step, next, this.looking, this.hello?.dt_secs ?? 1) ?? [];
    if (!before || !after) return null;
    const part = (step - before.step) / (after.step - before.step || 1);
    return between(before, after, before.time + part * (after.time - before.time)).get(id) ?? null;
  }

  /** @param {Map<number, Pose>} poses */
  #extendTrails(poses) {
    const t = this.#tick;
    const spacing = poses.size > MANY ? 0.06 : 0.02;
    for (const [id, { x, y }] of poses) {
      let trail = this.#trails.get(id);
      if (!trail) this.#trails.set(id, (trail = []));
      const last = trail.at(-1);
      if (last && (t < last.t || Math.hypot(x - last.x, y - last.y) > 0.5 + PUT_SPEED * (t - last.t))) trail.length = 0;
      if (!last || Math.hypot(x - last.x, y - last.y) > spacing) trail.push({ t, x, y });
      while (trail.length > 0 && trail[0].t < t - TRAIL_SECS) trail.shift();
    }
  }
}

/**
 * The state between two frames.
 * @param {Frame} before
 * @param {Frame} after
 * @param {number} tick simulated seconds
 */
export function between(before, after, tick) {
  const span = after.time - before.time;
  const part = span > 0 ? (tick - before.time) / span : 1;
  /** @type {Map<number, Pose>} */
  const poses = new Map();
  for (const [id, b] of after.poses) {
    const a = before.poses.get(id);
    const wasPut = !a || Math.hypot(b.x - a.x, b.y - a.y) > 0.5 + PUT_SPEED * span;
    poses.set(id, wasPut ? b : {
      x: a.x + part * (b.x - a.x),
      y: a.y + part * (b.y - a.y),
      theta: a.theta + part * Math.atan2(Math.sin(b.theta - a.theta), Math.cos(b.theta - a.theta)),
      z: (a.z ?? 0) + part * ((b.z ?? 0) - (a.z ?? 0)),
    });
  }
  return poses;
}
