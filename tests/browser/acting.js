// What tests of a page that acts have in common: its panel, where things are, and what it said to the board.

import { BROKEN_AFTER_MS } from "./harness.js";
import { soon } from "./looking.js";

/** @typedef {import("./harness.js").Studio} Studio */

/** Opens the panel, and waits for the robots' list if there are any. @param {Studio} studio */
export async function openPanel(studio) {
  await studio.page.getByRole("button", { name: "Panel" }).click();
  await studio.page.locator("#start-plugin option").first().waitFor({ state: "attached" });
}

/**
 * @typedef {{ id: number, player: string | null, taken: boolean, time: number, x: number, y: number, theta: number, z: number }} Thing
 *
 * One robot or ball as the page knows it; null if there is none of this name.
 * @param {Studio} studio
 * @param {string} name
 * @returns {Promise<Thing | null>}
 */
export function thing({ page }, name) {
  return page.evaluate((name) => {
    // @ts-expect-error The page puts it there.
    const { world } = window.touchline;
    const object = [...world.objects.values()].find((object) => object.name === name);
    const pose = object && world.newest.poses.get(object.id);
    if (!pose) return null;
    const { id, player, taken } = object;
    return { id, player, taken, time: world.newest.time, ...pose };
  }, name);
}

/**
 * Waits until one robot or ball is as it should be.
 * @param {Studio} studio
 * @param {string} name
 * @param {(thing: Thing) => boolean} isReached
 */
export async function untilThing(studio, name, isReached) {
  const giveUpAt = Date.now() + BROKEN_AFTER_MS;
  for (;;) {
    const found = await thing(studio, name);
    if (found && isReached(found)) return found;
    if (Date.now() > giveUpAt) throw new Error(`not reached: ${isReached}\nlast: ${JSON.stringify(found)}`);
    await nextPicture(studio);
  }
}

/** Waits until a robot or ball is no more. @param {Studio} studio @param {string} name */
export async function untilGone(studio, name) {
  await soon(() => thing(studio, name), (found) => !found);
}

/** @param {Studio} studio */
function nextPicture({ page }) {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
}

/** From now on the page notes what it says to the board, and when. @param {Studio} studio */
export function noteLines({ page }) {
  return page.evaluate(() => {
    // @ts-expect-error The page puts it there.
    const { board } = window.touchline;
    const ask = board.ask.bind(board);
    // @ts-expect-error For the test alone.
    window.said = [];
    board.ask = (/** @type {string} */ line, /** @type {unknown} */ options) => {
      // @ts-expect-error For the test alone.
      if (!line.startsWith("TIMELINE")) window.said.push({ line, at: performance.now() });
      return ask(line, options);
    };
  });
}

/** What it said since then. @param {Studio} studio @returns {Promise<{ line: string, at: number }[]>} */
export function said({ page }) {
  // @ts-expect-error For the test alone.
  return page.evaluate(() => window.said);
}

/**
 * The middle of the field on the page, and other points by metres.
 * @param {Studio} studio
 * @param {number} x
 * @param {number} y
 * @returns {Promise<[number, number]>}
 */
export async function onPage({ page }, x, y) {
  const box = await page.locator("#field").boundingBox();
  if (!box) throw new Error("no canvas");
  // @ts-expect-error The page puts it there.
  const [left, top] = await page.evaluate(([x, y]) => window.touchline.camera.toScreen(x, y), [x, y]);
  return [box.x + left, box.y + top];
}

/** @typedef {{ step: number, poses: [number, { x: number, y: number, theta: number }][] }} Seen */

/** From now on the page notes each frame that it is sent. @param {Studio} studio */
export function noteFrames({ page }) {
  return page.evaluate(() => {
    // @ts-expect-error The page puts it there.
    const { world } = window.touchline;
    const receive = world.receive.bind(world);
    // @ts-expect-error For the test alone.
    window.seen = [];
    world.receive = (/** @type {{ step: number, poses: Map<number, unknown> }} */ frame, /** @type {number} */ now) => {
      // @ts-expect-error For the test alone.
      window.seen.push({ step: frame.step, poses: [...frame.poses] });
      return receive(frame, now);
    };
  });
}

/** Those that it has noted. @param {Studio} studio @returns {Promise<Seen[]>} */
export function seen({ page }) {
  // @ts-expect-error For the test alone.
  return page.evaluate(() => window.seen);
}

/** What is shown. @param {Studio} studio @returns {Promise<Seen>} */
export function shown({ page }) {
  return page.evaluate(() => {
    // @ts-expect-error The page puts it there.
    const { newest } = window.touchline.world;
    return { step: newest.step, poses: [...newest.poses] };
  });
}
