// The world in which the page is measured: a field for many, and 22 robots with a laser each that drive about.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openPanel } from "./acting.js";
import { soon } from "./looking.js";

/** @typedef {import("./harness.js").Studio} Studio */

const FIELD = fileURLToPath(new URL("../../worlds/middle-size.toml", import.meta.url));
const ROBOTS = fileURLToPath(new URL("../../robots", import.meta.url));
export const ROBOTS_SHOWN = 22;

/**
 * Writes the world; gives its file.
 * @param {string} folder
 */
export function crowd(folder) {
  const field = readFileSync(FIELD, "utf8");
  const robots = Array.from({ length: ROBOTS_SHOWN }, (_, at) => {
    const [team, side] = at % 2 ? ["magenta", 1] : ["cyan", -1];
    const [column, row] = [Math.floor(at / 8), Math.floor((at % 8) / 2)];
    return `[[robot]]
name = "${team}-${Math.floor(at / 2) + 1}"
team = "${team}"
file = "${ROBOTS}/pioneer.toml"
pose = { x_m = ${side * (1.5 + 2.5 * column)}, y_m = ${3 * row - 4.5}, theta_rad = ${at % 6} }
player = { plugin = "wanderer", rate_hz = 30, params = {} }
`;
  });
  // All but the robots of that world: they come last.
  const rest = field.slice(0, field.indexOf("[[robot]]"));
  const file = path.join(folder, "crowd.toml");
  writeFileSync(file, `${rest}\n${robots.join("\n")}`);
  return file;
}

/**
 * Writes a hall with so many robots that drive about.
 * @param {string} folder
 * @param {number} count
 */
export function herd(folder, count) {
  const columns = Math.ceil(Math.sqrt(1.5 * count));
  const [width, height] = [1.5 * columns + 1, 1.5 * Math.ceil(count / columns) + 1];
  const walls = [[width / 2, 0, 0.1, height], [-width / 2, 0, 0.1, height], [0, height / 2, width, 0.1], [0, -height / 2, width, 0.1]];
  const fixtures = walls.map(([x, y, length, across]) =>
    `{ shape = "rectangle", role = "wall", x_m = ${x}, y_m = ${y}, length_m = ${length}, width_m = ${across}, z_m = [0, 0.5], colour = "#c8b890" }`);
  const robots = Array.from({ length: count }, (_, at) => `[[robot]]
name = "robot-${at + 1}"
file = "${ROBOTS}/scout.toml"
pose = { x_m = ${1.5 * (at % columns + 0.5) - 0.75 * columns}, y_m = ${1.5 * (Math.floor(at / columns) + 1) - height / 2}, theta_rad = ${at % 6} }
player = { plugin = "wanderer", rate_hz = 5, params = {} }
`);
  const file = path.join(folder, `herd-${count}.toml`);
  writeFileSync(file, `name = "herd"\nseed = 1\ndt_s = 0.01\nfixture = [${fixtures.join(", ")}]\n[surface]\nfriction = 0.5\nrestitution = 0.3\n${robots.join("\n")}`);
  return file;
}

/** Shows all lasers, and waits until each has come. @param {Studio} studio */
export async function showLasers(studio) {
  const { page } = studio;
  await openPanel(studio);
  await page.getByRole("switch", { name: "All robots' lasers" }).click();
  await page.keyboard.press("p");
  await soon(() => page.evaluate(() => {
    // @ts-expect-error The page puts it there.
    const { sensing } = window.touchline;
    return sensing.known.filter((/** @type {number} */ id) => sensing.readings(id).get("laser")?.features).length;
  }), (lasers) => lasers === ROBOTS_SHOWN);
}

/**
 * A number of sorted ones.
 * @param {number[]} numbers
 * @param {number} part 0.5 is the median, 1 the largest
 */
export function quantile(numbers, part) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN;
}
