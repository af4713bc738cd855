// What a page that looks at the past, or comes back from it, must not mix up with what is true now.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe } from "node:test";
import { noteLines, openPanel, said } from "./acting.js";
import { makeFolder, setUp, withPage } from "./harness.js";
import { ask, choose, pause, samples, soon } from "./looking.js";

/** @typedef {import("./harness.js").Studio} Studio */

const match = setUp();
// Robots of the world's own: those that a page has made go with a reset.
const world = path.join(makeFolder(), "pair.toml");
const robots = [["one", -1], ["two", 1]].map(([name, x]) => `[[robot]]\nname = "${name}"\nfile = "pioneer"\npose = { x_m = ${x}.0, y_m = 0.0 }\n`);
writeFileSync(world, `name = "pair"\n${robots.join("")}`);
const room = setUp({ world });

/** Looks at a tick, and waits until it is shown. @param {Studio} studio @param {number} tick */
async function lookAt(studio, tick) {
  // @ts-expect-error The page puts it there.
  await studio.page.evaluate((tick) => window.touchline.playhead.goTo(tick), tick);
  await studio.until(({ looking, step }) => looking === tick && step === tick);
}

/** Goes back to now, and waits until it is shown. @param {Studio} studio */
async function backToNow(studio) {
  const { step } = await studio.state();
  await studio.page.keyboard.press("Escape");
  await studio.until((state) => state.looking === null && state.step > step);
}

describe("a look at the past", () => {
  withPage("is not acted on as if it were now: the score, robots and players are out of reach until it ends", () => match, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await page.getByRole("button", { name: "Stop blue-1" }).waitFor();
    const { status } = await studio.until((state) => state.status.newest > 100);
    await ask(studio, "SETSCORE blue 3");
    const goals = page.getByRole("group", { name: "Score" }).getByRole("status").first();
    await goals.filter({ hasText: "3" }).waitFor();
    await lookAt(studio, status.newest - 90);
    await goals.filter({ hasText: "0" }).waitFor();
    const names = ["One goal more for blue", "Tell the referee", "Shoot the ball by dragging", "Stop blue-1", "Drive blue-1", "Pick a place", "Start"];
    for (const name of names) {
      const button = page.getByRole("button", { name, exact: true });
      assert.equal(await button.isDisabled(), true, name);
      assert.match(await button.evaluate((found) => /** @type {HTMLElement} */ (found.closest("[title]:not([title=''])"))?.title), /You look at the past/, name);
    }
    await noteLines(studio);
    await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector("[aria-label='One goal more for blue']")).click());
    await studio.screenshot("acting-in-the-past");
    assert.deepEqual((await said(studio)).filter(({ line }) => line.startsWith("SETSCORE")), []);
    await backToNow(studio);
    await goals.filter({ hasText: "3" }).waitFor();
    for (const name of names) assert.equal(await page.getByRole("button", { name, exact: true }).isDisabled(), false, name);
    await page.getByRole("button", { name: "One goal more for blue" }).click();
    await goals.filter({ hasText: "4" }).waitFor();
  });

  withPage("stops no plot after a reset", () => match, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await choose(studio, "blue-2");
    await page.locator("#inspector").getByRole("button", { name: /^x / }).click();
    const { run, status } = await studio.until((state) => state.status.newest > 200 && state.step > 100);
    await lookAt(studio, status.newest - 90);
    await backToNow(studio);
    await soon(() => samples(studio), ([x]) => x.times.length > 3);
    // While time stands there is no time at which samples could begin again.
    await pause(studio);
    await ask(studio, "RESET");
    const { time } = await studio.until((state) => state.run > run);
    await soon(() => samples(studio), ([x]) => x.times.length > 0 && x.times.every((/** @type {number} */ at) => at === time));
    await ask(studio, "STEP");
    await studio.until((state) => state.time > time);
    await soon(() => samples(studio), ([x]) => x.times.length > 1);
    await ask(studio, "RESUME");
  });
});

describe("the radio", () => {
  withPage("has nothing of what was said before a reset, however much is said after it", () => room, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await choose(studio, "one");
    await page.locator("#inspector summary", { hasText: "Radio" }).click();
    const list = page.getByRole("list", { name: "Radio messages" });
    await ask(studio, "SAY two before");
    await list.getByText("before").waitFor();
    // In one go: the page asks for the radio before it or after it.
    await page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      const { board } = window.touchline;
      return Promise.all(["RESET", "SAY two first", "SAY two second", "SAY two third"].map((line) => board.ask(line, { isQuiet: true })));
    });
    await list.getByText("third").waitFor();
    await soon(() => list.getByRole("listitem").count(), (count) => count === 3);
    assert.equal(await list.getByText("before").count(), 0);
  });
});
