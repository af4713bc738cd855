// What stands around a plot in a window of its own, and so in its PNG: a title, which line is which, and what the axes are.

/** @typedef {import("./traces.js").Trace} Trace */

/** Lines after the first are dashed, each in its own way: of two that lie upon each other both are seen. @type {number[][]} */
const DASHES = [[], [9, 5], [3, 3], [12, 4, 3, 4], [6, 3], [2, 5], [14, 6], [5, 2, 2, 2]];
const SAMPLE_PX = 26;
const GAP_PX = 18;
const ROW_PX = 20;
const TITLE_PX = 26;
/** Below the numbers of the time axis. */
const AXIS_PX = 18;

/** How a line is dashed. @param {number} at which of its plot's it is */
export function dashOf(at) {
  return DASHES[at % DASHES.length];
}

/** A unit as it stands behind a name. @param {string} unit */
export function inUnit(unit) {
  return unit === "" || unit === "1" ? "" : ` [${unit}]`;
}

/**
 * Draws all that stands around, on a ground of its own; gives how much room the plot has left above and below.
 * @param {CanvasRenderingContext2D} context
 * @param {{ width: number, height: number, title: string, unit: string, traces: Trace[], left: number }} plot
 * @param {{ ground: string, text: string, quiet: string }} colours
 * @returns {{ above: number, below: number }}
 */
export function drawFrame(context, { width, height, title, unit, traces, left }, { ground, text, quiet }) {
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillStyle = text;
  context.font = "600 14px system-ui, sans-serif";
  context.fillText(title, left, TITLE_PX / 2, width - left);
  context.font = "12px system-ui, sans-serif";
  let [x, y] = [left, TITLE_PX + ROW_PX / 2];
  traces.forEach(({ label, unit, colour }, at) => {
    const name = `${label}${inUnit(unit)}`;
    const wide = SAMPLE_PX + 6 + context.measureText(name).width;
    if (x > left && x + wide > width) [x, y] = [left, y + ROW_PX];
    context.strokeStyle = colour;
    context.lineWidth = 2.5;
    context.setLineDash(dashOf(at));
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + SAMPLE_PX, y);
    context.stroke();
    context.setLineDash([]);
    context.fillText(name, x + SAMPLE_PX + 6, y);
    x += wide + GAP_PX;
  });
  const above = y + ROW_PX;
  context.fillStyle = quiet;
  context.textAlign = "center";
  context.fillText("simulated time [s]", (left + width) / 2, height - AXIS_PX / 2);
  context.save();
  context.translate(9, (above + height - AXIS_PX) / 2);
  context.rotate(-Math.PI / 2);
  context.fillText(inUnit(unit).trim() || "value", 0, 0);
  context.restore();
  return { above, below: AXIS_PX };
}
