// What an address shows to who opens it.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Link } from "../../server/gateways/studio/page/link.js";
import { standIn } from "./standins.js";

/**
 * The ticks that are gone to, by who opens an address with a tick.
 * @param {number} tick
 * @param {{ replay?: boolean, isSeeking?: boolean, isDisturbed?: boolean }} [where]
 */
function goneTo(tick, { replay = false, isSeeking = false, isDisturbed = false } = {}) {
  standIn(`http://127.0.0.1/#tick=${tick}&show=names`);
  /** @type {number[]} */
  const ticks = [];
  const playhead = {
    range: [100, 500], isSeeking, shown: 600,
    goTo(/** @type {number} */ at) {
      ticks.push(at);
      this.shown = at;
    },
  };
  const world = { hello: { dt_secs: 0.01 }, status: { replay }, objects: new Map(), looking: /** @type {number | null} */ (null) };
  const link = new Link();
  const parts = /** @type {any} */ ({ world, camera: {}, painter: { options: {} }, selection: {}, playhead });
  link.follow(parts);
  // A frame of now may come before that of the look.
  if (link.isOpen) link.follow(parts);
  if (isDisturbed) playhead.shown = 150;
  for (let frame = 0; frame < 2; frame += 1) {
    world.looking = ticks.at(-1) ?? null;
    if (link.isOpen) link.follow(parts);
  }
  assert.ok(!link.isOpen);
  return ticks;
}

describe("the tick of an address", () => {
  it("is shown, after one before it, from which speeds follow", () => {
    assert.deepEqual(goneTo(300), [290, 300]);
    assert.deepEqual(goneTo(105), [100, 105]);
    assert.deepEqual(goneTo(100), [100]);
    assert.deepEqual(goneTo(300, { isDisturbed: true }), [290], "who has gone elsewhere meanwhile stays there");
  });

  it("is shown as what it is in a recording, up to its last one", () => {
    assert.deepEqual(goneTo(500, { replay: true, isSeeking: true }), [500]);
    assert.deepEqual(goneTo(501, { replay: true, isSeeking: true }), []);
  });

  it("has its robot chosen, though it was not there at the tick before", () => {
    standIn("http://127.0.0.1/#tick=300&robot=late");
    /** @type {(number | null)[]} */
    const chosen = [];
    const selection = { id: /** @type {number | null} */ (null), select(/** @type {number} */ id) { chosen.push(this.id = id); } };
    const playhead = { range: [100, 500], isSeeking: false, shown: 600, goTo(/** @type {number} */ at) { this.shown = at; } };
    const late = { id: 7, kind: "robot", name: "late" };
    const world = { hello: { dt_secs: 0.01 }, status: {}, objects: new Map([[7, late]]), looking: /** @type {number | null} */ (null) };
    const link = new Link();
    const parts = /** @type {any} */ ({ world, camera: {}, painter: { options: {} }, selection, playhead });
    link.follow(parts);
    for (const objects of [[], [late]]) {
      // As the page does when a chosen robot has gone.
      world.objects = new Map(objects.map((object) => [object.id, object]));
      if (objects.length === 0) selection.id = null;
      world.looking = playhead.shown;
      link.follow(parts);
    }
    assert.deepEqual([chosen, selection.id, link.isOpen], [[7, 7], 7, false]);
  });

  it("is now, where a live world has got to or is not yet", () => {
    assert.deepEqual([goneTo(500), goneTo(900), goneTo(99)], [[], [], []]);
  });
});
