// What a person sees when a plugin does not return: time stands, and the page says who keeps it.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe } from "node:test";
import { makeFolder, setUp, withPage } from "./harness.js";

describe("a plugin that does not return", () => {
  const folder = makeFolder();
  const world = path.join(folder, "w.toml");
  const motion = '{ plugin = "misbehave", params = { how = "hang", after_steps = 100 } }';
  writeFileSync(path.join(folder, "bad.toml"), `model = "bad"\nmass_kg = 5.0\nmotion = ${motion}\nbody = [{ shape = "circle", radius_m = 0.2 }]\n`);
  writeFileSync(world, 'name = "w"\n[[robot]]\nname = "rosie"\nfile = "bad.toml"\n');
  // The world cannot end: the signal closes what can be closed, and the program ends as a failure.
  const here = setUp({ world });

  withPage("is named, with its robot and the step, and the factor is 0", () => here, async (studio) => {
    const notice = studio.page.locator("#notice");
    await notice.filter({ hasText: "The world stands still" }).waitFor();
    assert.match(String(await notice.textContent()), /motion plugin "misbehave" of rosie has not returned for \d+ s, in step 101/);
    await studio.until((state) => state.status.real_time_factor === 0);
    await studio.nextStatus();
    assert.equal(await studio.page.locator("#factor").textContent(), "× 0.00");
    await studio.screenshot("stalled");
  });
});
