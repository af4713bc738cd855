// What is drawn over the world for whoever acts: the chosen robot, a place, a shot.

import { uiScale } from "./size.js";

/**
 * @typedef {object} Marks
 * @property {number | null} selected a robot
 * @property {number | null} driven the robot that this page drives
 * @property {{ x: number, y: number, theta: number } | null} place where a new robot shall be
 * @property {{ from: [number, number], to: [number, number] } | null} ruler what is measured, metres
 * @property {{ x: number, y: number, vx: number, vy: number, toX: number, toY: number } | null} shot m, m/s, and the arrow's end
 */

const INK = "#ffffff";
const SHADE = "#000000a0";

/**
 * A line that is seen on light and dark.
 * @param {CanvasRenderingContext2D} context
 * @param {number} width
 */
function strokeTwice(context, width) {
  for (const [colour, times] of /** @type {const} */ ([[SHADE, 2.2], [INK, 1]])) {
    context.strokeStyle = colour;
    context.lineWidth = times * width;
    context.stroke();
  }
}

/**
 * A ring around a robot; dashed unless it is driven from here. The canvas is in metres.
 * @param {CanvasRenderingContext2D} context
 * @param {{ x: number, y: number }} pose
 * @param {number} radius
 * @param {number} scale pixels for each metre
 * @param {boolean} isDriven
 */
export function drawRing(context, { x, y }, radius, scale, isDriven) {
  context.beginPath();
  context.arc(x, y, radius + 5 / scale, 0, 2 * Math.PI);
  if (!isDriven) context.setLineDash([7 / scale, 5 / scale]);
  strokeTwice(context, (isDriven ? 3 : 2) / scale);
  context.setLineDash([]);
}

/**
 * Where a new robot will be, and where it will look.
 * @param {CanvasRenderingContext2D} context
 * @param {{ x: number, y: number, theta: number }} place
 * @param {number} scale pixels for each metre
 */
export function drawPlace(context, { x, y, theta }, scale) {
  const size = 12 / scale;
  context.beginPath();
  context.arc(x, y, size, 0, 2 * Math.PI);
  context.moveTo(x, y);
  context.lineTo(x + 2.2 * size * Math.cos(theta), y + 2.2 * size * Math.sin(theta));
  strokeTwice(context, 2 / scale);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {NonNullable<Marks["shot"]>} shot
 * @param {import("./camera.js").Camera} camera
 * @param {number} ratio
 */
export function drawShot(context, { x, y, vx, vy, toX, toY }, camera, ratio) {
  const [fromX, fromY] = camera.toScreen(x, y);
  const [endX, endY] = camera.toScreen(toX, toY);
  const angle = Math.atan2(endY - fromY, endX - fromX);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(endX, endY);
  for (const side of [-1, 1]) {
    context.moveTo(endX, endY);
    context.lineTo(endX - 12 * Math.cos(angle + side * 0.5), endY - 12 * Math.sin(angle + side * 0.5));
  }
  context.lineCap = "round";
  strokeTwice(context, 3);
  context.font = "600 13px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.lineWidth = 3;
  context.strokeStyle = SHADE;
  context.fillStyle = INK;
  const text = `${Math.hypot(vx, vy).toFixed(1)} m/s`;
  context.strokeText(text, endX, endY - 10);
  context.fillText(text, endX, endY - 10);
}

/**
 * A line with its length and direction.
 * @param {CanvasRenderingContext2D} context
 * @param {NonNullable<Marks["ruler"]>} ruler
 * @param {import("./camera.js").Camera} camera
 * @param {number} ratio
 */
export function drawRuler(context, { from, to }, camera, ratio) {
  const [[x0, y0], [x1, y1]] = [camera.toScreen(...from), camera.toScreen(...to)];
  const angle = Math.atan2(y1 - y0, x1 - x0);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  for (const [x, y] of [[x0, y0], [x1, y1]]) {
    context.moveTo(x - 7 * Math.sin(angle), y + 7 * Math.cos(angle));
    context.lineTo(x + 7 * Math.sin(angle), y - 7 * Math.cos(angle));
  }
  context.lineCap = "round";
  strokeTwice(context, 2);
  context.font = `600 ${13 * uiScale()}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = SHADE;
  context.fillStyle = INK;
  const text = measured(from, to);
  context.strokeText(text, (x0 + x1) / 2, (y0 + y1) / 2 - 10);
  context.fillText(text, (x0 + x1) / 2, (y0 + y1) / 2 - 10);
}

/**
 * How far, and in which direction.
 * @param {[number, number]} from metres
 * @param {[number, number]} to
 */
export function measured(from, to) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  return `${Math.hypot(dx, dy).toFixed(3)} m, ${((180 * Math.atan2(dy, dx)) / Math.PI).toFixed(1).replace("-", "−")}°`;
}
