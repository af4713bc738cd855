// What a person sees of an environment that a learner steps in Python, with render_mode "human".

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openStudio, SCREENSHOTS, startBrowser } from "./harness.js";
import { hasPackage, PYTHON, startLearner } from "./learner.js";

const skip = hasPackage() ? false : `${PYTHON} has no package touchline with Gymnasium; cargo verify makes one`;

describe("an environment", { skip }, () => {
  /** @type {import("playwright-core").Browser} */
  let browser;
  /** @type {Awaited<ReturnType<typeof startLearner>>} */
  let learner;

  before(async () => {
    learner = await startLearner();
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    learner?.stop();
  });

  it("is drawn as it is stepped, and offers nothing that cannot work", async () => {
    const studio = await openStudio(browser, learner.url, { colorScheme: "light" });
    try {
      const { objects, role, step, time } = await studio.state();
      assert.deepEqual(objects.map(({ kind }) => kind).sort(), ["ball", "robot", "robot"]);
      assert.equal(role, "monitor");
      const floor = (await studio.pixelsLike([0x4a, 0x9a, 0x5f])) + (await studio.pixelsLike([0x45, 0x8f, 0x59]));
      assert.ok(floor > 0.2, `the floor takes ${floor} of the picture`);
      assert.ok((await studio.pixelsLike([0xff, 0xff, 0xff])) > 0.005, "lines are white");
      await studio.until((state) => state.step !== step && state.time !== time && state.framesDrawn > 5);
      await studio.screenshot("environment");
      for (const id of ["timeline", "sensors", "panel", "side"]) {
        assert.equal(await studio.page.locator(`#${id}`).isVisible(), false, id);
      }
      for (const id of ["back", "pause", "single", "speed", "reset", "record", "save"]) {
        const control = studio.page.locator(`#${id}`);
        assert.ok(await control.isDisabled(), id);
        assert.match((await control.getAttribute("title")) ?? "", /environment: the program that steps it/, id);
      }
      assert.match(await studio.text("environment"), /^Episode \d+$/);
      // The next one is told, and begins on the page.
      const { status } = await studio.state();
      await studio.until((state) => (state.status.episode ?? 0) > (status.episode ?? 0) && state.step < 50);
    } catch (error) {
      await studio.screenshot("failed-environment");
      console.error(`pictures are in ${SCREENSHOTS}; the page said:`, studio.complaints);
      throw error;
    }
    await studio.close();
  });

  it("says why, when a key is pressed that means something elsewhere", async () => {
    const studio = await openStudio(browser, learner.url);
    for (const key of [" ", "n", ".", "R", "v"]) {
      await studio.page.keyboard.press(key);
      await studio.page.locator("#notice", { hasText: "This is an environment" }).waitFor();
    }
    for (const key of ["p", "i", "b", "[", "Escape"]) await studio.page.keyboard.press(key);
    assert.equal(await studio.page.locator("#side").isVisible(), false);
    const { step } = await studio.state();
    await studio.until((state) => state.step !== step);
    await studio.close();
  });
});
