// Addresses that carry what is seen: the view, the chosen robot, the tick. Who opens one sees the same.

/**
 * @typedef {object} Linked
 * @property {import("./world.js").World} world
 * @property {import("./camera.js").Camera} camera
 * @property {import("./draw.js").Painter} painter
 * @property {import("./selection.js").Selection} selection
 * @property {import("./playhead.js").Playhead} playhead
 */

/**
 * The address of what is seen.
 * @param {Linked} parts
 */
export function linkOf({ world, camera, painter, selection, playhead }) {
  const fields = new URLSearchParams();
  if (!camera.fitted) fields.set("view", [camera.x, camera.y, camera.scale].map((number) => number.toFixed(3)).join());
  const robot = world.objects.get(selection.id ?? -1);
  if (robot) fields.set("robot", robot.name);
  fields.set("tick", String(Math.round(playhead.shown)));
  fields.set("show", Object.entries(painter.options).filter(([, isOn]) => isOn).map(([name]) => name).join());
  const address = new URL(location.href);
  address.hash = fields.toString();
  return address.href;
}

/** Shows what the page's address says, once; whatever is not there, or is no longer, is passed over. */
export class Link {
  #fields = new URLSearchParams(location.hash.slice(1));

  /** Whether something of the address was not shown yet. */
  get isOpen() {
    return this.#fields.size > 0;
  }

  /** @param {Linked} parts after the server has said its status, and the robots have come */
  follow({ world, camera, painter, selection, playhead }) {
    const fields = this.#fields;
    this.#fields = new URLSearchParams();
    const [x, y, scale] = (fields.get("view") ?? "").split(",").map(Number);
    if ([x, y, scale].every(Number.isFinite) && scale > 0) camera.look(x, y, scale);
    const shown = fields.get("show")?.split(",");
    for (const name of shown ? /** @type {(keyof typeof painter.options)[]} */ (Object.keys(painter.options)) : []) {
      painter.options[name] = shown?.includes(name) ?? false;
    }
    const robot = [...world.objects.values()].find(({ kind, name }) => kind === "robot" && name === fields.get("robot"));
    if (robot) selection.select(robot.id);
    const tick = fields.has("tick") ? Number(fields.get("tick")) : NaN;
    const [oldest] = playhead.range;
    if (Number.isFinite(tick) && tick >= oldest && tick < playhead.range[1]) playhead.goTo(tick);
    // A reload shows the present again.
    history.replaceState(null, "", location.pathname + location.search);
  }
}
