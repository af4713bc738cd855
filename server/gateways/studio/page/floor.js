// Draws what stands still: the floor, what lies and stands on it, and the grid.

import { currentTheme, PALETTES } from "./palette.js";
import { ticks } from "./plot.js";
import { findRings, fixturesBounds, hasEdge, outline } from "./shapes.js";

/**
 * @typedef {import("./protocol.js").Hello} Hello
 * @typedef {import("./camera.js").Camera} Camera
 */

/** What lies on the floor is drawn first, what stands highest last. */
const ROLE_ORDER = ["area", "line", "goal", "none", "wall", "marker", "pole"];
/** Stripes are no narrower than this, pixels. */
const STRIPE_PX = 4;
/** Lines of the grid stand about so far apart, pixels. */
const GRID_PX = 70;
/** The numbers along the grid stand so far from the canvas's edge, pixels. */
const INSET_PX = 4;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Hello | null} hello
 * @param {Camera} camera
 * @param {number} ratio pixels of the canvas for each of the page's
 * @param {boolean} hasGrid
 */
export function drawFloor(context, hello, camera, ratio, hasGrid) {
  const { width, height } = context.canvas;
  const palette = PALETTES[currentTheme()];
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--ground");
  context.fillRect(0, 0, width, height);
  context.setTransform(...camera.matrix(ratio));
  const fixtures = hello?.fixtures ?? [];
  drawGround(context, camera, fixtures, hello && isField(hello) ? palette : { floor: palette.hall, stripe: palette.hallStripe });
  const { rings, rest } = findRings(fixtures);
  context.lineWidth = 1 / camera.scale;
  for (const shape of [...rest].sort((a, b) => ROLE_ORDER.indexOf(a.role) - ROLE_ORDER.indexOf(b.role))) {
    const path = outline(shape);
    context.fillStyle = shape.colour;
    context.globalAlpha = shape.role === "goal" && !shape.solid ? 0.7 : 1;
    context.fill(path);
    context.globalAlpha = 1;
    context.strokeStyle = palette.edge;
    if (shape.solid) context.stroke(path);
  }
  for (const { x, y, radius, width: wide, colour } of rings) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.lineWidth = wide;
    context.strokeStyle = colour;
    context.stroke();
  }
  if (hasGrid) drawGrid(context, camera, ratio);
}

/** Whether a game is played here, on grass: somebody judges it, or there are lines. @param {Hello} hello */
function isField({ referee, fixtures }) {
  return Boolean(referee) || fixtures.some(({ role }) => role === "line");
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Camera} camera
 * @param {import("./protocol.js").Shape[]} fixtures
 * @param {{ floor: string, stripe: string }} colours
 */
function drawGround(context, camera, fixtures, { floor, stripe }) {
  const { left, bottom, right, top } = hasEdge(fixtures) ? fixturesBounds(fixtures) : seenBounds(camera);
  context.fillStyle = floor;
  context.fillRect(left, bottom, right - left, top - bottom);
  // Stripes of one metre, from the field's origin, tell the scale; seen from afar, of ten or a hundred.
  const wide = 10 ** Math.max(0, Math.ceil(Math.log10(STRIPE_PX / camera.scale)));
  context.fillStyle = stripe;
  for (let x = 2 * wide * Math.floor(left / (2 * wide)); x < right; x += 2 * wide) {
    const [from, to] = [Math.max(left, x), Math.min(right, x + wide)];
    if (to > from) context.fillRect(from, bottom, to - from, top - bottom);
  }
}

/** A floor without an edge goes on as far as one sees. @param {Camera} camera @returns {import("./camera.js").Bounds} */
function seenBounds(camera) {
  const [[ax, ay], [bx, by]] = [camera.toWorld(0, 0), camera.toWorld(camera.width, camera.height)];
  return { left: Math.min(ax, bx), bottom: Math.min(ay, by), right: Math.max(ax, bx), top: Math.max(ay, by) };
}

/**
 * Lines of round metres over all that is seen, with their numbers at its edges.
 * @param {CanvasRenderingContext2D} context
 * @param {Camera} camera
 * @param {number} ratio
 */
function drawGrid(context, camera, ratio) {
  const [a, b] = [camera.toWorld(0, 0), camera.toWorld(camera.width, camera.height)];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.lineWidth = 1;
  context.font = "600 11px system-ui, sans-serif";
  context.lineJoin = "round";
  const palette = PALETTES[currentTheme()];
  for (const axis of /** @type {const} */ ([0, 1])) {
    const [low, high] = [Math.min(a[axis], b[axis]), Math.max(a[axis], b[axis])];
    const { step, all } = ticks(low, high, Math.max(1, ((high - low) * camera.scale) / GRID_PX));
    // Where the axis runs across the screen its lines stand upright.
    const isUpright = (axis === 0) !== camera.turned;
    for (const at of all) {
      const [x, y] = camera.toScreen(axis === 0 ? at : 0, axis === 0 ? 0 : at);
      const px = Math.round(isUpright ? x : y) + 0.5;
      context.strokeStyle = Math.abs(at) < step / 2 ? palette.gridAxis : palette.grid;
      context.beginPath();
      if (isUpright) [context.moveTo(px, 0), context.lineTo(px, camera.height)];
      else [context.moveTo(0, px), context.lineTo(camera.width, px)];
      context.stroke();
      context.textAlign = isUpright ? "center" : "left";
      context.textBaseline = isUpright ? "top" : "middle";
      context.lineWidth = 3;
      context.strokeStyle = palette.halo;
      context.fillStyle = palette.label;
      const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
      const text = `${"xy"[axis]} ${at.toFixed(digits).replace(/^-(?=0\.?0*$)/, "").replace("-", "−")}`;
      const [tx, ty] = isUpright ? [px, INSET_PX] : [INSET_PX, px];
      context.strokeText(text, tx, ty);
      context.fillText(text, tx, ty);
      context.lineWidth = 1;
    }
  }
}
