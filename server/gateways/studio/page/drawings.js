// What robots draw of their thoughts: values that they publish, as far as they are drawings. docs/annotations.md is the text.

import { isShadows } from "./shadow.js";

/**
 * @typedef {import("./protocol.js").Pose} Pose
 * @typedef {(x: number, y: number, text: string, colour: string) => void} Write takes a text for a point of the world: it is written where there is room
 */

const COLOUR = "#ff4dd2";
const NEW_COLOUR = "#00c8ff";
const POINT_PX = 4;
const ARROW_PX = 9;
/** A drawing of more parts than this is cut off. */
const MOST_PARTS = 2000;

/**
 * Draws all that a robot publishes. The context measures metres, in the world frame when it begins.
 * @param {CanvasRenderingContext2D} context
 * @param {Record<string, unknown>} values
 * @param {Pose} pose the robot's
 * @param {number} scale pixels of the page for each metre
 * @param {Write} write
 */
export function drawAnnotations(context, values, pose, scale, write) {
  for (const [key, value] of Object.entries(values)) {
    for (const drawing of Array.isArray(value) ? value : [value]) {
      if (typeof drawing === "object" && drawing !== null) draw(context, drawing, pose, 1 / scale, isShadows(key), write);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Record<string, unknown>} drawing
 * @param {Pose} pose
 * @param {number} px a pixel of the page, metres
 * @param {boolean} isOfShadow whether it is of a player that runs beside the recorded one: then it is dashed, and of one colour
 * @param {Write} write
 */
function draw(context, drawing, pose, px, isOfShadow, write) {
  context.save();
  // Anybody may publish anything: what goes wrong in one drawing shall not shift all that is drawn after it.
  try {
    drawParts(context, drawing, pose, px, isOfShadow, write);
  } finally {
    context.restore();
  }
}

/** @type {typeof draw} */
function drawParts(context, drawing, pose, px, isOfShadow, write) {
  if (drawing.frame !== "world") {
    context.translate(pose.x, pose.y);
    context.rotate(pose.theta);
  }
  if (isOfShadow) context.setLineDash([5 * px, 4 * px]);
  const colour = isOfShadow ? NEW_COLOUR : typeof drawing.colour === "string" && /^#[0-9a-f]{6}$/i.test(drawing.colour) ? drawing.colour : COLOUR;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = 2 * px;
  for (const [x, y] of [...numbers([drawing.point], 2), ...numbers(drawing.points, 2)]) {
    context.beginPath();
    context.arc(x, y, POINT_PX * px, 0, 2 * Math.PI);
    context.fill();
  }
  strokeAlong(context, numbers(drawing.line, 2), false);
  strokeAlong(context, numbers(drawing.polygon, 2), true);
  const radius = typeof drawing.radius_m === "number" && Number.isFinite(drawing.radius_m) ? Math.max(0, drawing.radius_m) : 0;
  for (const [x, y] of numbers([drawing.circle], 2)) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
  }
  const poses = [...numbers([drawing.pose], 3), ...numbers(drawing.poses, 3)];
  // Many are a cloud, one is an arrow.
  context.globalAlpha = poses.length > 1 ? 0.6 : 1;
  for (const [x, y, theta] of poses) arrow(context, x, y, theta, (poses.length > 1 ? 0.7 : 1.6) * ARROW_PX * px);
  const [cos, sin] = drawing.frame === "world" ? [1, 0] : [Math.cos(pose.theta), Math.sin(pose.theta)];
  const from = drawing.frame === "world" ? { x: 0, y: 0 } : pose;
  const text = textOf(drawing.text);
  for (const [x, y] of text === "" ? [] : numbers([drawing.at], 2)) write(from.x + cos * x - sin * y, from.y + sin * x + cos * y, text, colour);
}

/**
 * A text, or a number as one; nothing else is made one: an object says itself how, and need not do it.
 * @param {unknown} value
 */
function textOf(value) {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/**
 * Those of a list's entries that are so many finite numbers.
 * @param {unknown} list
 * @param {number} count
 * @returns {number[][]}
 */
function numbers(list, count) {
  if (!Array.isArray(list)) return [];
  return list.slice(0, MOST_PARTS).filter((entry) =>
    Array.isArray(entry) && entry.length === count && entry.every((number) => Number.isFinite(number)));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number[][]} points
 * @param {boolean} closed
 */
function strokeAlong(context, points, closed) {
  if (points.length < 2) return;
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  if (closed) context.closePath();
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} theta
 * @param {number} length metres
 */
function arrow(context, x, y, theta, length) {
  const [dx, dy] = [Math.cos(theta) * length, Math.sin(theta) * length];
  context.beginPath();
  context.moveTo(x + dx, y + dy);
  context.lineTo(x - 0.5 * dx - 0.45 * dy, y - 0.5 * dy + 0.45 * dx);
  context.lineTo(x - 0.2 * dx, y - 0.2 * dy);
  context.lineTo(x - 0.5 * dx + 0.45 * dy, y - 0.5 * dy - 0.45 * dx);
  context.closePath();
  context.fill();
}
