// Who sees little, hears the page, or has no mouse: names, landmarks, contrast, focus and motion, in every state of the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, it } from "node:test";
import { openPanel } from "./acting.js";
import { makeFolder, openStudio, recordMatch, startBrowser, startServer } from "./harness.js";
import { ask, choose, soon } from "./looking.js";

/** @typedef {import("./harness.js").Studio} Studio */

/** The rules of WCAG 2, levels A and AA, and what is good practice besides. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof startServer>>} */
let live;
/** @type {Awaited<ReturnType<typeof startServer>>} */
let replay;

before(async () => {
  browser = await startBrowser();
  live = await startServer();
  replay = await startServer({ replay: recordMatch(makeFolder(), 60) });
});
after(async () => {
  await browser?.close();
  await live?.stop();
  await replay?.stop();
});

/** What is wrong with the page as it stands. @param {Studio} studio @returns {Promise<string[]>} */
async function problems({ page }) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    // @ts-expect-error It was put there.
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap((/** @type {{ id: string, help: string, nodes: { html: string, failureSummary: string }[] }} */ { id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary.replaceAll("\n", " ")}`));
  });
}

/** Everything about a chosen robot is open, and so are all other sections. @param {Studio} studio */
async function openAll(studio) {
  const { page } = studio;
  await openPanel(studio);
  await choose(studio, "blue-2");
  for (const title of ["Radio", "Annotations"]) await page.locator("#inspector summary", { hasText: title }).click();
  const openers = page.locator("#inspector .opener");
  for (const opener of await openers.all()) await opener.click();
  await page.getByRole("row", { name: "forward" }).getByRole("button").last().click();
  await page.locator("canvas.plot").first().waitFor();
  await soon(() => page.locator("#inspector .value").allInnerTexts(), (/** @type {string[]} */ texts) => texts.some((text) => text.includes(".")));
}

/** @param {Studio} studio @param {number} ago seconds */
async function lookBack(studio, ago) {
  await studio.until((state) => state.status.newest > state.status.oldest + 200);
  // @ts-expect-error The page puts it there.
  await studio.page.evaluate((ago) => window.touchline.playhead.goTo(window.touchline.playhead.now - 100 * ago), ago);
  await studio.until((state) => state.looking !== null);
  await studio.page.getByRole("button", { name: "Bookmarks", exact: true }).click();
}

/** @type {[string, (studio: Studio) => Promise<unknown>][]} */
const STATES = [
  ["the match", async () => {}],
  ["the panel with all that it has", openAll],
  ["a look at the past, and the choice of bookmarks", (studio) => lookBack(studio, 1)],
  ["the list of keys", ({ page }) => page.keyboard.press("?").then(() => page.getByRole("dialog").waitFor())],
  ["what the board refuses", (studio) => ask(studio, "SPEED 0").catch(() => {}).then(() => studio.page.evaluate(() => {
    // @ts-expect-error The page puts it there.
    void window.touchline.board.ask("SPEED 0");
  })).then(() => studio.page.getByRole("alert").waitFor())],
];

describe("the rules of WCAG 2 A and AA", () => {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    for (const [name, act] of STATES) {
      it(`${name}, ${colorScheme}`, async () => {
        const studio = await openStudio(browser, live.url, { colorScheme, viewport: { width: 1280, height: 1000 } });
        await act(studio);
        const found = await problems(studio);
        await studio.screenshot(`rules-${name.replaceAll(/\W+/g, "-")}-${colorScheme}`);
        assert.deepEqual(found, []);
        await studio.close();
      });
    }

    it(`a recording, ${colorScheme}`, async () => {
      const studio = await openStudio(browser, replay.url, { colorScheme });
      await openAll(studio);
      assert.deepEqual(await problems(studio), []);
      await studio.close();
    });
  }

  it("the panel on a phone", async () => {
    const studio = await openStudio(browser, live.url, PHONE);
    await openAll(studio);
    assert.deepEqual(await problems(studio), []);
    await studio.close();
  });
});

describe("the keyboard", () => {
  // In a look at the past what acts on now cannot be used.
  for (const [when, isPast] of /** @type {const} */ ([["now", false], ["in the past", true]])) {
    it(`reaches all that can be used ${when}, in every section, and shows where it is`, async () => {
      const studio = await openStudio(browser, live.url);
      const { page } = studio;
      await openAll(studio);
      if (isPast) await lookBack(studio, 1);
      // Not from the field: there Tab goes from robot to robot first, since one is chosen.
      await page.locator("#panel").focus();
      const all = await page.evaluate(() => {
        const usable = [...document.querySelectorAll("button, select, input, summary, [tabindex='0']")].filter((control) =>
          control.checkVisibility({ visibilityProperty: true }) && !control.matches(":disabled"));
        usable.forEach((control, at) => control.setAttribute("data-at", String(at)));
        return usable.map((control) => control.outerHTML.slice(0, 120));
      });
      assert.ok(all.length > (isPast ? 40 : 60), `${all.length} controls`);
      const reached = new Set();
      /** @type {string[]} */
      const unseen = [];
      for (let presses = 0; presses < 2 * all.length && reached.size < all.length; presses += 1) {
        await page.keyboard.press("Tab");
        const { at, isSeen } = await page.evaluate(() => {
          const { activeElement } = document;
          if (!activeElement) return { at: null, isSeen: true };
          const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(activeElement);
          // Round the field it is a shadow of its parent's; the outline is for high contrast alone.
          const { boxShadow } = getComputedStyle(activeElement.parentElement ?? activeElement);
          const isDrawn = outlineColor !== "rgba(0, 0, 0, 0)" || boxShadow.includes("inset");
          return { at: activeElement.getAttribute("data-at"), isSeen: isDrawn && outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 };
        });
        if (at !== null && !reached.has(Number(at))) {
          reached.add(Number(at));
          if (!isSeen) unseen.push(all[Number(at)]);
        }
      }
      // The match goes on: what has gone meanwhile, or is switched off, can be used no more.
      const left = await page.evaluate(() => [...document.querySelectorAll("[data-at]")].filter((control) =>
        control.checkVisibility({ visibilityProperty: true }) && !control.matches(":disabled")).map((control) => Number(control.getAttribute("data-at"))));
      assert.deepEqual(left.filter((at) => !reached.has(at)).map((at) => all[at]), [], "not reached");
      assert.deepEqual(unseen, [], "not seen to be reached");
      await studio.close();
    });
  }
});

describe("who hears the page", () => {
  it("finds its parts, and is told what happens", async () => {
    const studio = await openStudio(browser, live.url);
    const { page } = studio;
    await openPanel(studio);
    for (const [role, name] of /** @type {const} */ ([
      ["banner", undefined], ["main", undefined], ["complementary", "Panel"], ["region", "Timeline"], ["contentinfo", undefined],
    ])) {
      assert.equal(await page.getByRole(role, { name }).count(), 1, role);
    }
    assert.equal(await page.locator("#events").getAttribute("aria-live"), "polite");
    assert.equal(await page.locator("#notice").getAttribute("role"), "alert");
    // What changes while one looks on is told by the control that changes it.
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await studio.close();
  });
});

describe("who is disturbed by motion", () => {
  it("sees none but that of the match", async () => {
    const studio = await openStudio(browser, live.url, { reducedMotion: "reduce" });
    await openAll(studio);
    const moving = await studio.page.evaluate(() => [...document.querySelectorAll("*")].filter((each) => {
      const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(each);
      return animationName !== "none" || transitionDuration.split(", ").some((secs) => parseFloat(secs) > 0) || scrollBehavior === "smooth";
    }).map(({ outerHTML }) => outerHTML.slice(0, 120)));
    assert.deepEqual(moving, []);
    assert.equal(await studio.page.evaluate(() => document.getAnimations().length), 0);
    await studio.close();
  });
});
