// What happened, as the page asks for it and keeps it: of nobody's world but the one that is shown. (C9)

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { Happenings } from "../../server/gateways/studio/page/happenings.js";
import { boardOf, settled, standIn } from "./standins.js";

/** @param {(line: string) => string[]} answers */
async function connected(answers) {
  const board = boardOf(answers);
  const world = { hello: { dt_secs: 0.01 }, status: { oldest: 0, newest: 100, replay: false } };
  const happenings = new Happenings({ board, world: /** @type {any} */ (world) });
  let changes = 0;
  happenings.addEventListener("change", () => (changes += 1));
  happenings.heardStatus();
  await settled();
  return { board, happenings, changes: () => changes };
}

beforeEach(() => standIn());

describe("what happened", () => {
  it("is not asked for again by who may not know it, on the same connection", async () => {
    const { board, happenings } = await connected(() => ['ERR board/role "a spectator may not TIMELINE"']);
    for (let turn = 0; turn < 5; turn += 1) await happenings.ask();
    assert.deepEqual([board.asked.length, happenings.refused], [1, "a spectator may not TIMELINE"]);
    happenings.begin();
    happenings.heardStatus();
    await settled();
    assert.equal(board.asked.length, 2, "another connection may have another role");
  });

  it("is asked for again after any other refusal", async () => {
    const { board, happenings } = await connected(() => ['ERR server/busy "not now"']);
    await happenings.ask();
    assert.deepEqual([board.asked.length, happenings.refused], [2, ""]);
  });

  it("in another world is no more, and who lists it is told so at once", async () => {
    const { happenings, changes } = await connected(() => ["OK TIMELINE now=90 oldest=0 lines=1", 'EVENT 50 goal "Goal for blue"']);
    assert.deepEqual([happenings.of("goal").length, changes()], [1, 1]);
    happenings.begin();
    assert.deepEqual([happenings.of("goal").length, changes()], [0, 2]);
  });
});
