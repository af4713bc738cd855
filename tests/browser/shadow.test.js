// A shadow player beside a recorded one, and a recording that comes to something else when it is run again.

import assert from "node:assert/strict";
import { copyFileSync, linkSync, readdirSync } from "node:fs";
import path from "node:path";
import { after, before, describe } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { ask, soon } from "./looking.js";
import { makeFolder, program, startBrowser, startServer, touchline, withPage } from "./harness.js";

/** @typedef {import("./harness.js").Studio} Studio */

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {string} */
let folder;
/** @type {string} */
let recorded;

before(async () => {
  browser = await startBrowser();
  folder = makeFolder();
  recorded = path.join(folder, "match.mcap");
  touchline("run", "worlds/f2000.toml", "--for", "20", "--seed", "3", "--record", recorded);
});
after(() => browser?.close());

/** Stands at a tick. @param {Studio} studio @param {number} tick */
async function standAt(studio, tick) {
  if (!(await studio.state()).status.paused) await ask(studio, "PAUSE");
  await ask(studio, `SEEK ${tick}`);
  await studio.until((state) => state.step === tick && state.status.paused);
}

/** Chooses a robot. @param {Studio} studio @param {string} name */
async function choose({ page }, name) {
  await page.evaluate((name) => {
    // @ts-expect-error The page puts it there.
    const { world, selection } = window.touchline;
    selection.select([...world.objects.values()].find((object) => object.name === name).id);
  }, name);
}

/** What the shadow player's part says. @param {Studio} studio */
function rows({ page }) {
  return page.locator(".shadow tbody tr").evaluateAll((rows) => Object.fromEntries(rows.map((row) =>
    [row.children[0].textContent, [row.children[1].textContent, row.children[2].textContent, row.className]])));
}

/**
 * Waits until the shadow player's part says this: it is drawn after the state has come, and may show the tick before.
 * @param {Studio} studio @param {Record<string, (string | null)[]>} expected
 */
async function says(studio, expected) {
  await soon(() => rows(studio), (said) => isDeepStrictEqual(said, expected));
}

describe("a shadow player beside the recorded one", () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  before(async () => {
    server = await startServer({
      replay: recorded,
      more: ["--player", "blue-2=striker", "--player-parameters", 'blue-2={"speed_fraction":0.5,"thoughts":true}', "--player", "blue-3=striker",
        "--player", "yellow-2=wanderer", "--player-parameters", 'yellow-2={"localise":true,"samples":200,"shown_samples":50}'],
    });
  });
  after(() => server?.stop());

  withPage("is shown with its decisions, and the first that differs has a bookmark", () => ({ browser, server }), async (studio) => {
    const { page } = studio;
    assert.equal(await page.locator("#divergence").isHidden(), true);
    const { lines } = await ask(studio, "TIMELINE kind=difference");
    const first = Number(lines.find((line) => line.includes("blue-2"))?.split(" ")[1]);
    assert.ok(first > 0, String(lines));
    await page.keyboard.press("p");
    await choose(studio, "blue-2");
    await page.getByText("Shadow player", { exact: true }).waitFor();

    // A tick at which it decides otherwise: what is said to be recorded is what the robot was told.
    await standAt(studio, 1300);
    await page.getByText(/^It decides otherwise: .*(forward|turn)/).waitFor();
    // Players are asked thirty times a second: the last time before step 1300 is the same, however one comes there.
    const asked = page.getByText(/asked for step (1300|129[7-9])/);
    await asked.waitFor();
    const later = await rows(studio);
    await page.locator("#first-difference").scrollIntoViewIfNeeded();
    await studio.screenshot("shadow-player");
    assert.notEqual(await page.locator("#track path.difference").getAttribute("d"), "", "its bookmark is drawn");

    await page.getByRole("button", { name: "First difference" }).click();
    await studio.until((state) => state.step === first);
    await page.getByText(`striker, asked for step ${first}`).waitFor();
    const there = await rows(studio);
    assert.equal(there.forward[2], "differs");
    assert.equal(there.messages[2], "same");
    const told = (await ask(studio, "MOTION blue-2")).lines.find((line) => line.startsWith("DIM forward"));
    const recordedForward = Number(told?.match(/value=(\S+)/)?.[1]);
    assert.ok(Math.abs(recordedForward - Number(there.forward[0].replace("−", "-"))) < 0.001, `${told} ${there.forward}`);

    // Back and forth again, and step by step: the shadow player's state is that of then.
    await standAt(studio, 1300);
    await says(studio, later);
    await standAt(studio, 1290);
    await ask(studio, "STEP 10");
    await studio.until((state) => state.step === 1300);
    await says(studio, later);

    await choose(studio, "blue-3");
    await page.getByText("It decides the same.").waitFor();
    await choose(studio, "blue-4");
    await page.getByText("Shadow player", { exact: true }).waitFor({ state: "hidden" });
  }, { colorScheme: "light" });

  withPage("is drawn: what it thinks is a layer of its own", () => ({ browser, server }), async (studio) => {
    const { page } = studio;
    await standAt(studio, 600);
    await page.keyboard.press("p");
    await choose(studio, "yellow-2");
    await page.getByText("Annotations", { exact: true }).click();
    await page.locator('.tree > li[data-key="shadow/belief"]').waitFor();
    const nextPictures = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await nextPictures();
    await studio.screenshot("shadow-player-thoughts");
    // From so near that what is written of others, whose shadows think as well, is out of sight.
    await page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      const { world, camera, selection } = window.touchline;
      const { x, y } = world.newest.poses.get(selection.id);
      camera.look(x, y, 2000);
    });
    await nextPictures();
    const before = await studio.pixelsLike([0x00, 0xc8, 0xff]);
    await page.getByRole("switch", { name: "Draw layer shadow/belief of all robots" }).click();
    await page.getByRole("switch", { name: "Draw layer shadow/estimate of all robots" }).click();
    await nextPictures();
    const after = await studio.pixelsLike([0x00, 0xc8, 0xff]);
    // A line of another shadow's goes by.
    assert.ok(before > 1.2 * after, `${before}, then ${after}`);
  }, { colorScheme: "dark" });
});

describe("a recording that comes to something else", () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let server;
  before(async () => {
    // The program elsewhere, with all its plugins but one.
    const elsewhere = makeFolder();
    const from = path.dirname(program());
    for (const name of readdirSync(from)) {
      if (name !== path.basename(program()) && !/\.(so|dylib|dll)$/.test(name) || name.includes("player_striker")) continue;
      try {
        linkSync(path.join(from, name), path.join(elsewhere, name));
      } catch {
        copyFileSync(path.join(from, name), path.join(elsewhere, name));
      }
    }
    server = await startServer({ replay: recorded, binary: path.join(elsewhere, path.basename(program())) });
  });
  after(() => server?.stop());

  withPage("says from which step on, and why", () => ({ browser, server }), async (studio) => {
    const { page } = studio;
    const note = page.locator("#divergence");
    const { status } = await studio.state();
    const departs = status.departs;
    assert.ok(departs && departs.tick > 0 && departs.tick < 20, JSON.stringify(departs));
    await standAt(studio, 0);
    await note.getByText(`Run again, it differs from step ${departs.step} on`).waitFor();
    await standAt(studio, 500);
    await note.getByText(`Recorded poses: run again, it differs from step ${departs.step} on`).waitFor();
    assert.match((await note.getAttribute("title")) ?? "", /player-striker 0\.\d+\.\d+ is not here/);
    await page.keyboard.press("[");
    await studio.until((state) => state.step === departs.tick);
    await studio.screenshot("divergence");
  }, { colorScheme: "light" });
});
