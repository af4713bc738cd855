// How sensors look on the field. What a feature is follows from the names and units of its fields, not from its plugin.

/**
 * @typedef {import("./layout.js").Values} Values
 * @typedef {import("./layout.js").Mount} Mount
 * @typedef {{ px: number, radius: number, teams: string[], fieldOfView: number | null, rangeMax: number | null }} Look
 *   a pixel in metres, the robot's radius, the teams' colours, and what the sensor overlooks
 * @typedef {"fan" | "cones" | "crossings" | "sightings" | "contacts" | "heading" | "pose"} Kind
 */

const RANGE = "#38d0ff";
const CONE = "#c79bff";
const CROSSING = "#fff06a";
const SIGHT = "#ff9d3c";
const CONTACT = "#ff4d3d";
export const BELIEF = "#ffe14d";
/** How far a field of view is drawn if nobody says how far it goes, metres. */
const VIEW_M = 2.5;

/** What a feature can be drawn as; null if nobody knows. @param {Values} values @returns {Kind | null} */
export function kindOf(values) {
  const has = (/** @type {string[]} */ ...names) => names.every((name) => name in values);
  if (has("angle_min", "angle_step", "ranges")) return "fan";
  if (has("angle_min", "angle_step", "distances")) return "crossings";
  if (has("opening_angle", "x", "y", "theta", "ranges")) return "cones";
  if (has("distance", "bearing")) return "sightings";
  if (has("direction", "pressed")) return "contacts";
  if (has("heading")) return "heading";
  if (has("x", "y", "theta") && values.x.length === 1) return "pose";
  return null;
}

/**
 * The points that a range finder's beams hit, in its own frame, metres.
 * @param {Values} values
 * @returns {[number, number][]}
 */
export function fanPoints({ angle_min: [first], angle_step: [step], ranges }) {
  /** @type {[number, number][]} */
  const points = [];
  for (let beam = 0; beam < ranges.length; beam += 1) {
    if (!Number.isFinite(ranges[beam])) continue;
    const angle = first + beam * step;
    points.push([ranges[beam] * Math.cos(angle), ranges[beam] * Math.sin(angle)]);
  }
  return points;
}

/**
 * Where the things are that a camera saw, in its own frame, metres; those that it did not see are left out.
 * @param {Values} values
 * @returns {{ x: number, y: number, index: number }[]}
 */
export function sightingPoints({ count, distance, bearing }) {
  const most = Math.min(count?.[0] ?? Infinity, distance.length);
  const points = [];
  for (let index = 0; index < most; index += 1) {
    const [far, angle] = [distance[index], bearing[index]];
    if (Number.isFinite(far) && Number.isFinite(angle)) {
      points.push({ x: far * Math.cos(angle), y: far * Math.sin(angle), index });
    }
  }
  return points;
}

/** What range finders overlook, of all robots together: filled at once, what several overlook is no darker and costs no more. */
export class Fans {
  #areas = new Path2D();
  /** x, y, size of each beam's end. @type {number[]} */
  #ends = [];
  #isEmpty = true;

  /**
   * @param {Values} values
   * @param {import("./protocol.js").Pose} sensor in the world
   * @param {Look} look
   */
  add(values, sensor, { px, rangeMax }) {
    const { angle_min: [first], angle_step: [step], ranges } = values;
    this.#isEmpty = false;
    let open = rangeMax ?? 0;
    if (rangeMax === null) for (const range of ranges) if (Number.isFinite(range)) open = Math.max(open, range);
    this.#areas.moveTo(sensor.x, sensor.y);
    for (let at = 0; at < ranges.length; at += 1) {
      // All the same way round: where fans that go round in different ways overlap, one would take away from the other.
      const beam = step < 0 ? ranges.length - 1 - at : at;
      const range = ranges[beam] === Infinity ? open : Math.max(0, ranges[beam]);
      const angle = sensor.theta + first + beam * step;
      const [x, y] = [sensor.x + range * Math.cos(angle), sensor.y + range * Math.sin(angle)];
      this.#areas.lineTo(x, y);
      if (Number.isFinite(ranges[beam])) this.#ends.push(x, y, 2.4 * px);
    }
    this.#areas.closePath();
  }

  /** The context is in the world's frame. @param {CanvasRenderingContext2D} context */
  draw(context) {
    if (this.#isEmpty) return;
    context.fillStyle = RANGE;
    context.globalAlpha = 0.15;
    context.fill(this.#areas);
    context.globalAlpha = 1;
    // One by one: a path of thousands of squares takes twice as long.
    for (let at = 0; at < this.#ends.length; at += 3) {
      const [x, y, size] = [this.#ends[at], this.#ends[at + 1], this.#ends[at + 2]];
      context.fillRect(x - size / 2, y - size / 2, size, size);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Values} values
 * @param {Look} look
 */
export function drawCrossings(context, { angle_min: [first], angle_step: [step], distances, ...rest }, { px }) {
  const rays = rest.rays?.[0] ?? 1;
  const each = Math.max(1, Math.round(distances.length / rays));
  context.fillStyle = CROSSING;
  context.beginPath();
  for (let at = 0; at < distances.length; at += 1) {
    if (!Number.isFinite(distances[at])) continue;
    const angle = first + Math.floor(at / each) * step;
    context.rect(distances[at] * Math.cos(angle) - 1.5 * px, distances[at] * Math.sin(angle) - 1.5 * px, 3 * px, 3 * px);
  }
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Values} values
 * @param {Look} look
 */
export function drawCones(context, { opening_angle: [opening], x, y, theta, ranges }, { px, rangeMax }) {
  context.lineWidth = px;
  for (let sonar = 0; sonar < ranges.length; sonar += 1) {
    const isEcho = Number.isFinite(ranges[sonar]);
    const range = isEcho ? ranges[sonar] : ranges[sonar] > 0 ? rangeMax ?? 0 : 0;
    const [from, to] = [theta[sonar] - opening / 2, theta[sonar] + opening / 2];
    context.beginPath();
    context.moveTo(x[sonar], y[sonar]);
    context.arc(x[sonar], y[sonar], range, from, to);
    context.closePath();
    context.fillStyle = isEcho ? `${CONE}30` : `${CONE}12`;
    context.fill();
    if (!isEcho) continue;
    context.strokeStyle = CONE;
    context.lineWidth = 2 * px;
    context.beginPath();
    context.arc(x[sonar], y[sonar], range, from, to);
    context.stroke();
  }
}

/**
 * What was seen: a line to it and a ring around it; as wide as it is, if that is known.
 * @param {CanvasRenderingContext2D} context
 * @param {Values} values
 * @param {Look} look
 * @param {string} feature
 */
export function drawSightings(context, values, { px, teams }, feature) {
  context.setLineDash([5 * px, 4 * px]);
  for (const { x, y, index } of sightingPoints(values)) {
    // Goals stand in the order of the teams; robots say theirs.
    const team = feature === "goals" ? index : values.team?.[index];
    const colour = teams[team ?? -1] ?? (feature === "posts" ? "#ffffff" : feature === "ball" ? SIGHT : RANGE);
    context.strokeStyle = "#00000090";
    for (const [width, ink] of /** @type {const} */ ([[3.5, "#00000080"], [1.7, colour]])) {
      context.lineWidth = width * px;
      context.strokeStyle = ink;
      context.beginPath();
      context.moveTo(0, 0);
      context.lineTo(x, y);
      context.stroke();
    }
    context.save();
    context.setLineDash([]);
    const width = values.width?.[index];
    for (const [line, ink] of /** @type {const} */ ([[4.5, "#000000a0"], [2.5, colour]])) {
      context.lineWidth = line * px;
      context.strokeStyle = ink;
      context.beginPath();
      if (width !== undefined && Number.isFinite(width)) {
        const far = Math.hypot(x, y) || 1;
        const [nx, ny] = [(-y / far) * (width / 2), (x / far) * (width / 2)];
        context.moveTo(x - nx, y - ny);
        context.lineTo(x + nx, y + ny);
      } else {
        context.arc(x, y, 9 * px, 0, 2 * Math.PI);
      }
      context.stroke();
    }
    context.restore();
  }
  // A goal of which only a post is in view.
  context.lineWidth = 1.2 * px;
  for (const side of [values.left, values.right]) {
    for (let goal = 0; goal < (side?.length ?? 0); goal += 1) {
      if (!Number.isFinite(side[goal])) continue;
      context.strokeStyle = teams[goal] ?? SIGHT;
      context.beginPath();
      context.moveTo(0, 0);
      context.lineTo(Math.cos(side[goal]) * VIEW_M, Math.sin(side[goal]) * VIEW_M);
      context.stroke();
    }
  }
  context.setLineDash([]);
}

/**
 * What a camera overlooks, as far as the robot file says it.
 * @param {CanvasRenderingContext2D} context
 * @param {Look} look
 */
export function drawView(context, { px, fieldOfView, rangeMax }) {
  if (fieldOfView === null && rangeMax === null) return;
  const angle = Math.min(fieldOfView ?? 2 * Math.PI, 2 * Math.PI);
  context.beginPath();
  const isSector = angle < 2 * Math.PI - 0.01;
  if (isSector) context.moveTo(0, 0);
  context.arc(0, 0, rangeMax ?? VIEW_M, -angle / 2, angle / 2);
  context.closePath();
  context.fillStyle = `${SIGHT}1c`;
  // What goes all around would only veil the field.
  if (isSector) context.fill();
  context.lineWidth = px;
  context.strokeStyle = `${SIGHT}90`;
  context.setLineDash([2 * px, 5 * px]);
  context.stroke();
  context.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Values} values
 * @param {Look} look
 */
export function drawContacts(context, { direction, pressed }, { px, radius }) {
  const half = (0.8 * Math.PI) / Math.max(1, direction.length);
  for (let part = 0; part < direction.length; part += 1) {
    context.lineWidth = (pressed[part] ? 7 : 2.5) * px;
    context.strokeStyle = pressed[part] ? CONTACT : "#ffffffb0";
    context.beginPath();
    context.arc(0, 0, radius + 4 * px, direction[part] - half, direction[part] + half);
    context.stroke();
  }
}

/**
 * An arrow to where the sensor believes to point. The context is where the robot is, turned as the world.
 * @param {CanvasRenderingContext2D} context
 * @param {Values} values
 * @param {Look} look
 */
export function drawHeading(context, { heading: [heading] }, { px, radius }) {
  if (!Number.isFinite(heading)) return;
  const length = radius + 26 * px;
  context.save();
  context.rotate(heading);
  for (const [width, ink] of /** @type {const} */ ([[5, "#000000a0"], [2.5, BELIEF]])) {
    context.lineWidth = width * px;
    context.strokeStyle = ink;
    context.beginPath();
    context.moveTo(radius, 0);
    context.lineTo(length, 0);
    context.moveTo(length - 8 * px, 5 * px);
    context.lineTo(length, 0);
    context.lineTo(length - 8 * px, -5 * px);
    context.stroke();
  }
  context.restore();
}

/**
 * A robot where it is believed to be. The context is there.
 * @param {CanvasRenderingContext2D} context
 * @param {Look} look
 */
export function drawBelief(context, { px, radius }) {
  context.setLineDash([6 * px, 4 * px]);
  for (const [width, ink] of /** @type {const} */ ([[4, "#00000090"], [2, BELIEF]])) {
    context.lineWidth = width * px;
    context.strokeStyle = ink;
    context.beginPath();
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    context.moveTo(0, 0);
    context.lineTo(radius, 0);
    context.stroke();
  }
  context.setLineDash([]);
}
