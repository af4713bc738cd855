// An operator's hand: drag a robot or a ball with the mouse to put it elsewhere; with Shift, a robot turns to the pointer instead.

/**
 * @typedef {import("./protocol.js").Pose} Pose
 * @typedef {import("./protocol.js").WorldObject} WorldObject
 */

/** What is smaller is as easy to take hold of as something of this radius, pixels. */
const GRIP_PX = 12;
/** A ball's number is told from a robot's by this bit. */
const BALL_BIT = 2 ** 31;

/**
 * @param {HTMLElement} element
 * @param {{ world: import("./world.js").World, camera: import("./camera.js").Camera, painter: import("./draw.js").Painter,
 *   send: (line: string) => void }} parts
 */
export function attachHand(element, { world, camera, painter, send }) {
  /** @type {{ id: number, pose: Pose, pointer: number, grip: [number, number] } | null} */
  let held = null;

  const place = (/** @type {PointerEvent} */ event) => {
    const box = element.getBoundingClientRect();
    return camera.toWorld(event.clientX - box.left, event.clientY - box.top);
  };

  // Before the camera hears of it: who holds a robot does not move the view.
  element.addEventListener("pointerdown", (event) => {
    // Fingers move the view: on a small screen nearly everything is near a robot.
    if (world.hello?.role !== "operator" || event.pointerType === "touch" || event.button !== 0 || held) return;
    const [x, y] = place(event);
    const found = nearest(world, x, y, GRIP_PX / camera.scale);
    if (!found) return;
    event.stopImmediatePropagation();
    element.setPointerCapture(event.pointerId);
    const { id, pose } = found;
    held = { id, pose, pointer: event.pointerId, grip: [pose.x - x, pose.y - y] };
  }, { capture: true });

  element.addEventListener("pointermove", (event) => {
    if (held?.pointer !== event.pointerId) return;
    const [x, y] = place(event);
    const { pose, grip } = held;
    held.pose = event.shiftKey
      ? { ...pose, theta: Math.atan2(y - pose.y, x - pose.x) }
      : { ...pose, x: x + grip[0], y: y + grip[1] };
    painter.ghost = { id: held.id, pose: held.pose };
  });

  const letGo = (/** @type {PointerEvent} */ event) => {
    if (held?.pointer !== event.pointerId) return;
    const { id, pose } = held;
    // A click alone moves nothing.
    if (painter.ghost && event.type === "pointerup") send(command(id, pose));
    held = null;
    painter.ghost = null;
  };
  element.addEventListener("pointerup", letGo);
  element.addEventListener("pointercancel", letGo);
}

/**
 * @param {number} id
 * @param {Pose} pose
 */
function command(id, { x, y, theta }) {
  const [px, py, turn] = [x, y, theta].map((number) => number.toFixed(4));
  return id >= BALL_BIT ? `BALL ${id - BALL_BIT} ${px} ${py}` : `PLACE ${id} ${px} ${py} ${turn}`;
}

/**
 * The object under the pointer; a ball rather than the robot behind it.
 * @param {import("./world.js").World} world
 * @param {number} x
 * @param {number} y
 * @param {number} grip metres
 * @returns {{ id: number, pose: Pose } | null}
 */
function nearest(world, x, y, grip) {
  let best = null;
  let closest = Infinity;
  for (const [id, pose] of world.newest?.poses ?? []) {
    const object = world.objects.get(id);
    if (!object) continue;
    const distance = Math.hypot(pose.x - x, pose.y - y);
    if (distance > Math.max(object.radius, grip)) continue;
    const rank = object.kind === "ball" ? distance - 1000 : distance;
    if (rank < closest) [best, closest] = [{ id, pose }, rank];
  }
  return best;
}
