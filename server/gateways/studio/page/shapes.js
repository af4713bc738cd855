// Outlines of shapes, and the room that they take.

/**
 * @typedef {import("./protocol.js").Shape} Shape
 * @typedef {import("./camera.js").Bounds} Bounds
 */

/** Around a thing on a floor without an edge so much is seen, metres. */
const ROOM_M = 1;

/** Whether a world has an edge: on a floor with a few posts alone things may be anywhere. @param {Shape[]} fixtures */
export function hasEdge(fixtures) {
  return fixtures.some(({ role }) => role === "line" || role === "area" || role === "wall" || role === "goal");
}

/**
 * What the view shows as a whole: all fixtures; where these give the world no edge also all things, or some room around the origin if there are none.
 * @param {Shape[]} fixtures
 * @param {Iterable<{ x: number, y: number }>} things
 * @returns {Bounds}
 */
export function wholeBounds(fixtures, things) {
  const all = fixturesBounds(fixtures);
  if (hasEdge(fixtures)) return all;
  for (const { x, y } of things) {
    all.left = Math.min(all.left, x - ROOM_M);
    all.right = Math.max(all.right, x + ROOM_M);
    all.bottom = Math.min(all.bottom, y - ROOM_M);
    all.top = Math.max(all.top, y + ROOM_M);
  }
  return Number.isFinite(all.left) ? all : { left: -6, bottom: -4, right: 6, top: 4 };
}

/** The room that all fixtures take: none if there are none. @param {Shape[]} fixtures @returns {Bounds} */
export function fixturesBounds(fixtures) {
  const all = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  for (const shape of fixtures) {
    for (const [x, y] of corners(shape)) {
      all.left = Math.min(all.left, x);
      all.right = Math.max(all.right, x);
      all.bottom = Math.min(all.bottom, y);
      all.top = Math.max(all.top, y);
    }
  }
  return all;
}

/**
 * The corners of a shape, or of the box around it.
 * @param {Shape} shape
 * @returns {[number, number][]}
 */
function corners(shape) {
  if (shape.kind === "triangle") return shape.corners;
  const { x, y, angle, half } = shape;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([sx, sy]) => {
    const [dx, dy] = [sx * half[0], sy * half[1]];
    return [x + cos * dx - sin * dy, y + sin * dx + cos * dy];
  });
}

/** @param {Shape} shape */
export function outline(shape) {
  const path = new Path2D();
  if (shape.kind === "ellipse") {
    path.ellipse(shape.x, shape.y, shape.half[0], shape.half[1], shape.angle, 0, 2 * Math.PI);
    return path;
  }
  for (const [x, y] of corners(shape)) path.lineTo(x, y);
  path.closePath();
  return path;
}

/** @typedef {{ x: number, y: number, radius: number, width: number, colour: string }} Ring metres */

/** A ring has so many parts at least. */
const FEWEST_PARTS = 8;
/** Parts of one ring agree in their sizes and distances to this, metres. */
const CLOSE_M = 0.01;

/**
 * The circles among lines: a world file makes one of short straight parts, of one length and width, that lie around a point. They are
 * drawn round.
 * @param {Shape[]} fixtures
 * @returns {{ rings: Ring[], rest: Shape[] }} `rest` is all that is part of none
 */
export function findRings(fixtures) {
  /** @type {Map<string, (Shape & { kind: "rectangle" | "ellipse" })[]>} */
  const alike = new Map();
  for (const shape of fixtures) {
    if (shape.role !== "line" || shape.solid || shape.kind !== "rectangle") continue;
    const key = [...shape.half.map((half) => half.toFixed(3)), shape.colour].join();
    alike.set(key, [...alike.get(key) ?? [], shape]);
  }
  /** @type {Ring[]} */
  const rings = [];
  /** @type {Set<Shape>} */
  const parts = new Set();
  for (const group of alike.values()) {
    if (group.length < FEWEST_PARTS) continue;
    const [x, y] = [mean(group.map((part) => part.x)), mean(group.map((part) => part.y))];
    const middles = group.map((part) => Math.hypot(part.x - x, part.y - y));
    const middle = mean(middles);
    if (middle < CLOSE_M || middles.some((distance) => Math.abs(distance - middle) > CLOSE_M)) continue;
    const [along, across] = [Math.max(...group[0].half), Math.min(...group[0].half)];
    // A straight part touches the circle in its middle, or its ends lie on it: the circle lies between.
    rings.push({ x, y, radius: (middle + Math.hypot(middle, along)) / 2, width: 2 * across, colour: group[0].colour });
    group.forEach((part) => parts.add(part));
  }
  return { rings, rest: fixtures.filter((shape) => !parts.has(shape)) };
}

/** @param {number[]} numbers */
function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
