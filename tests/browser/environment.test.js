// What a person sees of an environment that a learner steps in Python, with render_mode "human".

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { openStudio, SCREENSHOTS, startBrowser } from "./harness.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** A Python that has the package: `TOUCHLINE_PYTHON`, or the one that `cargo verify` has made for its tests. */
const TARGET = process.env.CARGO_TARGET_DIR ?? path.join(ROOT, "target");
const PYTHON = process.env.TOUCHLINE_PYTHON ?? path.join(TARGET, "verify/python-package/bin/python3");
/** An attacker that drives at the ball, and kicks; it goes on until it is ended. */
const LEARNER = `
import gymnasium, numpy, touchline
env = gymnasium.make("touchline/Goalkeeper-v0", level="block-2", render_mode="human", browser=False)
env.reset(seed=1)
while True:
    action = numpy.zeros(env.action_space.shape, numpy.float32)
    action[0], action[-1] = 0.6, 1.0
    *_, terminated, truncated, _ = env.step(action)
    if terminated or truncated:
        env.reset()
`;

const skip = hasPackage() ? false : `${PYTHON} has no package touchline with Gymnasium; cargo verify makes one`;

function hasPackage() {
  try {
    execFileSync(PYTHON, ["-c", "import gymnasium, touchline; touchline.Batch.watch"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("an environment", { skip }, () => {
  /** @type {import("playwright-core").Browser} */
  let browser;
  /** @type {import("node:child_process").ChildProcess} */
  let learner;
  let url = "";

  before(async () => {
    const child = spawn(PYTHON, ["-c", LEARNER], { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });
    learner = child;
    process.once("exit", () => child.kill("SIGKILL"));
    url = await new Promise((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`the learner ended with code ${code}`)));
      createInterface({ input: child.stderr }).on("line", (line) => {
        const told = /^touchline: watch at (http:.*)$/.exec(line);
        if (told) resolve(told[1]);
        else console.error(line);
      });
    });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    learner?.kill("SIGKILL");
  });

  it("is drawn as it is stepped, and offers nothing that cannot work", async () => {
    const studio = await openStudio(browser, url, { colorScheme: "light" });
    try {
      const { objects, role, step, time } = await studio.state();
      assert.deepEqual(objects.map(({ kind }) => kind).sort(), ["ball", "robot", "robot"]);
      assert.equal(role, "observer");
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

  it("says why, when a key is pressed that means something elsewhere; and shows who was clicked", async () => {
    const studio = await openStudio(browser, url);
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
