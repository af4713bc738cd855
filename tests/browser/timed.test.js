// Sensors with a rate or a delay: what they say was sensed some time ago, somewhere else. (C9, S4)

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe } from "node:test";
import { openPanel } from "./acting.js";
import { makeFolder, openStudio, setUp, withPage } from "./harness.js";
import { ask, choose, reading, soon } from "./looking.js";

/** @typedef {import("./harness.js").Studio} Studio */

const WALL = '[[fixture]]\nshape = "rectangle"\nrole = "wall"\nx_m = 3.0\ny_m = 0.0\nlength_m = 0.1\nwidth_m = 6.0\n';
/** The robot's laser: 5 Hz, 0.2 s late. */
const DELAY_SECS = 0.2;

describe("a robot whose sensors have a rate and a delay", () => {
  const world = path.join(makeFolder(), "timed.toml");
  writeFileSync(world, `name = "timed"\n${WALL}[[robot]]\nname = "slow"\nfile = "pioneer-timed"\npose = { x_m = 0.0, y_m = 0.0 }\n`);
  const here = setUp({ world, more: ["--speed", "lockstep"] });

  withPage("has nothing yet at first, and is then drawn where it was when it sensed", () => here, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await ask(studio, "STEP");
    const id = /** @type {number} */ (await choose(studio, "slow"));
    const row = page.locator("#inspector .sensors > li").filter({ has: page.getByRole("button", { name: "laser", exact: true }) });
    await row.getByText("nothing yet").waitFor();
    assert.equal(await page.locator("#inspector").getByText(/Failed/).count(), 0);

    await ask(studio, `TWIST ${id} 0.3 0 1`);
    /** Where it was at each step. @type {Map<number, { x: number, y: number, theta: number }>} */
    const was = new Map();
    for (let step = 0; step < 60; step += 1) {
      const { step: last } = await studio.state();
      await ask(studio, "STEP");
      await studio.until((state) => state.step > last);
      const [at, pose] = await page.evaluate((id) => {
        // @ts-expect-error The page puts it there.
        const { newest } = window.touchline.world;
        return [newest.step, newest.poses.get(id)];
      }, id);
      was.set(at, pose);
    }
    const { step: now } = await studio.state();
    await soon(() => page.evaluate(([id, now]) => {
      // @ts-expect-error The page puts it there.
      const { sensing, world } = window.touchline;
      const found = sensing.readings(id).get("laser");
      return found && Math.abs(found.step * world.hello.dt_secs + found.age - now * world.hello.dt_secs) < 1e-6;
    }, /** @type {const} */ ([id, now])), Boolean);
    const sensed = await reading(studio, id, "laser");
    assert.ok(sensed);
    const dt = await page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      return /** @type {number} */ (window.touchline.world.hello.dt_secs);
    });
    assert.ok((now - sensed.step) * dt >= DELAY_SECS - 1e-6, `sensed at step ${sensed.step}, told at ${now}`);
    const [then, after] = [was.get(sensed.step), was.get(now)];
    assert.ok(then && after && Math.abs(then.theta - after.theta) > 0.1, "it has turned since");
    const drawn = await page.evaluate(([id, step]) => {
      // @ts-expect-error The page puts it there.
      return window.touchline.world.poseAtStep(id, step);
    }, /** @type {const} */ ([id, sensed.step]));
    assert.ok(Math.hypot(drawn.x - then.x, drawn.y - then.y) < 0.005 && Math.abs(drawn.theta - then.theta) < 0.02, JSON.stringify([drawn, then, after]));
    // The beam straight ahead ends on the wall if it begins where the robot was.
    const ahead = sensed.ranges[180];
    const wall = then.x + Math.cos(then.theta) * ahead;
    assert.ok(Math.abs(wall - 2.95) < 0.2, `a wall at ${wall} m, from ${JSON.stringify(then)}; now ${JSON.stringify(after)}`);
    await row.getByText(/^0\.\d\d s old$/).waitFor();
    await studio.screenshot("timed");

    // The same at a tick of the past, of which the page has seen what was before; a page that comes there has not, and says so.
    // @ts-expect-error The page puts it there.
    const lookAt = (/** @type {Studio} */ { page }, /** @type {number} */ tick) => page.evaluate((tick) => window.touchline.playhead.goTo(tick), tick);
    const { status: { newest } } = await studio.state();
    const past = newest - 5;
    await lookAt(studio, past);
    await studio.until(({ looking, step }) => looking === past && step === past);
    const told = await soon(() => reading(studio, id, "laser"), Boolean);
    const place = await page.evaluate(([id, step]) => {
      // @ts-expect-error The page puts it there.
      return window.touchline.world.poseAtStep(id, step);
    }, /** @type {const} */ ([id, told.step]));
    const truth = was.get(told.step);
    assert.ok(truth && Math.hypot(place.x - truth.x, place.y - truth.y) < 0.005, JSON.stringify([place, truth]));
    await row.getByText(/^0\.\d\d s old$/).waitFor();
    const other = await openStudio(here.browser, here.server.url);
    await openPanel(other);
    await lookAt(other, past);
    await other.until(({ looking, step }) => looking === past && step === past);
    await choose(other, "slow");
    await other.page.locator("#inspector .sensors").getByText(/^0\.\d\d s old, not drawn$/).first().waitFor();
    await other.screenshot("timed-unseen");
    await other.close();
  });
});
