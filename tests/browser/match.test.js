// The ball, the referee and the score in an operator's hand; and one who only looks on. (C6, G1)

import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { after, before, describe, it } from "node:test";
import { noteFrames, noteLines, onPage, openPanel, said, seen, thing, untilThing } from "./acting.js";
import { makeKey, openStudio, startBrowser, startServer } from "./harness.js";
import { soon } from "./looking.js";

/** @typedef {import("./harness.js").Studio} Studio */

/** @type {import("playwright-core").Browser} */
let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser?.close());

/**
 * @param {string} name
 * @param {string} world
 * @param {(studio: Studio) => Promise<void>} test
 * @param {string[]} [more] what else is said on the command line
 */
function acting(name, world, test, more) {
  it(name, async () => {
    const server = await startServer({ world: `worlds/${world}.toml`, more });
    const studio = await openStudio(browser, server.url);
    try {
      await test(studio);
    } finally {
      await studio.close();
      await server.stop();
    }
  });
}

/**
 * Presses at one point of the field, and moves to another.
 * @param {Studio} studio
 * @param {[number, number]} from metres
 * @param {[number, number]} to metres
 */
async function aim(studio, from, to) {
  const { page } = studio;
  await page.mouse.move(...(await onPage(studio, ...from)));
  await page.mouse.down();
  await page.mouse.move(...(await onPage(studio, ...to)), { steps: 4 });
}

describe("the ball", () => {
  acting("is shot along the arrow, and the view stays", "empty", async (studio) => {
    const { page } = studio;
    const ball = await thing(studio, "ball-0");
    assert.ok(ball);
    const { view } = await studio.state();
    await page.keyboard.down("Alt");
    await aim(studio, [ball.x, ball.y], [ball.x + 1, ball.y + 0.5]);
    await studio.screenshot("shot");
    assert.deepEqual(await thing(studio, "ball-0").then((now) => [now?.x, now?.y]), [ball.x, ball.y], "not before it is let go");
    await noteFrames(studio);
    await page.mouse.up();
    await page.keyboard.up("Alt");
    // The first tick at which it is there, however late one looks: later it comes back from the wall.
    await untilThing(studio, "ball-0", ({ x }) => x > ball.x + 0.5);
    const way = (await seen(studio)).map(({ poses }) => poses.find(([id]) => id === ball.id)?.[1]);
    const rolling = way.find((pose) => pose && pose.x > ball.x + 0.5);
    assert.ok(rolling);
    const direction = Math.atan2(rolling.y - ball.y, rolling.x - ball.x);
    assert.ok(Math.abs(direction - Math.atan2(0.5, 1)) < 0.02, `${direction}`);
    assert.deepEqual((await studio.state()).view, view);
  });

  acting("is shot by every drag when the panel says so, and put elsewhere otherwise", "empty", async (studio) => {
    const { page } = studio;
    const ball = await thing(studio, "ball-0");
    assert.ok(ball);
    await openPanel(studio);
    const shoot = page.getByRole("button", { name: "Shoot the ball by dragging" });
    await shoot.click();
    await aim(studio, [ball.x, ball.y], [ball.x, ball.y + 1]);
    await page.mouse.up();
    await untilThing(studio, "ball-0", ({ y }) => y > ball.y + 0.2);
    await shoot.click();
    assert.equal(await shoot.getAttribute("aria-pressed"), "false");
    // It is taken where it lies, and lies where it is put.
    /** @type {import("./acting.js").Thing | null} */
    let before = null;
    const stopped = await untilThing(studio, "ball-0", (now) => {
      const stands = now.time > (before?.time ?? Infinity) && now.x === before?.x && now.y === before?.y;
      before = now;
      return stands;
    });
    await aim(studio, [stopped.x, stopped.y], [-1, -1]);
    await page.mouse.up();
    await untilThing(studio, "ball-0", ({ x, y }) => Math.hypot(x + 1, y + 1) < 0.03);
  });
});

describe("the match", () => {
  // G1
  acting("obeys: the referee by its own words, and the score", "f2000", async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    const referee = page.getByRole("group", { name: "Referee" });
    await referee.getByRole("button", { name: "KICKOFF yellow" }).waitFor();
    assert.deepEqual(await referee.getByRole("button").allInnerTexts(), ["START", "STOP", "KICKOFF blue", "KICKOFF yellow", "HALF", "FINISH", "DROP"]);
    await referee.getByRole("button", { name: "STOP" }).click();
    await page.locator("#phase", { hasText: "stopped" }).waitFor();
    await page.getByRole("button", { name: "One goal more for yellow" }).click();
    const goals = page.locator("#score .goals").last();
    await goals.filter({ hasText: "1" }).waitFor();
    await page.getByRole("button", { name: "One goal less for yellow" }).click();
    await goals.filter({ hasText: "0" }).waitFor();
    await page.getByLabel("Words for the referee").fill("penalty");
    await page.keyboard.press("Enter");
    await page.locator("#events").getByText("does not know").waitFor();
  });

  acting("says in its head what is, and the referee's other values on demand", "soccer-teams", async (studio) => {
    const { page } = studio;
    const values = await page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      return /** @type {string[]} */ (Object.keys(window.touchline.world.game.values));
    });
    assert.ok(values.length > 4, `${values}`);
    assert.doesNotMatch(await page.locator("#phase").innerText(), /penalty/, "nothing that never was other than 0");
    const more = page.locator("#more-values");
    assert.equal(await page.locator("#more-list").isVisible(), false);
    await more.getByText(/^\d+ more$/).click();
    await page.locator("#more-list").getByText(/^penalty-miss-left 0$/).waitFor();
    const told = `${await page.locator("#phase").innerText()} ${await page.locator("#more-list").innerText()}`;
    for (const name of values) assert.ok(told.includes(name), name);
    await studio.screenshot("referee-values");
  });

  acting("has a robot chosen by a click, on the field and in the list", "localisation", async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    const chosen = () => page.evaluate(() =>
      // @ts-expect-error The page puts it there.
      /** @type {number | null} */ (window.touchline.selection.id));
    const robot = await thing(studio, "other");
    assert.ok(robot);
    await page.mouse.click(...(await onPage(studio, robot.x, robot.y)));
    assert.equal(await chosen(), robot.id);
    const name = page.locator(".roster").getByRole("button", { name: "other", exact: true });
    assert.equal(await name.getAttribute("aria-pressed"), "true");
    await studio.screenshot("chosen");
    await page.mouse.click(...(await onPage(studio, robot.x, robot.y + 1.5)));
    assert.equal(await chosen(), null);
    await name.click();
    assert.equal(await chosen(), robot.id);
    // Nobody drives to where a click is to hit nothing.
  }, ["--speed", "lockstep"]);
});

describe("one who looks on", () => {
  const address = Object.values(networkInterfaces()).flat().find((found) => found && !found.internal && found.family === "IPv4")?.address;

  // C6
  it("sees all, and is told why nothing can be pressed; the board refuses what the page does not", { skip: !address && "this machine has no network" }, async () => {
    const { more, key } = makeKey("monitor");
    const server = await startServer({ world: "worlds/f2000.toml", studio: "0.0.0.0:0", more });
    const studio = await openStudio(browser, `http://${address}:${new URL(server.url).port}/`, { key });
    const { page } = studio;
    assert.equal((await studio.state()).role, "monitor");
    await openPanel(studio);
    await page.getByRole("button", { name: "Stop blue-1" }).waitFor();
    for (const name of ["Pause", "Reset", "Stop blue-1", "Drive blue-1", "Shoot the ball by dragging", "Pick a place"]) {
      const button = page.getByRole("button", { name, exact: true });
      assert.equal(await button.isDisabled(), true, name);
      const why = await button.evaluate((found) => /** @type {HTMLElement} */ (found.closest("[title]"))?.title);
      assert.match(why, /Only an operator/, name);
    }
    await studio.screenshot("monitor");
    const refusals = await page.evaluate(async () => {
      // @ts-expect-error The page puts it there.
      const { board } = window.touchline;
      const lines = ["START a plugin=striker file=pioneer", "STOP 0", "TAKE 0", "GIVE 0", "BALL 0 0 0 1 0", "REFEREE STOP", "SETSCORE blue 1", "ROBOT a file=pioneer"];
      return Promise.all(lines.map(async (line) => (await board.ask(line)).head.split(" ")[1]));
    });
    assert.deepEqual(new Set(refusals), new Set(["board/role"]));
    await studio.close();
    await server.stop();
  });

  it("in the stands sees the picture and the score, and no wrong key opens the page", async () => {
    const { more, key } = makeKey("spectator");
    const server = await startServer({ world: "worlds/f2000.toml", more });
    const studio = await openStudio(browser, server.url, { key });
    const { page } = studio;
    assert.equal((await studio.state()).role, "spectator");
    await studio.until((state) => state.step > 20);
    assert.equal(await page.locator("#notice").isVisible(), false, (await page.locator("#notice").textContent()) ?? "");
    assert.equal(await page.getByRole("button", { name: "Pause", exact: true }).isDisabled(), true);
    // What he may not know is asked once, and said; who goes on asking is thrown out by the board.
    await noteLines(studio);
    await openPanel(studio);
    // @ts-expect-error The page puts it there.
    const chosen = () => page.evaluate(() => window.touchline.selection.id);
    await page.getByRole("button", { name: "blue-2", exact: true }).click();
    assert.notEqual(await chosen(), null);
    await page.locator("#inspector").getByText(/spectator/).waitFor();
    assert.equal(await page.getByRole("switch", { name: "All robots' lasers" }).count(), 0);
    await page.locator("#journal").scrollIntoViewIfNeeded();
    await page.locator("#journal").getByText(/spectator/).waitFor();
    await page.getByRole("button", { name: "blue-1", exact: true }).click();
    await page.locator("#inspector").getByText(/^blue-1/).waitFor();
    for (let status = 0; status < 4; status += 1) await studio.nextStatus();
    // @ts-expect-error The page puts it there.
    await page.evaluate(() => window.touchline.happenings.ask());
    const asked = (await said(studio)).map(({ line }) => line.split(" ")[0]);
    assert.deepEqual(asked.filter((word) => ["DESCRIBE", "PUSH", "GET", "MOTION", "HEAR"].includes(word)), ["DESCRIBE"]);
    await studio.screenshot("spectator");
    // The tab keeps the key.
    await page.reload();
    await studio.untilDrawn();
    await page.evaluate(() => sessionStorage.setItem("touchline-key", "a-key-that-opens-nothing-at-all"));
    await page.reload();
    await page.getByText("this key opens nothing here").waitFor();
    // There is nothing behind the question, so Esc does not end it, however often.
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("Escape");
    // Where the browser has closed it all the same, it is back at once, and the keyboard is in it still.
    await soon(async () => {
      await page.keyboard.type("x");
      return page.locator("#key input").inputValue();
    }, (value) => value.includes("x"));
    assert.equal(await page.getByRole("dialog", { name: "Key" }).isVisible(), true);
    assert.equal(await page.evaluate(() => sessionStorage.getItem("touchline-key")), null);
    await studio.close();
    await server.stop();
  });
});
