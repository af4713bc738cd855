// An operator's hand: drag a robot or a ball to put it elsewhere; with Shift a robot turns to the pointer instead, with Alt
// or Ctrl the ball is shot along the arrow.

import { BALL_BIT, nearest } from "./selection.js";
import { decimal } from "./words.js";

/**
 * @typedef {import("./protocol.js").Pose} Pose
 * @typedef {{ id: number, pose: Pose, pointer: number, grip: [number, number], isShot: boolean }} Held
 */

/** An arrow of one metre is so fast, m/s. */
const SHOT_M_S_PER_M = 2;
/** And it is never faster than this, m/s. */
const FASTEST_SHOT_M_S = 15;

export class Hand {
  /** Whether every drag of a ball shoots it, by finger as well. */
  shoots = false;
  /** @type {Held | null} */
  #held = null;

  /**
   * @param {HTMLElement} element
   * @param {{ world: import("./world.js").World, camera: import("./camera.js").Camera, painter: import("./draw.js").Painter,
   *   send: (line: string) => void }} parts
   */
  constructor(element, { world, camera, painter, send }) {
    const place = (/** @type {PointerEvent} */ event) => {
      const box = element.getBoundingClientRect();
      return camera.toWorld(event.clientX - box.left, event.clientY - box.top);
    };

    // Before the camera hears of it: who holds a robot does not move the view.
    element.addEventListener("pointerdown", (event) => {
      if (!world.canChange || event.button !== 0 || this.#held) return;
      // Fingers move the view: on a small screen nearly everything is near a robot.
      if (event.pointerType === "touch" && !this.shoots) return;
      const [x, y] = place(event);
      const isShot = this.shoots || event.altKey || event.ctrlKey;
      const found = nearest(world, camera.scale, x, y, isShot ? "ball" : undefined);
      if (!found) return;
      event.stopImmediatePropagation();
      element.setPointerCapture(event.pointerId);
      const { id, pose } = found;
      this.#held = { id, pose, pointer: event.pointerId, grip: [pose.x - x, pose.y - y], isShot };
    }, { capture: true });

    element.addEventListener("pointermove", (event) => {
      const held = this.#held;
      if (held?.pointer !== event.pointerId) return;
      const [x, y] = place(event);
      const { pose, grip } = held;
      if (held.isShot) {
        painter.marks.shot = shot(world.newest?.poses.get(held.id) ?? pose, x, y);
        return;
      }
      held.pose = event.shiftKey
        ? { ...pose, theta: Math.atan2(y - pose.y, x - pose.x) }
        : { ...pose, x: x + grip[0], y: y + grip[1] };
      painter.ghost = { id: held.id, pose: held.pose };
    });

    const letGo = (/** @type {PointerEvent} */ event) => {
      const held = this.#held;
      if (held?.pointer !== event.pointerId) return;
      // A look at the past may have begun meanwhile.
      const isDone = event.type === "pointerup" && world.canChange;
      const { shot: aimed } = painter.marks;
      // A click alone moves nothing.
      if (isDone && aimed) {
        // The ball may have rolled on since.
        const { x, y } = world.newest?.poses.get(held.id) ?? aimed;
        send(`BALL ${held.id - BALL_BIT} ${[x, y, aimed.vx, aimed.vy].map(decimal).join(" ")}`);
      } else if (isDone && painter.ghost) send(putting(held.id, held.pose));
      this.#held = null;
      painter.ghost = null;
      painter.marks.shot = null;
    };
    element.addEventListener("pointerup", letGo);
    element.addEventListener("pointercancel", letGo);
  }
}

/**
 * The shot whose arrow ends at a point.
 * @param {Pose} from
 * @param {number} toX
 * @param {number} toY
 */
function shot({ x, y }, toX, toY) {
  const [vx, vy] = [SHOT_M_S_PER_M * (toX - x), SHOT_M_S_PER_M * (toY - y)];
  const part = Math.min(1, FASTEST_SHOT_M_S / Math.hypot(vx, vy));
  return { x, y, vx: part * vx, vy: part * vy, toX, toY };
}

/**
 * @param {number} id
 * @param {Pose} pose
 */
function putting(id, { x, y, theta }) {
  return id >= BALL_BIT
    ? `BALL ${id - BALL_BIT} ${decimal(x)} ${decimal(y)}`
    : `PLACE ${id} ${decimal(x)} ${decimal(y)} ${decimal(theta)}`;
}
