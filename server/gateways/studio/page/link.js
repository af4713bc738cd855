// Addresses that carry what is seen: the view, the chosen robot, the tick. Who opens one sees the same.

/** A tick is looked at after one that lies so long before it, simulated seconds. */
const BEFORE_SECS = 0.1;

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

/** Shows what an address says, once; whatever is not there, or is no longer, is passed over. */
export class Link {
  #fields = new URLSearchParams(location.hash.slice(1));
  /** The tick that is looked at on the way, the one that is meant, and who is chosen there. @type {{ before: number, tick: number, robot: string | null } | null} */
  #way = null;

  /** The page's address is another one: somebody has pasted it into this tab. */
  read() {
    this.#fields = new URLSearchParams(location.hash.slice(1));
  }

  /** Whether something of the address was not shown yet. */
  get isOpen() {
    return this.#fields.size > 0 || this.#way !== null;
  }

  /** With each frame, as long as something is open. @param {Linked} parts after the server has said its status, and the robots have come */
  follow(parts) {
    if (this.#fields.size > 0) this.#begin(parts);
    else this.#arrive(parts);
  }

  /** Goes on to the tick that is meant, once the one before it has been seen; unless somebody has gone elsewhere. @param {Linked} parts */
  #arrive({ world, selection, playhead }) {
    if (this.#way === null) return;
    const { before, tick, robot } = this.#way;
    if (playhead.shown === before && world.looking === before) playhead.goTo(tick);
    // The robot may not have been there at the tick before.
    if (world.looking === tick) choose(world, selection, robot);
    if (![before, tick].includes(playhead.shown) || world.looking === tick) this.#way = null;
  }

  /** @param {Linked} parts */
  #begin({ world, camera, painter, selection, playhead }) {
    const fields = this.#fields;
    [this.#fields, this.#way] = [new URLSearchParams(), null];
    const [x, y, scale] = (fields.get("view") ?? "").split(",").map(Number);
    if ([x, y, scale].every(Number.isFinite) && scale > 0) camera.look(x, y, scale);
    const shown = fields.get("show")?.split(",");
    for (const name of shown ? /** @type {(keyof typeof painter.options)[]} */ (Object.keys(painter.options)) : []) {
      painter.options[name] = shown?.includes(name) ?? false;
    }
    choose(world, selection, fields.get("robot"));
    const tick = fields.has("tick") ? Number(fields.get("tick")) : NaN;
    const [oldest, newest] = playhead.range;
    // The end of a live world's timeline is where it goes on; a recording can be shown there.
    if (Number.isFinite(tick) && tick >= oldest && (tick < newest || (world.status.replay && tick === newest))) {
      // From one picture alone nobody knows how fast the ball was.
      const before = Math.max(oldest, tick - Math.round(BEFORE_SECS / (world.hello?.dt_secs ?? 1)));
      this.#way = playhead.isSeeking || before === tick ? null : { before, tick, robot: fields.get("robot") };
      playhead.goTo(this.#way?.before ?? tick);
    }
    // A reload shows the present again.
    history.replaceState(null, "", location.pathname + location.search);
  }
}

/**
 * @param {import("./world.js").World} world
 * @param {import("./selection.js").Selection} selection
 * @param {string | null} called the robot's name
 */
function choose(world, selection, called) {
  const robot = [...world.objects.values()].find(({ kind, name }) => kind === "robot" && name === called);
  if (robot && robot.id !== selection.id) selection.select(robot.id);
}
