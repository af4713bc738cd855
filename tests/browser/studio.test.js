// The studio page with the real server in a real browser.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { openStudio, setUp, startServer, withPage } from "./harness.js";
import { soon } from "./looking.js";

const here = setUp();

/** @typedef {import("./harness.js").Studio} Studio */

/** What most tests look at. */
const match = () => here;

describe("the match", () => {
  withPage("is drawn: floor, lines, ball and robots", match, async (studio) => {
    const { objects } = await studio.state();
    const robots = objects.filter((object) => object.kind === "robot");
    assert.ok(robots.length >= 2, "robots are there");
    assert.ok(objects.some((object) => object.kind === "ball"), "a ball is there");
    const floor = (await studio.pixelsLike([0x4a, 0x9a, 0x5f])) + (await studio.pixelsLike([0x45, 0x8f, 0x59]));
    assert.ok(floor > 0.2, `the floor takes ${floor} of the picture`);
    assert.ok((await studio.pixelsLike([0xff, 0xff, 0xff])) > 0.005, "lines are white");
    await studio.screenshot("light");
  }, { colorScheme: "light" });

  withPage("moves: robots are drawn elsewhere a moment later", match, async (studio) => {
    const start = await studio.state();
    const drawn = () => studio.page.evaluate(() => document.querySelector("canvas")?.toDataURL() ?? "");
    const before = await drawn();
    await studio.until((state) => state.time > start.time + 1 && state.framesDrawn > start.framesDrawn + 5);
    assert.notEqual(await drawn(), before);
  });

  withPage("shows score, clock and real-time factor", match, async (studio) => {
    const { teams } = await studio.state();
    const score = await studio.text("score");
    for (const team of teams) assert.ok(score.includes(team.name), score);
    assert.match(score.replaceAll(/\s+/g, " "), /\d : \d/);
    assert.match(await studio.text("clock"), /^\d+:\d\d$/);
    await studio.until((state) => state.status.real_time_factor > 0);
    assert.match(await studio.text("factor"), /^× \d/);
  });
});

describe("time", () => {
  beforeEach(async () => {
    const studio = await openStudio(here.browser, here.server.url);
    await studio.page.keyboard.press("1");
    if ((await studio.state()).status.paused) await studio.page.keyboard.press("Space");
    await studio.until(({ status }) => !status.paused && status.speed === 1);
    await studio.close();
  });

  // W6
  withPage("stands while paused and goes on when resumed", match, async (studio) => {
    const { page } = studio;
    await page.getByRole("button", { name: "Pause" }).click();
    await studio.until((state) => state.status.paused);
    const paused = await stepsDone(studio);
    await page.keyboard.press("Space");
    await studio.until((state) => !state.status.paused && state.step > paused);
    await page.getByRole("button", { name: "Pause" }).waitFor();
  });

  // W6
  withPage("moves by one step when told", match, async (studio) => {
    await studio.page.keyboard.press("Space");
    await studio.until((state) => state.status.paused);
    const start = await stepsDone(studio);
    await studio.page.keyboard.press("n");
    await studio.until((state) => state.step > start);
    assert.equal(await stepsDone(studio), start + 1);
    await studio.page.getByRole("button", { name: "One step" }).click();
    await studio.until((state) => state.step > start + 1);
    assert.equal(await stepsDone(studio), start + 2);
  });

  // W6
  withPage("passes at the speed that is chosen", match, async (studio) => {
    const { page } = studio;
    const speed = page.locator("#speed");
    await speed.selectOption("0.25");
    await studio.until((state) => state.status.speed === 0.25);
    await page.keyboard.press(".");
    await studio.until((state) => state.status.speed === 0.5);
    assert.equal(await speed.inputValue(), "0.5");
    await page.keyboard.press("m");
    await studio.until((state) => state.status.speed === "max" && state.status.real_time_factor > 1.2);
    await page.keyboard.press(",");
    await studio.until((state) => state.status.speed === 8);
    await page.keyboard.press("1");
    await studio.until((state) => state.status.speed === 1);
  });

  // W6
  withPage("begins again after a reset, which the button asks twice for", match, async (studio) => {
    const { run } = await studio.state();
    const button = studio.page.getByRole("button", { name: "Reset" });
    const question = studio.page.getByText("Sure?");
    await button.click();
    await question.waitFor();
    // Whoever presses anything else did not mean it.
    await studio.page.keyboard.press("g");
    await question.waitFor({ state: "hidden" });
    await button.click();
    await question.waitFor();
    await button.click();
    await studio.until((state) => state.run === run + 1);
    await studio.page.keyboard.press("Shift+R");
    await question.waitFor();
    await studio.page.keyboard.press("Shift+R");
    await studio.until((state) => state.run === run + 2 && state.framesDrawn > 0);
  });
});

/** The steps made so far by a world that is paused. @param {Studio} studio */
async function stepsDone(studio) {
  await studio.nextStatus();
  const { step } = await studio.state();
  await studio.nextStatus();
  assert.equal((await studio.state()).step, step, "nothing moves");
  return step;
}

/** The point of the canvas that is farthest from all robots and balls, pixels. @param {Studio} studio */
function emptySpot({ page }) {
  return page.evaluate(() => {
    // @ts-expect-error The page puts it there.
    const { world, camera } = window.touchline;
    const taken = [...world.newest.poses.values()].map(({ x, y }) => camera.toScreen(x, y));
    let [best, room] = [[0, 0], -1];
    for (let x = 50; x < camera.width - 150; x += 50) {
      for (let y = 50; y < camera.height - 100; y += 50) {
        const nearest = Math.min(...taken.map(([px, py]) => Math.hypot(px - x, py - y)));
        if (nearest > room) [best, room] = [[x, y], nearest];
      }
    }
    return best;
  });
}

describe("the view", () => {
  withPage("zooms by wheel and keys, moves by dragging, and fits on a double click", match, async (studio) => {
    const { page } = studio;
    const fitted = (await studio.state()).view;
    const box = await page.locator("canvas").boundingBox();
    assert.ok(box);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -400);
    const zoomed = (await studio.until(({ view }) => view.scale > 1.2 * fitted.scale)).view;
    // Where there is nothing to take hold of.
    const [emptyX, emptyY] = await emptySpot(studio);
    await page.mouse.move(box.x + emptyX, box.y + emptyY);
    await page.mouse.down();
    await page.mouse.move(box.x + emptyX + 100, box.y + emptyY + 50, { steps: 4 });
    await page.mouse.up();
    const moved = (await studio.until(({ view }) => view.x !== zoomed.x)).view;
    assert.ok(Math.abs(zoomed.x - moved.x - 100 / zoomed.scale) < 1e-6, "the world follows the hand");
    assert.ok(Math.abs(moved.y - zoomed.y - 50 / zoomed.scale) < 1e-6, "the world follows the hand");
    await page.keyboard.press("+");
    await studio.until(({ view }) => view.scale > moved.scale);
    await page.locator("canvas").dblclick();
    await studio.until(({ view }) => view.fitted);
    assert.deepEqual((await studio.state()).view, fitted);
  });

  withPage("zooms with two fingers", match, async (studio) => {
    const { view } = await studio.state();
    const touch = await studio.page.context().newCDPSession(studio.page);
    const fingers = (/** @type {number} */ apart) => [{ x: 195 - apart, y: 420, id: 0 }, { x: 195 + apart, y: 420, id: 1 }];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(40) });
    for (const apart of [60, 80, 100]) {
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(apart) });
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await studio.until((state) => state.view.scale > 2 * view.scale);
  }, { viewport: { width: 390, height: 844 }, hasTouch: true });

  withPage("shows everything on a phone, with buttons for fingers", match, async (studio) => {
    const { page } = studio;
    assert.ok((await studio.state()).view.turned, "a long field stands upright on a tall screen");
    for (const button of await page.locator("footer button, footer select").all()) {
      const box = await button.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844, "within the screen");
      assert.ok(box.width >= 40 && box.height >= 40, "large enough");
    }
    await studio.screenshot("phone");
  }, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });

  withPage("is as sharp as the screen", match, async (studio) => {
    const [pixels, width] = await studio.page.evaluate(() => {
      const canvas = document.querySelector("canvas");
      return [canvas?.width ?? 0, canvas?.clientWidth ?? 0];
    });
    assert.equal(pixels, 2 * width);
  }, { deviceScaleFactor: 2 });
});

describe("light and dark", () => {
  const theme = (/** @type {Studio} */ { page }) => page.evaluate(() => document.documentElement.dataset.theme);

  withPage("follow the system, and the choice once there is one", match, async (studio) => {
    assert.equal(await theme(studio), "dark");
    await studio.page.keyboard.press("t");
    await studio.screenshot("dark");
    await studio.page.getByRole("button", { name: "Light or dark" }).click();
    assert.equal(await theme(studio), "light");
    await studio.page.reload();
    await studio.untilDrawn();
    assert.equal(await theme(studio), "light");
  }, { colorScheme: "dark" });

  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    withPage(`text can be read in ${colorScheme}`, match, async (studio) => {
      const colours = await studio.page.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        const names = ["ground", "panel", "text", "quiet", "bad", "accent", "accent-text", "past", "goal", "announcement", "contact", "message"];
        return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
      });
      for (const [ink, paper] of [
        ["text", "ground"], ["text", "panel"], ["quiet", "ground"], ["quiet", "panel"], ["bad", "panel"],
        ["bad", "ground"], ["accent", "panel"], ["accent", "ground"], ["accent-text", "accent"], ["past", "panel"], ["past", "ground"],
      ]) {
        const ratio = contrast(colours[ink], colours[paper]);
        assert.ok(ratio >= 4.5, `${ink} on ${paper}: ${ratio.toFixed(1)}`);
      }
      // What is no text: bookmarks on the timeline.
      for (const bookmark of ["goal", "bad", "past", "announcement", "quiet", "contact", "message"]) {
        const ratio = contrast(colours[bookmark], colours.panel);
        assert.ok(ratio >= 3, `${bookmark} on the timeline: ${ratio.toFixed(1)}`);
      }
    }, { colorScheme });
  }
});

/**
 * The contrast of two colours `#rrggbb`, as WCAG 2 defines it.
 * @param {string} a
 * @param {string} b
 */
function contrast(a, b) {
  const [light, dark] = [a, b].map((colour) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }).sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

describe("keyboard and names", () => {
  withPage("every control has a name and can be reached by Tab", match, async (studio) => {
    const { page } = studio;
    const controls = await page.locator("button:visible, select:visible, canvas").all();
    const names = new Set();
    for (const control of controls) {
      const name = (await control.getAttribute("aria-label")) ?? (await control.innerText());
      assert.ok(name.trim() !== "" && !names.has(name), `a name of its own: "${name}"`);
      names.add(name);
    }
    const reached = new Set();
    for (let i = 0; i < 2 * controls.length; i += 1) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement?.id));
    }
    for (const control of controls) assert.ok(reached.has(await control.getAttribute("id")));
  });

  withPage("? lists the keys, Escape closes the list", match, async (studio) => {
    await studio.page.keyboard.press("?");
    await studio.page.getByRole("dialog", { name: "Keys" }).waitFor();
    await studio.screenshot("keys");
    await studio.page.keyboard.press("Escape");
    await studio.page.getByRole("dialog").waitFor({ state: "hidden" });
  });

  withPage("names and trails can be switched", match, async (studio) => {
    for (const [key, id, shown] of [["l", "names", "true"], ["t", "trails", "false"]]) {
      const button = studio.page.locator(`#${id}`);
      assert.equal(await button.getAttribute("aria-pressed"), shown);
      await studio.page.keyboard.press(key);
      assert.equal(await button.getAttribute("aria-pressed"), String(shown !== "true"));
    }
  });
});

describe("the connection", () => {
  it("is found again when the server comes back", async () => {
    const first = await startServer();
    const studio = await openStudio(here.browser, first.url);
    await first.stop();
    await studio.page.getByRole("alert").getByText("No connection").waitFor();
    const second = await startServer({ studio: new URL(first.url).host });
    const { frames } = await studio.state();
    await studio.page.getByRole("alert").waitFor({ state: "hidden" });
    await studio.until((state) => state.frames > 0 && state.frames !== frames);
    // The browser itself reports the tries that failed; as long as the second server is there, no more of them do.
    studio.complaints.splice(0, Infinity, ...studio.complaints.filter((text) => !text.includes("ERR_CONNECTION_REFUSED")));
    await studio.close();
    await second.stop();
  });
});

describe("an operator's hand, and what robots think", () => {
  /** @type {Awaited<ReturnType<typeof startServer>>} */
  let seeking;
  before(async () => {
    seeking = await startServer({ world: "worlds/localisation.toml" });
  });
  after(() => seeking?.stop());

  // C9, L3
  it("draws a robot's thoughts, and hides them when told", async () => {
    const studio = await openStudio(here.browser, seeking.url);
    const thoughts = () => studio.page.evaluate(() =>
      // @ts-expect-error The page puts it there.
      Object.fromEntries([...window.touchline.world.annotations].map(([id, values]) => [id, Object.keys(values)])));
    await soon(thoughts, (known) => Object.keys(known).length > 0);
    assert.deepEqual(Object.values(await thoughts()), [["belief", "estimate"]]);
    const orange = [0xff, 0x99, 0x00];
    const green = [0x00, 0xc0, 0x40];
    await soon(() => studio.pixelsLike(green), (part) => part > 0);
    await studio.screenshot("thoughts");
    await studio.page.keyboard.press("a");
    await studio.page.keyboard.press("Space");
    await studio.until((state) => state.status.paused);
    await studio.nextStatus();
    assert.equal((await studio.pixelsLike(green)) + (await studio.pixelsLike(orange)), 0);
    await studio.page.keyboard.press("Space");
    await studio.close();
  });

  // C6, mechanism 2
  it("puts a robot elsewhere by dragging, also while time stands", async () => {
    const studio = await openStudio(here.browser, seeking.url);
    const { page } = studio;
    await page.keyboard.press("Space");
    await studio.until((state) => state.status.paused);
    await studio.nextStatus();
    const robot = () => page.evaluate(() => {
      // @ts-expect-error The page puts it there.
      const { world, camera } = window.touchline;
      const { id } = [...world.objects.values()].find((object) => object.name === "other");
      const { x, y, theta } = world.newest.poses.get(id);
      // Inside of the boards and away from the other robot, wherever the two are when time stands: a place that is taken is refused.
      const [, other] = [...world.newest.poses].find(([of]) => of !== id);
      const away = (/** @type {number[]} */ [byX, byY]) => Math.hypot(x + byX - other.x, y + byY - other.y);
      const inside = [[1.2, 1], [-1.2, 1], [1.2, -1], [-1.2, -1]].filter(([byX, byY]) => Math.abs(x + byX) < 4 && Math.abs(y + byY) < 1.9);
      const [by] = inside.sort((a, b) => away(b) - away(a));
      return { x, y, theta, by, at: camera.toScreen(x, y), to: camera.toScreen(x + by[0], y + by[1]), turned: camera.toScreen(x, y - 2) };
    });
    const box = await page.locator("canvas").boundingBox();
    assert.ok(box);
    const drag = async (/** @type {number[]} */ [fromX, fromY], /** @type {number[]} */ [toX, toY]) => {
      await page.mouse.move(box.x + fromX, box.y + fromY);
      await page.mouse.down();
      await page.mouse.move(box.x + toX, box.y + toY, { steps: 4 });
      await page.mouse.up();
    };
    const start = await robot();
    await drag(start.at, start.to);
    const now = await soon(robot, (seen) => seen.x !== start.x);
    const [byX, byY] = start.by;
    assert.ok(Math.abs(now.x - start.x - byX) < 0.02 && Math.abs(now.y - start.y - byY) < 0.02, JSON.stringify([start, now]));
    const { view } = await studio.state();
    await page.keyboard.down("Shift");
    await drag(now.at, now.turned);
    await page.keyboard.up("Shift");
    const turned = await soon(robot, (seen) => seen.theta !== now.theta);
    assert.ok(Math.abs(turned.theta + Math.PI / 2) < 0.02, JSON.stringify(turned));
    assert.deepEqual((await studio.state()).view, view, "the view stays");
    await page.keyboard.press("Space");
    await studio.close();
  });
});
