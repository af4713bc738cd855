// What a person sees of a ball that flies: it is drawn above its shadow, and comes down again.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { thing, untilThing } from "./acting.js";
import { setUp, withPage } from "./harness.js";
import { ask, soon } from "./looking.js";

describe("a chip kick", () => {
  const here = setUp({ world: "worlds/chip-kick.toml", more: ["--speed", "lockstep"] });

  withPage("is seen over a robot, and on the floor after it", () => here, async (studio) => {
    await ask(studio, "STEP");
    const orange = await studio.pixelsLike([0xff, 0x78, 0x00]);
    assert.equal((await thing(studio, "ball-0"))?.z, 0);
    for (const line of ["TAKE blue-1", "MANIPULATE blue-1 chip kick", "STEP 22"]) await ask(studio, line);
    // A picture may come on the way.
    await studio.until(({ step }) => step === 23);
    // 22 steps of 10 ms at 4 m/s and 45 degrees, from x = 4.08 m; the dribbler holds the ball back a little.
    const flown = await thing(studio, "ball-0");
    assert.ok(flown);
    assert.ok(Math.abs(flown.z - (2.8284 * 0.22 - 9.81 * 0.0242)) < 1e-3, `${flown.z} m high`);
    assert.ok(Math.abs(flown.x - (4.08 + 2.8284 * 0.22)) < 0.03, `at ${flown.x} m`);
    // Over the robot, not under it.
    await soon(() => studio.pixelsLike([0xff, 0x78, 0x00]), (part) => part > 0.5 * orange);
    await studio.screenshot("flight");
    await ask(studio, "STEP 200");
    await untilThing(studio, "ball-0", ({ z }) => z === 0);
  });
});
