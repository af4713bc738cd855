// Draws what sensors say at their places: each reading where the robot was when it was made.

import { pictureField } from "./layout.js";
import {
  drawBelief, drawCones, drawContacts, drawCrossings, drawHeading, drawSightings, drawView, Fans, kindOf,
} from "./sensorshapes.js";

/**
 * @typedef {import("./sensing.js").Reading} Reading
 * @typedef {import("./protocol.js").Pose} Pose
 */

/** What lies under the robots; the rest lies over them. */
const BELOW = new Set(["fan", "cones", "crossings", "view"]);

/** What lies under the robots is drawn anew at most so often, ms: for few robots, and for many. */
const REFRESH_MS = 45;
const REFRESH_MANY_MS = 95;
const MANY = 3;
/** And, where that takes long, so many times as long as it takes, but once a second: robots shall move on meanwhile. */
const REST = 4;
const SELDOMEST_MS = 1000;
/** What was sensed so much later than the picture's tick is not drawn: a recording has been moved. Simulated seconds. */
const LATER_SECS = 1;

export class SensorLayer {
  #world;
  #sensing;
  /** @type {Map<number, string[]>} The sensors that are drawn, by robot. */
  #shown = new Map();
  /**
   * Where a dead reckoning's frame lies in the world: chosen so that it was right when it was first drawn.
   * @type {Map<string, { step: number, frame: Pose }>}
   */
  #anchors = new Map();
  #revision = 0;
  /** The version of the readings that is drawn; another one if some were drawn before their frame came. */
  #seen = -1;
  #refreshedAt = 0;
  #tookMs = 0;

  /**
   * @param {import("./world.js").World} world
   * @param {import("./sensing.js").Sensing} sensing
   */
  constructor(world, sensing) {
    this.#world = world;
    this.#sensing = sensing;
  }

  /** Other numbers are other pictures. */
  get version() {
    const now = performance.now();
    const { version } = this.#sensing;
    const apart = Math.max(this.#shown.size > MANY ? REFRESH_MANY_MS : REFRESH_MS, Math.min(SELDOMEST_MS, REST * this.#tookMs));
    if (version !== this.#seen && now - this.#refreshedAt >= apart) {
      this.#seen = version;
      this.#refreshedAt = now;
      this.#revision += 1;
    }
    return this.#revision;
  }

  /** What lies under the robots has been drawn anew. @param {number} ms */
  took(ms) {
    this.#tookMs = ms;
  }

  /** Whether there is anything to draw. */
  get isShown() {
    return this.#shown.size > 0;
  }

  /** @param {Map<number, string[]>} shown the sensors to draw, by robot */
  show(shown) {
    this.#shown = shown;
    this.#revision += 1;
    for (const key of this.#anchors.keys()) {
      const [id, sensor] = key.split(" ");
      if (!shown.get(Number(id))?.includes(sensor)) this.#anchors.delete(key);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {import("./camera.js").Camera} camera
   * @param {number} ratio
   * @param {Map<number, Pose>} poses
   * @param {"below" | "above"} depth
   */
  draw(context, camera, ratio, poses, depth) {
    const newest = this.#world.newest?.time ?? 0;
    const newestStep = this.#world.newest?.step ?? -1;
    const teams = (this.#world.hello?.teams ?? []).map(({ colour }) => colour);
    const fans = new Fans();
    for (const [id, ids] of this.#shown) {
      const robot = this.#world.objects.get(id);
      const drawn = poses.get(id);
      if (!robot || !drawn) continue;
      for (const reading of this.#sensing.readings(id).values()) {
        const { sensor, features, step } = reading;
        if (!ids.includes(sensor.id) || reading.fault || reading.time > newest + LATER_SECS) continue;
        const known = this.#world.poseAtStep(id, step);
        // Where it was when it sensed this was not seen: its place now would be a wrong one.
        if (!known && step < newestStep) continue;
        if (!known) this.#seen = -1;
        const pose = known ?? drawn;
        const { fieldOfView, rangeMax } = sensor;
        const look = { px: 1 / camera.scale, radius: robot.radius, teams, fieldOfView, rangeMax };
        const enter = (/** @type {Pose} */ { x, y, theta }) => {
          context.setTransform(...camera.matrix(ratio));
          context.translate(x, y);
          context.rotate(theta);
        };
        const enterSensor = () => {
          enter(pose);
          context.translate(sensor.mount.x, sensor.mount.y);
          context.rotate(sensor.mount.theta);
        };
        let hasView = sensor.features.some(pictureField);
        for (const [feature, values] of Object.entries(features)) {
          const kind = kindOf(values);
          // An obstacle is found in a fan, which shows by itself how far it goes.
          hasView ||= kind === "crossings" || (kind === "sightings" && !("width" in values));
          if (!kind || BELOW.has(kind) !== (depth === "below")) continue;
          enterSensor();
          switch (kind) {
            case "fan": fans.add(values, compose(pose, sensor.mount), look); break;
            case "cones": drawCones(context, values, look); break;
            case "crossings": {
              const field = sensor.features.find(({ name }) => name === feature)?.fields.find(({ name }) => name === "distances");
              drawCrossings(context, { ...values, rays: [field?.shape[0] ?? 1] }, look);
              break;
            }
            case "sightings": drawSightings(context, values, look, feature); break;
            case "contacts": drawContacts(context, values, look); break;
            case "heading":
              enter({ ...pose, theta: 0 });
              drawHeading(context, values, look);
              break;
            case "pose": {
              const believed = { x: values.x[0], y: values.y[0], theta: values.theta[0] };
              if (!Object.values(believed).every(Number.isFinite)) break;
              // A dead reckoning says how it goes as well, and its frame lies anywhere; a localisation's is the world's.
              const isReckoned = "velocity_x" in values && !("ball_x" in values);
              enter(isReckoned ? this.#anchored(`${id} ${sensor.id}`, step, pose, believed) : believed);
              drawBelief(context, look);
              break;
            }
          }
        }
        if (hasView && depth === "below") {
          enterSensor();
          drawView(context, look);
        }
      }
    }
    context.setTransform(...camera.matrix(ratio));
    fans.draw(context);
  }

  /**
   * A pose of a dead reckoning's, in the world.
   * @param {string} key
   * @param {number} step
   * @param {Pose} pose where it really was
   * @param {Pose} believed
   * @returns {Pose}
   */
  #anchored(key, step, pose, believed) {
    let anchor = this.#anchors.get(key);
    // A reset or a rewind begins anew.
    if (!anchor || step < anchor.step) anchor = { step, frame: behind(pose, believed) };
    anchor.step = step;
    this.#anchors.set(key, anchor);
    return compose(anchor.frame, believed);
  }
}

/**
 * A pose in one frame, seen from that in which the frame is.
 * @param {Pose} frame
 * @param {Pose} pose
 * @returns {Pose}
 */
function compose(frame, { x, y, theta }) {
  const [cos, sin] = [Math.cos(frame.theta), Math.sin(frame.theta)];
  return { x: frame.x + cos * x - sin * y, y: frame.y + sin * x + cos * y, theta: frame.theta + theta };
}

/**
 * The frame in which `pose` is `seen`.
 * @param {Pose} pose
 * @param {Pose} seen
 * @returns {Pose}
 */
function behind(pose, seen) {
  const theta = pose.theta - seen.theta;
  const turned = compose({ x: 0, y: 0, theta }, seen);
  return { x: pose.x - turned.x, y: pose.y - turned.y, theta };
}
