// What cannot work looks so, and says why; what was told of another tick goes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe } from "node:test";
import { openPanel } from "./acting.js";
import { makeFolder, setUp, withPage } from "./harness.js";
import { choose, pause, soon } from "./looking.js";

const recordings = makeFolder();
const here = setUp({ recordings });
const where = () => here;

describe("a server that is frozen", () => {
  withPage("leaves nothing that could be pressed in vain, until it answers again", where, async (studio) => {
    const { page } = studio;
    const button = page.locator("#pause");
    await openPanel(studio);
    const time = page.locator("#journal li button").first();
    await time.waitFor();
    here.server.freeze(true);
    await page.locator("#notice", { hasText: "does not answer" }).waitFor();
    for (const id of ["pause", "back", "single", "speed", "reset", "record", "save", "last-bookmark", "next-bookmark"]) {
      assert.equal(await page.locator(`#${id}`).isDisabled(), true, id);
    }
    assert.match((await button.getAttribute("title")) ?? "", /does not answer/);
    await page.locator("#field").focus();
    await page.keyboard.press("Space");
    assert.match((await page.locator("#notice").textContent()) ?? "", /does not answer/);
    assert.equal(await time.isDisabled(), true, "a time in the log");
    assert.match((await time.getAttribute("title")) ?? "", /does not answer/);
    // The playhead stays with what is shown, whoever presses what.
    const slider = page.getByRole("slider", { name: "Tick" });
    const before = await slider.getAttribute("aria-valuenow");
    const box = await slider.boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + 2, box.y + box.height / 2);
    await page.keyboard.press("Home");
    await page.locator("#field").focus();
    await page.keyboard.press("[");
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    assert.equal(await slider.getAttribute("aria-valuenow"), before);
    await studio.screenshot("frozen");
    here.server.freeze(false);
    await page.locator("body:not(.offline)").waitFor();
    // It may answer before its world has caught up.
    for (const control of [button, time]) await soon(() => control.isDisabled(), (isDisabled) => !isDisabled);
    await page.locator("#notice").waitFor({ state: "hidden" });
  });
});

describe("Space", () => {
  withPage("pauses after a press by mouse, wherever that was", where, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await page.locator("#view > summary").click();
    await page.keyboard.press("Space");
    await studio.until(({ status }) => status.paused);
    await page.locator("#view > summary").click();
    await page.keyboard.press("Space");
    await studio.until(({ status }) => !status.paused);
  });
});

describe("the referee", () => {
  withPage("is said to act with the next step, while time stands", where, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await pause(studio);
    await page.getByRole("group", { name: "Referee" }).getByRole("button").first().click();
    await page.getByText("Time stands still: the referee acts on").waitFor();
    await page.locator("#field").focus();
    await page.keyboard.press("Space");
    await studio.until(({ status }) => !status.paused);
  });
});

describe("what was told", () => {
  withPage("does not outlive a look at another tick", where, async (studio) => {
    const { page } = studio;
    await studio.until(({ status }) => status.newest > 200);
    await page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      window.touchline.panel.showEvent({ number: 1, step: 1, kind: "announcement", text: "half time" });
    });
    const told = page.locator("#events li", { hasText: "half time" });
    assert.equal(await told.count(), 1);
    // @ts-expect-error The page puts it there.
    await page.evaluate(() => window.touchline.playhead.goTo(100));
    await studio.until(({ looking }) => looking === 100);
    assert.equal(await told.count(), 0);
  });
});

describe("values", () => {
  withPage("are plotted with what is known of them, and saved", where, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    // The world may have run for long when a busy browser has its page: what counts is what the page itself has seen.
    const seen = () => page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      const { frames } = window.touchline.world.history;
      return frames.length > 8 ? frames.at(-1).time - frames[0].time : 0;
    });
    await soon(seen, (/** @type {number} */ secs) => secs > 0.8);
    await choose(studio, "blue-2");
    await page.locator("#inspector").getByRole("button", { name: /^x / }).click();
    const times = await page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      return [...window.touchline.inspector.traces.all[0].times];
    });
    assert.ok(times.length > 5 && times.at(-1) - times[0] > 0.5, `${times.length} samples at once`);
    await page.getByRole("button", { name: "Larger plot" }).click();
    const dialog = page.getByRole("dialog", { name: "Plot" });
    const saved = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "CSV" }).click();
    const [head, ...rows] = readFileSync(await (await saved).path(), "utf8").trim().split("\n");
    assert.equal(head, 'time_s,"x [m]"');
    assert.ok(rows.length >= times.length && rows.every((row) => /^[\d.]+,-?[\d.e-]+$/.test(row)), rows[0]);
    const picture = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "PNG" }).click();
    assert.equal(readFileSync(await (await picture).path()).subarray(1, 4).toString(), "PNG");
    await studio.screenshot("larger-plot");
    await dialog.getByRole("button", { name: "Close" }).click();

    await page.locator("#inspector").getByRole("button", { name: "laser", exact: true }).click();
    await page.getByRole("button", { name: "Table of laser ranges" }).click();
    const table = page.getByRole("dialog", { name: "laser ranges" });
    await soon(async () => {
      await table.getByRole("button", { name: "Read again" }).click();
      return table.locator("tbody td").allInnerTexts();
    }, (/** @type {string[]} */ cells) => cells.length > 100 && cells.some((cell) => Number(cell) > 0.1));
  });
});

describe("files", () => {
  withPage("a recording that was made here is downloaded as it is on the disk", where, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await page.getByRole("button", { name: "Save the last 20 s" }).click();
    const button = page.getByRole("button", { name: /^Download / });
    await button.waitFor();
    const saved = page.waitForEvent("download");
    await button.click();
    const download = await saved;
    const name = download.suggestedFilename();
    assert.deepEqual(readFileSync(await download.path()), readFileSync(`${recordings}/${name}`));
    const { status } = await fetch(`${here.server.url}/recordings/..%2F..%2Fetc%2Fpasswd`);
    assert.equal(status, 404);
  });

  withPage("the field is saved as a picture and as a film", where, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    const picture = page.waitForEvent("download");
    await page.getByRole("button", { name: "Picture of the field" }).click();
    assert.equal(readFileSync(await (await picture).path()).subarray(1, 4).toString(), "PNG");
    const film = page.locator("#film");
    await film.click();
    const { step } = await studio.state();
    await studio.until((state) => state.step > step + 100);
    const saved = page.waitForEvent("download");
    await film.click();
    const bytes = readFileSync(await (await saved).path());
    assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3, "WebM begins so");
    assert.ok(bytes.length > 2000, `${bytes.length} bytes`);
  });
});

describe("what happened", () => {
  withPage("is told in words that can be searched, and gone to", where, async (studio) => {
    const { page } = studio;
    await openPanel(studio);
    await page.locator("#journal-search").fill("message");
    const line = page.locator("#journal li").first();
    await line.waitFor();
    assert.match((await line.textContent()) ?? "", /message/);
    // Who scrolls the list by keys does not move the field.
    const { view } = await studio.state();
    const list = page.getByRole("list", { name: "What happened" });
    await soon(() => list.evaluate((list) => list.scrollHeight - list.clientHeight), (more) => more > 50);
    await list.focus();
    await page.keyboard.press("ArrowDown");
    await soon(() => list.evaluate((list) => list.scrollTop), (top) => top > 0);
    assert.deepEqual((await studio.state()).view, view);
    await line.getByRole("button").click();
    await studio.until(({ looking }) => looking !== null);
  });
});
