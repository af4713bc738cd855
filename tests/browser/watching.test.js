// A page that stays open while its world starts anew: `touchline serve --watch`.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe } from "node:test";
import { makeFolder, setUp, withPage } from "./harness.js";
import { soon } from "./looking.js";

const WALL = '[[fixture]]\nshape = "rectangle"\nrole = "wall"\nx_m = 0.0\ny_m = 2.0\nlength_m = 1.0\nwidth_m = 0.1\n';

describe("a world that starts anew", () => {
  const world = path.join(makeFolder(), "room.toml");
  writeFileSync(world, 'name = "room"\n[[robot]]\nname = "rosie"\nfile = "pioneer"\npose = { x_m = 0.0, y_m = 0.0 }\n');
  const here = setUp({ world, more: ["--watch"] });

  withPage("is shown as it is now by the page that was open, at its tick", () => here, async (studio) => {
    // @ts-expect-error The page puts it there.
    const fixtures = () => studio.page.evaluate(() => window.touchline.world.hello.fixtures.length);
    const { status } = await studio.until((state) => state.status.tick > 50);
    assert.equal(await fixtures(), 0);
    writeFileSync(world, readFileSync(world, "utf8") + WALL);
    await soon(fixtures, (count) => count > 0);
    // The page is told of the new world first, and then what is in it.
    const later = await studio.until((state) => state.status.tick > status.tick && state.objects.some(({ kind }) => kind === "robot"));
    assert.equal(later.objects.filter((object) => object.kind === "robot").length, 1);
    await studio.nextStatus();
    await studio.screenshot("watching");
    // The browser tells of the connections that it lost and tried.
    const others = studio.complaints.filter((complaint) => !complaint.includes("WebSocket"));
    assert.deepEqual(others, []);
    studio.complaints.length = 0;
  });
});
