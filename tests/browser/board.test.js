// How the page reads the message board's answers, whatever clients have put into them. (C4, C9)

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Board } from "../../server/gateways/studio/page/board.js";

/** A page's board, which is told what a server says; and the messages that people were shown. */
function heard() {
  /** @type {string[]} */
  const shown = [];
  /** @type {string[]} */
  const sent = [];
  const board = new Board({ send: (line) => sent.push(line), refused: (message) => shown.push(message) });
  return { board, shown, sent, hear: (/** @type {string[]} */ ...lines) => lines.forEach((line) => board.hear(line)) };
}

describe("a line that is too long for the board", () => {
  it("is refused here, and does not cost the connection; bytes count, not letters", async () => {
    const { board, shown, sent } = heard();
    for (const line of ["x".repeat(4097), "ö".repeat(2049)]) {
      const { ok, message } = await board.ask(line);
      assert.deepEqual([ok, message], [false, "This is too long for one line of the board (4096 bytes)."]);
    }
    assert.ok(!(await board.ask("x".repeat(5000), { isQuiet: true })).ok);
    assert.deepEqual([sent.length, shown.length], [0, 2]);
    void board.ask("ö".repeat(2048));
    assert.equal(sent.length, 1);
  });
});

describe("why the board ends a connection", () => {
  it("is what it said last, once", () => {
    const { board, hear } = heard();
    hear('CLOSE board/too-many-of-key "your key has 256 connections already"');
    assert.equal(board.end(), "your key has 256 connections already");
    assert.equal(board.end(), "");
  });
});

describe("how many lines belong to an answer", () => {
  it("is a field of its head, and not what a team is called", async () => {
    const { board, hear } = heard();
    const [described, paused] = [board.ask("DESCRIBE 1"), board.ask("PAUSE")];
    hear('OK DESCRIBE robot=1 name=a team="x lines=99999" team_index=0 lines=2', "SENSOR one", 'SENSOR "two lines=7"', "OK PAUSE");
    assert.deepEqual((await described).lines, ["SENSOR one", 'SENSOR "two lines=7"']);
    assert.deepEqual(await paused, { ok: true, head: "OK PAUSE", lines: [], message: "" });
    const again = board.ask("DESCRIBE 1");
    hear('OK DESCRIBE robot=1 team="x\\" lines=99999" team_index=0');
    assert.deepEqual((await again).lines, []);
  });

  it("is not what a message about a mistake quotes, and is what stands before it", async () => {
    const { board, shown, hear } = heard();
    const asked = [board.ask("SPEED x"), board.ask("ROBOT x"), board.ask("PAUSE")];
    hear('ERR board/bad-parameter "speed: found `x lines=99999`"', 'ERR config/bad-file lines=1 "one problem"', 'PROBLEM line=3 "what"', "OK PAUSE");
    const [speed, robot, paused] = await Promise.all(asked);
    assert.deepEqual([speed.lines, robot.lines, paused.ok], [[], ['PROBLEM line=3 "what"'], true]);
    assert.deepEqual(shown, ["speed: found `x lines=99999`", "one problem\nline 3: what"]);
  });

  it("is said of answers and of what is pushed, and of nothing else", async () => {
    const { board, hear } = heard();
    /** @type {string[][]} */
    const pushed = [];
    board.onState = (head, lines) => pushed.push([head, ...lines]);
    const paused = board.ask("PAUSE");
    hear('GONE robot=1 lines=3 "removed"', "TOUCHLINE 1 lines=3", "STATE robot=1 lines=1", "DATA a 1 0", "OK PAUSE");
    assert.deepEqual(pushed, [["STATE robot=1 lines=1", "DATA a 1 0"]]);
    assert.ok((await paused).ok);
  });
});
