// How soon the page draws, how often, and what it keeps: 22 robots, and a laser of each.

import { crowd, herd, quantile, ROBOTS_SHOWN, showLasers } from "./benchworld.js";
import { openStudio, startServer } from "./harness.js";
import { choose } from "./looking.js";

/** @typedef {import("playwright-core").Browser} Browser */
/** @typedef {import("playwright-core").Page} Page */

const STARTS = 10;
const RATE_SECS = 10;
const VIEWPORT = { width: 1280, height: 800 };
/** A screen on a wall, or a projector. */
const WALL = { width: 3840, height: 2160 };

/**
 * From "ready" to the first picture with robots in it, in a browser that is open already.
 * @param {Browser} browser
 * @param {string} folder
 */
export async function start(browser, folder) {
  const world = crowd(folder);
  const took = [];
  for (let at = 0; at < STARTS; at += 1) {
    const context = await browser.newContext({ viewport: VIEWPORT });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => {
        // @ts-expect-error The page puts it there.
        const { painter } = window.touchline ?? {};
        if (!painter?.framesDrawn) requestAnimationFrame(look);
        // Once it is on the screen.
        // @ts-expect-error For the benchmark alone.
        else requestAnimationFrame(() => (window.firstAt = performance.timeOrigin + performance.now()));
      };
      requestAnimationFrame(look);
    });
    const server = await startServer({ world });
    const readyAt = performance.timeOrigin + performance.now();
    await page.goto(server.url);
    /** @type {number | undefined} */
    let firstAt;
    // @ts-expect-error For the benchmark alone.
    while (!firstAt) firstAt = await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(window.firstAt))));
    took.push(firstAt - readyAt);
    await context.close();
    await server.stop();
  }
  console.log(`from "ready" to the first picture: median ${quantile(took, 0.5).toFixed(0)} ms, longest ${quantile(took, 1).toFixed(0)} ms (${STARTS} starts)`);
}

/**
 * Pictures a second of a page, over some seconds.
 * @param {Page} page
 * @returns {Promise<{ rate: number, slowest: number }>} and the time between two that 1 % exceed, ms
 */
async function pictures(page) {
  const gaps = await page.evaluate((secs) => new Promise((/** @type {(gaps: number[]) => void} */ resolve) => {
    /** @type {number[]} */
    const times = [];
    const next = (/** @type {number} */ now) => {
      times.push(now);
      if (now - times[0] < 1000 * secs) requestAnimationFrame(next);
      else resolve(times.slice(1).map((time, at) => time - times[at]));
    };
    requestAnimationFrame(next);
  }), RATE_SECS);
  return { rate: 1000 * gaps.length / gaps.reduce((sum, gap) => sum + gap, 0), slowest: quantile(gaps, 0.99) };
}

/** @param {{ rate: number, slowest: number }} pictures */
const told = ({ rate, slowest }) => `${rate.toFixed(1)} pictures/s, 99 % within ${slowest.toFixed(0)} ms`;

/**
 * The studio's pictures a second, beside those of pages that do nothing: that is what the machine can do.
 * @param {Browser} browser
 * @param {string} folder
 */
export async function rate(browser, folder) {
  await crowdRate(browser, folder, VIEWPORT);
  for (const count of [2, 40, 400]) {
    const server = await startServer({ world: herd(folder, count) });
    const studio = await openStudio(browser, server.url);
    await studio.page.keyboard.press("t");
    await studio.until(({ time }) => time > 3);
    console.log(`${count} robots, with names and trails: ${await studioRate(studio)}; simulated at ${(await studio.state()).status.real_time_factor.toFixed(2)} of real time`);
    await studio.close();
    await server.stop();
  }
}

/**
 * The same in a window as large as a wall's.
 * @param {Browser} browser
 * @param {string} folder
 */
export async function wall(browser, folder) {
  await crowdRate(browser, folder, WALL);
}

/**
 * 22 robots, without lasers and with them.
 * @param {Browser} browser
 * @param {string} folder
 * @param {{ width: number, height: number }} viewport
 */
async function crowdRate(browser, folder, viewport) {
  const server = await startServer({ world: crowd(folder) });
  const context = await browser.newContext({ viewport });
  const empty = await context.newPage();
  console.log(`an empty page: ${told(await pictures(empty))}`);
  await empty.setContent("<canvas style='position:fixed;inset:0'></canvas>");
  for (const way of ["a canvas of one rectangle", "a canvas with a picture of its own size"]) {
    await empty.evaluate(([way, width, height]) => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector("canvas"));
      const context = canvas.getContext("2d", { alpha: false });
      const copied = document.createElement("canvas");
      for (const each of [canvas, copied]) [each.width, each.height] = [width, height];
      copied.getContext("2d")?.fillRect(0, 0, width / 2, height);
      let at = 0;
      const next = () => {
        if (way.startsWith("a canvas with")) context?.drawImage(copied, 0, 0);
        if (context) context.fillStyle = "red";
        context?.fillRect((at += 1) % 500, 100, 20, 20);
        // @ts-expect-error For the benchmark alone.
        window.way === way && requestAnimationFrame(next);
      };
      // @ts-expect-error For the benchmark alone.
      window.way = way;
      requestAnimationFrame(next);
    }, /** @type {const} */ ([way, viewport.width, viewport.height - 150]));
    console.log(`${way}: ${told(await pictures(empty))}`);
  }
  await context.close();
  const studio = await openStudio(browser, server.url, { viewport });
  console.log(`${ROBOTS_SHOWN} robots: ${await studioRate(studio)}`);
  await showLasers(studio);
  console.log(`${ROBOTS_SHOWN} robots and their lasers: ${await studioRate(studio)}`);
  await studio.close();
  await server.stop();
}

/** @param {import("./harness.js").Studio} studio */
async function studioRate(studio) {
  const { page } = studio;
  const session = await page.context().newCDPSession(page);
  // The processor's time of the thread that scripts run on, however busy the machine is.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const metrics = async () => Object.fromEntries((await session.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, value]));
  await page.evaluate(() => {
    // @ts-expect-error The page puts it there.
    const { painter } = window.touchline;
    const draw = painter.constructor.prototype.draw;
    // @ts-expect-error For the benchmark alone.
    window.drawing = 0;
    painter.draw = (/** @type {number} */ now) => {
      const begun = performance.now();
      draw.call(painter, now);
      // @ts-expect-error For the benchmark alone.
      window.drawing += performance.now() - begun;
    };
  });
  const [before, { framesDrawn }] = [await metrics(), await studio.state()];
  const begun = performance.now();
  const measured = await pictures(page);
  const secs = (performance.now() - begun) / 1000;
  const [after, { framesDrawn: framesThen }] = [await metrics(), await studio.state()];
  // @ts-expect-error For the benchmark alone.
  const drawingMs = await page.evaluate(() => window.drawing);
  const drawn = framesThen - framesDrawn;
  const each = (/** @type {string} */ name) => `${(1000 * (after[name] - before[name]) / drawn).toFixed(2)} ms`;
  return `${told(measured)}; ${(drawn / secs).toFixed(1)} drawn anew, for each ${each("TaskDuration")} of the processor: scripts ${each("ScriptDuration")}, `
    + `style ${each("RecalcStyleDuration")}, layout ${each("LayoutDuration")}; drawing takes ${(drawingMs / drawn).toFixed(2)} ms`;
}

/**
 * What the page keeps, minute by minute, with everything on: lasers, a chosen robot, its values, plots.
 * @param {Browser} browser
 * @param {string} folder
 * @param {number} minutes
 */
export async function heap(browser, folder, minutes) {
  const server = await startServer({ world: crowd(folder) });
  const studio = await openStudio(browser, server.url);
  const { page } = studio;
  await showLasers(studio);
  await page.keyboard.press("p");
  await page.keyboard.press("t");
  await choose(studio, "cyan-1");
  for (const at of [0, 1]) await page.getByRole("row", { name: "forward" }).getByRole("button").nth(at).click();
  await page.locator("#inspector").getByRole("button", { name: "laser", exact: true }).click();
  for (const title of ["Radio", "Annotations"]) await page.locator("#inspector summary", { hasText: title }).click();
  const session = await page.context().newCDPSession(page);
  /** @type {[number, number][]} */
  const samples = [];
  const begun = performance.now();
  for (let minute = 0; minute <= minutes; minute += 1) {
    await new Promise((resolve) => setTimeout(resolve, begun + 60_000 * minute - performance.now()));
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    samples.push([minute, usedSize / 1e6]);
    console.log(`minute ${minute}: ${(usedSize / 1e6).toFixed(2)} MB, ${nodes} elements`);
  }
  // The first five minutes fill what is kept of the last five.
  const settled = samples.filter(([minute]) => minute >= Math.min(6, minutes / 2));
  const mean = (/** @type {number[]} */ numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [x, y] = [mean(settled.map(([minute]) => minute)), mean(settled.map(([, mb]) => mb))];
  const slope = mean(settled.map(([minute, mb]) => (minute - x) * (mb - y))) / mean(settled.map(([minute]) => (minute - x) ** 2));
  console.log(`JS heap: ${samples[0][1].toFixed(2)} MB, after ${minutes} minutes ${samples.at(-1)?.[1].toFixed(2)} MB; `
    + `from minute ${settled[0][0]} on ${(1000 * slope).toFixed(1)} kB a minute`);
  await studio.close();
  await server.stop();
}
