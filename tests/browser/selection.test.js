// Whom a choice is of, when robots come and go.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Selection } from "../../server/gateways/studio/page/selection.js";

/** @param {[number, string][]} robots */
function objects(...robots) {
  return /** @type {import("../../server/gateways/studio/page/world.js").World["objects"]} */ (
    new Map(robots.map(([id, name]) => [id, /** @type {any} */ ({ id, name, kind: "robot" })])));
}

describe("the chosen robot", () => {
  it("stays chosen over a connection that was lost, and passes to no other of its number", () => {
    const selection = new Selection();
    selection.select(4);
    selection.call("blue-1");
    selection.check(objects([4, "blue-1"], [5, "blue-2"]));
    assert.equal(selection.id, 4);
    selection.check(objects([4, "rosie"]));
    assert.equal(selection.id, null);
  });

  it("may be one that is on its way", () => {
    const selection = new Selection();
    selection.select(4);
    selection.call(undefined);
    selection.check(objects([4, "robot-1"]));
    assert.equal(selection.id, 4);
    selection.check(objects([4, "robot-2"]));
    assert.equal(selection.id, null);
    selection.select(4);
    selection.check(objects());
    assert.equal(selection.id, null);
  });
});
