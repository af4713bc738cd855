// Which robot is chosen: by a click on the field, or in a list. Whoever shows something about it listens for "change".

/**
 * @typedef {import("./world.js").World} World
 * @typedef {import("./protocol.js").Pose} Pose
 */

/** What is smaller is as easy to hit as something of this radius, pixels. */
const GRIP_PX = 12;
/** Whoever moves the pointer by more than this drags, pixels. */
const STILL_PX = 6;
/** A ball's number is told from a robot's by this bit. */
export const BALL_BIT = 2 ** 31;

/** The chosen robot. It dispatches "change" whenever it is another one. */
export class Selection extends EventTarget {
  /** @type {number | null} */
  #id = null;
  /** What it was called when it was there last. @type {string | null} */
  #name = null;

  /** The robot's number; null if none is chosen. */
  get id() {
    return this.#id;
  }

  /** @param {number | null} id */
  select(id) {
    if (id === this.#id) return;
    this.#id = id;
    this.#name = null;
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Robots came or went, or another world is shown: the choice ends with its robot, and does not pass to another one of the same number.
   * @param {World["objects"]} objects
   */
  check(objects) {
    if (this.#id === null) return;
    const found = objects.get(this.#id);
    if (!found || (this.#name !== null && found.name !== this.#name)) this.select(null);
    else this.#name = found.name;
  }

  /** What the chosen robot is called, if it is there already. @param {string | undefined} name */
  call(name) {
    this.#name = name ?? null;
  }
}

/**
 * Hears of clicks on the field, by mouse or finger: a press that does not move.
 * @param {HTMLElement} element
 * @param {import("./camera.js").Camera} camera
 * @param {(x: number, y: number) => void} click told where, metres
 */
export function attachClicks(element, camera, click) {
  /** @type {Map<number, [number, number]>} */
  const pressed = new Map();
  // Before those who take a press for themselves.
  element.addEventListener("pointerdown", (event) => {
    if (event.button === 0) pressed.set(event.pointerId, [event.clientX, event.clientY]);
  }, { capture: true });
  element.addEventListener("pointerup", (event) => {
    const from = pressed.get(event.pointerId);
    const isAlone = pressed.size === 1;
    pressed.delete(event.pointerId);
    if (!from || !isAlone || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > STILL_PX) return;
    const box = element.getBoundingClientRect();
    click(...camera.toWorld(event.clientX - box.left, event.clientY - box.top));
  }, { capture: true });
  element.addEventListener("pointercancel", (event) => pressed.delete(event.pointerId));
}

/**
 * The object at a point; a ball rather than the robot behind it.
 * @param {World} world
 * @param {number} scale pixels for each metre
 * @param {number} x metres
 * @param {number} y metres
 * @param {"ball" | "robot"} [kind] only of this kind
 * @returns {{ id: number, pose: Pose } | null}
 */
export function nearest(world, scale, x, y, kind) {
  const grip = GRIP_PX / scale;
  let best = null;
  let closest = Infinity;
  for (const [id, pose] of world.newest?.poses ?? []) {
    const object = world.objects.get(id);
    if (!object || (kind && object.kind !== kind)) continue;
    const distance = Math.hypot(pose.x - x, pose.y - y);
    if (distance > Math.max(object.radius, grip)) continue;
    const rank = object.kind === "ball" ? distance - 1000 : distance;
    if (rank < closest) [best, closest] = [{ id, pose }, rank];
  }
  return best;
}
