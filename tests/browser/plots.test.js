// Values of the chosen robot where time does not simply run: while it stands, in a look at the past, and the plots over both.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe } from "node:test";
import { openPanel } from "./acting.js";
import { openStudio, setUp, withPage } from "./harness.js";
import { ask, choose, pause, reading, samples, soon } from "./looking.js";
import { readWords } from "../../server/gateways/studio/page/words.js";

/** @typedef {import("./harness.js").Studio} Studio */

const here = setUp();
const where = () => here;

/** A value of the section about the chosen robot. @param {Studio} studio @param {string} name as it begins */
function value({ page }, name) {
  return page.locator("#inspector").getByRole("button", { name: new RegExp(`^${name} `) });
}

/** What such a value says. @param {Studio} studio @param {string} name @returns {Promise<number>} */
async function told(studio, name) {
  const text = await value(studio, name).innerText();
  return Number(/(−?[\d.]+) \S+$/.exec(text)?.[1].replace("−", "-") ?? NaN);
}

/** Looks at a tick, and waits until it is shown. @param {Studio} studio @param {number} tick */
async function lookAt(studio, tick) {
  // @ts-expect-error The page puts it there.
  await studio.page.evaluate((tick) => window.touchline.playhead.goTo(tick), tick);
  await studio.until(({ looking, step }) => looking === tick && step === tick);
}

/** How fast the ball, or blue-2, goes by what the board says. @param {Studio} studio @param {"BALL" | "blue-2"} line */
async function speedOf(studio, line) {
  const { lines } = await ask(studio, "WORLD");
  const { fields } = readWords(lines.find((each) => each.startsWith("BALL") ? line === "BALL" : each.includes(` ${line} `)) ?? "");
  return line === "BALL" ? Math.hypot(Number(fields.vx), Number(fields.vy)) : Math.hypot(Number(fields.forward), Number(fields.left));
}

describe("a look at the past", () => {
  withPage("leaves the plots as they are, and takes no sample of then", where, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    const id = await choose(studio, "blue-2");
    await value(studio, "x").click();
    // Values that only the panel has are those of what happened, too.
    await page.locator("#inspector").getByRole("button", { name: "laser", exact: true }).click();
    await page.locator("#inspector").getByRole("button", { name: /ranges, least/ }).click();
    await soon(() => samples(studio), ([x, laser]) => x?.times.length > 30 && laser?.times.length > 15);
    await lookAt(studio, (await studio.state()).step - 150);
    const [before, scans] = await samples(studio);
    assert.ok(before.times.length > 30);
    const past = (await studio.state()).time;
    // A reading of then has come, and so has all that was asked before it.
    await soon(() => page.evaluate((id) => {
      // @ts-expect-error The page puts it there.
      const { sensing, world } = window.touchline;
      return sensing.readings(id).get("laser")?.step === world.newest.step;
    }, id), Boolean);
    await studio.nextStatus();
    assert.deepEqual(await samples(studio), [before, scans]);
    await studio.screenshot("plot-in-the-past");
    await page.keyboard.press("Escape");
    const [after, laser] = await soon(() => samples(studio), ([x]) => x.times.at(-1) > (before.times.at(-1) ?? 0) + 0.5);
    for (const [then, now] of [[before, after], [scans, laser]]) {
      assert.deepEqual(now.times.slice(0, then.times.length), then.times);
      assert.deepEqual(now.values.slice(0, then.values.length), then.values);
    }
    assert.ok(!after.times.slice(before.times.length).includes(past), "nothing of then");
    // Who presses a value now sees what was before the look, too.
    await value(studio, "y").click();
    const [, , y] = await samples(studio);
    assert.ok(y.times[0] < past, `from ${y.times[0]} on`);
  });

  withPage("has speeds: the robot's, and the ball's once a tick beside it is known", where, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await choose(studio, "blue-2");
    const { step, status: { newest } } = await studio.state();
    await studio.until((state) => state.step > step + 100);
    // What the page itself has seen tells both.
    await lookAt(studio, newest + 20);
    await soon(() => Promise.all([told(studio, "speed"), told(studio, "ball speed")]), (all) => all.every(Number.isFinite));
    const { head } = await ask(studio, `MOTION ${(await studio.state()).objects.find(({ name }) => name === "blue-2")?.id}`);
    const { fields } = readWords(head);
    await soon(async () => Math.abs(await told(studio, "speed") - Math.hypot(Number(fields.forward), Number(fields.left))), (off) => off < 0.001);

    // A page that opens there looks at a tick before it first, and knows both.
    const address = new URL(page.url());
    address.hash = `robot=blue-2&tick=${newest + 20}`;
    const other = await openStudio(here.browser, address.href);
    await openPanel(other);
    await other.until(({ looking, step }) => looking === newest + 20 && step === newest + 20);
    await soon(async () => Math.abs(await told(other, "speed") - await told(studio, "speed")), (off) => off < 0.001);
    await soon(() => told(other, "ball speed"), Number.isFinite);
    await other.close();
  });
});

describe("while time stands", () => {
  withPage("a sensor that is opened has its values at once, and speeds are those of the board", where, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    const id = await choose(studio, "blue-2");
    await pause(studio);
    await soon(() => reading(studio, id, "laser"), Boolean);
    await page.locator("#inspector").getByRole("button", { name: "laser", exact: true }).click();
    assert.match(await page.locator("#inspector").getByRole("button", { name: /ranges, least/ }).innerText(), /\d m$/);
    await page.locator("#inspector").getByRole("button", { name: "odometry", exact: true }).click();
    assert.ok(Number.isFinite(await told(studio, "odometry x")));

    const speed = await speedOf(studio, "blue-2");
    await soon(async () => Math.abs(await told(studio, "speed") - speed), (off) => off < 0.001);
    const fresh = await openStudio(here.browser, here.server.url);
    await openPanel(fresh);
    await choose(fresh, "blue-2");
    for (const key of ["", "n", "b"]) {
      await fresh.page.locator("#field").focus();
      const { step } = await fresh.state();
      if (key) await fresh.page.keyboard.press(key);
      if (key) await fresh.until((state) => state.step !== step);
      await soon(() => Promise.all([told(fresh, "speed"), told(fresh, "ball speed")]), (all) => all.every(Number.isFinite));
      if (key !== "b") await soon(async () => Math.abs(await told(fresh, "ball speed") - await speedOf(fresh, "BALL")), (off) => off < 0.001);
    }
    await fresh.close();
    await ask(studio, "RESUME");
    await studio.until(({ status }) => !status.paused);
  });
});

describe("the window of a plot", () => {
  withPage("holds the keyboard, and says what it shows", where, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await choose(studio, "blue-2");
    for (const name of ["x", "y", "ball x", "ball y"]) await value(studio, name).click();
    await soon(() => samples(studio), ([x]) => x?.times.length > 20);
    await page.getByRole("button", { name: "Larger plot of m" }).click();
    const dialog = page.getByRole("dialog", { name: "Plot" });
    const save = async () => {
      const saved = page.waitForEvent("download");
      await dialog.getByRole("button", { name: "PNG" }).click();
      return readFileSync(await (await saved).path());
    };
    await save();
    await page.keyboard.press("v");
    await page.keyboard.press("ArrowLeft");
    await studio.nextStatus();
    const { status, view } = await studio.state();
    assert.equal(status.recording, false, "nothing is recorded behind it");
    assert.equal(view.fitted, true, "nor is the view moved");
    for (const scheme of /** @type {const} */ (["dark", "light"])) {
      await page.emulateMedia({ colorScheme: scheme });
      await soon(() => page.evaluate(() => document.documentElement.dataset.theme), (theme) => theme === scheme);
      await studio.nextStatus();
      const picture = await save();
      const { clear, inks } = await page.evaluate(async (bytes) => {
        const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context?.drawImage(image, 0, 0);
        const data = context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray();
        const ratio = devicePixelRatio;
        // In the legend's row each line has a stretch of its own colour.
        const [row, left] = [Math.round(36 * ratio), Math.round(64 * ratio)];
        /** @type {Set<string>} */
        const inks = new Set();
        for (let x = left; x < image.width; x += 1) {
          const at = 4 * (row * image.width + x);
          inks.add([data[at], data[at + 1], data[at + 2]].join());
        }
        return { clear: data.filter((alpha, at) => at % 4 === 3 && alpha < 255).length, inks: [...inks] };
      }, [...picture]);
      assert.equal(clear, 0, "its ground is opaque");
      for (const ink of ["31,131,214", "224,123,0", "18,163,127", "214,79,160"]) assert.ok(inks.includes(ink), `${ink} in the legend`);
      await studio.screenshot(`larger-plot-${scheme}`);
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    // @ts-expect-error The page puts it there.
    assert.notEqual(await page.evaluate(() => window.touchline.selection.id), null, "the robot stays chosen");
  }, { colorScheme: "light" });
});
