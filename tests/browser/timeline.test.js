// The timeline: the past of a live match, recordings that are played, and recordings that are made.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { noteFrames, seen, shown } from "./acting.js";
import { makeFolder, makeKey, openStudio, recordMatch, startBrowser, startServer, touchline, withPage } from "./harness.js";
import { soon } from "./looking.js";

/** @typedef {import("./harness.js").Studio} Studio */

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {string} */
let folder;

before(async () => {
  browser = await startBrowser();
  folder = makeFolder();
});
after(() => browser?.close());

/**
 * The ticks of bookmarks, once there are some.
 * @param {Studio} studio
 * @param {string} kind
 * @returns {Promise<{ tick: number, text: string }[]>}
 */
async function bookmarks(studio, kind) {
  for (let statuses = 0; statuses < 100; statuses += 1) {
    // @ts-expect-error The page puts it there.
    const found = await studio.page.evaluate((kind) => window.touchline.happenings.of(kind), kind);
    if (found.length > 0) return found;
    await studio.nextStatus();
  }
  throw new Error(`no bookmark of kind ${kind}`);
}

/**
 * Goes to a tick as the pointer does.
 * @param {Studio} studio
 * @param {number} tick
 */
function goTo({ page }, tick) {
  // @ts-expect-error The page puts it there.
  return page.evaluate((tick) => window.touchline.playhead.goTo(tick), tick);
}

/**
 * Presses and drags the playhead along the bar, from one part of it to another.
 * @param {Studio} studio
 * @param {number} from
 * @param {number} to
 */
async function drag({ page }, from, to) {
  const box = await page.getByRole("slider", { name: "Tick" }).boundingBox();
  assert.ok(box);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + to * box.width, y, { steps: 8 });
  await page.mouse.up();
}

describe("the past of a live match", () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  before(async () => {
    server = await startServer({ recordings: folder });
  });
  after(() => server?.stop());

  // W7
  withPage("is shown as it was seen, to this page alone, and it goes on from there when told", () => ({ browser, server }), async (studio) => {
    const { page } = studio;
    await noteFrames(studio);
    const { time } = await studio.state();
    await studio.until((state) => state.time > time + 3);
    const past = (await seen(studio)).find(({ step }) => step > 100 * time + 50);
    assert.ok(past);
    const other = await openStudio(browser, server.url);
    // The bar grows, also while the pointer is on it: where its middle is lies between these two.
    const { status: before } = await studio.state();
    await drag(studio, 0.98, 0.5);
    const { status: after } = await studio.state();
    await studio.until(({ looking, step }) => step === looking && looking / before.newest > 0.3 && looking / after.newest < 0.7);
    await page.getByText(/You look at \d+\.\d s ago/).waitFor();
    await goTo(studio, past.step);
    await studio.until((state) => state.looking === past.step && state.step === past.step);
    assert.deepEqual((await shown(studio)).poses, past.poses, "the poses of then, bit by bit");
    await studio.screenshot("past");

    // Others see how it goes on.
    const { step } = await other.state();
    assert.ok(step > past.step);
    await other.until((state) => state.step > step + 20 && state.looking === null);
    assert.equal((await studio.state()).step, past.step);
    assert.equal(await other.page.locator("#banner").isHidden(), true);

    await page.keyboard.press("Escape");
    await studio.until((state) => state.looking === null && state.step > step);
    await page.locator("#banner").waitFor({ state: "hidden" });

    // A step of what is shown, by the keyboard.
    await goTo(studio, past.step);
    await studio.until((state) => state.step === past.step);
    await page.keyboard.press("b");
    await studio.until((state) => state.step === past.step - 1);
    await page.keyboard.press("n");
    await studio.until((state) => state.step === past.step);

    // In the past nothing can be taken by hand.
    // @ts-expect-error The page puts it there.
    assert.equal(await page.evaluate(() => window.touchline.world.canChange), false);

    await page.keyboard.press("Space");
    await other.until((state) => state.status.paused);
    const { status } = await other.state();
    await page.getByRole("button", { name: "Continue from here" }).click();
    await page.locator("#continue", { hasText: "Sure?" }).click();
    await other.until((state) => state.step === past.step);
    assert.deepEqual((await shown(other)).poses, past.poses, "the world is where it was");
    await studio.until((state) => state.looking === null && state.step === past.step && state.status.newest >= status.newest);
    const [fork] = await bookmarks(studio, "fork");
    assert.ok(fork.tick >= status.newest);
    assert.equal(fork.text, `the world goes on from 0:${(past.step / 100).toFixed(2).padStart(5, "0")}`);
    await soon(() => page.locator("#track path.fork").getAttribute("d"), Boolean);
    await page.keyboard.press("Space");
    await other.until((state) => !state.status.paused && state.step > past.step + 10);
    await other.close();
  });

  withPage("is gone through by the keys of a slider", () => ({ browser, server }), async (studio) => {
    const { page } = studio;
    await studio.until((state) => state.status.newest > state.status.oldest + 300);
    const slider = page.getByRole("slider", { name: "Tick" });
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    const first = (await studio.until((state) => state.looking !== null)).looking ?? 0;
    assert.equal(Number(await slider.getAttribute("aria-valuenow")), first);
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /ago$/);
    await page.keyboard.press("ArrowLeft");
    await studio.until((state) => state.looking === first - 100);
    await page.keyboard.press("Shift+ArrowRight");
    await studio.until((state) => state.looking === first - 90);
    const { view } = await studio.state();
    await page.keyboard.press("Home");
    const { status } = await studio.until((state) => state.looking === state.status.oldest);
    assert.equal(Number(await slider.getAttribute("aria-valuemin")), status.oldest);
    assert.deepEqual((await studio.state()).view, view, "the view stays");
    await page.keyboard.press("End");
    await studio.until((state) => state.looking === null);
  });

  withPage("is gone through by finger on a phone", () => ({ browser, server }), async (studio) => {
    await studio.page.locator("#track").tap();
    await studio.until((state) => state.looking !== null);
    await studio.screenshot("past-phone");
    await studio.page.getByRole("button", { name: "Back to now" }).tap();
    await studio.until((state) => state.looking === null);
    for (const button of await studio.page.locator("#timeline button:visible, footer button").all()) {
      const box = await button.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390, "within the screen");
    }
  }, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: "dark" });

  withPage("who drives a robot and looks at the past gives it back", () => ({ browser, server }), async (studio) => {
    // @ts-expect-error The page puts it there.
    await studio.page.evaluate(() => window.touchline.drive.start(0));
    // @ts-expect-error The page puts it there.
    const driven = () => studio.page.evaluate(() => window.touchline.drive.robot?.id ?? null);
    await soon(driven, (found) => found !== null);
    await studio.page.keyboard.press("b");
    await studio.until((state) => state.looking !== null);
    assert.equal(await driven(), null);
  });

  // C6
  it("is for all to look at, and for operators to go on from", async () => {
    const address = Object.values(networkInterfaces()).flat().find((found) => found && !found.internal && found.family === "IPv4")?.address;
    if (!address) return;
    const { more, key } = makeKey("monitor");
    const open = await startServer({ studio: "0.0.0.0:0", more });
    const studio = await openStudio(browser, `http://${address}:${new URL(open.url).port}/`, { key });
    const { page } = studio;
    await studio.until((state) => state.status.newest > 200);
    await drag(studio, 0.9, 0.3);
    await studio.until((state) => state.looking !== null && state.step === state.looking);
    const go = page.getByRole("button", { name: "Continue from here" });
    assert.equal(await go.isDisabled(), true);
    assert.match((await go.getAttribute("title")) ?? "", /Only an operator/);
    for (const name of ["Record", "Save the last 20 s"]) {
      assert.equal(await page.getByRole("button", { name, exact: true }).isDisabled(), true, name);
    }
    const refusals = await page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      const { board } = window.touchline;
      return Promise.all(["SEEK 5", "RECORD start", "RECORD save"].map(async (line) => (await board.ask(line)).head.split(" ")[1]));
    });
    assert.deepEqual(refusals, ["board/role", "board/role", "board/role"]);
    await studio.close();
    await open.stop();
  });

  // mechanism 7
  withPage("is recorded from the page, and the last 20 s are saved by a key", () => ({ browser, server }), async (studio) => {
    const { page } = studio;
    await page.keyboard.press("v");
    const notice = page.locator("#notice");
    await notice.getByText("Recording into").waitFor();
    await page.getByRole("button", { name: "Stop recording" }).waitFor();
    const { step } = await studio.until((state) => state.status.recording);
    const name = await studio.text("record-file");
    assert.match(name, /^f2000-\d+(-\d+)?\.mcap$/);
    await studio.until((state) => state.step > step + 100);
    await page.getByRole("button", { name: "Stop recording" }).click();
    await notice.getByText("Recorded").waitFor();
    await studio.until((state) => !state.status.recording);
    await page.getByRole("button", { name: "Record", exact: true }).waitFor();
    assert.equal(await page.locator("#record-file").isHidden(), true);
    touchline("log", "verify", path.join(folder, name));

    await page.keyboard.press("s");
    await notice.getByText("The last 20 s are in").waitFor();
    const saved = (await notice.innerText()).split(" ").at(-1) ?? "";
    assert.ok(existsSync(saved), saved);
    assert.match(touchline("log", "info", saved), /f2000/);
  });

  it("a recording that cannot be made says why", async () => {
    const nowhere = await startServer({ recordings: path.join(folder, "nothing", "here") }).catch(() => null);
    // A server may as well refuse such a folder at once.
    if (!nowhere) return;
    const studio = await openStudio(browser, nowhere.url);
    await studio.page.keyboard.press("v");
    await studio.page.locator("#notice").getByText(/here|No such/).waitFor();
    assert.equal((await studio.state()).status.recording, false);
    await studio.close();
    await nowhere.stop();
  });
});

describe("a recording", () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  before(async () => {
    server = await startServer({ replay: recordMatch(folder, 60) });
  });
  after(() => server?.stop());

  /** Stands at a tick. @param {Studio} studio @param {number} tick */
  async function standAt(studio, tick) {
    if (!(await studio.state()).status.paused) await studio.page.keyboard.press("Space");
    await studio.until((state) => state.status.paused);
    await goTo(studio, tick);
    await studio.until((state) => state.step === tick && state.status.tick === tick);
  }

  withPage("is played as a match is: bookmarks, steps, speeds, backwards", () => ({ browser, server }), async (studio) => {
    const { page } = studio;
    assert.equal(await studio.text("replay"), "Recording");
    const { status } = await studio.state();
    assert.deepEqual([status.replay, status.oldest, status.newest], [true, 0, 6000]);
    const [goal] = await bookmarks(studio, "goal");
    assert.match(goal.text, /^goal for /);
    assert.notEqual(await page.locator("#track path.goal").getAttribute("d"), "", "its bookmark is drawn");

    await standAt(studio, 1000);
    await page.keyboard.press("n");
    await studio.until((state) => state.step === 1001);
    await page.keyboard.press("b");
    await studio.until((state) => state.step === 1000);
    await page.getByRole("button", { name: "Step back" }).click();
    await studio.until((state) => state.step === 999);
    await page.keyboard.press("Shift+N");
    await studio.until((state) => state.step === 998);

    // Backwards, what was seen forwards is seen again.
    await noteFrames(studio);
    await page.locator("#speed").selectOption("-2");
    await page.keyboard.press("Space");
    await studio.until((state) => state.step < 800 && state.status.speed === -2);
    await page.keyboard.press("Space");
    await studio.until((state) => state.status.paused);
    const backwards = await seen(studio);
    assert.ok(backwards.every(({ step }, at) => at === 0 || step <= backwards[at - 1].step), "one tick after the other");
    const some = backwards.find(({ step }) => step < 900);
    assert.ok(some);
    await standAt(studio, some.step);
    assert.deepEqual((await shown(studio)).poses, some.poses);

    // To its beginning, where it stands, and from there, forwards again, to the end.
    await standAt(studio, 40);
    await page.keyboard.press("Space");
    await studio.until((state) => state.status.paused && state.step === 0);
    await page.keyboard.press("1");
    await standAt(studio, 5950);
    await page.keyboard.press("Space");
    await studio.until((state) => state.status.paused && state.step === 6000);
    await page.keyboard.press("Space");
    await studio.until((state) => !state.status.paused && state.step < 3000);
    await studio.screenshot("replay");
  }, { colorScheme: "light" });

  withPage("is gone through from bookmark to bookmark, of the kinds that are shown", () => ({ browser, server }), async (studio) => {
    const { page } = studio;
    const [goal] = await bookmarks(studio, "goal");
    const messages = await bookmarks(studio, "message");
    assert.ok(messages.length > 100 && messages.length <= 400, `${messages.length} messages: thinned out`);
    await page.getByRole("button", { name: "Bookmarks", exact: true }).click();
    for (const name of ["announcements", "faults", "forks", "robots that came or went", "contacts", "messages"]) {
      await page.getByRole("button", { name, exact: true }).click();
    }
    await studio.screenshot("bookmarks");
    await standAt(studio, 5);
    assert.equal(await page.locator("#track path.contact").getAttribute("d"), "");
    await page.keyboard.press("]");
    await studio.until((state) => state.step === goal.tick);
    await standAt(studio, 5990);
    const before = (await bookmarks(studio, "goal")).at(-1)?.tick;
    await page.keyboard.press("[");
    await studio.until((state) => state.step === before);

    // What happened is told where the pointer is.
    const box = await page.locator("#track").boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + (box.width * goal.tick) / 6000, box.y + 20);
    await page.locator("#track .tip").getByText(goal.text).waitFor();
  });

  withPage("is gone through by dragging", () => ({ browser, server }), async (studio) => {
    await standAt(studio, 10);
    await drag(studio, 0.1, 0.75);
    const { step, looking } = await studio.until((state) => Math.abs(state.step - 4500) < 20);
    assert.equal(looking, null, "it is the place in the recording that moves");
    const other = await openStudio(browser, server.url);
    await other.until((state) => state.step === step);
    await other.close();
  });

  withPage("cannot be changed, and the page says so", () => ({ browser, server }), async (studio) => {
    const { page } = studio;
    await page.keyboard.press("p");
    await page.getByRole("button", { name: "Stop blue-1" }).waitFor();
    for (const name of ["Reset", "Record", "Save the last 20 s", "Stop blue-1", "Drive blue-1"]) {
      const control = page.getByRole("button", { name, exact: true });
      assert.equal(await control.isDisabled(), true, name);
      assert.match((await control.getAttribute("title")) ?? "", /This is a recording/, name);
    }
    for (const name of ["Pause", "Resume"]) {
      const control = page.getByRole("button", { name, exact: true });
      if (await control.count()) assert.equal(await control.isDisabled(), false, name);
    }
    // @ts-expect-error The page puts it there.
    const refused = await page.evaluate(async () => (await window.touchline.board.ask("BALL 0 0 0")).head);
    assert.match(refused, /^ERR record\/replay/);
    await studio.screenshot("replay-panel");
  }, { colorScheme: "dark" });
});
