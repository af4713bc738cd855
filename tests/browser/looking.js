// What tests of a page that asks have in common: the chosen robot, its readings, and the board's own word.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readWords } from "../../server/gateways/studio/page/words.js";
import { BROKEN_AFTER_MS } from "./harness.js";

/** @typedef {import("./harness.js").Studio} Studio */

/** A hall without balls and robots, in which there is room for many. */
export function hall() {
  const walls = [[9, 0, 0.1, 14.1], [-9, 0, 0.1, 14.1], [0, 7, 18.1, 0.1], [0, -7, 18.1, 0.1]].map(([x, y, length, width]) =>
    `{ shape = "rectangle", role = "wall", x_m = ${x}, y_m = ${y}, length_m = ${length}, width_m = ${width}, z_m = [0, 0.5], colour = "#c8b890" }`);
  const file = path.join(mkdtempSync(path.join(tmpdir(), "touchline-hall-")), "hall.toml");
  writeFileSync(file, `name = "hall"\nseed = 1\ndt_s = 0.01\nfixture = [${walls.join(", ")}]\n[surface]\nfriction = 0.5\nrestitution = 0.3\n`);
  return { world: file, robots: "robots" };
}

/**
 * Asks the board, by the page's own connection.
 * @param {Studio} studio
 * @param {string} line
 * @returns {Promise<{ head: string, lines: string[] }>}
 */
export async function ask({ page }, line) {
  const answer = await page.evaluate((line) => {
    // @ts-expect-error The page puts it there.
    return window.touchline.board.ask(line);
  }, line);
  if (!answer.ok) throw new Error(`${line}: ${answer.head}`);
  return answer;
}

/** Time stands, and the page has heard of it. @param {Studio} studio */
export async function pause(studio) {
  await ask(studio, "PAUSE");
  await studio.until(({ status }) => status.paused);
  await studio.nextStatus();
}

/**
 * Asks again until an answer is as it should be.
 * @template T
 * @param {() => Promise<T>} look
 * @param {(found: any) => boolean} isReached
 * @returns {Promise<any>}
 */
export async function soon(look, isReached) {
  const giveUpAt = Date.now() + BROKEN_AFTER_MS;
  for (;;) {
    const found = await look();
    if (isReached(found)) return found;
    if (Date.now() > giveUpAt) throw new Error(`not reached: ${isReached}\nlast: ${JSON.stringify(found)?.slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Chooses a robot, as a click does, and waits for its section.
 * @param {Studio} studio
 * @param {string | null} name
 * @returns {Promise<number>} its number
 */
export async function choose({ page }, name) {
  const id = await soon(() => page.evaluate((name) => {
    // @ts-expect-error The page puts it there.
    const { world, selection } = window.touchline;
    const robot = [...world.objects.values()].find((object) => object.name === name);
    if (name !== null && !robot) return null;
    selection.select(robot?.id ?? null);
    return robot?.id ?? -1;
  }, name), (id) => id !== null);
  if (name !== null) await page.locator("#inspector .motion").waitFor();
  return id;
}

/**
 * What a sensor said last, with its ranges if it has some; null if nothing came.
 * @param {Studio} studio
 * @param {number} id
 * @param {string} sensor
 * @returns {Promise<{ step: number, ranges: number[] } | null>}
 */
export function reading({ page }, id, sensor) {
  return page.evaluate(([id, sensor]) => {
    // @ts-expect-error The page puts it there.
    const found = window.touchline.sensing.readings(id).get(sensor);
    if (!found) return null;
    const [values] = /** @type {{ ranges?: number[] }[]} */ (Object.values(found.features));
    return { step: found.step, ranges: [...(values.ranges ?? [])] };
  }, /** @type {const} */ ([id, sensor]));
}

/**
 * The samples of the chosen values.
 * @param {Studio} studio
 * @returns {Promise<{ key: string, times: number[], values: number[] }[]>}
 */
export function samples({ page }) {
  return page.evaluate(() => {
    // @ts-expect-error The page puts it there.
    return window.touchline.inspector.traces.all.map(({ key, times, values }) => ({ key, times: [...times], values: [...values] }));
  });
}

/**
 * What WORLD says of robots.
 * @param {Studio} studio
 */
export async function worldOf(studio) {
  const { lines } = await ask(studio, "WORLD");
  const robots = lines.map(readWords).filter(({ word }) => word === "ROBOT").map(({ words: [number, name], fields }) => ({
    number: Number(number), name, x: Number(fields.x), y: Number(fields.y), theta: Number(fields.theta), forward: Number(fields.forward),
  }));
  return { robots };
}
