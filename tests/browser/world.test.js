// What the page's own picture of the world takes for time that passes, and what for a jump. (W7, C9)

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Traces } from "../../server/gateways/studio/page/traces.js";
import { World } from "../../server/gateways/studio/page/world.js";

/**
 * A frame of a world with nobody in it.
 * @param {number} time simulated seconds
 */
function frameAt(time, run = 0) {
  const step = Math.round(time * 100);
  return { sequence: step, step, time, clock: time, run, poses: new Map() };
}

/**
 * A page that was shown a world up to second 10, 50 frames a second.
 * @param {Partial<import("../../server/gateways/studio/page/protocol.js").Status>} status
 */
function pageAtTen(status) {
  const world = new World();
  world.status = { ...world.status, ...status };
  for (let at = 0; at <= 500; at += 1) world.receive(frameAt(at / 50), at * 20);
  assert.ok(knowsTheFifthSecond(world));
  return world;
}

/** @param {World} world */
function knowsTheFifthSecond(world) {
  return (world.history.before(5)?.time ?? 0) > 4.8;
}

describe("a live world", () => {
  it("goes on when a page that was held up is shown where it has got to", () => {
    const world = pageAtTen({ speed: 1 });
    // Two frames that came while the page did something else for two seconds: taken over one after the other.
    assert.ok(world.receive(frameAt(10.02), 12_000));
    assert.ok(world.receive(frameAt(12), 12_001));
    assert.ok(knowsTheFifthSecond(world));
  });

  it("goes on when it is made faster before the page is told", () => {
    const world = pageAtTen({ speed: 1 });
    assert.ok(world.receive(frameAt(12), 10_020));
    assert.ok(knowsTheFifthSecond(world));
  });

  for (const [what, frame] of /** @type {const} */ ([["begins anew", frameAt(0, 1)], ["is set back", frameAt(8)]])) {
    it(`that ${what} has no history`, () => {
      const world = pageAtTen({ speed: 1 });
      assert.ok(!world.receive(frame, 10_020));
      assert.deepEqual(world.history.frames, [frame]);
    });
  }
});

describe("a look at the past", () => {
  /** @param {World} world @param {number | null} tick */
  const look = (world, tick) => world.hear({ type: "looking", tick, reason: null });

  it("is the past until the first frame of now has come: score and robots are those of then", () => {
    const world = pageAtTen({ speed: 1 });
    assert.ok(!world.isPast);
    look(world, 500);
    assert.ok(world.isPast);
    world.receive(frameAt(5), 10_020);
    look(world, null);
    assert.ok(world.isPast);
    world.receive(frameAt(10.02), 10_040);
    assert.ok(!world.isPast);
  });

  it("is another course of the world, and so is its end, and each reset", () => {
    const world = pageAtTen({ speed: 1 });
    const cuts = [world.cuts];
    for (const [tick, time, run] of /** @type {const} */ ([[500, 5, 0], [null, 10.02, 0], [null, 0, 1]])) {
      look(world, tick);
      world.receive(frameAt(time, run), 10_020);
      cuts.push(world.cuts);
    }
    world.receive(frameAt(0.02, 1), 10_040);
    assert.equal(new Set(cuts).size, 4);
    assert.equal(world.cuts, cuts[3], "time that passes is none");
  });

  for (const [what, time, run] of /** @type {const} */ ([["a reset", 0, 1], ["a fork from an earlier tick", 6, 0]])) {
    it(`stops no plot after ${what}`, () => {
      const world = pageAtTen({ speed: 1 });
      const traces = new Traces();
      traces.isNow = (at) => world.looking === null && at >= world.nowSince;
      traces.toggle("x", "x", "m");
      look(world, 500);
      world.receive(frameAt(5), 10_020);
      traces.add("x", 5, 0);
      look(world, null);
      world.receive(frameAt(10.02), 10_040);
      traces.add("x", 5, 0);
      traces.add("x", 10.02, 1);
      assert.deepEqual(traces.all[0].times, [10.02]);
      world.receive(frameAt(time, run), 10_060);
      traces.add("x", time, 2);
      world.receive(frameAt(time + 0.02, run), 10_080);
      traces.add("x", time + 0.02, 3);
      assert.deepEqual(traces.all[0].times, [time, time + 0.02]);
    });
  }
});

describe("a recording", () => {
  it("that is sought in has no history", () => {
    const world = pageAtTen({ speed: 1, replay: true });
    assert.ok(!world.receive(frameAt(60), 10_020));
    assert.ok(!knowsTheFifthSecond(world));
  });

  it("goes on at the speed that it was given", () => {
    const world = pageAtTen({ speed: 50, replay: true });
    assert.ok(world.receive(frameAt(11), 10_020));
  });
});
