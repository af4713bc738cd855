// What the page asks about sensors, and what it makes of the answers: when and where something was sensed, and of whom nothing is said. (C9, S4)

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { Sensing } from "../../server/gateways/studio/page/sensing.js";
import { SensorLayer } from "../../server/gateways/studio/page/sensorlayer.js";
import { World } from "../../server/gateways/studio/page/world.js";
import { boardOf, settled, standIn } from "./standins.js";

const DESCRIBED = [
  "OK DESCRIBE robot=1 lines=4", "SENSOR heading type=compass integers=1", "FEATURE heading", "FIELD heading unit=rad scale=0.001 signed=1 shape=scalar",
  "SENSOR other integers=1",
];
const ROLE = 'ERR board/role "a spectator may not DESCRIBE"';

/**
 * A page that looks at a sensor of some robots.
 * @param {(line: string) => string[]} [answers]
 * @param {number[]} [robots]
 */
async function looking(answers = (line) => (line.startsWith("DESCRIBE") ? DESCRIBED : ["OK"]), robots = [1]) {
  const board = boardOf(answers);
  const sensing = new Sensing(board);
  sensing.dtSecs = () => 0.01;
  sensing.look("chosen", new Map(robots.map((id) => [id, { periodMs: 50, ids: ["heading"] }])));
  await settled();
  const count = (/** @type {string} */ word) => board.asked.filter((line) => line.startsWith(word)).length;
  return { sensing, board, count };
}

beforeEach(() => standIn());

describe("a reading", () => {
  it("is of when it was sensed, by its line's stamp, to the microsecond", async () => {
    const { sensing, board } = await looking();
    board.onState("STATE robot=1 step=120 sim_us=1200000 stamp_us=88000000 lines=1", ["DATA heading 87800000 1 500"]);
    board.onState("STATE robot=2 step=120 sim_us=1200000 stamp_us=88000000 lines=1", ["DATA heading 88000000 1 500"]);
    const { step, time, age } = sensing.readings(1).get("heading") ?? {};
    assert.deepEqual({ step, time, age }, { step: 100, time: 1, age: 0.2 });
    // The same sample, told later, is the same.
    board.onState("STATE robot=1 step=123 sim_us=1230000 stamp_us=99030000 lines=1", ["DATA heading 98800000 1 500"]);
    const again = sensing.readings(1).get("heading");
    assert.deepEqual([again?.step, again?.time], [100, 1]);
  });

  it("is none before there is one, and that is no failure", async () => {
    const { sensing, board } = await looking();
    const head = "STATE robot=1 step=1 sim_us=10000 stamp_us=10000 lines=1";
    board.onState(head, ["NONE heading"]);
    assert.deepEqual([[...sensing.readings(1).keys()], [...sensing.pending(1)]], [[], ["heading"]]);
    board.onState(head, ["DATA heading 10000 1 500"]);
    assert.deepEqual([[...sensing.readings(1).keys()], [...sensing.pending(1)]], [["heading"], []]);
    board.onState(head, ['FAULT heading "it broke"']);
    assert.equal(sensing.readings(1).get("heading")?.fault, "it broke");
    board.onState(head, ["NONE heading"]);
    assert.equal(sensing.readings(1).size, 0, "what it said before a reset is over");
  });

  it("is drawn where the robot was when it was made, also long ago, and not at all where that was not seen", async () => {
    const { sensing, board } = await looking();
    const world = new World();
    world.hello = /** @type {any} */ ({ dt_secs: 0.01, teams: [] });
    world.objects.set(1, /** @type {any} */ ({ id: 1, kind: "robot", radius: 0.2 }));
    // A robot that goes a metre a second, and a page that sees it 60 times a second.
    const poses = (/** @type {number} */ time) => new Map([[1, { x: time, y: 0, theta: 0 }]]);
    const frame = (/** @type {number} */ step) => ({ sequence: step, step, time: step / 100, clock: 0, run: 0, poses: poses(step / 100) });
    for (let at = 0; at <= 120; at += 1) world.receive(frame(Math.round(at * 5 / 3)), at * 1000 / 60);
    const layer = new SensorLayer(world, sensing);
    layer.show(new Map([[1, ["heading"]]]));
    /** @type {number[]} */
    let drawn = [];
    const nothing = () => {};
    const context = new Proxy({}, { get: (_, name) => (name === "translate" ? (/** @type {number} */ x) => drawn.push(x) : nothing), set: () => true });
    const camera = { scale: 1, matrix: () => [1, 0, 0, 1, 0, 0] };
    const draw = (/** @type {number} */ stamp) => {
      drawn = [];
      board.onState("STATE robot=1 step=200 sim_us=2000000 stamp_us=2000000 lines=1", [`DATA heading ${stamp} 1 500`]);
      layer.draw(/** @type {any} */ (context), /** @type {any} */ (camera), 1, poses(2), "above");
      return drawn;
    };
    assert.equal(draw(2_000_000)[0], 2);
    for (const stamp of [1_900_000, 1_500_000, 1_030_000]) {
      assert.ok(Math.abs(draw(stamp)[0] - stamp / 1e6) < 1e-6, `sensed at ${stamp} us, drawn at ${drawn}`);
    }
    // A look at a tick that the page has seen before: what is known of the course is known there too.
    world.hear({ ...world.status, type: "status", tick: 200 });
    world.receive(frame(201), 2017);
    world.hear({ type: "looking", tick: 150, reason: null });
    world.receive(frame(150), 3000);
    assert.ok(Math.abs((world.poseAtStep(1, 130)?.x ?? 0) - 1.3) < 1e-6, JSON.stringify(world.poseAtStep(1, 130)));
    world.hear({ type: "looking", tick: 5000, reason: null });
    world.receive(frame(5000), 4000);
    assert.equal(world.poseAtStep(1, 4980), null, "nobody has seen that");
    sensing.leave();
    board.onState("STATE robot=1 step=5000 sim_us=50000000 stamp_us=50000000 lines=1", ["DATA heading 49800000 1 500"]);
    drawn = [];
    layer.draw(/** @type {any} */ (context), /** @type {any} */ (camera), 1, poses(50), "above");
    assert.deepEqual(drawn, []);
  });
});

describe("what is refused", () => {
  it("to a role is asked once on a connection, and of no robot again", async () => {
    const { sensing, count } = await looking((line) => (line.startsWith("DESCRIBE") ? [ROLE] : ["OK"]));
    for (let turn = 0; turn < 5; turn += 1) {
      assert.equal(sensing.description(1), null);
      assert.equal(sensing.description(2), null);
      sensing.leave();
      await settled();
    }
    assert.equal(count("DESCRIBE"), 1);
    assert.deepEqual([sensing.refusal(1), sensing.refusal(2)], ["a spectator may not DESCRIBE", "a spectator may not DESCRIBE"]);
    sensing.begin();
    await settled();
    assert.equal(count("DESCRIBE"), 2, "another connection may have another role");
  });

  it("of one robot is asked again when another tick is shown", async () => {
    const { sensing, count } = await looking((line) => (line === "DESCRIBE 1" ? ['ERR sim/no-such-robot "there is no robot 1"'] : DESCRIBED));
    for (let turn = 0; turn < 5; turn += 1) sensing.description(1);
    await settled();
    for (let turn = 0; turn < 5; turn += 1) sensing.description(1);
    assert.equal(count("DESCRIBE"), 1);
    assert.ok(sensing.known.includes(1), "who has gone is forgotten");
    sensing.leave();
    sensing.description(1);
    assert.equal(count("DESCRIBE"), 2);
    sensing.description(2);
    assert.equal(count("DESCRIBE 2"), 1);
  });
});

describe("more robots than can be pushed", () => {
  it("leave the chosen one, and nothing stays that nobody keeps up to date", async () => {
    const { sensing, board } = await looking();
    const say = (/** @type {number} */ id) => board.onState(`STATE robot=${id} step=9 sim_us=1 stamp_us=1 lines=1`, ["DATA heading 1 1 5"]);
    const all = new Map(Array.from({ length: 70 }, (_, at) => [100 + at, { periodMs: 100, ids: ["heading"] }]));
    sensing.look("lasers", all);
    await settled();
    say(100 + 62);
    assert.equal(sensing.readings(162).size, 1);
    assert.equal(sensing.left, 7);
    const pushed = () => {
      const on = new Set();
      for (const line of board.asked.filter((line) => line.startsWith("PUSH"))) {
        if (line.endsWith(" off")) on.delete(line.split(" ")[1]);
        else on.add(line.split(" ")[1]);
        assert.ok(on.size <= 64, line);
      }
      return on;
    };
    assert.ok(pushed().has("1") && pushed().size === 64);
    sensing.look("chosen", new Map([1, 165].map((id) => [id, { periodMs: 50, ids: ["heading"] }])));
    await settled();
    assert.ok(pushed().has("165") && pushed().size === 64);
    assert.deepEqual([sensing.readings(162).size, pushed().has("162"), sensing.left], [0, false, 7]);
    sensing.look("lasers", new Map());
    assert.equal(sensing.left, 0);
  });
});
