// What goes over the WebSocket; docs/studio.md is the text to this.

export const VERSION = 3;

/** The `id` of what the referee publishes of the world. */
export const WORLD_ID = 0xffffffff;

/**
 * @typedef {"spectator" | "monitor" | "player" | "team" | "trainer" | "referee" | "operator"} Role
 * @typedef {number | "max" | "lockstep"} Speed
 * @typedef {{ name: string, colour: string }} Team
 *
 * @typedef {object} Look
 * @property {string} colour `#rrggbb`
 * @property {"none" | "wall" | "goal" | "pole" | "line" | "marker" | "area"} role
 * @property {boolean} solid
 * @property {number | null} team
 * @property {[number, number]} z metres above the floor
 *
 * @typedef {{ kind: "rectangle" | "ellipse", x: number, y: number, angle: number, half: [number, number] }} Boxed
 * @typedef {{ kind: "triangle", corners: [number, number][] }} Cornered
 * @typedef {Look & (Boxed | Cornered)} Shape
 *
 * @typedef {object} WorldObject
 * @property {number} id
 * @property {"robot" | "ball"} kind
 * @property {string} name
 * @property {number | null} team
 * @property {string} colour
 * @property {number} radius metres
 * @property {Shape[]} shapes in the object's own frame
 * @property {string | null} model
 * @property {string | null} player
 * @property {boolean} taken whether somebody has taken it over
 * @property {string | null} fault
 *
 * @typedef {object} Hello
 * @property {"hello"} type
 * @property {number} version
 * @property {string} server
 * @property {string} world
 * @property {number} seed
 * @property {number} dt_secs
 * @property {Role} role
 * @property {boolean} board whether lines of the message board are taken from this page
 * @property {string | null} referee its plugin; null where nobody counts
 * @property {Team[]} teams
 * @property {Shape[]} fixtures in the world frame
 *
 * @typedef {object} Game
 * @property {number[]} score
 * @property {string} phase
 * @property {{ kind: string, team: number | null } | null} restart how play is taken up again
 * @property {Record<string, number>} values what else the referee says
 * @property {Record<string, number>} [rewards] what each robot has been paid in this episode, by its number, once somebody was paid
 * @property {number} episode
 *
 * @typedef {object} Status
 * @property {boolean} paused
 * @property {Speed} speed below 0 a recording runs backwards
 * @property {number} real_time_factor
 * @property {number} late_ms
 * @property {number} tick where on the timeline the world is, steps
 * @property {number} oldest the first tick that can be looked at
 * @property {number} newest the last
 * @property {boolean} replay whether this is a recording
 * @property {{ tick: number, step: number } | null} departs from where on a recording, run again, comes to something else
 * @property {boolean} recording whether one is being written
 * @property {number | null} episode its number, where the world is an environment of somebody who learns
 *
 * @typedef {object} Shadow a player that runs beside a recorded one
 * @property {string} plugin
 * @property {string | null} fault why it is no longer asked
 * @property {Decision | null} decision the last one
 *
 * @typedef {object} Decision
 * @property {number} step
 * @property {boolean} by_client whether clients drive the robot: only the command is compared
 * @property {{ name: string, unit: string, recorded: number, new: number }[]} command
 * @property {[string, string]} manipulators recorded and new
 * @property {[string, string]} messages recorded and new
 * @property {string[]} differs the names of all that differs
 * @property {Record<string, unknown>} annotations what the new one has published
 *
 * @typedef {{ number: number, step: number, kind: string, text: string }} Event
 *
 * @typedef {Hello
 *   | { type: "key", reason: string | null }
 *   | { type: "objects", put: WorldObject[], gone: number[] }
 *   | { type: "annotations", id: number, values: Record<string, unknown> }
 *   | { type: "shadow", id: number, shadow: Shadow | null }
 *   | { type: "game" } & Game
 *   | { type: "status" } & Status
 *   | { type: "events", events: Event[] }
 *   | { type: "looking", tick: number | null, reason: string | null }
 *   | { type: "recording", file: string | null, failure: string | null }
 *   | { type: "stall", reason: string | null }
 *   | { type: "caption", text: string | null }
 *   | { type: "line", text: string }
 *   | { type: "error", message: string }} Message
 */

/**
 * @typedef {{ x: number, y: number, theta: number, z?: number }} Pose metres, radians; z is the height of the lowest point above the floor
 *
 * @typedef {object} Frame
 * @property {number} sequence
 * @property {number} step
 * @property {number} time simulated seconds
 * @property {number} clock seconds of play
 * @property {number} run
 * @property {Map<number, Pose>} poses by object
 */

const HEAD_BYTES = 40;
const OBJECT_BYTES = 20;

/**
 * Reads one binary message.
 * @param {ArrayBuffer} buffer
 * @returns {Frame}
 */
export function decodeFrame(buffer) {
  const view = new DataView(buffer);
  if (view.getUint8(0) !== VERSION) {
    throw new Error(`frames of version ${view.getUint8(0)}; this page reads ${VERSION}`);
  }
  const count = view.getUint32(36, true);
  if (buffer.byteLength !== HEAD_BYTES + count * OBJECT_BYTES) {
    throw new Error(`a frame of ${count} objects in ${buffer.byteLength} bytes`);
  }
  /** @type {Map<number, Pose>} */
  const poses = new Map();
  for (let at = HEAD_BYTES; at < buffer.byteLength; at += OBJECT_BYTES) {
    poses.set(view.getUint32(at, true), {
      x: view.getFloat32(at + 4, true),
      y: view.getFloat32(at + 8, true),
      theta: view.getFloat32(at + 12, true),
      z: view.getFloat32(at + 16, true),
    });
  }
  return {
    sequence: view.getUint32(4, true),
    step: Number(view.getBigUint64(8, true)),
    time: view.getFloat64(16, true),
    clock: view.getFloat64(24, true),
    run: view.getUint32(32, true),
    poses,
  };
}
