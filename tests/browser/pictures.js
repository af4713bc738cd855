// Makes the documentation's pictures of the studio: `npm run pictures`, then look at them.

import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onPage, openPanel, untilThing } from "./acting.js";
import { makeFolder, openStudio, recordMatch, startBrowser, startServer } from "./harness.js";
import { startLearner } from "./learner.js";
import { ask, choose, reading, soon } from "./looking.js";

const IMAGES = fileURLToPath(new URL("../../docs/images", import.meta.url));
const DESK = { viewport: { width: 1200, height: 720 }, colorScheme: /** @type {const} */ ("light") };
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: /** @type {const} */ ("dark") };

const browser = await startBrowser();

/** Only these, if some are asked for by their names. */
const WANTED = process.argv.slice(2);

/**
 * A picture of a page after so many simulated seconds; the same every time but for the pace at which a browser draws.
 * @param {string} name
 * @param {import("playwright-core").BrowserContextOptions} options
 * @param {number} secs
 * @param {(studio: import("./harness.js").Studio) => Promise<unknown>} act
 * @param {Parameters<typeof startServer>[0] | "learner"} [what] is shown
 */
async function picture(name, options, secs, act, what = {}) {
  if (WANTED.length > 0 && !WANTED.includes(name)) return;
  const server = what === "learner" ? await startLearner() : await startServer(what);
  const studio = await openStudio(browser, server.url, options);
  await act(studio);
  await studio.until(({ time }) => time >= secs);
  await studio.page.screenshot({ path: path.join(IMAGES, `${name}.png`) });
  await studio.close();
  await server.stop();
}

/** @param {import("./harness.js").Studio} studio */
async function drive(studio) {
  await openPanel(studio);
  await studio.page.getByRole("button", { name: "Drive blue-4" }).click();
  await untilThing(studio, "blue-4", ({ taken }) => taken);
}

await picture("studio", DESK, 12, ({ page }) => page.keyboard.press("t"));
await picture("studio-panel", DESK, 4, async (studio) => {
  await drive(studio);
  await studio.page.keyboard.down("w");
  await studio.page.keyboard.down("q");
});
await picture("studio-players", { ...DESK, viewport: { width: 1200, height: 860 } }, 6, async (studio) => {
  const { page } = studio;
  await openPanel(studio);
  const form = page.getByRole("form", { name: "Start a player" });
  await form.getByLabel("Player").selectOption("goalkeeper");
  await form.getByLabel("Robot").selectOption("keeper");
  await form.getByLabel("Team").selectOption("yellow");
  await form.getByRole("button", { name: "Pick a place" }).click();
  await page.mouse.click(...(await onPage(studio, 3.4, -1.7)));
  await form.getByLabel("policy").selectOption("mixed");
  await page.locator("#robots > summary").click();
  await page.locator("#inspector > summary").click();
  await page.locator("#driving > summary").click();
  await form.getByLabel("policy").evaluate((policy) => policy.scrollIntoView({ block: "center" }));
});
await picture("studio-inspector", { ...DESK, viewport: { width: 1200, height: 1050 } }, 12, async (studio) => {
  await openPanel(studio);
  await choose(studio, "blue-2");
  for (const at of [0, 1]) await studio.page.getByRole("row", { name: "forward" }).getByRole("button").nth(at).click();
  await studio.page.locator("#side").evaluate((side) => side.scrollTo(0, 0));
});
await picture("studio-environment", DESK, 3, ({ page }) => page.keyboard.press("t"), "learner");
await picture("studio-phone", PHONE, 7, drive);
await picture("studio-past", DESK, 12, async (studio) => {
  // So long that there is a goal.
  await studio.page.keyboard.press("m");
  await studio.until(({ time }) => time >= 50);
  await studio.page.keyboard.press("1");
  // It goes on from earlier once.
  await ask(studio, "SEEK 4200");
  await studio.until(({ time }) => time >= 58);
  await studio.page.keyboard.press("1");
  await studio.until(({ status }) => status.speed === 1 && status.real_time_factor < 1.5);
  // @ts-expect-error The page puts it there.
  await studio.page.evaluate(() => window.touchline.playhead.goTo(3370));
  await studio.until(({ step }) => step === 3370);
  const id = await studio.page.evaluate(() => {
    // @ts-expect-error The page puts it there.
    const { world, selection } = window.touchline;
    const { id } = [...world.objects.values()].find((object) => object.name === "blue-2");
    selection.select(id);
    return id;
  });
  await soon(() => reading(studio, id, "laser"), Boolean);
  await soon(() => studio.page.locator("#track path.fork").getAttribute("d"), Boolean);
  await studio.until(({ status }) => Math.abs(status.real_time_factor - 1) < 0.03);
});
const folder = makeFolder();
const recorded = recordMatch(folder, 60);
await picture("studio-replay", { ...DESK, colorScheme: "dark" }, 24, async (studio) => {
  const { page } = studio;
  await page.locator("#speed").selectOption("-1");
  await page.locator("#choose-bookmarks").click();
  // @ts-expect-error The page puts it there.
  await page.evaluate(() => window.touchline.playhead.goTo(2450));
  await studio.until(({ step }) => step > 2400 && step < 2440);
  await page.keyboard.press("Space");
}, { replay: recorded });
await picture("studio-shadow-player", DESK, 12, async (studio) => {
  const { page } = studio;
  await openPanel(studio);
  await choose(studio, "blue-2");
  await page.locator("#robots > summary").click();
  // @ts-expect-error The page puts it there.
  await page.evaluate(() => window.touchline.playhead.goTo(1200));
  await studio.until(({ step }) => step >= 1200);
  await ask(studio, "PAUSE");
  await page.getByText(/^It decides/).waitFor();
  await page.locator("#first-difference").scrollIntoViewIfNeeded();
}, { replay: recorded, more: ["--player", "blue-2=striker", "--player-parameters", 'blue-2={"speed_fraction":0.5}'] });
rmSync(folder, { recursive: true, force: true });
await browser.close();
